/*
 * copy5_runs: eight elements a thread, and still coalesced.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Here each thread copies eight elements in a row, as one would split work among the cores of a
 * CPU. On a GPU it is what a warp does at one time that counts: its 32 threads are 8 elements
 * apart, and each request touches 32 sectors. Give each thread eight other elements, so that no
 * request touches more than four.
 *
 * Look first at the addresses of threads 0, 1 and 2 in the first turn of the loop.
 *
 * Done when requests touch at most 4 sectors, with as many blocks, threads and requests as now.
 */
// operation: copy
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: global_load requests == 2048
// goal: global_store requests == 2048
// goal: blocks <= 32
// goal: blocks >= 32
// goal: threads_per_block == 256
#include "exercises/exercise.h"

constexpr int ELEMENTS = 8;

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
