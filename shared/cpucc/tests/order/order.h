/*
 * What the files of small programs share. Each program is a CASE, run by its name; comments in it and
 * in the code above it declare which faults and remarks it reports (see programs.py).
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>

#if defined(__CUDACC__) && !defined(__clang__)
#pragma nv_diag_suppress static_var_with_dynamic_init /* barriers in shared memory */
#endif

namespace cg = cooperative_groups;

typedef void (*Program)(void);
static struct {
    const char *name;
    Program run;
} programs[200];
static int program_count;

#define CASE(program)                                                                              \
    static void program(void);                                                                     \
    __attribute__((constructor)) static void add_##program(void)                                   \
    {                                                                                              \
        programs[program_count].name = #program;                                                   \
        programs[program_count++].run = program;                                                   \
    }                                                                                              \
    static void program(void)

/* A whole program in the namespace NAME_program; run() gives its status. */
#define PROGRAM(program)                                                                           \
    CASE(program)                                                                                  \
    {                                                                                              \
        if (int status = program##_program::run())                                                 \
            exit(status);                                                                          \
    }

/* n ints of device memory, all 0. */
static inline int *ints(int n)
{
    int *p;
    cudaMalloc((void **)&p, n * sizeof(int));
    cudaMemset(p, 0, n * sizeof(int));
    return p;
}

typedef void (*Run)(const float *in, float *out, int rows, int cols);

/* Runs it on a rows x cols matrix whose elements tell their places; prints the first element of the
 * output that is not its transpose (or its copy), and ends the program with status 1 if there is one. */
static inline void verify(Run run, int rows, int cols, bool transposed)
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
        return;
    cudaMemcpy(host, out, count * sizeof(float), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            float got = host[transposed ? c * rows + r : r * cols + c];
            if (got != (float)(r * cols + c) && !wrong++)
                printf("wrong: element (%d,%d) is %g\n", r, c, (double)got);
        }
    if (wrong)
        exit(1);
}

int main(int count, char **words)
{
    for (int i = 0; i < program_count; i++)
        if (count == 2 && !strcmp(words[1], programs[i].name)) {
            programs[i].run();
            cudaError_t error = cudaDeviceSynchronize();
            if (error)
                printf("%s\n", cudaGetErrorString(error));
            return error != cudaSuccess;
        }
    fprintf(stderr, "usage: %s PROGRAM\n", words[0]);
    return 2;
}

#endif
