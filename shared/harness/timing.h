/*
 * Measures contenders, i.e. variants and copies, with CUDA events around back-to-back launches. In each
 * round every contender gives one sample.
 *
 * A contender's time must not depend on the others. Lines that a kernel asked L2 to keep (evict_last)
 * stay after it and slow down or help the next kernels. So before each sample these lines lose that
 * priority, and one untimed launch fills L2 with the contender's own data.
 */
#ifndef TIMING_H
#define TIMING_H

#include "copy.h"
#include "verify.h"

#define SAMPLE_MS 1.0 /* a sample lasts at least this long */

typedef struct {
    const Variant *variant;
    int launches;    /* back-to-back launches in one sample */
    double *samples; /* milliseconds per launch, one per round */
    Time time;
} Contender;

/* Waits for the device, then resets all lines that L2 keeps. Reports a failure once on standard
 * error, but not below compute capability 8.0, where L2 keeps no lines. */
static inline void reset_kept_lines(void)
{
    CUDA_CHECK(cudaDeviceSynchronize());
#if CUDART_VERSION >= 11000
    static int refused;
    if (refused)
        return;
    cudaError_t error = cudaCtxResetPersistingL2Cache();
    if (error == cudaSuccess)
        return;
    refused = 1;
    cudaGetLastError(); /* clears the error */
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    if (device_attribute(cudaDevAttrComputeCapabilityMajor, device) >= 8)
        fprintf(stderr,
                "cudaCtxResetPersistingL2Cache: %s: a figure may depend on what ran before\n",
                cudaGetErrorString(error));
#endif
}

/* Returns the milliseconds per launch of `launches` back-to-back launches, after an untimed one. */
static inline double sample(const Variant *variant, int launches, const Buffers *buffers,
                            cudaEvent_t start, cudaEvent_t stop)
{
    reset_kept_lines();
    launch_variant(variant, buffers);
    CUDA_CHECK(cudaEventRecord(start));
    for (int i = 0; i < launches; i++)
        launch_variant(variant, buffers);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms / launches;
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the q-quantile of sorted values, interpolated linearly. */
static inline double quantile(const double *sorted, int count, double q)
{
    double at = q * (count - 1);
    int below = (int)at;
    int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/* Sorts the samples and returns their median and interquartile range. */
static inline Time summarise(double *samples, int count)
{
    qsort(samples, count, sizeof *samples, by_value);
    Time time = {quantile(samples, count, 0.5),
                 quantile(samples, count, 0.75) - quantile(samples, count, 0.25)};
    return time;
}

/* Measures all contenders, one sample each per round. A warm-up first finds how many launches make a
 * sample. The contenders must be prepared for these buffers. */
static inline void measure(Contender *contenders, int count, int rounds, const Buffers *buffers)
{
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    for (int c = 0; c < count; c++) {
        contenders[c].samples = (double *)calloc(rounds, sizeof(double));
        contenders[c].launches = 1;
        for (;;) {
            double ms = sample(contenders[c].variant, contenders[c].launches, buffers, start, stop);
            if (ms * contenders[c].launches >= 1.2 * SAMPLE_MS) /* 20 % spare for a faster round */
                break;
            contenders[c].launches *= 2;
        }
    }
    for (int round = 0; round < rounds; round++)
        for (int c = 0; c < count; c++)
            contenders[c].samples[round] =
                sample(contenders[c].variant, contenders[c].launches, buffers, start, stop);
    for (int c = 0; c < count; c++) {
        contenders[c].time = summarise(contenders[c].samples, rounds);
        free(contenders[c].samples);
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
}

/* Returns the index of the fastest of the first `count` contenders. */
static inline int fastest(const Contender *contenders, int count)
{
    int best = 0;
    for (int c = 1; c < count; c++)
        if (contenders[c].time.median < contenders[best].time.median)
            best = c;
    return best;
}

/* Indices of the two copies; the faster copy is the ceiling. */
enum { MEMCPY, FASTEST_COPY, COPIES };

static inline void launch_memcpy_async(const float *in, float *out, int rows, int cols)
{
    cudaMemcpyAsync(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice, 0);
}

static const Variant copies[COPIES] = {
    {"cudaMemcpyAsync", launch_memcpy_async, 1, 0},
    {"fastest_copy", launch_fastest_copy, 1, 0},
};

#endif
