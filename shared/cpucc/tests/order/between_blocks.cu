/* Order between blocks: flags, locks, last blocks, barriers by hand, look-back, scopes. */
#include "order.h"

__device__ int data_g, flag_g;
__global__ void flag_block_fence_kernel(int *out)
{
    if (blockIdx.x == 0) {
        data_g = 7;
        __threadfence_block();
        atomicExch(&flag_g, 1);
    } else {
        while (atomicAdd(&flag_g, 0) == 0)
            ;
        __threadfence();
        *out = data_g; /* FAULT: race_read_after_write */
    }
}
CASE(flag_block_fence) { flag_block_fence_kernel<<<2, 1>>>(ints(1)); }

__device__ int data_h;
__device__ volatile int flag_h;
__global__ void flag_block_fence_reader_kernel(int *out)
{
    if (blockIdx.x == 0) {
        data_h = 7;
        __threadfence();
        flag_h = 1;
    } else {
        while (!flag_h)
            ;
        __threadfence_block();
        *out = data_h; /* FAULT: race_read_after_write */
    }
}
CASE(flag_block_fence_reader) { flag_block_fence_reader_kernel<<<2, 1>>>(ints(1)); }

__global__ void block_atomics_between_blocks_kernel(int *sum)
{
    atomicAdd_block(sum, 1); /* FAULT: race_write_after_write */
}
CASE(block_atomics_between_blocks) { block_atomics_between_blocks_kernel<<<4, 32>>>(ints(1)); }

__global__ void block_atomics_of_one_block_kernel(int *sum)
{
    atomicAdd_block(&sum[blockIdx.x], 1);
}
CASE(block_atomics_of_one_block) { block_atomics_of_one_block_kernel<<<4, 96>>>(ints(4)); }

__global__ void release_acquire_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 5;
        f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0)
            ;
        out[0] = data[0];
    }
}
CASE(release_acquire) { release_acquire_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void relaxed_load_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 5;
        f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_relaxed) == 0)
            ;
        out[0] = data[0]; /* FAULT: race_read_after_write */
    }
}
CASE(relaxed_load) { relaxed_load_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void relaxed_load_then_barrier_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 5;
        __syncthreads();
        if (threadIdx.x == 0)
            f.store(1, cuda::memory_order_release);
    } else {
        if (threadIdx.x == 0)
            while (f.load(cuda::memory_order_relaxed) == 0)
                ;
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x]; /* FAULT: race_read_after_write */
    }
}
CASE(relaxed_load_then_barrier)
{
    relaxed_load_then_barrier_kernel<<<2, 64>>>(ints(64), ints(1), ints(64));
}

__global__ void relaxed_load_then_fence_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 5;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        f.store(1, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_relaxed) == 0)
            ;
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        out[0] = data[0];
    }
}
CASE(relaxed_load_then_fence)
{
    relaxed_load_then_fence_kernel<<<2, 1>>>(ints(1), ints(1), ints(1));
}

__global__ void relaxed_store_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 5;
        f.store(1, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0)
            ;
        out[0] = data[0]; /* FAULT: race_read_after_write */
    }
}
CASE(relaxed_store) { relaxed_store_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void release_in_block_scope_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 5;
        f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) /* FAULT: race_read_after_write */
            ;
        out[0] = data[0]; /* FAULT: race_read_after_write */
    }
}
CASE(release_in_block_scope) { release_in_block_scope_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void ptx_release_acquire_kernel(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 5;
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    } else {
        int v;
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
        while (v == 0);
        out[0] = data[0];
    }
}
CASE(ptx_release_acquire) { ptx_release_acquire_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void ptx_relaxed_acquire_kernel(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 5;
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    } else {
        int v;
        do
            asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
        while (v == 0);
        out[0] = data[0]; /* FAULT: race_read_after_write */
    }
}
CASE(ptx_relaxed_acquire) { ptx_relaxed_acquire_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void ptx_release_cta_kernel(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 5;
        asm volatile("fence.acq_rel.cta;" ::: "memory");
        asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    } else {
        int v;
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
        while (v == 0);
        out[0] = data[0]; /* FAULT: race_read_after_write */
    }
}
CASE(ptx_release_cta) { ptx_release_cta_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void other_location_kernel(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 5;
        __threadfence();
        atomicExch(&flag[0], 1);
    } else {
        atomicAdd(&flag[1], 1); /* not the flag that is set */
        __threadfence();
        out[0] = data[0]; /* FAULT: race_read_after_write */
    }
}
CASE(other_location) { other_location_kernel<<<2, 1>>>(ints(1), ints(2), ints(1)); }

