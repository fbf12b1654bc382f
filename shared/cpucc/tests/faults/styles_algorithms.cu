/* Whole programs in different styles, each with one fault: known algorithms. */
#include "../order/order.h"
#include <cmath>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <vector>
#include <stdlib.h>

/* Compaction writes `count` items, the next kernel reads all n. */
namespace gap_in_output_program
{
__global__ void compact(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[atomicAdd(count, 1)] = in[i];
}
__global__ void square(int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = v[i] * v[i]; /* FAULT: uninitialised */
}
static int run()
{
    const int n = 512;
    int h[n], *a, *b, *c;
    for (int i = 0; i < n; i++)
        h[i] = i % 3 - 1;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&c, sizeof(int));
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(c, 0, sizeof(int));
    compact<<<4, 128>>>(a, b, c, n);
    square<<<4, 128>>>(b, n);
    int k;
    cudaMemcpy(&k, c, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, b, k * 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", k, h[0]);
    return 0;
}
} // namespace gap_in_output_program
PROGRAM(gap_in_output)

/* One arena, three arrays; somebody frees the second by itself. */
namespace interior_free_program
{
struct Arena {
    char *base;
    size_t used;
};
static void *take(Arena *a, size_t bytes)
{
    void *p = a->base + a->used;
    a->used += (bytes + 255) / 256 * 256;
    return p;
}
__global__ void axpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}
static int run()
{
    Arena a = {nullptr, 0};
    int n = 700;
    cudaMalloc(&a.base, 1 << 16);
    cudaMemset(a.base, 0, 1 << 16);
    float *x = (float *)take(&a, n * 4), *y = (float *)take(&a, n * 4);
    axpy<<<6, 128>>>(2.f, x, y, n);
    cudaDeviceSynchronize();
    cudaFree(y); /* FAULT: bad_free */
    cudaFree(a.base);
    return 0;
}
} // namespace interior_free_program
PROGRAM(interior_free)

/* One pass of an LSD radix sort: per-block digit counts, digit-major. */
namespace radix_digits_program
{
#define RADIX_BITS 4
#define RADIX (1 << RADIX_BITS)
__global__ void count_digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned c[RADIX];
    if (threadIdx.x < RADIX)
        c[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned digit = (keys[i] >> shift) & (RADIX - 1);
        atomicAdd(&c[digit], 1);
    }
    __syncthreads();
    if (threadIdx.x < RADIX)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x]; /* FAULT: out_of_bounds */
}
__global__ void exclusive_scan(unsigned *c, int n)
{
    if (threadIdx.x)
        return;
    unsigned s = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = c[i]; /* FAULT: uninitialised */
        c[i] = s;
        s += v;
    }
}
static int run()
{
    const int n = 1500, threads = 128;
    int blocks = (n + threads - 1) / threads;
    std::vector<unsigned> h(n);
    for (int i = 0; i < n; i++)
        h[i] = i * 2654435761u;
    unsigned *k, *c;
    cudaMalloc(&k, n * 4);
    cudaMalloc(&c, RADIX * (n / threads) * sizeof(unsigned));
    cudaMemcpy(k, h.data(), n * 4, cudaMemcpyHostToDevice);
    for (int shift = 0; shift < 8; shift += RADIX_BITS) {
        count_digits<<<blocks, threads>>>(k, c, n, shift);
        exclusive_scan<<<1, 32>>>(c, RADIX * (n / threads));
    }
    cudaDeviceSynchronize();
    cudaFree(k);
    cudaFree(c);
    return 0;
}
} // namespace radix_digits_program
#undef RADIX_BITS
#undef RADIX
PROGRAM(radix_digits)

/* Every thread of a block writes its part, thread 0 raises the flag; the next block goes on
 * from there. */
