/* What there is of cuBLAS, against sums written out; and what is not there fails by name. */
#include "constructs.h"
#include <cublasLt.h>
#include <cublas_v2.h>

static cublasHandle_t h;

template <class T>
static T *on_device(const T *values, int n)
{
    T *p;
    cudaMalloc(&p, n * sizeof(T));
    cudaMemcpy(p, values, n * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}
template <class T>
static T at(const T *p, int i)
{
    T v;
    cudaMemcpy(&v, p + i, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}

int main()
{
    float s[12], one = 1, two = 2, half_of = 0.5f, zero = 0, sum;
    double d[12], e = 3, none = 0, dsum;
    for (int i = 0; i < 12; i++)
        s[i] = (float)i, d[i] = i;
    float *a = on_device(s, 12), *b = on_device(s, 12), *c = on_device(s, 12);
    double *x = on_device(d, 12), *y = on_device(d, 12), *z = on_device(d, 12);
    EXPECT(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
    /* columns (0 1) (2 3) (4 5) times columns (0 1 2) (3 4 5) */
    EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &two, a, 2, b, 3, &zero, c, 2) == 0);
    EXPECT(at(c, 0) == 20 && at(c, 1) == 26 && at(c, 2) == 56 && at(c, 3) == 80);
    EXPECT(cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 3, &one, a, 3, b, 3, &half_of, c, 2) ==
           0);
    EXPECT(at(c, 0) == 5 + 10 && at(c, 1) == 14 + 13 && at(c, 3) == 50 + 40 && at(c, 4) == 4);
    EXPECT(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &e, x, 2, y, 4, &none, z, 3) == 0);
    EXPECT(at(z, 0) == 3 * 8 && at(z, 3) == 3 * (0 * 1 + 2 * 5) && at(z, 2) == 2);
    EXPECT(cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, a, 1, 2, b, 2, 2,
                                     &zero, c, 1, 1, 3) == 0);
    EXPECT(at(c, 0) == 1 && at(c, 1) == 13 && at(c, 2) == 41);
    EXPECT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 3, &one, a, CUDA_R_32F, 1, b, CUDA_R_32F,
                        3, &zero, c, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == 0 &&
           at(c, 0) == 5);
    EXPECT(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, a, 2, &zero, c, 3, c, 3) == 0);
    EXPECT(at(c, 1) == 2 && at(c, 2) == 4 && at(c, 3) == 1);
    EXPECT(cublasDgeam(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, &e, x, 2, &e, y, 4, z, 2) == 0 &&
           at(z, 3) == 3 * (3 + 5));
    /* (0 2 4; 1 3 5) times (0 2 4), and its transpose times (0 3) */
    EXPECT(cublasSgemv(h, CUBLAS_OP_N, 2, 3, &one, a, 2, a, 2, &zero, c, 2) == 0);
    EXPECT(at(c, 0) == 20 && at(c, 2) == 26);
    EXPECT(cublasDgemv(h, CUBLAS_OP_T, 2, 3, &e, y, 2, y, 3, &none, z, 1) == 0 && at(z, 1) == 27);
    EXPECT(cublasSaxpy(h, 3, &two, a, 2, b, 1) == 0 && at(b, 2) == 2 + 2 * 4 && at(b, 3) == 3);
    EXPECT(cublasDscal(h, 4, &e, x, 3) == 0 && at(x, 9) == 27 && at(x, 8) == 8);
    EXPECT(cublasSdot(h, 4, a, 1, a, -1, &sum) == 0 && sum == 0 * 3 + 1 * 2 + 2 * 1 + 3 * 0);
    EXPECT(cublasDdot(h, 3, y, 1, y, 2, &dsum) == 0 && dsum == 2 + 8);
    /* in half, and of bytes with sums in int */
    __half hs[6], h1 = 1, h0 = 0;
    signed char bytes[6];
    int i1 = 2, i0 = 0;
    for (int i = 0; i < 6; i++)
        hs[i] = (float)i, bytes[i] = (signed char)(100 - i);
    __half *hx = on_device(hs, 6), *hz = on_device(hs, 6);
    EXPECT(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &h1, hx, 2, hx, 3, &h0, hz, 2) == 0);
    EXPECT((float)at(hz, 0) == 10 && (float)at(hz, 3) == 40);
    signed char *bx = on_device(bytes, 6);
    int *iz = on_device((const int *)s, 4);
    EXPECT(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 3, &i1, bx, CUDA_R_8I, 3, bx, CUDA_R_8I,
                        3, &i0, iz, CUDA_R_32I, 2, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT) == 0);
    EXPECT(at(iz, 0) == 2 * (100 * 100 + 99 * 99 + 98 * 98) &&
           at(iz, 2) == 2 * (100 * 97 + 99 * 96 + 98 * 95));
    /* what it refuses: a pitch too small, memory that is not there, other routines */
    EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, 3, &two, a, 2, b, 3, &zero, c, 4) ==
           CUBLAS_STATUS_INVALID_VALUE);
    freopen("/dev/null", "w", stderr);
    EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 7, &two, a, 2, b, 7, &zero, c, 2) ==
           CUBLAS_STATUS_EXECUTION_FAILED);
    EXPECT(cublasSger(h, 2, 2, &one, a, 1, b, 1, c, 2) == CUBLAS_STATUS_NOT_SUPPORTED);
    cublasLtHandle_t lt;
    EXPECT(cublasLtCreate(&lt) == 0 && cublasLtMatmul(lt, 0, 0) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(cublasDestroy(h) == 0 && cudaGetLastError() == cudaSuccess);
    return failures != 0;
}
