// refused: elements of the output are wrong|nobody wrote
// The rest, from a wrong start.
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
    if (i < count % 4)
        out[count / 4 + i] = in[count / 4 + i];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / (4 * 256) + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
