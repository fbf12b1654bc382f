/* Threads together: cooperative groups, pipelines, inline PTX, matrix instructions. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>
#include <cudaTypedefs.h>
#include <stdint.h>
#include <mma.h>
#include "constructs.h"

/* ---- groups ---- */

/* Cooperative groups: partitions of every kind, tiles of several warps, reductions, scans, copies. */
namespace groups_
{
namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group g, int *scratch, int v)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        scratch[lane] = v;
        g.sync();
        if (lane < i)
            v += scratch[lane + i];
        g.sync();
    }
    return v;
}

__global__ void any_group(int *out)
{
    __shared__ int scratch[64];
    auto block = cg::this_thread_block();
    int all = sum_of(block, scratch, threadIdx.x);
    cg::thread_group eight = cg::tiled_partition(block, 8);
    int some = sum_of(eight, scratch + threadIdx.x / 8 * 8, threadIdx.x);
    if (threadIdx.x == 0)
        out[64] = all;
    if (eight.thread_rank() == 0)
        out[threadIdx.x] = some;
}

__global__ void tiles(int *out)
{
    __shared__ cg::block_tile_memory<128> memory;
    int i = threadIdx.x;
    auto block = cg::this_thread_block(memory);
    auto two_warps = cg::tiled_partition<64>(block);
    auto sixteen = cg::tiled_partition<16>(block);
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[i] = cg::reduce(two_warps, i, cg::plus<int>());
    out[128 + i] = cg::inclusive_scan(sixteen, 2) * 100 + cg::exclusive_scan(sixteen, 1);
    out[256 + i] = cg::reduce(sixteen, i, cg::greater<int>()) +
                   1000 * (two_warps.any(i == 70) + two_warps.all(i < 64)) +
                   10000 * (int)sixteen.meta_group_rank();
    auto by_parity = cg::binary_partition(warp, i & 1);
    auto by_thirds = cg::labeled_partition(warp, i % 3);
    out[384 + i] =
        by_parity.shfl(i, 1) * 100 + by_thirds.size() * 10000 + by_thirds.thread_rank() * 1000000;
    two_warps.sync();
    if (i % 4 == 1) {
        auto here = cg::coalesced_threads();
        out[512 + i] = cg::reduce(here, 1, cg::plus<int>()) * 100 + here.shfl_down(i, 1) +
                       here.ballot(i > 16) * 10000;
    }
}

__global__ void copies(const int *in, int *out, int n)
{
    extern __shared__ int tile[];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::memcpy_async(block, tile, in, sizeof(int) * n);
    cg::wait(block);
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
    block.sync();
    int *own = tile + warp.meta_group_rank() * 32;
    cg::memcpy_async(warp, own, 32, in + 32 * warp.meta_group_rank() + 1, 31);
    cg::wait_prior<0>(warp);
    out[n + threadIdx.x] = own[warp.thread_rank() % 31];
}

CONSTRUCT(groups)
{
    int in[64], *d;
    any_group<<<1, 64>>>(fresh());
    fetch();
    expect("a block as a group", host[64], 2016);
    expect("a tile as a group", host[8], 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15);
    tiles<<<1, 128>>>(fresh());
    fetch();
    expect("reduce, two warps", host[5], 2016);
    expect("reduce, the other two", host[127], 2016 + 64 * 64);
    expect("scans", host[128 + 18], 3 * 200 + 2);
    expect("largest, any, all", host[256 + 37], 47 + 1000 + 20000);
    expect("any in two warps", host[256 + 64], 79 + 1000 + 40000);
    expect("partitions", host[384 + 31], 3 * 100 + 10 * 1000000 + 11 * 10000);
    expect("coalesced", host[512 + 5], 800 + 9 + 0xf0 * 10000);
    for (int i = 0; i < 64; i++)
        in[i] = i * i;
    cudaMalloc(&d, sizeof in);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    copies<<<1, 64, sizeof in>>>(d, fresh(), 64);
    fetch();
    expect("a block's copy", host[60], 9);
    expect("a warp's copy", host[64 + 33], 34 * 34);
}
} // namespace groups_

/* ---- pipelines ---- */

