/*
 * What CUDA C programs use beside loads and stores: each test runs a kernel or calls and compares
 * with what it must give. Builds with nvcc (-std=c++17 -arch=sm_90) too. Prints what failed, and
 * the number of tests; exit status 1 if any failed.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

static int tests, failures;

static void expect(const char *what, long long got, long long wanted)
{
    tests++;
    if (got == wanted)
        return;
    failures++;
    printf("%s: got %lld, expected %lld\n", what, got, wanted);
}

static int *out; /* 4096 ints on the device */
static int host[4096];

static void fetch(void)
{
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("error %s\n", cudaGetErrorString(e));
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
}

/* ---- indices, templates, constant and device variables ---- */

__constant__ int table[4] = {1, 20, 300, 4000};
__device__ int counter;
__device__ int squares[8];
static __device__ __forceinline__ int twice(int x) { return 2 * x; }
template <int N, typename T>
__device__ T power(T x)
{
    return N == 0 ? T(1) : x * power < N == 0 ? 0 : N - 1 > (x);
}

__global__ void indices(int *out)
{
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int all = blockDim.x * blockDim.y * blockDim.z;
    out[block * all + thread] = block * 1000 + thread + table[thread % 4] * 0;
    if (thread < 4 && block == 0)
        squares[thread] = twice(table[thread]) + power<3>(thread);
    atomicAdd(&counter, 1);
}

/* ---- shared memory ---- */

template <int N>
__global__ void reverse(int *out)
{
    __shared__ int a[N], b[N][2];
    extern __shared__ int dynamic[];
    int t = threadIdx.x;
    a[t] = t;
    b[t][t & 1] = 2 * t;
    dynamic[t] = 3 * t;
    __syncthreads();
    int o = N - 1 - t;
    out[t] = a[o] + b[o][o & 1] + dynamic[o];
}

extern __shared__ float4 vectors[];
__global__ void dynamic_vectors(int *out)
{
    vectors[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3);
    __syncthreads();
    float4 v = vectors[threadIdx.x ^ 1];
    out[threadIdx.x] = (int)(v.x + v.y + v.z + v.w);
}

union Parts {
    float4 whole;
    float part[4];
};

__global__ void unions(const float4 *in, int *out)
{
    Parts p;
    p.whole = in[threadIdx.x];
    float4 q = {p.part[3], p.part[2], p.part[1], p.part[0]};
    out[threadIdx.x] = (int)(q.x * 1000 + q.y * 100 + q.z * 10 + q.w);
}

/* ---- warps ---- */

__global__ void warps(int *out)
{
    int lane = threadIdx.x, *o = out + lane;
    o[0] = __shfl_sync(0xffffffff, lane * 3, 5);
    o[32] = __shfl_up_sync(0xffffffff, lane, 2);
    o[64] = __shfl_down_sync(0xffffffff, lane, 3, 8);
    o[96] = __shfl_xor_sync(0xffffffff, lane, 7);
    o[128] = (int)__ballot_sync(0xffffffff, lane % 3 == 0);
    o[160] = __any_sync(0xffffffff, lane == 40) + 2 * __all_sync(0xffffffff, lane < 32);
    o[192] = (int)__match_any_sync(0xffffffff, lane / 8);
    o[224] = (int)__reduce_add_sync(0xffffffff, (unsigned)lane);
    if (lane < 8)
        o[256] = (int)__activemask();
    else
        o[256] = (int)__activemask() >> 8;
    double d = __shfl_sync(0xffffffff, lane + 0.5, 9);
    o[288] = (int)(d * 2);
    if (lane & 1)
        o[320] = __shfl_sync(0xaaaaaaaa, lane, 31);
    else
        o[320] = __shfl_sync(0x55555555, lane, 30);
}

__global__ void block_votes(int *out)
{
    int t = threadIdx.x;
    out[t] = __syncthreads_count(t % 5 == 0);
    out[t + 64] = __syncthreads_and(t < 64);
    out[t + 128] = __syncthreads_or(t == 63) + 10 * __syncthreads_and(t < 63);
}

/* ---- cooperative groups ---- */

__global__ void groups(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int sum = cg::reduce(tile, (int)block.thread_rank(), cg::plus<int>());
    out[block.thread_rank()] = sum;
    out[64 + block.thread_rank()] = tile.shfl(block.thread_rank(), 3) + (int)tile.meta_group_rank();
    block.sync();
    if (threadIdx.x % 4 == 0) {
        cg::coalesced_group together = cg::coalesced_threads();
        out[128 + threadIdx.x] = (int)(together.size() * 100 + together.thread_rank());
    } else {
        out[128 + threadIdx.x] = 0;
    }
}

__global__ void grid_barrier(int *data, int n)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    data[i] = i;
    grid.sync();
    int other = data[(i + n / 2) % n];
    grid.sync();
    data[i] = other;
}

