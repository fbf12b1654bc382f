/*
 * What nvcc merges, and what it does not: small kernels, and how many loads and stores a warp makes in
 * nvcc 13.0's code for sm_90 (cuobjdump -sass; see counts.py). Compiles with nvcc too.
 *
 * COUNTERS global_load global_store shared_load shared_store
 * REQUESTS matrix_product 64 32 1280 64
 * REQUESTS pitch33 32 1 32 32
 * REQUESTS pitch34 32 1 16 32
 * REQUESTS pitch36 32 1 8 32
 * REQUESTS store_row 4 1 1 1
 * REQUESTS store_pairs 2 1 1 1
 * REQUESTS store_in_turns 8 1 2 8
 * REQUESTS last_two 4 1 1 4
 * REQUESTS middle_two 4 1 2 4
 * REQUESTS first_and_third 4 1 2 4
 * REQUESTS backwards 4 1 1 4
 * REQUESTS store_between 4 1 2 5
 * REQUESTS barrier_between 4 1 2 4
 * REQUESTS other_memory_between 4 2 1 4
 * REQUESTS shuffle_between 4 1 1 4
 * REQUESTS mixed 4 1 1 4
 * REQUESTS doubles 2 1 1 2
 * REQUESTS behind_odd 4 1 5 5
 * REQUESTS behind_odd_aligned 4 1 2 5
 * REQUESTS dynamic_rows 4 1 5 8
 * REQUESTS floats 4 1 0 0
 * REQUESTS members 1 1 0 0
 * REQUESTS own_members 1 1 0 0
 * REQUESTS own_array 4 4 0 0
 * REQUESTS may_overlap 2 2 0 0
 * REQUESTS is_restricted 1 2 0 0
 * REQUESTS one_member 1 1 0 0
 * REQUESTS two_members 1 1 0 0
 * REQUESTS two_far_members 2 1 0 0
 * REQUESTS three_members 1 1 0 0
 * REQUESTS members_in_pairs 1 2 0 0
 * REQUESTS long_loop 32 1 256 32
 * REQUESTS kept_loop 4 1 4 4
 * REQUESTS block_of_registers 8 1 16 8
 * REQUESTS stored_elsewhere 1 1 2 2
 * REQUESTS whole_chars 4 4 0 0
 * REQUESTS whole_aligned_chars 1 1 0 0
 * REQUESTS whole_four_ints 4 4 0 0
 * REQUESTS whole_five_ints 5 5 0 0
 * REQUESTS whole_six_ints 3 3 0 0
 * REQUESTS whole_mixed_sizes 2 2 0 0
 * REQUESTS whole_packed 5 5 0 0
 * REQUESTS row_of_32 32 1 8 32
 * REQUESTS store_either 1 1 0 0
 * REQUESTS store_chosen 2 1 0 0
 */
#include <cuda_runtime.h>

