/*
 * Verifies a variant: compares every element of the output bit by bit on the device.
 *
 * Each element of the input holds a value computed from its position, which reveals elements in wrong
 * positions. The output, the gaps between its rows and the guard bands around it are filled with a
 * poison that no input holds, which reveals elements that were not written and writes outside the
 * matrix. Elements of 1 and 2 bytes have too few values for that, so they are verified in two turns,
 * with different values and poisons.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "hooks.h"
#include <stdint.h>

enum { GUARD = 1 << 16 }; /* floats in each guard band; keeps the output aligned to 256 bytes */

/* The poison of each turn: a NaN, while inputs are positive normal numbers. Elements of 1 and 2
 * bytes hold its lowest bytes. */
static const uint32_t poisons[] = {0xffc0ffeeu, 0xffdaadbeu};

typedef struct {
    int rows,
        cols; /* shape of a float matrix with as many bytes as the problem: the ceiling's copy */
    float *in, *out; /* device memory; guard bands lie around `out` */
    Problem problem;
    uint64_t in_count, out_count; /* elements from the first to the last, gaps included */
} Buffers;

/* The result of a comparison: how many elements differ, and the lowest index among them. */
typedef struct {
    unsigned long long wrong, first;              /* in the output */
    unsigned long long gap_wrong, gap_first;      /* in the gaps between output rows */
    unsigned long long outside_wrong, outside_at; /* in the guard bands */
    unsigned long long input_wrong, input_first;  /* in the input */
} Difference;

/* Returns the bits of the input element at a position: an integer hash as a positive normal float
 * (2^-31 to 2^32), which arithmetic libraries copy unchanged. */
static __host__ __device__ __forceinline__ uint32_t input_bits(uint64_t place)
{
    uint64_t h = (place + 1) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
    return 0x30000000u | (uint32_t)(h >> 35);
}

/* Returns word `word` of an input element of `bytes` bytes; an element below 4 bytes is the low part
 * of one word. Each word is a float like those of input_bits(); an element of 2 bytes is a positive normal
 * number both as half and as bfloat16. */
static __host__ __device__ __forceinline__ uint32_t element_bits(uint64_t place, int word,
                                                                 int bytes, int turn)
{
    uint32_t bits = input_bits(place + ((uint64_t)word << 48) + ((uint64_t)turn << 52));
    return bytes == 1 ? bits & 0x7f : bytes == 2 ? (bits & 0xfff) | 0x3000 : bits;
}

/* Reads word `word` of element i from memory. */
static __device__ __forceinline__ uint32_t element_word(const void *memory, uint64_t i, int word,
                                                        int bytes)
{
    return bytes == 1   ? ((const uint8_t *)memory)[i]
           : bytes == 2 ? ((const uint16_t *)memory)[i]
                        : ((const uint32_t *)memory)[i * (bytes / 4) + word];
}

/* Returns a word of a poisoned element. */
static __host__ __device__ __forceinline__ uint32_t poison_word(uint32_t poison, int bytes)
{
    return bytes == 1 ? poison & 0xff : bytes == 2 ? poison & 0xffff : poison;
}

