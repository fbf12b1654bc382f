/*
 * Declares cuBLAS (names, values and operands: cuBLAS documentation). cublas.c implements it,
 * except for the functions in cublas_missing.h: they print their name and return
 * CUBLAS_STATUS_NOT_SUPPORTED. For C11 and C++17.
 */
#ifndef CPUCC_CUBLAS_API_H
#define CPUCC_CUBLAS_API_H
#define CUBLAS_API_H_ /* programs test for it */

#include "driver_types.h"

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 5
#define CUBLAS_VERSION 120500
#define CUBLASAPI
#define CUBLASWINAPI

/* clang-format off */
#define CPUCC_CUBLAS_STATUSES(CPUCC_X)                                                                   \
    CPUCC_X(CUBLAS_STATUS_SUCCESS, 0, "success")                                                         \
    CPUCC_X(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")                         \
    CPUCC_X(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")                             \
    CPUCC_X(CUBLAS_STATUS_INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function")\
    CPUCC_X(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the function requires a feature absent from the device architecture")\
    CPUCC_X(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed")                     \
    CPUCC_X(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the function failed to launch on the GPU")              \
    CPUCC_X(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")                            \
    CPUCC_X(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the functionality requested is not supported")             \
    CPUCC_X(CUBLAS_STATUS_LICENSE_ERROR, 16, "the functionality requested requires some license")
/* clang-format on */

