/* Part of cooperative_groups.h: reductions, scans and copies by a group. */
#ifndef CPUCC_GROUP_ALGORITHMS_H
#define CPUCC_GROUP_ALGORITHMS_H
#include "cooperative_groups.h"
#include "cpucc_async.h"
#pragma clang force_cuda_host_device begin

namespace cooperative_groups
{

/* ---- <cooperative_groups/reduce.h> ---- */

template <class T>
struct plus {
    CPUCC_GROUP T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    CPUCC_GROUP T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    CPUCC_GROUP T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    CPUCC_GROUP T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    CPUCC_GROUP T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    CPUCC_GROUP T operator()(T a, T b) const { return a ^ b; }
};
/* What __reduce_OP_sync passes to cpucc_vote for the same operation: NVIDIA's reduce is that instruction for
 * integers of 32 bits. 0: it is made of shuffles. */
template <class _F>
inline constexpr int __redux = 0;
#define CPUCC_REDUX(what, of_int, of_unsigned)                                                     \
    template <>                                                                                    \
    inline constexpr int __redux<what<int>> = of_int;                                              \
    template <>                                                                                    \
    inline constexpr int __redux<what<unsigned>> = of_unsigned;
CPUCC_REDUX(plus, 3, 3)
CPUCC_REDUX(less, 6, 4)
CPUCC_REDUX(greater, 7, 5)
CPUCC_REDUX(bit_and, 8, 8)
CPUCC_REDUX(bit_or, 9, 9)
CPUCC_REDUX(bit_xor, 10, 10)
template <unsigned _SIZE, class _P, class T, class _F>
CPUCC_FN T reduce(const thread_block_tile<_SIZE, _P> &tile, T v, _F f)
{
    if constexpr (_SIZE <= 32 && __redux<_F> != 0 &&
                  (__is_same(T, int) || __is_same(T, unsigned))) {
        return (T)cpucc_vote(tile.__lanes(), (unsigned)v, __redux<_F>);
    } else if constexpr (_SIZE <= 32) {
        for (unsigned __m = _SIZE / 2; __m; __m /= 2)
            v = f(v, tile.shfl_xor(v, __m));
        return v;
    } else {
        T all[_SIZE];
        cpucc_barrier_exchange(tile.__number(), (int)_SIZE, (int)tile.thread_rank(), &v, all,
                               sizeof v);
        T __r = all[0];
        for (unsigned __i = 1; __i < _SIZE; __i++)
            __r = f(__r, all[__i]);
        return __r;
    }
}
template <class T, class _F>
CPUCC_FN T reduce(const coalesced_group &__g, T v, _F f)
{
    T __r = __g.shfl(v, 0);
    for (unsigned __i = 1; __i < __g.size(); __i++)
        __r = f(__r, __g.shfl(v, __i));
    return __r;
}

/* ---- <cooperative_groups/scan.h> ---- */

template <class _G, class T, class _F>
CPUCC_FN T inclusive_scan(const _G &__g, T v, _F f)
{
    unsigned rank = (unsigned)__g.thread_rank();
    for (unsigned d = 1; d < __g.size(); d *= 2) {
        T other = __g.shfl_up(v, d);
        if (rank >= d)
            v = f(other, v);
    }
    return v;
}
template <class _G, class T>
CPUCC_FN T inclusive_scan(const _G &__g, T v)
{
    return inclusive_scan(__g, v, plus<T>());
}
/* Exclusive scan; the first thread gets T(). */
template <class _G, class T, class _F>
CPUCC_FN T exclusive_scan(const _G &__g, T v, _F f)
{
    T __sum = __g.shfl_up(inclusive_scan(__g, v, f), 1);
    return __g.thread_rank() ? __sum : T();
}
template <class _G, class T>
CPUCC_FN T exclusive_scan(const _G &__g, T v)
{
    return exclusive_scan(__g, v, plus<T>());
}

/* ---- <cooperative_groups/memcpy_async.h> ---- */

/* Copies by all threads of the group in pieces of _ALIGN bytes; if these are 1 or 2, of the most, up to 16, that
 * divides the distance of the addresses, and single bytes before and after. As in CUDA's header, bytes behind the
 * last whole piece remain if _ALIGN is larger, and an odd last byte if pieces have 2 bytes. */
template <size_t _ALIGN, class _G>
CPUCC_FN void cpucc_group_copy(const _G &__g, char *to, const char *from, size_t bytes)
{
    size_t rank = __g.thread_rank(), all = __g.size(), __apart = ((size_t)to ^ (size_t)from) | 16;
    size_t __piece = __apart & -__apart;
    if (_ALIGN > 2)
        cpucc_copy_pieces<_ALIGN>(to, from, bytes / _ALIGN, rank, all);
    else if (__piece < 4 || bytes < __piece)
        if (_ALIGN == 2 || (__piece == 2 && bytes >= 2))
            cpucc_copy_pieces<2>(to, from, bytes / 2, rank, all);
        else
            cpucc_copy_pieces<1>(to, from, bytes, rank, all);
    else {
        size_t __head = -(size_t)from & (__piece - 1), n = (bytes - __head) / __piece;
        cpucc_copy_pieces<1>(to, from, __head, rank, all);
        to += __head, from += __head;
        if (__piece == 16)
            cpucc_copy_pieces<16>(to, from, n, rank, all);
        else if (__piece == 8)
            cpucc_copy_pieces<8>(to, from, n, rank, all);
        else
            cpucc_copy_pieces<4>(to, from, n, rank, all);
        n *= __piece;
        cpucc_copy_pieces<1>(to + n, from + n, bytes - __head - n, rank, all);
    }
    cpucc_cp_async_commit();
}
/* An aligned_size_t names the alignment, whatever the type. */
template <class T, class _N>
constexpr size_t cpucc_group_align =
    cpucc_size_align<_N> > 1 ? cpucc_size_align<_N> : cpucc_align<T>;
template <class _G, class T, class _N>
CPUCC_FN void memcpy_async(const _G &__g, T *to, const T *from, const _N &bytes)
{
    cpucc_group_copy<cpucc_group_align<T, _N>>(__g, (char *)to, (const char *)from, (size_t)bytes);
}
/* Copies min(room, count) elements. */
template <class _G, class T, class _N, class _M>
CPUCC_FN void memcpy_async(const _G &__g, T *to, const _N &__room, const T *from, const _M &count)
{
    size_t a = (size_t)__room, b = (size_t)count;
    cpucc_group_copy<cpucc_group_align<T, _N>>(__g, (char *)to, (const char *)from,
                                               (a < b ? a : b) * sizeof(T));
}
template <class _G>
CPUCC_FN void wait(const _G &__g)
{
    cpucc_cp_async_wait(0);
    __g.sync();
}
template <unsigned _PENDING, class _G>
CPUCC_FN void wait_prior(const _G &__g)
{
    cpucc_cp_async_wait((int)_PENDING);
    __g.sync();
}

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
#endif
