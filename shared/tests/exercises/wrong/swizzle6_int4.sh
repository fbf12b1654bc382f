untouched 'take 32 wavefronts a request; 4 is possible'
# All five bits of the row do as well.
right <<<"$(solution | sed 's/swizzle(3, 0, 5,/swizzle(5, 0, 5,/')"
# Two bits: eight rows in four groups.
wrong 'take 8 wavefronts a request; 4 is possible' <<<"$(solution | sed 's/swizzle(3, 0, 5,/swizzle(2, 0, 5,/')"
# TMA's swizzle, for rows of eight elements.
wrong 'wavefronts a request; 4 is possible' <<<"$(solution | sed 's/swizzle(3, 0, 5,/swizzle(3, 0, 3,/')"
# A pad instead.
wrong 'bytes of shared memory; the goal is exactly 16384' <<<"$(exercise |
    sed 's/row_major(TILE, row, col)/row_major(TILE + 1, row, col)/; s/tile\[TILE \* TILE\]/tile[TILE * (TILE + 1)]/')"
