/*
 * memcpy, memset, struct copies and asynchronous copies: the loads and stores that one warp makes on an H200, as
 * nvcc 13.0 compiles them for sm_90 (Nsight Compute; components to builtin_fill: its PTX; see counts.py).
 * Compiles with nvcc too.
 *
 * COUNTERS global_load global_store shared_load shared_store async_copy_global tma_load
 * REQUESTS bytes_16 16 16 0 0 0 0
 * REQUESTS bytes_132 132 132 0 0 0 0
 * REQUESTS aligned_23 4|neighbours 4 0 0 0 0
 * REQUESTS aligned_256 16 16 0 0 0 0
 * REQUESTS aligned_differently 4 4 0 0 0 0
 * REQUESTS variable 48 48 0 0 0 0
 * REQUESTS variable_aligned 8 8 0 0 0 0
 * REQUESTS to_vector 16 1 0 0 0 0
 * REQUESTS to_three_floats 12 3 0 0 0 0
 * REQUESTS one_component 4 1 0 0 0 0
 * REQUESTS components 1 4 0 0 0 0
 * REQUESTS either_alignment 2 4 0 0 0 0
 * REQUESTS builtin 16 4 0 0 0 0
 * REQUESTS builtin_fill 0 16 0 0 0 0
 * REQUESTS from_vector 1 16 0 0 0 0
 * REQUESTS from_bytes 1 4 0 0 0 0
 * REQUESTS pitch33 1 1 1 4 0 0
 * REQUESTS shared_chars 1 1 1 16 0 0
 * REQUESTS shared_to_vector 1 1 1 1 0 0
 * REQUESTS dynamic_chars 1 1 1 1 0 0
 * REQUESTS either_array 16 1 1 1 0 0
 * REQUESTS device_vectors 1|neighbours 16 0 0 0 0
 * REQUESTS fill_16 0 16 0 0 0 0
 * REQUESTS fill_20_aligned 0 2 0 0 0 0
 * REQUESTS fill_variable 0 48 0 0 0 0
 * REQUESTS fill_shared 0 1 1 1 0 0
 * REQUESTS struct_to_shared 4 1 1 1 0 0
 * REQUESTS struct_and_memcpy 20 5 0 0 0 0
 * REQUESTS group_chars 2 1 1 2 2 0
 * REQUESTS group_shorts 2 1 1 2 2 0
 * REQUESTS group_floats 0 1 1 0 8 0
 * REQUESTS group_hint8 0 1 1 0 4 0
 * REQUESTS group_elements 0 1 1 0 4 0
 * REQUESTS barrier_floats 0 1 1 0 4 0
 * REQUESTS barrier_vectors 0 1 1 0 0 32
 * REQUESTS barrier_group_chars 32 1 1 32 0 0
 * REQUESTS barrier_group_hint16 0 1 1 0 0 1
 * REQUESTS conditional 0 1 1 0 1~profiler 0
 */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <string.h>
namespace cg = cooperative_groups;

#define LANE ((int)threadIdx.x)
#define ALIGNED(p, a) __builtin_assume_aligned(p, a)
#define TO (out + LANE * 1024)
#define FROM (in + LANE * 1024)
#define FLOATS ((float *)out)
#define VECTORS(p) ((float4 *)(p))[LANE]
#define FLOATS_FROM ((const float *)in + LANE * n)
#define FOUR                                                                                       \
    FLOATS[LANE] = v.x, FLOATS[LANE + 32] = v.y, FLOATS[LANE + 64] = v.z, FLOATS[LANE + 96] = v.w
#define TILE __shared__ __align__(16)
template <class T, int N>
struct many {
    T a[N];
};

__device__ float4 vectors[32];
extern __shared__ char dynamic[];