static __device__ __forceinline__ uint64_t first_index(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t index_stride(void)
{
    return (uint64_t)gridDim.x * blockDim.x;
}

static HOOK_UNWATCHED __global__ void fill_input(void *in, uint64_t count, int bytes, int turn)
{
    int words = bytes < 4 ? 1 : bytes / 4;
    for (uint64_t i = first_index(); i < count; i += index_stride())
        for (int w = 0; w < words; w++) {
            uint32_t bits = element_bits(i, w, bytes, turn);
            if (bytes == 1)
                ((uint8_t *)in)[i] = (uint8_t)bits;
            else if (bytes == 2)
                ((uint16_t *)in)[i] = (uint16_t)bits;
            else
                ((uint32_t *)in)[i * words + w] = bits;
        }
}

/* Fills memory of whole words with poison, repeated for elements smaller than a word. */
static HOOK_UNWATCHED __global__ void fill_poison(void *memory, uint64_t words, int bytes,
                                                  uint32_t poison)
{
    poison = bytes == 1   ? (poison & 0xff) * 0x01010101u
             : bytes == 2 ? (poison & 0xffff) * 0x00010001u
                          : poison;
    for (uint64_t i = first_index(); i < words; i += index_stride())
        ((uint32_t *)memory)[i] = poison;
}

/* The numbers of wrong elements and their lowest indices: of elements, of gaps between rows. */
typedef struct {
    unsigned long long wrong[2], lowest[2];
} Mistakes;

/* Compares the thread's elements, of `bytes` bytes, which is a constant for the usual size. */
static __device__ __forceinline__ void compare_elements(const void *memory, uint64_t count,
                                                        Operation operation, const Problem *p,
                                                        int bytes, int turn, uint32_t poison,
                                                        Mistakes *mistakes)
{
    int words = bytes < 4 ? 1 : bytes / 4;
    /* Adding the stride to line and row costs less than a division of 64 bits per element. */
    uint64_t pitch = p->out_pitch, stride = index_stride(), lines = stride / pitch;
    uint64_t line = first_index() / pitch, row = first_index() % pitch, rest = stride % pitch;
    for (uint64_t i = first_index(); i < count; i += stride) {
        uint64_t place = i;
        int gap = 0;
        if (operation == TRANSPOSE) {
            gap = row >= (uint64_t)p->rows;
            place = row * p->in_pitch + line;
            if (p->batches > 1)
                place += line / p->cols * ((uint64_t)p->rows * p->in_pitch - p->cols);
            line += lines + (row + rest >= pitch);
            row += row + rest >= pitch ? rest - pitch : rest;
        }
        for (int w = 0; w < words; w++) {
            uint32_t expected =
                gap ? poison_word(poison, bytes) : element_bits(place, w, bytes, turn);
            if (element_word(memory, i, w, bytes) != expected) {
                mistakes->wrong[gap]++;
                if (i < mistakes->lowest[gap])
                    mistakes->lowest[gap] = i;
                break;
            }
        }
    }
}

/* Compares `count` elements with the result that the operation demands. Adds the number of wrong
 * elements to wrong[0] and lowers wrong[1] to the lowest index among them. For TRANSPOSE, does the same
 * to gap_wrong[] with the elements of the gaps, which must hold poison. COPY compares every element
 * with the input's. */
static HOOK_UNWATCHED __global__ void compare(const void *memory, uint64_t count,
                                              Operation operation, Problem problem, int turn,
                                              uint32_t poison, unsigned long long *wrong,
                                              unsigned long long *gap_wrong)
{
    Mistakes mistakes = {{0, 0}, {~0ull, ~0ull}};
    if (problem.element_bytes == sizeof(float))
        compare_elements(memory, count, operation, &problem, sizeof(float), turn, poison,
                         &mistakes);
    else
        compare_elements(memory, count, operation, &problem, problem.element_bytes, turn, poison,
                         &mistakes);
    unsigned long long *const counts[2] = {wrong, gap_wrong};
    for (int gap = 0; gap < 2; gap++)
        if (mistakes.wrong[gap]) {
            atomicAdd(counts[gap], mistakes.wrong[gap]);
            atomicMin(counts[gap] + 1, mistakes.lowest[gap]);
        }
}

/* Compares the two guard bands, of `guard` elements each, with poison. Adds the number of changed
 * elements to *wrong and lowers *first to the lowest index among them, counted from the start of the
 * first band. */
static HOOK_UNWATCHED __global__ void compare_guards(const void *out, uint64_t count,
                                                     uint64_t guard, int bytes, uint32_t poison,
                                                     unsigned long long *wrong,
                                                     unsigned long long *first)
{
    const char *start = (const char *)out - guard * bytes;
    int words = bytes < 4 ? 1 : bytes / 4;
    for (uint64_t i = first_index(); i < 2 * guard; i += index_stride()) {
        uint64_t place = i < guard ? i : i + count;
        for (int w = 0; w < words; w++)
            if (element_word(start, place, w, bytes) != poison_word(poison, bytes)) {
                atomicAdd(wrong, 1ull);
                atomicMin(first, (unsigned long long)place);
                break;
            }
    }
}

/* Returns the number of blocks with which to launch one of the kernels above for `count` elements. */
static inline unsigned check_blocks(uint64_t count)
{
    uint64_t blocks = (count - 1) / HOOK_CHECK_THREADS + 1;
    return blocks < HOOK_CHECK_BLOCKS ? (unsigned)blocks : (unsigned)HOOK_CHECK_BLOCKS;
}

/* Returns the number of 4-byte words of the output with its guard bands. */
static inline uint64_t guarded_words(const Buffers *buffers)
{
    const char *out = (const char *)buffers->problem.out;
    uint64_t bytes =
        out - (const char *)buffers->out + buffers->out_count * buffers->problem.element_bytes;
    return (bytes + 3) / 4 + 2 * GUARD;
}

static inline void fill_buffers(const Buffers *buffers, int turn)
{
    fill_input<<<check_blocks(buffers->in_count), HOOK_CHECK_THREADS>>>(
        (void *)buffers->problem.in, buffers->in_count, buffers->problem.element_bytes, turn);
    CUDA_CHECK(cudaGetLastError());
    hook_after_fill(buffers->problem.in, buffers->in_count * buffers->problem.element_bytes);
}

/* Allocates the matrices that the options describe and fills the input. */
static inline Buffers allocate_problem(const Options *options)
{
    Buffers buffers = {};
    Problem p = problem_of(options, NULL, NULL);
    buffers.in_count = ((uint64_t)p.batches * p.rows - 1) * p.in_pitch + p.cols;
    buffers.out_count = ((uint64_t)p.batches * p.cols - 1) * p.out_pitch + p.rows;
    buffers.rows = options->rows;
    buffers.cols = options->cols;
    if (!is_packed_float_matrix(options)) { /* for the copies, any shape of so many bytes will do */
        uint64_t floats = (uint64_t)(matrix_bytes(options) / sizeof(float));
        int fits = floats <= INT_MAX;
        buffers.rows = fits ? 1 : (int)(floats >> 16);
        buffers.cols = fits ? (floats ? (int)floats : 1) : 1 << 16;
    }
    size_t offset = (size_t)p.element_bytes * options->offset;
    size_t in_bytes = offset + buffers.in_count * p.element_bytes;
    buffers.problem.out = (void *)offset;
    buffers.problem.element_bytes = p.element_bytes;
    float *guarded = NULL;
    CUDA_CHECK(cudaMalloc((void **)&buffers.in, in_bytes));
    CUDA_CHECK(cudaMalloc((void **)&guarded, guarded_words(&buffers) * sizeof(float)));
    buffers.out = guarded + GUARD;
    buffers.problem = problem_of(options, buffers.in, buffers.out);
    fill_buffers(&buffers, 0);
    return buffers;
}

/* Allocates a packed matrix of floats and its output, and fills the input. */
static inline Buffers allocate_buffers(int rows, int cols)
{
    Options options = {};
    options.rows = rows;
    options.cols = cols;
    options.element_bytes = sizeof(float);
    options.batches = 1;
    return allocate_problem(&options);
}

static inline void free_buffers(Buffers *buffers)
{
    CUDA_CHECK(cudaFree(buffers->in));
    CUDA_CHECK(cudaFree(buffers->out - GUARD));
}

static inline void launch_variant(const Variant *variant, const Buffers *buffers)
{
    if (variant->launch_any)
        variant->launch_any(&buffers->problem);
    else
        variant->launch(buffers->in, buffers->out, buffers->rows, buffers->cols);
}

/* Prepares a variant, runs it once on a poisoned output and returns the result of the comparison. A
 * CUDA error ends the program. */
static inline Difference run_and_compare(const Variant *variant, Operation operation,
                                         const Buffers *buffers, int turn)
{
    const Problem *problem = &buffers->problem;
    int bytes = problem->element_bytes;
    uint32_t poison = poisons[turn];
    if (variant->prepare && turn == 0)
        variant->prepare(buffers->in, buffers->out, buffers->rows, buffers->cols);
    Difference difference = {0, ~0ull, 0, ~0ull, 0, ~0ull, 0, ~0ull}, *result;
    CUDA_CHECK(cudaMalloc((void **)&result, sizeof *result));
    CUDA_CHECK(cudaMemcpy(result, &difference, sizeof difference, cudaMemcpyHostToDevice));
    uint64_t words = guarded_words(buffers);
    fill_poison<<<check_blocks(words), HOOK_CHECK_THREADS>>>(buffers->out - GUARD, words, bytes,
                                                             poison);
    CUDA_CHECK(cudaGetLastError());
    hook_after_fill(buffers->out - GUARD, words * sizeof(float));

    if (turn == 0)
        hook_before_launch(variant->name);
    launch_variant(variant, buffers);
    if (turn == 0)
        hook_after_launch();
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        fprintf(stderr, "%s: the launch failed\n", variant->name);
    CUDA_CHECK(error);

    uint64_t guard = GUARD * sizeof(float) / bytes;
    compare<<<check_blocks(buffers->out_count), HOOK_CHECK_THREADS>>>(
        problem->out, buffers->out_count, operation, *problem, turn, poison, &result->wrong,
        &result->gap_wrong);
    compare<<<check_blocks(buffers->in_count), HOOK_CHECK_THREADS>>>(
        problem->in, buffers->in_count, COPY, *problem, turn, poison, &result->input_wrong,
        &result->input_wrong);
    compare_guards<<<check_blocks(2 * guard), HOOK_CHECK_THREADS>>>(
        problem->out, buffers->out_count, guard, bytes, poison, &result->outside_wrong,
        &result->outside_at);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&difference, result, sizeof difference, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(result));
    if (difference.input_wrong)
        fill_buffers(buffers, turn);
    return difference;
}

