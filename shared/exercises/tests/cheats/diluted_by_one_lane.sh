# Thirty-two sectors a request, and many requests of one lane, so that the average is small.
refused 'the stores take [0-9]* sectors in all' <<<"$(exercise |
    sed 's/^    if (row < rows/    if (threadIdx.x == 0) for (int i = 0; i < 40; i++) ((volatile float *)out)[(size_t)blockIdx.x * TILE_COLS * rows + blockIdx.y * TILE_ROWS] = 0;\n    __syncthreads();\n&/')"
