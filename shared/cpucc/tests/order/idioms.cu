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
__global__ void ring_between_blocks_kernel(int *ring, int *head, int *tail, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> h(*head), t(*tail);
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0)
        for (int i = 0; i < 20; i++) {
            while (i - t.load(cuda::memory_order_acquire) >= 4)
                ;
            ring[i % 4] = i;
            h.store(i + 1, cuda::memory_order_release);
        }
    else
        for (int i = 0; i < 20; i++) {
            while (h.load(cuda::memory_order_acquire) <= i)
                __nanosleep(10);
            out[i] = ring[i % 4];
            t.store(i + 1, cuda::memory_order_release);
        }
}
CASE(ring_between_blocks)
{
    ring_between_blocks_kernel<<<2, 32>>>(ints(4), ints(1), ints(1), ints(20));
}
__global__ void ring_consumer_releases_early_kernel(int *ring, int *head, int *tail, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> h(*head), t(*tail);
    if (blockIdx.x == 0)
        for (int i = 0; i < 20; i++) {
            while (i - t.load(cuda::memory_order_acquire) >= 4)
                ;
            ring[i % 4] = i; /* FAULT: race_write_after_read */
            h.store(i + 1, cuda::memory_order_release);
        }
    else
        for (int i = 0; i < 20; i++) {
            while (h.load(cuda::memory_order_acquire) <= i)
                __nanosleep(10);
            t.store(i + 1, cuda::memory_order_release);
            out[i] = ring[i % 4];
        }
}
CASE(ring_consumer_releases_early)
{
    ring_consumer_releases_early_kernel<<<2, 1>>>(ints(4), ints(1), ints(1), ints(20));
}
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> done4;
__global__ void last_acq_rel_kernel(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __syncthreads();
    if (t == 0)
        last = done4.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int i = t; i < 64 * gridDim.x; i += 64)
            out[t] += part[i];
}
CASE(last_acq_rel) { last_acq_rel_kernel<<<8, 64>>>(ints(512), ints(64)); }
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> done5;
__global__ void last_relaxed_kernel(int *part, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __syncthreads();
    if (t == 0)
        last = done5.fetch_add(1, cuda::memory_order_relaxed) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int i = t; i < 64 * gridDim.x; i += 64)
            out[t] += part[i]; /* FAULT: race_read_after_write */
}
CASE(last_relaxed) { last_relaxed_kernel<<<8, 64>>>(ints(512), ints(64)); }
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
__device__ int lk7;
__global__ void unlock_plain_kernel(int *d)
{
    while (atomicCAS(&lk7, 0, 1)) /* FAULT: race_write_after_write */
        ;
    __threadfence();
    *d += 1; /* FAULT: race_read_after_write, race_write_after_write */
    __threadfence();
    lk7 = 0; /* FAULT: race_write_after_write */
}
CASE(unlock_plain) { unlock_plain_kernel<<<3, 1>>>(ints(1)); }
__global__ void bitonic_kernel(int *d)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = d[t];
    __syncthreads();
    for (int k = 2; k <= 128; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int o = t ^ j;
            if (o > t) {
                int a = s[t], b = s[o];
                if ((a > b) == ((t & k) == 0)) {
                    s[t] = b;
                    s[o] = a;
                }
            }
            __syncthreads();
        }
    d[t] = s[t];
}
CASE(bitonic) { bitonic_kernel<<<1, 128>>>(ints(128)); }
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
        out[l] = s[31 - l]; /* FAULT: race_read_after_write */
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
__global__ void __cluster_dims__(2) remote_mbarrier_kernel(int *out)
{
    __shared__ int s[32];
    __shared__ uint64_t bar;
    auto c = cg::this_cluster();
    unsigned r = c.block_rank();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(&bar))
                     : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    c.sync();
    c.map_shared_rank(s, r ^ 1)[threadIdx.x] = r * 100 + threadIdx.x;
    unsigned remote;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(remote)
                 : "r"((unsigned)__cvta_generic_to_shared(&bar)), "r"(r ^ 1));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote)
                 : "memory");
    asm volatile("{ .reg .pred p; w: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
                 "[%0], 0; @!p bra w; }" ::"r"((unsigned)__cvta_generic_to_shared(&bar))
                 : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
    c.sync();
}
CASE(remote_mbarrier) { remote_mbarrier_kernel<<<2, 32>>>(ints(64)); }
