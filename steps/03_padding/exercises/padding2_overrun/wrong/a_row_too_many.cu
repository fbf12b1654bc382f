// refused: a block takes 4356 bytes of shared memory
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col) { return row_major(PITCH, row, col); }

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[PITCH * PITCH];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[tile_offset(threadIdx.y, threadIdx.x)] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[tile_offset(threadIdx.x, threadIdx.y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
