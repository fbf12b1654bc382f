/*
 * Implements cooperative groups: thread block, tiles, coalesced threads, cluster and grid (CUDA C++
 * Programming Guide, "Cooperative Groups"). Groups use the device's barriers, shuffles and votes;
 * each tile of more than a warp has a named barrier of its own (named_barrier.c).
 */
#ifndef CPUCC_COOPERATIVE_GROUPS_H
#define CPUCC_COOPERATIVE_GROUPS_H
#include "cuda_pipeline.h"
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device begin

extern "C" {
CPUCC_SYNC void cpucc_grid_sync(void);
CPUCC_SYNC void cpucc_cluster_sync(void);
CPUCC_SYNC void cpucc_cluster_arrive(void);
CPUCC_SYNC void cpucc_cluster_wait(void);
unsigned cpucc_cluster(int __which); /* 0 rank, 1 size, 2-4 position, 5-7 dimensions */
void *cpucc_map_shared(const void *pointer, unsigned rank);
CPUCC_SYNC void cpucc_barrier_exchange(int __number, int count, int rank, const void *__mine,
                                       void *all, size_t bytes);
}

#define _CG_HAS_CLUSTER_GROUP 1

namespace cooperative_groups
{

/* Members are forced inline, so that the caller's line is reported as a barrier's line. */
#define CPUCC_GROUP __attribute__((__always_inline__))

/* ---- any group ---- */

/* A group of any type: some lanes of a warp, given by their mask, or a whole block. */
class thread_group
{
  public:
    thread_group() = default;
    CPUCC_GROUP thread_group(unsigned __lanes, unsigned __block) : mask(__lanes), __threads(__block)
    {
    }
    CPUCC_GROUP void sync() const
    {
        if (mask)
            cpucc_syncwarp(mask);
        else
            __syncthreads();
    }
    CPUCC_GROUP unsigned thread_rank() const
    {
        unsigned __r =
            threadIdx.x + blockDim.x * (threadIdx.y + (unsigned)blockDim.y * threadIdx.z);
        return mask ? (unsigned)__popc(mask & ((1u << (__r & 31)) - 1)) : __r;
    }
    CPUCC_GROUP unsigned size() const { return mask ? (unsigned)__popc(mask) : __threads; }
    CPUCC_GROUP unsigned num_threads() const { return size(); }
    CPUCC_GROUP bool is_valid() const { return true; }
    CPUCC_GROUP unsigned __lanes() const { return mask; }

