/*
 * coarsen1_loop: fill in how far a thread steps.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A block has 32 x 8 threads for a tile of 32 x 32 elements, so each thread moves four elements of
 * one column, one after the other. Fill in the step of the two loops.
 *
 * Look first at the launch: which rows of the tile do the threads cover in the first turn?
 *
 * Done when every size is right, coalesced and without conflict.
 */
// operation: transpose
// goal: verified
// goal: global_load requests <= 2048
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_load conflict_degree == 1
// goal: threads_per_block == 256
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ELEMENTS = 4; /* a thread moves */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += ___)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += ___)
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
