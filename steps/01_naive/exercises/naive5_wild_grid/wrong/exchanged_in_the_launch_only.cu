// refused: nobody wrote|elements of the output are wrong
// Exchanged in the launch, not in the kernel.
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
    dim3 blocks(rows, tiles(cols, THREADS));
    transpose<<<blocks, THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
