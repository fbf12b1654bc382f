/*
 * smem4_predict: say what a tile of 16 x 48 costs in shared memory.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Shared memory has 32 banks of 4 bytes: the float at offset i lies in bank i % 32. The work of a
 * request is its wavefronts: how many different words the busiest bank must give. Here the tile's
 * rows have 48 floats, and a warp writes out two columns of 16. Predict for a matrix of 256 x 240
 * and write your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at the offsets that a warp uses. Storing: threads 32 to 63 end one row of the tile
 * and begin the next. Loading: 0, 48, 96, ... down one column, then the column beside it.
 *
 * Done when all predictions are right.
 */
// operation: transpose
// counted: 256 x 240
// predict: shared_bytes = ___
// predict: shared_store work_per_request = ___
// predict: shared_load requests = ___
// predict: shared_load work_per_request = ___
// predict: global_store work_per_request = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLS = 48;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    int y = threadIdx.x / TILE_COLS;
    int x = threadIdx.x % TILE_COLS;
    int row = blockIdx.y * TILE_ROWS + y;
    int col = blockIdx.x * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_y = threadIdx.x / TILE_ROWS;
    int out_x = threadIdx.x % TILE_ROWS;
    int out_row = blockIdx.x * TILE_COLS + out_y;
    int out_col = blockIdx.y * TILE_ROWS + out_x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[out_x][out_y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
