/* Small patterns: locks of bins, counters that are reset, broadcasts, two kernels, cluster pushes. */
#include "order.h"
#include <cuda/barrier>
__global__ void spin_bin_locks_k(int *locks, int *bins)
{
    int b = threadIdx.x % 4;
    bool got = false;
    do {
        if (atomicExch(&locks[b], 1) == 0) {
            __threadfence();
            bins[b] += 1;
            __threadfence();
            atomicExch(&locks[b], 0);
            got = true;
        }
    } while (!got);
}
CASE(spin_bin_locks) { spin_bin_locks_k<<<2, 64>>>(ints(4), ints(4)); }
__global__ void wrong_lock_k(int *locks, int *bins)
{
    int b = threadIdx.x % 4;
    bool got = false;
    do {
        if (atomicExch(&locks[threadIdx.x % 8], 1) == 0) {
            __threadfence();
            /* FAULT: race_read_after_write, race_write_after_read, race_write_after_write */
            bins[b] += 1;
            __threadfence();
            atomicExch(&locks[threadIdx.x % 8], 0);
            got = true;
        }
    } while (!got);
}
CASE(wrong_lock) { wrong_lock_k<<<2, 64>>>(ints(8), ints(4)); }
__global__ void match_k(const int *in, int *bins)
{
    int v = in[threadIdx.x] + threadIdx.x % 5;
    unsigned m = __match_any_sync(~0u, v);
    if (__ffs(m) - 1 == threadIdx.x % 32)
        atomicAdd(&bins[v], __popc(m));
}
CASE(match_any_histogram) { match_k<<<2, 64>>>(ints(64), ints(8)); }
__global__ void bc_k(const int *in, int *out)
{
    __shared__ int b;
    int v = 0;
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == i)
            b = in[i]; /* FAULT: race_write_after_read */
        __syncthreads();
        v += b; /* FAULT: race_read_after_write */
    }
    out[threadIdx.x] = v;
}
CASE(broadcast_missing_second_sync) { bc_k<<<1, 64>>>(ints(3), ints(64)); }
__global__ void or_k(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x % 5;
    __syncthreads();
    int more;
    do {
        int l = s[(threadIdx.x + 63) % 64], m = s[threadIdx.x];
        __syncthreads();
        int n = l > m ? l : m;
        s[threadIdx.x] = n;
        more = __syncthreads_or(n != m);
    } while (more);
    a[threadIdx.x] = s[threadIdx.x];
}
CASE(syncthreads_or_loop) { or_k<<<1, 64>>>(ints(64)); }
using Bar = cuda::barrier<cuda::thread_scope_block>;
__global__ void ap_k(const int *in, int *out)
{
    __shared__ Bar ready, filled;
    __shared__ int buf[32];
    if (threadIdx.x == 0) {
        init(&ready, 64);
        init(&filled, 64);
    }
    __syncthreads();
    int l = threadIdx.x % 32;
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x < 32) {
            ready.arrive_and_wait();
            buf[l] = in[i * 32 + l];
            (void)filled.arrive();
        } else {
            (void)ready.arrive();
            filled.arrive_and_wait();
            out[i * 32 + l] = buf[31 - l];
        }
    }
}
CASE(cuda_barrier_arrive_only_producers) { ap_k<<<1, 64>>>(ints(96), ints(96)); }
__global__ void ap2_k(const int *in, int *out)
{
    __shared__ Bar filled;
    __shared__ int buf[32];
    if (threadIdx.x == 0)
        init(&filled, 64);
    __syncthreads();
    int l = threadIdx.x % 32;
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x < 32) {
            buf[l] = in[i * 32 + l]; /* FAULT: race_write_after_read */
            filled.arrive_and_wait();
        } else {
            filled.arrive_and_wait();
            out[i * 32 + l] = buf[31 - l]; /* FAULT: race_read_after_write */
        }
    }
}
CASE(cuda_barrier_no_ready) { ap2_k<<<1, 64>>>(ints(96), ints(96)); }
__global__ void ins_k(int *out)
{
    __shared__ Bar bar;
    if (threadIdx.x == 0)
        init(&bar, 64);
    if (threadIdx.x == 0)
        out[0] = 1;
    bar.arrive_and_wait(); /* FAULT: mbarrier_misuse */
    out[threadIdx.x] = 2;
}
CASE(init_not_seen) { ins_k<<<1, 64>>>(ints(64)); }
__global__ void __cluster_dims__(2) push2_k(int *out)
{
    __shared__ int in[32];
    auto c = cg::this_cluster();
    c.sync();
    /* FAULT: race_write_after_read */
    c.map_shared_rank(in, c.block_rank() ^ 1)[threadIdx.x] = blockIdx.x;
    __syncthreads();
    /* FAULT: race_read_after_write, uninitialised */
    out[blockIdx.x * 32 + threadIdx.x] = in[31 - threadIdx.x];
    c.sync();
}
CASE(dsmem_push_without_sync_before_read) { push2_k<<<4, 32>>>(ints(128)); }
