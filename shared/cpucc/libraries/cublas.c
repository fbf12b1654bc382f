/*
 * A subset of cuBLAS in plain loops: gemm, gemv, geam, axpy, dot and scal in float and double. gemm
 * also takes 16-bit types with float sums, and cublasGemmEx int8_t with int sums. Matrices are
 * stored by columns. Other calls print their name and return CUBLAS_STATUS_NOT_SUPPORTED. The
 * cuBLAS documentation defines the operands; include/cublas_api.h declares the functions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../core/float_formats.h"
#include "cublas_operands.h"

cublasStatus_t cpucc_cublas_missing(const char *name)
{
    cpucc_unsupported(name);
    cudaGetLastError();
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* ---- handles ---- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *h)
{
    if (!h)
        return CUBLAS_STATUS_INVALID_VALUE;
    cpucc_device_start();
    *h = cpucc_new_handle(BLAS, sizeof **h);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t h)
{
    NEED_BLAS(h);
    return cpucc_end_handle(h), CUBLAS_STATUS_SUCCESS;
}

#define PROPERTY(set, get, T, field)                                                               \
    cublasStatus_t set(cublasHandle_t h, T value)                                                  \
    {                                                                                              \
        NEED_BLAS(h);                                                                              \
        return h->field = value, CUBLAS_STATUS_SUCCESS;                                            \
    }                                                                                              \
    cublasStatus_t get(cublasHandle_t h, T *value)                                                 \
    {                                                                                              \
        NEED_BLAS(h);                                                                              \
        return value ? *value = h->field, CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;     \
    }
PROPERTY(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
PROPERTY(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointers)
PROPERTY(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)
PROPERTY(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics)

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *p, size_t bytes)
{
    NEED_BLAS(h);
    return (void)p, (void)bytes, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t h, int *version)
{
    NEED_BLAS(h);
    return version ? *version = CUBLAS_VERSION, CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

static const struct {
    cublasStatus_t value;
    const char *name, *text;
} statuses[] = {
#define CPUCC_X(name, number, text) {name, #name, text},
    CPUCC_CUBLAS_STATUSES(CPUCC_X)
#undef CPUCC_X
};
#define LOOK_UP(call, member)                                                                      \
    const char *call(cublasStatus_t s)                                                             \
    {                                                                                              \
        for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)                            \
            if (statuses[i].value == s)                                                            \
                return statuses[i].member;                                                         \
        return "unknown";                                                                          \
    }
LOOK_UP(cublasGetStatusName, name)
LOOK_UP(cublasGetStatusString, text)

/* ---- elements ---- */

static size_t bytes_of(cudaDataType t)
{
    switch (t) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_8I: return 1;
    default: return 0;
    }
}

/* Returns element i of an array of this type. */
static double get(const void *p, size_t i, cudaDataType t)
{
    if (t == CUDA_R_64F)
        return ((const double *)p)[i];
    if (t == CUDA_R_32F)
        return ((const float *)p)[i];
    if (t == CUDA_R_32I)
        return ((const int *)p)[i];
    if (t == CUDA_R_8I)
        return ((const signed char *)p)[i];
    uint16_t bits = ((const uint16_t *)p)[i];
    return t == CUDA_R_16F ? cpucc_half_to_float(bits) : cpucc_bf16_to_float(bits);
}

static void put(void *p, size_t i, double v, cudaDataType t)
{
    if (t == CUDA_R_64F)
        ((double *)p)[i] = v;
    else if (t == CUDA_R_32F)
        ((float *)p)[i] = (float)v;
    else if (t == CUDA_R_32I)
        ((int *)p)[i] = (int)(long long)v;
    else
        ((uint16_t *)p)[i] =
            t == CUDA_R_16F ? cpucc_float_to_half((float)v) : cpucc_float_to_bf16((float)v);
}

bool cpucc_cublas_valid(const char *call, const void *p, size_t rows, size_t cols, size_t pitch,
                        size_t bytes)
{
    for (size_t j = 0; rows && j < cols; j++) {
        uintptr_t at = (uintptr_t)p + j * pitch * bytes;
        if (!cpucc_all_allocated(at, rows * bytes)) {
            fprintf(stderr, "cpucc: %s: column %zu of %zu is not in allocated device memory: %s\n",
                    call, j, cols, cpucc_describe_address(at));
            return false;
        }
    }
    return true;
}

