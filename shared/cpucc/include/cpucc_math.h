/*
 * Part of cpucc_device.h: arithmetic that C lacks. Functions with a rounding direction,
 * conversions, further mathematical functions, integer intrinsics, SIMD within a word (CUDA Math
 * API).
 */
#ifndef CPUCC_MATH_H
#define CPUCC_MATH_H

extern "C" {
float cpucc_directed_float(int __operation, int __direction, float a, float b, float c);
double cpucc_directed_double(int __operation, int __direction, double a, double b, double c);
float cpucc_double_to_float(double v, int __direction);
float cpucc_signed_to_float(long long v, int __direction);
float cpucc_unsigned_to_float(unsigned long long v, int __direction);
double cpucc_signed_to_double(long long v, int __direction);
double cpucc_unsigned_to_double(unsigned long long v, int __direction);
}

/* ---- rounding: float_formats.c numbers the operations and directions ---- */

CPUCC_FN float __fadd_rn(float a, float b) { return a + b; }
CPUCC_FN float __fsub_rn(float a, float b) { return a - b; }
CPUCC_FN float __fmul_rn(float a, float b) { return a * b; }
CPUCC_FN float __fdiv_rn(float a, float b) { return a / b; }
CPUCC_FN float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
CPUCC_FN float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
CPUCC_FN float __fsqrt_rn(float a) { return sqrtf(a); }
CPUCC_FN float __frcp_rn(float a) { return 1 / a; }
CPUCC_FN float __frsqrt_rn(float a) { return (float)(1 / sqrt((double)a)); }
CPUCC_FN double __dadd_rn(double a, double b) { return a + b; }
CPUCC_FN double __dsub_rn(double a, double b) { return a - b; }
CPUCC_FN double __dmul_rn(double a, double b) { return a * b; }
CPUCC_FN double __ddiv_rn(double a, double b) { return a / b; }
CPUCC_FN double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
CPUCC_FN double __dsqrt_rn(double a) { return sqrt(a); }
CPUCC_FN double __drcp_rn(double a) { return 1 / a; }
#define CPUCC_DIRECTED(T, f, d, fma_name, __function, suffix, __direction)                         \
    CPUCC_FN T __##d##add_##suffix(T a, T b) { return __function(0, __direction, a, b, 0); }       \
    CPUCC_FN T __##d##sub_##suffix(T a, T b) { return __function(1, __direction, a, b, 0); }       \
    CPUCC_FN T __##d##mul_##suffix(T a, T b) { return __function(2, __direction, a, b, 0); }       \
    CPUCC_FN T __##d##div_##suffix(T a, T b) { return __function(3, __direction, a, b, 0); }       \
    CPUCC_FN T __##d##sqrt_##suffix(T a) { return __function(4, __direction, a, 0, 0); }           \
    CPUCC_FN T __##d##rcp_##suffix(T a) { return __function(3, __direction, 1, a, 0); }            \
    CPUCC_FN T fma_name##_##suffix(T a, T b, T c) { return __function(5, __direction, a, b, c); }
#define CPUCC_DIRECTIONS(T, d, fma_name, __function)                                               \
    CPUCC_DIRECTED(T, f, d, fma_name, __function, rz, 1)                                           \
    CPUCC_DIRECTED(T, f, d, fma_name, __function, ru, 2)                                           \
    CPUCC_DIRECTED(T, f, d, fma_name, __function, rd, 3)
CPUCC_DIRECTIONS(float, f, __fmaf, cpucc_directed_float)
CPUCC_DIRECTIONS(double, d, __fma, cpucc_directed_double)

/* ---- conversions: to integers they saturate, and NaN becomes 0 (2^63 for 64-bit results and
 * double sources; PTX ISA, "cvt") ---- */

