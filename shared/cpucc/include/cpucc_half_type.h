/*
 * Defines one 16-bit type, its pair and their functions (CUDA Math API, "Half Precision" and
 * "Bfloat16 Precision"). cuda_fp16.h and cuda_bf16.h define these macros before they include it:
 *
 *   T, T2, TR, T2R      the types: __half, __half2, __half_raw, __half2_raw
 *   N, N2               their names within function names: half, half2
 *   CPUCC_BITS, CPUCC_VALUE   conversions from and to float
 *
 * Arithmetic is done in float and rounded once, as in the device's single operations.
 */
#define CPUCC_J2(a, b) a##b
#define CPUCC_J(a, b) CPUCC_J2(a, b)
#define CPUCC_K(a, b, c) CPUCC_J(CPUCC_J(a, b), c)

struct TR {
    unsigned short x;
};
struct T2R {
    unsigned short x, y;
};

struct T {
    unsigned short __x;
    T() = default;
    T(float f) : __x(CPUCC_BITS(f)) {}
    T(double f) : __x(0)
    {
        float near = (float)f; /* rounds twice: wrong only if the first rounding makes a tie */
        if (near != f && (cpucc_float_word(near) & 0xfff) == 0)
            near = cpucc_word_float(cpucc_float_word(near) + ((near < f) == (f > 0) ? 1u : -1u));
        __x = CPUCC_BITS(near);
    }
    T(int v) : __x(CPUCC_BITS((float)v)) {}
    T(unsigned v) : __x(CPUCC_BITS((float)v)) {}
    T(short v) : __x(CPUCC_BITS((float)v)) {}
    T(unsigned short v) : __x(CPUCC_BITS((float)v)) {}
    T(long v) : __x(CPUCC_BITS((float)v)) {}
    T(unsigned long v) : __x(CPUCC_BITS((float)v)) {}
    T(long long v) : __x(CPUCC_BITS((float)v)) {}
    T(unsigned long long v) : __x(CPUCC_BITS((float)v)) {}
    T(TR r) : __x(r.x) {}
    operator float() const { return CPUCC_VALUE(__x); }
    operator TR() const { return {__x}; }
    T &operator=(float f) { return *this = T(f); }
    T &operator=(double f) { return *this = T(f); }
};
struct alignas(4) __attribute__((trivial_abi)) T2 {
    T x, y;
    T2() = default;
    T2(const T &a, const T &b) : x(a), y(b) {}
    T2(const T2R &r) : x(TR{r.x}), y(TR{r.y}) {}
    operator T2R() const { return {x.__x, y.__x}; }
    CPUCC_WHOLE_COPY(T2, 4)
};

/* ---- conversions ---- */

