// refused: a block takes [0-9]* bytes of shared memory; the goal is exactly 0
// Shared memory after all.
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
    row = blockIdx.y * TILE + threadIdx.x;
    col = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = tile[threadIdx.x][threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
