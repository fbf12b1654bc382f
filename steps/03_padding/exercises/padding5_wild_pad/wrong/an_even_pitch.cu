// refused: a block takes 4352 bytes|take 2 wavefronts
// Used, but even.
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * (TILE + 2)]; /* one more to avoid bank conflicts */

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y * (TILE + 2) + threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x * (TILE + 2) + threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
