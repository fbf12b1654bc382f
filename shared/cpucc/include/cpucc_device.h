/*
 * Declares what device code uses: built-in variables, barriers, shuffles, votes, atomics, cached
 * loads and CUDA's arithmetic functions. Functions that involve other threads call the run time
 * (schedule.c, collective.c, shadow.c); the others are a line of C++ each.
 */
#ifndef CPUCC_DEVICE_H
#define CPUCC_DEVICE_H

#include "cpucc_language.h"

/* A call that must not be merged with another, since the run time distinguishes calls by their
 * address. Unrolling may copy the call, as in nvcc, but no optimisation may make it conditional. */
#define CPUCC_SYNC __attribute__((__convergent__, __nomerge__))

/*
 * A function of device code. A C library may declare a function of the same name, as glibc 2.41 did
 * with sinpif. A condition that always holds makes cpucc's function an overload of its own, which
 * calls prefer (clang's documentation of enable_if). The order of the two declarations does not
 * matter, so programs may include any header anywhere.
 */
#define CPUCC_OURS __attribute__((__enable_if__(true, "")))
#define CPUCC_FN CPUCC_OURS static inline __attribute__((__always_inline__))

/* Functions that the run time defines under its own names. */
CPUCC_OURS CPUCC_SYNC void __syncthreads(void) __asm__("cpucc_syncthreads");
CPUCC_OURS CPUCC_SYNC int __syncthreads_count(int __predicate) __asm__("cpucc_syncthreads_count");
CPUCC_OURS CPUCC_SYNC int __syncthreads_and(int __predicate) __asm__("cpucc_syncthreads_and");
CPUCC_OURS CPUCC_SYNC int __syncthreads_or(int __predicate) __asm__("cpucc_syncthreads_or");
CPUCC_OURS CPUCC_SYNC unsigned __activemask(void) __asm__("cpucc_activemask");

extern "C" {
__attribute__((__const__)) int cpucc_lane_number(void);
__attribute__((__const__)) int cpucc_in_kernel(void);
CPUCC_SYNC void cpucc_syncwarp(unsigned mask);
CPUCC_SYNC void cpucc_barrier_sync(int __number, int count); /* count 0: all threads of the block */
/* Exchanges 8 bytes among the lanes of `mask`; mode 0: by index, 1: up, 2: down, 3: butterfly. */
CPUCC_SYNC uint64_t cpucc_shuffle(unsigned mask, uint64_t value, int __lane, int width, int mode,
                                  int *__valid);
/* Mode 0: ballot of value != 0; 1: mask of the lanes with the caller's value; 2: as 1, but 0 unless
 * all lanes have the same value. */
CPUCC_SYNC unsigned cpucc_vote(unsigned mask, uint64_t value, int mode);
CPUCC_SYNC void cpucc_fence(int scope); /* 0 block, 1 device, 2 system */
/* Called before an atomic access: checks it and orders it within the warp. kind: 0 read, 1 write, 2
 * read-modify-write, plus flags CPUCC_ACQUIRE and so on. CPUCC_COMPARES: a plain read may precede
 * it (compare-and-swap, minimum, maximum). CPUCC_EXCHANGES: the old value may be uninitialised.
 * CPUCC_COUNTS: it adds something other than 0. */
CPUCC_SYNC void cpucc_atomic_access(const void *address, int bytes, int kind);
CPUCC_SYNC void cpucc_atomic_compare(const void *address, int bytes, const void *__expected,
                                     int kind);
enum {
    CPUCC_ACQUIRE = 4,
    CPUCC_RELEASE = 8,
    CPUCC_BLOCK_SCOPE = 16,
    CPUCC_RELAXED = 32, /* the source says relaxed */
    CPUCC_COMPARES = 64,
    CPUCC_EXCHANGES = 128,
    CPUCC_COUNTS = 256,
    CPUCC_SYSTEM = 512 /* system scope */
};
void cpucc_wait_a_while(unsigned __nanoseconds);
void cpucc_trap(void);
void cpucc_set_condition(unsigned long long handle, unsigned value);
uint64_t cpucc_clock(void);
uint64_t cpucc_timer(void);
int cpucc_is_shared(const void *pointer);
uint32_t cpucc_shared_offset(const void *pointer);
void *cpucc_shared_pointer(uint32_t offset);
void cpucc_prefetch(const void *address);
unsigned cpucc_special(int __which); /* 0 SM, 1 warp, 2 lane, 3 SMs, 4 dynamic shared bytes */
}

