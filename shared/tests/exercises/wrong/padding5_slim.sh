untouched 'take 2 wavefronts a request; 1 is possible'
wrong 'take 16 wavefronts a request' <<<"$(solution | sed 's/TILE_COLS + 2/TILE_COLS/')"
wrong 'a block takes 2304 bytes of shared memory' <<<"$(solution | sed 's/TILE_COLS + 2/TILE_COLS + 4/')"
# A square tile needs no thought, and twice the memory.
wrong 'a block takes 4224 bytes of shared memory; the goal is at most 2176' <<<"$(exercise | sed 's/TILE_ROWS = 16/TILE_ROWS = 32/')"
