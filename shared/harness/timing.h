/*
 * Timing: CUDA events around back-to-back launches, all contenders taking turns.
 */
#ifndef TIMING_H
#define TIMING_H

#include "verify.h"

#define SAMPLE_MS 1.0 /* a sample lasts at least this long */

typedef struct {
    double median, iqr; /* milliseconds per launch, over rounds */
} Time;

typedef struct {
    const Variant *variant;
    int launches;    /* back-to-back launches in one sample */
    double *samples; /* milliseconds per launch, one a round */
    Time time;
} Contender;

/* Milliseconds per launch, over `launches` back-to-back launches. */
static inline double sample(const Variant *variant, int launches, const Buffers *buffers,
                            cudaEvent_t start, cudaEvent_t stop)
{
    CUDA_CHECK(cudaEventRecord(start));
    for (int i = 0; i < launches; i++)
        variant->launch(buffers->in, buffers->out, buffers->rows, buffers->cols);
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

/* The value below which the fraction q of the sorted values lies, between neighbours linearly. */
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

/* Measures all contenders in turns, round after round, after a warm-up that also finds how many
 * launches make a sample. L2 is left as the launches leave it: warm. */
static inline void measure(Contender *contenders, int count, int rounds, const Buffers *buffers)
{
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    for (int c = 0; c < count; c++) {
        contenders[c].samples = (double *)calloc(rounds, sizeof(double));
        contenders[c].launches = 1;
        sample(contenders[c].variant, 1, buffers, start, stop);
        for (;;) {
            double ms = sample(contenders[c].variant, contenders[c].launches, buffers, start, stop);
            if (ms * contenders[c].launches >= 1.2 * SAMPLE_MS) /* room for a faster round */
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

/* The copy ceiling's two candidates. Bytes move as they lie, so a copy of any shape is linear. */
static __global__ void ceiling_kernel(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
    if (i < count % 4)
        out[count / 4 * 4 + i] = in[count / 4 * 4 + i];
}

static inline void launch_ceiling_kernel(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    ceiling_kernel<<<(unsigned)(count / 4 / 256 + 1), 256>>>(in, out, count);
}

static inline void launch_ceiling_memcpy(const float *in, float *out, int rows, int cols)
{
    cudaMemcpyAsync(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice, 0);
}

static const Variant ceilings[] = {
    {"ceiling", launch_ceiling_memcpy, 1, 0},
    {"ceiling", launch_ceiling_kernel, 1, 0},
};

#endif