  private:
    unsigned mask, __threads;
};

struct thread_block {
    CPUCC_GROUP static void sync() { __syncthreads(); }
    CPUCC_GROUP static void barrier_sync() { __syncthreads(); }
    struct arrival_token {
    };
    CPUCC_GROUP static arrival_token barrier_arrive() { return {}; } /* barrier_wait() does both */
    CPUCC_GROUP static void barrier_wait(arrival_token &&) { __syncthreads(); }
    CPUCC_GROUP static unsigned thread_rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    CPUCC_GROUP static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    CPUCC_GROUP static unsigned num_threads() { return size(); }
    CPUCC_GROUP static dim3 group_index() { return uint3(blockIdx); }
    CPUCC_GROUP static dim3 thread_index() { return uint3(threadIdx); }
    CPUCC_GROUP static dim3 group_dim() { return blockDim; }
    CPUCC_GROUP static dim3 dim_threads() { return blockDim; }
    CPUCC_GROUP static bool is_valid() { return true; }
    CPUCC_GROUP operator thread_group() const { return thread_group(0, size()); }
};
CPUCC_FN thread_block this_thread_block() { return {}; }

/* CUDA's scratch memory for tiles of several warps, which cpucc does not need. */
template <unsigned _THREADS>
struct block_tile_memory {
    char __cpucc_unused;
};
template <unsigned _THREADS>
CPUCC_FN thread_block this_thread_block(block_tile_memory<_THREADS> &)
{
    return {};
}
namespace experimental
{
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
} // namespace experimental

struct grid_group {
    CPUCC_GROUP static void sync() { cpucc_grid_sync(); }
    typedef unsigned arrival_token;
    CPUCC_GROUP static arrival_token barrier_arrive() { return 0; } /* barrier_wait() does both */
    CPUCC_GROUP static void barrier_wait(arrival_token &&) { cpucc_grid_sync(); }
    CPUCC_GROUP static bool is_valid() { return true; }
    CPUCC_GROUP static unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    CPUCC_GROUP static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    CPUCC_GROUP static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    CPUCC_GROUP static unsigned long long size() { return num_blocks() * thread_block::size(); }
    CPUCC_GROUP static unsigned long long num_threads() { return size(); }
    CPUCC_GROUP static dim3 group_dim() { return gridDim; }
    CPUCC_GROUP static dim3 dim_blocks() { return gridDim; }
    CPUCC_GROUP static dim3 block_index() { return uint3(blockIdx); }
};
CPUCC_FN grid_group this_grid() { return {}; }

struct cluster_group {
    typedef unsigned arrival_token;
    CPUCC_GROUP static void sync() { cpucc_cluster_sync(); }
    CPUCC_GROUP static arrival_token barrier_arrive() { return cpucc_cluster_arrive(), 0u; }
    CPUCC_GROUP static void barrier_wait() { cpucc_cluster_wait(); }
    CPUCC_GROUP static void barrier_wait(arrival_token &&) { cpucc_cluster_wait(); }
    CPUCC_GROUP static unsigned block_rank() { return cpucc_cluster(0); }
    CPUCC_GROUP static unsigned num_blocks() { return cpucc_cluster(1); }
    CPUCC_GROUP static dim3 block_index()
    {
        return dim3(cpucc_cluster(2), cpucc_cluster(3), cpucc_cluster(4));
    }
    CPUCC_GROUP static dim3 dim_blocks()
    {
        return dim3(cpucc_cluster(5), cpucc_cluster(6), cpucc_cluster(7));
    }
    CPUCC_GROUP static unsigned thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    CPUCC_GROUP static unsigned num_threads() { return num_blocks() * thread_block::size(); }
    CPUCC_GROUP static unsigned size() { return num_threads(); }
    template <class T>
    CPUCC_GROUP static T *map_shared_rank(T *p, unsigned rank)
    {
        return (T *)cpucc_map_shared((const void *)p, rank);
    }
};
CPUCC_FN cluster_group this_cluster() { return {}; }

/* ---- lanes of a warp ---- */

/* The lanes that were active together when coalesced_threads() was called, or a part of a group. */
class coalesced_group
{
  public:
    coalesced_group() = default;
    CPUCC_GROUP coalesced_group(unsigned mask, unsigned __which, unsigned __of)
        : __members(mask), rank(__which), __groups(__of)
    {
    }
    CPUCC_GROUP unsigned __lanes() const { return __members; }
    CPUCC_GROUP void sync() const { cpucc_syncwarp(__members); }
    CPUCC_GROUP unsigned thread_rank() const
    {
        return (unsigned)__popc(__members & ((1u << (thread_block::thread_rank() & 31)) - 1));
    }
    CPUCC_GROUP unsigned size() const { return (unsigned)__popc(__members); }
    CPUCC_GROUP unsigned num_threads() const { return size(); }
    CPUCC_GROUP unsigned meta_group_rank() const { return rank; }
    CPUCC_GROUP unsigned meta_group_size() const { return __groups; }
    CPUCC_GROUP bool is_valid() const { return true; }
    CPUCC_GROUP int any(int p) const { return __any_sync(__members, p); }
    CPUCC_GROUP int all(int p) const { return __all_sync(__members, p); }
    CPUCC_GROUP unsigned ballot(int p) const { return __packed(__ballot_sync(__members, p)); }
    template <class T>
    CPUCC_GROUP unsigned match_any(T v) const
    {
        return __packed(__match_any_sync(__members, v));
    }
    template <class T>
    CPUCC_GROUP unsigned match_all(T v, int &all) const
    {
        return __packed(__match_all_sync(__members, v, &all));
    }
    template <class T>
    CPUCC_GROUP T shfl(T v, unsigned __of) const
    {
        return __shfl_sync(__members, v, __lane_of(__of));
    }
    template <class T>
    CPUCC_GROUP T shfl_up(T v, unsigned delta) const
    {
        unsigned __mine = thread_rank();
        return __shfl_sync(__members, v, __lane_of(__mine < delta ? __mine : __mine - delta));
    }
    template <class T>
    CPUCC_GROUP T shfl_down(T v, unsigned delta) const
    {
        unsigned __mine = thread_rank();
        return __shfl_sync(__members, v,
                           __lane_of(__mine + delta < size() ? __mine + delta : __mine));
    }
    CPUCC_GROUP operator thread_group() const { return thread_group(__members, 0); }