/* Objects without data whose members are calls. Not macros, since structs have members x, y too. */
#define CPUCC_BUILTIN(name, T, call)                                                               \
    struct cpucc_##name {                                                                          \
        __declspec(property(get = __get_x)) unsigned x;                                            \
        __declspec(property(get = __get_y)) unsigned y;                                            \
        __declspec(property(get = __get_z)) unsigned z;                                            \
        __device__ __forceinline__ unsigned __get_x() const { return call##_x(); }                 \
        __device__ __forceinline__ unsigned __get_y() const { return call##_y(); }                 \
        __device__ __forceinline__ unsigned __get_z() const { return call##_z(); }                 \
        __device__ __forceinline__ operator T() const { return T{x, y, z}; }                       \
    };                                                                                             \
    static const cpucc_##name name = {};
CPUCC_BUILTIN(threadIdx, uint3, __nvvm_read_ptx_sreg_tid)
CPUCC_BUILTIN(blockIdx, uint3, __nvvm_read_ptx_sreg_ctaid)
CPUCC_BUILTIN(blockDim, dim3, __nvvm_read_ptx_sreg_ntid)
CPUCC_BUILTIN(gridDim, dim3, __nvvm_read_ptx_sreg_nctaid)
static const int warpSize = 32;

#define CPUCC_HIDDEN static inline __attribute__((noinline, __disable_sanitizer_instrumentation__))

CPUCC_FN void __syncwarp(unsigned mask = 0xffffffffu) { cpucc_syncwarp(mask); }
CPUCC_FN void __barrier_sync_count(unsigned __number, unsigned count)
{
    __number < 16 ? cpucc_barrier_sync((int)__number, (int)count) : cpucc_trap();
}
CPUCC_FN void __barrier_sync(unsigned __number)
{
    __number ? __barrier_sync_count(__number, 0) : __syncthreads();
}
CPUCC_FN void __threadfence(void) { cpucc_fence(1); }
CPUCC_FN void __threadfence_block(void) { cpucc_fence(0); }
CPUCC_FN void __threadfence_system(void) { cpucc_fence(2); }
CPUCC_FN void cudaGraphSetConditional(unsigned long long handle, unsigned value)
{
    cpucc_set_condition(handle, value);
}
CPUCC_FN void __nanosleep(unsigned ns) { cpucc_wait_a_while(ns); }
CPUCC_FN void __trap(void) { cpucc_trap(); }
CPUCC_FN void __brkpt(void) { cpucc_trap(); }
CPUCC_FN long long clock64(void) { return (long long)cpucc_clock(); }
CPUCC_FN unsigned long long __globaltimer(void) { return cpucc_timer(); }

/* Launches do not overlap, so there is nothing to wait for. */
CPUCC_FN void cudaGridDependencySynchronize(void) {}
CPUCC_FN void cudaTriggerProgrammaticLaunchCompletion(void) {}

/* ---- shuffles and votes ---- */

/* Exchanges a value of any size in pieces of up to 8 bytes, as NVIDIA's cooperative groups do. */
template <class T>
CPUCC_FN T cpucc_shuffle_any(unsigned mask, T value, int __lane, int width, int mode)
{
    enum { _WORDS = (sizeof(T) + 7) / 8 };
    uint64_t __bits[_WORDS] = {};
    __builtin_memcpy(__bits, &value, sizeof(T));
    for (int __i = 0; __i < _WORDS; __i++)
        __bits[__i] = cpucc_shuffle(mask, __bits[__i], __lane, width, mode, 0);
    __builtin_memcpy((void *)&value, __bits, sizeof(T));
    return value;
}
template <class T>
CPUCC_FN T __shfl_sync(unsigned mask, T value, int __lane, int width = 32)
{
    return cpucc_shuffle_any(mask, value, __lane, width, 0);
}
template <class T>
CPUCC_FN T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return cpucc_shuffle_any(mask, value, (int)delta, width, 1);
}
template <class T>
CPUCC_FN T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return cpucc_shuffle_any(mask, value, (int)delta, width, 2);
}
template <class T>
CPUCC_FN T __shfl_xor_sync(unsigned mask, T value, int __lanes, int width = 32)
{
    return cpucc_shuffle_any(mask, value, __lanes, width, 3);
}
CPUCC_FN unsigned __ballot_sync(unsigned mask, int p) { return cpucc_vote(mask, p != 0, 0); }
CPUCC_FN int __any_sync(unsigned mask, int p) { return cpucc_vote(mask, p != 0, 0) != 0; }
CPUCC_FN int __all_sync(unsigned mask, int p) { return cpucc_vote(mask, p == 0, 0) == 0; }
template <class T>
CPUCC_FN unsigned __match_any_sync(unsigned mask, T value)
{
    uint64_t __bits = 0;
    memcpy(&__bits, &value, sizeof(T));
    return cpucc_vote(mask, __bits, 1);
}
template <class T>
CPUCC_FN unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    uint64_t __bits = 0;
    memcpy(&__bits, &value, sizeof(T));
    unsigned __m = cpucc_vote(mask, __bits, 2);
    *all = __m != 0;
    return __m;
}
#define CPUCC_REDUCE(name, T, how)                                                                 \
    CPUCC_FN T name(unsigned mask, T value) { return (T)cpucc_vote(mask, (unsigned)value, how); }
