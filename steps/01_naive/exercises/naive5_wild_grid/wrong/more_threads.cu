// refused: a block has 256 threads|CUDA refused
// Four rows a block: the limit moves, and the blocks are others.
#include "exercises/exercise.h"

constexpr int THREADS = 64;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 4 + threadIdx.y;
    int col = blockIdx.x * THREADS + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, THREADS), tiles(rows, 4));
    transpose<<<blocks, dim3(THREADS, 4)>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
