// refused: nobody wrote|another thread writes
// Steps of a warp's width, but warps overlap.
#include "exercises/exercise.h"

constexpr int ELEMENTS = 8;

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t first = (size_t)blockIdx.x * blockDim.x * ELEMENTS + threadIdx.x;
    for (int e = 0; e < ELEMENTS; e++) {
        size_t i = first + (size_t)e * 32;
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
