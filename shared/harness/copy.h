/*
 * The fastest copy kernel known, with which every program compares itself.
 *
 * One 16-byte vector a thread, 320 threads a block. The loads ask L2 to keep their lines longer
 * than those written (evict_last): on an H200 that makes a copy with 256 threads a block 1.8 %
 * faster, and this one is 1.6 % faster than cudaMemcpy; the benchmark copy_search.cu tries other
 * ways. Below compute capability 8.0 there are no such policies, and this is the plain kernel.
 */
#ifndef COPY_H
#define COPY_H

#include "ptx.h"

enum { COPY_THREADS = 320 };

/* Copies `count` floats; both pointers are aligned to 16 bytes. A count that is not a multiple of
 * four leaves up to three elements, which the first threads copy. */
static __global__ void fastest_copy(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count / 4)
        ((float4 *)out)[i] = load_with_policy((const float4 *)in + i, l2_evict_last());
    if (i < count % 4)
        out[count / 4 * 4 + i] = in[count / 4 * 4 + i];
}

/* A Launch of variant.h: copies rows x cols floats. Bytes move as they lie, so a copy of any shape
 * is linear. */
static inline void launch_fastest_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    fastest_copy<<<(unsigned)(count / 4 / COPY_THREADS + 1), COPY_THREADS>>>(in, out, count);
}

#endif
