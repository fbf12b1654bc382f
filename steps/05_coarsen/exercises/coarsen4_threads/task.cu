/*
 * coarsen4_threads: the same traffic with a thirty-second of the threads.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * This is step 03: one element per thread and 1024 threads per block. Only two such blocks fit on
 * an SM. Do the same work with at most 128 threads a block, and with a quarter of the blocks. How a
 * block takes four times as much as it does now is yours: a larger tile, or several tiles.
 *
 * Look first at step 05: what has to change in the kernel for fewer threads, and what in the
 * launch? Then, if several tiles go through one array: what must be over before the next one comes?
 *
 * Done when a block has at most 128 threads, the grid 8 to 16 blocks, and the traffic is as
 * before.
 */
// operation: transpose
// goal: verified
// goal: threads_per_block <= 128
// goal: blocks <= 16
// goal: blocks >= 8
// goal: launches == 1
// goal: global_load requests <= 2048
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

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