CPUCC_REDUCE(__reduce_add_sync, unsigned, 3)
CPUCC_REDUCE(__reduce_add_sync, int, 3)
CPUCC_REDUCE(__reduce_min_sync, unsigned, 4)
CPUCC_REDUCE(__reduce_max_sync, unsigned, 5)
CPUCC_REDUCE(__reduce_min_sync, int, 6)
CPUCC_REDUCE(__reduce_max_sync, int, 7)
CPUCC_REDUCE(__reduce_and_sync, unsigned, 8)
CPUCC_REDUCE(__reduce_or_sync, unsigned, 9)
CPUCC_REDUCE(__reduce_xor_sync, unsigned, 10)

/* ---- loads and stores with a cache hint, which affects only time and is ignored ---- */

#define CPUCC_LOAD(name)                                                                           \
    template <class T>                                                                             \
    CPUCC_FN T name(const T *p)                                                                    \
    {                                                                                              \
        return *p;                                                                                 \
    }
CPUCC_LOAD(__ldca)
CPUCC_LOAD(__ldcg)
CPUCC_LOAD(__ldcs)
CPUCC_LOAD(__ldlu)
CPUCC_LOAD(__ldcv)
/* The compiler marks loads of the read-only cache, and the run time checks that nobody writes there. */
template <class T, size_t _BYTES>
struct cpucc_read_only {
    CPUCC_FN T load(const T *p) { return *p; }
};
#define CPUCC_READ_ONLY(bytes, type)                                                               \
    template <class T>                                                                             \
    struct cpucc_read_only<T, bytes> {                                                             \
        typedef type __attribute__((__may_alias__)) _V;                                            \
        CPUCC_FN T load(const T *p)                                                                \
        {                                                                                          \
            _V __v = __builtin_nontemporal_load((const _V *)p);                                    \
            T __r;                                                                                 \
            __builtin_memcpy(&__r, &__v, bytes);                                                   \
            return __r;                                                                            \
        }                                                                                          \
    };
CPUCC_READ_ONLY(1, unsigned char)
CPUCC_READ_ONLY(2, unsigned short)
CPUCC_READ_ONLY(4, unsigned)
CPUCC_READ_ONLY(8, unsigned long)
CPUCC_READ_ONLY(16, __attribute__((__ext_vector_type__(4))) unsigned)
template <class T>
CPUCC_FN T __ldg(const T *p)
{
    return cpucc_read_only < T, alignof(T) == sizeof(T) ? sizeof(T) : 0 > ::load(p);
}
template <class T>
struct cpucc_same {
    typedef T type;
};
#define CPUCC_STORE(name)                                                                          \
    template <class T>                                                                             \
    CPUCC_FN void name(T *p, typename cpucc_same<T>::type v)                                       \
    {                                                                                              \
        *p = v;                                                                                    \
    }
CPUCC_STORE(__stwb)
CPUCC_STORE(__stcg)
CPUCC_STORE(__stcs)
CPUCC_STORE(__stwt)

CPUCC_FN unsigned __isShared(const void *p) { return cpucc_is_shared(p); }
CPUCC_FN unsigned __isGlobal(const void *p) { return !cpucc_is_shared(p); }
CPUCC_FN size_t __cvta_generic_to_shared(const void *p) { return cpucc_shared_offset(p); }
CPUCC_FN void *__cvta_shared_to_generic(size_t __o) { return cpucc_shared_pointer((uint32_t)__o); }
CPUCC_FN size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
CPUCC_FN void *__cvta_global_to_generic(size_t __o) { return (void *)__o; }

/* ---- atomics: the scheduler runs one thread at a time, so plain arithmetic is atomic ---- */