__device__ unsigned count_l;
__global__ void last_block_kernel(int *partial, int *out)
{
    __shared__ bool last;
    __shared__ int sum[128];
    sum[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (threadIdx.x < s)
            sum[threadIdx.x] += sum[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum[0];
        __threadfence();
        last = atomicInc(&count_l, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        int v = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0; /* REMARK: no_acquire_fence */
        atomicAdd(out, v);
    }
}
CASE(last_block) { last_block_kernel<<<16, 128>>>(ints(16), ints(1)); }

__device__ unsigned count_m;
__global__ void last_block_each_writes_kernel(int *partial, int *out)
{
    __shared__ bool last;
    partial[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&count_m, 1) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
            out[threadIdx.x] += partial[i]; /* REMARK: no_acquire_fence */
}
CASE(last_block_each_writes) { last_block_each_writes_kernel<<<8, 64>>>(ints(512), ints(64)); }

__device__ unsigned count_n;
__global__ void last_block_missing_barrier_kernel(int *partial, int *out)
{
    __shared__ bool last;
    partial[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicAdd(&count_n, 1) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
            /* FAULT: race_read_after_write; REMARK: no_acquire_fence */
            out[threadIdx.x] += partial[i];
}
CASE(last_block_missing_barrier)
{
    last_block_missing_barrier_kernel<<<8, 64>>>(ints(512), ints(64));
}

__device__ unsigned count_o;
__global__ void last_block_flag_unordered_kernel(int *partial, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1;
        __threadfence();
        last = atomicAdd(&count_o, 1) == gridDim.x - 1; /* FAULT: race_write_after_read */
    }
    if (last) /* FAULT: race_read_after_write, uninitialised */
        out[threadIdx.x] = threadIdx.x;
}
CASE(last_block_flag_unordered) { last_block_flag_unordered_kernel<<<4, 64>>>(ints(4), ints(64)); }

__device__ unsigned arrived_v;
__global__ void grid_barrier_by_hand_kernel(int *a, int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int round = 1; round <= 3; round++) {
        a[i] = i + round;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&arrived_v, 1);
            while (*(volatile unsigned *)&arrived_v < (2 * round - 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
        b[i] = a[n - 1 - i];
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&arrived_v, 1);
            while (*(volatile unsigned *)&arrived_v < 2 * round * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}
CASE(grid_barrier_by_hand) { grid_barrier_by_hand_kernel<<<4, 64>>>(ints(256), ints(256)); }

__global__ void chain_of_releases_kernel(int *data, int *flag, int *out)
{
    int b = blockIdx.x;
    if (b == 0)
        data[0] = 1;
    else
        while (atomicAdd(&flag[b - 1], 0) == 0)
            ;
    __threadfence();
    if (b == 2)
        out[0] = data[0]; /* block 1 has handed on what it learnt from block 0 */
    atomicExch(&flag[b], 1);
}
CASE(chain_of_releases) { chain_of_releases_kernel<<<3, 1>>>(ints(1), ints(3), ints(1)); }

__global__ void plain_flag_kernel(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 3;
        __threadfence();
        *flag = 1;
    } else {
        int seen = *flag; /* FAULT: race_read_after_write */
        __threadfence();
        if (seen)
            *out = *data; /* FAULT: race_read_after_write */
    }
}
CASE(plain_flag) { plain_flag_kernel<<<2, 1>>>(ints(1), ints(1), ints(1)); }

__global__ void failed_swap_releases_nothing_kernel(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 3;
        __threadfence();
        atomicCAS(flag, 5, 1); /* fails: the flag is 0 */
    } else {
        atomicAdd(flag, 0);
        __threadfence();
        *out = *data; /* FAULT: race_read_after_write */
    }
}
CASE(failed_swap_releases_nothing)
{
    failed_swap_releases_nothing_kernel<<<2, 1>>>(ints(1), ints(1), ints(1));
}

__global__ void grid_sync_hands_on_kernel(int *a, int *flag, int *out)
{
    cg::grid_group grid = cg::this_grid();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        a[0] = 1;
        __threadfence();
        atomicExch(flag, 1);
    }
    if (blockIdx.x == 1 && threadIdx.x == 0)
        a[1] = 2;
    grid.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = a[0] + a[1];
    grid.sync();
    a[blockIdx.x] = out[(gridDim.x - 1 - blockIdx.x) * blockDim.x];
}
CASE(grid_sync_hands_on)
{
    int *a = ints(4), *flag = ints(1), *out = ints(256);
    void *arguments[] = {&a, &flag, &out};
    cudaLaunchCooperativeKernel((void *)grid_sync_hands_on_kernel, dim3(4), dim3(64), arguments, 0,
                                0);
}

