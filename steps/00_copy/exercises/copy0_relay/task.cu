/*
 * copy0_relay: fill in what a block must do before its threads read each other's elements.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A block loads 256 floats into shared memory. Then each thread stores a float that another thread
 * has loaded: thread 0 the last one, thread 255 the first one. One statement is missing between the
 * two.
 *
 * Look first at thread 0: which thread loads the float that it stores, and which warp is that
 * thread in?
 *
 * Done when the copy is right, elements pass from warp to warp, and no thread reads one too early.
 */
// operation: copy
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_load ideal >= 2048
// goal: shared_store ideal >= 2048
// goal: across_warps >= 40
#include "exercises/exercise.h"

constexpr int THREADS = 256;

__global__ void copy(const float *in, float *out, size_t count)
{
    __shared__ float piece[THREADS];

    size_t first = (size_t)blockIdx.x * THREADS;
    if (first + threadIdx.x < count)
        piece[threadIdx.x] = in[first + threadIdx.x];
    ___;

    int other = THREADS - 1 - threadIdx.x;
    if (first + other < count)
        out[first + other] = piece[other];
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / THREADS + 1), THREADS>>>(in, out, count);
}

EXERCISE(launch_copy)
