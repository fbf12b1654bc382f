// refused: nobody wrote
// What is above the limit is left out.
#include "exercises/exercise.h"

constexpr int THREADS = 64;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y;
    int col = blockIdx.x * THREADS + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, THREADS), rows < 65535 ? rows : 65535);
    transpose<<<blocks, THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
