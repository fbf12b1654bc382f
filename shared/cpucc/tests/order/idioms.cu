/* Idioms in other hands: look-back by warps, rings, numbered barriers, groups, remote mbarriers. */
#include "order.h"
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups/reduce.h>
__device__ unsigned long long status_of[64];
__global__ void lookback_warp_kernel(const int *in, int *out)
{
    __shared__ int excl;
    int b = blockIdx.x, t = threadIdx.x;
    int v = in[b * 32 + t];
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(~0u, v, d);
        if (t >= d)
            v += u;
    }
    int total = __shfl_sync(~0u, v, 31);
    if (t == 0)
        atomicExch(&status_of[b], ((b == 0 ? 2ull : 1ull) << 32) | (unsigned)total);
    int run = 0;
    if (b > 0) {
        int base = b - 1;
        while (true) {
            int idx = base - t;
            unsigned long long s;
            do {
                s = idx >= 0 ? atomicAdd(&status_of[idx], 0ull) : 2ull << 32;
            } while (__any_sync(~0u, (s >> 32) == 0));
            unsigned full = __ballot_sync(~0u, (s >> 32) == 2);
            int stop = full ? __ffs(full) - 1 : 31;
            int c = t <= stop ? (int)(unsigned)s : 0;
            for (int d = 16; d; d /= 2)
                c += __shfl_xor_sync(~0u, c, d);
            run += c;
            if (full)
                break;
            base -= 32;
        }
        if (t == 0)
            atomicExch(&status_of[b], 2ull << 32 | (unsigned)(run + total));
    }
    if (t == 0)
        excl = run;
    __syncthreads();
    out[b * 32 + t] = excl + v;
}
CASE(lookback_warp) { lookback_warp_kernel<<<40, 32>>>(ints(1280), ints(1280)); }
__global__ void double_buffer_one_sync_kernel(const int *in, int *out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, v = 0;
    s[0][t] = in[t];
    for (int i = 0; i < 6; i++) {
        __syncthreads();
        if (i < 5)
            s[(i + 1) & 1][t] = in[(i + 1) * 64 + t];
        v += s[i & 1][63 - t];
    }
    out[t] = v;
}
CASE(double_buffer_one_sync) { double_buffer_one_sync_kernel<<<1, 64>>>(ints(384), ints(64)); }
__device__ int next9;
__global__ void persistent_queue_kernel(int *out, int n)
{
    __shared__ int tile;
    while (true) {
        if (threadIdx.x == 0)
            tile = atomicAdd(&next9, 1);
        __syncthreads();
        int m = tile;
        __syncthreads();
        if (m >= n)
            break;
        out[m * 64 + threadIdx.x] = m;
    }
}
CASE(persistent_queue) { persistent_queue_kernel<<<3, 64>>>(ints(640), 10); }
__device__ int next10;
__global__ void persistent_queue_one_sync_kernel(int *out, int n)
{
    __shared__ int tile;
    while (true) {
        if (threadIdx.x == 0)
            tile = atomicAdd(&next10, 1); /* FAULT: race_write_after_read */
        __syncthreads();                  /* FAULT: barrier_divergence */
        if (tile >= n)                    /* FAULT: race_read_after_write */
            break;
        out[tile * 64 + threadIdx.x] = 1;
    }
}
CASE(persistent_queue_one_sync) { persistent_queue_one_sync_kernel<<<3, 64>>>(ints(640), 10); }
__global__ void cg_reduce_block_kernel(const int *in, int *out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    __shared__ int p[4];
    int v = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
    if (tile.thread_rank() == 0)
        p[tile.meta_group_rank()] = v;
    block.sync();
    if (tile.meta_group_rank() == 0) {
        int x = tile.thread_rank() < 4 ? p[tile.thread_rank()] : 0;
        x = cg::reduce(tile, x, cg::plus<int>());
        if (tile.thread_rank() == 0)
            *out = x;
    }
}
CASE(cg_reduce_block) { cg_reduce_block_kernel<<<1, 128>>>(ints(128), ints(1)); }
__global__ void pipeline_two_stage_kernel(const int *in, int *out)
{
    __shared__ int s[2][64];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, v = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[(i + 1) & 1][t], &in[(i + 1) * 64 + t], sizeof(int), pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
        v += s[i & 1][t ^ 1];
        __syncthreads();
        pipe.consumer_release();
    }
    out[t] = v;
}
CASE(pipeline_two_stage) { pipeline_two_stage_kernel<<<1, 64>>>(ints(256), ints(64)); }
__global__ void named_barrier_specialised_kernel(const int *in, int *out)
{
    __shared__ int s[32];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        if (w == 0) {
            if (i)
                asm volatile("bar.sync 2, 64;" ::: "memory");
            s[l] = in[i * 32 + l];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[i * 32 + l] = s[31 - l];
            if (i < 3)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
CASE(named_barrier_specialised)
{
    named_barrier_specialised_kernel<<<1, 64>>>(ints(128), ints(128));
}
__global__ void named_barrier_no_empty_kernel(const int *in, int *out)
{
    __shared__ int s[32];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    if (w == 0) {
        s[l] = in[l];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        s[l] = in[l + 32]; /* FAULT: race_write_after_read */
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[l] = s[31 - l];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[l] += s[31 - l];
    }
}
CASE(named_barrier_no_empty) { named_barrier_no_empty_kernel<<<1, 64>>>(ints(64), ints(32)); }
__device__ int f15;
__global__ void named_barrier_then_flag_kernel(int *d, int *out)
{
    if (blockIdx.x == 0) {
        d[threadIdx.x] = 1;
        __threadfence();
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (threadIdx.x == 0)
            atomicExch(&f15, 1);
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(&f15, 0) == 0)
                ;
            __threadfence();
        }
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = d[63 - threadIdx.x];
    }
}
CASE(named_barrier_then_flag) { named_barrier_then_flag_kernel<<<2, 64>>>(ints(64), ints(64)); }