/* RUN(kernel, body): with `in` and `out` of bytes, and n, which is 48. */
#define KERNELS(RUN)                                                                               \
    RUN(bytes_16, memcpy(TO, FROM, 16))                                                            \
    RUN(bytes_132, memcpy(TO, FROM, 132))                                                          \
    RUN(aligned_23, memcpy(ALIGNED(TO, 16), ALIGNED(FROM, 16), 23))                                \
    RUN(aligned_256, memcpy(ALIGNED(TO, 16), ALIGNED(FROM, 16), 256))                              \
    RUN(aligned_differently, memcpy(ALIGNED(TO, 16), ALIGNED(FROM, 4), 16))                        \
    RUN(variable, memcpy(TO, FROM, n))                                                             \
    RUN(variable_aligned, memcpy(ALIGNED(TO, 16), ALIGNED(FROM, 16), n + 5))                       \
    RUN(to_vector, float4 v; memcpy(&v, FROM, 16); VECTORS(out) = v)                               \
    RUN(to_three_floats, float3 v; memcpy(&v, FROM, 12); ((float3 *)out)[LANE] = v)                \
    RUN(one_component, float4 v; memcpy(&v, FROM, 16); FLOATS[LANE] = v.y)                         \
    RUN(components, float4 v; memcpy(&v, ALIGNED(FLOATS_FROM, 16), 16); FOUR)                      \
    RUN(either_alignment, float4 v; if (n % 16) memcpy(&v, ALIGNED(FLOATS_FROM, 8), 16);           \
        else memcpy(&v, ALIGNED(FLOATS_FROM, 16), 16); FOUR)                                       \
    RUN(builtin, float4 v; __builtin_memcpy(&v, &VECTORS(in), 16); FOUR)                           \
    RUN(builtin_fill, __builtin_memset(&VECTORS(out), 0, 16))                                      \
    RUN(from_vector, float4 v = VECTORS(in); memcpy(TO, &v, 16))                                   \
    RUN(from_bytes, uchar4 v = ((const uchar4 *)in)[LANE]; memcpy(TO, &v, 4))                      \
    RUN(pitch33, __shared__ float t[32][33]; float4 v = VECTORS(in); memcpy(t[LANE], &v, 16);      \
        __syncthreads(); FLOATS[LANE] = t[31 - LANE][0])                                           \
    RUN(shared_chars, __shared__ char t[512]; float4 v = VECTORS(in);                              \
        memcpy(&t[LANE * 16], &v, 16); __syncthreads(); out[LANE] = t[(31 - LANE) * 16])           \
    RUN(shared_to_vector, TILE float t[32][36];                                                    \
        t[LANE][4] = t[LANE][5] = t[LANE][6] = t[LANE][7] = ((const float *)in)[LANE];             \
        __syncthreads(); float4 v; memcpy(&v, &t[31 - LANE][4], 16); VECTORS(out) = v)             \
    RUN(dynamic_chars, float4 v = VECTORS(in); memcpy(dynamic + LANE * 16, &v, 16);                \
        __syncthreads(); out[LANE] = dynamic[(31 - LANE) * 16])                                    \
    RUN(either_array, TILE float a[128]; TILE float b[128]; float *to = n > 1000 ? a : b;          \
        memcpy(&to[LANE * 4], FROM, 16); __syncthreads(); FLOATS[LANE] = to[127 - LANE])           \
    RUN(device_vectors, memcpy(TO, &vectors[LANE], 16))                                            \
    RUN(fill_16, memset(TO, 0, 16))                                                                \
    RUN(fill_20_aligned, memset(ALIGNED(TO, 16), 0, 20))                                           \
    RUN(fill_variable, memset(TO, 0, n))                                                           \
    RUN(fill_shared, TILE float t[128]; memset(&t[LANE * 4], 0, 16); __syncthreads();              \
        FLOATS[LANE] = t[127 - LANE])                                                              \
    RUN(struct_to_shared, typedef many<float, 4> four; __shared__ four t[32];                      \
        t[LANE] = ((const four *)in)[LANE]; __syncthreads(); FLOATS[LANE] = t[31 - LANE].a[1])     \
    RUN(struct_and_memcpy, typedef many<float, 5> five; five v; memcpy(&v, FROM, 20);              \
        ((five *)out)[LANE] = v)                                                                   \
    GROUP(RUN, group_chars, char, 4, 1024)                                                         \
    GROUP(RUN, group_shorts, short, 2, 1024)                                                       \
    GROUP(RUN, group_floats, float, 0, 1024)                                                       \
    GROUP(RUN, group_hint8, float, 0, cuda::aligned_size_t<8>(1024))                               \
    RUN(group_elements, TILE float t[1024]; auto g = cg::this_thread_block();                      \
        cg::memcpy_async(g, t, 100, (const float *)in, 256); cg::wait(g); FLOATS[LANE] = t[LANE])  \
    BARRIER(RUN, barrier_floats, (float *)t + LANE * 4, (const float *)in + LANE * 4, 16)          \
    BARRIER(RUN, barrier_vectors, (float4 *)t + LANE, (const float4 *)in + LANE, 16)               \
    BARRIER(RUN, barrier_group_chars, block, t, in, 1024)                                          \
    BARRIER(RUN, barrier_group_hint16, block, (float *)t, (const float *)in,                       \
            cuda::aligned_size_t<16>(1024))                                                        \
    RUN(conditional, TILE char t[512]; auto pipe = cuda::make_pipeline(); pipe.producer_acquire(); \
        if (LANE < n)                                                                              \
            cuda::memcpy_async(&VECTORS(t), &VECTORS(in), cuda::aligned_size_t<16>(16), pipe);     \
        pipe.producer_commit(); pipe.consumer_wait(); __syncthreads(); out[LANE] = t[31 - LANE])
#define GROUP(RUN, name, T, offset, ...)                                                           \
    RUN(name, TILE char t[2048]; auto g = cg::this_thread_block();                                 \
        cg::memcpy_async(g, (T *)(t + offset), (const T *)(in + offset), __VA_ARGS__);             \
        cg::wait(g); out[LANE] = t[offset + LANE % 8])
#define BARRIER(RUN, name, ...)                                                                    \
    RUN(name, TILE char t[1024]; __shared__ unsigned long long memory;                             \
        auto block = cg::this_thread_block();                                                      \
        auto &b = *(cuda::barrier<cuda::thread_scope_block> *)&memory;                             \
        if (LANE == 0) init(&b, 32); __syncthreads(); cuda::memcpy_async(__VA_ARGS__, b);          \
        b.arrive_and_wait(); out[LANE] = t[31 - LANE])

#define DEFINE(name, ...)                                                                          \
    __global__ void name(char *out, const char *in, int n) { __VA_ARGS__; }
KERNELS(DEFINE)

int main()
{
    char *in, *out;
    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 1, 1 << 16);
#define RUN(name, ...) name<<<1, 32, 512>>>(out, in, 48);
    KERNELS(RUN)
    return cudaDeviceSynchronize() != cudaSuccess;
}
