/* Order within a block: barriers of warps, of some lanes, scans, reductions, histograms, volatile. */
#include "order.h"

__global__ void reduction_kernel(const int *in, int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = s[0];
}
CASE(reduction) { reduction_kernel<<<1, 256>>>(ints(256), ints(1)); }

__global__ void reduction_barrier_left_out_kernel(const int *in, int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int k = 128; k > 0; k /= 2)
        if (threadIdx.x < k)
            /* FAULT: race_read_after_write, race_write_after_read */
            s[threadIdx.x] += s[threadIdx.x + k];
    if (threadIdx.x == 0)
        *out = s[0];
}
CASE(reduction_barrier_left_out)
{
    reduction_barrier_left_out_kernel<<<1, 256>>>(ints(256), ints(1));
}

__global__ void volatile_warp_reduction_kernel(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile int *v = s;
        v[threadIdx.x] += v[threadIdx.x + 32];
        v[threadIdx.x] += v[threadIdx.x + 16]; /* FAULT: race_read_after_write */
        v[threadIdx.x] += v[threadIdx.x + 8];  /* FAULT: race_read_after_write */
        if (threadIdx.x == 0)
            *out = v[0];
    }
}
CASE(volatile_warp_reduction) { volatile_warp_reduction_kernel<<<1, 64>>>(ints(64), ints(1)); }

__global__ void volatile_loop_reduction_kernel(const int *in, int *out)
{
    __shared__ volatile float s[64];
    int lane = threadIdx.x;
    s[lane] = in[lane];
    s[lane + 32] = 0;
    for (int k = 16; k > 0; k >>= 1)
        s[lane] = s[lane] + s[lane + k]; /* FAULT: race_read_after_write */
    out[lane] = s[lane];
}
CASE(volatile_loop_reduction) { volatile_loop_reduction_kernel<<<1, 32>>>(ints(32), ints(32)); }

__global__ void volatile_broadcast_kernel(int *out)
{
    __shared__ volatile int s[2];
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x / 32]; /* FAULT: race_read_after_write */
}
CASE(volatile_broadcast) { volatile_broadcast_kernel<<<1, 64>>>(ints(64)); }

__global__ void volatile_across_warps_kernel(int *out)
{
    __shared__ volatile int s[64];
    s[threadIdx.x] = threadIdx.x;           /* FAULT: race_write_after_read */
    out[threadIdx.x] = s[63 - threadIdx.x]; /* FAULT: race_read_after_write, uninitialised */
}
CASE(volatile_across_warps) { volatile_across_warps_kernel<<<1, 64>>>(ints(64)); }

__global__ void volatile_with_syncwarp_kernel(const int *in, int *out)
{
    __shared__ volatile int s[64];
    int lane = threadIdx.x;
    s[lane] = in[lane];
    s[lane + 32] = 0;
    __syncwarp();
    for (int k = 16; k > 0; k >>= 1) {
        int v = s[lane] + s[lane + k];
        __syncwarp();
        s[lane] = v;
        __syncwarp();
    }
    out[lane] = s[0];
}
CASE(volatile_with_syncwarp) { volatile_with_syncwarp_kernel<<<1, 32>>>(ints(32), ints(32)); }

__global__ void early_exit_hint_kernel(const int *in, int *out)
{
    __shared__ volatile bool found;
    if (threadIdx.x == 0)
        found = false;
    __syncthreads();
    for (int i = threadIdx.x; i < 512 && !found; i += blockDim.x)
        if (in[i] == 0 && i % 7 == 3) {
            out[0] = 1;
            found = true;
        }
}
CASE(early_exit_hint) { early_exit_hint_kernel<<<1, 64>>>(ints(512), ints(1)); }

__global__ void half_warp_syncwarp_across_kernel(int *out)
{
    __shared__ int s[32];
    unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
    s[threadIdx.x] = threadIdx.x;
    __syncwarp(mask);
    out[threadIdx.x] = s[31 - threadIdx.x]; /* FAULT: race_read_after_write */
}
CASE(half_warp_syncwarp_across) { half_warp_syncwarp_across_kernel<<<1, 32>>>(ints(32)); }

__global__ void coalesced_sync_kernel(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    __syncwarp();
    if (threadIdx.x & 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        s[threadIdx.x] = g.thread_rank();
        g.sync();
        out[threadIdx.x] = s[threadIdx.x ^ 2];
    }
}
CASE(coalesced_sync) { coalesced_sync_kernel<<<1, 32>>>(ints(32)); }

__global__ void scan_double_buffered_kernel(const int *in, int *out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2, from ^= 1) {
        s[from ^ 1][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
        __syncthreads();
    }
    out[t] = s[from][t];
}
CASE(scan_double_buffered) { scan_double_buffered_kernel<<<1, 64>>>(ints(64), ints(64)); }

__global__ void scan_in_place_kernel(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        if (t >= d)
            s[t] += s[t - d]; /* FAULT: race_write_after_read, race_read_after_write */
        __syncthreads();
    }
    out[t] = s[t];
}
CASE(scan_in_place) { scan_in_place_kernel<<<1, 64>>>(ints(64), ints(64)); }

