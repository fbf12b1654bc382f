/*
 * coarsen3_predict: say what changes with four elements a thread, and what does not.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Coarsening made the transpose twice as fast on an H200. Does it move less memory? Predict for a
 * 256 x 256 matrix and write your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at the launch, and then at how many requests one warp makes now.
 *
 * Done when all predictions are right. Then think about where the speed comes from: a thread has
 * four loads under way at once, and an SM needs a quarter of the threads for as much traffic.
 */
// operation: transpose
// predict: blocks = ___
// predict: threads_per_block = ___
// predict: global_load requests = ___
// predict: global_load work = ___
// predict: shared_load conflict_degree = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ELEMENTS = 4; /* a thread moves */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (out_row + i < cols && out_col < rows)
            out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