void cpucc_cublas_written(void *p, int rows, int cols, int pitch, size_t bytes)
{
    for (int j = 0; j < cols; j++)
        cpucc_mark_written((uintptr_t)p + (size_t)j * (size_t)pitch * bytes, (size_t)rows * bytes);
}

/* ---- gemm ---- */

/* pack_T: returns a copy of op(CPUCC_X), rows x cols, without gaps, as T; NULL if there is no memory. */
#define PACK(T)                                                                                    \
    static T *pack_##T(const void *x, cublasOperation_t op, int rows, int cols, int pitch,         \
                       cudaDataType type)                                                          \
    {                                                                                              \
        T *to = malloc(((size_t)rows * (size_t)cols + 1) * sizeof *to);                            \
        for (size_t j = 0; to && j < (size_t)cols; j++)                                            \
            for (size_t i = 0; i < (size_t)rows; i++)                                              \
                to[j * (size_t)rows + i] = (T)get(                                                 \
                    x, transposed(op) ? i * (size_t)pitch + j : j * (size_t)pitch + i, type);      \
        return to;                                                                                 \
    }                                                                                              \
    /* c = a * b: each column of c is a sum of columns of a times elements of b. */                \
    static void multiply_##T(T *c, const T *a, const T *b, size_t m, size_t n, size_t k)           \
    {                                                                                              \
        memset(c, 0, m *n * sizeof *c);                                                            \
        for (size_t j = 0; j < n; j++)                                                             \
            for (size_t l = 0; l < k; l++) {                                                       \
                const T *column = a + l * m, factor = b[j * k + l];                                \
                T *to = c + j * m;                                                                 \
                for (size_t i = 0; i < m; i++)                                                     \
                    to[i] += column[i] * factor;                                                   \
            }                                                                                      \
    }                                                                                              \
    static bool product_##T(double alpha, double beta, int m, int n, int k, cublasOperation_t ta,  \
                            cublasOperation_t tb, const void *A, cudaDataType at, int lda,         \
                            const void *B, cudaDataType bt, int ldb, void *C, cudaDataType ct,     \
                            int ldc)                                                               \
    {                                                                                              \
        T *a = pack_##T(A, ta, m, k, lda, at), *b = pack_##T(B, tb, k, n, ldb, bt),                \
          *c = malloc(((size_t)m * (size_t)n + 1) * sizeof *c);                                    \
        bool allocated = a && b && c;                                                              \
        if (allocated)                                                                             \
            multiply_##T(c, a, b, (size_t)m, (size_t)n, (size_t)k);                                \
        for (size_t j = 0; allocated && j < (size_t)n; j++)                                        \
            for (size_t i = 0; i < (size_t)m; i++) {                                               \
                size_t at_c = j * (size_t)ldc + i;                                                 \
                T old = beta != 0 ? (T)get(C, at_c, ct) * (T)beta : 0;                             \
                put(C, at_c, c[j * (size_t)m + i] * (T)alpha + old, ct);                           \
            }                                                                                      \
        free(a);                                                                                   \
        free(b);                                                                                   \
        free(c);                                                                                   \
        return allocated;                                                                          \
    }
PACK(float)
PACK(double)

struct gemm {
    const char *call;
    cublasOperation_t ta, tb;
    int m, n, k, lda, ldb, ldc;
    double alpha, beta;
    cudaDataType at, bt, ct;
};

