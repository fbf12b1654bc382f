/*
 * What the files of small programs share. Each program is a CASE, run by its name: a correct one
 * must bring no fault, a faulty one the fault that a comment `FAULT: kind` in it names (its word in
 * kinds.h), on that line or on one of its own above it; `REMARK: kind` likewise. A program begins at a line `//// name`.
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