typedef enum cublasStatus_t {
#define CPUCC_X(name, __number, __text) name = __number,
    CPUCC_CUBLAS_STATUSES(CPUCC_X)
#undef CPUCC_X
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_CONJG } cublasOperation_t;
#define CUBLAS_OP_HERMITAN CUBLAS_OP_C
typedef enum {
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_FILL_MODE_UPPER,
    CUBLAS_FILL_MODE_FULL
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
/* Algorithms 0 to 23 and 100 to 115; the choice has no effect in cpucc. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8,
    CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10,
    CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13,
    CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16,
    CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19,
    CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;
#define CUBLAS_DATA_FLOAT CUDA_R_32F
#define CUBLAS_DATA_DOUBLE CUDA_R_64F
#define CUBLAS_DATA_HALF CUDA_R_16F
#define CUBLAS_DATA_INT8 CUDA_R_8I

typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate_v2(cublasHandle_t *);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream_v2(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t *);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *, size_t bytes);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *);
const char *cublasGetStatusName(cublasStatus_t);
const char *cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int __sx, void *y, int __sy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int __sx, void *y, int __sy);
cublasStatus_t cublasSetMatrix(int __m, int n, int size, const void *_A, int lda, void *_B,
                               int ldb);
cublasStatus_t cublasGetMatrix(int __m, int n, int size, const void *_A, int lda, void *_B,
                               int ldb);

#define CPUCC_CUBLAS(letter, small, T)                                                             \
    cublasStatus_t cublas##letter##nrm2_v2(cublasHandle_t, int n, const T *x, int __sx,            \
                                           T *result);                                             \
    cublasStatus_t cublas##letter##asum_v2(cublasHandle_t, int n, const T *x, int __sx,            \
                                           T *result);                                             \
    cublasStatus_t cublasI##small##amax_v2(cublasHandle_t, int n, const T *x, int __sx,            \
                                           int *result);                                           \
    cublasStatus_t cublasI##small##amin_v2(cublasHandle_t, int n, const T *x, int __sx,            \
                                           int *result);                                           \
    cublasStatus_t cublas##letter##copy_v2(cublasHandle_t, int n, const T *x, int __sx, T *y,      \
                                           int __sy);                                              \
    cublasStatus_t cublas##letter##swap_v2(cublasHandle_t, int n, T *x, int __sx, T *y, int __sy); \
    cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,     \
                                           cublasOperation_t, cublasDiagType_t, int __m, int n,    \
                                           const T *alpha, const T *_A, int lda, T *_B, int ldb);  \
    cublasStatus_t cublas##letter##gemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t,   \
                                           int __m, int n, int __k, const T *alpha, const T *_A,   \
                                           int lda, const T *_B, int ldb, const T *beta, T *_C,    \
                                           int ldc);                                               \
    cublasStatus_t cublas##letter##gemmStridedBatched(                                             \
        cublasHandle_t, cublasOperation_t, cublasOperation_t, int __m, int n, int __k,             \
        const T *alpha, const T *_A, int lda, long long __sa, const T *_B, int ldb,                \
        long long __sb, const T *beta, T *_C, int ldc, long long __sc, int count);                 \
    cublasStatus_t cublas##letter##gemmBatched(                                                    \
        cublasHandle_t, cublasOperation_t, cublasOperation_t, int __m, int n, int __k,             \
        const T *alpha, const T *const _A[], int lda, const T *const _B[], int ldb, const T *beta, \
        T *const _C[], int ldc, int count);                                                        \
    cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t, cublasOperation_t, int __m, int n,      \
                                           const T *alpha, const T *_A, int lda, const T *x,       \
                                           int __sx, const T *beta, T *y, int __sy);               \
    cublasStatus_t cublas##letter##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t,      \
                                        int __m, int n, const T *alpha, const T *_A, int lda,      \
                                        const T *beta, const T *_B, int ldb, T *_C, int ldc);      \
    cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t, int n, const T *alpha, const T *x,      \
                                           int __sx, T *y, int __sy);                              \
    cublasStatus_t cublas##letter##scal_v2(cublasHandle_t, int n, const T *alpha, T *x, int __sx); \
    cublasStatus_t cublas##letter##dot_v2(cublasHandle_t, int n, const T *x, int __sx, const T *y, \
                                          int __sy, T *result);
CPUCC_CUBLAS(S, s, float)
CPUCC_CUBLAS(D, d, double)
#undef CPUCC_CUBLAS

cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int __m, int n,
                            int __k, const void *alpha, const void *_A, cudaDataType __at, int lda,
                            const void *_B, cudaDataType __bt, int ldb, const void *beta, void *_C,
                            cudaDataType __ct, int ldc, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int __m, int n,
                             int __k, const float *alpha, const void *_A, cudaDataType __at,
                             int lda, const void *_B, cudaDataType __bt, int ldb, const float *beta,
                             void *_C, cudaDataType __ct, int ldc);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                          int __m, int n, int __k, const void *alpha,
                                          const void *_A, cudaDataType __at, int lda,
                                          long long __sa, const void *_B, cudaDataType __bt,
                                          int ldb, long long __sb, const void *beta, void *_C,
                                          cudaDataType __ct, int ldc, long long __sc, int count,
                                          cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cpucc_cublas_missing(const char *name);
#ifdef __cplusplus
}
#endif

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSdot cublasSdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasDdot cublasDdot_v2

#ifdef __cplusplus
/* The C++ form of GemmEx that takes a data type for the compute type, as in CUDA 10. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t __ta,
                                          cublasOperation_t __tb, int __m, int n, int __k,
                                          const void *alpha, const void *_A, cudaDataType __at,
                                          int lda, const void *_B, cudaDataType __bt, int ldb,
                                          const void *beta, void *_C, cudaDataType __ct, int ldc,
                                          cudaDataType type, cublasGemmAlgo_t __algorithm)
{
    cublasComputeType_t __arithmetic = type == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                                       : type == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                                       : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                                            : CUBLAS_COMPUTE_32F;
    return cublasGemmEx(h, __ta, __tb, __m, n, __k, alpha, _A, __at, lda, _B, __bt, ldb, beta, _C,
                        __ct, ldc, __arithmetic, __algorithm);
}

/* gemm in half precision. H stands for __half, which may be undeclared here. */
template <class _H>
static inline cublasStatus_t
cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t __ta, cublasOperation_t __tb, int __m,
                          int n, int __k, const _H *alpha, const _H *_A, int lda, long long __sa,
                          const _H *_B, int ldb, long long __sb, const _H *beta, _H *_C, int ldc,
                          long long __sc, int count)
{
    return cublasGemmStridedBatchedEx(h, __ta, __tb, __m, n, __k, alpha, _A, CUDA_R_16F, lda, __sa,
                                      _B, CUDA_R_16F, ldb, __sb, beta, _C, CUDA_R_16F, ldc, __sc,
                                      count, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
template <class _H>
static inline cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t __ta,
                                         cublasOperation_t __tb, int __m, int n, int __k,
                                         const _H *alpha, const _H *_A, int lda, const _H *_B,
                                         int ldb, const _H *beta, _H *_C, int ldc)
{
    return cublasHgemmStridedBatched(h, __ta, __tb, __m, n, __k, alpha, _A, lda, 0, _B, ldb, 0,
                                     beta, _C, ldc, 0, 1);
}
#include "cublas_missing.h"
#endif

#endif
