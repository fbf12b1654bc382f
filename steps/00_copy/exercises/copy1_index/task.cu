/*
 * copy1_index: fill in the index that a thread copies.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Each thread copies one float. Fill in which one, so that neighbouring threads copy neighbouring
 * floats: then the 32 threads of a warp move 128 bytes that lie together, in 4 sectors of 32 bytes.
 *
 * Look first at the launch: how many threads has a block, and how many blocks are there?
 *
 * Done when the copy is right and 32 floats take no more than 4 sectors.
 */
// operation: copy
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = ___;
    if (i < count)
        out[i] = in[i];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / 256 + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
