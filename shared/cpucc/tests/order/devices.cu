/* Order between devices, and access to each other's memory. CPUCC_DEVICES=4 */
#include "order.h"

/* Makes the device active; kernels that run on it may use the memory of all others. */
static void use(int device)
{
    cudaSetDevice(device);
    for (int d = 0; d < 4; d++)
        if (d != device)
            cudaDeviceEnablePeerAccess(d, 0);
}
static int *ints_of(int device)
{
    use(device);
    int *p = ints(1024);
    cudaDeviceSynchronize();
    return p;
}
static cudaStream_t stream_of(int device)
{
    cudaStream_t s;
    use(device);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    return s;
}
static cudaEvent_t recorded_in(cudaStream_t s)
{
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventRecord(e, s);
    return e;
}
__global__ void add_one(int *a) { a[threadIdx.x] += 1; }
__global__ void copy_of(const int *a, int *b) { b[threadIdx.x] = a[threadIdx.x]; }

/* ---- peer access ---- */

__global__ void without_access(int *a) { a[threadIdx.x] = 1; } /* FAULT: peer_access */
CASE(access_not_enabled)
{
    int *p = ints_of(1);
    cudaSetDevice(0);
    without_access<<<1, 32>>>(p);
}

__global__ void wrong_direction(const int *a, int *b)
{
    b[threadIdx.x] = a[threadIdx.x]; /* FAULT: peer_access */
}
CASE(access_enabled_for_the_other_device)
{
    int *p = ints_of(1);
    cudaSetDevice(0);
    int *q = ints(32);
    cudaDeviceSynchronize();
    wrong_direction<<<1, 32>>>(p, q); /* device 1 may use device 0's memory, not the reverse */
}

__global__ void after_disable(int *a) { atomicAdd_system(a, 1); } /* FAULT: peer_access */
CASE(access_disabled_again)
{
    int *p = ints_of(1);
    use(0);
    add_one<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaDeviceDisablePeerAccess(1);
    after_disable<<<1, 32>>>(p);
}

__global__ void read_back(const int *a, int *b) { b[threadIdx.x] = a[31 - threadIdx.x]; }
CASE(access_in_both_directions)
{
    int *p = ints_of(1), *q = ints_of(0);
    add_one<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    read_back<<<1, 32>>>(p, q);
    use(1);
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    read_back<<<1, 32>>>(q, p);
}

/* Pinned and managed memory belong to no device. */
CASE(hosts_memory_needs_no_access)
{
    int *p, *q;
    cudaSetDevice(0);
    cudaMallocHost(&p, 128);
    cudaMallocManaged(&q, 128);
    memset(p, 0, 128), memset(q, 0, 128);
    cudaSetDevice(2);
    add_one<<<1, 32>>>(p);
    add_one<<<1, 32>>>(q);
}

CASE(copies_need_no_access)
{
    int *p = ints_of(1);
    cudaSetDevice(3);
    int *q = ints(1024);
    cudaMemcpyPeer(q, 3, p, 1, 4096);
    cudaMemcpy(p, q, 4096, cudaMemcpyDefault);
    add_one<<<1, 32>>>(q);
}

__global__ void overwrite(int *a) { a[threadIdx.x] = 7; } /* FAULT: race_write_after_read */
CASE(peer_overwrites_what_is_read)
{
    int *p = ints_of(0), *q = ints_of(1);
    cudaSetDevice(0);
    copy_of<<<1, 32>>>(p, p + 512);
    cudaSetDevice(1);
    overwrite<<<1, 32>>>(p);
    cudaFree(q);
}

CASE(copy_reads_before_the_peer_has_written)
{
    int *p = ints_of(0), *q = ints_of(1);
    cudaStream_t t = stream_of(1);
    cudaSetDevice(0);
    add_one<<<1, 32>>>(p);
    cudaMemcpyPeerAsync(q, 1, p, 0, 128, t); /* FAULT: race_read_after_write */
}

__global__ void early(const int *a, int *b)
{
    b[threadIdx.x] = a[threadIdx.x]; /* FAULT: race_read_after_write */
}
CASE(kernel_does_not_wait_for_the_copy)
{
    int *p = ints_of(0), *q = ints_of(1);
    cudaStream_t s = stream_of(0);
    cudaMemcpyPeerAsync(q, 1, p, 0, 128, s);
    cudaSetDevice(1);
    early<<<1, 32>>>(q, q + 512);
}

/* A copy between two devices in a default stream waits for both, and both wait for it. */
CASE(copies_in_the_default_stream)
{
    int *p = ints_of(0), *q = ints_of(1);
    cudaStream_t s = stream_of(0);
    add_one<<<1, 32, 0, s>>>(p);
    cudaSetDevice(1);
    cudaMemcpyPeer(q, 1, p, 0, 128);
    add_one<<<1, 32, 0, stream_of(1)>>>(q);
    cudaSetDevice(2);
    cudaMemcpyAsync(p, q, 128, cudaMemcpyDefault, 0);
    cudaSetDevice(0);
    add_one<<<1, 32, 0, s>>>(p);
}

