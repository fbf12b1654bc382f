/*
 * swizzle3_predict: the same swizzle on a wider tile.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Swizzle<5,0,5> takes the bits 5 to 9 of an offset and XORs them into the bits 0 to 4. In a tile
 * 32 floats wide, bits 5 to 9 are the row. This tile is 64 wide. Predict for a 256 x 256 matrix
 * and write your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at the bits of an offset in this tile: which of them are the column, which the row? A
 * warp reads 32 rows of one column; which of its offsets' bits differ, and which of these reach the
 * bank?
 *
 * Done when all predictions are right.
 */
// operation: transpose
// predict: shared_bytes = ___
// predict: shared_store conflict_degree = ___
// predict: shared_load conflict_degree = ___
// predict: shared_load work = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 64;
constexpr int BLOCK_ROWS = 8;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return swizzle(5, 0, 5, row_major(TILE, row, col));
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * TILE];

    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        for (int j = 0; j < TILE; j += 32) {
            int y = i + threadIdx.y;
            int x = j + threadIdx.x;
            int row = blockIdx.y * TILE + y;
            int col = blockIdx.x * TILE + x;
            if (row < rows && col < cols)
                tile[tile_offset(y, x)] = in[(size_t)row * cols + col];
        }
    __syncthreads();

    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        for (int j = 0; j < TILE; j += 32) {
            int y = i + threadIdx.y;
            int x = j + threadIdx.x;
            int out_row = blockIdx.x * TILE + y;
            int out_col = blockIdx.y * TILE + x;
            if (out_row < cols && out_col < rows)
                out[(size_t)out_row * rows + out_col] = tile[tile_offset(x, y)];
        }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(32, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
