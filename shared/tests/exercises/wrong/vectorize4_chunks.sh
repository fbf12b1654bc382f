untouched 'the loads from shared memory of line 6[0-9] take 32 wavefronts a request; 4 is possible'
# The row's lowest bits, as for single floats.
wrong 'the loads from shared memory take [248] times' <<<"$(solution | sed 's/row \/ 4 % 8/row % 8/')"
# Two bits of three.
wrong 'the loads from shared memory take 2 times' <<<"$(solution | sed 's/row \/ 4 % 8/row \/ 4 % 4/')"
# A pad of one chunk.
wrong 'a block takes 17408 bytes' <<<"$(exercise | sed 's/row_major(CHUNKS, row, chunk)/row_major(CHUNKS + 1, row, chunk)/; s/tile\[TILE \* CHUNKS\]/tile[TILE * (CHUNKS + 1)]/')"
