untouched 'take 2 wavefronts a request; 1 is possible'
wrong 'take 4 wavefronts|take 2 wavefronts|take 8 wavefronts' <<<"$(solution | sed 's/swizzle(5, 0, 6,/swizzle(5, 0, 8,/')"
wrong 'take 2 wavefronts a request; 1 is possible' <<<"$(solution | sed 's/swizzle(5, 0, 6,/swizzle(4, 0, 6,/')"
# A pad instead.
wrong 'a block takes 16640 bytes of shared memory; the goal is exactly 16384' <<<"$(solution |
    sed 's/swizzle(5, 0, 6, row_major(TILE, row, col))/row_major(TILE + 1, row, col)/; s/tile\[TILE \* TILE\]/tile[TILE * (TILE + 1)]/')"
