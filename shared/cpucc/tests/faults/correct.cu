/* Programs that are correct, in ways that a checker may take for faults. None brings a report. */
#include "../order/order.h"
#include <stdlib.h>
#include <limits.h>
#include <cuda_fp16.h>

static void must(bool good)
{
    if (good)
        return;
    printf("wrong result\n");
    exit(3);
}

static int *to_host(const int *device, int n)
{
    static int host[4096];
    cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
    return host;
}

__global__ void leader(int *counter, int *out)
{
    unsigned mask = __activemask();
    int first = __ffs(mask) - 1, rank = __popc(mask & ((1u << threadIdx.x) - 1)), base;
    if ((int)threadIdx.x == first)
        base = atomicAdd(counter, __popc(mask));
    out[threadIdx.x] = __shfl_sync(mask, base, first) + rank;
}
CASE(leader_by_ballot)
{
    int *out = ints(32);
    leader<<<1, 32>>>(ints(1), out);
    must(to_host(out, 32)[31] == 31);
}

__global__ void same_condition(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v, scaled;
    if (i < n)
        v = in[i];
    scaled = v * 2;
    if (i < n)
        out[i] = scaled;
}
CASE(written_under_the_same_condition)
{
    same_condition<<<2, 32>>>((float *)ints(40), (float *)ints(40), 40);
}

__global__ void tile_edge(const float *in, float *out, int n)
{
    __shared__ float tile[2][33];
    float v[2];
    for (int k = 0; k < 2; k++)
        if ((int)threadIdx.x + 32 * k < n)
            v[k] = in[threadIdx.x + 32 * k];
    for (int k = 0; k < 2; k++)
        tile[k][threadIdx.x] = v[k];
    __syncthreads();
    for (int k = 0; k < 2; k++)
        if ((int)threadIdx.x + 32 * k < n)
            out[threadIdx.x + 32 * k] = tile[k][threadIdx.x];
}
CASE(edge_of_a_tile_unused) { tile_edge<<<1, 32>>>((float *)ints(50), (float *)ints(50), 50); }

__global__ void each_case(int *out, int mode)
{
    int v;
    switch (mode) {
    case 0: v = 4; break;
    case 1: v = 5; break;
    default: v = 6;
    }
    int w;
    do
        w = v++;
    while (v < 10);
    bool odd;
    if (w & 1)
        odd = true;
    else
        odd = false;
    out[threadIdx.x] = odd ? w : v;
}
CASE(written_in_each_case) { each_case<<<1, 32>>>(ints(32), 1); }

__global__ void best(const float *in, int *out, int n)
{
    float most = -1e30f;
    int at;
    for (int i = 0; i < n; i++)
        if (in[i] > most) {
            most = in[i];
            at = i;
        }
    out[threadIdx.x] = at;
}
CASE(best_of_many) { best<<<1, 32>>>((float *)ints(16), ints(32), 16); }

__global__ void vector_row(const float *in, float *out)
{
    __shared__ __align__(16) float s[32][36];
    float4 v = *(const float4 *)&in[4 * threadIdx.x];
    *(float4 *)&s[threadIdx.x][4] = v;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x][4] + s[threadIdx.x][7];
}
CASE(vector_of_a_row) { vector_row<<<1, 32>>>((float *)ints(128), (float *)ints(32)); }

__device__ int *list;
__global__ void make_list() { list = (int *)malloc(32 * sizeof(int)); }
__global__ void fill_list() { list[threadIdx.x] = threadIdx.x; }
__global__ void read_list(int *out) { out[threadIdx.x] = list[31 - threadIdx.x]; }
__global__ void drop_list() { free(list); }
CASE(device_heap_across_kernels)
{
    make_list<<<1, 1>>>();
    fill_list<<<1, 32>>>();
    read_list<<<1, 32>>>(ints(32));
    drop_list<<<1, 1>>>();
}

__global__ void large_local(float *out)
{
    float a[20000];
    for (int i = 0; i < 20000; i++)
        a[(i * 7 + threadIdx.x) % 20000] = i;
    out[threadIdx.x] = a[threadIdx.x * 100 % 20000];
}
CASE(large_local_array) { large_local<<<1, 4>>>((float *)ints(4)); }

__device__ int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recursion(int *out) { *out = ackermann(2, 300); }
CASE(deep_recursion)
{
    int *out = ints(1);
    cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10);
    recursion<<<1, 1>>>(out);
    must(*to_host(out, 1) == 603);
}

__global__ void overflow(int *out, int a)
{
    unsigned hash = 5381;
    for (int i = 0; i < 32; i++)
        hash = hash * 33 + i;
    out[0] = a + 1;
    out[1] = (int)(hash & 1);
    out[2] = a + 1 > a;
    out[3] = INT_MIN / (a - INT_MAX - 1);
}
CASE(overflow_wraps)
{
    int *out = ints(4);
    overflow<<<1, 1>>>(out, INT_MAX);
    must(to_host(out, 4)[0] == INT_MIN);
}