template <class _I, class _F>
CPUCC_FN _I cpucc_to_integer(_F v)
{
    const bool is_signed = (_I)-1 < (_I)0;
    const int __bits = 8 * sizeof(_I) - is_signed;
    const _F __top = (_F)(1ull << (__bits - 1)) * 2;
    if (v != v)
        return sizeof(_I) == 8 || sizeof(_F) == 8 ? (_I)(1ull << (8 * sizeof(_I) - 1)) : 0;
    if (v >= __top)
        return is_signed ? (_I)((1ull << __bits) - 1) : (_I)~0ull;
    if (v < (is_signed ? -__top : 0))
        return is_signed ? (_I)(1ull << __bits) : 0;
    return (_I)v;
}
#define CPUCC_TO_INTEGER(from, _F, to, _I, round)                                                  \
    CPUCC_FN _I __##from##2##to##_rn(_F v) { return cpucc_to_integer<_I>(rint##round(v)); }        \
    CPUCC_FN _I __##from##2##to##_rz(_F v) { return cpucc_to_integer<_I>(trunc##round(v)); }       \
    CPUCC_FN _I __##from##2##to##_ru(_F v) { return cpucc_to_integer<_I>(ceil##round(v)); }        \
    CPUCC_FN _I __##from##2##to##_rd(_F v) { return cpucc_to_integer<_I>(floor##round(v)); }
#define CPUCC_NO_SUFFIX
CPUCC_TO_INTEGER(float, float, int, int, f)
CPUCC_TO_INTEGER(float, float, uint, unsigned, f)
CPUCC_TO_INTEGER(float, float, ll, long long, f)
CPUCC_TO_INTEGER(float, float, ull, unsigned long long, f)
CPUCC_TO_INTEGER(double, double, int, int, )
CPUCC_TO_INTEGER(double, double, uint, unsigned, )
CPUCC_TO_INTEGER(double, double, ll, long long, )
CPUCC_TO_INTEGER(double, double, ull, unsigned long long, )

#define CPUCC_TO_FLOAT(name, _I, _F, __function)                                                   \
    CPUCC_FN _F name##_rn(_I v) { return (_F)v; }                                                  \
    CPUCC_FN _F name##_rz(_I v) { return __function(v, 1); }                                       \
    CPUCC_FN _F name##_ru(_I v) { return __function(v, 2); }                                       \
    CPUCC_FN _F name##_rd(_I v) { return __function(v, 3); }
CPUCC_TO_FLOAT(__int2float, int, float, cpucc_signed_to_float)
CPUCC_TO_FLOAT(__uint2float, unsigned, float, cpucc_unsigned_to_float)
CPUCC_TO_FLOAT(__ll2float, long long, float, cpucc_signed_to_float)
CPUCC_TO_FLOAT(__ull2float, unsigned long long, float, cpucc_unsigned_to_float)
CPUCC_TO_FLOAT(__ll2double, long long, double, cpucc_signed_to_double)
CPUCC_TO_FLOAT(__ull2double, unsigned long long, double, cpucc_unsigned_to_double)
CPUCC_TO_FLOAT(__double2float, double, float, cpucc_double_to_float)
CPUCC_FN double __int2double_rn(int v) { return v; }
CPUCC_FN double __uint2double_rn(unsigned v) { return v; }
CPUCC_FN int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
CPUCC_FN int __double2loint(double v) { return (int)__double_as_longlong(v); }
CPUCC_FN double __hiloint2double(int __high, int __low)
{
    return __longlong_as_double((long long)((unsigned long long)__high << 32 | (unsigned)__low));
}

/* ---- functions that C lacks ---- */

