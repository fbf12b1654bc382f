/*
 * swizzle3_predict: a tile 128 wide, and lanes that skip every other column.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Swizzle<5,0,5> again, on a tile of 32 rows and 128 columns. And the loop that fills the tile is a
 * clumsy one: a lane takes columns 2 x and 2 x + 1, one after the other. Predict for a 256 x 256
 * matrix and write your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at the twelve bits of an offset: which are the column, which the row? Then, for each
 * of the two accesses to the tile: in which bits do the 32 lanes differ, and which of these bits
 * reach the bank, directly or by the XOR?
 *
 * Done when all predictions are right.
 */
// operation: transpose
// predict: shared_store conflict_degree = ___
// predict: shared_load conflict_degree = ___
// predict: shared_load work = ___
// predict: global_load work_per_request = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 32;
constexpr int TILE_COLS = 128;
constexpr int BLOCK_ROWS = 8;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return swizzle(5, 0, 5, row_major(TILE_COLS, row, col));
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS * TILE_COLS];

    for (int y = threadIdx.y; y < TILE_ROWS; y += BLOCK_ROWS)
        for (int x = 2 * threadIdx.x; x < TILE_COLS; x += 64) {
            int row = blockIdx.y * TILE_ROWS + y;
            int col = blockIdx.x * TILE_COLS + x;
            if (row < rows && col < cols)
                tile[tile_offset(y, x)] = in[(size_t)row * cols + col];
            if (row < rows && col + 1 < cols)
                tile[tile_offset(y, x + 1)] = in[(size_t)row * cols + col + 1];
        }
    __syncthreads();

    for (int y = threadIdx.y; y < TILE_COLS; y += BLOCK_ROWS) {
        int x = threadIdx.x;
        int out_row = blockIdx.x * TILE_COLS + y;
        int out_col = blockIdx.y * TILE_ROWS + x;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = tile[tile_offset(x, y)];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    dim3 threads(32, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