namespace publish_without_barrier_program
{
__global__ void chain(int *rows, int cols, int *ready)
{
    int b = blockIdx.x, t = threadIdx.x;
    if (b > 0) {
        if (t == 0) {
            while (atomicAdd(&ready[b - 1], 0) == 0) {
            }
            __threadfence();
        }
        __syncthreads();
    }
    int prev = b > 0 ? rows[(b - 1) * cols + t] : 0; /* FAULT: race_read_after_write */
    rows[b * cols + t] = prev + t + 1;
    __threadfence();
    if (t == 0)
        atomicExch(&ready[b], 1);
}
static int run()
{
    const int B = 8, C = 128;
    int *r, *f, h[B * C];
    cudaMalloc(&r, sizeof h);
    cudaMalloc(&f, B * 4);
    cudaMemset(r, 0, sizeof h);
    cudaMemset(f, 0, B * 4);
    chain<<<B, C>>>(r, C, f);
    cudaMemcpy(h, r, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[7 * C]);
    return 0;
}
} // namespace publish_without_barrier_program
PROGRAM(publish_without_barrier)

/* Decoupled look-back: aggregate and status in separate words. */
namespace lookback_program
{
enum { EMPTY = 0, AGG = 1, PREFIX = 2 };
struct Tile {
    int agg, prefix;
    int status;
    int pad;
};
__device__ int ticket;
__global__ void scan(const int *in, int *out, int n, Tile *tiles)
{
    __shared__ int s[128], my, base;
    int t = threadIdx.x;
    if (t == 0)
        my = atomicAdd(&ticket, 1);
    __syncthreads();
    int b = my, i = b * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int o = 1; o < 128; o <<= 1) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 0) {
        int total = s[127], sum = 0;
        tiles[b].agg = total;
        __threadfence();
        if (b)
            atomicExch(&tiles[b].status, AGG);
        for (int p = b - 1; p >= 0;) {
            int st = atomicAdd(&tiles[p].status, 0);
            if (st == EMPTY)
                continue;
            __threadfence();
            if (st == PREFIX) {
                /* FAULT: race_read_after_write */
                sum += tiles[p].prefix;
                break;
            }
            sum += tiles[p].agg;
            p--;
        }
        tiles[b].prefix = sum + total;
        atomicExch(&tiles[b].status, PREFIX);
        base = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = base + s[t];
}
static int run()
{
    int n = 1280;
    std::vector<int> h(n, 1);
    int *a, *b;
    Tile *ti;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMalloc(&ti, 10 * sizeof(Tile));
    cudaMemset(ti, 0, 10 * sizeof(Tile));
    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    scan<<<10, 128>>>(a, b, n, ti);
    cudaMemcpy(h.data(), b, n * 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h[n - 1]);
    return 0;
}
} // namespace lookback_program
PROGRAM(lookback)