static cublasStatus_t gemm(cublasHandle_t h, const struct gemm *g, const void *A, const void *B,
                           void *C)
{
    NEED_BLAS(h);
    if (cpucc_capturing(h->stream)) {
        fprintf(stderr, "cpucc: %s in a graph is not supported\n", g->call);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    int a_rows = transposed(g->ta) ? g->k : g->m, a_cols = transposed(g->ta) ? g->m : g->k,
        b_rows = transposed(g->tb) ? g->n : g->k, b_cols = transposed(g->tb) ? g->k : g->n;
    if ((unsigned)g->ta > CUBLAS_OP_C || (unsigned)g->tb > CUBLAS_OP_C || g->m < 0 || g->n < 0 ||
        g->k < 0 || g->lda < (a_rows > 1 ? a_rows : 1) || g->ldb < (b_rows > 1 ? b_rows : 1) ||
        g->ldc < (g->m > 1 ? g->m : 1))
        return CUBLAS_STATUS_INVALID_VALUE;
    bool bytes = g->at == CUDA_R_8I;
    if (!bytes_of(g->at) || !bytes_of(g->bt) || !bytes_of(g->ct) || bytes != (g->bt == CUDA_R_8I) ||
        g->at == CUDA_R_32I || g->bt == CUDA_R_32I || g->ct == CUDA_R_8I ||
        (g->ct == CUDA_R_32I && !bytes))
        return cpucc_cublas_missing("cublasGemmEx of this type");
    if (!g->m || !g->n)
        return CUBLAS_STATUS_SUCCESS;
    if (cpucc_lasting_error() ||
        !cpucc_cublas_valid(g->call, A, (size_t)a_rows, (size_t)a_cols, (size_t)g->lda,
                            bytes_of(g->at)) ||
        !cpucc_cublas_valid(g->call, B, (size_t)b_rows, (size_t)b_cols, (size_t)g->ldb,
                            bytes_of(g->bt)) ||
        !cpucc_cublas_valid(g->call, C, (size_t)g->m, (size_t)g->n, (size_t)g->ldc,
                            bytes_of(g->ct)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    /* Sums of int8_t products are exact in double up to 2^53. Sums of the hardware wrap at 2^31. */
    bool wide = g->ct == CUDA_R_64F || g->ct == CUDA_R_32I;
    bool allocated = (wide ? product_double : product_float)(g->alpha, g->beta, g->m, g->n, g->k,
                                                             g->ta, g->tb, A, g->at, g->lda, B,
                                                             g->bt, g->ldb, C, g->ct, g->ldc);
    cpucc_cublas_written(C, g->m, g->n, g->ldc, bytes_of(g->ct));
    return allocated ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

static cublasStatus_t batched(cublasHandle_t h, const struct gemm *g, const char *A, long long sa,
                              const char *B, long long sb, char *C, long long sc, int count)
{
    cublasStatus_t s = CUBLAS_STATUS_SUCCESS;
    for (long long i = 0; i < count && !s; i++)
        s = gemm(h, g, A + i * sa * (long long)bytes_of(g->at),
                 B + i * sb * (long long)bytes_of(g->bt), C + i * sc * (long long)bytes_of(g->ct));
    return s;
}

/* A struct gemm for a call whose operands all have one type. */
#define SAME_TYPE(call, type)                                                                      \
    {                                                                                              \
        call, ta, tb, m, n, k, lda, ldb, ldc, *alpha, *beta, type, type, type                      \
    }
#define GEMM(letter, T, type)                                                                      \
    cublasStatus_t cublas##letter##gemm_v2(                                                        \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,         \
        const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc)    \
    {                                                                                              \
        NEED_SCALAR(h, alpha);                                                                     \
        NEED_SCALAR(h, beta);                                                                      \
        struct gemm g = SAME_TYPE("cublas" #letter "gemm", type);                                  \
        return gemm(h, &g, A, B, C);                                                               \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemmStridedBatched(                                             \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,         \
        const T *alpha, const T *A, int lda, long long sa, const T *B, int ldb, long long sb,      \
        const T *beta, T *C, int ldc, long long sc, int count)                                     \
    {                                                                                              \
        NEED_SCALAR(h, alpha);                                                                     \
        NEED_SCALAR(h, beta);                                                                      \
        struct gemm g = SAME_TYPE("cublas" #letter "gemmStridedBatched", type);                    \
        return batched(h, &g, (const char *)A, sa, (const char *)B, sb, (char *)C, sc, count);     \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemmBatched(                                                    \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,         \
        const T *alpha, const T *const A[], int lda, const T *const B[], int ldb, const T *beta,   \
        T *const C[], int ldc, int count)                                                          \
    {                                                                                              \
        NEED_SCALAR(h, alpha);                                                                     \
        NEED_SCALAR(h, beta);                                                                      \
        struct gemm g = SAME_TYPE("cublas" #letter "gemmBatched", type);                           \
        size_t items = count > 0 ? (size_t)count : 0;                                              \
        if (!cpucc_cublas_valid(g.call, A, items, 1, 1, sizeof *A) ||                              \
            !cpucc_cublas_valid(g.call, B, items, 1, 1, sizeof *B) ||                              \
            !cpucc_cublas_valid(g.call, C, items, 1, 1, sizeof *C))                                \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
        cublasStatus_t s = CUBLAS_STATUS_SUCCESS;                                                  \
        for (int i = 0; i < count && !s; i++)                                                      \
            s = gemm(h, &g, A[i], B[i], C[i]);                                                     \
        return s;                                                                                  \
    }                                                                                              \
    /* y = alpha * op(A) * x + beta * y, as the product of rows: y' = x' * op(A)'. */              \
    cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n,   \
                                           const T *alpha, const T *A, int lda, const T *x,        \
                                           int sx, const T *beta, T *y, int sy)                    \
    {                                                                                              \
        NEED_SCALAR(h, alpha);                                                                     \
        NEED_SCALAR(h, beta);                                                                      \
        struct gemm g = {"cublas" #letter "gemv",                                                  \
                         CUBLAS_OP_N,                                                              \
                         transposed(op) ? CUBLAS_OP_N : CUBLAS_OP_T,                               \
                         1,                                                                        \
                         transposed(op) ? n : m,                                                   \
                         transposed(op) ? m : n,                                                   \
                         sx,                                                                       \
                         lda,                                                                      \
                         sy,                                                                       \
                         *alpha,                                                                   \
                         *beta,                                                                    \
                         type,                                                                     \
                         type,                                                                     \
                         type};                                                                    \
        return gemm(h, &g, x, A, y);                                                               \
    }
GEMM(S, float, CUDA_R_32F)
GEMM(D, double, CUDA_R_64F)

/* Sets g->alpha and g->beta from the arguments, which have the type of the arithmetic. */
static void factors(struct gemm *g, const void *alpha, const void *beta, cublasComputeType_t type)
{
    cudaDataType t =
        type == CUBLAS_COMPUTE_64F || type == CUBLAS_COMPUTE_64F_PEDANTIC   ? CUDA_R_64F
        : type == CUBLAS_COMPUTE_16F || type == CUBLAS_COMPUTE_16F_PEDANTIC ? CUDA_R_16F
        : type == CUBLAS_COMPUTE_32I || type == CUBLAS_COMPUTE_32I_PEDANTIC ? CUDA_R_32I
                                                                            : CUDA_R_32F;
    g->alpha = get(alpha, 0, t), g->beta = get(beta, 0, t);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta,
                                          cublasOperation_t tb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType at,
                                          int lda, long long sa, const void *B, cudaDataType bt,
                                          int ldb, long long sb, const void *beta, void *C,
                                          cudaDataType ct, int ldc, long long sc, int count,
                                          cublasComputeType_t type, cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    NEED_SCALAR(h, alpha);
    NEED_SCALAR(h, beta);
    struct gemm g = {
        "cublasGemmStridedBatchedEx", ta, tb, m, n, k, lda, ldb, ldc, 0, 0, at, bt, ct};
    factors(&g, alpha, beta, type);
    return batched(h, &g, A, sa, B, sb, C, sc, count);
}

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                            int n, int k, const void *alpha, const void *A, cudaDataType at,
                            int lda, const void *B, cudaDataType bt, int ldb, const void *beta,
                            void *C, cudaDataType ct, int ldc, cublasComputeType_t type,
                            cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    NEED_SCALAR(h, alpha);
    NEED_SCALAR(h, beta);
    struct gemm g = {"cublasGemmEx", ta, tb, m, n, k, lda, ldb, ldc, 0, 0, at, bt, ct};
    factors(&g, alpha, beta, type);
    return gemm(h, &g, A, B, C);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                             int n, int k, const float *alpha, const void *A, cudaDataType at,
                             int lda, const void *B, cudaDataType bt, int ldb, const float *beta,
                             void *C, cudaDataType ct, int ldc)
{
    return cublasGemmEx(h, ta, tb, m, n, k, alpha, A, at, lda, B, bt, ldb, beta, C, ct, ldc,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
