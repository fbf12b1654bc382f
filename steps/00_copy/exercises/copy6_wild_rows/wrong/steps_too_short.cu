// refused: another thread writes|overwrites|race|the loads take
// The loop goes on by one block: everything is copied up to 32 times.
#include "exercises/exercise.h"

constexpr int ROWS = 32;
constexpr int THREADS = 256;

__device__ __align__(128) float table[ROWS][THREADS];

__global__ void copy(const float *in, float *out, size_t count)
{
    float *mine = &table[blockIdx.x][threadIdx.x];
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    for (; i < count; i += THREADS) {
        *mine = in[i];
        out[i] = *mine;
    }
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    size_t blocks = (count - 1) / THREADS + 1;
    copy<<<(unsigned)(blocks < ROWS ? blocks : ROWS), THREADS>>>(in, out, count);
}

EXERCISE(launch_copy)
