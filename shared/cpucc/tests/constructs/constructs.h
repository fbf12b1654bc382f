/* For programs that try one construct of CUDA C each: they print what is wrong and end with 1. */
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H

#include <stdio.h>

static int *device; /* 1024 ints */
static int host[1024];
static int failures;

/* Device memory of 1024 ints, all 0. */
static inline int *fresh(void)
{
    if (!device)
        cudaMalloc((void **)&device, sizeof host);
    cudaMemset(device, 0, sizeof host);
    return device;
}

static inline void fetch(void)
{
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e)), failures++;
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
}

static inline void expect(const char *what, long long got, long long wanted)
{
    if (got != wanted)
        printf("%s: %lld instead of %lld\n", what, got, wanted), failures++;
}

/* The condition holds; its text and line say which one does not. */
#define EXPECT(...)                                                                                \
    do {                                                                                           \
        if (!(__VA_ARGS__))                                                                        \
            printf("line %d: %s\n", __LINE__, #__VA_ARGS__), failures++;                           \
    } while (0)

#endif