CPUCC_FN float __saturatef(float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
CPUCC_FN float __fdividef(float a, float b) { return a / b; }
CPUCC_FN float fdividef(float a, float b) { return a / b; }
CPUCC_FN double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
CPUCC_FN float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
CPUCC_FN double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
CPUCC_FN float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
CPUCC_FN double norm4d(double a, double b, double c, double d)
{
    return sqrt(a * a + b * b + c * c + d * d);
}
CPUCC_FN float norm4df(float a, float b, float c, float d)
{
    return sqrtf(a * a + b * b + c * c + d * d);
}
CPUCC_FN double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
CPUCC_FN float rnorm4df(float a, float b, float c, float d) { return 1 / norm4df(a, b, c, d); }
CPUCC_FN double rhypot(double a, double b) { return 1 / hypot(a, b); }
CPUCC_FN float rhypotf(float a, float b) { return 1 / hypotf(a, b); }
CPUCC_FN void sincospi(double a, double *s, double *c) { *s = sinpi(a), *c = cospi(a); }
CPUCC_FN void sincospif(float a, float *s, float *c) { *s = sinpif(a), *c = cospif(a); }
/* The C library's write their results where no access is counted. */
CPUCC_FN void cpucc_sincos(double a, double *s, double *c) { *s = sin(a), *c = cos(a); }
CPUCC_FN void cpucc_sincosf(float a, float *s, float *c) { *s = sinf(a), *c = cosf(a); }
CPUCC_FN void __sincosf(float a, float *s, float *c) { cpucc_sincosf(a, s, c); }
#define sincos(a, s, c) cpucc_sincos(a, s, c)
#define sincosf(a, s, c) cpucc_sincosf(a, s, c)
CPUCC_FN double normcdf(double a) { return 0.5 * erfc(-a * 0.70710678118654752440); }
CPUCC_FN float normcdff(float a) { return (float)normcdf((double)a); }
CPUCC_FN double erfcx(double a) { return exp(a * a) * erfc(a); }
CPUCC_FN float erfcxf(float a) { return (float)erfcx((double)a); }
/* The inverse of erf, by bisection. */
CPUCC_FN double erfinv(double a)
{
    if (!(a > -1 && a < 1))
        return a == 1 ? 1 / 0.0 : a == -1 ? -1 / 0.0 : 0 / 0.0;
    double __low = -6, __high = 6;
    for (int __i = 0; __i < 200 && __low < __high; __i++) {
        double __middle = 0.5 * (__low + __high);
        if (__middle == __low || __middle == __high)
            break;
        (erf(__middle) < a ? __low : __high) = __middle;
    }
    return 0.5 * (__low + __high);
}
CPUCC_FN float erfinvf(float a) { return (float)erfinv((double)a); }
CPUCC_FN double erfcinv(double a) { return erfinv(1 - a); }
CPUCC_FN float erfcinvf(float a) { return (float)erfcinv((double)a); }
CPUCC_FN double normcdfinv(double a) { return -1.41421356237309504880 * erfcinv(2 * a); }
CPUCC_FN float normcdfinvf(float a) { return (float)normcdfinv((double)a); }

/* ---- integers ---- */

CPUCC_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    uint64_t v = (uint64_t)b << 32 | a;
    unsigned __r = 0;
    for (int __i = 0; __i < 4; __i++)
        __r |= (unsigned)(v >> (s >> 4 * __i & 7) * 8 & 0xff) << 8 * __i;
    return __r;
}
CPUCC_FN unsigned __sad(int a, int b, unsigned c)
{
    return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
CPUCC_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
CPUCC_FN long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
CPUCC_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
CPUCC_FN int mulhi(int a, int b) { return __mulhi(a, b); }
CPUCC_FN int mul24(int a, int b) { return __mul24(a, b); }
CPUCC_FN unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
CPUCC_FN int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
CPUCC_FN int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
CPUCC_FN unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((uint64_t)a + b) >> 1); }
CPUCC_FN unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((uint64_t)a + b + 1) >> 1);
}
CPUCC_FN unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s)
{
    s = s < 32 ? s : 32;
    return s == 32 ? lo : __funnelshift_l(lo, hi, s);
}
CPUCC_FN unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s)
{
    s = s < 32 ? s : 32;
    return s == 32 ? hi : __funnelshift_r(lo, hi, s);
}
CPUCC_FN unsigned __fns(unsigned mask, unsigned base, int offset)
{
    int __at = (int)base, __step = offset < 0 ? -1 : 1, __left = offset < 0 ? -offset : offset;
    if (!__left)
        return mask >> __at & 1 ? (unsigned)__at : ~0u;
    for (; __at >= 0 && __at < 32; __at += __step)
        if (mask >> __at & 1 && --__left == 0)
            return (unsigned)__at;
    return ~0u;
}