  private:
    CPUCC_GROUP int __lane_of(unsigned __of) const
    {
        unsigned __m = __members;
        while (__of--)
            __m &= __m - 1;
        return __ffs((int)__m) - 1;
    }
    /* The bits of `mask` for the members alone, in the order of their ranks. */
    CPUCC_GROUP unsigned __packed(unsigned mask) const
    {
        unsigned __r = 0, __at = 0;
        for (unsigned __m = __members; __m; __m &= __m - 1)
            __r |= (mask >> (__ffs((int)__m) - 1) & 1) << __at++;
        return __r;
    }
    unsigned __members, rank, __groups;
};
CPUCC_FN coalesced_group coalesced_threads() { return coalesced_group(__activemask(), 0, 1); }

/* A tile of SIZE threads, a power of two. */
template <unsigned _SIZE, class Parent = void>
struct thread_block_tile {
    static_assert(_SIZE <= 1024 && (_SIZE & (_SIZE - 1)) == 0,
                  "cpucc: tiles of up to 1024 threads");
    enum : int { barrier = 16 };
    thread_block_tile() = default;
    template <class _P>
    thread_block_tile(const thread_block_tile<_SIZE, _P> &)
    {
    }
    CPUCC_GROUP static unsigned __lane() { return thread_block::thread_rank() & 31; }
    CPUCC_GROUP static unsigned mask()
    {
        return _SIZE >= 32 ? ~0u : (unsigned)((1ull << _SIZE) - 1) << (__lane() & ~(_SIZE - 1));
    }
    CPUCC_GROUP static unsigned __lanes() { return mask(); }
    /* The tile's barrier: the program has the first 16; tiles of 1024, 512, ... threads follow. */
    CPUCC_GROUP static int __number() { return barrier + (int)(2048 / _SIZE + meta_group_rank()); }
    CPUCC_GROUP static void sync()
    {
        if (_SIZE <= 32)
            cpucc_syncwarp(mask());
        else
            cpucc_barrier_sync(__number(), (int)_SIZE);
    }
    CPUCC_GROUP static unsigned thread_rank() { return thread_block::thread_rank() & (_SIZE - 1); }
    CPUCC_GROUP static constexpr unsigned size() { return _SIZE; }
    CPUCC_GROUP static constexpr unsigned num_threads() { return _SIZE; }
    CPUCC_GROUP static bool is_valid() { return true; }
    CPUCC_GROUP static unsigned meta_group_rank() { return thread_block::thread_rank() / _SIZE; }
    CPUCC_GROUP static unsigned meta_group_size()
    {
        return (thread_block::size() + _SIZE - 1) / _SIZE;
    }
    template <class T>
    CPUCC_GROUP static T shfl(T v, int __i)
    {
        __one_warp();
        return __shfl_sync(mask(), v, __i, _SIZE);
    }
    template <class T>
    CPUCC_GROUP static T shfl_up(T v, unsigned d)
    {
        __one_warp();
        return __shfl_up_sync(mask(), v, d, _SIZE);
    }
    template <class T>
    CPUCC_GROUP static T shfl_down(T v, unsigned d)
    {
        __one_warp();
        return __shfl_down_sync(mask(), v, d, _SIZE);
    }
    template <class T>
    CPUCC_GROUP static T shfl_xor(T v, unsigned __m)
    {
        __one_warp();
        return __shfl_xor_sync(mask(), v, (int)__m, _SIZE);
    }
    CPUCC_GROUP static unsigned ballot(int p)
    {
        __one_warp();
        return __own(__ballot_sync(mask(), p));
    }
    CPUCC_GROUP static int any(int p)
    {
        if (_SIZE <= 32)
            return __any_sync(mask(), p);
        int all[_SIZE], __r = 0;
        cpucc_barrier_exchange(__number(), (int)_SIZE, (int)thread_rank(), &p, all, sizeof p);
        for (unsigned __i = 0; __i < _SIZE; __i++)
            __r |= all[__i] != 0;
        return __r;
    }
    CPUCC_GROUP static int all(int p) { return !any(!p); }
    template <class T>
    CPUCC_GROUP static unsigned match_any(T v)
    {
        __one_warp();
        return __own(__match_any_sync(mask(), v));
    }
    template <class T>
    CPUCC_GROUP static unsigned match_all(T v, int &all)
    {
        __one_warp();
        return __own(__match_all_sync(mask(), v, &all));
    }
    CPUCC_GROUP operator thread_group() const
    {
        __one_warp();
        return thread_group(mask(), 0);
    }

