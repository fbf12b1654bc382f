/* Complex numbers as vector types (CUDA's cuComplex.h); x is the real part. */
#ifndef CPUCC_CUCOMPLEX_H
#define CPUCC_CUCOMPLEX_H
#include "cuda_runtime.h"
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
#define CPUCC_COMPLEX(_C, T, _S, suffix, root)                                                     \
    typedef T##2 _C;                                                                               \
    static inline _C make_##_C(T a, T b) { return make_##T##2(a, b); }                             \
    static inline T cuCreal##suffix(_C a) { return a.x; }                                          \
    static inline T cuCimag##suffix(_C a) { return a.y; }                                          \
    static inline _C cuConj##suffix(_C a) { return make_##_C(a.x, -a.y); }                         \
    static inline _C cuCadd##suffix(_C a, _C b) { return make_##_C(a.x + b.x, a.y + b.y); }        \
    static inline _C cuCsub##suffix(_C a, _C b) { return make_##_C(a.x - b.x, a.y - b.y); }        \
    static inline _C cuCmul##suffix(_C a, _C b)                                                    \
    {                                                                                              \
        return make_##_C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                            \
    }                                                                                              \
    static inline _C cuCdiv##suffix(_C a, _C b)                                                    \
    {                                                                                              \
        T n = b.x * b.x + b.y * b.y;                                                               \
        return make_##_C((a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n);                \
    }                                                                                              \
    static inline _C cuCfma##_S(_C a, _C b, _C c)                                                  \
    {                                                                                              \
        return cuCadd##suffix(cuCmul##suffix(a, b), c);                                            \
    }                                                                                              \
    static inline T cuCabs##suffix(_C a) { return root(a.x, a.y); }
CPUCC_COMPLEX(cuFloatComplex, float, f, f, hypotf)
CPUCC_COMPLEX(cuDoubleComplex, double, , , hypot)
typedef cuFloatComplex cuComplex;
static inline cuComplex make_cuComplex(float a, float b) { return make_cuFloatComplex(a, b); }
#undef CPUCC_COMPLEX
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
#endif
