/*
 * smem3_wild_return: a bug in the wild: who has nothing to load goes home.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. Kernels often begin with a bounds
 * check and a return. This one did so before it had a tile in shared memory; with multiples of 32
 * it still is right.
 *
 * Look first at a tile at the right edge of the matrix. Which of its threads return, and what
 * would they have had to do further down?
 *
 * Done when every size is right, neighbouring threads load and store neighbouring elements, and these
 * pass from warp to warp.
 */
// operation: transpose
// counted: 29 x 2209
// goal: verified
// goal: global_load work <= 15000
// goal: global_store work <= 15000
// goal: shared_load ideal >= 2002
// goal: shared_store ideal >= 2002
// goal: across_warps >= 40
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= rows || col >= cols)
        return;
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
