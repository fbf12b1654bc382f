/*
 * Defines one 16-bit type, its pair and their functions (CUDA Math API, "Half Precision" and
 * "Bfloat16 Precision"). cuda_fp16.h and cuda_bf16.h define these macros before they include it:
 *
 *   CPUCC_T, CPUCC_T2, CPUCC_TR, CPUCC_T2R      the types: __half, __half2, __half_raw, __half2_raw
 *   N, N2               their names within function names: half, half2
 *   CPUCC_BITS, CPUCC_VALUE   conversions from and to float
 *
 * Arithmetic is done in float and rounded once, as in the device's single operations.
 */
struct CPUCC_TR {
    unsigned short x;
};
struct CPUCC_T2R {
    unsigned short x, y;
};

struct CPUCC_T {
    unsigned short __x;
    CPUCC_T() = default;
    CPUCC_T(float f) : __x(CPUCC_BITS(f)) {}
    CPUCC_T(double f) : __x(0)
    {
        float __near = (float)f; /* rounds twice: wrong only if the first rounding makes a tie */
        if (__near != f && (cpucc_float_word(__near) & 0xfff) == 0)
            __near =
                cpucc_word_float(cpucc_float_word(__near) + ((__near < f) == (f > 0) ? 1u : -1u));
        __x = CPUCC_BITS(__near);
    }
    CPUCC_T(int v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(unsigned v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(short v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(unsigned short v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(long v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(unsigned long v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(long long v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(unsigned long long v) : __x(CPUCC_BITS((float)v)) {}
    CPUCC_T(CPUCC_TR __r) : __x(__r.x) {}
    operator float() const { return CPUCC_VALUE(__x); }
    operator CPUCC_TR() const { return {__x}; }
};
struct __attribute__((__aligned__(4), __trivial_abi__)) CPUCC_T2 {
    CPUCC_T x, y;
    CPUCC_T2() = default;
    CPUCC_T2(const CPUCC_T &a, const CPUCC_T &b) : x(a), y(b) {}
    CPUCC_T2(const CPUCC_T2R &__r) : x(CPUCC_TR{__r.x}), y(CPUCC_TR{__r.y}) {}
    operator CPUCC_T2R() const { return {x.__x, y.__x}; }
    CPUCC_WHOLE_COPY(CPUCC_T2, 4)
};

/* ---- conversions ---- */

CPUCC_FN CPUCC_T CPUCC_NAME(__float2, )(float f) { return CPUCC_T(f); }
CPUCC_FN CPUCC_T CPUCC_NAME(__double2, )(double f) { return CPUCC_T(f); }
CPUCC_FN float CPUCC_NAME(__, 2float)(CPUCC_T h) { return CPUCC_VALUE(h.__x); }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__float2, _rn)(float f) { return CPUCC_T2(CPUCC_T(f), CPUCC_T(f)); }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__floats2, _rn)(float a, float b)
{
    return CPUCC_T2(CPUCC_T(a), CPUCC_T(b));
}
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__float22, _rn)(float2 f)
{
    return CPUCC_T2(CPUCC_T(f.x), CPUCC_T(f.y));
}
CPUCC_FN float2 CPUCC_NAME2(__, 2float2)(CPUCC_T2 h) { return make_float2(h.x, h.y); }
CPUCC_FN CPUCC_T2 CPUCC_TWICE(CPUCC_T a) { return CPUCC_T2(a, a); }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__halves2, )(CPUCC_T a, CPUCC_T b) { return CPUCC_T2(a, b); }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(make_, )(CPUCC_T a, CPUCC_T b) { return CPUCC_T2(a, b); }
CPUCC_FN CPUCC_T CPUCC_NAME(__low2, )(CPUCC_T2 h) { return h.x; }
CPUCC_FN CPUCC_T CPUCC_NAME(__high2, )(CPUCC_T2 h) { return h.y; }
CPUCC_FN float __low2float(CPUCC_T2 h) { return h.x; }
CPUCC_FN float __high2float(CPUCC_T2 h) { return h.y; }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__low2, )(CPUCC_T2 h) { return CPUCC_T2(h.x, h.x); }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__high2, )(CPUCC_T2 h) { return CPUCC_T2(h.y, h.y); }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__lows2, )(CPUCC_T2 a, CPUCC_T2 b) { return CPUCC_T2(a.x, b.x); }
CPUCC_FN CPUCC_T2 CPUCC_NAME2(__highs2, )(CPUCC_T2 a, CPUCC_T2 b) { return CPUCC_T2(a.y, b.y); }
CPUCC_FN CPUCC_T2 __lowhigh2highlow(CPUCC_T2 a) { return CPUCC_T2(a.y, a.x); }
CPUCC_FN unsigned short CPUCC_NAME(__, _as_ushort)(CPUCC_T h) { return h.__x; }
CPUCC_FN short CPUCC_NAME(__, _as_short)(CPUCC_T h) { return (short)h.__x; }
CPUCC_FN CPUCC_T CPUCC_NAME(__ushort_as_, )(unsigned short b) { return CPUCC_T(CPUCC_TR{b}); }
CPUCC_FN CPUCC_T CPUCC_NAME(__short_as_, )(short b) { return CPUCC_T(CPUCC_TR{(unsigned short)b}); }

