/* Part of cooperative_groups.h: reductions, scans and copies by a group. */
#ifndef CPUCC_GROUP_ALGORITHMS_H
#define CPUCC_GROUP_ALGORITHMS_H
#include "cooperative_groups.h"
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
template <unsigned _SIZE, class _P, class T, class _F>
CPUCC_FN T reduce(const thread_block_tile<_SIZE, _P> &tile, T v, _F f)
{
    if constexpr (_SIZE <= 32) {
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

template <class _N>
CPUCC_FN size_t cpucc_copy_size(const _N &n)
{
    return (size_t)n;
}
/* Copies by all threads of the group: with cp.async in pieces of 16, 8 or 4 bytes if both pointers
 * are aligned and the copy goes from global to shared memory, else with loads and stores. */
template <class _G>
CPUCC_FN void cpucc_group_copy(const _G &__g, void *to, const void *from, size_t bytes)
{
    size_t __at = (size_t)to | (size_t)from, rank = __g.thread_rank(), all = __g.size();
    size_t __piece = __at % 16 == 0 ? 16 : __at % 8 == 0 ? 8 : __at % 4 == 0 ? 4 : 1, __done = 0;
    if (__piece > 1 && __isShared(to) && !__isShared(from)) {
        for (; __piece >= 4; __piece /= 2) {
            size_t n = (bytes - __done) / __piece;
            for (size_t __i = rank; __i < n; __i += all)
                cpucc_cp_async((char *)to + __done + __i * __piece,
                               (const char *)from + __done + __i * __piece, (int)__piece, 0);
            __done += n * __piece;
        }
    }
    for (size_t __i = __done + rank; __i < bytes; __i += all)
        ((char *)to)[__i] = ((const char *)from)[__i];
    cpucc_cp_async_commit();
}
template <class _G, class _N>
CPUCC_FN void memcpy_async(const _G &__g, void *to, const void *from, const _N &bytes)
{
    cpucc_group_copy(__g, to, from, cpucc_copy_size(bytes));
}
/* Copies min(room, count) elements. */
template <class _G, class T, class _N, class _M>
CPUCC_FN void memcpy_async(const _G &__g, T *to, const _N &__room, const T *from, const _M &count)
{
    size_t a = cpucc_copy_size(__room), b = cpucc_copy_size(count);
    cpucc_group_copy(__g, (void *)to, (const void *)from, (a < b ? a : b) * sizeof(T));
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
