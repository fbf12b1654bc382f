/* For programs that try constructs of CUDA C: they print what is wrong, and then end with status 1. */
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H

#include <stdio.h>

static int *device; /* 1024 ints */
static int host[1024];
static int failures;

static struct {
    const char *title;
    void (*run)(void);
} constructs[20];
static int construct_count;

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

#define CONSTRUCT(name)                                                                            \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        constructs[construct_count].title = #name;                                                 \
        constructs[construct_count++].run = name;                                                  \
    }                                                                                              \
    static void name(void)

int main(void)
{
    for (int i = 0; i < construct_count; i++) {
        int before = failures;
        constructs[i].run();
        if (failures > before)
            printf("in %s\n", constructs[i].title);
    }
    return failures != 0;
}

#endif
