/*
 * copy2_tail: copy the last elements too.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Each thread copies four floats at once, as one float4. That is right whenever the number of
 * elements is a multiple of four; otherwise one, two or three elements are left at the end. Copy
 * them too, without reading or writing past the end.
 *
 * Look first at what the checker says about the size 257 x 259, which has 66563 elements.
 *
 * Done when every size is right, and all but the end is still copied by 16 bytes a thread: at 257 x
 * 259, which leaves three elements, by at most 523 requests each way.
 */
// operation: copy
// counted: 257 x 259
// goal: verified
// goal: global_load requests <= 523
// goal: global_store requests <= 523
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / (4 * 256) + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
