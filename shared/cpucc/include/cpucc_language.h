/*
 * Defines CUDA's keywords for clang's CUDA mode, and includes the C headers, whose functions both
 * halves of a program may call. In a file without device code (.cpp) the keywords expand to
 * nothing.
 */
#ifndef CPUCC_LANGUAGE_H
#define CPUCC_LANGUAGE_H

#ifdef __CUDA__
#define __host__ __attribute__((__host__))
#define __device__ __attribute__((__device__))
#define __global__ __attribute__((__global__))
#define __constant__ __attribute__((__constant__, __annotate__("cpucc constant")))
#ifdef __CUDA_ARCH__
#define __managed__ __device__ __attribute__((__annotate__("cpucc managed")))
#else /* __managed__ variables have pages of their own, see host_access.c */
#define __managed__                                                                                \
    __device__ __attribute__((__annotate__("cpucc managed"), __section__("cpucc_managed"),         \
                              __aligned__(4096)))
#endif
/* The annotations keep the variable's declaration and the kernel's limits in clang's GPU code. */
#define __shared__ __attribute__((__shared__, __annotate__("cpucc shared")))
#define __cluster_dims__(...) __attribute__((__annotate__("cpucc cluster", __VA_ARGS__)))
#define __launch_bounds__(...) __attribute__((__annotate__("cpucc threads", __VA_ARGS__)))
/* __noinline__ is a keyword from clang 15 on. The C++ library also writes
 * __attribute__((__noinline__)); there clang ignores the macro's unknown attribute. */
#if __clang_major__ < 15
#define __noinline__ __declspec(noinline)
#endif
#if defined(__CUDA_ARCH__) && __clang_major__ < 19 && __has_include(<bits/floatn.h>)
/* Without __float128 in GPU code, which glibc 2.41 takes for granted unless the compiler is Intel's. */
#undef __FLOAT128__
#undef __SIZEOF_FLOAT128__
#define __INTEL_LLVM_COMPILER
#define SYCL_LANGUAGE_VERSION
#include <bits/floatn.h>
#undef __INTEL_LLVM_COMPILER
#undef SYCL_LANGUAGE_VERSION
#endif
#include <stdio.h>
#include <time.h>
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS 1 /* the C library's headers, not the C++ library's */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end
/* nvcc accepts "__shared__ alignas(128) int x[64];", clang accepts alignas only at the start of a
 * declaration. So alignas becomes the attribute `aligned`, which takes a number. The template
 * computes it from a type T, as the function type int(T), or from an expression a > b, as the cast
 * int(a > b). */
template <class _F>
struct cpucc_parameter;
template <class T>
struct cpucc_parameter<int(T)> {
    enum : unsigned long { alignment = alignof(T) };
};
template <class _F>
constexpr unsigned long cpucc_alignment()
{
    return cpucc_parameter<_F>::alignment;
}
template <int _N>
constexpr unsigned long cpucc_alignment()
{
    return _N;
}
#define alignas(...) __attribute__((__aligned__(cpucc_alignment<int(__VA_ARGS__)>())))
extern "C" __device__ int printf(const char *, ...); /* clang turns it into calls of vprintf */
extern "C" __device__ clock_t clock(void);           /* cycles, not the host's microseconds */
/* Now the C++ library's headers of the same names, for overloads without std::. */
#include <math.h>
#include <stdlib.h>
#include <new> /* clang's header, which also declares device code's new and delete */
#else
#define __host__
#ifndef __CUDACC__
#define CPUCC_FN static inline
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __managed__
#define __cluster_dims__(...)
#define __launch_bounds__(...)
#endif
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

#define __forceinline__ inline __attribute__((__always_inline__))
#define __inline_hint__
#define __maxnreg__(...)
#ifdef __CUDA__
#define __grid_constant__ __attribute__((__annotate__("cpucc grid constant")))
#else
#define __grid_constant__
#endif
#define __align__(n) __attribute__((__aligned__(n)))
#define __builtin_align__(n) __attribute__((__aligned__(n)))
#define __nv_pure__

#endif
