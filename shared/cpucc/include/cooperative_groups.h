/*
 * Cooperative groups: thread block, tiles of it, coalesced threads, cluster and grid (CUDA C++
 * Programming Guide, "Cooperative Groups"). Each is a few calls of what the device has anyway.
 */
#ifndef CPUCC_COOPERATIVE_GROUPS_H
#define CPUCC_COOPERATIVE_GROUPS_H
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device begin

extern "C" {
CPUCC_SYNC void cpucc_grid_sync(void);
CPUCC_SYNC void cpucc_cluster_sync(void);
CPUCC_SYNC void cpucc_cluster_arrive(void);
CPUCC_SYNC void cpucc_cluster_wait(void);
unsigned cpucc_cluster(int which); /* 0 rank, 1 size, 2-4 position, 5-7 dimensions */
void *cpucc_map_shared(const void *pointer, unsigned rank);
}

namespace cooperative_groups
{

/* Every sync below is forced inline, so that a barrier's line is the caller's. */
#define CPUCC_GROUP __attribute__((always_inline))

struct thread_block {
    CPUCC_GROUP static void sync() { __syncthreads(); }
    CPUCC_GROUP static void barrier_sync() { __syncthreads(); }
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
};
CPUCC_FN thread_block this_thread_block() { return {}; }

struct grid_group {
    CPUCC_GROUP static void sync() { cpucc_grid_sync(); }
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
    CPUCC_GROUP static void sync() { cpucc_cluster_sync(); }
    CPUCC_GROUP static void barrier_arrive() { cpucc_cluster_arrive(); }
    CPUCC_GROUP static void barrier_wait() { cpucc_cluster_wait(); }
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

/* A tile of SIZE lanes, a power of two up to 32. */
template <unsigned SIZE, class Parent = void>
struct thread_block_tile {
    static_assert(SIZE <= 32 && (SIZE & (SIZE - 1)) == 0, "cpucc: tiles of up to 32 threads");
    thread_block_tile() = default;
    template <class P>
    thread_block_tile(const thread_block_tile<SIZE, P> &)
    {
    }
    CPUCC_GROUP static unsigned lane() { return thread_block::thread_rank() & 31; }
    CPUCC_GROUP static unsigned mask()
    {
        return (unsigned)((1ull << SIZE) - 1) << (lane() & ~(SIZE - 1));
    }
    CPUCC_GROUP static void sync() { cpucc_syncwarp(mask()); }
    CPUCC_GROUP static unsigned thread_rank() { return lane() & (SIZE - 1); }
    CPUCC_GROUP static constexpr unsigned size() { return SIZE; }
    CPUCC_GROUP static constexpr unsigned num_threads() { return SIZE; }
    CPUCC_GROUP static unsigned meta_group_rank() { return thread_block::thread_rank() / SIZE; }
    CPUCC_GROUP static unsigned meta_group_size()
    {
        return (thread_block::size() + SIZE - 1) / SIZE;
    }
    template <class T>
    CPUCC_GROUP static T shfl(T v, int i)
    {
        return __shfl_sync(mask(), v, i, SIZE);
    }
    template <class T>
    CPUCC_GROUP static T shfl_up(T v, unsigned d)
    {
        return __shfl_up_sync(mask(), v, d, SIZE);
    }
    template <class T>
    CPUCC_GROUP static T shfl_down(T v, unsigned d)
    {
        return __shfl_down_sync(mask(), v, d, SIZE);
    }
    template <class T>
    CPUCC_GROUP static T shfl_xor(T v, unsigned m)
    {
        return __shfl_xor_sync(mask(), v, (int)m, SIZE);
    }
    CPUCC_GROUP static unsigned ballot(int p)
    {
        return __ballot_sync(mask(), p) >> (lane() & ~(SIZE - 1)) & (unsigned)((1ull << SIZE) - 1);
    }
    CPUCC_GROUP static int any(int p) { return ballot(p) != 0; }
    CPUCC_GROUP static int all(int p) { return ballot(!p) == 0; }
    template <class T>
    CPUCC_GROUP static unsigned match_any(T v)
    {
        return __match_any_sync(mask(), v) >> (lane() & ~(SIZE - 1));
    }
};
template <unsigned SIZE, class Parent>
CPUCC_FN thread_block_tile<SIZE, Parent> tiled_partition(const Parent &)
{
    return {};
}

/* The lanes that happened to be together when it was made. */
struct coalesced_group {
    unsigned members;
    CPUCC_GROUP unsigned rank_mask() const
    {
        return members & ((1u << (thread_block::thread_rank() & 31)) - 1);
    }
    CPUCC_GROUP void sync() const { cpucc_syncwarp(members); }
    CPUCC_GROUP unsigned thread_rank() const { return (unsigned)__popc(rank_mask()); }
    CPUCC_GROUP unsigned size() const { return (unsigned)__popc(members); }
    CPUCC_GROUP unsigned num_threads() const { return size(); }
    CPUCC_GROUP int any(int p) const { return __any_sync(members, p); }
    CPUCC_GROUP int all(int p) const { return __all_sync(members, p); }
    template <class T>
    CPUCC_GROUP T shfl(T v, unsigned rank) const
    {
        unsigned m = members;
        while (rank--)
            m &= m - 1;
        return __shfl_sync(members, v, __ffs((int)m) - 1);
    }
};
CPUCC_FN coalesced_group coalesced_threads() { return {__activemask()}; }

template <class G>
CPUCC_FN void sync(const G &g)
{
    g.sync();
}
template <class G>
CPUCC_FN unsigned thread_rank(const G &g)
{
    return (unsigned)g.thread_rank();
}
template <class G>
CPUCC_FN unsigned group_size(const G &g)
{
    return (unsigned)g.size();
}

/* <cooperative_groups/reduce.h> */
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
template <unsigned SIZE, class P, class T, class F>
CPUCC_FN T reduce(const thread_block_tile<SIZE, P> &tile, T v, F f)
{
    for (unsigned m = SIZE / 2; m; m /= 2)
        v = f(v, tile.shfl_xor(v, m));
    return v;
}

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
#endif
