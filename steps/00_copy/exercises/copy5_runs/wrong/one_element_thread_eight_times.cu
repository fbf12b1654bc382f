// refused: the grid has 256 blocks; the goal is at most 32
// One element a thread and eight times the blocks.
#include "exercises/exercise.h"

constexpr int ELEMENTS = 1;

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ELEMENTS;
    for (int e = 0; e < ELEMENTS; e++) {
        size_t i = first + e;
        if (i < count)
            out[i] = in[i];
    }
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / (256 * ELEMENTS) + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
