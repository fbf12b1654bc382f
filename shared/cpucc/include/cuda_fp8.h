/*
 * Defines 8-bit floating point (CUDA Math API, "FP8 Intrinsics"). __nv_fp8_e4m3 has 4 bits of
 * exponent and 3 of mantissa, values up to 448 and no infinity; __nv_fp8_e5m2 has 5 and 2, and
 * values up to 57344. Conversions round to nearest, ties to even. A value that is too large becomes
 * the largest finite one with saturation; without, it becomes infinity (e5m2) or NaN (e4m3).
 */
#ifndef CPUCC_CUDA_FP8_H
#define CPUCC_CUDA_FP8_H
#define __CUDA_FP8_H__
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#pragma clang force_cuda_host_device begin

CPUCC_FN unsigned char __nv_cvt_float_to_fp8(float f, __nv_saturation_t __saturation,
                                             __nv_fp8_interpretation_t kind)
{
    unsigned mantissa = kind == __NV_E4M3 ? 3 : 2, __largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
    unsigned __word = cpucc_float_word(f), sign = __word >> 24 & 0x80,
             __magnitude = __word & 0x7fffffff;
    if (__magnitude > 0x7f800000)
        return 0x7f;
    /* The result's exponent field; a result below 1 is subnormal and shifts the significand. */
    int exponent = (int)(__magnitude >> 23) - 127 + (kind == __NV_E4M3 ? 7 : 15);
    unsigned significand = (__magnitude & 0x7fffff) | (__magnitude >> 23 ? 0x800000 : 0);
    unsigned shift = 23 - mantissa + (exponent < 1 ? (unsigned)(1 - exponent) : 0);
    unsigned code = 0;
    if (shift < 26) {
        unsigned __odd = significand >> shift & 1, half = (1u << (shift - 1)) - 1;
        code = (significand + half + __odd) >> shift;
    }
    if (exponent > 1)
        code += (unsigned)(exponent - 1) << mantissa;
    if (code > __largest)
        code = __saturation == __NV_SATFINITE ? __largest : __largest + 1;
    return (unsigned char)(sign | code);
}

/* Converts through a float that is rounded to odd, so that no value is rounded twice. */
CPUCC_FN unsigned char __nv_cvt_double_to_fp8(double d, __nv_saturation_t __saturation,
                                              __nv_fp8_interpretation_t kind)
{
    float __near = (float)d;
    if (__near != d && d == d && __builtin_fabs(d) < 1e38) {
        unsigned __word = cpucc_float_word(__near);
        __near = cpucc_word_float(
            (__builtin_fabs((double)__near) > __builtin_fabs(d) ? __word - 1 : __word) | 1);
    }
    return __nv_cvt_float_to_fp8(__near, __saturation, kind);
}

CPUCC_FN float cpucc_fp8_value(unsigned char code, __nv_fp8_interpretation_t kind)
{
    unsigned mantissa = kind == __NV_E4M3 ? 3 : 2, __bias = kind == __NV_E4M3 ? 7 : 15;
    unsigned sign = (unsigned)(code & 0x80) << 24, exponent = (code & 0x7fu) >> mantissa;
    unsigned __rest = code & ((1u << mantissa) - 1);
    if (kind == __NV_E4M3 ? (code & 0x7f) == 0x7f : (code & 0x7f) > 0x7c)
        return cpucc_word_float(0x7fffffff);
    if (kind == __NV_E5M2 && exponent == 31)
        return cpucc_word_float(sign | 0x7f800000);
    if (exponent == 0) {
        float __least = cpucc_word_float((127 + 1 - __bias - mantissa) << 23),
              value = __rest * __least;
        return sign ? -value : value;
    }
    return cpucc_word_float(sign | (exponent + 127 - __bias) << 23 | __rest << (23 - mantissa));
}

CPUCC_FN __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    return __half(cpucc_fp8_value(x, kind));
}
CPUCC_FN __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                __nv_fp8_interpretation_t kind)
{
    return __half2(__half(cpucc_fp8_value((unsigned char)x, kind)),
                   __half(cpucc_fp8_value((unsigned char)(x >> 8), kind)));
}
#define CPUCC_TO_FP8(name, raw, T)                                                                 \
    CPUCC_FN __nv_fp8_storage_t __nv_cvt_##name##raw_to_fp8(raw x, __nv_saturation_t __saturation, \
                                                            __nv_fp8_interpretation_t kind)        \
    {                                                                                              \
        return __nv_cvt_float_to_fp8((float)T(x), __saturation, kind);                             \
    }
