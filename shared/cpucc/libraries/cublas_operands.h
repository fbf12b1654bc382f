/* Declares what the files of cuBLAS share: the handle, and checks of operands. */
#ifndef CPUCC_CUBLAS_OPERANDS_H
#define CPUCC_CUBLAS_OPERANDS_H

#include "../api/api.h"
#include "../include/cublas_api.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
};

/* Whether a matrix of this shape (as stored) lies in allocated memory; prints a message if not. */
bool cpucc_cublas_valid(const char *call, const void *p, int rows, int cols, int pitch,
                        size_t bytes);
void cpucc_cublas_written(void *p, int rows, int cols, int pitch, size_t bytes); /* notes a write */
static inline bool transposed(cublasOperation_t op) { return op != CUBLAS_OP_N; }

#endif
