untouched 'the loads from shared memory of line [0-9]* take 32 wavefronts a request; 1 is possible'
# Only the map.
wrong 'elements of the output are wrong' <<<"$(exercise | sed '0,/TILE, TILE, SWIZZLE_NONE/s//TILE, TILE, SWIZZLE_128B/')"
# Only the threads.
wrong 'elements of the output are wrong' <<<"$(solution | sed 's/SWIZZLE_128B/SWIZZLE_NONE/')"
# A padded tile, which no box fills.
wrong 'elements of the output are wrong|never written|nobody has written' <<<"$(exercise | sed 's/tile\[TILE \* TILE\]/tile[TILE * (TILE + 1)]/; s/sizeof tile)/TILE * TILE * 4)/; s/row_major(TILE, i/row_major(TILE + 1, i/')"
# A narrower swizzle than the rows of the box.
wrong 'refuse|error' <<<"$(solution | sed 's/SWIZZLE_128B/SWIZZLE_64B/')"