__global__ void scan_warp_sums_kernel(const int *in, int *out)
{
    __shared__ int sums[4];
    int t = threadIdx.x, v = in[t];
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(~0u, v, d);
        v += t % 32 >= d ? u : 0;
    }
    if (t % 32 == 31)
        sums[t / 32] = v;
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        v += sums[w];
    out[t] = v;
}
CASE(scan_warp_sums) { scan_warp_sums_kernel<<<1, 128>>>(ints(128), ints(128)); }

__global__ void scan_warp_sums_no_barrier_kernel(const int *in, int *out)
{
    __shared__ int sums[4];
    int t = threadIdx.x, v = in[t];
    if (t % 32 == 31)
        sums[t / 32] = v;
    __syncwarp();
    for (int w = 0; w < t / 32; w++)
        v += sums[w]; /* FAULT: race_read_after_write */
    out[t] = v;
}
CASE(scan_warp_sums_no_barrier)
{
    scan_warp_sums_no_barrier_kernel<<<1, 128>>>(ints(128), ints(128));
}

__global__ void sums_reused_too_early_kernel(const int *in, int *out)
{
    __shared__ int sum;
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 0)
            sum = in[round]; /* FAULT: race_write_after_read */
        __syncthreads();
        out[threadIdx.x] += sum; /* FAULT: race_read_after_write */
    }
}
CASE(sums_reused_too_early) { sums_reused_too_early_kernel<<<1, 96>>>(ints(4), ints(96)); }

__global__ void second_word_differs_kernel(int2 *out)
{
    out[0] = make_int2(1, (int)threadIdx.x); /* FAULT: race_write_after_write */
}
CASE(second_word_differs) { second_word_differs_kernel<<<1, 32>>>((int2 *)ints(2)); }

__global__ void both_words_equal_kernel(int2 *out) { out[0] = make_int2(1, (int)blockDim.x); }
CASE(both_words_equal) { both_words_equal_kernel<<<2, 32>>>((int2 *)ints(2)); }

__device__ double sum_a;
__global__ void swap_loop_plain_first_read_kernel(double v)
{
    unsigned long long *p = (unsigned long long *)&sum_a, old = *p, /* REMARK: plain_first_read */
        assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
}
CASE(swap_loop_plain_first_read) { swap_loop_plain_first_read_kernel<<<4, 64>>>(1.0); }

__global__ void float_maximum_by_swap_kernel(const int *in, int *best)
{
    float v = in[threadIdx.x] + threadIdx.x;
    int old = *best; /* REMARK: plain_first_read */
    while (v > __int_as_float(old)) {
        int assumed = old;
        old = atomicCAS(best, assumed, __float_as_int(v));
        if (old == assumed)
            break;
    }
}
CASE(float_maximum_by_swap) { float_maximum_by_swap_kernel<<<4, 64>>>(ints(64), ints(1)); }

__global__ void increment_without_atomic_kernel(const int *in, int *bins)
{
    /* FAULT: race_write_after_read, race_read_after_write, race_write_after_write */
    bins[in[threadIdx.x]]++;
}
CASE(increment_without_atomic) { increment_without_atomic_kernel<<<1, 64>>>(ints(64), ints(1)); }

__global__ void histogram_not_cleared_in_time_kernel(int *out)
{
    __shared__ int bins[64];
    bins[threadIdx.x] = 0;                       /* FAULT: race_write_after_write */
    atomicAdd(&bins[(threadIdx.x * 7) % 64], 1); /* FAULT: race_write_after_write, uninitialised */
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}
CASE(histogram_not_cleared_in_time) { histogram_not_cleared_in_time_kernel<<<1, 64>>>(ints(64)); }

