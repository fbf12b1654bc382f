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
template <unsigned SIZE, class P, class T, class F>
CPUCC_FN T reduce(const thread_block_tile<SIZE, P> &tile, T v, F f)
{
    if constexpr (SIZE <= 32) {
        for (unsigned m = SIZE / 2; m; m /= 2)
            v = f(v, tile.shfl_xor(v, m));
        return v;
    } else {
        T all[SIZE];
        cpucc_barrier_exchange(tile.number(), (int)SIZE, (int)tile.thread_rank(), &v, all,
                               sizeof v);
        T r = all[0];
        for (unsigned i = 1; i < SIZE; i++)
            r = f(r, all[i]);
        return r;
    }
}
template <class T, class F>
CPUCC_FN T reduce(const coalesced_group &g, T v, F f)
{
    T r = g.shfl(v, 0);
    for (unsigned i = 1; i < g.size(); i++)
        r = f(r, g.shfl(v, i));
    return r;
}

/* ---- <cooperative_groups/scan.h> ---- */

template <class G, class T, class F>
CPUCC_FN T inclusive_scan(const G &g, T v, F f)
{
    unsigned rank = (unsigned)g.thread_rank();
    for (unsigned d = 1; d < g.size(); d *= 2) {
        T other = g.shfl_up(v, d);
        if (rank >= d)
            v = f(other, v);
    }
    return v;
}
template <class G, class T>
CPUCC_FN T inclusive_scan(const G &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}
/* Exclusive scan; the first thread gets T(). */
template <class G, class T, class F>
CPUCC_FN T exclusive_scan(const G &g, T v, F f)
{
    T sum = g.shfl_up(inclusive_scan(g, v, f), 1);
    return g.thread_rank() ? sum : T();
}
template <class G, class T>
CPUCC_FN T exclusive_scan(const G &g, T v)
{
    return exclusive_scan(g, v, plus<T>());
}

/* ---- <cooperative_groups/memcpy_async.h> ---- */

template <class N>
CPUCC_FN size_t cpucc_copy_size(const N &n)
{
    return (size_t)n;
}
/* Copies by all threads of the group: with cp.async in pieces of 16, 8 or 4 bytes if both pointers
 * are aligned and the copy goes from global to shared memory, else with loads and stores. */
template <class G>
CPUCC_FN void cpucc_group_copy(const G &g, void *to, const void *from, size_t bytes)
{
    size_t at = (size_t)to | (size_t)from, rank = g.thread_rank(), all = g.size();
    size_t piece = at % 16 == 0 ? 16 : at % 8 == 0 ? 8 : at % 4 == 0 ? 4 : 1, done = 0;
    if (piece > 1 && __isShared(to) && !__isShared(from)) {
        for (; piece >= 4; piece /= 2) {
            size_t n = (bytes - done) / piece;
            for (size_t i = rank; i < n; i += all)
                cpucc_cp_async((char *)to + done + i * piece, (const char *)from + done + i * piece,
                               (int)piece, 0);
            done += n * piece;
        }
    }
    for (size_t i = done + rank; i < bytes; i += all)
        ((char *)to)[i] = ((const char *)from)[i];
    cpucc_cp_async_commit();
}
template <class G, class N>
CPUCC_FN void memcpy_async(const G &g, void *to, const void *from, const N &bytes)
{
    cpucc_group_copy(g, to, from, cpucc_copy_size(bytes));
}
/* Copies min(room, count) elements. */
template <class G, class T, class N, class M>
CPUCC_FN void memcpy_async(const G &g, T *to, const N &room, const T *from, const M &count)
{
    size_t a = cpucc_copy_size(room), b = cpucc_copy_size(count);
    cpucc_group_copy(g, (void *)to, (const void *)from, (a < b ? a : b) * sizeof(T));
}
template <class G>
CPUCC_FN void wait(const G &g)
{
    cpucc_cp_async_wait(0);
    g.sync();
}
template <unsigned PENDING, class G>
CPUCC_FN void wait_prior(const G &g)
{
    cpucc_cp_async_wait((int)PENDING);
    g.sync();
}

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
#endif
