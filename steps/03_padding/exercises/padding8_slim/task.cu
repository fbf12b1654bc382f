/*
 * padding8_slim: half the shared memory and no conflict (open-ended).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Shared memory is what limits how many blocks an SM holds. This tile is 16 rows of 32 elements: a
 * warp loads one row of it, and stores two output rows of 16 elements each, which still fill their
 * sectors. But the pad of one, which suits a square tile, leaves conflicts here. Find out why, and
 * find a way that costs little.
 *
 * Look first at the 32 elements that a warp reads for its two output rows: two columns of 16.
 * Write down the banks of both columns.
 *
 * Solved without conflict and with whole sectors in 2176 bytes, with a block per 512 elements; silver
 * in 2112, which is the pad of one: something else must change then; gold in 2048, which is no pad at
 * all.
 */
// operation: transpose
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_bytes <= 2176
// goal: shared_bytes >= 2048
// goal: blocks <= 128
// goal: blocks >= 128
// goal: stores_per_load >= 2
// silver: shared_bytes <= 2112
// gold: shared_bytes <= 2048
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLS = 32;
constexpr int THREADS = TILE_ROWS * TILE_COLS;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS + 1];

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
    transpose<<<blocks, THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