__global__ void warp_private_bins_kernel(int *out)
{
    __shared__ int bins[4][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    bins[warp][lane] = 0;
    __syncwarp();
    atomicAdd(&bins[warp][lane / 3], 1);
    __syncthreads();
    if (warp == 0)
        out[lane] = bins[0][lane] + bins[1][lane] + bins[2][lane] + bins[3][lane];
}
CASE(warp_private_bins) { warp_private_bins_kernel<<<1, 128>>>(ints(32)); }

__global__ void mutex_in_shared_memory_kernel(int *out)
{
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = 0, sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS_block(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        sum += threadIdx.x;
        __threadfence_block();
        atomicExch_block(&lock, 0);
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}
CASE(mutex_in_shared_memory) { mutex_in_shared_memory_kernel<<<2, 128>>>(ints(128)); }

__global__ void early_return_kernel(int *out, int n)
{
    __shared__ int s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = i;
    __syncthreads(); /* REMARK: early_return */
    out[i] = s[threadIdx.x];
}
CASE(early_return) { early_return_kernel<<<2, 64>>>(ints(128), 100); }

__global__ void early_return_whole_warps_kernel(int *out)
{
    __shared__ int s[32];
    if (threadIdx.x >= 32)
        return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads(); /* REMARK: early_return */
    out[threadIdx.x] = s[31 - threadIdx.x];
}
CASE(early_return_whole_warps) { early_return_whole_warps_kernel<<<2, 128>>>(ints(32)); }

__global__ void barrier_in_branch_kernel(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 40)
        __syncthreads();                   /* FAULT: barrier_divergence */
    out[threadIdx.x] = s[threadIdx.x ^ 1]; /* FAULT: race_read_after_write */
}
CASE(barrier_in_branch) { barrier_in_branch_kernel<<<1, 64>>>(ints(64)); }

__global__ void barrier_in_uneven_loop_kernel(int *out, int n)
{
    __shared__ int s[64];
    for (int i = threadIdx.x; i < n; i += 64) {
        s[threadIdx.x] = i;
        __syncthreads(); /* FAULT: barrier_divergence */
        out[i] = s[threadIdx.x];
    }
}
CASE(barrier_in_uneven_loop) { barrier_in_uneven_loop_kernel<<<1, 64>>>(ints(128), 100); }

__global__ void warp_specialised_by_flags_kernel(const int *in, int *out)
{
    __shared__ int buffer[32];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> full, empty;
    if (threadIdx.x == 0) {
        full.store(0, cuda::memory_order_relaxed);
        empty.store(0, cuda::memory_order_relaxed);
    }
    __syncthreads();
    int lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x < 32) {
            if (lane == 0)
                while (empty.load(cuda::memory_order_acquire) < i)
                    ;
            __syncwarp();
            buffer[lane] = in[i * 32 + lane];
            __syncwarp();
            if (lane == 0)
                full.store(i + 1, cuda::memory_order_release);
        } else {
            if (lane == 0)
                while (full.load(cuda::memory_order_acquire) <= i)
                    ;
            __syncwarp();
            out[i * 32 + lane] = buffer[31 - lane];
            __syncwarp();
            if (lane == 0)
                empty.store(i + 1, cuda::memory_order_release);
        }
    }
}
CASE(warp_specialised_by_flags)
{
    warp_specialised_by_flags_kernel<<<1, 64>>>(ints(128), ints(128));
}

__global__ void warp_specialised_missing_syncwarp_kernel(const int *in, int *out)
{
    __shared__ int buffer[32];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> full;
    if (threadIdx.x == 0)
        full.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        buffer[lane] = in[lane];
        if (lane == 0)
            full.store(1, cuda::memory_order_release);
    } else {
        while (full.load(cuda::memory_order_acquire) == 0)
            ;
        out[lane] = buffer[31 - lane]; /* FAULT: race_read_after_write */
    }
}
CASE(warp_specialised_missing_syncwarp)
{
    warp_specialised_missing_syncwarp_kernel<<<1, 64>>>(ints(32), ints(32));
}

/* The warp uses a whole line of 128 bytes twice, each time with another lane per word. */
__global__ void line_written_twice_kernel(int *p)
{
    p[threadIdx.x] = threadIdx.x;
    ((int2 *)p)[threadIdx.x] = make_int2(7, 7); /* FAULT: race_write_after_write */
}
CASE(line_written_twice)
{
    int *p = ints(64);
    cudaDeviceSynchronize(); /* pending work would make the lanes stop at each access */
    line_written_twice_kernel<<<1, 32>>>(p);
}

/* The same of two reads: the words' first readers must not be forgotten. */
__global__ void line_read_twice_kernel(int *p, int *q)
{
    int2 pair = ((int2 *)p)[threadIdx.x];
    int word = p[threadIdx.x];
    q[threadIdx.x] = pair.x + pair.y + word;
    __syncwarp(1u << threadIdx.x);
    p[threadIdx.x] = word; /* FAULT: race_write_after_read */
}
CASE(line_read_twice)
{
    int *p = ints(64), *q = ints(64);
    cudaMemset(p, 0, 64 * sizeof *p);
    cudaDeviceSynchronize();
    line_read_twice_kernel<<<1, 32>>>(p, q);
}

/* Flags of one byte that share a word: each passes on what its own warp has written. */
template <bool FENCED>
static __device__ void flags_of_bytes(int *out)
{
    __shared__ int v[64];
    __shared__ volatile unsigned char written[4];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        written[warp] = 0;
    __syncthreads();
    v[threadIdx.x] = (int)threadIdx.x;
    __syncwarp();
    if (FENCED)
        __threadfence_block();
    if (lane == 0)
        written[warp] = 1;
    for (int w = 0; w < 2; w++)
        while (!written[w]) /* FAULT: race_read_after_write (flags_of_bytes_no_fence) */
            ;
    __threadfence_block();
    out[threadIdx.x] =
        v[threadIdx.x ^ 32]; /* FAULT: race_read_after_write (flags_of_bytes_no_fence) */
}
__global__ void flags_of_bytes_kernel(int *out) { flags_of_bytes<true>(out); }
CASE(flags_of_bytes) { flags_of_bytes_kernel<<<1, 64>>>(ints(64)); }

__global__ void flags_of_bytes_no_fence_kernel(int *out) { flags_of_bytes<false>(out); }
CASE(flags_of_bytes_no_fence) { flags_of_bytes_no_fence_kernel<<<1, 64>>>(ints(64)); }
