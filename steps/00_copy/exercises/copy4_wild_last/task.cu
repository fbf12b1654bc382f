/*
 * copy4_wild_last: a bug in the wild: right on every size that was tried.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. This copy was tried at 256 x 256, at
 * 1024 x 1024 and at 4096 x 4096, and every element was right. It is wrong all the same. Mend it,
 * with no more requests than now.
 *
 * Look first for the sizes at which the mistake does nothing. What do those that were tried have
 * in common?
 *
 * Done when every size is right and no thread reads or writes past the end.
 */
// operation: copy
// goal: verified
// goal: global_load requests <= 2048
// goal: global_store requests <= 2048
// goal: global_load work <= 8192
// goal: global_store work <= 8192
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i > count)
        return;
    out[i] = in[i];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / 256 + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
