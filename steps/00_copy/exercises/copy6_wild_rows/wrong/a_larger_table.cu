// refused: the grid has 256 blocks; the goal is at most 32
// A larger table, until the next matrix.
#include "exercises/exercise.h"

constexpr int ROWS = 256;
constexpr int THREADS = 256;

__device__ __align__(128) float table[ROWS][THREADS];

__global__ void copy(const float *in, float *out, size_t count)
{
    float *mine = &table[blockIdx.x][threadIdx.x];
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count) {
        *mine = in[i];
        out[i] = *mine;
    }
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / THREADS + 1), THREADS>>>(in, out, count);
}

EXERCISE(launch_copy)
