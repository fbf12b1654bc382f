/*
 * Counting rules against figures worked out by hand. Each kernel is launched once; the comment over
 * it says what must be counted (EXPECT, see counts.py) for each counter that is not zero. Compiles with
 * nvcc too.
 */
#include <cuda/barrier>
#include <cuda_runtime.h>
#include <stdio.h>

/* One warp, 4 bytes a lane: 128 bytes are 4 sectors; 8: 8; 16: 16 sectors.
 * EXPECT load4 global_load 1 4
 * EXPECT load4 global_store 1 4
 * EXPECT load8 global_load 1 8
 * EXPECT load8 global_store 1 8
 * EXPECT load16 global_load 1 16
 * EXPECT load16 global_store 1 16 */
__global__ void load4(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void load8(const float2 *in, float2 *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void load16(const float4 *in, float4 *out) { out[threadIdx.x] = in[threadIdx.x]; }

/* Shifted by one float, 128 bytes touch a fifth sector.
 * EXPECT misaligned global_load 1 5
 * EXPECT misaligned global_store 1 5 */
__global__ void misaligned(const float *in, float *out)
{
    out[threadIdx.x + 7] = in[threadIdx.x + 1];
}

/* Const arrays without __constant__ lie in global memory, here at the beginning of a sector: lanes read
 * the 8 ints of one sector, or 10 ints of two.
 * EXPECT const_arrays global_load 2 3
 * EXPECT const_arrays global_store 2 8 */
__device__ const int eight[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__global__ void const_arrays(const float *, float *out)
{
    static const int ten[10] = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8};
    out[threadIdx.x] = (float)eight[threadIdx.x % 8];
    out[threadIdx.x + 32] = (float)ten[threadIdx.x % 10];
}

/* Everybody reads one element: one sector, one wavefront.
 * EXPECT broadcast global_load 1 1
 * EXPECT broadcast global_store 1 4
 * EXPECT broadcast shared_store 1 1
 * EXPECT broadcast shared_load 1 1 */
__global__ void broadcast(const float *in, float *out)
{
    __shared__ float one[32];
    one[threadIdx.x] = in[5];
    __syncthreads();
    out[threadIdx.x] = one[9];
}

/* Strides in shared memory: 2, 3 (odd: none), 8, 32 elements: 2, 1, 8, 32 lanes to a bank.
 * EXPECT strides shared_store 4 43
 * EXPECT strides shared_load 4 43
 * EXPECT strides global_load 1 4
 * EXPECT strides global_store 4 16 */
__global__ void strides(const float *in, float *out)
{
    __shared__ float tile[4][1024];
    int t = threadIdx.x;
    float v = in[t];
    tile[0][t * 2] = v;
    tile[1][t * 3] = v;
    tile[2][t * 8] = v;
    tile[3][t * 32] = v;
    __syncthreads();
    out[t] = tile[0][t * 2];
    out[t + 32] = tile[1][t * 3];
    out[t + 64] = tile[2][t * 8];
    out[t + 96] = tile[3][t * 32];
}

/* 16 bytes a lane in shared memory, packed: four quarters of a warp, one wavefront each. Then four
 * elements 128 bytes apart, all in one group of banks, in each quarter: four wavefronts each.
 * EXPECT wide shared_store 1 4
 * EXPECT wide shared_load 2 20
 * EXPECT wide global_load 1 16
 * EXPECT wide global_store 2 32 */
__global__ void wide(const float4 *in, float4 *out)
{
    __shared__ float4 tile[32 * 8];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t];
    out[t + 32] = tile[t % 4 * 8];
}

/* 48 threads: the second warp is half full: 4 + 2 sectors.
 * EXPECT partial global_load 2 6
 * EXPECT partial global_store 2 6 */
__global__ void partial(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

/* A branch in a loop: 8 turns, odd lanes store in odd turns, even lanes in even ones, every time 16
 * lanes, 4 sectors; then all lanes store.
 * EXPECT divergent global_store 16 64 */
__global__ void divergent(const float *in, float *out)
{
    int t = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 8; i++) {
        if ((t ^ i) & 1)
            out[i * 64 + t] = (float)i;
        out[i * 64 + 32 + t] = (float)t;
    }
}

/* A lane that skips the store must not run ahead into the next turn: 8 + 8 turns of lanes 0-7 and
 * 8-31 that meet again, so 8 requests of 32 lanes (first store) and 8 of 8 lanes.
 * EXPECT reconverge global_store 16 40 */
__global__ void reconverge(const float *in, float *out)
{
    int t = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 8; i++) {
        out[i * 32 + t] = (float)i;
        if (t < 8)
            out[512 + i * 8 + t] = (float)i;
    }
}

/* Calls at different depths from both sides of a branch: two groups of 16 lanes, 64 bytes each.
 * EXPECT calls global_load 2 4
 * EXPECT calls global_store 1 4 */
__device__ __noinline__ float fetch(const float *p) { return p[0]; }
__device__ __noinline__ float fetch_two_times(const float *p) { return 2 * fetch(p); }
__global__ void calls(const float *in, float *out)
{
    float v;
    if (threadIdx.x < 16)
        v = fetch(in + threadIdx.x);
    else
        v = fetch_two_times(in + threadIdx.x);
    out[threadIdx.x] = v;
}

/* Reading what is then written counts: a = a + 1.
 * EXPECT increment global_load 1 4
 * EXPECT increment global_store 1 4 */
__global__ void increment(const float *in, float *out) { out[threadIdx.x] += 1; }

/* Neighbouring 4-byte stores stay four requests of stride 4: 16 sectors each.
 * EXPECT neighbours global_store 4 64 */