#define CPUCC_FROM(from, _F, suffix, __direction)                                                  \
    CPUCC_FN CPUCC_T CPUCC_NAME(from, _##suffix)(_F v)                                             \
    {                                                                                              \
        CPUCC_T __near((float)v);                                                                  \
        return CPUCC_T(CPUCC_TR{cpucc_other_side(__near.__x, __near, (double)v, __direction)});    \
    }
#define CPUCC_FROM_ALL(from, _F)                                                                   \
    CPUCC_FN CPUCC_T CPUCC_NAME(from, _rn)(_F v) { return CPUCC_T((float)v); }                     \
    CPUCC_FROM(from, _F, rz, 1) CPUCC_FROM(from, _F, ru, 2) CPUCC_FROM(from, _F, rd, 3)
CPUCC_FROM_ALL(__float2, float)
CPUCC_FROM_ALL(__int2, int)
CPUCC_FROM_ALL(__uint2, unsigned)
CPUCC_FROM_ALL(__short2, short)
CPUCC_FROM_ALL(__ushort2, unsigned short)
CPUCC_FROM_ALL(__ll2, long long)
CPUCC_FROM_ALL(__ull2, unsigned long long)
#ifdef __CUDACC__
#define CPUCC_TO(to, _I)                                                                           \
    CPUCC_FN _I CPUCC_NAME(__, 2##to##_rn)(CPUCC_T h) { return cpucc_to_integer<_I>(rintf(h)); }   \
    CPUCC_FN _I CPUCC_NAME(__, 2##to##_rz)(CPUCC_T h) { return cpucc_to_integer<_I>(truncf(h)); }  \
    CPUCC_FN _I CPUCC_NAME(__, 2##to##_ru)(CPUCC_T h) { return cpucc_to_integer<_I>(ceilf(h)); }   \
    CPUCC_FN _I CPUCC_NAME(__, 2##to##_rd)(CPUCC_T h) { return cpucc_to_integer<_I>(floorf(h)); }
CPUCC_TO(int, int)
CPUCC_TO(uint, unsigned)
CPUCC_TO(short, short)
CPUCC_TO(ushort, unsigned short)
CPUCC_TO(ll, long long)
CPUCC_TO(ull, unsigned long long)
#undef CPUCC_TO
#endif
#undef CPUCC_FROM
#undef CPUCC_FROM_ALL

/* ---- arithmetic ---- */

CPUCC_FN float cpucc_saturated(CPUCC_T, float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
CPUCC_FN CPUCC_T __hadd(CPUCC_T a, CPUCC_T b) { return CPUCC_T((float)a + (float)b); }
CPUCC_FN CPUCC_T __hsub(CPUCC_T a, CPUCC_T b) { return CPUCC_T((float)a - (float)b); }
CPUCC_FN CPUCC_T __hmul(CPUCC_T a, CPUCC_T b) { return CPUCC_T((float)a * (float)b); }
CPUCC_FN CPUCC_T __hdiv(CPUCC_T a, CPUCC_T b) { return CPUCC_T((float)a / (float)b); }
CPUCC_FN CPUCC_T __hfma(CPUCC_T a, CPUCC_T b, CPUCC_T c)
{
    return CPUCC_T(fma((double)(float)a, (double)(float)b, (double)(float)c));
}
CPUCC_FN CPUCC_T __hneg(CPUCC_T a) { return CPUCC_T(CPUCC_TR{(unsigned short)(a.__x ^ 0x8000)}); }
CPUCC_FN CPUCC_T __habs(CPUCC_T a) { return CPUCC_T(CPUCC_TR{(unsigned short)(a.__x & 0x7fff)}); }
CPUCC_FN CPUCC_T __hadd_rn(CPUCC_T a, CPUCC_T b) { return __hadd(a, b); }
CPUCC_FN CPUCC_T __hsub_rn(CPUCC_T a, CPUCC_T b) { return __hsub(a, b); }
CPUCC_FN CPUCC_T __hmul_rn(CPUCC_T a, CPUCC_T b) { return __hmul(a, b); }
CPUCC_FN CPUCC_T __hadd_sat(CPUCC_T a, CPUCC_T b)
{
    return CPUCC_T(cpucc_saturated(a, (float)a + (float)b));
}
CPUCC_FN CPUCC_T __hsub_sat(CPUCC_T a, CPUCC_T b)
{
    return CPUCC_T(cpucc_saturated(a, (float)a - (float)b));
}
CPUCC_FN CPUCC_T __hmul_sat(CPUCC_T a, CPUCC_T b)
{
    return CPUCC_T(cpucc_saturated(a, (float)a * (float)b));
}
CPUCC_FN CPUCC_T __hfma_sat(CPUCC_T a, CPUCC_T b, CPUCC_T c)
{
    return CPUCC_T(cpucc_saturated(a, __hfma(a, b, c)));
}
CPUCC_FN CPUCC_T __hfma_relu(CPUCC_T a, CPUCC_T b, CPUCC_T c)
{
    CPUCC_T v = __hfma(a, b, c);
    return (float)v < 0 ? CPUCC_T(0.0f) : v;
}

/* ---- comparisons; names that end in `u` hold if an operand is NaN ---- */

CPUCC_FN bool __hisnan(CPUCC_T a) { return (float)a != (float)a; }
CPUCC_FN int __hisinf(CPUCC_T a)
{
    float v = a;
    return v == __builtin_inff() ? 1 : v == -__builtin_inff() ? -1 : 0;
}
#define CPUCC_COMPARE(name, sign)                                                                  \
    CPUCC_FN bool __h##name(CPUCC_T a, CPUCC_T b) { return (float)a sign(float) b; }               \
    CPUCC_FN bool __h##name##u(CPUCC_T a, CPUCC_T b)                                               \
    {                                                                                              \
        return __hisnan(a) || __hisnan(b) || (float)a sign(float) b;                               \
    }                                                                                              \
    CPUCC_FN CPUCC_T2 __h##name##2(CPUCC_T2 a, CPUCC_T2 b)                                         \
    {                                                                                              \
        return CPUCC_T2(CPUCC_T(__h##name(a.x, b.x) ? 1.0f : 0.0f),                                \
                        CPUCC_T(__h##name(a.y, b.y) ? 1.0f : 0.0f));                               \
    }                                                                                              \
    CPUCC_FN CPUCC_T2 __h##name##u2(CPUCC_T2 a, CPUCC_T2 b)                                        \
    {                                                                                              \
        return CPUCC_T2(CPUCC_T(__h##name##u(a.x, b.x) ? 1.0f : 0.0f),                             \
                        CPUCC_T(__h##name##u(a.y, b.y) ? 1.0f : 0.0f));                            \
    }                                                                                              \
    CPUCC_FN unsigned __h##name##2_mask(CPUCC_T2 a, CPUCC_T2 b)                                    \
    {                                                                                              \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    CPUCC_FN bool __hb##name##2(CPUCC_T2 a, CPUCC_T2 b)                                            \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    CPUCC_FN bool __hb##name##u2(CPUCC_T2 a, CPUCC_T2 b)                                           \
    {                                                                                              \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                   \
    }
CPUCC_COMPARE(eq, ==)
CPUCC_COMPARE(lt, <)
CPUCC_COMPARE(le, <=)
CPUCC_COMPARE(gt, >)
CPUCC_COMPARE(ge, >=)
#undef CPUCC_COMPARE
CPUCC_FN bool __hne(CPUCC_T a, CPUCC_T b)
{
    return !__hisnan(a) && !__hisnan(b) && (float)a != (float)b;
}
CPUCC_FN bool __hneu(CPUCC_T a, CPUCC_T b) { return (float)a != (float)b; }
CPUCC_FN CPUCC_T2 __hne2(CPUCC_T2 a, CPUCC_T2 b)
{
    return CPUCC_T2(CPUCC_T(__hne(a.x, b.x) ? 1.0f : 0.0f), CPUCC_T(__hne(a.y, b.y) ? 1.0f : 0.0f));
}
CPUCC_FN bool __hbne2(CPUCC_T2 a, CPUCC_T2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
CPUCC_FN CPUCC_T2 __hisnan2(CPUCC_T2 a)
{
    return CPUCC_T2(CPUCC_T(__hisnan(a.x) ? 1.0f : 0.0f), CPUCC_T(__hisnan(a.y) ? 1.0f : 0.0f));
}
CPUCC_FN CPUCC_T __hmax(CPUCC_T a, CPUCC_T b) { return CPUCC_T(fmaxf(a, b)); }
CPUCC_FN CPUCC_T __hmin(CPUCC_T a, CPUCC_T b) { return CPUCC_T(fminf(a, b)); }
CPUCC_FN CPUCC_T __hmax_nan(CPUCC_T a, CPUCC_T b)
{
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);
}
CPUCC_FN CPUCC_T __hmin_nan(CPUCC_T a, CPUCC_T b)
{
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);
}

/* ---- mathematics ---- */

#define CPUCC_MATH(name, expression)                                                               \
    CPUCC_FN CPUCC_T h##name(CPUCC_T a)                                                            \
    {                                                                                              \
        float v = a;                                                                               \
        return CPUCC_T(expression);                                                                \
    }                                                                                              \
    CPUCC_FN CPUCC_T2 h2##name(CPUCC_T2 a) { return CPUCC_T2(h##name(a.x), h##name(a.y)); }
CPUCC_MATH(ceil, ceilf(v))
CPUCC_MATH(floor, floorf(v))
CPUCC_MATH(rint, rintf(v))
CPUCC_MATH(trunc, truncf(v))
CPUCC_MATH(cos, cosf(v))
CPUCC_MATH(sin, sinf(v))
CPUCC_MATH(tanh, tanhf(v))
CPUCC_MATH(exp, expf(v))
CPUCC_MATH(exp2, exp2f(v))
CPUCC_MATH(exp10, exp10f(v))
CPUCC_MATH(log, logf(v))
CPUCC_MATH(log2, log2f(v))
CPUCC_MATH(log10, log10f(v))
CPUCC_MATH(sqrt, sqrtf(v))
CPUCC_MATH(rsqrt, 1 / sqrtf(v))
CPUCC_MATH(rcp, 1 / v)
CPUCC_FN CPUCC_T htanh_approx(CPUCC_T a) { return htanh(a); }
CPUCC_FN CPUCC_T2 h2tanh_approx(CPUCC_T2 a) { return h2tanh(a); }
#undef CPUCC_MATH

/* ---- pairs ---- */

#define CPUCC_PAIR(name, __of)                                                                     \
    CPUCC_FN CPUCC_T2 name(CPUCC_T2 a, CPUCC_T2 b)                                                 \
    {                                                                                              \
        return CPUCC_T2(__of(a.x, b.x), __of(a.y, b.y));                                           \
    }
CPUCC_PAIR(__hadd2, __hadd)
CPUCC_PAIR(__hsub2, __hsub)
CPUCC_PAIR(__hmul2, __hmul)
CPUCC_PAIR(__h2div, __hdiv)
CPUCC_PAIR(__hadd2_rn, __hadd)
CPUCC_PAIR(__hsub2_rn, __hsub)
CPUCC_PAIR(__hmul2_rn, __hmul)
CPUCC_PAIR(__hadd2_sat, __hadd_sat)
CPUCC_PAIR(__hsub2_sat, __hsub_sat)
CPUCC_PAIR(__hmul2_sat, __hmul_sat)
CPUCC_PAIR(__hmax2, __hmax)
CPUCC_PAIR(__hmin2, __hmin)
CPUCC_PAIR(__hmax2_nan, __hmax_nan)
CPUCC_PAIR(__hmin2_nan, __hmin_nan)
#undef CPUCC_PAIR
#define CPUCC_TRIPLE(name, __of)                                                                   \
    CPUCC_FN CPUCC_T2 name(CPUCC_T2 a, CPUCC_T2 b, CPUCC_T2 c)                                     \
    {                                                                                              \
        return CPUCC_T2(__of(a.x, b.x, c.x), __of(a.y, b.y, c.y));                                 \
    }
CPUCC_TRIPLE(__hfma2, __hfma)
CPUCC_TRIPLE(__hfma2_sat, __hfma_sat)
CPUCC_TRIPLE(__hfma2_relu, __hfma_relu)
#undef CPUCC_TRIPLE
CPUCC_FN CPUCC_T2 __hneg2(CPUCC_T2 a) { return CPUCC_T2(__hneg(a.x), __hneg(a.y)); }
CPUCC_FN CPUCC_T2 __habs2(CPUCC_T2 a) { return CPUCC_T2(__habs(a.x), __habs(a.y)); }
/* a * b + c of complex numbers */
CPUCC_FN CPUCC_T2 __hcmadd(CPUCC_T2 a, CPUCC_T2 b, CPUCC_T2 c)
{
    return CPUCC_T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                    __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* ---- operators ---- */

#define CPUCC_OPERATOR(sign, __of, of2)                                                            \
    CPUCC_FN CPUCC_T operator sign(const CPUCC_T &a, const CPUCC_T &b) { return __of(a, b); }      \
    CPUCC_FN CPUCC_T &operator sign##=(CPUCC_T &a, const CPUCC_T &b) { return a = __of(a, b); }    \
    CPUCC_FN CPUCC_T2 operator sign(const CPUCC_T2 &a, const CPUCC_T2 &b) { return of2(a, b); }    \
    CPUCC_FN CPUCC_T2 &operator sign##=(CPUCC_T2 &a, const CPUCC_T2 &b) { return a = of2(a, b); }
CPUCC_OPERATOR(+, __hadd, __hadd2)
CPUCC_OPERATOR(-, __hsub, __hsub2)
CPUCC_OPERATOR(*, __hmul, __hmul2)
CPUCC_OPERATOR(/, __hdiv, __h2div)
#undef CPUCC_OPERATOR
CPUCC_FN CPUCC_T operator-(const CPUCC_T &a) { return __hneg(a); }
CPUCC_FN CPUCC_T operator+(const CPUCC_T &a) { return a; }
CPUCC_FN CPUCC_T2 operator-(const CPUCC_T2 &a) { return __hneg2(a); }
CPUCC_FN CPUCC_T2 operator+(const CPUCC_T2 &a) { return a; }
CPUCC_FN CPUCC_T &operator++(CPUCC_T &a) { return a = __hadd(a, CPUCC_T(1.0f)); }
CPUCC_FN CPUCC_T &operator--(CPUCC_T &a) { return a = __hsub(a, CPUCC_T(1.0f)); }
CPUCC_FN CPUCC_T operator++(CPUCC_T &a, int)
{
    CPUCC_T __old = a;
    a = __hadd(a, CPUCC_T(1.0f));
    return __old;
}
CPUCC_FN CPUCC_T operator--(CPUCC_T &a, int)
{
    CPUCC_T __old = a;
    a = __hsub(a, CPUCC_T(1.0f));
    return __old;
}
CPUCC_FN bool operator==(const CPUCC_T2 &a, const CPUCC_T2 &b) { return __hbeq2(a, b); }
CPUCC_FN bool operator!=(const CPUCC_T2 &a, const CPUCC_T2 &b) { return !__hbeq2(a, b); }
CPUCC_FN bool operator<(const CPUCC_T2 &a, const CPUCC_T2 &b) { return __hblt2(a, b); }
CPUCC_FN bool operator<=(const CPUCC_T2 &a, const CPUCC_T2 &b) { return __hble2(a, b); }
CPUCC_FN bool operator>(const CPUCC_T2 &a, const CPUCC_T2 &b) { return __hbgt2(a, b); }
CPUCC_FN bool operator>=(const CPUCC_T2 &a, const CPUCC_T2 &b) { return __hbge2(a, b); }

#undef CPUCC_T
#undef CPUCC_T2
#undef CPUCC_TR
#undef CPUCC_T2R
#undef CPUCC_NAME
#undef CPUCC_NAME2
#undef CPUCC_TWICE
#undef CPUCC_BITS
#undef CPUCC_VALUE
