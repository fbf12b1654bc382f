/*
 * The operations of cuBLAS on vectors, and geam: each reads and writes each element once. Copies of
 * vectors and matrices between host and device.
 */
#include <math.h>
#include <stdlib.h>
#include "cublas_operands.h"

/* ---- geam, axpy, dot, scal, copy ---- */

static bool vector(const char *call, const void *p, int n, int step, size_t bytes)
{
    size_t stride = (size_t)llabs((long long)step);
    return n < 1 || cpucc_cublas_valid(call, p, (size_t)(n - 1) * stride + 1, 1, 1, bytes);
}
static size_t element(int i, int n, int step)
{
    return (size_t)((long long)(step < 0 ? i - (n - 1) : i) * step);
}

/* Ends a call with an error unless both vectors lie in allocated memory. */
#define NEED_VECTORS(call, T)                                                                      \
    do {                                                                                           \
        if (!vector(call, x, n, sx, sizeof(T)) || !vector(call, y, n, sy, sizeof(T)))              \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
    } while (0)
#define SIMPLE(letter, T)                                                                          \
    cublasStatus_t cublas##letter##geam(                                                           \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,                \
        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc)    \
    {                                                                                              \
        NEED_SCALAR(h, alpha);                                                                     \
        NEED_SCALAR(h, beta);                                                                      \
        if (m < 0 || n < 0 || lda < (transposed(ta) ? n : m) || ldb < (transposed(tb) ? n : m) ||  \
            ldc < m)                                                                               \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        bool with_a = *alpha != 0, with_b = *beta != 0;                                            \
        const char *call = "cublas" #letter "geam";                                                \
        int am = transposed(ta) ? n : m, bm = transposed(tb) ? n : m;                              \
        if ((with_a && !cpucc_cublas_valid(call, A, (size_t)am, (size_t)(m + n - am), (size_t)lda, \
                                           sizeof(T))) ||                                          \
            (with_b && !cpucc_cublas_valid(call, B, (size_t)bm, (size_t)(m + n - bm), (size_t)ldb, \
                                           sizeof(T))) ||                                          \
            !cpucc_cublas_valid(call, C, (size_t)m, (size_t)n, (size_t)ldc, sizeof(T)))            \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
        for (size_t j = 0; j < (size_t)n; j++)                                                     \
            for (size_t i = 0; i < (size_t)m; i++) {                                               \
                T a = with_a ? A[transposed(ta) ? i * (size_t)lda + j : j * (size_t)lda + i] : 0;  \
                T b = with_b ? B[transposed(tb) ? i * (size_t)ldb + j : j * (size_t)ldb + i] : 0;  \
                C[j * (size_t)ldc + i] = (with_a ? *alpha * a : 0) + (with_b ? *beta * b : 0);     \
            }                                                                                      \
        cpucc_cublas_written(C, m, n, ldc, sizeof(T));                                             \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t h, int n, const T *alpha, const T *x,    \
                                           int sx, T *y, int sy)                                   \
    {                                                                                              \
        NEED_SCALAR(h, alpha);                                                                     \
        NEED_VECTORS("cublas" #letter "axpy", T);                                                  \
        for (int i = 0; i < n; i++)                                                                \
            y[element(i, n, sy)] += *alpha * x[element(i, n, sx)];                                 \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##letter##scal_v2(cublasHandle_t h, int n, const T *alpha, T *x, int sx)  \
    {                                                                                              \
        NEED_SCALAR(h, alpha);                                                                     \
        if (!vector("cublas" #letter "scal", x, n, sx, sizeof(T)))                                 \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
        for (int i = 0; i < n && sx > 0; i++)                                                      \
            x[element(i, n, sx)] *= *alpha;                                                        \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##letter##dot_v2(cublasHandle_t h, int n, const T *x, int sx, const T *y, \
                                          int sy, T *result)                                       \
    {                                                                                              \
        NEED_SCALAR(h, result);                                                                    \
        NEED_VECTORS("cublas" #letter "dot", T);                                                   \
        double sum = 0;                                                                            \
        for (int i = 0; i < n; i++)                                                                \
            sum += (double)x[element(i, n, sx)] * y[element(i, n, sy)];                            \
        *result = (T)sum;                                                                          \
        if (h->pointers == CUBLAS_POINTER_MODE_DEVICE)                                             \
            cpucc_mark_written((uintptr_t)result, sizeof *result);                                 \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SIMPLE(S, float)
SIMPLE(D, double)

/* ---- norms, sums, largest elements, copies, triangular systems ---- */

enum vector_value { NORM, SUM, LARGEST, SMALLEST };

/* Returns the norm or the sum of |x[i]|, or the number from 1 of the first element of largest or smallest
 * |x[i]|. */
static double reduce_vector(enum vector_value what, const void *x, int n, int sx, bool wide)
{
    double sum = 0, best = 0;
    int at = 0;
    for (int i = 0; i < n && sx > 0; i++) {
        size_t k = element(i, n, sx);
        double v = fabs(wide ? ((const double *)x)[k] : ((const float *)x)[k]);
        sum += what == NORM ? v * v : v;
        if (!at || (what == LARGEST ? v > best : v < best))
            best = v, at = i + 1;
    }
    return what == NORM ? sqrt(sum) : what == SUM ? sum : at;
}

#define REDUCTION(name, what, T, R)                                                                \
    cublasStatus_t name##_v2(cublasHandle_t h, int n, const T *x, int sx, R *result)               \
    {                                                                                              \
        NEED_SCALAR(h, result);                                                                    \
        if (!vector(#name, x, n, sx, sizeof(T)))                                                   \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
        *result = (R)reduce_vector(what, x, n, sx, sizeof(T) == 8);                                \
        if (h->pointers == CUBLAS_POINTER_MODE_DEVICE)                                             \
            cpucc_mark_written((uintptr_t)result, sizeof *result);                                 \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
/* Solves op(A) X = alpha B, or X op(A) = alpha B as the transposed system; X replaces B. */
#define MOVES(letter, T)                                                                           \
    static void exchange_##T(T *x, T *y, int n, int sx, int sy, bool both)                         \
    {                                                                                              \
        for (int i = 0; i < n; i++) {                                                              \
            T *a = &x[element(i, n, sx)], *b = &y[element(i, n, sy)], was = *b;                    \
            *b = *a;                                                                               \
            *a = both ? was : *a;                                                                  \
        }                                                                                          \
    }                                                                                              \
    cublasStatus_t cublas##letter##copy_v2(cublasHandle_t h, int n, const T *x, int sx, T *y,      \
                                           int sy)                                                 \
    {                                                                                              \
        NEED_BLAS(h);                                                                              \
        NEED_VECTORS("cublas" #letter "copy", T);                                                  \
        exchange_##T((T *)x, y, n, sx, sy, false);                                                 \
        for (int i = 0; i < n; i++)                                                                \
            cpucc_mark_written((uintptr_t)&y[element(i, n, sy)], sizeof(T));                       \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##letter##swap_v2(cublasHandle_t h, int n, T *x, int sx, T *y, int sy)    \
    {                                                                                              \
        NEED_BLAS(h);                                                                              \
        NEED_VECTORS("cublas" #letter "swap", T);                                                  \
        exchange_##T(x, y, n, sx, sy, true);                                                       \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t h, cublasSideMode_t side,                \
                                           cublasFillMode_t fill, cublasOperation_t op,            \
                                           cublasDiagType_t diagonal, int m, int n,                \
                                           const T *alpha, const T *A, int lda, T *B, int ldb)     \
    {                                                                                              \
        bool left = side == CUBLAS_SIDE_LEFT, flip = transposed(op) == left;                       \
        bool lower = (fill == CUBLAS_FILL_MODE_LOWER) != flip;                                     \
        size_t order = (size_t)(left ? m : n), systems = (size_t)(left ? n : m);                   \
        size_t next = left ? 1 : (size_t)ldb, system = left ? (size_t)ldb : 1;                     \
        NEED_SCALAR(h, alpha);                                                                     \
        if (m < 0 || n < 0 || lda < (int)order || ldb < m)                                         \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        if (!cpucc_cublas_valid("cublas" #letter "trsm", A, order, order, (size_t)lda,             \
                                sizeof(T)) ||                                                      \
            !cpucc_cublas_valid("cublas" #letter "trsm", B, (size_t)m, (size_t)n, (size_t)ldb,     \
                                sizeof(T)))                                                        \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
        for (size_t s = 0; s < systems; s++)                                                       \
            for (size_t done = 0; done < order; done++) {                                          \
                size_t i = lower ? done : order - 1 - done;                                        \
                T *x = B + s * system;                                                             \
                double sum = (double)*alpha * x[i * next];                                         \
                for (size_t k = 0; k < done; k++) {                                                \
                    size_t j = lower ? k : order - 1 - k;                                          \
                    sum -=                                                                         \
                        (double)A[flip ? i * (size_t)lda + j : j * (size_t)lda + i] * x[j * next]; \
                }                                                                                  \
                x[i * next] = (T)(diagonal ? sum : sum / A[i * (size_t)lda + i]);                  \
            }                                                                                      \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
#define VECTORS(letter, small, T)                                                                  \
    REDUCTION(cublas##letter##nrm2, NORM, T, T)                                                    \
    REDUCTION(cublas##letter##asum, SUM, T, T)                                                     \
    REDUCTION(cublasI##small##amax, LARGEST, T, int)                                               \
    REDUCTION(cublasI##small##amin, SMALLEST, T, int)                                              \
    MOVES(letter, T)
VECTORS(S, s, float)
VECTORS(D, d, double)

/* ---- vectors and matrices between host and device ---- */

static cublasStatus_t matrix(int m, int n, int size, const void *A, int lda, void *B, int ldb,
                             cudaMemcpyKind kind)
{
    size_t b = (size_t)size;
    if (m < 0 || n < 0 || size < 1 || lda < 1 || ldb < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    cudaError_t e =
        cudaMemcpy2D(B, (size_t)ldb * b, A, (size_t)lda * b, (size_t)m * b, (size_t)n, kind);
    return e ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetVector(int n, int size, const void *x, int sx, void *y, int sy)
{
    return matrix(1, n, size, x, sx, y, sy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int size, const void *x, int sx, void *y, int sy)
{
    return matrix(1, n, size, x, sx, y, sy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int m, int n, int size, const void *A, int lda, void *B, int ldb)
{
    return matrix(m, n, size, A, lda, B, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int m, int n, int size, const void *A, int lda, void *B, int ldb)
{
    return matrix(m, n, size, A, lda, B, ldb, cudaMemcpyDeviceToHost);
}