__global__ void same_value_from_all_kernel(int *found) { *found = 1; }
CASE(same_value_from_all) { same_value_from_all_kernel<<<4, 64>>>(ints(1)); }
__global__ void bins_read_too_early_kernel(int *bins, int *out)
{
    atomicAdd(&bins[threadIdx.x & 15], 1); /* FAULT: race_write_after_read */
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x]; /* FAULT: race_read_after_write */
}
CASE(bins_read_too_early) { bins_read_too_early_kernel<<<4, 64>>>(ints(16), ints(16)); }

/* ---- a barrier does not acquire ---- */

__device__ volatile int go_ab;
__global__ void volatile_poll_then_barrier_kernel(int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 5;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            go_ab = 1;
    } else {
        if (threadIdx.x == 0)
            while (!go_ab)
                ;
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x]; /* FAULT: race_read_after_write */
    }
}
CASE(volatile_poll_then_barrier)
{
    volatile_poll_then_barrier_kernel<<<2, 64>>>(ints(64), ints(64));
}

__device__ volatile int go_ac;
__global__ void volatile_poll_barrier_then_fences_kernel(int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 5;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            go_ac = 1;
    } else {
        if (threadIdx.x == 0)
            while (!go_ac)
                ;
        __syncthreads();
        __threadfence();
        out[threadIdx.x] = data[threadIdx.x];
    }
}
CASE(volatile_poll_barrier_then_fences)
{
    volatile_poll_barrier_then_fences_kernel<<<2, 64>>>(ints(64), ints(64));
}

__global__ void atomic_poll_then_barrier_kernel(int *box, int *full, int *out)
{
    for (int round = 0; round < 3; round++) {
        int want = blockIdx.x == 0 ? 0 : 1;
        if (threadIdx.x == 0)
            while (atomicAdd(full, 0) != want)
                ;
        __syncthreads();
        if (blockIdx.x == 0)
            box[threadIdx.x] = round; /* FAULT: race_write_after_read */
        else
            out[threadIdx.x] += box[63 - threadIdx.x]; /* FAULT: race_read_after_write */
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(full, 1 - want);
        }
    }
}
CASE(atomic_poll_then_barrier)
{
    atomic_poll_then_barrier_kernel<<<2, 64>>>(ints(64), ints(1), ints(64));
}

__device__ unsigned here_ae;
__global__ void hand_barrier_no_acquire_kernel(int *a, int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&here_ae, 1);
        while (*(volatile unsigned *)&here_ae < gridDim.x)
            ;
    }
    __syncthreads();
    b[i] = a[n - 1 - i]; /* FAULT: race_read_after_write; REMARK: no_acquire_fence */
}
CASE(hand_barrier_no_acquire) { hand_barrier_no_acquire_kernel<<<4, 64>>>(ints(256), ints(256)); }

__device__ unsigned count_af;
__global__ void last_block_counts_no_acquire_kernel(float *part, float *out)
{
    __shared__ bool last;
    part[blockIdx.x * 64 + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&count_af, 1) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int b = 0; b < gridDim.x; b++)
            out[threadIdx.x] += part[b * 64 + threadIdx.x]; /* REMARK: no_acquire_fence */
}
CASE(last_block_counts_no_acquire)
{
    last_block_counts_no_acquire_kernel<<<5, 64>>>((float *)ints(320), (float *)ints(64));
}

