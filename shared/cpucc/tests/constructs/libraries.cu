/* Libraries: C and C++ in device code and beside it, 16-bit types, cuBLAS. */
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <cfloat>
#include <climits>
#include <limits>
#include <cuda/std/atomic>
#include <cuda/atomic>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include "constructs.h"

/* ---- headers ---- */

/* Headers of the C++ library that use words which CUDA also has, before and after device code. */
__device__ __noinline__ int twice(int v) { return 2 * v; }
__noinline__ __device__ int thrice(int v) { return 3 * v; }
__host__ __device__ __noinline__ int both(int v) { return 4 * v; }
__noinline__ __host__ __device__ int both_too(int v) { return 5 * v; }

#include <condition_variable>
#include <future>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <thread>
#include <tuple>
#include <unordered_map>

struct Free {
    void operator()(int *p) const { cudaFree(p); }
};

__global__ void use(int *out) { out[threadIdx.x] = twice(threadIdx.x) + thrice(std::max(1, 2)); }

CONSTRUCT(headers)
{
    int *raw;
    cudaMalloc(&raw, 128);
    std::unique_ptr<int, Free> memory(raw);
    std::vector<int> back(32);
    use<<<1, 32>>>(memory.get());
    cudaMemcpy(back.data(), memory.get(), 128, cudaMemcpyDeviceToHost);
    expect("unique_ptr", back[4], 14);
    std::map<std::string, std::function<int(int)>> functions = {
        {"next", [](int v) { return v + 1; }}};
    expect("map of functions", functions["next"](1), 2);
    expect("functions of both sides", *std::make_shared<int>(std::min(both(3), both_too(2))), 10);
    expect("regex", std::regex_match("tile32", std::regex("[a-z]+[0-9]+")), 1);
}

/* ---- device library ---- */

/* What device code finds in the C and C++ libraries: arithmetic, memory, printf, assert, new. */
namespace device_library_
{
struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
    __device__ ~Node() { value = -1; }
};

__global__ void arithmetic(int *out, float x, double y)
{
    float sine, cosine;
    int exponent;
    sincosf(x, &sine, &cosine);
    int ok = fabsf(sine * sine + cosine * cosine - 1) < 1e-5f;
    ok += std::sqrt(x * x) == x && sqrt(y * y) == y && sqrtf(4) == 2;
    ok +=
        std::max(1, 2) == 2 && std::min(1.5f, 0.5f) == 0.5f && max(3u, 4u) == 4 && min(1, -1) == -1;
    ok += fabs(pow(2.0, 10.0) - 1024) < 1e-9 && fabsf(powf(2, 3) - 8) < 1e-5f && exp2f(3) == 8;
    ok += floor(-0.5) == -1 && ceilf(0.5f) == 1 && rintf(2.5f) == 2 && truncf(-1.5f) == -1;
    ok += frexp(8.0, &exponent) == 0.5 && exponent == 4 && ldexpf(1, 3) == 8;
    ok += isnan(NAN) && isinf(INFINITY) && !std::isfinite(x / 0) && abs(-3) == 3;
    ok += std::numeric_limits<int>::max() == INT_MAX && FLT_MAX > 1e38f;
    ok +=
        __float2int_rn(1.6f) == 2 && rsqrtf(4) == 0.5f && __saturatef(2) == 1 && fmaf(2, 3, 1) == 7;
    out[threadIdx.x] = ok;
}

__global__ void products(int *out)
{
    char4 a = {1, -2, 3, -4}, b = {5, 6, 7, -128};
    uchar4 c = {1, 2, 3, 255}, d = {5, 6, 7, 255};
    out[0] = __dp4a(a, b, 10) == 10 + 5 - 12 + 21 + 512;
    out[1] = (int)__dp4a(c, d, 10u) == 10 + 5 + 12 + 21 + 65025;
    out[2] = __dp2a_lo(make_short2(100, -3), b, 1) + __dp2a_hi(make_short2(100, -3), b, 1);
}