/* Prints an element on standard error, as one number. */
static inline void print_element(const uint32_t *words, int bytes)
{
    fprintf(stderr, "0x");
    for (int w = bytes / 4 - 1; w >= 1; w--)
        fprintf(stderr, "%08x", words[w]);
    fprintf(stderr, "%0*x", bytes < 4 ? 2 * bytes : 8, words[0]);
}

/* Prints the first element that differs: position, expected and actual bits. */
static inline void report_first(const Difference *difference, Operation operation,
                                const Buffers *buffers, int turn)
{
    const Problem *p = &buffers->problem;
    int bytes = p->element_bytes, words = bytes < 4 ? 1 : bytes / 4, untouched = 1;
    uint64_t i = difference->first, width = operation == COPY ? p->in_pitch : p->out_pitch;
    uint64_t line = i / width, at = i % width, lines = operation == COPY ? p->rows : p->cols;
    uint64_t place =
        operation == COPY ? i : (line / p->cols * p->rows + at) * p->in_pitch + line % p->cols;
    uint32_t expected[4], actual[4] = {0, 0, 0, 0};
    CUDA_CHECK(cudaMemcpy(actual, (const char *)p->out + i * bytes, bytes, cudaMemcpyDeviceToHost));
    for (int w = 0; w < words; w++) {
        expected[w] = element_bits(place, w, bytes, turn);
        untouched &= actual[w] == poison_word(poisons[turn], bytes);
    }
    fprintf(stderr, "the first is ");
    if (p->batches > 1)
        fprintf(stderr, "matrix %llu, ", (unsigned long long)(line / lines));
    fprintf(stderr, "row %llu, column %llu: expected bits ", (unsigned long long)(line % lines),
            (unsigned long long)at);
    print_element(expected, bytes);
    fprintf(stderr, untouched ? ", untouched\n" : ", actual ");
    if (!untouched) {
        print_element(actual, bytes);
        fputc('\n', stderr);
    }
}