/* ---- lanes within a word: 4 bytes or 2 halves ---- */

template <int _BITS, class _S, class _F>
CPUCC_FN unsigned cpucc_lanes(unsigned a, unsigned b, _F f)
{
    unsigned __r = 0, mask = (unsigned)((1ull << _BITS) - 1);
    for (int __i = 0; __i < 32; __i += _BITS)
        __r |= ((unsigned)f((int)(_S)(a >> __i & mask), (int)(_S)(b >> __i & mask)) & mask) << __i;
    return __r;
}
template <int _BITS, class _S>
CPUCC_FN unsigned cpucc_differences(unsigned a, unsigned b)
{
    unsigned __sum = 0, mask = (unsigned)((1ull << _BITS) - 1);
    for (int __i = 0; __i < 32; __i += _BITS) {
        int d = (int)(_S)(a >> __i & mask) - (int)(_S)(b >> __i & mask);
        __sum += (unsigned)(d < 0 ? -d : d);
    }
    return __sum;
}
#define CPUCC_LANES(name, n, _BITS, _S, expression)                                                \
    CPUCC_FN unsigned name##n(unsigned a, unsigned b)                                              \
    {                                                                                              \
        return cpucc_lanes<_BITS, _S>(a, b, [](int x, int y) { return expression; });              \
    }
