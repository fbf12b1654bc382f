// refused: the loads of line 9 touch 32 sectors a request; 4 is possible
// Each thread its own run of blocks: right, but strided.
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)threadIdx.x * gridDim.x + blockIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / 256 + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
