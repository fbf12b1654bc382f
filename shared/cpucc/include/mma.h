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
CPUCC_SYNC void cpucc_wmma(int m, int n, int k, int type, int sum, const void *a, const void *b,
                           const void *c, void *d);
CPUCC_SYNC void cpucc_wmma_move(void *elements, void *memory, int rows, int cols, unsigned ld,
                                int by_column, int type, int store);
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

/* An element's type in memory, and the type's number in matrix.c. */
template <class T>
struct cpucc_element;
#define CPUCC_ELEMENT(T, S, n)                                                                     \
    template <>                                                                                    \
    struct cpucc_element<T> {                                                                      \
        typedef S stored;                                                                          \
        enum { number = n };                                                                       \
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
#undef CPUCC_ELEMENT

template <class Use, int M, int N, int K>
struct cpucc_shape;
template <int M, int N, int K>
struct cpucc_shape<matrix_a, M, N, K> {
    enum { rows = M, cols = K };
};
template <int M, int N, int K>
struct cpucc_shape<matrix_b, M, N, K> {
    enum { rows = K, cols = N };
};
template <int M, int N, int K>
struct cpucc_shape<accumulator, M, N, K> {
    enum { rows = M, cols = N };
};
template <class Layout>
struct cpucc_layout {
    enum { by_column = 0 };
};
template <>
struct cpucc_layout<col_major> {
    enum { by_column = 1 };
};

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment
{
  public:
    typedef typename cpucc_element<T>::stored element_type;
    typedef element_type storage_element_type;
    enum {
        rows = cpucc_shape<Use, M, N, K>::rows,
        cols = cpucc_shape<Use, M, N, K>::cols,
        num_elements = rows * cols / 32,
        num_storage_elements = num_elements
    };
    static_assert(rows * cols % 32 == 0, "cpucc: no shape of wmma");
    element_type x[num_elements];
};

template <class U, int M, int N, int K, class T, class L, class V>
CPUCC_FN void fill_fragment(fragment<U, M, N, K, T, L> &f, const V &value)
{
    typename fragment<U, M, N, K, T, L>::element_type v =
        (typename fragment<U, M, N, K, T, L>::element_type)value;
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = v;
}

template <class U, int M, int N, int K, class T, class L, class V>
CPUCC_FN void load_matrix_sync(fragment<U, M, N, K, T, L> &f, const V *p, unsigned ld)
{
    cpucc_wmma_move(f.x, (void *)p, f.rows, f.cols, ld, cpucc_layout<L>::by_column,
                    cpucc_element<T>::number, 0);
}
template <int M, int N, int K, class T, class V>
CPUCC_FN void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const V *p, unsigned ld,
                               layout_t layout)
{
    cpucc_wmma_move(f.x, (void *)p, M, N, ld, layout == mem_col_major, cpucc_element<T>::number, 0);
}
template <int M, int N, int K, class T, class V>
CPUCC_FN void store_matrix_sync(V *p, const fragment<accumulator, M, N, K, T> &f, unsigned ld,
                                layout_t layout)
{
    cpucc_wmma_move((void *)f.x, (void *)p, M, N, ld, layout == mem_col_major,
                    cpucc_element<T>::number, 1);
}
template <int M, int N, int K, class D, class T, class LA, class LB, class C>
CPUCC_FN void mma_sync(fragment<accumulator, M, N, K, D> &d,
                       const fragment<matrix_a, M, N, K, T, LA> &a,
                       const fragment<matrix_b, M, N, K, T, LB> &b,
                       const fragment<accumulator, M, N, K, C> &c, bool = false)
{
    static_assert((int)cpucc_element<C>::number == (int)cpucc_element<D>::number,
                  "cpucc: wmma of two types of accumulators");
    cpucc_wmma(M, N, K, cpucc_element<T>::number, cpucc_element<D>::number, a.x, b.x, c.x, d.x);
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
