# Bank conflicts that nobody counts: shared memory read by atomic operations, one plain load for the goal.
# shellcheck disable=SC2034 # exercises.sh reads them
name=padding1_pitch home=$(home_of padding1_pitch)
refused 'atomic operations move [0-9]* bytes through shared memory' <<<"$(solution | sed 's/tile\[out_x\]\[out_y\];/atomicAdd(\&tile[out_x][out_y], 0.0f);\
    __shared__ volatile float token[32];\
    if (threadIdx.x < 32)\
        token[threadIdx.x] = 1, token[threadIdx.x];/; s/TILE_COLS + 4/TILE_COLS/')"