__global__ void __cluster_dims__(4, 1, 1) cluster_ring(int *out)
{
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0)
        mine = 10 * (int)blockIdx.x;
    cluster.sync();
    int *next = cluster.map_shared_rank(&mine, (rank + 1) % cluster.num_blocks());
    out[blockIdx.x * blockDim.x + threadIdx.x] = *next;
    cluster.sync();
}

/* ---- atomics ---- */

__global__ void atomics(int *out)
{
    __shared__ int bins[4];
    int t = threadIdx.x;
    if (t < 4)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[t % 4], t);
    __syncthreads();
    if (t < 4)
        out[t] = bins[t];
    atomicMax(&out[8], t);
    atomicMin(&out[9], t);
    atomicOr(&out[10], 1 << t % 16);
    atomicAdd((float *)&out[11], 0.5f);
    atomicInc((unsigned *)&out[12], 9);
    int *p = &out[13], old = *(volatile int *)p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, seen + 2);
    } while (old != seen);
    cuda::atomic_ref<int, cuda::thread_scope_device> ref(out[14]);
    ref.fetch_add(3, cuda::memory_order_relaxed);
}

/* The last block to finish sums what the others wrote. */
__device__ unsigned finished;
__global__ void last_block(int *parts, int *total)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = (int)blockIdx.x + 1;
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += ((volatile int *)parts)[i];
        *total = sum;
    }
}

/* A spin lock between the lanes of a warp, and flags between blocks. */
__device__ int lock_word, guarded;
__global__ void locks(void)
{
    bool done = false;
    while (!done)
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            guarded = guarded + 1;
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
}

__global__ void relay(volatile int *flags)
{
    if (blockIdx.x + 1 < gridDim.x)
        while (flags[blockIdx.x + 1] == 0)
            __nanosleep(20);
    __threadfence();
    flags[blockIdx.x] = 1 + (blockIdx.x + 1 < gridDim.x ? flags[blockIdx.x + 1] : 0);
}

/* ---- 16-bit floats, asynchronous copies, printf ---- */

__global__ void halves(int *out, __nv_bfloat16 *b, __half2 *h)
{
    int t = threadIdx.x;
    b[t] = __float2bfloat16(1.0f + t);
    h[t] = __floats2half2_rn(0.5f * t, 1.0f);
    out[t] = (int)__bfloat162float(b[t]) + (int)(2 * __low2float(h[t])) + (int)__high2float(h[t]);
}