/* CPUCC_COUNTS if the added value is not 0 (a thread may count itself); adding 0 is a read. */
template <class T>
CPUCC_FN int cpucc_counts(T)
{
    return 0;
}
CPUCC_FN int cpucc_counts(int v) { return v ? CPUCC_COUNTS : 0; }
CPUCC_FN int cpucc_counts(unsigned v) { return v ? CPUCC_COUNTS : 0; }
CPUCC_FN int cpucc_counts(unsigned long v) { return v ? CPUCC_COUNTS : 0; }
CPUCC_FN int cpucc_counts(unsigned long long v) { return v ? CPUCC_COUNTS : 0; }
#define CPUCC_ATOMIC_SCOPE(name, suffix, kind)                                                     \
    template <class T>                                                                             \
    CPUCC_FN T name##suffix(T *p, typename cpucc_same<T>::type v)                                  \
    {                                                                                              \
        cpucc_atomic_access(p, sizeof(T), 2 | (kind));                                             \
        return cpucc_##name(p, v);                                                                 \
    }
#define CPUCC_ATOMIC(name, kind, expression)                                                       \
    template <class T, class _V>                                                                   \
    CPUCC_HIDDEN T cpucc_##name(T *p, _V __given)                                                  \
    {                                                                                              \
        T v = (T)__given, __old = *p;                                                              \
        *p = (expression);                                                                         \
        return __old;                                                                              \
    }                                                                                              \
    CPUCC_ATOMIC_SCOPE(name, , kind)                                                               \
    CPUCC_ATOMIC_SCOPE(name, _block, (kind) | CPUCC_BLOCK_SCOPE)                                   \
    CPUCC_ATOMIC_SCOPE(name, _system, (kind) | CPUCC_SYSTEM)
CPUCC_ATOMIC(atomicAdd, cpucc_counts(v), __old + v)
CPUCC_ATOMIC(atomicSub, cpucc_counts(v), __old - v)
CPUCC_ATOMIC(atomicExch, CPUCC_EXCHANGES, v)
CPUCC_ATOMIC(atomicMin, CPUCC_COMPARES, v < __old ? v : __old)
CPUCC_ATOMIC(atomicMax, CPUCC_COMPARES, v > __old ? v : __old)
CPUCC_ATOMIC(atomicAnd, 0, __old &v)
CPUCC_ATOMIC(atomicOr, 0, __old | v)
CPUCC_ATOMIC(atomicXor, 0, __old ^ v)
CPUCC_ATOMIC(atomicInc, CPUCC_COUNTS, __old >= v ? 0 : __old + 1)
CPUCC_ATOMIC(atomicDec, CPUCC_COUNTS, __old == 0 || __old > v ? v : __old - 1)

/* A loop, since sealed code cannot call memcmp. */
template <class T>
CPUCC_FN bool cpucc_same_bits(const T &a, const T &b)
{
    for (unsigned __i = 0; __i < sizeof(T); __i++)
        if (((const char *)&a)[__i] != ((const char *)&b)[__i])
            return false;
    return true;
}
template <class T>
CPUCC_HIDDEN T cpucc_cas(T *p, T __expected, T __desired)
{
    T __old = *p;
    if (cpucc_same_bits(__old, __expected))
        *p = __desired;
    return __old;
}
#define CPUCC_ATOMIC_CAS(name, kind)                                                               \
    template <class T>                                                                             \
    CPUCC_FN T name(T *p, typename cpucc_same<T>::type e, typename cpucc_same<T>::type d)          \
    {                                                                                              \
        cpucc_atomic_compare(p, sizeof(T), &e, 2 | CPUCC_COMPARES | (kind));                       \
        return cpucc_cas<T>(p, e, d);                                                              \
    }
CPUCC_ATOMIC_CAS(atomicCAS, 0)
CPUCC_ATOMIC_CAS(atomicCAS_block, CPUCC_BLOCK_SCOPE)
CPUCC_ATOMIC_CAS(atomicCAS_system, CPUCC_SYSTEM)

/* ---- arithmetic ---- */

CPUCC_FN float __expf(float a) { return expf(a); }
CPUCC_FN float __exp10f(float a) { return exp10f(a); }
CPUCC_FN float __logf(float a) { return logf(a); }
CPUCC_FN float __log2f(float a) { return log2f(a); }
CPUCC_FN float __log10f(float a) { return log10f(a); }
CPUCC_FN float __powf(float a, float b) { return powf(a, b); }
CPUCC_FN float __sinf(float a) { return sinf(a); }
CPUCC_FN float __cosf(float a) { return cosf(a); }
CPUCC_FN float __tanf(float a) { return tanf(a); }

#define CPUCC_MINMAX(T)                                                                            \
    CPUCC_FN constexpr T min(T a, T b) { return a < b ? a : b; }                                   \
    CPUCC_FN constexpr T max(T a, T b) { return a > b ? a : b; }
