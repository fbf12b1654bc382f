/* Whole programs in different styles, each with one fault: order, barriers, copies, the host. */
#include "../order/order.h"
#include <cstdint>
#include <cstdlib>
#include <cuda/barrier>
#include <utility>

/* The barrier is told to expect both stages' bytes, and one stage is copied. */
namespace expects_twice_the_bytes_program
{
namespace cde = cuda::device::experimental;

constexpr int kStage = 512;

__global__ void kernel(const float *in, float *out)
{
    __shared__ alignas(16) float stage[kStage];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(stage, in, sizeof(stage), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, 2 * sizeof(stage));
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token)); /* FAULT: endless_wait */
    for (int i = threadIdx.x; i < kStage; i += blockDim.x)
        out[i] = stage[i];
}

static int run()
{
    float *in, *out;
    cudaMalloc(&in, kStage * sizeof(float));
    cudaMalloc(&out, kStage * sizeof(float));
    cudaMemset(in, 0, kStage * sizeof(float));
    kernel<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
} // namespace expects_twice_the_bytes_program
PROGRAM(expects_twice_the_bytes)

/* Producer and consumer warps meet at named barriers; the consumer takes the wrong number. */
namespace named_barrier_wrong_number_program
{
__global__ void relay(const int *in, int *out)
{
    __shared__ int box[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        box[lane] = in[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else if (warp == 1) {
        asm volatile("bar.sync 2, 64;" ::: "memory"); /* FAULT: endless_wait */
        out[lane] = box[31 - lane];
    }
}

static int run()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    relay<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
} // namespace named_barrier_wrong_number_program
PROGRAM(named_barrier_wrong_number)

/* The event that the host waits for was recorded before the copy back. */
namespace event_before_copy_program
{
__global__ void square(int *p) { p[threadIdx.x] *= p[threadIdx.x]; }
static int run()
{
    int *host, *dev;
    cudaHostAlloc(&host, 32 * sizeof(int), cudaHostAllocDefault);
    cudaMalloc(&dev, 32 * sizeof(int));
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaEvent_t done;
    cudaEventCreate(&done);
    cudaMemcpyAsync(dev, host, 32 * sizeof(int), cudaMemcpyHostToDevice);
    square<<<1, 32>>>(dev);
    cudaEventRecord(done);
    cudaMemcpyAsync(host, dev, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaEventSynchronize(done);
    if (host[31] != 31 * 31) /* FAULT: host_race */
        return 1;
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaFree(dev);
    cudaFreeHost(host);
    return 0;
}
} // namespace event_before_copy_program
PROGRAM(event_before_copy)

/* Dynamic shared memory: the second region begins in the middle of the first. */
namespace regions_overlap_program
{
__global__ void sort2(const float *key, const int *val, float *ko, int *vo, int n)
{
    extern __shared__ float keys[];
    int *vals = (int *)(keys + n / 2);
    int t = threadIdx.x;
    keys[t] = key[t]; /* FAULT: race_write_after_write */
    vals[t] = val[t];
    __syncthreads();
    ko[t] = keys[n - 1 - t];
    vo[t] = vals[n - 1 - t];
}
static int run()
{
    const int n = 64;
    float k[n], *key, *ko;
    int v[n], *val, *vo;
    for (int i = 0; i < n; i++)
        k[i] = i + 0.5f, v[i] = i;
    cudaMalloc(&key, sizeof k);
    cudaMalloc(&ko, sizeof k);
    cudaMalloc(&val, sizeof v);
    cudaMalloc(&vo, sizeof v);
    cudaMemcpy(key, k, sizeof k, cudaMemcpyHostToDevice);
    cudaMemcpy(val, v, sizeof v, cudaMemcpyHostToDevice);
    sort2<<<1, n, 2 * n * 4>>>(key, val, ko, vo, n);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace regions_overlap_program
PROGRAM(regions_overlap)
