/* Complex numbers as vector types (CUDA's cuComplex.h); x is the real part. */
#ifndef CPUCC_CUCOMPLEX_H
#define CPUCC_CUCOMPLEX_H
#include "cuda_runtime.h"
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
#define CPUCC_COMPLEX(C, T, S, suffix, root)                                                       \
    typedef T##2 C;                                                                                \
    static inline C make_##C(T a, T b) { return make_##T##2(a, b); }                               \
    static inline T cuCreal##suffix(C a) { return a.x; }                                           \
    static inline T cuCimag##suffix(C a) { return a.y; }                                           \
    static inline C cuConj##suffix(C a) { return make_##C(a.x, -a.y); }                            \
    static inline C cuCadd##suffix(C a, C b) { return make_##C(a.x + b.x, a.y + b.y); }            \
    static inline C cuCsub##suffix(C a, C b) { return make_##C(a.x - b.x, a.y - b.y); }            \
    static inline C cuCmul##suffix(C a, C b)                                                       \
    {                                                                                              \
        return make_##C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                             \
    }                                                                                              \
    static inline C cuCdiv##suffix(C a, C b)                                                       \
    {                                                                                              \
        T n = b.x * b.x + b.y * b.y;                                                               \
        return make_##C((a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n);                 \
    }                                                                                              \
    static inline C cuCfma##S(C a, C b, C c) { return cuCadd##suffix(cuCmul##suffix(a, b), c); }   \
    static inline T cuCabs##suffix(C a) { return root(a.x, a.y); }
CPUCC_COMPLEX(cuFloatComplex, float, f, f, hypotf)
CPUCC_COMPLEX(cuDoubleComplex, double, , , hypot)
typedef cuFloatComplex cuComplex;
static inline cuComplex make_cuComplex(float a, float b) { return make_cuFloatComplex(a, b); }
#undef CPUCC_COMPLEX
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
#endif