__global__ void neighbours(const float *in, float *out)
{
    float *p = out + 4 * threadIdx.x;
    p[0] = 0;
    p[1] = 1;
    p[2] = 2;
    p[3] = 3;
}

/* A copy loop stays a loop of 4 loads and stores; a zeroing loop stays 4 stores.
 * EXPECT loop global_load 4 16
 * EXPECT loop global_store 8 32 */
__global__ void loop(const float *in, float *out)
{
#pragma unroll 1
    for (int i = 0; i < 4; i++)
        out[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
#pragma unroll 1
    for (int i = 4; i < 8; i++)
        out[i * 32 + threadIdx.x] = 0;
}

/* Three floats are three 4-byte accesses, each 96 words apart in all: 12 sectors.
 * EXPECT three global_load 3 36
 * EXPECT three global_store 3 36 */
__global__ void three(const float3 *in, float3 *out)
{
    float3 v = in[threadIdx.x];
    v.x += 1;
    out[threadIdx.x] = v;
}

/* One member of a float4 is a 4-byte access, 16 bytes apart: 16 sectors.
 * EXPECT member global_load 1 16
 * EXPECT member global_store 1 16 */
__global__ void member(const float4 *in, float4 *out) { out[threadIdx.x].z = in[threadIdx.x].y; }

/* A struct of two ints with the alignment of one moves in two words; one aligned to 16 at once.
 * EXPECT structs global_load 3 32
 * EXPECT structs global_store 3 32 */
struct Two {
    int a, b;
};
struct alignas(16) Four {
    int v[4];
};
__global__ void structs(const float4 *in, float4 *out)
{
    ((Two *)out)[threadIdx.x] = ((const Two *)in)[threadIdx.x];
    ((Four *)out)[64 + threadIdx.x] = ((const Four *)in)[threadIdx.x];
}

/* Bytes and shorts: a warp's 32 bytes are one sector, 64 are two; in shared memory four bytes of a
 * word are no conflict.
 * EXPECT narrow global_load 2 3
 * EXPECT narrow global_store 2 3
 * EXPECT narrow shared_load 2 2
 * EXPECT narrow shared_store 2 2 */
__global__ void narrow(const char *in, char *out)
{
    __shared__ char bytes[32];
    __shared__ short words[32];
    int t = threadIdx.x;
    bytes[t] = in[t];
    words[t] = ((const short *)in)[32 + t];
    __syncthreads();
    out[t] = bytes[31 - t];
    ((short *)out)[32 + t] = words[31 - t];
}

/* Neither local arrays nor constants nor atomics are loads or stores of these counters.
 * EXPECT uncounted global_load 1 4
 * EXPECT uncounted global_store 1 4 */
__constant__ int offsets[32] = {3, 1, 2};
__global__ void uncounted(const float *in, float *out)
{
    volatile float local[8];
    for (int i = 0; i < 8; i++)
        local[i] = (float)i;
    float v = in[threadIdx.x] + local[offsets[threadIdx.x] & 7];
    atomicAdd(&out[64], 1.0f);
    out[threadIdx.x] = v;
}

/* Cache hints do not change what is counted.
 * EXPECT hints global_load 2 20
 * EXPECT hints global_store 2 20 */
__global__ void hints(const float4 *in, float4 *out)
{
    __stcs(&out[threadIdx.x], __ldcs(&in[threadIdx.x]));
    __stcg((float *)(out + 64) + threadIdx.x, __ldg((const float *)in + threadIdx.x));
}

/* The lanes of the last warp to come to an mbarrier stay together. Copies of a type of 16 bytes are bulk
 * copies, 8 of them here.
 * EXPECT waits tma_load 8 128
 * EXPECT waits shared_load 2 2
 * EXPECT waits global_store 2 8 */
__global__ void waits(const float4 *in, float *out)
{
    __shared__ unsigned long long memory; /* no constructor: nvcc would warn */
    __shared__ float4 tile[8];
    cuda::barrier<cuda::thread_scope_block> &bar =
        *(cuda::barrier<cuda::thread_scope_block> *)&memory;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 8)
        cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof *tile, bar);
    bar.arrive_and_wait();
    float v = ((const float *)tile)[threadIdx.x % 32];
    bar.arrive_and_wait();
    out[threadIdx.x] = v;
}

/* So do those of the last warp to come to a barrier with a number.
 * EXPECT numbered global_load 2 8
 * EXPECT numbered shared_store 2 2
 * EXPECT numbered shared_load 2 2
 * EXPECT numbered global_store 2 8 */
__global__ void numbered(const float *in, float *out)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    float v = tile[63 - threadIdx.x];
    asm volatile("barrier.sync 15, %0;" ::"r"(64) : "memory");
    out[threadIdx.x] = v;
}

int main()
{
    char *in, *out;
    cudaMalloc((void **)&in, 1 << 16);
    cudaMalloc((void **)&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemset(out, 0, 1 << 16);
#define RUN(kernel, threads, T) kernel<<<1, threads>>>((const T *)in, (T *)out)
    RUN(load4, 32, float), RUN(load8, 32, float2), RUN(load16, 32, float4);
    RUN(const_arrays, 32, float);
    RUN(misaligned, 32, float), RUN(broadcast, 32, float), RUN(strides, 32, float);
    RUN(wide, 32, float4), RUN(partial, 48, float), RUN(divergent, 32, float);
    RUN(reconverge, 32, float), RUN(calls, 32, float), RUN(increment, 32, float);
    RUN(neighbours, 32, float), RUN(loop, 32, float), RUN(three, 32, float3);
    RUN(member, 32, float4), RUN(structs, 32, float4);
    RUN(narrow, 32, char), RUN(uncounted, 32, float), RUN(hints, 32, float4);
    RUN(numbered, 64, float);
    waits<<<1, 64>>>((const float4 *)in, (float *)out);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
