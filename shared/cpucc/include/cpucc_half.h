/*
 * 16-bit floating point for cuda_fp16.h and cuda_bf16.h: storage, conversion, and arithmetic by way
 * of float (round to nearest even, as the device's single operations do).
 */
#ifndef CPUCC_HALF_H
#define CPUCC_HALF_H
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device begin

CPUCC_FN unsigned short cpucc_bf16_bits(float f)
{
    unsigned u = __float_as_uint(f);
    if ((u & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
CPUCC_FN float cpucc_bf16_value(unsigned short b) { return __uint_as_float((unsigned)b << 16); }

/* Rounds the 24-bit significand to what the half's exponent leaves of it. */
CPUCC_FN unsigned short cpucc_half_bits(float f)
{
    unsigned u = __float_as_uint(f), sign = u >> 16 & 0x8000;
    u &= 0x7fffffff;
    if (u > 0x7f800000)
        return 0x7fff;
    if (u >= 0x477ff000)
        return (unsigned short)(sign | 0x7c00);
    int exponent = (int)(u >> 23) - 112;
    unsigned significand = (u & 0x7fffff) | (u >> 23 ? 0x800000 : 0), shift = 13;
    if (exponent < 1) {
        shift = (unsigned)(14 - exponent);
        exponent = 0;
        if (shift > 25)
            return (unsigned short)sign;
    } else {
        significand &= 0x7fffff;
    }
    unsigned kept = significand >> shift, rest = significand & ((1u << shift) - 1);
    unsigned half = 1u << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
    return (unsigned short)(sign | (((unsigned)exponent << 10) + kept));
}
CPUCC_FN float cpucc_half_value(unsigned short h)
{
    unsigned sign = (unsigned)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31)
        return __uint_as_float(sign | 0x7f800000 | m << 13);
    if (e)
        return __uint_as_float(sign | (e + 112) << 23 | m << 13);
    return __uint_as_float(sign | __float_as_uint((float)m * 0x1p-24f));
}

/* One type and its pair. N names the functions: __float2##N and so on. */
#define CPUCC_HALF_TYPE(T, T2, TR, T2R, N, N2, bits, value)                                        \
    struct TR {                                                                                    \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct T {                                                                                     \
        unsigned short __x;                                                                        \
        T() = default;                                                                             \
        T(float f) : __x(bits(f)) {}                                                               \
        T(double f) : __x(bits((float)f)) {}                                                       \
        T(int f) : __x(bits((float)f)) {}                                                          \
        T(TR r) : __x(r.x) {}                                                                      \
        operator float() const { return value(__x); }                                              \
        operator TR() const { return {__x}; }                                                      \
    };                                                                                             \
    struct alignas(4) __attribute__((trivial_abi)) T2 {                                            \
        T x, y;                                                                                    \
        T2() = default;                                                                            \
        T2(T a, T b) : x(a), y(b) {}                                                               \
        CPUCC_WHOLE_COPY(T2, 4)                                                                    \
    };                                                                                             \
    CPUCC_FN T __float2##N(float f) { return T(f); }                                               \
    CPUCC_FN T __float2##N##_rn(float f) { return T(f); }                                          \
    CPUCC_FN float __##N##2float(T h) { return value(h.__x); }                                     \
    CPUCC_FN T2 __floats2##N2##_rn(float a, float b) { return T2(T(a), T(b)); }                    \
    CPUCC_FN T2 __float22##N2##_rn(float2 f) { return T2(T(f.x), T(f.y)); }                        \
    CPUCC_FN float2 __##N2##2float2_(T2 h) { return make_float2(h.x, h.y); }                       \
    CPUCC_FN T2 __halves2##N2(T a, T b) { return T2(a, b); }                                       \
    CPUCC_FN T2 make_##T2(T a, T b) { return T2(a, b); }                                           \
    CPUCC_FN T __low2##N(T2 h) { return h.x; }                                                     \
    CPUCC_FN T __high2##N(T2 h) { return h.y; }                                                    \
    CPUCC_FN float __low2float(T2 h) { return h.x; }                                               \
    CPUCC_FN float __high2float(T2 h) { return h.y; }                                              \
    CPUCC_FN T2 __##N##2##N2(T a) { return T2(a, a); }                                             \
    CPUCC_FN unsigned short __##N##_as_ushort(T h) { return h.__x; }                               \
    CPUCC_FN T __ushort_as_##N(unsigned short b) { return T(TR{b}); }                              \
    CPUCC_FN T __hadd(T a, T b) { return T((float)a + (float)b); }                                 \
    CPUCC_FN T __hsub(T a, T b) { return T((float)a - (float)b); }                                 \
    CPUCC_FN T __hmul(T a, T b) { return T((float)a * (float)b); }                                 \
    CPUCC_FN T __hdiv(T a, T b) { return T((float)a / (float)b); }                                 \
    CPUCC_FN T __hfma(T a, T b, T c) { return T(fmaf(a, b, c)); }                                  \
    CPUCC_FN T __hneg(T a) { return T(-(float)a); }                                                \
    CPUCC_FN bool __hgt(T a, T b) { return (float)a > (float)b; }                                  \
    CPUCC_FN bool __hlt(T a, T b) { return (float)a < (float)b; }                                  \
    CPUCC_FN bool __heq(T a, T b) { return (float)a == (float)b; }                                 \
    CPUCC_FN T2 __hadd2(T2 a, T2 b) { return T2(__hadd(a.x, b.x), __hadd(a.y, b.y)); }             \
    CPUCC_FN T2 __hmul2(T2 a, T2 b) { return T2(__hmul(a.x, b.x), __hmul(a.y, b.y)); }             \
    CPUCC_FN T2 __hfma2(T2 a, T2 b, T2 c)                                                          \
    {                                                                                              \
        return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                   \
    }                                                                                              \
    CPUCC_FN T operator+(T a, T b) { return __hadd(a, b); }                                        \
    CPUCC_FN T operator-(T a, T b) { return __hsub(a, b); }                                        \
    CPUCC_FN T operator*(T a, T b) { return __hmul(a, b); }                                        \
    CPUCC_FN T operator/(T a, T b) { return __hdiv(a, b); }                                        \
    CPUCC_FN T &operator+=(T &a, T b) { return a = a + b; }                                        \
    CPUCC_FN T &operator*=(T &a, T b) { return a = a * b; }
#pragma clang force_cuda_host_device end
#endif
