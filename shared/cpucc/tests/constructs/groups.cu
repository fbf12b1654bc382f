/* Cooperative groups: partitions of every kind, tiles of several warps, reductions, scans, copies. */
#include "constructs.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group g, int *scratch, int v)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        scratch[lane] = v;
        g.sync();
        if (lane < i)
            v += scratch[lane + i];
        g.sync();
    }
    return v;
}

__global__ void any_group(int *out)
{
    __shared__ int scratch[64];
    auto block = cg::this_thread_block();
    int all = sum_of(block, scratch, threadIdx.x);
    cg::thread_group eight = cg::tiled_partition(block, 8);
    int some = sum_of(eight, scratch + threadIdx.x / 8 * 8, threadIdx.x);
    if (threadIdx.x == 0)
        out[64] = all;
    if (eight.thread_rank() == 0)
        out[threadIdx.x] = some;
}

__global__ void tiles(int *out)
{
    __shared__ cg::block_tile_memory<128> memory;
    int i = threadIdx.x;
    auto block = cg::this_thread_block(memory);
    auto two_warps = cg::tiled_partition<64>(block);
    auto sixteen = cg::tiled_partition<16>(block);
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[i] = cg::reduce(two_warps, i, cg::plus<int>());
    out[128 + i] = cg::inclusive_scan(sixteen, 2) * 100 + cg::exclusive_scan(sixteen, 1);
    out[256 + i] = cg::reduce(sixteen, i, cg::greater<int>()) +
                   1000 * (two_warps.any(i == 70) + two_warps.all(i < 64)) +
                   10000 * (int)sixteen.meta_group_rank();
    auto by_parity = cg::binary_partition(warp, i & 1);
    auto by_thirds = cg::labeled_partition(warp, i % 3);
    out[384 + i] =
        by_parity.shfl(i, 1) * 100 + by_thirds.size() * 10000 + by_thirds.thread_rank() * 1000000;
    two_warps.sync();
    if (i % 4 == 1) {
        auto here = cg::coalesced_threads();
        out[512 + i] = cg::reduce(here, 1, cg::plus<int>()) * 100 + here.shfl_down(i, 1) +
                       here.ballot(i > 16) * 10000;
    }
}

__global__ void copies(const int *in, int *out, int n)
{
    extern __shared__ int tile[];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::memcpy_async(block, tile, in, sizeof(int) * n);
    cg::wait(block);
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
    block.sync();
    int *own = tile + warp.meta_group_rank() * 32;
    cg::memcpy_async(warp, own, 32, in + 32 * warp.meta_group_rank() + 1, 31);
    cg::wait_prior<0>(warp);
    out[n + threadIdx.x] = own[warp.thread_rank() % 31];
}

int main()
{
    int in[64], *d;
    any_group<<<1, 64>>>(fresh());
    fetch();
    expect("a block as a group", host[64], 2016);
    expect("a tile as a group", host[8], 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15);
    tiles<<<1, 128>>>(fresh());
    fetch();
    expect("reduce, two warps", host[5], 2016);
    expect("reduce, the other two", host[127], 2016 + 64 * 64);
    expect("scans", host[128 + 18], 3 * 200 + 2);
    expect("largest, any, all", host[256 + 37], 47 + 1000 + 20000);
    expect("any in two warps", host[256 + 64], 79 + 1000 + 40000);
    expect("partitions", host[384 + 31], 3 * 100 + 10 * 1000000 + 11 * 10000);
    expect("coalesced", host[512 + 5], 800 + 9 + 0xf0 * 10000);
    for (int i = 0; i < 64; i++)
        in[i] = i * i;
    cudaMalloc(&d, sizeof in);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    copies<<<1, 64, sizeof in>>>(d, fresh(), 64);
    fetch();
    expect("a block's copy", host[60], 9);
    expect("a warp's copy", host[64 + 33], 34 * 34);
    return failures != 0;
}