/* Prints a line per kind of error: how many elements, and the first one. */
static inline void report_difference(const char *name, const Difference *difference,
                                     Operation operation, const Buffers *buffers, int turn)
{
    const Problem *p = &buffers->problem;
    if (difference->wrong) {
        fprintf(stderr, "%s: %llu of %llu elements differ; ", name, difference->wrong,
                (unsigned long long)p->batches * p->rows * p->cols);
        report_first(difference, operation, buffers, turn);
    }
    if (difference->gap_wrong)
        fprintf(stderr,
                "%s: %llu elements between the rows were overwritten; the first is %llu past "
                "the end of row %llu\n",
                name, difference->gap_wrong, difference->gap_first % p->out_pitch - p->rows + 1,
                difference->gap_first / p->out_pitch);
    if (difference->outside_wrong) {
        long long at = (long long)difference->outside_at -
                       (long long)(GUARD * sizeof(float) / p->element_bytes);
        fprintf(stderr, "%s: %llu elements were written outside the matrix; the first is %lld %s\n",
                name, difference->outside_wrong,
                at < 0 ? -at : at - (long long)buffers->out_count + 1,
                at < 0 ? "before its start" : "past its end");
    }
    if (difference->input_wrong)
        fprintf(stderr,
                "%s: %llu elements of the input were overwritten; the first is index "
                "%llu\n",
                name, difference->input_wrong, difference->input_first);
}

/* Verifies a variant. Returns 1 if every bit is right, otherwise 0 after a report. */
static inline int verify(const Variant *variant, Operation operation, const Buffers *buffers)
{
    int turns = buffers->problem.element_bytes < 4 ? 2 : 1, good = 1;
    for (int turn = 0; turn < turns && good; turn++) {
        if (turns > 1)
            fill_buffers(buffers, turn);
        Difference d = run_and_compare(variant, operation, buffers, turn);
        report_difference(variant->name, &d, operation, buffers, turn);
        good = !d.wrong && !d.gap_wrong && !d.outside_wrong && !d.input_wrong;
    }
    return good;
}

#endif
