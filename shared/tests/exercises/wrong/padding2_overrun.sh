untouched 'line 36 reaches outside an array'
# Back to no pad.
wrong 'the loads from shared memory take 32 times the wavefronts' <<<"$(exercise | sed 's/TILE + 1/TILE/')"
# One float more is not one float a row more.
wrong 'line (36|42) reaches outside an array' <<<"$(exercise | sed 's/tile\[TILE \* TILE\]/tile[TILE * TILE + 1]/')"
wrong 'a block takes 4356 bytes of shared memory' <<<"$(exercise | sed 's/tile\[TILE \* TILE\]/tile[PITCH * PITCH]/')"