  private:
    CPUCC_GROUP static constexpr void __one_warp()
    {
        static_assert(_SIZE <= 32, "cpucc: this is for tiles of one warp");
    }
    CPUCC_GROUP static unsigned __own(unsigned all)
    {
        return _SIZE >= 32 ? all
                           : all >> (__lane() & ~(_SIZE - 1)) & (unsigned)((1ull << _SIZE) - 1);
    }
};

/* ---- partitions ---- */

template <unsigned _SIZE, class Parent>
CPUCC_FN thread_block_tile<_SIZE, Parent> tiled_partition(const Parent &)
{
    return {};
}
/* The mask of the lanes of `of` that share a tile of `size` with the lane of rank `rank`. */
CPUCC_FN unsigned cpucc_tile_of(unsigned __of, unsigned rank, unsigned size)
{
    unsigned __r = 0, __at = 0;
    for (unsigned __m = __of; __m; __m &= __m - 1, __at++)
        if (__at / size == rank / size)
            __r |= __m & (0u - __m);
    return __r;
}
CPUCC_FN thread_group tiled_partition(const thread_group &__g, unsigned size)
{
    unsigned rank = __g.thread_rank();
    if (__g.__lanes())
        return thread_group(cpucc_tile_of(__g.__lanes(), rank, size), 0);
    unsigned __lane = rank & 31, __there = __g.size() - (rank & ~31u);
    unsigned warp = __there < 32 ? (1u << __there) - 1 : ~0u;
    return thread_group(cpucc_tile_of(warp, __lane, size), 0);
}
CPUCC_FN coalesced_group tiled_partition(const coalesced_group &__g, unsigned size)
{
    unsigned rank = __g.thread_rank();
    return coalesced_group(cpucc_tile_of(__g.__lanes(), rank, size), rank / size,
                           (__g.size() + size - 1) / size);
}
template <class _G>
CPUCC_FN coalesced_group binary_partition(const _G &__g, bool __which)
{
    unsigned __yes = __ballot_sync(__g.__lanes(), __which);
    return coalesced_group(__which ? __yes : __g.__lanes() & ~__yes, __which ? 0 : 1, 2);
}
template <class _G, class _L>
CPUCC_FN coalesced_group labeled_partition(const _G &__g, _L __label)
{
    unsigned __mine = __match_any_sync(__g.__lanes(), __label), rank = 0, __groups = 0;
    /* Groups are numbered in the order of their lowest lanes. */
    unsigned __leaders = __ballot_sync(__g.__lanes(), (thread_block::thread_rank() & 31) ==
                                                          (unsigned)(__ffs((int)__mine) - 1));
    __groups = (unsigned)__popc(__leaders);
    rank = (unsigned)__popc(__leaders & ((__mine & (0u - __mine)) - 1));
    return coalesced_group(__mine, rank, __groups);
}

/* ---- for any group ---- */

template <class _G>
CPUCC_FN void sync(const _G &__g)
{
    __g.sync();
}
template <class _G>
CPUCC_FN unsigned thread_rank(const _G &__g)
{
    return (unsigned)__g.thread_rank();
}
template <class _G>
CPUCC_FN unsigned group_size(const _G &__g)
{
    return (unsigned)__g.size();
}
template <class _G, class _F, class... _A>
CPUCC_FN void invoke_one(const _G &__g, _F f, _A... __arguments)
{
    if (__g.thread_rank() == 0)
        f(__arguments...);
}

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
#include "cpucc_group_algorithms.h"
#endif
