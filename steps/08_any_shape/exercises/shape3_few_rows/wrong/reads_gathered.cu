// refused: loads
// The stores side by side, the loads straight from where the elements are.
#include "exercises/exercise.h"

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < (size_t)rows * cols)
        out[i] = in[i % rows * cols + i / rows];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    transpose<<<(unsigned)(((size_t)rows * cols + 255) / 256), 256>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