__global__ void compute_long(float *out, int n)
{
    float x = threadIdx.x;
    for (int i = 0; i < n; i++)
        x = x * 0.5f + 1;
    if (x > 1e30f)
        *out = x;
}
CASE(no_memory_for_long) { compute_long<<<64, 64>>>((float *)ints(1), 100000); }

__global__ void wait_cycles(long long *out, long long cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles)
        ;
    out[threadIdx.x] = clock64() - start;
}
CASE(waits_by_the_clock) { wait_cycles<<<1, 32>>>((long long *)ints(64), 1000000000); }

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
CASE(host_reads_when_allowed)
{
    int *managed, *pinned, *p = ints(32);
    cudaStream_t s;
    cudaEvent_t done;
    cudaStreamCreate(&s);
    cudaEventCreate(&done);
    cudaMallocManaged(&managed, 128);
    cudaMallocHost(&pinned, 128);
    managed[3] = 1;
    fill<<<1, 32>>>(managed);
    cudaDeviceSynchronize();
    must(managed[3] == 3);
    fill<<<1, 32, 0, s>>>(p);
    cudaMemcpyAsync(pinned, p, 128, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(done, s);
    cudaEventSynchronize(done);
    must(pinned[5] == 5);
    pinned[5] = 0;
    managed[4] = 2;
    cudaMemcpyAsync(p, pinned, 128, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s);
    pinned[0] = 1;
    must(to_host(p, 32)[5] == 0);
}

CASE(host_uses_other_memory)
{
    int *busy, *idle, *pinned;
    cudaMallocManaged(&busy, 128);
    cudaMallocManaged(&idle, 128);
    cudaMallocHost(&pinned, 8192);
    fill<<<1, 32>>>(busy);
    for (int i = 0; i < 32; i++)
        idle[i] = i;
    pinned[100] = 1;
    cudaMemcpyAsync(pinned, busy, 128, cudaMemcpyDefault);
    pinned[40] = pinned[100];
    cudaDeviceSynchronize();
    must(busy[31] == 31 && idle[31] == 31 && pinned[31] == 31);
}

__global__ void tell(volatile int *flag, int *data)
{
    data[0] = 5;
    __threadfence_system();
    *flag = 1;
}
CASE(flag_to_the_host)
{
    int *shared;
    cudaHostAlloc(&shared, 8192, cudaHostAllocMapped);
    shared[0] = 0;
    tell<<<1, 1>>>(shared, shared + 1024);
    while (*(volatile int *)shared == 0)
        ;
    must(shared[1024] == 5);
}

CASE(launch_checked)
{
    fill<<<1, 4096>>>(ints(32));
    must(cudaGetLastError() == cudaErrorInvalidConfiguration);
    must(cudaDeviceSynchronize() == cudaSuccess);
}

CASE(freed_nothing)
{
    int *p = ints(32);
    cudaFree(p);
    cudaFree(0);
    cudaFreeHost(0);
}

CASE(partly_used_memory)
{
    char *p;
    if (cudaMalloc(&p, (size_t)256 << 20) == cudaSuccess) {
        fill<<<1, 32>>>((int *)(p + ((size_t)100 << 20)));
        cudaMemset(p, 0, (size_t)200 << 20);
        fill<<<1, 32>>>((int *)p);
        cudaFree(p);
    }
}

__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter, other[3];
__global__ void use_table(int *out)
{
    static const int squares[5] = {0, 1, 4, 9, 16};
    out[threadIdx.x] = table[threadIdx.x % 4] + squares[threadIdx.x % 5];
    if (threadIdx.x == 0)
        counter = 1, other[2] = 3;
}
CASE(constant_table_indexed) { use_table<<<1, 32>>>(ints(32)); }

__global__ void half_words(const __half *in, __half *out, unsigned char *bytes)
{
    __shared__ __half s[33];
    s[threadIdx.x] = in[threadIdx.x];
    bytes[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
CASE(half_words)
{
    half_words<<<1, 32>>>((__half *)ints(16), (__half *)ints(16), (unsigned char *)ints(8));
}

struct Parameters {
    int n, factor[4];
};
__device__ int use(const Parameters &p, int i) { return p.n + p.factor[i]; }
__global__ void grid_constant(const __grid_constant__ Parameters p, const Parameters q, int *out)
{
    out[threadIdx.x] = use(p, threadIdx.x % 4) + use(q, 3);
}
CASE(grid_constant_struct) { grid_constant<<<1, 32>>>({1, {1, 2, 3, 4}}, {2, {}}, ints(32)); }

__global__ void adds_again_and_again(const float *x, float *z, int rounds)
{
    for (int i = 0; i < rounds; i++)
        *z += *x;
}
CASE(repeats_that_the_loop_counts)
{
    float *p = (float *)ints(2);
    adds_again_and_again<<<1, 1>>>(p, p + 1, 2200000);
}