CPUCC_MINMAX(int)
CPUCC_MINMAX(unsigned)
CPUCC_MINMAX(long)
CPUCC_MINMAX(unsigned long)
CPUCC_MINMAX(long long)
CPUCC_MINMAX(unsigned long long)
CPUCC_FN constexpr unsigned min(int a, unsigned b) { return (unsigned)a < b ? (unsigned)a : b; }
CPUCC_FN constexpr unsigned max(int a, unsigned b) { return (unsigned)a > b ? (unsigned)a : b; }
CPUCC_FN constexpr unsigned min(unsigned a, int b) { return a < (unsigned)b ? a : (unsigned)b; }
CPUCC_FN constexpr unsigned max(unsigned a, int b) { return a > (unsigned)b ? a : (unsigned)b; }
CPUCC_FN float min(float a, float b) { return fminf(a, b); }
CPUCC_FN float max(float a, float b) { return fmaxf(a, b); }
CPUCC_FN double min(double a, double b) { return fmin(a, b); }
CPUCC_FN double max(double a, double b) { return fmax(a, b); }
#define CPUCC_MIXED(_A, _B, T)                                                                     \
    CPUCC_FN constexpr T min(_A a, _B b) { return min((T)a, (T)b); }                               \
    CPUCC_FN constexpr T max(_A a, _B b) { return max((T)a, (T)b); }
CPUCC_MIXED(long, unsigned long, unsigned long)
CPUCC_MIXED(unsigned long, long, unsigned long)
CPUCC_MIXED(long long, unsigned long long, unsigned long long)
CPUCC_MIXED(unsigned long long, long long, unsigned long long)
CPUCC_FN double min(float a, double b) { return fmin((double)a, b); }
CPUCC_FN double min(double a, float b) { return fmin(a, (double)b); }
CPUCC_FN double max(float a, double b) { return fmax((double)a, b); }
CPUCC_FN double max(double a, float b) { return fmax(a, (double)b); }
CPUCC_FN int __imin(int a, int b) { return a < b ? a : b; }
CPUCC_FN int __imax(int a, int b) { return a > b ? a : b; }
CPUCC_FN long long llmin(long long a, long long b) { return a < b ? a : b; }
CPUCC_FN long long llmax(long long a, long long b) { return a > b ? a : b; }
CPUCC_FN unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
CPUCC_FN unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}
CPUCC_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
CPUCC_FN unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }

template <class _To, class _From>
CPUCC_FN _To cpucc_bits(_From from)
{
    _To to;
    static_assert(sizeof to == sizeof from, "same size");
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
CPUCC_FN int __float_as_int(float v) { return cpucc_bits<int>(v); }
CPUCC_FN unsigned __float_as_uint(float v) { return cpucc_bits<unsigned>(v); }
CPUCC_FN float __int_as_float(int v) { return cpucc_bits<float>(v); }
CPUCC_FN float __uint_as_float(unsigned v) { return cpucc_bits<float>(v); }
CPUCC_FN long long __double_as_longlong(double v) { return cpucc_bits<long long>(v); }
CPUCC_FN double __longlong_as_double(long long v) { return cpucc_bits<double>(v); }
CPUCC_FN int __popc(unsigned v) { return __builtin_popcount(v); }
CPUCC_FN int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
CPUCC_FN int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
CPUCC_FN int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
CPUCC_FN int __ffs(int v) { return __builtin_ffs(v); }
CPUCC_FN int __ffsll(long long v) { return __builtin_ffsll(v); }
CPUCC_FN unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
CPUCC_FN unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
CPUCC_FN int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
CPUCC_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
CPUCC_FN int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
CPUCC_FN unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
CPUCC_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s)
{
    return (unsigned)((((uint64_t)hi << 32 | lo) << (s & 31)) >> 32);
}
CPUCC_FN unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s)
{
    return (unsigned)(((uint64_t)hi << 32 | lo) >> (s & 31));
}
CPUCC_FN float rsqrtf(float a) { return 1 / sqrtf(a); }
CPUCC_FN double rsqrt(double a) { return 1 / sqrt(a); }
CPUCC_FN float rsqrt(float a) { return 1 / sqrtf(a); }
CPUCC_FN float rcbrtf(float a) { return 1 / cbrtf(a); }
CPUCC_FN double rcbrt(double a) { return 1 / cbrt(a); }
CPUCC_FN double sinpi(double a) { return sin(fmod(a, 2) * 3.14159265358979323846); }
CPUCC_FN double cospi(double a) { return cos(fmod(a, 2) * 3.14159265358979323846); }
CPUCC_FN float sinpif(float a) { return (float)sinpi(a); }
CPUCC_FN float cospif(float a) { return (float)cospi(a); }

#include "cpucc_math.h"

#endif