CPUCC_FN T CPUCC_J(__float2, N)(float f) { return T(f); }
CPUCC_FN T CPUCC_J(__double2, N)(double f) { return T(f); }
CPUCC_FN float CPUCC_K(__, N, 2float)(T h) { return CPUCC_VALUE(h.__x); }
CPUCC_FN T2 CPUCC_K(__float2, N2, _rn)(float f) { return T2(T(f), T(f)); }
CPUCC_FN T2 CPUCC_K(__floats2, N2, _rn)(float a, float b) { return T2(T(a), T(b)); }
CPUCC_FN T2 CPUCC_K(__float22, N2, _rn)(float2 f) { return T2(T(f.x), T(f.y)); }
CPUCC_FN float2 CPUCC_K(__, N2, 2float2)(T2 h) { return make_float2(h.x, h.y); }
CPUCC_FN T2 CPUCC_K(__, N, CPUCC_J(2, N2))(T a) { return T2(a, a); }
CPUCC_FN T2 CPUCC_J(__halves2, N2)(T a, T b) { return T2(a, b); }
CPUCC_FN T2 CPUCC_J(make_, N2)(T a, T b) { return T2(a, b); }
CPUCC_FN T CPUCC_J(__low2, N)(T2 h) { return h.x; }
CPUCC_FN T CPUCC_J(__high2, N)(T2 h) { return h.y; }
CPUCC_FN float __low2float(T2 h) { return h.x; }
CPUCC_FN float __high2float(T2 h) { return h.y; }
CPUCC_FN T2 CPUCC_J(__low2, N2)(T2 h) { return T2(h.x, h.x); }
CPUCC_FN T2 CPUCC_J(__high2, N2)(T2 h) { return T2(h.y, h.y); }
CPUCC_FN T2 CPUCC_J(__lows2, N2)(T2 a, T2 b) { return T2(a.x, b.x); }
CPUCC_FN T2 CPUCC_J(__highs2, N2)(T2 a, T2 b) { return T2(a.y, b.y); }
CPUCC_FN T2 __lowhigh2highlow(T2 a) { return T2(a.y, a.x); }
CPUCC_FN unsigned short CPUCC_K(__, N, _as_ushort)(T h) { return h.__x; }
CPUCC_FN short CPUCC_K(__, N, _as_short)(T h) { return (short)h.__x; }
CPUCC_FN T CPUCC_J(__ushort_as_, N)(unsigned short b) { return T(TR{b}); }
CPUCC_FN T CPUCC_J(__short_as_, N)(short b) { return T(TR{(unsigned short)b}); }

