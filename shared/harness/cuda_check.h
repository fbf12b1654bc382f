/*
 * Defines the exit statuses of all programs, and CUDA_CHECK(call) for every call of the CUDA run time:
 * if the call fails, prints file, line, call and message on standard error and ends with EXIT_FAULT.
 */
#ifndef CUDA_CHECK_H
#define CUDA_CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum ExitStatus {
    EXIT_OK = 0,       /* everything that ran was verified */
    EXIT_FAULT = 1,    /* a verification or a CUDA call failed */
    EXIT_USAGE = 2,    /* the command line, or a path in it, is wrong */
    EXIT_NO_DEVICE = 3 /* no usable device, too little memory, or a variant that it cannot run */
};

static inline void cuda_check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
            cudaGetErrorName(error));
    exit(EXIT_FAULT);
}

#define CUDA_CHECK(call) cuda_check((call), #call, __FILE__, __LINE__)

#endif