__global__ void memory(int *out, const int *in)
{
    int a[8], b[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    memcpy(a, b, sizeof a);
    memset(b, 0, sizeof b);
    memcpy(out + threadIdx.x, in + threadIdx.x, sizeof *out);
    Node *list = nullptr;
    for (int i = 0; i < 3; i++)
        list = new Node(i, list);
    int sum = a[threadIdx.x % 8] + b[threadIdx.x % 8];
    while (list) {
        Node *next = list->next;
        sum += list->value;
        delete list;
        list = next;
    }
    int *heap = (int *)malloc(4 * sizeof(int));
    heap[threadIdx.x % 4] = 1;
    sum += heap[threadIdx.x % 4];
    free(heap);
    out[threadIdx.x] += sum;
}

__global__ void prints(const int *p)
{
    assert(p != nullptr);
    if (threadIdx.x == 3)
        printf("%d%% %5.2f|%-4s|%c %llu %ld %x %p%*d\n", -7, 2.5, "ab", 'z', 1ull << 40, -2L, 255u,
               (void *)0, 4, 9);
}

CONSTRUCT(device_library)
{
    arithmetic<<<1, 32>>>(fresh(), 1.25f, 2.5);
    fetch();
    expect("arithmetic", host[1], 9);
    products<<<1, 1>>>(fresh());
    fetch();
    expect("sums of products", host[0] && host[1] && host[2] == 483 + 1085, 1);
    int *in = fresh(), *out;
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    memory<<<1, 32>>>(out, in);
    cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
    expect("memory", host[2], 6 + 3 + 1);
    CUdeviceptr start;
    size_t bytes;
    expect("address range",
           cuMemGetAddressRange(&start, &bytes, (CUdeviceptr)(out + 5)) == CUDA_SUCCESS &&
               start == (CUdeviceptr)out && bytes == 128,
           1);
    expect("no address range",
           cuMemGetAddressRange(&start, &bytes, (CUdeviceptr)host) == CUDA_ERROR_INVALID_VALUE, 1);
    char text[200] = "", wanted[200];
    fflush(stdout);
    FILE *file = tmpfile();
    FILE *screen = stdout;
    stdout = file;
    prints<<<1, 32>>>(in);
    stdout = screen;
    rewind(file);
    if (!fgets(text, sizeof text, file))
        failures++;
    snprintf(wanted, sizeof wanted, "%d%% %5.2f|%-4s|%c %llu %ld %x %p%*d\n", -7, 2.5, "ab", 'z',
             1ull << 40, -2L, 255u, (void *)0, 4, 9);
    expect("printf", std::string(text) == wanted, 1);
}
} // namespace device_library_

/* ---- halves ---- */

