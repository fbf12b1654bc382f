/*
 * copy3_predict: say what a copy that starts one element late costs.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A request is one instruction of one warp; its work is the number of 32-byte sectors that it
 * touches. Here thread i copies element i + 1, and one thread at the end copies element 0: nothing
 * else is wrong with it, but no warp starts at a multiple of 32 bytes any more. Predict for a
 * matrix of 256 x 256 floats and write your numbers over the blanks below. Leave the code as it
 * is.
 *
 * Look first at the first warp: it copies the elements 1 to 32. In which sectors do these lie, if
 * element 0 is the start of one?
 *
 * The last warp of all is different: the thread that would copy the element past the end copies
 * element 0 instead.
 *
 * Done when all predictions are right.
 */
// operation: copy
// predict: global_load requests = ___
// predict: global_load work = ___
// predict: global_store work_per_request = ___
// goal: verified
#include "exercises/exercise.h"

__global__ void copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        size_t element = i + 1 < count ? i + 1 : 0;
        out[element] = in[element];
    }
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / 256 + 1), 256>>>(in, out, count);
}

EXERCISE(launch_copy)
