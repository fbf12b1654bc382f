/* Faults of the host's code: memory that is not its own, or not yet; calls that went wrong. */
#include "../order/order.h"
#include <cmath>
#include <stdlib.h>
#include <cuda.h>

static void wrong(const char *what)
{
    printf("wrong: %s\n", what);
    exit(3);
}

__global__ void fill(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = i;
}

CASE(frees_device_memory_itself) { free(ints(32)); /* FAULT: host_access */ }

CASE(grid_one_block_short)
{
    int *p, host[64], sum = 0;
    cudaMalloc(&p, 256);
    fill<<<1, 32>>>(p, 64);
    cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost); /* REMARK: unwritten_copied */
    for (int i = 0; i < 64; i++)
        sum += host[i]; /* FAULT: uninitialised */
    printf("%d\n", sum);
}

CASE(unwritten_into_pinned_memory)
{
    int *p, *host;
    cudaMalloc(&p, 256);
    cudaMallocHost(&host, 256);
    cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost); /* REMARK: unwritten_copied */
    printf("%d\n", host[1]);                          /* FAULT: uninitialised */
}

CASE(copied_to_take_times)
{
    int *p, *host = (int *)malloc(1 << 20);
    cudaMalloc(&p, 1 << 20);
    cudaMemcpy(host, p, 1 << 20, cudaMemcpyDeviceToHost); /* REMARK: unwritten_copied */
    memset(host, 0, 1 << 20);
    for (int i = 0; i < 1 << 18; i++)
        host[i] = i + host[i ^ 1];
}

__global__ void twice(const int *in, int *out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
CASE(managed_input_changed)
{
    int *in;
    cudaMallocManaged(&in, 128);
    memset(in, 0, 128);
    twice<<<1, 32>>>(in, ints(32));
    in[0] = 1; /* FAULT: host_race */
    cudaDeviceSynchronize();
}

CASE(copy_source_changed)
{
    int *host, *p = ints(32);
    cudaMallocHost(&host, 128);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 32; i++)
            host[i] = round + i; /* FAULT: host_race */
        cudaMemcpyAsync(p, host, 128, cudaMemcpyHostToDevice);
    }
    cudaDeviceSynchronize();
}

CASE(other_stream_waited_for)
{
    int *host, *p = ints(32);
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMallocHost(&host, 128);
    fill<<<1, 32, 0, a>>>(p, 32);
    cudaMemcpyAsync(host, p, 128, cudaMemcpyDeviceToHost, a);
    cudaStreamSynchronize(b);
    printf("%d\n", host[0]); /* FAULT: host_race */
}

CASE(freed_twice)
{
    int *p = ints(32);
    cudaFree(p);
    cudaFree(p); /* FAULT: double_free */
}

CASE(freed_in_the_middle)
{
    int *p = ints(32);
    cudaFree(p + 4); /* FAULT: bad_free */
}

CASE(freed_host_memory)
{
    int *p = (int *)malloc(128);
    cudaFree(p); /* FAULT: bad_free */
}

CASE(copy_in_the_wrong_direction)
{
    int h[32] = {}, *d = ints(32);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice); /* FAULT: copy_direction */
}

__constant__ float taps[5];
CASE(copy_to_a_symbol_too_long)
{
    float h[8] = {};
    cudaMemcpyToSymbol(taps, h, sizeof h); /* FAULT: out_of_bounds */
}

CASE(copy_too_long)
{
    static int host[64];
    int *p = ints(32);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice); /* FAULT: out_of_bounds */
}

CASE(copy_back_too_long)
{
    static int host[64];
    cudaMemcpy(host, ints(32), 33 * sizeof(int), cudaMemcpyDeviceToHost); /* FAULT: out_of_bounds */
}

CASE(set_after_free)
{
    int *p = ints(32);
    cudaFree(p);
    cudaMemset(p, 0, 4); /* FAULT: out_of_bounds */
}

CASE(too_many_threads) { fill<<<1, 2048>>>(ints(2048), 2048); /* REMARK: launch_refused */ }

CASE(no_blocks)
{
    int n = 0;
    fill<<<(n + 31) / 32, 32>>>(ints(1), n); /* REMARK: launch_refused */
    cudaDeviceSynchronize();
}

CASE(too_much_dynamic_shared)
{
    fill<<<1, 32, 100000>>>(ints(32), 32); /* REMARK: launch_refused */
    if (cudaDeviceSynchronize())
        wrong("cudaDeviceSynchronize tells of a launch that was refused");
}

__global__ void load_tile(const CUtensorMap map, float *out)
{
    __shared__ alignas(128) float tile[32 * 32];
    __shared__ alignas(8) unsigned long long barrier;
    unsigned at = (unsigned)__cvta_generic_to_shared(tile),
             bar = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(bar) : "memory");
        /* FAULT: copy_refused */
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(at),
                     "l"(&map), "r"(0), "r"(0), "r"(bar)
                     : "memory");
    }
    out[threadIdx.x] = 0;
}
CASE(tensor_map_by_copy)
{
    CUtensorMap map;
    float *p = (float *)ints(1024);
    cuuint64_t size[2] = {32, 32}, pitch[1] = {128};
    cuuint32_t box[2] = {32, 32}, step[2] = {1, 1};
    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, size, pitch, box, step,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        wrong("no map");
    load_tile<<<1, 32>>>(map, (float *)ints(32));
}

__global__ void endless_loop(int n)
{
    for (;; n ^= 1) /* FAULT: endless_wait */
        ;
}
CASE(endless_loop) { endless_loop<<<1, 1>>>(0); }

__global__ void managed_ones(float *p) { p[threadIdx.x] = 1; }
CASE(read_for_the_library)
{
    float *p, most = 0;
    cudaMallocManaged(&p, 32 * sizeof(float));
    managed_ones<<<1, 32>>>(p);
    for (int i = 0; i < 32; i++)
        most = std::fmax(most, std::fabs(p[i] - 1)); /* FAULT: host_race */
    if (most > 1)
        printf("%g\n", most);
}

__managed__ int managed_total;
__global__ void add_up() { atomicAdd(&managed_total, 1); }
CASE(managed_total_read_early)
{
    add_up<<<2, 32>>>();
    int total = managed_total; /* FAULT: host_race */
    cudaDeviceSynchronize();
    printf("%d\n", total);
}

__global__ void work(int *progress)
{
    if (threadIdx.x == 0) {
        atomicAdd(progress, 1);
        __threadfence_system();
    }
}
CASE(progress_is_polled)
{
    int *progress, *there;
    cudaHostAlloc((void **)&progress, sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&there, progress, 0);
    *progress = 0;
    work<<<4, 32>>>(there);
    while (*(volatile int *)progress < 4)
        ;
}