CPUCC_TO_FP8(half, __half_raw, __half)
CPUCC_TO_FP8(bfloat16, __nv_bfloat16_raw, __nv_bfloat16)
#define CPUCC_TO_FP8X2(name, _V, first, second, to)                                                \
    CPUCC_FN __nv_fp8x2_storage_t __nv_cvt_##name##_to_fp8x2(_V v, __nv_saturation_t __saturation, \
                                                             __nv_fp8_interpretation_t kind)       \
    {                                                                                              \
        return (__nv_fp8x2_storage_t)(__nv_cvt_##to##_to_fp8(first, __saturation, kind) |          \
                                      __nv_cvt_##to##_to_fp8(second, __saturation, kind) << 8);    \
    }
CPUCC_TO_FP8X2(float2, float2, v.x, v.y, float)
CPUCC_TO_FP8X2(double2, double2, v.x, v.y, double)
CPUCC_TO_FP8X2(halfraw2, __half2_raw, __half_raw{v.x}, __half_raw{v.y}, halfraw)
CPUCC_TO_FP8X2(bfloat16raw2, __nv_bfloat162_raw, __nv_bfloat16_raw{v.x}, __nv_bfloat16_raw{v.y},
               bfloat16raw)

#define CPUCC_FP8(name, kind)                                                                      \
    struct __nv_fp8_##name {                                                                       \
        __nv_fp8_storage_t __x;                                                                    \
        __nv_fp8_##name() = default;                                                               \
        explicit __nv_fp8_##name(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {} \
        explicit __nv_fp8_##name(double f)                                                         \
            : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, kind)) {}                              \
        explicit __nv_fp8_##name(__half f) : __nv_fp8_##name((float)f) {}                          \
        explicit __nv_fp8_##name(__nv_bfloat16 f) : __nv_fp8_##name((float)f) {}                   \
        explicit __nv_fp8_##name(int v) : __nv_fp8_##name((double)v) {}                            \
        explicit __nv_fp8_##name(unsigned v) : __nv_fp8_##name((double)v) {}                       \
        explicit __nv_fp8_##name(short v) : __nv_fp8_##name((float)v) {}                           \
        explicit __nv_fp8_##name(unsigned short v) : __nv_fp8_##name((float)v) {}                  \
        explicit __nv_fp8_##name(long v) : __nv_fp8_##name((float)v) {}                            \
        explicit __nv_fp8_##name(unsigned long v) : __nv_fp8_##name((float)v) {}                   \
        explicit __nv_fp8_##name(long long v) : __nv_fp8_##name((float)v) {}                       \
        explicit __nv_fp8_##name(unsigned long long v) : __nv_fp8_##name((float)v) {}              \
        explicit operator float() const { return cpucc_fp8_value(__x, kind); }                     \
        explicit operator double() const { return cpucc_fp8_value(__x, kind); }                    \
        explicit operator __half() const { return __half(cpucc_fp8_value(__x, kind)); }            \
        explicit operator __nv_bfloat16() const                                                    \
        {                                                                                          \
            return __nv_bfloat16(cpucc_fp8_value(__x, kind));                                      \
        }                                                                                          \
        explicit operator char() const { return (char)cpucc_fp8_value(__x, kind); }                \
        explicit operator signed char() const { return (signed char)cpucc_fp8_value(__x, kind); }  \
        explicit operator unsigned char() const                                                    \
        {                                                                                          \
            return (unsigned char)cpucc_fp8_value(__x, kind);                                      \
        }                                                                                          \
        explicit operator short() const { return (short)cpucc_fp8_value(__x, kind); }              \
        explicit operator unsigned short() const                                                   \
        {                                                                                          \
            return (unsigned short)cpucc_fp8_value(__x, kind);                                     \
        }                                                                                          \
        explicit operator int() const { return (int)cpucc_fp8_value(__x, kind); }                  \
        explicit operator unsigned() const { return (unsigned)cpucc_fp8_value(__x, kind); }        \
        explicit operator long long() const { return (long long)cpucc_fp8_value(__x, kind); }      \
        explicit operator bool() const { return __x & 0x7f; }                                      \
    };                                                                                             \
    struct alignas(2) __nv_fp8x2_##name {                                                          \
        __nv_fp8x2_storage_t __x;                                                                  \
        __nv_fp8x2_##name() = default;                                                             \
        explicit __nv_fp8x2_##name(float2 v)                                                       \
            : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind))                               \
        {                                                                                          \
        }                                                                                          \
        explicit __nv_fp8x2_##name(double2 v)                                                      \
            : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind))                              \
        {                                                                                          \
        }                                                                                          \
        explicit __nv_fp8x2_##name(__half2 v)                                                      \
            : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, kind))                             \
        {                                                                                          \
        }                                                                                          \
        explicit __nv_fp8x2_##name(__nv_bfloat162 v)                                               \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, kind))                         \
        {                                                                                          \
        }                                                                                          \
        explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kind); }        \
        explicit operator float2() const                                                           \
        {                                                                                          \
            return make_float2(cpucc_fp8_value((unsigned char)__x, kind),                          \
                               cpucc_fp8_value((unsigned char)(__x >> 8), kind));                  \
        }                                                                                          \
    };                                                                                             \
    struct alignas(4) __nv_fp8x4_##name {                                                          \
        __nv_fp8x4_storage_t __x;                                                                  \
        __nv_fp8x4_##name() = default;                                                             \
        explicit __nv_fp8x4_##name(float4 v)                                                       \
            : __x(__nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __NV_SATFINITE, kind) |          \
                  (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(v.z, v.w), __NV_SATFINITE, kind)  \
                      << 16)                                                                       \
        {                                                                                          \
        }                                                                                          \
        explicit operator float4() const                                                           \
        {                                                                                          \
            return make_float4(cpucc_fp8_value((unsigned char)__x, kind),                          \
                               cpucc_fp8_value((unsigned char)(__x >> 8), kind),                   \
                               cpucc_fp8_value((unsigned char)(__x >> 16), kind),                  \
                               cpucc_fp8_value((unsigned char)(__x >> 24), kind));                 \
        }                                                                                          \
    };
CPUCC_FP8(e4m3, __NV_E4M3)
CPUCC_FP8(e5m2, __NV_E5M2)
#undef CPUCC_FP8
#undef CPUCC_TO_FP8
#undef CPUCC_TO_FP8X2
#pragma clang force_cuda_host_device end
#endif
