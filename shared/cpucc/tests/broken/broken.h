/*
 * What the broken kernels share: a rows x cols matrix whose elements tell their places, an output
 * of -1, and a check of the result against the transpose (or the copy) on the host.
 *
 * Each file says what must be found and where: a comment `FAULT: kind` (its word in kinds.h) on the
 * line that must be reported, or on a line of its own above it, or `REMARK: kind`; or `VERIFY` anywhere if only the
 * result is wrong, or `REFUSED` if the tensor map is.
 */
#ifndef BROKEN_H
#define BROKEN_H

#include "harness/harness.h"
#include <cuda_pipeline.h>

enum { T = 32 }; /* tile */

typedef void (*Run)(const float *in, float *out, int rows, int cols);

static inline int check(Run run, int rows, int cols, Operation operation)
{
    int count = rows * cols, wrong = 0;
    float *host = (float *)malloc(count * sizeof(float)), *in, *out;
    for (int i = 0; i < count; i++)
        host[i] = (float)i;
    cudaMalloc((void **)&in, count * sizeof(float));
    cudaMalloc((void **)&out, count * sizeof(float));
    cudaMemcpy(in, host, count * sizeof(float), cudaMemcpyHostToDevice);
    for (int i = 0; i < count; i++)
        host[i] = -1;
    cudaMemcpy(out, host, count * sizeof(float), cudaMemcpyHostToDevice);
    run(in, out, rows, cols);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaMemcpy(host, out, count * sizeof(float), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            float got = host[operation == COPY ? r * cols + c : c * rows + r];
            if (got != (float)(r * cols + c) && !wrong++)
                printf("wrong: element (%d,%d) is %g\n", r, c, (double)got);
        }
    return wrong != 0;
}

#endif
