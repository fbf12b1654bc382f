/*
 * swizzle1_xor: no conflict and no pad.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Rows of 32 floats start in the same bank, and there is to be no pad. Instead, put element (row,
 * col) at another place of the same row: one that depends on the row, so that a column is spread
 * over all places. Fill in that place.
 *
 * Look first at what a good place must do: for a fixed row, 32 columns take 32 different places;
 * for a fixed column, 32 rows take 32 different places. Which operation on two numbers of five
 * bits does both?
 *
 * Done when there is no conflict and a block takes 4096 bytes.
 */
// operation: transpose
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_load requests >= 1
// goal: shared_bytes == 4096
#include "exercises/exercise.h"

constexpr int TILE = 32;

/* The place in its row, 0 to 31, where element (row, col) of the tile lies. */
static __device__ int place(int row, int col) { return ___; }

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y][place(threadIdx.y, threadIdx.x)] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][place(threadIdx.x, threadIdx.y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
