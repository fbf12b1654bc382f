/*
 * Defines CUDA's vector types for the CPU.
 *
 * As on the device, copying a whole vector of 2, 4, 8 or 16 bytes is one access, and an access of
 * one member has the member's size (CUDA C++ Programming Guide, "Built-in Vector Types", alignment
 * table). The compiler would split copies of plain structs, so a copy goes through one machine
 * vector. Three-member vectors are plain structs, which the device too copies member by member.
 */
#ifndef CPUCC_VECTOR_H
#define CPUCC_VECTOR_H

#ifdef __clang__
#define CPUCC_ALIGNED(bytes) __attribute__((__aligned__(bytes), __trivial_abi__))
#define CPUCC_WHOLE_COPY(name, bytes)                                                              \
    typedef unsigned char cpucc_whole __attribute__((__vector_size__(bytes), __may_alias__));      \
    __attribute__((__always_inline__)) name(const name &from)                                      \
    {                                                                                              \
        *(cpucc_whole *)this = *(const cpucc_whole *)&from;                                        \
    }                                                                                              \
    __attribute__((__always_inline__)) name &operator=(const name &from)                           \
    {                                                                                              \
        *(cpucc_whole *)this = *(const cpucc_whole *)&from;                                        \
        return *this;                                                                              \
    }
#define CPUCC_COPY_BY_HALVES(name, half)                                                           \
    name(const name &from) { *this = from; }                                                       \
    name &operator=(const name &from)                                                              \
    {                                                                                              \
        *(half *)&x = *(const half *)&from.x;                                                      \
        *(half *)&z = *(const half *)&from.z;                                                      \
        return *this;                                                                              \
    }
#else /* an object of g++: plain structs, which are passed in the same registers */
#define CPUCC_ALIGNED(bytes) __attribute__((__aligned__(bytes)))
#define CPUCC_WHOLE_COPY(name, bytes)
#define CPUCC_COPY_BY_HALVES(name, half)
#endif

#define CPUCC_VECTOR(base, T, align2, align4)                                                      \
    struct base##1 { T x; };                                                                       \
    struct CPUCC_ALIGNED(align2) base##2                                                           \
    {                                                                                              \
        T x, y;                                                                                    \
        base##2() = default;                                                                       \
        constexpr base##2(T a, T b = 0) : x(a), y(b) {}                                            \
        CPUCC_WHOLE_COPY(base##2, 2 * sizeof(T))                                                   \
    };                                                                                             \
    struct base##3 { T x, y, z; };                                                                 \
    struct CPUCC_ALIGNED(align4) base##4                                                           \
    {                                                                                              \
        T x, y, z, w;                                                                              \
        base##4() = default;                                                                       \
        constexpr base##4(T a, T b = 0, T c = 0, T d = 0) : x(a), y(b), z(c), w(d) {}              \
        CPUCC_WHOLE_COPY(base##4, 4 * sizeof(T))                                                   \
    };                                                                                             \
    static inline base##1 make_##base##1(T x) { return {x}; }                                      \
    static inline base##2 make_##base##2(T x, T y) { return {x, y}; }                              \
    static inline base##3 make_##base##3(T x, T y, T z) { return {x, y, z}; }                      \
    static inline base##4 make_##base##4(T x, T y, T z, T w) { return {x, y, z, w}; }

/* Types with 8-byte elements. A copy of four members (32 bytes) is two accesses of 16 bytes. */
#define CPUCC_WIDE_VECTOR(base, T)                                                                 \
    struct base##1 { T x; };                                                                       \
    struct CPUCC_ALIGNED(16) base##2                                                               \
    {                                                                                              \
        T x, y;                                                                                    \
        base##2() = default;                                                                       \
        constexpr base##2(T a, T b = 0) : x(a), y(b) {}                                            \
        CPUCC_WHOLE_COPY(base##2, 16)                                                              \
    };                                                                                             \
    struct base##3 { T x, y, z; };                                                                 \
    struct CPUCC_ALIGNED(16) base##4                                                               \
    {                                                                                              \
        T x, y, z, w;                                                                              \
        base##4() = default;                                                                       \
        constexpr base##4(T a, T b = 0, T c = 0, T d = 0) : x(a), y(b), z(c), w(d) {}              \
        CPUCC_COPY_BY_HALVES(base##4, base##2)                                                     \
    };                                                                                             \
    static inline base##1 make_##base##1(T x) { return {x}; }                                      \
    static inline base##2 make_##base##2(T x, T y) { return {x, y}; }                              \
    static inline base##3 make_##base##3(T x, T y, T z) { return {x, y, z}; }                      \
    static inline base##4 make_##base##4(T x, T y, T z, T w) { return {x, y, z, w}; }

CPUCC_VECTOR(char, signed char, 2, 4)
CPUCC_VECTOR(uchar, unsigned char, 2, 4)
CPUCC_VECTOR(short, short, 4, 8)
CPUCC_VECTOR(ushort, unsigned short, 4, 8)
CPUCC_VECTOR(int, int, 8, 16)
CPUCC_VECTOR(uint, unsigned, 8, 16)
CPUCC_VECTOR(float, float, 8, 16)
CPUCC_WIDE_VECTOR(long, long)
CPUCC_WIDE_VECTOR(ulong, unsigned long)
CPUCC_WIDE_VECTOR(longlong, long long)
CPUCC_WIDE_VECTOR(ulonglong, unsigned long long)
CPUCC_WIDE_VECTOR(double, double)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(const uint3 &v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

#endif
