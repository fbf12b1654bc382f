#include "exercises/exercise.h"

constexpr int THREADS = 256;
constexpr int MATRICES = 32; /* a block's: a run of memory that begins at a sector, of any size */

__global__ void transpose(const float *in, float *out, int rows, int cols, int count)
{
    int size = rows * cols;
    size_t first = (size_t)blockIdx.x * MATRICES * size; /* element of the whole output */
    int mine = min(MATRICES, count - (int)blockIdx.x * MATRICES) * size;
    for (int i = threadIdx.x; i < mine; i += THREADS) {
        int within = i % size, matrix = i - within;
        out[first + i] = in[first + matrix + within % rows * cols + within / rows];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols, int count)
{
    transpose<<<(count + MATRICES - 1) / MATRICES, THREADS>>>(in, out, rows, cols, count);
}

EXERCISE(launch_transpose)
