untouched 'a block has 1024 threads; the goal is at most 128'
# Only the launch changed: most of the tile is nobody's.
wrong 'nobody wrote|memory that nobody has written' <<<"$(exercise | sed 's/dim3 threads(TILE, TILE)/dim3 threads(TILE, 4)/')"
wrong 'a block has 256 threads; the goal is at most 128' <<<"$(solution | sed 's/ELEMENTS = 8/ELEMENTS = 4/')"
# Tiles of 16 x 16 have fewer threads, but there are more of them.
wrong 'the grid has 256 blocks; the goal is at most 64' <<<"$(solution | sed 's/TILE = 32/TILE = 16/')"
