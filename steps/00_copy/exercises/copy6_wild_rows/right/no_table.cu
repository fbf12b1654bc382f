// The table left out: it is of no use here.
#include "exercises/exercise.h"

constexpr int ROWS = 32;
constexpr int THREADS = 256;

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    for (; i < count; i += (size_t)gridDim.x * THREADS) {
        out[i] = in[i];
    }
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    size_t blocks = (count - 1) / THREADS + 1;
    copy<<<(unsigned)(blocks < ROWS ? blocks : ROWS), THREADS>>>(in, out, count);
}

EXERCISE(launch_copy)
