// refused: the loads take 51000 sectors
// The output's elements in order, without a tile: all stores fill their sectors, and no load does.
#include "exercises/exercise.h"

constexpr int THREADS = 256;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < (size_t)rows * cols)
        out[i] = in[i % rows * cols + i / rows];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    size_t all = (size_t)rows * cols;
    transpose<<<(unsigned)((all + THREADS - 1) / THREADS), THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
