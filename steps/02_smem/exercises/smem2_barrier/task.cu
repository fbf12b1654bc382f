/*
 * smem2_barrier: fix the race.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Someone made this kernel "faster" and saved a barrier. On a GPU it is wrong now and then: a
 * thread may read an element of the tile that another warp has not written yet. Put things in
 * order again.
 *
 * Look first at who writes the element that a thread reads: is it a thread of the same warp? And
 * who reaches the barrier, at the edge of the matrix?
 *
 * Done when there is no race at any size and elements still pass from warp to warp.
 */
// operation: transpose
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_load ideal >= 2048
// goal: shared_store ideal >= 2048
// goal: across_warps >= 40
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncwarp();

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