#define CPUCC_FROM(from, F, suffix, direction)                                                     \
    CPUCC_FN T CPUCC_K(__##from##2, N, _##suffix)(F v)                                             \
    {                                                                                              \
        T near((float)v);                                                                          \
        return T(TR{cpucc_other_side(near.__x, near, (double)v, direction)});                      \
    }
#define CPUCC_FROM_ALL(from, F)                                                                    \
    CPUCC_FN T CPUCC_K(__##from##2, N, _rn)(F v) { return T((float)v); }                           \
    CPUCC_FROM(from, F, rz, 1) CPUCC_FROM(from, F, ru, 2) CPUCC_FROM(from, F, rd, 3)
CPUCC_FROM_ALL(float, float)
CPUCC_FROM_ALL(int, int)
CPUCC_FROM_ALL(uint, unsigned)
CPUCC_FROM_ALL(short, short)
CPUCC_FROM_ALL(ushort, unsigned short)
CPUCC_FROM_ALL(ll, long long)
CPUCC_FROM_ALL(ull, unsigned long long)
#ifdef __CUDACC__
#define CPUCC_TO(to, I)                                                                            \
    CPUCC_FN I CPUCC_K(__, N, 2##to##_rn)(T h) { return cpucc_to_integer<I>(rintf(h)); }           \
    CPUCC_FN I CPUCC_K(__, N, 2##to##_rz)(T h) { return cpucc_to_integer<I>(truncf(h)); }          \
    CPUCC_FN I CPUCC_K(__, N, 2##to##_ru)(T h) { return cpucc_to_integer<I>(ceilf(h)); }           \
    CPUCC_FN I CPUCC_K(__, N, 2##to##_rd)(T h) { return cpucc_to_integer<I>(floorf(h)); }
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

CPUCC_FN float cpucc_saturated(T, float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
CPUCC_FN T __hadd(T a, T b) { return T((float)a + (float)b); }
CPUCC_FN T __hsub(T a, T b) { return T((float)a - (float)b); }
CPUCC_FN T __hmul(T a, T b) { return T((float)a * (float)b); }
CPUCC_FN T __hdiv(T a, T b) { return T((float)a / (float)b); }
CPUCC_FN T __hfma(T a, T b, T c)
{
    return T(fma((double)(float)a, (double)(float)b, (double)(float)c));
}
CPUCC_FN T __hneg(T a) { return T(TR{(unsigned short)(a.__x ^ 0x8000)}); }
CPUCC_FN T __habs(T a) { return T(TR{(unsigned short)(a.__x & 0x7fff)}); }
CPUCC_FN T __hadd_rn(T a, T b) { return __hadd(a, b); }
CPUCC_FN T __hsub_rn(T a, T b) { return __hsub(a, b); }
CPUCC_FN T __hmul_rn(T a, T b) { return __hmul(a, b); }
CPUCC_FN T __hadd_sat(T a, T b) { return T(cpucc_saturated(a, (float)a + (float)b)); }
CPUCC_FN T __hsub_sat(T a, T b) { return T(cpucc_saturated(a, (float)a - (float)b)); }
CPUCC_FN T __hmul_sat(T a, T b) { return T(cpucc_saturated(a, (float)a * (float)b)); }
CPUCC_FN T __hfma_sat(T a, T b, T c) { return T(cpucc_saturated(a, __hfma(a, b, c))); }
CPUCC_FN T __hfma_relu(T a, T b, T c)
{
    T v = __hfma(a, b, c);
    return (float)v < 0 ? T(0.0f) : v;
}

/* ---- comparisons; names that end in `u` hold if an operand is NaN ---- */

CPUCC_FN bool __hisnan(T a) { return (float)a != (float)a; }
CPUCC_FN int __hisinf(T a)
{
    float v = a;
    return v == __builtin_inff() ? 1 : v == -__builtin_inff() ? -1 : 0;
}
#define CPUCC_COMPARE(name, sign)                                                                  \
    CPUCC_FN bool __h##name(T a, T b) { return (float)a sign(float) b; }                           \
    CPUCC_FN bool __h##name##u(T a, T b)                                                           \
    {                                                                                              \
        return __hisnan(a) || __hisnan(b) || (float)a sign(float) b;                               \
    }                                                                                              \
    CPUCC_FN T2 __h##name##2(T2 a, T2 b)                                                           \
    {                                                                                              \
        return T2(T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f));     \
    }                                                                                              \
    CPUCC_FN T2 __h##name##u2(T2 a, T2 b)                                                          \
    {                                                                                              \
        return T2(T(__h##name##u(a.x, b.x) ? 1.0f : 0.0f),                                         \
                  T(__h##name##u(a.y, b.y) ? 1.0f : 0.0f));                                        \
    }                                                                                              \
    CPUCC_FN unsigned __h##name##2_mask(T2 a, T2 b)                                                \
    {                                                                                              \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    CPUCC_FN bool __hb##name##2(T2 a, T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
    CPUCC_FN bool __hb##name##u2(T2 a, T2 b)                                                       \
    {                                                                                              \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                   \
    }
CPUCC_COMPARE(eq, ==)
CPUCC_COMPARE(lt, <)
CPUCC_COMPARE(le, <=)
CPUCC_COMPARE(gt, >)
CPUCC_COMPARE(ge, >=)
#undef CPUCC_COMPARE
CPUCC_FN bool __hne(T a, T b) { return !__hisnan(a) && !__hisnan(b) && (float)a != (float)b; }
CPUCC_FN bool __hneu(T a, T b) { return (float)a != (float)b; }
CPUCC_FN T2 __hne2(T2 a, T2 b)
{
    return T2(T(__hne(a.x, b.x) ? 1.0f : 0.0f), T(__hne(a.y, b.y) ? 1.0f : 0.0f));
}
CPUCC_FN bool __hbne2(T2 a, T2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
CPUCC_FN T2 __hisnan2(T2 a)
{
    return T2(T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f));
}
CPUCC_FN T __hmax(T a, T b) { return T(fmaxf(a, b)); }
CPUCC_FN T __hmin(T a, T b) { return T(fminf(a, b)); }
CPUCC_FN T __hmax_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
CPUCC_FN T __hmin_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }

/* ---- mathematics ---- */

#define CPUCC_MATH(name, expression)                                                               \
    CPUCC_FN T h##name(T a)                                                                        \
    {                                                                                              \
        float v = a;                                                                               \
        return T(expression);                                                                      \
    }                                                                                              \
    CPUCC_FN T2 h2##name(T2 a) { return T2(h##name(a.x), h##name(a.y)); }
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
CPUCC_FN T htanh_approx(T a) { return htanh(a); }
CPUCC_FN T2 h2tanh_approx(T2 a) { return h2tanh(a); }
#undef CPUCC_MATH

/* ---- pairs ---- */

#define CPUCC_PAIR(name, of)                                                                       \
    CPUCC_FN T2 name(T2 a, T2 b) { return T2(of(a.x, b.x), of(a.y, b.y)); }
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
#define CPUCC_TRIPLE(name, of)                                                                     \
    CPUCC_FN T2 name(T2 a, T2 b, T2 c) { return T2(of(a.x, b.x, c.x), of(a.y, b.y, c.y)); }
CPUCC_TRIPLE(__hfma2, __hfma)
CPUCC_TRIPLE(__hfma2_sat, __hfma_sat)
CPUCC_TRIPLE(__hfma2_relu, __hfma_relu)
#undef CPUCC_TRIPLE
CPUCC_FN T2 __hneg2(T2 a) { return T2(__hneg(a.x), __hneg(a.y)); }
CPUCC_FN T2 __habs2(T2 a) { return T2(__habs(a.x), __habs(a.y)); }
/* a * b + c of complex numbers */
CPUCC_FN T2 __hcmadd(T2 a, T2 b, T2 c)
{
    return T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
              __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* ---- operators ---- */

#define CPUCC_OPERATOR(sign, of, of2)                                                              \
    CPUCC_FN T operator sign(const T &a, const T &b) { return of(a, b); }                          \
    CPUCC_FN T &operator sign##=(T &a, const T &b) { return a = of(a, b); }                        \
    CPUCC_FN T2 operator sign(const T2 &a, const T2 &b) { return of2(a, b); }                      \
    CPUCC_FN T2 &operator sign##=(T2 &a, const T2 &b) { return a = of2(a, b); }
CPUCC_OPERATOR(+, __hadd, __hadd2)
CPUCC_OPERATOR(-, __hsub, __hsub2)
CPUCC_OPERATOR(*, __hmul, __hmul2)
CPUCC_OPERATOR(/, __hdiv, __h2div)
#undef CPUCC_OPERATOR
CPUCC_FN T operator-(const T &a) { return __hneg(a); }
CPUCC_FN T operator+(const T &a) { return a; }
CPUCC_FN T2 operator-(const T2 &a) { return __hneg2(a); }
CPUCC_FN T2 operator+(const T2 &a) { return a; }
CPUCC_FN T &operator++(T &a) { return a = __hadd(a, T(1.0f)); }
CPUCC_FN T &operator--(T &a) { return a = __hsub(a, T(1.0f)); }
CPUCC_FN T operator++(T &a, int)
{
    T old = a;
    a = __hadd(a, T(1.0f));
    return old;
}
CPUCC_FN T operator--(T &a, int)
{
    T old = a;
    a = __hsub(a, T(1.0f));
    return old;
}
CPUCC_FN bool operator==(const T2 &a, const T2 &b) { return __hbeq2(a, b); }
CPUCC_FN bool operator!=(const T2 &a, const T2 &b) { return !__hbeq2(a, b); }
CPUCC_FN bool operator<(const T2 &a, const T2 &b) { return __hblt2(a, b); }
CPUCC_FN bool operator<=(const T2 &a, const T2 &b) { return __hble2(a, b); }
CPUCC_FN bool operator>(const T2 &a, const T2 &b) { return __hbgt2(a, b); }
CPUCC_FN bool operator>=(const T2 &a, const T2 &b) { return __hbge2(a, b); }

#undef CPUCC_J2
#undef CPUCC_J
#undef CPUCC_K
#undef T
#undef T2
#undef TR
#undef T2R
#undef N
#undef N2
#undef CPUCC_BITS
#undef CPUCC_VALUE
