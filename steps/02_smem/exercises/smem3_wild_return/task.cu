/*
 * smem3_wild_return: fix the second bounds check.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * With multiples of 32 this kernel is right; at the edge of other matrices it leaves elements out,
 * or reads what was never loaded. The author checked the bounds once and thought that would do.
 *
 * Look first at a tile at the right edge of the matrix. Which of its threads load an element? After
 * the barrier the same threads store, but other elements.
 *
 * Done when every size is right.
 */
// operation: transpose
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    bool inside = row < rows && col < cols;
    if (inside)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (inside)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
