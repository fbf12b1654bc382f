/*
 * Verification: every element of the output, bit by bit, on the device.
 *
 * The input holds at each place a value worked out from that place, so that an element that ends
 * up in a wrong place shows. The output and the guard bands before and after it are filled with a
 * poison that no input holds, so that an element nobody wrote and a write outside both show.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "hooks.h"
#include <stdint.h>

#define POISON 0xffc0ffeeu /* a NaN; inputs are positive normal numbers */
enum { GUARD = 1 << 16 };  /* floats in each guard band; keeps the output aligned to 256 bytes */

typedef struct {
    int rows, cols;  /* of the input */
    float *in, *out; /* device memory, rows * cols floats each; guard bands around out */
} Buffers;

typedef struct {
    unsigned long long wrong, first;              /* elements that differ; lowest index of them */
    unsigned long long outside_wrong, outside_at; /* the same for the guard bands */
    unsigned long long input_wrong, input_first;  /* and for the input itself */
} Difference;

/* The bits of the input at a place: an integer hash, made a positive normal float (exponents
 * 2^-31 to 2^32), so that arithmetic libraries copy it unchanged. */
static __host__ __device__ __forceinline__ uint32_t input_bits(uint64_t place)
{
    uint64_t h = (place + 1) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
    return 0x30000000u | (uint32_t)(h >> 35);
}

/* The place in the input that output index i must come from. */
static __host__ __device__ __forceinline__ uint64_t source_place(uint64_t i, Operation operation,
                                                                 int rows, int cols)
{
    return operation == COPY ? i : i % rows * cols + i / rows;
}

static __device__ __forceinline__ uint64_t first_index(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t index_stride(void)
{
    return (uint64_t)gridDim.x * blockDim.x;
}

static __global__ void fill_input(float *in, uint64_t count)
{
    for (uint64_t i = first_index(); i < count; i += index_stride())
        ((uint32_t *)in)[i] = input_bits(i);
}

static __global__ void fill_poison(float *memory, uint64_t count)
{
    for (uint64_t i = first_index(); i < count; i += index_stride())
        ((uint32_t *)memory)[i] = POISON;
}

static __global__ void compare(const float *out, Operation operation, int rows, int cols,
                               unsigned long long *wrong, unsigned long long *first)
{
    unsigned long long mine = 0, lowest = ~0ull;
    uint64_t count = (uint64_t)rows * cols;
    for (uint64_t i = first_index(); i < count; i += index_stride())
        if (((const uint32_t *)out)[i] != input_bits(source_place(i, operation, rows, cols))) {
            mine++;
            lowest = i < lowest ? i : lowest;
        }
    if (mine) {
        atomicAdd(wrong, mine);
        atomicMin(first, lowest);
    }
}

/* Both guard bands; a place is counted from the start of the first band. */
static __global__ void compare_guards(const float *guards, uint64_t count,
                                      unsigned long long *wrong, unsigned long long *first)
{
    for (uint64_t i = first_index(); i < 2 * GUARD; i += index_stride()) {
        uint64_t place = i < GUARD ? i : i + count;
        if (((const uint32_t *)guards)[place] != POISON) {
            atomicAdd(wrong, 1ull);
            atomicMin(first, (unsigned long long)place);
        }
    }
}

enum { CHECK_BLOCKS = 132 * 16, CHECK_THREADS = 256 };

/* Blocks for a kernel above that visits `count` places: no more than have something to do. */
static inline unsigned check_blocks(uint64_t count)
{
    uint64_t blocks = (count - 1) / CHECK_THREADS + 1;
    return blocks < CHECK_BLOCKS ? (unsigned)blocks : (unsigned)CHECK_BLOCKS;
}

static inline Buffers allocate_buffers(int rows, int cols)
{
    Buffers buffers = {rows, cols, NULL, NULL};
    uint64_t count = (uint64_t)rows * cols;
    float *guarded = NULL;
    CUDA_CHECK(cudaMalloc((void **)&buffers.in, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&guarded, (count + 2 * GUARD) * sizeof(float)));
    buffers.out = guarded + GUARD;
    fill_input<<<check_blocks(count), CHECK_THREADS>>>(buffers.in, count);
    CUDA_CHECK(cudaGetLastError());
    return buffers;
}

static inline void free_buffers(Buffers *buffers)
{
    CUDA_CHECK(cudaFree(buffers->in));
    CUDA_CHECK(cudaFree(buffers->out - GUARD));
}

/* Prepares one variant for this matrix, runs it on a poisoned output and finds what differs from
 * what the operation demands. A CUDA error ends the program. */
static inline Difference run_and_compare(const Variant *variant, Operation operation,
                                         const Buffers *buffers)
{
    if (variant->prepare)
        variant->prepare(buffers->in, buffers->out, buffers->rows, buffers->cols);
    uint64_t count = (uint64_t)buffers->rows * buffers->cols;
    Difference difference = {0, ~0ull, 0, ~0ull, 0, ~0ull}, *result;
    CUDA_CHECK(cudaMalloc((void **)&result, sizeof *result));
    CUDA_CHECK(cudaMemcpy(result, &difference, sizeof difference, cudaMemcpyHostToDevice));
    fill_poison<<<check_blocks(count + 2 * GUARD), CHECK_THREADS>>>(buffers->out - GUARD,
                                                                    count + 2 * GUARD);
    CUDA_CHECK(cudaGetLastError());

    hook_before_launch();
    variant->launch(buffers->in, buffers->out, buffers->rows, buffers->cols);
    hook_after_launch();
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        fprintf(stderr, "%s: the launch failed\n", variant->name);
    CUDA_CHECK(error);

    unsigned blocks = check_blocks(count);
    compare<<<blocks, CHECK_THREADS>>>(buffers->out, operation, buffers->rows, buffers->cols,
                                       &result->wrong, &result->first);
    compare<<<blocks, CHECK_THREADS>>>(buffers->in, COPY, buffers->rows, buffers->cols,
                                       &result->input_wrong, &result->input_first);
    compare_guards<<<check_blocks(2 * GUARD), CHECK_THREADS>>>(
        buffers->out - GUARD, count, &result->outside_wrong, &result->outside_at);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&difference, result, sizeof difference, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(result));
    if (difference.input_wrong) {
        fill_input<<<check_blocks(count), CHECK_THREADS>>>(buffers->in, count);
        CUDA_CHECK(cudaGetLastError());
    }
    return difference;
}

