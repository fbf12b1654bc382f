/*
 * smem2_barrier: fix the race.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../shared smem2_barrier.cu -o smem2_barrier
 *
 * Someone made this kernel "faster" and saved a barrier. On a GPU it is wrong now and then: a
 * thread may read an element of the tile that another warp has not written yet. Put things in
 * order again.
 *
 * Look first at who writes the element that a thread reads: is it a thread of the same warp? And
 * who reaches the barrier, at the edge of the matrix?
 *
 * Done when there is no race at any size, and every thread of a block reaches every barrier.
 */
// operation: transpose
// goal: verified
// goal: global_load work_per_request <= 4
// goal: global_store work_per_request <= 4
// goal: shared_load requests >= 1
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return row_major(PITCH, row, col);
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;

    int row = tile_row * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[tile_offset(threadIdx.y, threadIdx.x)] = in[(size_t)row * cols + col];
    __syncwarp();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = tile_row * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[tile_offset(threadIdx.x, threadIdx.y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