namespace frontier_tail_program
{
__global__ void expand(const int *row, const int *col, const int *frontier, int size, int *next,
                       int *tail, int *seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size)
        return;
    int v = frontier[i];
    for (int e = row[v]; e < row[v + 1]; e++) {
        int u = col[e];
        if (atomicExch(&seen[u], 1) == 0) {
            int pos = *tail; /* FAULT: race_read_after_write */
            *tail = pos + 1; /* FAULT: race_write_after_read, race_write_after_write */
            next[pos] = u;   /* FAULT: race_write_after_write */
        }
    }
}
static int run()
{
    const int n = 64;
    std::vector<int> row(n + 1), col;
    for (int v = 0; v < n; v++) {
        row[v] = (int)col.size();
        col.push_back((2 * v + 1) % n);
        col.push_back((2 * v + 2) % n);
    }
    row[n] = (int)col.size();
    int *r, *c, *f[2], *t, *s;
    int one = 1, zero = 0, size = 1;
    cudaMalloc(&r, (n + 1) * 4);
    cudaMalloc(&c, col.size() * 4);
    cudaMalloc(&f[0], n * 4);
    cudaMalloc(&f[1], n * 4);
    cudaMalloc(&t, 4);
    cudaMalloc(&s, n * 4);
    cudaMemcpy(r, row.data(), (n + 1) * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(c, col.data(), col.size() * 4, cudaMemcpyHostToDevice);
    cudaMemset(s, 0, n * 4);
    cudaMemcpy(s, &one, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(f[0], &zero, 4, cudaMemcpyHostToDevice);
    for (int k = 0; size && k < 10; k++) {
        cudaMemset(t, 0, 4);
        expand<<<(size + 63) / 64, 64>>>(r, c, f[k & 1], size, f[~k & 1], t, s);
        cudaMemcpy(&size, t, 4, cudaMemcpyDeviceToHost);
    }
    printf("ok\n");
    return 0;
}
} // namespace frontier_tail_program
PROGRAM(frontier_tail)

/* Register-tiled SGEMM, shared double buffer; the next tile is stored where it is still read. */
namespace double_buffer_program
{
#define BM 32
#define BK 8
#define TM 4
__global__ void __launch_bounds__(64) sgemm(const float *A, const float *B, float *C, int n)
{
    __shared__ float As[2][BK][BM], Bs[2][BK][BM];
    int t = threadIdx.x, tr = t / 8 * TM, tc = t % 8 * TM;
    int ar = t / 2, ac = t % 2 * 4, br = t / 8, bc = t % 8 * 4;
    const float *a = A + (blockIdx.y * BM + ar) * n + ac, *b = B + br * n + blockIdx.x * BM + bc;
    float acc[TM][TM] = {};
    for (int j = 0; j < 4; j++)
        As[0][ac + j][ar] = a[j];
    *(float4 *)&Bs[0][br][bc] = *(const float4 *)b;
    __syncthreads();
    int cur = 0;
    for (int k = BK; k <= n; k += BK) {
        float4 na, nb;
        if (k < n) {
            na = *(const float4 *)(a + k);
            nb = *(const float4 *)(b + k * n);
        }
        for (int kk = 0; kk < BK; kk++)
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TM; j++)
                    acc[i][j] += As[cur][kk][tr + i] *
                                 Bs[cur][kk][tc + j]; /* FAULT: race_read_after_write */
        if (k < n) {
            As[cur][ac][ar] = na.x;           /* FAULT: race_write_after_read */
            As[cur][ac + 1][ar] = na.y;       /* FAULT: race_write_after_read */
            As[cur][ac + 2][ar] = na.z;       /* FAULT: race_write_after_read */
            As[cur][ac + 3][ar] = na.w;       /* FAULT: race_write_after_read */
            *(float4 *)&Bs[cur][br][bc] = nb; /* FAULT: race_write_after_read */
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TM; j++)
            C[(blockIdx.y * BM + tr + i) * n + blockIdx.x * BM + tc + j] = acc[i][j];
}
static int run()
{
    int n = 64;
    std::vector<float> h(n * n, 1.f);
    float *a, *b, *c;
    size_t s = n * n * 4;
    cudaMalloc(&a, s);
    cudaMalloc(&b, s);
    cudaMalloc(&c, s);
    cudaMemcpy(a, h.data(), s, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), s, cudaMemcpyHostToDevice);
    sgemm<<<dim3(2, 2), 64>>>(a, b, c, n);
    cudaMemcpy(h.data(), c, s, cudaMemcpyDeviceToHost);
    printf("%g\n", h[5]);
    return 0;
}
} // namespace double_buffer_program
#undef BM
#undef BK
#undef TM
PROGRAM(double_buffer)

