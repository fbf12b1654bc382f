untouched 'touches memory while an asynchronous copy into or out of it is still under way: wait for the copy first'
wrong 'still under way' <<<"$(exercise | sed 's/mbarrier_wait(&full, 0)/mbarrier_wait(\&full, 1)/')"
# The parity of the tile's number, which is not that of the turn.
wrong 'still under way|waits for something' <<<"$(exercise | sed 's/mbarrier_wait(&full, 0)/mbarrier_wait(\&full, t % 2)/')"
# One tile a block, so that there is one phase only.
wrong 'the grid has 64 blocks; the goal is at most 16' <<<"$(exercise | sed 's/all_tiles < 16 ? all_tiles : 16/all_tiles/')"
