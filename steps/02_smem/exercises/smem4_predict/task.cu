/*
 * smem4_predict: say what the tile costs in shared memory.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Shared memory has 32 banks of 4 bytes: the float at offset i lies in bank i % 32. A bank gives
 * one word at a time. The work of a request is its wavefronts: how often the busiest bank must be
 * asked for different words. Predict for a 256 x 256 matrix and write your numbers over the blanks
 * below. Leave the code as it is.
 *
 * Look first at the offsets that the 32 threads of a warp use, when they store a row into the tile
 * and when they load a column from it. The conflict degree is the work divided by the work that the
 * same bytes need at least (128 bytes a wavefront).
 *
 * Done when all predictions are right.
 */
// operation: transpose
// predict: shared_bytes = ___
// predict: shared_store work_per_request = ___
// predict: shared_load work_per_request = ___
// predict: shared_load conflict_degree = ___
// predict: global_store work_per_request = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