/* Four neighbouring words of a row, and one of each row: 8 + 32 loads a warp, not 64. */
__global__ void matrix_product(const float *a, const float *b, float *c)
{
    __shared__ float as[32][32], bs[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    as[y][x] = a[y * 32 + x];
    bs[y][x] = b[y * 32 + x];
    __syncthreads();
    for (int k = 0; k < 32; k++)
        sum += as[y][k] * bs[k][x];
    c[y * 32 + x] = sum;
}

/* Rows of 33, 34 and 36 words: neighbours are aligned to 4, 8 and 16 bytes. */
template <int PITCH>
__device__ void rows(const float *in, float *out)
{
    __shared__ float tile[32][PITCH];
    for (int i = 0; i < 32; i++)
        tile[i][threadIdx.x] = in[i * 32 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += tile[threadIdx.x][i];
    out[threadIdx.x] = sum;
}
__global__ void pitch33(const float *in, float *out) { rows<33>(in, out); }
__global__ void pitch34(const float *in, float *out) { rows<34>(in, out); }
__global__ void pitch36(const float *in, float *out) { rows<36>(in, out); }

/* Stores, one behind the other: of a row, of pairs, of two arrays in turns (which are not merged). */
__global__ void store_row(const float *in, float *out)
{
    __shared__ float s[32][36];
    for (int i = 0; i < 4; i++)
        s[3][4 * threadIdx.x + i] = in[i * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[3][127 - threadIdx.x];
}
__global__ void store_pairs(const float *in, float *out)
{
    __shared__ float s[64];
    s[threadIdx.x * 2] = in[threadIdx.x];
    s[threadIdx.x * 2 + 1] = in[threadIdx.x + 32];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void store_in_turns(const float *in, float *out)
{
    __shared__ float a[128], b[128];
    for (int i = 0; i < 4; i++) {
        a[threadIdx.x * 4 + i] = in[threadIdx.x + 32 * i];
        b[threadIdx.x * 4 + i] = in[threadIdx.x + 32 * i + 128];
    }
    __syncthreads();
    out[threadIdx.x] = a[127 - threadIdx.x] * b[126 - threadIdx.x];
}

#define FILL                                                                                       \
    __shared__ float s[128];                                                                       \
    int t = threadIdx.x * 4;                                                                       \
    for (int i = 0; i < 4; i++)                                                                    \
        s[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];                                        \
    __syncthreads();

/* Pairs begin at even places only; a gap is none; the order does not matter. */
__global__ void last_two(const float *in, float *out)
{
    FILL out[threadIdx.x] = s[t + 2] + s[t + 3];
}
__global__ void middle_two(const float *in, float *out)
{
    FILL out[threadIdx.x] = s[t + 1] + s[t + 2];
}
__global__ void first_and_third(const float *in, float *out)
{
    FILL out[threadIdx.x] = s[t] + s[t + 2];
}
__global__ void backwards(const float *in, float *out)
{
    FILL float v = 1;
    for (int i = 3; i >= 0; i--)
        v = v * 2 + s[t + i];
    out[threadIdx.x] = v;
}
/* A store to shared memory and a barrier keep them apart, a store to global memory and a shuffle do
 * not. */
__global__ void store_between(const float *in, float *out)
{
    FILL float v = s[t];
    s[127] = v;
    out[threadIdx.x] = v + s[t + 1];
}
__global__ void barrier_between(const float *in, float *out)
{
    FILL float v = s[t];
    __syncwarp();
    out[threadIdx.x] = v + s[t + 1];
}
__global__ void other_memory_between(const float *in, float *out)
{
    FILL float v = s[t];
    out[threadIdx.x] = v;
    out[threadIdx.x + 32] = v + s[t + 1];
}
__global__ void shuffle_between(const float *in, float *out)
{
    FILL float v = s[t];
    v = __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + s[t + 1];
}
/* An int between floats, doubles. */
__global__ void mixed(const float *in, float *out)
{
    FILL out[threadIdx.x] = s[t] + (float)*(int *)&s[t + 1] + s[t + 2] + s[t + 3];
}
__global__ void doubles(const double *in, double *out)
{
    __shared__ double s[64];
    s[threadIdx.x] = in[threadIdx.x], s[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x * 2] * s[threadIdx.x * 2 + 1];
}

/* A variable lies behind those that are declared before it: 132 bytes further on, and aligned. */
__global__ void behind_odd(const float *in, float *out)
{
    __shared__ float a[33], s[128];
    a[threadIdx.x] = in[threadIdx.x];
    for (int i = 0; i < 4; i++)
        s[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
    __syncthreads();
    int t = threadIdx.x * 4;
    out[threadIdx.x] = s[t] + s[t + 1] + s[t + 2] + s[t + 3] + a[31 - threadIdx.x];
}
__global__ void behind_odd_aligned(const float *in, float *out)
{
    __shared__ float a[33];
    __shared__ __align__(16) float s[128];
    a[threadIdx.x] = in[threadIdx.x];
    for (int i = 0; i < 4; i++)
        s[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
    __syncthreads();
    int t = threadIdx.x * 4;
    out[threadIdx.x] = s[t] + s[t + 1] + s[t + 2] + s[t + 3] + a[31 - threadIdx.x];
}
/* Dynamic shared memory is aligned; what lies n words further on is not known to be. */
extern __shared__ float dynamic[];
__global__ void dynamic_rows(const float *in, float *out, int n)
{
    float *a = dynamic, *b = dynamic + n;
    for (int i = 0; i < 4; i++) {
        a[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
        b[i * 32 + threadIdx.x] = 1;
    }
    __syncthreads();
    float v = 0;
    for (int i = 0; i < 4; i++)
        v += a[threadIdx.x * 4 + i] * b[threadIdx.x * 4 + i];
    out[threadIdx.x] = v;
}

/* Global memory: nothing is known of a float's place, everything of a float4's members. */
__global__ void floats(const float *in, float *out)
{
    float v = 0;
    for (int i = 0; i < 4; i++)
        v += in[threadIdx.x * 4 + i];
    out[threadIdx.x] = v;
}
__global__ void members(float4 *in, float *)
{
    in[threadIdx.x].x *= 2, in[threadIdx.x].y *= 3;
    in[threadIdx.x].z *= 4, in[threadIdx.x].w *= 5;
}
struct alignas(16) four {
    float a, b, c, d;
};
__global__ void own_members(four *in, float *)
{
    in[threadIdx.x].a *= 2, in[threadIdx.x].b *= 3;
    in[threadIdx.x].c *= 4, in[threadIdx.x].d *= 5;
}
struct alignas(16) array {
    float v[4];
};
__global__ void own_array(array *in, float *)
{
    for (int i = 0; i < 4; i++)
        in[threadIdx.x].v[i] *= 2;
}
__global__ void may_overlap(const float4 *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x].x;
    out[threadIdx.x + 32] = in[threadIdx.x].y;
}
__global__ void is_restricted(const float4 *__restrict__ in, float *__restrict__ out)
{
    out[threadIdx.x] = in[threadIdx.x].x;
    out[threadIdx.x + 32] = in[threadIdx.x].y;
}
/* Members that nobody uses are not loaded. */
__global__ void one_member(const float4 *in, float *out)
{
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.y;
}
__global__ void two_members(const float4 *in, float *out)
{
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y;
}
__global__ void two_far_members(const float4 *in, float *out)
{
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.z;
}
__global__ void three_members(const float4 *in, float *out)
{
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.w;
}
__global__ void members_in_pairs(const four *in, float2 *out)
{
    four v = in[threadIdx.x];
    out[threadIdx.x] = make_float2(v.a, v.c);
    out[32 + threadIdx.x] = make_float2(v.b, v.d);
}

/* Loops: unrolled in part, not at all, and the same place twice. */
__global__ void long_loop(const float *in, float *out)
{
    __shared__ float s[1024];
    for (int i = threadIdx.x; i < 1024; i += 32)
        s[i] = in[i];
    __syncthreads();
    float v = 0;
    for (int i = 0; i < 1024; i++)
        v += s[i];
    out[threadIdx.x] = v;
}
__global__ void kept_loop(const float *in, float *out)
{
    FILL float v = 0;
#pragma unroll 1
    for (int i = 0; i < 4; i++)
        v += s[t + i];
    out[threadIdx.x] = v;
}
__global__ void block_of_registers(const float *in, float *out)
{
    __shared__ float s[32 * 8];
    for (int i = 0; i < 8; i++)
        s[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
    __syncthreads();
    float r[8], sum = 0;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 8; i++)
            r[i] = s[(threadIdx.x / 8 * 8 + i) * 8 + k];
        for (int i = 0; i < 8; i++)
            sum += r[i] * r[7 - i];
    }
    out[threadIdx.x] = sum;
}
__global__ void stored_elsewhere(const float *in, float *out)
{
    __shared__ float a[32], b[32];
    a[threadIdx.x] = in[threadIdx.x];
    b[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}

/* Structs that are copied whole move in pieces of their alignment, not at once. */
template <class T>
__device__ void copy_one(const T *in, T *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}
struct chars {
    unsigned char r, g, b, a;
};
struct alignas(4) aligned_chars {
    unsigned char r, g, b, a;
};
struct four_ints {
    int a, b, c, d;
};
struct five_ints {
    int a[5];
};
struct alignas(8) six_ints {
    int a[6];
};
struct mixed_sizes {
    int a;
    char b;
};
struct __attribute__((packed)) packed {
    char a;
    int b;
};
__global__ void whole_chars(const chars *in, chars *out) { copy_one(in, out); }
__global__ void whole_aligned_chars(const aligned_chars *in, aligned_chars *out)
{
    copy_one(in, out);
}
__global__ void whole_four_ints(const four_ints *in, four_ints *out) { copy_one(in, out); }
__global__ void whole_five_ints(const five_ints *in, five_ints *out) { copy_one(in, out); }
__global__ void whole_six_ints(const six_ints *in, six_ints *out) { copy_one(in, out); }
__global__ void whole_mixed_sizes(const mixed_sizes *in, mixed_sizes *out) { copy_one(in, out); }
__global__ void whole_packed(const packed *in, packed *out) { copy_one(in, out); }

/* A row's last words: the compiler knows the lane's bits. */
__global__ void row_of_32(const float *in, float *out)
{
    __shared__ float s[1024];
    for (int i = 0; i < 32; i++)
        s[i * 32 + threadIdx.x % 32] = in[i * 32 + threadIdx.x % 32];
    __syncthreads();
    float v = 0;
    for (int i = 0; i < 32; i++)
        v += s[threadIdx.x / 32 * 32 + i];
    out[threadIdx.x] = v;
}

/* All that two branches do differs in operands alone: it is done once, behind both. */
__global__ void store_either(const float *in, float *out)
{
    float a = in[threadIdx.x], b = in[threadIdx.x + 32];
    if (threadIdx.x % 8 > 5)
        out[threadIdx.x] = a;
    else
        out[threadIdx.x] = b;
}
__global__ void store_chosen(const float *in, float *out)
{
    float a = in[threadIdx.x], b = in[threadIdx.x + 32];
    out[threadIdx.x] = threadIdx.x % 8 > 5 ? a * 2 : b;
}

#define RUN(kernel, in_type, out_type) kernel<<<1, 32>>>((in_type *)in, (out_type *)out)

int main()
{
    void *in, *out;
    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemset(out, 0, 1 << 16);
    matrix_product<<<1, dim3(32, 32)>>>((float *)in, (float *)in, (float *)out);
    dynamic_rows<<<1, 32, 2048>>>((float *)in, (float *)out, 128);
    RUN(pitch33, float, float), RUN(pitch34, float, float), RUN(pitch36, float, float),
        RUN(store_row, float, float), RUN(store_pairs, float, float),
        RUN(store_in_turns, float, float), RUN(last_two, float, float),
        RUN(middle_two, float, float), RUN(first_and_third, float, float),
        RUN(backwards, float, float), RUN(store_between, float, float),
        RUN(barrier_between, float, float), RUN(other_memory_between, float, float),
        RUN(shuffle_between, float, float), RUN(mixed, float, float), RUN(doubles, double, double),
        RUN(behind_odd, float, float), RUN(behind_odd_aligned, float, float),
        RUN(floats, float, float), RUN(members, float4, float), RUN(own_members, four, float),
        RUN(own_array, array, float), RUN(may_overlap, float4, float),
        RUN(is_restricted, float4, float), RUN(one_member, float4, float),
        RUN(two_members, float4, float), RUN(two_far_members, float4, float),
        RUN(three_members, float4, float), RUN(members_in_pairs, four, float2),
        RUN(long_loop, float, float), RUN(kept_loop, float, float),
        RUN(block_of_registers, float, float), RUN(stored_elsewhere, float, float),
        RUN(whole_chars, chars, chars), RUN(whole_aligned_chars, aligned_chars, aligned_chars),
        RUN(whole_four_ints, four_ints, four_ints), RUN(whole_five_ints, five_ints, five_ints),
        RUN(whole_six_ints, six_ints, six_ints), RUN(whole_mixed_sizes, mixed_sizes, mixed_sizes),
        RUN(whole_packed, packed, packed), RUN(row_of_32, float, float),
        RUN(store_either, float, float), RUN(store_chosen, float, float);
    return cudaDeviceSynchronize() != cudaSuccess;
}