/* cuda::pipeline of a block: producers and consumers, and all threads as both; copies at a barrier. */
namespace pipelines_
{
namespace cg = cooperative_groups;

enum { STAGES = 2, TILES = 7, N = 64 };

/* 32 threads fetch tiles, 64 others add them up. */
__global__ void roles(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ int tile[STAGES][N];
    auto block = cg::this_thread_block();
    bool fetches = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int t = 0; t < TILES; t++) {
        if (fetches) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < N; i += 32)
                cuda::memcpy_async(&tile[t % STAGES][i], &in[t * N + i], cuda::aligned_size_t<4>(4),
                                   pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += tile[t % STAGES][N - 1 - (threadIdx.x - 32)];
            pipe.consumer_release();
        }
    }
    if (!fetches)
        out[threadIdx.x - 32] = sum;
}

__global__ void both(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ int tile[STAGES][N];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int t = 0; t < TILES + 1; t++) {
        if (t < TILES) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[t % STAGES], in + t * N, sizeof tile[0], pipe);
            pipe.producer_commit();
        }
        if (t) {
            pipe.consumer_wait();
            sum += tile[(t - 1) % STAGES][N - 1 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}

__global__ void at_barrier(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ __align__(16) int tile[N];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x % 4 == 0)
        cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int2), bar);
    if (threadIdx.x % 4 == 2)
        cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, cuda::aligned_size_t<8>(8), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}

CONSTRUCT(pipelines)
{
    int in[TILES * N], *d;
    for (int i = 0; i < TILES * N; i++)
        in[i] = i;
    cudaMalloc(&d, sizeof in);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    int wanted = 21 * N + 7 * (N - 1 - 5);
    roles<<<1, 96>>>(d, fresh());
    fetch();
    expect("producers and consumers", host[5], wanted);
    both<<<1, N>>>(d, fresh());
    fetch();
    expect("all threads", host[5], wanted);
    at_barrier<<<1, N>>>(d, fresh());
    fetch();
    expect("copies at a barrier", host[1], N - 2);
}
} // namespace pipelines_

/* ---- inline ptx ---- */

/* Inline PTX in its spellings: asm, __asm__, volatile and __volatile__; operands of every kind. */
namespace inline_ptx_
{
__device__ __forceinline__ unsigned lane()
{
    unsigned r;
    asm __volatile__("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__global__ void spellings(int *out)
{
    unsigned a, b;
    asm("mov.u32 %0, %%tid.x;" : "=r"(a));
    __asm__ __volatile__("add.u32 %0, %1, %2;\n\tmul.lo.u32 %0, %0, %3;"
                         : "=r"(b)
                         : "r"(a), "r"(1), "n"(10)
                         : "memory");
    asm volatile("" ::: "memory");
    out[threadIdx.x] = b + lane();
}

__global__ void kinds(int *out, const float *in)
{
    float f, x, y;
    double d;
    uint16_t h = 3;
    uint64_t l = 1;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(1.5f), "f"(2.0f), "f"(0.25f));
    asm("add.f64 %0, %1, 0d3FF0000000000000;" : "=d"(d) : "d"(0.5));
    asm("shl.b64 %0, %0, 40;" : "+l"(l));
    asm("add.u16 %0, %0, %1;" : "+h"(h) : "h"((uint16_t)0xffff));
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2+8];" : "=f"(x), "=f"(y) : "l"(in));
    int r = f == 3.25f && d == 1.5 && l == 1ull << 40 && h == 2 && x == 2 && y == 3;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 ".reg .b32 t, v<3>;\n\t"
                 "mov.b32 t, %1; // a comment\n\t"
                 "setp.gt.s32 p, t, -5;\n\t"
                 "@p add.s32 t, t, 100;\n\t"
                 "@!p add.s32 t, t, 1;\n\t"
                 "mov.u32 v1, t;\n\t"
                 "selp.b32 %0, v1, 0, p;\n\t"
                 "}"
                 : "=r"(out[threadIdx.x])
                 : "r"((int)threadIdx.x - 10));
    if (!r)
        out[threadIdx.x] = -1;
}

