/*
 * Floating-point operations for which the CPU has no instructions: conversions between float and
 * 16-bit formats, which round to nearest, ties to even; and arithmetic that rounds up, down or
 * towards zero.
 */
#include <fenv.h>
#include <math.h>
#include <string.h>
#include "float_formats.h"

float cpucc_half_to_float(uint16_t h)
{
    int e = h >> 10 & 31, m = h & 0x3ff;
    float v = e == 31 ? (m ? NAN : INFINITY)
              : e     ? ldexpf((float)(m | 0x400), e - 25)
                      : ldexpf((float)m, -24);
    return h & 0x8000 ? -v : v;
}

uint16_t cpucc_float_to_half(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
    float a = fabsf(f);
    if (f != f)
        return 0x7fff;
    if (a >= 65520.0f) /* rounds to infinity; the largest half is 65504 */
        return sign | 0x7c00;
    if (a < 0x1p-14f) /* subnormal: multiples of 2^-24; nearbyint takes ties to even */
        return (uint16_t)(sign | (uint16_t)nearbyintf(a * 0x1p24f));
    int e;
    float m = frexpf(a, &e); /* a = m * 2^e, 0.5 <= m < 1 */
    return (uint16_t)(sign + ((e + 14) << 10) + (int)nearbyintf(m * 2048) - 1024);
}

float cpucc_bf16_to_float(uint16_t b)
{
    uint32_t u = (uint32_t)b << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

uint16_t cpucc_float_to_bf16(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    if (f != f)
        return 0x7fff;
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

float cpucc_float_to_tf32(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    if ((u & 0x7f800000) != 0x7f800000)
        u = (u + 0x1000) & ~UINT32_C(0x1fff); /* cvt.rna: ties away from zero */
    memcpy(&f, &u, 4);
    return f;
}

/* ---- arithmetic with directed rounding ---- */

static const int directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

#define DIRECTED(name, T, square_root, multiply_add)                                               \
    T name(int operation, int direction, T a, T b, T c)                                            \
    {                                                                                              \
        volatile T x = a, y = b, z = c, r; /* prevents constant folding */                         \
        int before = fegetround();                                                                 \
        fesetround(directions[direction]);                                                         \
        switch (operation) {                                                                       \
        case CPUCC_ADD: r = x + y; break;                                                          \
        case CPUCC_SUB: r = x - y; break;                                                          \
        case CPUCC_MUL: r = x * y; break;                                                          \
        case CPUCC_DIV: r = x / y; break;                                                          \
        case CPUCC_SQRT: r = square_root(x); break;                                                \
        default: r = multiply_add(x, y, z);                                                        \
        }                                                                                          \
        fesetround(before);                                                                        \
        return r;                                                                                  \
    }
DIRECTED(cpucc_directed_float, float, sqrtf, fmaf)
DIRECTED(cpucc_directed_double, double, sqrt, fma)

#define CONVERSION(name, From, To)                                                                 \
    To name(From v, int direction)                                                                 \
    {                                                                                              \
        volatile From x = v;                                                                       \
        volatile To r;                                                                             \
        int before = fegetround();                                                                 \
        fesetround(directions[direction]);                                                         \
        r = (To)x;                                                                                 \
        fesetround(before);                                                                        \
        return r;                                                                                  \
    }
CONVERSION(cpucc_double_to_float, double, float)
CONVERSION(cpucc_signed_to_float, long long, float)
CONVERSION(cpucc_unsigned_to_float, unsigned long long, float)
CONVERSION(cpucc_signed_to_double, long long, double)
CONVERSION(cpucc_unsigned_to_double, unsigned long long, double)