__device__ unsigned count_ag;
__global__ void last_block_then_everybody_fences_kernel(float *part, float *out)
{
    __shared__ bool last;
    part[blockIdx.x * 64 + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(&count_ag, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        for (int b = 0; b < gridDim.x; b++)
            out[threadIdx.x] += part[b * 64 + (threadIdx.x ^ 1)];
    }
}
CASE(last_block_then_everybody_fences)
{
    last_block_then_everybody_fences_kernel<<<5, 64>>>((float *)ints(320), (float *)ints(64));
}

__device__ unsigned count_ah;
__global__ void last_block_reads_volatile_kernel(volatile float *part, float *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicInc(&count_ah, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        out[threadIdx.x] = part[threadIdx.x];
}
CASE(last_block_reads_volatile)
{
    last_block_reads_volatile_kernel<<<5, 64>>>((float *)ints(5), (float *)ints(5));
}

__device__ unsigned count_ai;
__global__ void last_warp_of_the_grid_no_barrier_kernel(int *part, int *out)
{
    part[blockIdx.x] = 3;
    __threadfence();
    if (atomicAdd(&count_ai, 1) == gridDim.x - 1)
        for (int b = 0; b < gridDim.x; b++)
            *out += part[b]; /* FAULT: race_read_after_write */
}
CASE(last_warp_of_the_grid_no_barrier)
{
    last_warp_of_the_grid_no_barrier_kernel<<<5, 1>>>(ints(5), ints(1));
}

__device__ unsigned count_aj;
__global__ void volatile_partials_no_fence_kernel(volatile float *part, float *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        last = atomicInc(&count_aj, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        out[threadIdx.x] = part[threadIdx.x]; /* FAULT: race_read_after_write */
}
CASE(volatile_partials_no_fence)
{
    float *part;
    cudaMalloc(&part, 5 * sizeof(float));
    volatile_partials_no_fence_kernel<<<5, 64>>>(part, (float *)ints(5));
}

__global__ void volatile_mailbox_kernel(volatile int *box, volatile int *full, int *out)
{
    if (blockIdx.x == 0) {
        *box = 5;
        __threadfence();
        *full = 1;
    } else {
        while (!*full)
            ;
        *out = *box; /* REMARK: volatile_data */
    }
}
CASE(volatile_mailbox)
{
    int *box;
    cudaMalloc(&box, sizeof(int));
    volatile_mailbox_kernel<<<2, 1>>>(box, ints(1), ints(1));
}

__global__ void volatile_data_kernel(volatile int *data, int *out)
{
    if (blockIdx.x == 0)
        data[0] = 5;
    else
        out[0] = data[0]; /* FAULT: race_read_after_write */
}
CASE(volatile_data) { volatile_data_kernel<<<2, 1>>>(ints(1), ints(1)); }

__global__ void volatile_data_read_first_kernel(volatile int *data, int *out)
{
    if (blockIdx.x == 0)
        out[0] = data[0];
    else
        data[0] = 5; /* FAULT: race_write_after_read */
}
CASE(volatile_data_read_first) { volatile_data_read_first_kernel<<<2, 1>>>(ints(1), ints(1)); }

__global__ void volatile_lock_kernel(int *lock, volatile int *data, bool fence)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    data[0] = blockIdx.x; /* REMARK: volatile_data (volatile_lock_without_release) */
    if (fence)
        __threadfence();
    *(volatile int *)lock = 0;
}
CASE(volatile_lock) { volatile_lock_kernel<<<4, 1>>>(ints(1), ints(1), true); }
CASE(volatile_lock_without_release) { volatile_lock_kernel<<<4, 1>>>(ints(1), ints(1), false); }

__global__ void volatile_mixed_with_atomics_kernel(int *data)
{
    if (blockIdx.x == 0)
        atomicExch(data, 1);
    else
        *(volatile int *)data = 2; /* REMARK: volatile_data */
}
CASE(volatile_mixed_with_atomics) { volatile_mixed_with_atomics_kernel<<<2, 1>>>(ints(1)); }

__global__ void volatile_flag_polled_by_atomics_kernel(int *data, int *flag)
{
    if (blockIdx.x == 0) {
        *data = 5;
        __threadfence();
        *(volatile int *)flag = 1;
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence();
        *data += 1;
    }
}
CASE(volatile_flag_polled_by_atomics)
{
    volatile_flag_polled_by_atomics_kernel<<<2, 1>>>(ints(1), ints(1));
}

/* The compiler's own atomics, which libcu++ uses. */
__device__ int data_b, flag_b;
template <int STORE, int LOAD>
__global__ void builtin_atomics_kernel(int *out)
{
    int expected = 2;
    if (blockIdx.x == 0) {
        data_b = 7;
        __atomic_store_n(&flag_b, 1, STORE);
    } else {
        while (!__atomic_load_n(&flag_b, LOAD))
            ;
        *out = data_b; /* FAULT: race_read_after_write (builtin_relaxed) */
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_fetch_add(out + 1, 1, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(out + 1, &expected, 3, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
CASE(builtin_released)
{
    builtin_atomics_kernel<__ATOMIC_RELEASE, __ATOMIC_ACQUIRE><<<2, 1>>>(ints(2));
}
CASE(builtin_relaxed)
{
    builtin_atomics_kernel<__ATOMIC_RELAXED, __ATOMIC_RELAXED><<<2, 1>>>(ints(2));
}