__global__ void loops_and_bits(int *out)
{
    unsigned sum, packed, byte, low, dot;
    int products, halves;
    uint64_t pair;
    asm volatile("{\n\t"
                 ".reg .u32 i;\n\t.reg .pred again;\n\t"
                 "mov.u32 %0, 0;\n\tmov.u32 i, 0;\n"
                 "next:\n\t"
                 "add.u32 %0, %0, i;\n\tadd.u32 i, i, 1;\n\t"
                 "setp.le.u32 again, i, %1;\n\t"
                 "@again bra next;\n\t}"
                 : "=&r"(sum)
                 : "r"(threadIdx.x));
    asm("mov.b64 %0, {%1, %2};" : "=l"(pair) : "r"(1u), "r"(2u));
    asm("{ .reg .b32 hi; mov.b64 {%0, hi}, %1; }" : "=r"(low) : "l"(pair));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(packed) : "r"(0xaaaau), "r"(0xbbbbu));
    asm("bfe.u32 %0, %1, 8, 8;" : "=r"(byte) : "r"(0x123456u));
    unsigned a = 0x80ff0102, b = 0x7f010203;
    asm("dp4a.u32.u32 %0, %1, %2, 7;" : "=r"(dot) : "r"(a), "r"(b));
    asm("dp4a.s32.u32 %0, %1, %2, 7;" : "=r"(products) : "r"(a), "r"(b));
    asm("dp2a.hi.s32.s32 %0, %1, %2, 7;" : "=r"(halves) : "r"(a), "r"(b));
    bool dots = dot == 6 + 2 + 255 + 128 * 127 + 7 && products == 6 + 2 - 1 - 128 * 127 + 7 &&
                halves == 258 * 1 - 32513 * 127 + 7;
    out[threadIdx.x] =
        sum +
        (pair == 0x200000001ull && low == 1 && packed == 0xbbbbaaaa && byte == 0x34 && dots) * 1000;
}

__global__ void memory_and_lanes(int *out)
{
    __shared__ int s[32];
    size_t address = __cvta_generic_to_shared(&s[threadIdx.x]);
    unsigned at = (unsigned)__cvta_generic_to_shared((void *)address); /* gives itself */
    int v, w, old;
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(at), "r"(-(int)threadIdx.x) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(at ^ 4) : "memory");
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(w) : "r"(v), "r"(1));
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(out + 100) : "memory");
    asm volatile("red.global.max.s32 [%0], %1;" ::"l"(out + 101), "r"((int)threadIdx.x) : "memory");
    out[threadIdx.x] = w;
}

__global__ void votes(int *out)
{
    int lane = (int)threadIdx.x, sum, least;
    unsigned same, all, either;
    int pair = lane / 2, everywhere;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane - 5));
    asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(least) : "r"(lane - 5), "r"(-1));
    asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(either) : "r"(1 << lane), "r"(-1));
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(pair), "r"(-1));
    asm volatile("{.reg .pred p;\n match.all.sync.b32 %0|p, %2, %3;\n selp.s32 %1, 1, 0, p;}"
                 : "=r"(all), "=r"(everywhere)
                 : "r"(7), "r"(-1));
    out[lane] = sum == 496 - 160 && least == -5 && either == ~0u && same == 3u << 2 * pair &&
                all == ~0u && everywhere;
}

CONSTRUCT(inline_ptx)
{
    spellings<<<1, 32>>>(fresh());
    fetch();
    expect("spellings", host[5], 65);
    float in[4] = {0, 1, 2, 3}, *d;
    cudaMalloc(&d, sizeof in);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    kinds<<<1, 32>>>(fresh(), d);
    fetch();
    expect("predicate holds", host[6], 96);
    expect("predicate fails", host[2], 0);
    loops_and_bits<<<1, 32>>>(fresh());
    fetch();
    expect("loop and bits", host[10], 1055);
    memory_and_lanes<<<1, 32>>>(fresh());
    fetch();
    expect("memory", host[7], -7);
    expect("atomics", host[100] * 100 + host[101], 3231);
    votes<<<1, 32>>>(fresh());
    fetch();
    expect("redux and match", host[9], 1);
}
} // namespace inline_ptx_

/* ---- matrix ---- */

/* Matrix instructions of one warp, through PTX (ldmatrix, mma, stmatrix, movmatrix) and wmma; barriers with numbers; f16 arithmetic in PTX. All against plain sums of small whole numbers. */
namespace matrix_
{
using namespace nvcuda;

static half a[16 * 16], b[16 * 16]; /* a by rows, b by columns */

static float product(int i, int j, int k)
{
    float sum = 0;
    for (int l = 0; l < k; l++)
        sum += (float)a[i * 16 + l] * (float)b[j * 16 + l];
    return sum;
}

__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void by_ptx(const half *a, const half *b, float *c, half *turned)
{
    __shared__ __align__(16) half s[16 * 16], t[8 * 16], u[8 * 8];
    int l = threadIdx.x, g = l / 4, q = l % 4;
    for (int i = l; i < 256; i += 32)
        s[i] = a[i];
    for (int i = l; i < 128; i += 32)
        t[i] = b[i];
    __syncwarp();
    unsigned x[4], y[2], z;
    float d[4] = {1, 1, 1, 1};
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address(s + l % 16 * 16 + l / 16 * 8)));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(address(t + l % 8 * 16 + l / 8 % 2 * 8)));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    c[g * 8 + 2 * q] = d[0], c[g * 8 + 2 * q + 1] = d[1];
    c[(g + 8) * 8 + 2 * q] = d[2], c[(g + 8) * 8 + 2 * q + 1] = d[3];
    /* the first 8 x 8 of a, turned twice: by movmatrix, and by .trans at the store */
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(z) : "r"(x[0]));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};"
                 :
                 : "r"(address(u + l % 8 * 8)), "r"(z)
                 : "memory");
    __syncwarp();
    for (int i = l; i < 64; i += 32)
        turned[i] = u[i];
}