/* Production style: BlockReduce struct with temp storage reused in a loop without a barrier. */
namespace block_reduce_broadcast_program
{
namespace prim
{
template <typename T, int THREADS>
struct BlockReduce {
    struct TempStorage {
        T warp[THREADS / 32];
        T result;
    };
    TempStorage &ts;
    __device__ explicit BlockReduce(TempStorage &t) : ts(t) {}
    template <typename Op>
    __device__ T all(T v, Op op)
    {
        for (int o = 16; o > 0; o /= 2)
            v = op(v, __shfl_down_sync(0xffffffffu, v, o));
        if (threadIdx.x % 32 == 0)
            ts.warp[threadIdx.x / 32] = v;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < THREADS / 32; i++)
                v = op(v, ts.warp[i]);
            ts.result = v;
        }
        __syncthreads();
        return ts.result; /* FAULT: race_read_after_write */
    }
};
struct Max {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
} // namespace prim
template <int THREADS>
__global__ void rowmax(const float *x, float *y, int rows, int cols)
{
    using Reduce = prim::BlockReduce<float, THREADS>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        float row[THREADS];
    } sm;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        float v = -1e30f;
        for (int c = threadIdx.x; c < cols; c += THREADS)
            v = fmaxf(v, x[r * cols + c]);
        float m = Reduce(sm.reduce).all(v, prim::Max());
        sm.row[threadIdx.x] = v - m; /* FAULT: race_write_after_read */
        __syncthreads();
        if (threadIdx.x == 0)
            y[r] = m + sm.row[THREADS - 1] * 0;
        __syncthreads();
    }
}
static int run()
{
    int R = 6, C = 300;
    std::vector<float> h(R * C);
    for (int i = 0; i < R * C; i++)
        h[i] = (float)((i * 31) % 101);
    float *x, *y;
    cudaMalloc(&x, R * C * 4);
    cudaMalloc(&y, R * 4);
    cudaMemcpy(x, h.data(), R * C * 4, cudaMemcpyHostToDevice);
    rowmax<128><<<2, 128>>>(x, y, R, C);
    cudaMemcpy(h.data(), y, R * 4, cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
    return 0;
}
} // namespace block_reduce_broadcast_program
PROGRAM(block_reduce_broadcast)

