untouched 'the loads from shared memory take 2 times the wavefronts'
wrong 'the loads from shared memory take 32 times' <<<"$(solution | sed 's/swizzle(5, 1, 5, row_major(TILE, row, col))/row_major(TILE, row, col)/')"
wrong 'the loads from shared memory take 2 times' <<<"$(solution | sed 's/swizzle(5, 1, 5,/swizzle(4, 1, 5,/')"
wrong 'a block takes 8448 bytes' <<<"$(solution | sed 's/swizzle(5, 1, 5, row_major(TILE, row, col))/row_major(TILE + 2, row, col)/; s/tile\[TILE \* TILE\]/tile[TILE * (TILE + 2)]/')"
