#include "exercises/exercise.h"

constexpr int THREADS = 256;

__global__ void transpose(const float *in, float *out, int rows, int cols, int count)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; /* element of the whole output */
    size_t size = (size_t)rows * cols;
    if (i >= size * count)
        return;
    size_t within = i % size, matrix = i - within;
    out[i] = in[matrix + within % rows * cols + within / rows];
}

static void launch_transpose(const float *in, float *out, int rows, int cols, int count)
{
    size_t all = (size_t)rows * cols * count;
    transpose<<<(unsigned)((all + THREADS - 1) / THREADS), THREADS>>>(in, out, rows, cols, count);
}

EXERCISE(launch_transpose)