__global__ void pipeline(const int4 *in, int *out, int stages)
{
    __shared__ int4 buffer[2][32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&buffer[0][t], &in[t], 16);
    __pipeline_commit();
    int sum = 0;
    for (int s = 0; s < stages; s++) {
        if (s + 1 < stages)
            __pipeline_memcpy_async(&buffer[(s + 1) % 2][t], &in[(s + 1) * 32 + t], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += buffer[s % 2][31 - t].y;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void cuda_pipeline(const int *in, int *out)
{
    __shared__ int buffer[64];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[threadIdx.x] = buffer[63 - threadIdx.x];
    pipe.consumer_release();
}

__global__ void speak(void)
{
    if (threadIdx.x == 1)
        printf("thread %d of block %d, %.1f\n", threadIdx.x, blockIdx.x, 2.5);
}

template <class F>
__global__ void apply(F f, int *out)
{
    out[threadIdx.x] = f(threadIdx.x);
}

struct Add {
    int n;
    __host__ __device__ int operator()(int x) const { return x + n; }
};

int main()
{
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);

    indices<<<dim3(2, 3, 2), dim3(4, 2, 8)>>>(out);
    fetch();
    expect("grid and block indices", host[11 * 64 + 63], 11063);
    int got[8];
    cudaMemcpyFromSymbol(got, squares, sizeof got);
    expect("constant, templates", got[3], 8027);
    int zero = 0, count;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    expect("__device__ counter", count, 12 * 64);
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    int other[4] = {5, 6, 7, 8};
    cudaMemcpyToSymbol(table, other, sizeof other);
    indices<<<1, 4>>>(out);
    cudaMemcpyFromSymbol(got, squares, sizeof got);
    expect("cudaMemcpyToSymbol", got[2], 22);

    reverse<64><<<1, 64, 64 * sizeof(int)>>>(out);
    fetch();
    expect("shared arrays", host[10], 53 * 6);
    dynamic_vectors<<<1, 32, 32 * sizeof(float4)>>>(out);
    fetch();
    expect("dynamic shared memory at file scope", host[4], 11);
    float values[4] = {1, 2, 3, 4};
    cudaMemcpy(out + 2048, values, sizeof values, cudaMemcpyHostToDevice);
    unions<<<1, 1>>>((const float4 *)(out + 2048), out);
    fetch();
    expect("union of float4", host[0], 4321);

    warps<<<1, 32>>>(out);
    fetch();
    expect("shfl", host[7], 15);
    expect("shfl_up", host[32 + 9] * 100 + host[32 + 1], 701);
    expect("shfl_down width 8", host[64 + 4] * 100 + host[64 + 6], 706);
    expect("shfl_xor", host[96 + 12], 11);
    expect("ballot", host[128], 0x49249249);
    expect("any, all", host[160], 2);
    expect("match_any", host[192 + 17], 0xff0000);
    expect("reduce_add", host[224], 496);
    expect("activemask", host[256 + 3] + (host[256 + 20] & 0xffffff), 0xff + 0xffffff);
    expect("shfl of double", host[288], 19);
    expect("shfl under divergence", host[320 + 4] * 100 + host[320 + 5], 3031);

    block_votes<<<1, 64>>>(out);
    fetch();
    expect("syncthreads_count", host[5], 13);
    expect("syncthreads_and, _or", host[64] * 100 + host[128], 101);

    groups<<<1, 64>>>(out);
    fetch();
    expect("tile reduce", host[9], 8 * 8 + 28);
    expect("tile shfl", host[64 + 20], 19 + 2);
    expect("coalesced group", host[128 + 8], 802);

    int n = 4 * 64;
    void *arguments[] = {&out, &n};
    expect("cooperative launch",
           cudaLaunchCooperativeKernel((void *)grid_barrier, 4, 64, arguments, 0, 0), 0);
    fetch();
    expect("grid.sync", host[10] * 1000 + host[200], 138072);

    cluster_ring<<<8, 32>>>(out);
    fetch();
    expect("cluster", host[3 * 32] * 1000 + host[4 * 32 + 5], 0 * 1000 + 50);

    memset(host, 0, 64);
    host[9] = 100;
    cudaMemcpy(out, host, 64, cudaMemcpyHostToDevice);
    atomics<<<1, 64>>>(out);
    fetch();
    expect("shared atomicAdd", host[1], 16 * 31 - 16 + 16);
    expect("atomicMax, Min, Or", host[8] * 1000000 + host[9] * 100000 + host[10], 63000000 + 65535);
    float half_sum;
    memcpy(&half_sum, &host[11], 4);
    expect("float atomicAdd", (int)half_sum, 32);
    expect("atomicInc", host[12], 4);
    expect("atomicCAS loop", host[13], 128);
    expect("atomic_ref", host[14], 192);

    last_block<<<20, 32>>>(out, out + 64);
    fetch();
    expect("last block reduction", host[64], 210);

    locks<<<2, 64>>>();
    cudaMemcpyFromSymbol(&count, guarded, sizeof count);
    expect("spin lock", count, 128);
    cudaMemset(out, 0, 64);
    relay<<<6, 1>>>(out);
    fetch();
    expect("waiting for later blocks", host[0], 6);

    halves<<<1, 32>>>(out, (__nv_bfloat16 *)(out + 1024), (__half2 *)(out + 2048));
    fetch();
    expect("bf16 and half", host[7], 8 + 7 + 1);

    for (int i = 0; i < 1024; i++)
        host[i] = i;
    cudaMemcpy(out + 1024, host, 4096, cudaMemcpyHostToDevice);
    pipeline<<<1, 32>>>((const int4 *)(out + 1024), out, 4);
    fetch();
    expect("cp.async in two stages", host[31], 1 + 129 + 257 + 385);
    cuda_pipeline<<<1, 64>>>(out + 1024, out);
    fetch();
    expect("cuda::pipeline", host[3], 60);

    speak<<<2, 4>>>();
    cudaDeviceSynchronize();

    apply<<<1, 32>>>(Add{7}, out);
    fetch();
    expect("functor", host[3], 10);

    cudaLaunchConfig_t config = {};
    config.gridDim = 2, config.blockDim = 32;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2,
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute, config.numAttrs = 1;
    expect("cudaLaunchKernelEx", cudaLaunchKernelEx(&config, apply<Add>, Add{1}, out), 0);

    expect("bad block size", (apply<<<1, 2048>>>(Add{1}, out), cudaGetLastError()),
           cudaErrorInvalidConfiguration);
    expect("too much dynamic shared memory",
           (dynamic_vectors<<<1, 32, 50000>>>(out), cudaGetLastError()), cudaErrorInvalidValue);
    cudaFuncSetAttribute(dynamic_vectors, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000);
    expect("the same after raising the limit",
           (dynamic_vectors<<<1, 32, 50000>>>(out), cudaGetLastError()), 0);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    expect("warp size", p.warpSize, 32);
    cudaEvent_t a, b;
    float ms = -1;
    cudaEventCreate(&a), cudaEventCreate(&b);
    cudaEventRecord(a), cudaEventRecord(b), cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
    expect("events", ms >= 0, 1);
    cudaFree(out);
    printf("%d tests, %d failed\n", tests, failures);
    return failures != 0;
}
