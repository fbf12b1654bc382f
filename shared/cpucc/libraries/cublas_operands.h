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

/* Ends a call with an error unless the handle is live. */
#define NEED_BLAS(h)                                                                               \
    do {                                                                                           \
        if (!cpucc_is_live(h, BLAS))                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
    } while (0)

/* The same, and unless a factor or a result is where the handle's pointer mode says. */
#define NEED_SCALAR(h, p)                                                                          \
    do {                                                                                           \
        NEED_BLAS(h);                                                                              \
        if (!(p) || (h->pointers == CUBLAS_POINTER_MODE_DEVICE &&                                  \
                     !cpucc_all_allocated((uintptr_t)(p), 4)))                                     \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
    } while (0)

/* Whether a matrix of this shape (as stored) lies in allocated memory; prints a message if not. */
bool cpucc_cublas_valid(const char *call, const void *p, size_t rows, size_t cols, size_t pitch,
                        size_t bytes);
void cpucc_cublas_written(void *p, int rows, int cols, int pitch, size_t bytes); /* notes a write */
static inline bool transposed(cublasOperation_t op) { return op != CUBLAS_OP_N; }

#endif
