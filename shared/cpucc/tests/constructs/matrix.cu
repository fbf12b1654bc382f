/*
 * Matrix instructions of one warp, through PTX (ldmatrix, mma, stmatrix, movmatrix) and wmma; barriers
 * with numbers; f16 arithmetic in PTX. All against plain sums of small whole numbers.
 */
#include "constructs.h"
#include <mma.h>
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

int main()
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
    return failures != 0;
}
