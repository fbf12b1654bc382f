/*
 * Implements nvcuda::wmma, matrix fragments and products of one warp (CUDA C++ Programming Guide,
 * "Warp Matrix Functions"). The guide leaves open which lane holds which element; here element e of
 * lane l is number 32 * e + l of the matrix in row-major order. matrix.c does the arithmetic.
 */
#ifndef CPUCC_MMA_H
#define CPUCC_MMA_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#pragma clang force_cuda_host_device begin

extern "C" {
CPUCC_SYNC void cpucc_wmma(int __m, int n, int __k, int type, int __sum, const void *a,
                           const void *b, const void *c, void *d);
CPUCC_SYNC void cpucc_wmma_move(void *__elements, void *__memory, int __rows, int __cols,
                                unsigned __ld, int __by_column, int type, int __store);
}

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}
/* Names alone, for headers that mention them: a program that uses such elements is refused or traps. */
namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* An element's type in memory, and the type's number in matrix.c. */
template <class T>
struct cpucc_element;
#define CPUCC_ELEMENT(T, _S, n)                                                                    \
    template <>                                                                                    \
    struct cpucc_element<T> {                                                                      \
        typedef _S __stored;                                                                       \
        enum { __number = n };                                                                     \
    };
CPUCC_ELEMENT(__half, __half, 0)
CPUCC_ELEMENT(__nv_bfloat16, __nv_bfloat16, 1)
CPUCC_ELEMENT(precision::tf32, float, 2)
CPUCC_ELEMENT(float, float, 3)
CPUCC_ELEMENT(double, double, 4)
CPUCC_ELEMENT(signed char, signed char, 5)
CPUCC_ELEMENT(char, signed char, 5)
CPUCC_ELEMENT(unsigned char, unsigned char, 6)
CPUCC_ELEMENT(int, int, 7)
CPUCC_ELEMENT(experimental::precision::u4, unsigned, 8) /* from 8 on: only declared */
CPUCC_ELEMENT(experimental::precision::s4, int, 9)
CPUCC_ELEMENT(experimental::precision::b1, unsigned, 10)
#undef CPUCC_ELEMENT

template <class Use, int _M, int _N, int _K>
struct cpucc_shape;
template <int _M, int _N, int _K>
struct cpucc_shape<matrix_a, _M, _N, _K> {
    enum { __rows = _M, __cols = _K };
};
template <int _M, int _N, int _K>
struct cpucc_shape<matrix_b, _M, _N, _K> {
    enum { __rows = _K, __cols = _N };
};
template <int _M, int _N, int _K>
struct cpucc_shape<accumulator, _M, _N, _K> {
    enum { __rows = _M, __cols = _N };
};
template <class Layout>
struct cpucc_layout {
    enum { __by_column = 0 };
};
template <>
struct cpucc_layout<col_major> {
    enum { __by_column = 1 };
};

template <class Use, int _M, int _N, int _K, class T, class Layout = void>
class fragment
{
  public:
    typedef typename cpucc_element<T>::__stored element_type;
    typedef element_type storage_element_type;
    enum {
        __rows = cpucc_shape<Use, _M, _N, _K>::__rows,
        __cols = cpucc_shape<Use, _M, _N, _K>::__cols,
        num_elements = __rows * __cols / 32,
        num_storage_elements = num_elements
    };
    static_assert(__rows * __cols % 32 == 0, "cpucc: no shape of wmma");
    element_type x[num_elements];
};

template <class U, int _M, int _N, int _K, class T, class _L, class _V>
CPUCC_FN void fill_fragment(fragment<U, _M, _N, _K, T, _L> &f, const _V &value)
{
    typename fragment<U, _M, _N, _K, T, _L>::element_type v =
        (typename fragment<U, _M, _N, _K, T, _L>::element_type)value;
    for (int __i = 0; __i < f.num_elements; __i++)
        f.x[__i] = v;
}

template <class U, int _M, int _N, int _K, class T, class _L, class _V>
CPUCC_FN void load_matrix_sync(fragment<U, _M, _N, _K, T, _L> &f, const _V *p, unsigned __ld)
{
    cpucc_wmma_move(f.x, (void *)p, f.__rows, f.__cols, __ld, cpucc_layout<_L>::__by_column,
                    cpucc_element<T>::__number, 0);
}
template <int _M, int _N, int _K, class T, class _V>
CPUCC_FN void load_matrix_sync(fragment<accumulator, _M, _N, _K, T> &f, const _V *p, unsigned __ld,
                               layout_t layout)
{
    cpucc_wmma_move(f.x, (void *)p, _M, _N, __ld, layout == mem_col_major,
                    cpucc_element<T>::__number, 0);
}
template <int _M, int _N, int _K, class T, class _V>
CPUCC_FN void store_matrix_sync(_V *p, const fragment<accumulator, _M, _N, _K, T> &f, unsigned __ld,
                                layout_t layout)
{
    cpucc_wmma_move((void *)f.x, (void *)p, _M, _N, __ld, layout == mem_col_major,
                    cpucc_element<T>::__number, 1);
}
template <int _M, int _N, int _K, class _D, class T, class _LA, class _LB, class _C>
CPUCC_FN void mma_sync(fragment<accumulator, _M, _N, _K, _D> &d,
                       const fragment<matrix_a, _M, _N, _K, T, _LA> &a,
                       const fragment<matrix_b, _M, _N, _K, T, _LB> &b,
                       const fragment<accumulator, _M, _N, _K, _C> &c, bool = false)
{
    static_assert((int)cpucc_element<T>::__number < 8, "cpucc: wmma of elements below 8 bits");
    static_assert((int)cpucc_element<_C>::__number == (int)cpucc_element<_D>::__number,
                  "cpucc: wmma of two types of accumulators");
    cpucc_wmma(_M, _N, _K, cpucc_element<T>::__number, cpucc_element<_D>::__number, a.x, b.x, c.x,
               d.x);
}

template <class _D, class _A, class _B, class _C>
CPUCC_FN void bmma_sync(_D &, const _A &, const _B &, const _C &,
                        experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                        experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    assert(!"cpucc: wmma of elements below 8 bits is not supported");
}

/* The float rounded to TF32, the bits that tensor cores use. */
CPUCC_FN float __float_to_tf32(float v)
{
    unsigned u = __float_as_uint(v);
    return (u & 0x7f800000) == 0x7f800000 ? v : __uint_as_float((u + 0x1000) & ~0x1fffu);
}

} // namespace wmma
} // namespace nvcuda
using nvcuda::wmma::__float_to_tf32;
#pragma clang force_cuda_host_device end
#endif