__global__ void small_types(const half *a, const half *b, float *tf32, float *bf16)
{
    int l = threadIdx.x, g = l / 4, q = l % 4;
    unsigned x[4], y[2];
    float d[4] = {}, e[4] = {};
    for (int i = 0; i < 4; i++) {
        float v = a[(g + i % 2 * 8) * 16 + q + i / 2 * 4];
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x[i]) : "f"(v));
    }
    for (int i = 0; i < 2; i++)
        y[i] = __float_as_uint(b[g * 16 + q + i * 4]);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(0.0f),
                   "f"(0.0f), "f"(0.0f), "f"(0.0f));
    for (int i = 0; i < 2; i++) {
        const half *p = a + (g + i * 8) * 16 + 2 * q, *r = b + g * 16 + 2 * q;
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(x[i]) : "f"((float)p[1]), "f"((float)p[0]));
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y[0]) : "f"((float)r[1]), "f"((float)r[0]));
    }
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
                 : "r"(x[0]), "r"(x[1]), "r"(y[0]));
    for (int i = 0; i < 4; i++) {
        tf32[(g + i / 2 * 8) * 8 + 2 * q + i % 2] = d[i];
        bf16[(g + i / 2 * 8) * 8 + 2 * q + i % 2] = e[i];
    }
}

__host__ __device__ int digit(int outer, int k) { return (outer + 3 * k) % 5 - 2; }

/* A register of digits: of four bits, or of eight as floats, whose code of 1 is `one` and of 2 is 0x40. */
__device__ unsigned digits(int outer, int k, int bits, int one)
{
    unsigned r = 0;
    for (int e = 0; e < 32 / bits; e++) {
        int v = digit(outer, k + e);
        r |= (bits == 4 ? v & 15u : !v ? 0 : (v < 0) << 7 | (v % 2 ? one : 0x40)) << bits * e;
    }
    return r;
}

/* mma of four-bit integers, k = 64, or of eight-bit floats, k = 32. */
__global__ void narrow_types(float *c, int bits)
{
    int l = threadIdx.x, g = l / 4, q = l % 4 * (32 / bits), half_k = 128 / bits, s[4] = {};
    unsigned x[4], y[2];
    float f[4] = {};
    for (int i = 0; i < 4; i++) {
        x[i] = digits(g + i % 2 * 8, q + i / 2 * half_k, bits, 0x38);
        y[i / 2] = digits(g, q + i / 2 * half_k, bits, 0x3c);
    }
    if (bits == 4)
        asm volatile("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    else
        asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int i = 0; i < 4; i++)
        c[(g + i / 2 * 8) * 8 + l % 4 * 2 + i % 2] = s[i] + f[i];
}

__global__ void by_wmma(const half *a, const half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
    wmma::load_matrix_sync(x, a, 16);
    wmma::load_matrix_sync(y, b, 16);
    wmma::fill_fragment(z, 0.5f);
    wmma::mma_sync(z, x, y, z);
    for (int i = 0; i < z.num_elements; i++)
        z.x[i] *= 2;
    wmma::store_matrix_sync(c, z, 16, wmma::mem_col_major);
}

/* Warps 0 and 1 meet at barrier 1, 2 and 3 at barrier 2; then the first pair only arrives at 3. */
__global__ void barriers(int *out)
{
    __shared__ int v[128], w[128];
    int i = threadIdx.x, pair = i / 64;
    v[i] = i;
    asm volatile("bar.sync %0, 64;" : : "r"(pair + 1) : "memory");
    w[i] = v[i ^ 32];
    if (pair == 0)
        asm volatile("bar.arrive 3, 128;" : : : "memory");
    else
        asm volatile("barrier.sync 3, 128;" : : : "memory");
    if (pair)
        out[i] = w[i - 64] + w[i];
    else
        out[i] = v[i];
    asm volatile("bar.sync 0;" : : : "memory");
    int many;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(many)
                 : "r"(i));
    out[i] += 1000 * many;
}

