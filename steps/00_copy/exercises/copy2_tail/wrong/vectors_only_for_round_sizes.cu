// refused: the kernel makes 20[0-9]* requests for loads .*the goal is at most 523
// Single floats for the whole of a matrix that is no multiple of four.
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (count % 4 == 0 && i < count / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
    if (count % 4 != 0)
        for (; i < count; i += (size_t)gridDim.x * blockDim.x)
            out[i] = in[i];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / (4 * 256) + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