#define CPUCC_LANES_COMPARE(name, n, _BITS, _S, expression)                                        \
    CPUCC_LANES(__vcmp##name, n, _BITS, _S, (expression) ? -1 : 0)                                 \
    CPUCC_LANES(__vset##name, n, _BITS, _S, (expression) ? 1 : 0)
#define CPUCC_WORD(n, _BITS, _I, U, LOW, HIGH, TOP)                                                \
    CPUCC_LANES(__vadd, n, _BITS, U, x + y)                                                        \
    CPUCC_LANES(__vsub, n, _BITS, U, x - y)                                                        \
    CPUCC_LANES(__vaddss, n, _BITS, _I, x + y < LOW ? LOW : x + y > HIGH ? HIGH : x + y)           \
    CPUCC_LANES(__vsubss, n, _BITS, _I, x - y < LOW ? LOW : x - y > HIGH ? HIGH : x - y)           \
    CPUCC_LANES(__vaddus, n, _BITS, U, x + y > TOP ? TOP : x + y)                                  \
    CPUCC_LANES(__vsubus, n, _BITS, U, x < y ? 0 : x - y)                                          \
    CPUCC_LANES(__vavgs, n, _BITS, _I, (x + y + (x + y >= 0)) >> 1)                                \
    CPUCC_LANES(__vavgu, n, _BITS, U, (x + y + 1) >> 1)                                            \
    CPUCC_LANES(__vhaddu, n, _BITS, U, (x + y) >> 1)                                               \
    CPUCC_LANES(__vabsdiffs, n, _BITS, _I, x > y ? x - y : y - x)                                  \
    CPUCC_LANES(__vabsdiffu, n, _BITS, U, x > y ? x - y : y - x)                                   \
    CPUCC_LANES(__vmaxs, n, _BITS, _I, x > y ? x : y)                                              \
    CPUCC_LANES(__vmaxu, n, _BITS, U, x > y ? x : y)                                               \
    CPUCC_LANES(__vmins, n, _BITS, _I, x < y ? x : y)                                              \
    CPUCC_LANES(__vminu, n, _BITS, U, x < y ? x : y)                                               \
    CPUCC_LANES_COMPARE(eq, n, _BITS, U, x == y)                                                   \
    CPUCC_LANES_COMPARE(ne, n, _BITS, U, x != y)                                                   \
    CPUCC_LANES_COMPARE(ges, n, _BITS, _I, x >= y)                                                 \
    CPUCC_LANES_COMPARE(geu, n, _BITS, U, x >= y)                                                  \
    CPUCC_LANES_COMPARE(gts, n, _BITS, _I, x > y)                                                  \
    CPUCC_LANES_COMPARE(gtu, n, _BITS, U, x > y)                                                   \
    CPUCC_LANES_COMPARE(les, n, _BITS, _I, x <= y)                                                 \
    CPUCC_LANES_COMPARE(leu, n, _BITS, U, x <= y)                                                  \
    CPUCC_LANES_COMPARE(lts, n, _BITS, _I, x < y)                                                  \
    CPUCC_LANES_COMPARE(ltu, n, _BITS, U, x < y)                                                   \
    CPUCC_FN unsigned __vabs##n(unsigned a)                                                        \
    {                                                                                              \
        return cpucc_lanes<_BITS, _I>(a, 0, [](int x, int) { return x < 0 ? -x : x; });            \
    }                                                                                              \
    CPUCC_FN unsigned __vabsss##n(unsigned a)                                                      \
    {                                                                                              \
        return cpucc_lanes<_BITS, _I>(a, 0, [](int x, int) {                                       \
            return x == LOW ? HIGH : x < 0 ? -x : x;                                               \
        });                                                                                        \
    }                                                                                              \
    CPUCC_FN unsigned __vneg##n(unsigned a)                                                        \
    {                                                                                              \
        return cpucc_lanes<_BITS, _I>(a, 0, [](int x, int) { return -x; });                        \
    }                                                                                              \
    CPUCC_FN unsigned __vsads##n(unsigned a, unsigned b)                                           \
    {                                                                                              \
        return cpucc_differences<_BITS, _I>(a, b);                                                 \
    }                                                                                              \
    CPUCC_FN unsigned __vsadu##n(unsigned a, unsigned b)                                           \
    {                                                                                              \
        return cpucc_differences<_BITS, U>(a, b);                                                  \
    }
CPUCC_WORD(4, 8, signed char, unsigned char, -128, 127, 255)
CPUCC_WORD(2, 16, short, unsigned short, -32768, 32767, 65535)

/* c plus the products of a's bytes or 16-bit halves with b's bytes from byte `first` on. */
template <class _A, class _B>
CPUCC_FN int cpucc_dot(unsigned a, unsigned b, int c, int __a_bits, int first)
{
    for (int __i = 0; __i < 32 / __a_bits; __i++)
        c += (int)(_A)(a >> __i * __a_bits) * (int)(_B)(b >> (__i + first) * 8);
    return c;
}
CPUCC_FN int __dp4a(int a, int b, int c)
{
    return cpucc_dot<signed char, signed char>((unsigned)a, (unsigned)b, c, 8, 0);
}
CPUCC_FN unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    return (unsigned)cpucc_dot<unsigned char, unsigned char>(a, b, (int)c, 8, 0);
}
CPUCC_FN int __dp4a(char4 a, char4 b, int c)
{
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
CPUCC_FN unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return c + (unsigned)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
CPUCC_FN int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
CPUCC_FN int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
CPUCC_FN unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return c + (unsigned)a.x * b.x + (unsigned)a.y * b.y;
}
CPUCC_FN unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return c + (unsigned)a.x * b.z + (unsigned)a.y * b.w;
}
CPUCC_FN int __dp2a_lo(int a, int b, int c)
{
    return cpucc_dot<short, signed char>((unsigned)a, (unsigned)b, c, 16, 0);
}
CPUCC_FN int __dp2a_hi(int a, int b, int c)
{
    return cpucc_dot<short, signed char>((unsigned)a, (unsigned)b, c, 16, 2);
}
CPUCC_FN unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return (unsigned)cpucc_dot<unsigned short, unsigned char>(a, b, (int)c, 16, 0);
}
CPUCC_FN unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return (unsigned)cpucc_dot<unsigned short, unsigned char>(a, b, (int)c, 16, 2);
}
#undef CPUCC_LANES
#undef CPUCC_LANES_COMPARE
#undef CPUCC_WORD
#undef CPUCC_TO_INTEGER
#undef CPUCC_TO_FLOAT
#undef CPUCC_NO_SUFFIX
#undef CPUCC_DIRECTED
#undef CPUCC_DIRECTIONS

#endif