/* 16-bit floating point: arithmetic, rounding, comparisons, pairs; on the device and on the host. */
namespace halves_
{
__global__ void arithmetic(int *out)
{
    half a = __float2half(1.5f), b = 2.0;
    half2 p = __floats2half2_rn(1, -2), q = __half2half2(b);
    int n = 0;
    out[n++] = (int)(float)(a * b + __hneg(a));                     /* 1 */
    out[n++] = (int)__half2float(hexp2(__hadd(a, a)));              /* 8 */
    out[n++] = (int)(float)__hmax2(p, q).y;                         /* 2 */
    out[n++] = (int)__high2float(__hfma2(p, q, p));                 /* -6 */
    out[n++] = __hbgt2(q, p) + 2 * __hblt2(q, p);                   /* 1 */
    out[n++] = __half2int_rd(__hdiv(a, __float2half(-4)));          /* -1 */
    out[n++] = (int)(1000 * (float)h2rsqrt(__float2half2_rn(4)).x); /* 500 */
    out[n++] = (int)(float)__hadd_sat(a, b);                        /* 1 */
    out[n++] = (int)__heq2_mask(p, __floats2half2_rn(1, 2));        /* 0xffff */
    p += q;
    p *= q;
    out[n++] = (int)(float)p.x + 10 * (int)(float)p.y; /* 6 */
    a++;
    out[n++] = a > b && !__hisnan(a) && __hgeu(a, b); /* 1 */
    __nv_bfloat162 r = __float22bfloat162_rn(make_float2(3, 5));
    float2 s = __bfloat1622float2(__hmul2(r, r));
    out[n++] = (int)(s.x + s.y);                                  /* 34 */
    out[n++] = __bfloat162int_rz(hsqrt(__float2bfloat16(10.0f))); /* 3 */
    __shared__ half2 total;
    if (threadIdx.x == 0)
        total = __float2half2_rn(0);
    __syncthreads();
    atomicAdd(&total, __floats2half2_rn(1, 2));
    __syncthreads();
    out[n++] = (int)__low2float(total) + 100 * (int)__high2float(total); /* 6432 */
    half other = __shfl_xor_sync(~0u, __int2half_rn(threadIdx.x), 31);
    if (threadIdx.x == 0)
        out[n++] = (int)(float)other; /* 31 */
}

/* e4m3 and e5m2: the largest, the least (2^-9 of e4m3), ties, pairs. */
__global__ void eights(int *out)
{
    int n = 0;
    out[n++] = __nv_fp8_e4m3(1.0f).__x;
    out[n++] = __nv_fp8_e4m3(1e9f).__x;
    out[n++] = __nv_fp8_e4m3(__float2half(-460)).__x;
    out[n++] = __nv_cvt_float_to_fp8(500, __NV_NOSAT, __NV_E4M3);
    out[n++] = __nv_fp8_e4m3(0.001953125).__x;
    out[n++] = __nv_fp8_e4m3(0.0009765625f).__x; /* a tie goes to even */
    out[n++] = __nv_fp8_e5m2(1).__x;
    out[n++] = __nv_fp8_e5m2(1e30).__x;
    out[n++] = __nv_cvt_double_to_fp8(1e30, __NV_NOSAT, __NV_E5M2);
    out[n++] = __nv_fp8_e5m2(6.2f).__x;
    __nv_fp8_e4m3 largest;
    largest.__x = 0x7e;
    out[n++] = (int)(float)largest;
    __nv_fp8x2_e5m2 pair(make_float2(1, 96));
    out[n++] = (int)(float2(pair).x + float2(pair).y);
}

CONSTRUCT(halves)
{
    static const int wanted[] = {1, 8, 2, -6, 1, -1, 500, 1, 0xffff, 6, 1, 34, 3, 6432, 31};
    arithmetic<<<1, 32>>>(fresh());
    fetch();
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
        expect("arithmetic", host[i], wanted[i]);
    /* 2048 has neighbours 2 apart, 2049 is a tie */
    expect("nearest", (int)(float)__int2half_rn(2049), 2048);
    expect("up", (int)(float)__int2half_ru(2049), 2050);
    expect("down", (int)(float)__int2half_rd(-2049), -2050);
    expect("towards zero", (int)(float)__float2half_rz(-2049), -2048);
    expect("too large", __half_as_ushort(__float2half(1e6f)), 0x7c00);
    expect("smallest", __half_as_ushort(__double2half(5.96e-8)), 1);
    expect("bf16", __bfloat16_as_ushort(__float2bfloat16(1.00390625f)), 0x3f80);
    expect("as a number", (long long)((float)(half(3) / half(2)) * 100), 150);
    eights<<<1, 1>>>(fresh());
    fetch();
    static const int codes[] = {0x38, 0x7e, 0xfe, 0x7f, 0x01, 0x00,
                                0x3c, 0x7b, 0x7c, 0x46, 448,  97};
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
        expect("8 bits", host[i], codes[i]);
}
} // namespace halves_

/* ---- cublas ---- */

/* What there is of cuBLAS, against sums written out; and what is not there fails by name. */
namespace cublas_
{
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

CONSTRUCT(cublas)
{
    float s[12], one = 1, two = 2, half_of = 0.5f, zero = 0, sum;
    double d[12], e = 3, none = 0, dsum;
    int largest;
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
    EXPECT(cublasSnrm2(h, 2, a + 3, 1, &sum) == 0 && sum == 5);
    EXPECT(cublasDasum(h, 3, y, 2, &dsum) == 0 && dsum == 0 + 2 + 4);
    EXPECT(cublasIsamax(h, 4, a, 1, &largest) == 0 && largest == 4);
    EXPECT(cublasIdamin(h, 2, y + 1, 1, &largest) == 0 && largest == 1);
    EXPECT(cublasScopy(h, 2, a, 1, c, -1) == 0 && at(c, 0) == 1 && at(c, 1) == 0);
    EXPECT(cublasSswap(h, 2, c, 1, c + 2, 1) == 0 && at(c, 2) == 1 && at(c, 3) == 0);
    /* (1 0; 2 3) X = 2 (2; 13), then X (1 2; 0 3) = (2 13) */
    float lower[] = {1, 2, 0, 3}, right[] = {2, 13};
    cudaMemcpy(c, lower, sizeof lower, cudaMemcpyHostToDevice);
    cudaMemcpy(b, right, sizeof right, cudaMemcpyHostToDevice);
    EXPECT(cublasStrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_NON_UNIT, 2, 1, &two, c, 2, b, 2) == 0 &&
           at(b, 0) == 4 && at(b, 1) == 6);
    cudaMemcpy(b, right, sizeof right, cudaMemcpyHostToDevice);
    EXPECT(cublasStrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                       CUBLAS_DIAG_NON_UNIT, 1, 2, &one, c, 2, b, 1) == 0 &&
           at(b, 0) == 2 && at(b, 1) == 3);
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
}
} // namespace cublas_
