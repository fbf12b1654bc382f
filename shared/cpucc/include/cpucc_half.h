/*
 * Converts float to 16-bit formats, rounding to nearest or in another direction. From these
 * functions cpucc_half_type.h makes the types and functions of cuda_fp16.h and cuda_bf16.h.
 */
#ifndef CPUCC_HALF_H
#define CPUCC_HALF_H
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device begin

CPUCC_FN unsigned cpucc_float_word(float f)
{
    unsigned u;
    __builtin_memcpy(&u, &f, sizeof u);
    return u;
}
CPUCC_FN float cpucc_word_float(unsigned u)
{
    float f;
    __builtin_memcpy(&f, &u, sizeof f);
    return f;
}

CPUCC_FN unsigned short cpucc_bf16_bits(float f)
{
    unsigned u = cpucc_float_word(f);
    if ((u & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
CPUCC_FN float cpucc_bf16_value(unsigned short b) { return cpucc_word_float((unsigned)b << 16); }

/* The float's nearest half, as bits; ties go to even. */
CPUCC_FN unsigned short cpucc_half_bits(float f)
{
    unsigned u = cpucc_float_word(f), sign = u >> 16 & 0x8000;
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
    unsigned __kept = significand >> shift, __rest = significand & ((1u << shift) - 1);
    unsigned half = 1u << (shift - 1);
    __kept += __rest > half || (__rest == half && (__kept & 1));
    return (unsigned short)(sign | (((unsigned)exponent << 10) + __kept));
}
CPUCC_FN float cpucc_half_value(unsigned short h)
{
    unsigned sign = (unsigned)(h & 0x8000) << 16, e = h >> 10 & 31, __m = h & 0x3ff;
    if (e == 31)
        return cpucc_word_float(sign | 0x7f800000 | __m << 13);
    if (e)
        return cpucc_word_float(sign | (e + 112) << 23 | __m << 13);
    return cpucc_word_float(sign | cpucc_float_word((float)__m * 0x1p-24f));
}

/* The bits of `nearest`, or of its neighbour if `nearest` lies on the wrong side of `exact` for the
 * rounding direction (float_formats.h). */
CPUCC_FN unsigned short cpucc_other_side(unsigned short __nearest, float __rounded, double __exact,
                                         int __direction)
{
    if (__rounded == __exact || __rounded != __rounded)
        return __nearest;
    bool __above = __rounded > __exact,
         __up = __direction == 2 || (__direction == 1 && __exact < 0);
    if (__above == __up)
        return __nearest;
    /* One step: adding 1 to the bits moves away from zero, subtracting 1 towards zero. */
    bool __negative = __nearest & 0x8000;
    if ((__nearest & 0x7fff) == 0)
        return (unsigned short)(__up ? 0x0001 : 0x8001);
    return (unsigned short)(__nearest + ((__up != __negative) ? 1 : -1));
}
#pragma clang force_cuda_host_device end
#endif
