/* Whole programs in different styles, each with one fault: known algorithms. */
#include "../order/order.h"
#include <cudaTypedefs.h>
#include <vector>
#include <stdlib.h>

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
#undef BM
#undef BK
#undef TM

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