/* Prints what is wrong, on standard error: how many elements, and the first of them. */
static inline void report_difference(const char *name, const Difference *difference,
                                     Operation operation, const Buffers *buffers)
{
    uint64_t count = (uint64_t)buffers->rows * buffers->cols;
    if (difference->wrong) {
        uint64_t i = difference->first, width = operation == COPY ? buffers->cols : buffers->rows;
        uint32_t expected = input_bits(source_place(i, operation, buffers->rows, buffers->cols));
        uint32_t actual = 0;
        CUDA_CHECK(cudaMemcpy(&actual, buffers->out + i, sizeof actual, cudaMemcpyDeviceToHost));
        fprintf(stderr, "%s: %llu of %llu elements differ; the first is row %llu, column %llu: ",
                name, difference->wrong, (unsigned long long)count,
                (unsigned long long)(i / width), (unsigned long long)(i % width));
        if (actual == POISON)
            fprintf(stderr, "expected 0x%08x, untouched\n", expected);
        else
            fprintf(stderr, "expected 0x%08x, actual 0x%08x\n", expected, actual);
    }
    if (difference->outside_wrong) {
        long long at = (long long)difference->outside_at - GUARD;
        fprintf(stderr, "%s: %llu elements were written outside the matrix; the first is %lld %s\n",
                name, difference->outside_wrong, at < 0 ? -at : at - (long long)count + 1,
                at < 0 ? "before its start" : "past its end");
    }
    if (difference->input_wrong)
        fprintf(stderr, "%s: %llu elements of the input were overwritten; the first is index "
                "%llu\n",
                name, difference->input_wrong, difference->input_first);
}

/* Runs and compares one variant: 1 if every bit is right, else 0 and a report. */
static inline int verify(const Variant *variant, Operation operation, const Buffers *buffers)
{
    Difference difference = run_and_compare(variant, operation, buffers);
    report_difference(variant->name, &difference, operation, buffers);
    return !difference.wrong && !difference.outside_wrong && !difference.input_wrong;
}

#endif