namespace work_tile_program
{
template <int THREADS>
struct Scheduler {
    int *counter;
    int limit;
    __device__ bool next(int &tile) const
    {
        __shared__ int s_tile;
        if (threadIdx.x == 0)
            s_tile = atomicAdd(counter, 1); /* FAULT: race_write_after_read */
        __syncthreads();                    /* FAULT: barrier_divergence */
        tile = s_tile;                      /* FAULT: race_read_after_write */
        return tile < limit;
    }
};
template <int THREADS>
__global__ void __launch_bounds__(THREADS) gelu(const float *x, float *y, Scheduler<THREADS> sched)
{
    int tile;
    while (sched.next(tile)) {
        float v = x[tile * THREADS + threadIdx.x];
        y[tile * THREADS + threadIdx.x] =
            0.5f * v * (1.f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    }
}
static int run()
{
    const int tiles = 9;
    float *x, *y;
    int *c;
    cudaMalloc(&x, tiles * 128 * 4);
    cudaMalloc(&y, tiles * 128 * 4);
    cudaMalloc(&c, 4);
    cudaMemset(x, 0, tiles * 128 * 4);
    cudaMemset(c, 0, 4);
    gelu<128><<<2, 128>>>(x, y, Scheduler<128>{c, tiles});
    cudaError_t e = cudaDeviceSynchronize();
    return e != cudaSuccess;
}
} // namespace work_tile_program
PROGRAM(work_tile)

namespace unlock_plain_program
{
struct Mutex {
    unsigned state;
    __device__ void lock()
    {
        while (atomicCAS(&state, 0u, 1u) != 0u) { /* FAULT: race_write_after_write */
        }
        __threadfence();
    }
    __device__ void unlock()
    {
        __threadfence();
        state = 0; /* FAULT: race_write_after_write */
    }
};
__device__ Mutex m;
__device__ long long total;
__global__ void add(int n)
{
    if (threadIdx.x == 0) {
        long long s = 0;
        for (int i = 0; i < n; i++)
            s += i * blockIdx.x;
        m.lock();
        /* FAULT: race_read_after_write, race_write_after_write */
        total += s;
        m.unlock();
    }
}
static int run()
{
    add<<<12, 32>>>(10);
    long long t;
    cudaMemcpyFromSymbol(&t, total, 8);
    printf("%lld\n", t);
    return 0;
}
} // namespace unlock_plain_program
PROGRAM(unlock_plain)

namespace fence_after_flag_program
{
struct Stage {
    volatile int ready;
    int data[64];
};
__global__ void relay(Stage *st, int stages)
{
    int b = blockIdx.x, t = threadIdx.x;
    if (b > 0) {
        if (t == 0) {
            while (!st[b - 1].ready) {
            }
        }
        __syncthreads();
        __threadfence();
    }
    int v = b ? st[b - 1].data[63 - t] : t; /* FAULT: race_read_after_write */
    st[b].data[t] = v * 2 + 1;
    __syncthreads();
    if (t == 0) {
        st[b].ready = 1;
        __threadfence();
    }
}
static int run()
{
    Stage *s;
    cudaMalloc(&s, 5 * sizeof(Stage));
    cudaMemset(s, 0, 5 * sizeof(Stage));
    relay<<<5, 64>>>(s, 5);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace fence_after_flag_program
PROGRAM(fence_after_flag)

namespace syncwarp_mask_program
{
__global__ void pairs(const int *in, int *out)
{
    __shared__ int s[32];
    int l = threadIdx.x;
    s[l] = in[l];
    unsigned mask = 0x0000ffffu;
    __syncwarp(mask); /* FAULT: lane_mask, endless_wait */
    out[l] = s[l ^ 1];
}
static int run()
{
    int h[32], *a, *b;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMemcpy(a, h, 128, cudaMemcpyHostToDevice);
    pairs<<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace syncwarp_mask_program
PROGRAM(syncwarp_mask)

namespace lower_bound_program
{
template <class T>
__device__ int lower_bound(const T *a, int n, T key)
{
    int lo = 0, hi = n;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        /* FAULT: out_of_bounds */
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return lo;
}
__global__ void rank_all(const float *a, int n, const float *q, int *r, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        r[i] = lower_bound(a, n, q[i]);
}
static int run()
{
    int n = 100, m = 50;
    std::vector<float> h(n), q(m);
    for (int i = 0; i < n; i++)
        h[i] = i;
    for (int i = 0; i < m; i++)
        q[i] = i * 3;
    float *a, *b;
    int *r;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, m * 4);
    cudaMalloc(&r, m * 4);
    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(b, q.data(), m * 4, cudaMemcpyHostToDevice);
    rank_all<<<1, 64>>>(a, n, b, r, m);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace lower_bound_program
PROGRAM(lower_bound)

namespace cholesky_program
{
template <int N>
__global__ void cholesky(float *A)
{
    __shared__ float s[N][N + 1];
    int t = threadIdx.x;
    A += blockIdx.x * N * N;
    for (int i = t; i < N * N; i += blockDim.x)
        s[i / N][i % N] = A[i];
    __syncthreads();
    for (int k = 0; k < N; k++) {
        if (t == 0)
            s[k][k] = sqrtf(s[k][k]);
        __syncthreads();
        if (t > k && t < N)
            s[t][k] /= s[k][k];
        for (int j = k + 1; j <= t && t < N; j++)
            s[t][j] -= s[t][k] * s[j][k]; /* FAULT: race_read_after_write */
        __syncthreads();
    }
    for (int i = t; i < N * N; i += blockDim.x)
        A[i] = i % N <= i / N ? s[i / N][i % N] : 0;
}
static int run()
{
    const int N = 24;
    std::vector<float> h(2 * N * N);
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < N * N; i++)
            h[b * N * N + i] = i / N == i % N ? N : 1;
    float *a;
    cudaMalloc(&a, h.size() * 4);
    cudaMemcpy(a, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
    cholesky<N><<<2, 64>>>(a);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace cholesky_program
PROGRAM(cholesky)

namespace fft_exchange_program
{
struct cplx {
    float re, im;
};
__device__ cplx add(cplx a, cplx b) { return {a.re + b.re, a.im + b.im}; }
__device__ cplx sub(cplx a, cplx b) { return {a.re - b.re, a.im - b.im}; }
__device__ cplx mul(cplx a, cplx b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__global__ void fft(cplx *g, int logn)
{
    extern __shared__ cplx s[];
    int n = 1 << logn, t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        s[__brev(i) >> (32 - logn)] = g[i];
    __syncthreads();
    for (int st = 1; st <= logn; st++) {
        int m = 1 << st, h = m / 2;
        int k = t % h, b = t / h * m;
        cplx w;
        sincosf(-2 * 3.14159265f * k / m, &w.im, &w.re);
        cplx u = s[b + k], v = mul(w, s[b + k + h]); /* FAULT: race_read_after_write */
        s[b + k] = add(u, v);                        /* FAULT: race_write_after_write */
        s[b + k + h] = sub(u, v);                    /* FAULT: race_write_after_write */
        if (m >= 64)
            __syncthreads();
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x)
        g[i] = s[i];
}
static int run()
{
    cplx h[256], *d;
    for (int i = 0; i < 256; i++)
        h[i] = {(float)(i % 3), 0};
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    fft<<<1, 128, sizeof h>>>(d, 8);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace fft_exchange_program
PROGRAM(fft_exchange)

namespace virtual_from_host_program
{
struct Op {
    __host__ __device__ virtual float apply(float x) const { return x; }
};
struct Twice : Op {
    __host__ __device__ float apply(float x) const override { return 2 * x; }
};
__global__ void map(const Op *op, float *v, int n)
{
    int i = threadIdx.x;
    if (i < n)
        v[i] = op->apply(v[i]); /* FAULT: out_of_bounds */
}
static int run()
{
    Twice h;
    Twice *d;
    float *v;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    cudaMalloc(&v, 128);
    cudaMemset(v, 0, 128);
    map<<<1, 32>>>(d, v, 32);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace virtual_from_host_program
PROGRAM(virtual_from_host)

namespace nonblocking_vs_default_program
{
__global__ void init(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = i;
}
__global__ void use(const int *p, int *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        q[i] = p[n - 1 - i]; /* FAULT: race_read_after_write */
}
static int run()
{
    int n = 500, *p, *q;
    cudaMalloc(&p, n * 4);
    cudaMalloc(&q, n * 4);
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    init<<<4, 128>>>(p, n);
    use<<<4, 128, 0, s>>>(p, q, n);
    cudaDeviceSynchronize();
    cudaStreamDestroy(s);
    cudaFree(p);
    cudaFree(q);
    return 0;
}
} // namespace nonblocking_vs_default_program
PROGRAM(nonblocking_vs_default)

/* Small flash attention: K and V share one buffer, V is loaded while others still use K. */
namespace attention_smem_program
{
template <int D, int BR, int BC>
__global__ void attn(const float *Q, const float *K, const float *V, float *O, int n)
{
    __shared__ float kv[BC][D], p[BR][BC];
    int r = threadIdx.x, row = blockIdx.x * BR + r;
    float q[D], o[D], m = -1e30f, l = 0;
    for (int d = 0; d < D; d++)
        q[d] = Q[row * D + d], o[d] = 0;
    for (int j = 0; j < n; j += BC) {
        __syncthreads();
        for (int i = threadIdx.x; i < BC * D; i += BR)
            kv[i / D][i % D] = K[j * D + i];
        __syncthreads();
        float mx = m;
        for (int c = 0; c < BC; c++) {
            float s = 0;
            for (int d = 0; d < D; d++)
                s += q[d] * kv[c][d]; /* FAULT: race_read_after_write */
            p[r][c] = s;
            mx = fmaxf(mx, s);
        }
        float f = __expf(m - mx), sum = 0;
        for (int c = 0; c < BC; c++) {
            p[r][c] = __expf(p[r][c] - mx);
            sum += p[r][c];
        }
        l = l * f + sum;
        m = mx;
        for (int i = threadIdx.x; i < BC * D; i += BR)
            /* FAULT: race_write_after_read */
            kv[i / D][i % D] = V[j * D + i];
        __syncthreads();
        for (int d = 0; d < D; d++) {
            float a = 0;
            for (int c = 0; c < BC; c++)
                a += p[r][c] * kv[c][d];
            o[d] = o[d] * f + a;
        }
    }
    for (int d = 0; d < D; d++)
        O[row * D + d] = o[d] / l;
}
static int run()
{
    const int n = 128, D = 8;
    std::vector<float> h(n * D, .1f);
    float *q, *o;
    cudaMalloc(&q, n * D * 4);
    cudaMalloc(&o, n * D * 4);
    cudaMemcpy(q, h.data(), n * D * 4, cudaMemcpyHostToDevice);
    attn<D, 64, 32><<<2, 64>>>(q, q, q, o, n);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace attention_smem_program
PROGRAM(attention_smem)
