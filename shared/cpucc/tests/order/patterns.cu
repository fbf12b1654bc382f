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
__global__ void bfs_k(const int *edges, int *dist, int *next, int *count, int level)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (dist[v * 2] != level)
        return;
    for (int k = 0; k < 4; k++) {
        int u = (v * 3 + k) % 64;
        if (atomicCAS(&dist[u * 2 + 1], 0, level + 1) == 0)
            next[atomicAdd(count, 1)] = u;
    }
}
CASE(bfs_cas) { bfs_k<<<2, 32>>>(ints(64), ints(128), ints(64), ints(1), 0); }
__device__ int d3, f3;
__global__ void swapped_k(int *out)
{
    if (blockIdx.x == 0) {
        atomicExch(&f3, 1);
        __threadfence();
        d3 = 4;
    } else {
        while (atomicAdd(&f3, 0) == 0)
            ;
        __threadfence();
        *out = d3; /* FAULT: race_read_after_write */
    }
}
CASE(swapped_flag_and_data) { swapped_k<<<2, 1>>>(ints(1)); }
__device__ unsigned c4;
__global__ void reset_k(int *p, int *o)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        p[blockIdx.x] = 1;
        __threadfence();
        unsigned t = atomicAdd(&c4, 1);
        last = t == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        if (threadIdx.x < gridDim.x)
            o[threadIdx.x] = p[threadIdx.x];
        if (threadIdx.x == 0)
            c4 = 0;
    }
}
CASE(reset_counter_by_last)
{
    int *p = ints(8), *o = ints(8);
    reset_k<<<8, 32>>>(p, o);
    reset_k<<<8, 32>>>(p, o);
}
__device__ unsigned c5;
__global__ void reset2_k(int *o)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        c5 = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        o[blockIdx.x] = atomicAdd(&c5, 1); /* FAULT: race_write_after_write */
}
CASE(reset_counter_by_first) { reset2_k<<<4, 32>>>(ints(4)); }
__global__ void produce_k(int *a) { a[blockIdx.x * 64 + threadIdx.x] = 1; }
__global__ void consume_k(int *a, int *o)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    o[i] = a[255 - i];
}
CASE(two_kernels)
{
    int *a = ints(256);
    produce_k<<<4, 64>>>(a);
    consume_k<<<4, 64>>>(a, ints(256));
}
__global__ void match_k(const int *in, int *bins)
{
    int v = in[threadIdx.x] + threadIdx.x % 5;
    unsigned m = __match_any_sync(~0u, v);
    if (__ffs(m) - 1 == threadIdx.x % 32)
        atomicAdd(&bins[v], __popc(m));
}
CASE(match_any_histogram) { match_k<<<2, 64>>>(ints(64), ints(8)); }
__global__ void leader_k(int *out)
{
    __shared__ int s[4];
    int w = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        s[w] = w;
    __syncwarp();
    out[threadIdx.x] = s[w];
}
CASE(leader_writes_syncwarp) { leader_k<<<1, 128>>>(ints(128)); }
__global__ void leader2_k(int *out)
{
    __shared__ int s[4];
    int w = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        s[w] = w;            /* FAULT: race_write_after_read */
    out[threadIdx.x] = s[w]; /* FAULT: uninitialised */
}
CASE(leader_writes_no_syncwarp) { leader2_k<<<1, 128>>>(ints(128)); }
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
__global__ void pub_k(int2 *d, int *f, int *o)
{
    if (blockIdx.x == 0) {
        d[threadIdx.x] = make_int2(1, 2);
        __threadfence();
        atomicAdd(f, 1);
    } else {
        while (*(volatile int *)f < 64)
            ;
        __threadfence();
        o[threadIdx.x] = d[63 - threadIdx.x].y;
    }
}
CASE(two_words_published) { pub_k<<<2, 64>>>((int2 *)ints(128), ints(1), ints(64)); }
__device__ int readers9, writing9;
__global__ void rw_k(int *d, int *o)
{
    if (blockIdx.x == 0) {
        while (atomicCAS(&writing9, 0, 1))
            ;
        __threadfence();
        *d = 5;
        __threadfence();
        atomicExch(&writing9, 0);
    } else {
        while (atomicCAS(&writing9, 0, 1))
            ;
        __threadfence();
        o[blockIdx.x] = *d;
        __threadfence();
        atomicExch(&writing9, 0);
    }
}
CASE(reader_writer) { rw_k<<<4, 1>>>(ints(1), ints(4)); }
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
__global__ void __cluster_dims__(2) push_k(int *out)
{
    __shared__ int in[32];
    auto c = cg::this_cluster();
    c.sync();
    c.map_shared_rank(in, c.block_rank() ^ 1)[threadIdx.x] = blockIdx.x;
    c.sync();
    out[blockIdx.x * 32 + threadIdx.x] = in[31 - threadIdx.x];
}
CASE(dsmem_push_ok) { push_k<<<4, 32>>>(ints(128)); }
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
