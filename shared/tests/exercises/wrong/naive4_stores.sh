untouched 'the stores of line 28 touch 32 sectors a request; 4 is possible'
# Threads exchanged in the block's shape only: it is square, so nothing changes.
wrong 'the stores of line 28 touch 32 sectors a request; 4 is possible' \
    <<<"$(exercise | sed 's/dim3 threads(TILE, TILE)/dim3 threads(TILE, TILE, 1)/')"
# Coalesced, but no transpose any more.
wrong 'elements of the output are wrong' \
    <<<"$(exercise | sed 's/out\[(size_t)col \* rows + row\]/out[(size_t)row * cols + col]/')"
# Only one of the two exchanged: the diagonal alone is moved.
wrong 'elements of the output are wrong' \
    <<<"$(exercise | sed 's/TILE + threadIdx.y;/TILE + threadIdx.x;/')"
