/*
 * What the hosts of kernel_host.py include before a kernel: GPUVerify's annotations as C, and the
 * arguments' values. An annotation that states a fact is checked when the kernel runs; one that
 * speaks of all threads or of a loop's accesses has no meaning in a run and is true.
 */
#include <assert.h>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define __requires(...) __assume(__VA_ARGS__)
#define __requires_fresh_array(...)
#define __ensures(...)
#define __global_invariant(...) ((void)0)
#define __invariant(...) ((void)0)
#define __assert(...) assert((__VA_ARGS__))
#define __global_assert(...) assert((__VA_ARGS__))
#ifdef __CPUCC__
#define LEAVE __trap() /* run.py counts no traps */
#else
#define LEAVE asm volatile("exit;")
#endif
#define __assume(...)                                                                              \
    do                                                                                             \
        if (!(__VA_ARGS__))                                                                        \
            LEAVE;                                                                                 \
    while (0)
#define __implies(a, b) (!(a) || (b))
#define __axiom(...)
#define __all(...) true
#define __enabled() true
#define __uniform_bool(...) true
#define __uniform_int(...) true
#define __distinct_int(...) true
#define __read(...) true
#define __write(...) true
#define __no_read(...) true
#define __no_write(...) true
#define __read_implies(...) true
#define __write_implies(...) true
#define __ptr_offset_bytes(...) 0
#define __non_temporal(x) x

namespace cooperative_groups
{
static inline __device__ void synchronize(thread_block group) { group.sync(); }
static inline __device__ void synchronize(grid_group group) { group.sync(); }
} // namespace cooperative_groups

/* ---- arguments ---- */

enum { BEFORE = 4096 }; /* elements before those that pointers point to */
static int input, block_size;
static size_t array_size;

/* Sets what the values depend on: the number of the input, and the launch's sizes. */
static void start(const char *number, int threads_per_block, size_t threads)
{
    input = atoi(number), block_size = threads_per_block;
    array_size = ((size_t)1 << 19) + 8 * threads;
}

/* Returns the value of this argument, a number, in the present input. */
static inline int number(int argument)
{
    return input == 0 || (input == 2 && argument % 2 == 0) ? block_size : input == 1;
}

/* Gives each pointer of a struct an array. */
static inline void *plain_array(size_t element_bytes);
static inline void fill_pointers(void *structure, size_t bytes)
{
    for (size_t i = 0; i < bytes / 8 && i < 8; i++)
        ((void **)structure)[i] = plain_array(8);
}

/* Returns device memory of zeros with BEFORE elements before it. */
static inline void *plain_array(size_t element_bytes)
{
    char *array;
    if (cudaMalloc((void **)&array, array_size * element_bytes) ||
        cudaMemset(array, 0, array_size * element_bytes))
        exit(2);
    return array + BEFORE * element_bytes;
}

/* Declares a pointer to an array of structs of numbers, all of whose bytes differ from their neighbours. */
#define FILLED_BYTES(type, name)                                                                   \
    type *name = (type *)plain_array(sizeof(type));                                                \
    if (input != 1) {                                                                              \
        unsigned char *values = (unsigned char *)malloc(1 << 18);                                  \
        for (size_t i = 0; i < 1 << 18; i++)                                                       \
            values[i] = (unsigned char)((i * 2654435761u >> 7) % 251);                             \
        if (cudaMemcpy(name, values, 1 << 18, cudaMemcpyHostToDevice))                             \
            exit(2);                                                                               \
        free(values);                                                                              \
    }

/* Declares a pointer to an array of numbers: small ones in input 0 and 2, zeros in input 1. */
#define FILLED_ARRAY(type, name)                                                                   \
    type *name = (type *)plain_array(sizeof(type));                                                \
    if (input != 1) {                                                                              \
        type *values = (type *)calloc(array_size, sizeof(type));                                   \
        for (size_t i = 0; i < array_size; i++)                                                    \
            values[i] = (type)((i * 2654435761u >> 7) % 13);                                       \
        if (cudaMemcpy(name - BEFORE, values, array_size * sizeof(type), cudaMemcpyHostToDevice))  \
            exit(2);                                                                               \
        free(values);                                                                              \
    }