/* Each device's default stream is ordered with the blocking streams of that device alone. */
__global__ void other_default(int *a) { a[threadIdx.x] = 5; } /* FAULT: race_write_after_write */
CASE(default_streams_of_two_devices)
{
    int *p = ints_of(0);
    cudaStream_t s;
    cudaStreamCreate(&s);
    add_one<<<1, 32, 0, s>>>(p);
    add_one<<<1, 32>>>(p);
    use(1);
    other_default<<<1, 32>>>(p);
}

CASE(freed_while_it_is_copied_to_a_peer)
{
    int *p = ints_of(1), *q = ints_of(0);
    cudaMemcpyPeerAsync(q, 0, p, 1, 4096, stream_of(0));
    cudaFree(p); /* FAULT: freed_in_use */
}

CASE(freed_after_the_peer_has_finished)
{
    int *p = ints_of(1), *q = ints_of(1);
    use(0);
    add_one<<<1, 32>>>(p);
    add_one<<<1, 32>>>(q);
    cudaEvent_t used = recorded_in(0);
    cudaSetDevice(1);
    cudaStreamWaitEvent(0, used, 0);
    cudaFree(p); /* waits for device 1, and so for device 0 */
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaFree(q);
}

/* ---- scopes: two kernels side by side, on devices 0 and 1 ---- */

typedef void (*Pair)(int *data, int *flag, int *result);

/* Launches `first` on device 0, then `second` on device 1, with nothing between them. */
static void side_by_side(Pair first, Pair second)
{
    int *p = ints_of(0), *q = ints_of(1);
    cudaSetDevice(0);
    first<<<1, 32>>>(p, p + 512, q);
    cudaSetDevice(1);
    second<<<1, 32>>>(p, p + 512, q);
}

__global__ void signal_system(int *data, int *flag, int *)
{
    data[threadIdx.x] = 1;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch_system(flag, 1);
}
__global__ void await_system(int *data, int *flag, int *result)
{
    if (threadIdx.x == 0)
        while (*(volatile int *)flag == 0)
            ;
    __threadfence_system();
    __syncthreads();
    result[threadIdx.x] = data[threadIdx.x];
}
CASE(flag_of_system_scope) { side_by_side(signal_system, await_system); }

__global__ void release_system(int *data, int *flag, int *)
{
    data[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1,
                                                                      cuda::memory_order_release);
}
__global__ void acquire_system(int *data, int *flag, int *result)
{
    cuda::atomic_ref<int, cuda::thread_scope_system> ready(*flag);
    while (ready.load(cuda::memory_order_acquire) == 0)
        ;
    result[threadIdx.x] = data[threadIdx.x];
}
CASE(release_and_acquire_of_system_scope) { side_by_side(release_system, acquire_system); }

__global__ void fence_device(int *data, int *flag, int *)
{
    data[threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch_system(flag, 1);
}
__global__ void await_device_fence(int *data, int *flag, int *result)
{
    if (threadIdx.x == 0)
        while (*(volatile int *)flag == 0)
            ;
    __threadfence_system();
    __syncthreads();
    result[threadIdx.x] = data[threadIdx.x]; /* FAULT: device_scope */
}
CASE(fence_of_device_scope) { side_by_side(fence_device, await_device_fence); }

__global__ void await_by_device_fence(int *data, int *flag, int *result)
{
    if (threadIdx.x == 0)
        while (*(volatile int *)flag == 0)
            ;
    __threadfence();
    __syncthreads();
    result[threadIdx.x] = data[threadIdx.x]; /* FAULT: device_scope */
}
CASE(reader_fences_in_device_scope) { side_by_side(signal_system, await_by_device_fence); }

__global__ void await_without_fence(int *data, int *flag, int *result)
{
    while (*(volatile int *)flag == 0)
        ;
    result[threadIdx.x] = data[threadIdx.x]; /* FAULT: race_read_after_write */
}
__global__ void signal_without_fence(int *data, int *flag, int *)
{
    data[threadIdx.x] = 1;
    *(volatile int *)flag = 1;
}
CASE(flag_without_fences) { side_by_side(signal_without_fence, await_without_fence); }

__global__ void count_in_system_scope(int *, int *flag, int *) { atomicAdd_system(flag, 1); }
CASE(counter_of_system_scope) { side_by_side(count_in_system_scope, count_in_system_scope); }

/* FAULT: device_scope */
__global__ void count_in_device_scope(int *, int *flag, int *) { atomicAdd(flag, 1); }
CASE(counter_of_device_scope) { side_by_side(count_in_device_scope, count_in_device_scope); }