__global__ void halves(unsigned *out)
{
    unsigned x = 0x3e004000, y = 0x3c003800, r; /* (2, 1.5) and (0.5, 1) */
    asm("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(r) : "r"(x), "r"(y));
    out[0] = r; /* 3, 3 */
    unsigned short h;
    asm("{ add.f16 %0, %1, %2; }"
        : "=h"(h)
        : "h"((unsigned short)0x4000), "h"((unsigned short)0x3c00));
    out[1] = h;
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    out[2] = (unsigned)f;
}

CONSTRUCT(matrix)
{
    half *p, *q, *turned, back[64];
    float *c, result[256], other[128];
    for (int i = 0; i < 256; i++)
        a[i] = (float)(i % 7 - 3), b[i] = (float)(i % 5 - 2);
    cudaMalloc(&p, sizeof a);
    cudaMalloc(&q, sizeof b);
    cudaMalloc(&c, sizeof result);
    cudaMalloc(&turned, sizeof back);
    cudaMemcpy(p, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(q, b, sizeof b, cudaMemcpyHostToDevice);
    by_ptx<<<1, 32>>>(p, q, c, turned);
    cudaMemcpy(result, c, 512, cudaMemcpyDeviceToHost);
    cudaMemcpy(back, turned, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        expect("mma, f16", (int)result[i], (int)product(i / 8, i % 8, 16) + 1);
    for (int i = 0; i < 64; i++)
        expect("movmatrix and stmatrix", (int)(float)back[i], (int)(float)a[i / 8 * 16 + i % 8]);
    small_types<<<1, 32>>>(p, q, c, c + 128);
    cudaMemcpy(result, c, 512, cudaMemcpyDeviceToHost);
    cudaMemcpy(other, c + 128, 512, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        expect("mma, tf32", (int)result[i], (int)product(i / 8, i % 8, 8));
        expect("mma, bf16", (int)other[i], (int)product(i / 8, i % 8, 8));
    }
    for (int bits = 4; bits <= 8; bits += 4) {
        narrow_types<<<1, 32>>>(c, bits);
        cudaMemcpy(result, c, 512, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 128; i++) {
            int sum = 0;
            for (int k = 0; k < 256 / bits; k++)
                sum += digit(i / 8, k) * digit(i % 8, k);
            expect(bits == 4 ? "mma, s4" : "mma, e4m3 and e5m2", (int)result[i], sum);
        }
    }
    by_wmma<<<1, 32>>>(p, q, c);
    cudaMemcpy(result, c, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        expect("wmma", (int)result[i % 16 * 16 + i / 16], 2 * (int)product(i / 16, i % 16, 16) + 1);
    int *out = fresh();
    barriers<<<1, 128>>>(out);
    fetch();
    expect("barriers, arriving", host[3], 5003);
    expect("barriers, waiting", host[70], 5000 + (6 + 32) + (70 + 32));
    halves<<<1, 1>>>((unsigned *)fresh());
    fetch();
    expect("fma.f16x2", host[0], 0x42004200);
    expect("add.f16", host[1], 0x4200);
    expect("cvt.f32.f16", host[2], 3);
}
} // namespace matrix_

/* Atomics that are volatile, and their assignments; names that headers such as CUTLASS's mention alone. */
namespace volatile_atomics_
{
__device__ volatile cuda::atomic<int> sum;
__device__ cuda::std::atomic<int> last;

__global__ void add(volatile cuda::std::atomic<int> *count, int *out)
{
    (*count)++;
    sum.fetch_add(2);
    last = 5;
    __syncthreads();
    *out = count->load() + sum + last;
}

/* Never called: elements below 8 bits are no more than names. */
__global__ void binary(int *out)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> a;
    fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> b;
    fragment<accumulator, 8, 8, 128, int> c;
    bmma_sync(c, a, b, c, experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOpPOPC);
    *out = c.x[0];
}

CONSTRUCT(volatile_atomics)
{
    CUlaunchAttribute cluster = {CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    PFN_cuTensorMapEncodeIm2col none = nullptr;
    EXPECT(sizeof cluster == 72 && !none);
    int *p = fresh();
    add<<<1, 32>>>((volatile cuda::std::atomic<int> *)p, p + 1);
    fetch();
    expect("volatile atomics", host[1], 32 + 64 + 5);
}
} // namespace volatile_atomics_
