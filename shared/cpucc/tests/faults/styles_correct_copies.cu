/* Whole programs that look dangerous and are correct: copies, clusters, known algorithms. */
#include "../order/order.h"
#include <algorithm>
#include <cstdint>
#include <cuda.h>
#include <cuda/barrier>
#include <cudaTypedefs.h>
#include <vector>
#include <stdlib.h>

namespace lookback_acqrel_program
{
struct Desc {
    int agg, incl;
    cuda::atomic<int, cuda::thread_scope_device> flag;
};
__global__ void exclusive(const int *in, int *out, Desc *d)
{
    __shared__ int s[64];
    __shared__ int carry;
    int t = threadIdx.x, b = blockIdx.x, v = in[b * 64 + t];
    s[t] = v;
    __syncthreads();
    for (int o = 1; o < 64; o <<= 1) {
        int a = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += a;
        __syncthreads();
    }
    if (t == 63) {
        int sum = 0;
        if (b) {
            d[b].agg = s[63];
            d[b].flag.store(1, cuda::memory_order_release);
        }
        for (int p = b - 1; p >= 0; p--) {
            int f;
            while ((f = d[p].flag.load(cuda::memory_order_acquire)) == 0) {
            }
            if (f == 2) {
                sum += d[p].incl;
                break;
            }
            sum += d[p].agg;
        }
        d[b].incl = sum + s[63];
        d[b].flag.store(2, cuda::memory_order_release);
        carry = sum;
    }
    __syncthreads();
    out[b * 64 + t] = carry + s[t] - v;
}
static int run()
{
    std::vector<int> h(640, 1);
    int *a, *o;
    Desc *d;
    cudaMalloc(&a, 2560);
    cudaMalloc(&o, 2560);
    cudaMalloc(&d, 10 * sizeof(Desc));
    cudaMemset(d, 0, 10 * sizeof(Desc));
    cudaMemcpy(a, h.data(), 2560, cudaMemcpyHostToDevice);
    exclusive<<<10, 64>>>(a, o, d);
    cudaMemcpy(h.data(), o, 2560, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 640; i++)
        if (h[i] != i)
            return 1;
    return 0;
}
} // namespace lookback_acqrel_program
PROGRAM(lookback_acqrel)

namespace ptx_release_acquire_program
{
__device__ void st_rel(int *p, int v)
{
    asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ int ld_acq(const int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__global__ void wavefront(float *m, int n, int *done)
{
    int r = blockIdx.x;
    for (int c0 = 0; c0 < n; c0 += 32) {
        if (r > 0) {
            if (threadIdx.x == 0)
                while (ld_acq(&done[r - 1]) < c0 + 32) {
                }
            __syncthreads();
        }
        int c = c0 + threadIdx.x;
        m[r * n + c] = 1 + (r ? m[(r - 1) * n + c] : 0);
        __syncthreads();
        if (threadIdx.x == 0)
            st_rel(&done[r], c0 + 32);
    }
}
static int run()
{
    const int n = 128, R = 6;
    float *m, h[R * n];
    int *d;
    cudaMalloc(&m, sizeof h);
    cudaMalloc(&d, R * 4);
    cudaMemset(d, 0, R * 4);
    wavefront<<<R, 32>>>(m, n, d);
    cudaMemcpy(h, m, sizeof h, cudaMemcpyDeviceToHost);
    return h[R * n - 1] != R;
}
} // namespace ptx_release_acquire_program
PROGRAM(ptx_release_acquire)

namespace red_release_program
{
__global__ void split_k(const float *a, float *partial, float *out, int *sem, int k)
{
    int t = threadIdx.x, z = blockIdx.x;
    float s = 0;
    for (int i = z; i < k; i += gridDim.x)
        s += a[i * 64 + t];
    partial[z * 64 + t] = s;
    __syncthreads();
    if (t == 0)
        asm volatile("fence.acq_rel.gpu;\n\tred.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(sem)
                     : "memory");
    if (z == gridDim.x - 1) {
        if (t == 0) {
            int v;
            do
                asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(v) : "l"(sem) : "memory");
            while (v != (int)gridDim.x);
        }
        __syncthreads();
        float r = 0;
        for (int i = 0; i < gridDim.x; i++)
            r += partial[i * 64 + t];
        out[t] = r;
    }
}
static int run()
{
    static float h[40 * 64];
    for (float &x : h)
        x = 1;
    float *a, *p, *o;
    int *s;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&p, 4 * 256);
    cudaMalloc(&o, 256);
    cudaMalloc(&s, 4);
    cudaMemset(s, 0, 4);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    split_k<<<4, 64>>>(a, p, o, s, 40);
    cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost);
    printf("%g\n", h[9]);
    return h[9] != 40;
}
} // namespace red_release_program
PROGRAM(red_release)

namespace transpose_multi_out_program
{
constexpr int TILE_DIM = 32, BLOCK_ROWS = 8;
template <typename T>
__global__ void tr(T *__restrict__ o, const T *__restrict__ in, int w, int h)
{
    __shared__ T tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < h && y + j < w)
            o[(size_t)(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
template <typename T>
int test()
{
    int w = 70, h = 45;
    std::vector<T> v(w * h), r(w * h);
    for (int i = 0; i < w * h; i++)
        v[i] = (T)i;
    T *a, *b;
    cudaMalloc(&a, w * h * sizeof(T));
    cudaMalloc(&b, w * h * sizeof(T));
    cudaMemcpy(a, v.data(), w * h * sizeof(T), cudaMemcpyHostToDevice);
    tr<T><<<dim3(3, 2), dim3(TILE_DIM, BLOCK_ROWS)>>>(b, a, w, h);
    cudaMemcpy(r.data(), b, w * h * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (r[x * h + y] != v[y * w + x])
                return 1;
    return 0;
}
static int run() { return test<float>() + test<double>() + test<short>() + test<unsigned char>(); }
} // namespace transpose_multi_out_program
PROGRAM(transpose_multi_out)

namespace bitonic_warp_sync_program
{
__global__ void sortw(int *g)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncwarp();
    for (int k = 2; k <= 32; k <<= 1)
        for (int j = k >> 1; j; j >>= 1) {
            int p = t ^ j;
            int a = s[t], b = s[p];
            __syncwarp();
            bool up = !(t & k & 31);
            if (k == 32)
                up = true;
            s[t] = (t < p) == up ? min(a, b) : max(a, b);
            __syncwarp();
        }
    g[t] = s[t];
}
static int run()
{
    int h[128], *d;
    for (int i = 0; i < 128; i++)
        h[i] = (i * 73) & 127;
    cudaMalloc(&d, 512);
    cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice);
    sortw<<<1, 128>>>(d);
    cudaMemcpy(h, d, 512, cudaMemcpyDeviceToHost);
    for (int w = 0; w < 4; w++)
        for (int i = 1; i < 32; i++)
            if (h[w * 32 + i] < h[w * 32 + i - 1])
                return 1;
    return 0;
}
} // namespace bitonic_warp_sync_program
PROGRAM(bitonic_warp_sync)

/* Every thread takes the lock in turn, per-thread scheduling of sm_70. */
namespace warp_uniform_spin_program
{
__global__ void k(int *lock, int *v)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)v = *(volatile int *)v + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
static int run()
{
    int *p, r;
    cudaMalloc(&p, 8);
    cudaMemset(p, 0, 8);
    k<<<3, 64>>>(p, p + 1);
    cudaMemcpy(&r, p + 1, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", r);
    return r != 192;
}
} // namespace warp_uniform_spin_program
PROGRAM(warp_uniform_spin)

namespace mpmc_ring_program
{
struct Slot {
    unsigned seq;
    int val;
};
struct Ring {
    Slot s[8];
    unsigned head, tail;
};
__device__ bool push(Ring *r, int v)
{
    unsigned p = atomicAdd(&r->tail, 0);
    for (;;) {
        Slot *s = &r->s[p & 7];
        unsigned q = atomicAdd(&s->seq, 0);
        __threadfence();
        int d = (int)(q - p);
        if (d == 0) {
            unsigned o = atomicCAS(&r->tail, p, p + 1);
            if (o == p) {
                s->val = v;
                __threadfence();
                atomicExch(&s->seq, p + 1);
                return true;
            }
            p = o;
        } else if (d < 0)
            return false;
        else
            p = atomicAdd(&r->tail, 0);
    }
}
__device__ bool pop(Ring *r, int *v)
{
    unsigned p = atomicAdd(&r->head, 0);
    for (;;) {
        Slot *s = &r->s[p & 7];
        unsigned q = atomicAdd(&s->seq, 0);
        __threadfence();
        int d = (int)(q - (p + 1));
        if (d == 0) {
            unsigned o = atomicCAS(&r->head, p, p + 1);
            if (o == p) {
                *v = s->val;
                __threadfence();
                atomicExch(&s->seq, p + 8);
                return true;
            }
            p = o;
        } else if (d < 0)
            return false;
        else
            p = atomicAdd(&r->head, 0);
    }
}
__global__ void init(Ring *r)
{
    r->s[threadIdx.x].seq = threadIdx.x;
    if (!threadIdx.x)
        r->head = r->tail = 0;
}
__global__ void k(Ring *r, int per, int *sum)
{
    for (int i = 0; i < per; i++) {
        if (blockIdx.x & 1) {
            while (!push(r, i + 1)) {
            }
        } else {
            int v;
            while (!pop(r, &v)) {
            }
            atomicAdd(sum, v);
        }
    }
}
static int run()
{
    Ring *r;
    int *s, h;
    cudaMalloc(&r, sizeof(Ring));
    cudaMalloc(&s, 4);
    cudaMemset(s, 0, 4);
    init<<<1, 8>>>(r);
    k<<<8, 1>>>(r, 10, s);
    cudaMemcpy(&h, s, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return h != 220;
}
} // namespace mpmc_ring_program
PROGRAM(mpmc_ring)

namespace cluster_reduce_mbarrier_program
{
namespace cg = cooperative_groups;
__device__ uint32_t u(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__global__ void __cluster_dims__(4) k(const int *in, int *out)
{
    __shared__ alignas(8) uint64_t bar;
    __shared__ int part[4];
    auto c = cg::this_cluster();
    unsigned r = c.block_rank();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" ::"r"(u(&bar)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    c.sync();
    int v = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x < 4) {
        *c.map_shared_rank(&part[r], threadIdx.x) = v;
        uint32_t ra;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                     : "=r"(ra)
                     : "r"(u(&bar)), "r"(threadIdx.x));
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(ra)
                     : "memory");
    }
    uint32_t ok = 0;
    while (!ok)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
                     "[%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(ok)
                     : "r"(u(&bar))
                     : "memory");
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
    c.sync();
}
static int run()
{
    int h[128], *a, *o;
    for (int &x : h)
        x = 1;
    cudaMalloc(&a, 512);
    cudaMalloc(&o, 16);
    cudaMemcpy(a, h, 512, cudaMemcpyHostToDevice);
    k<<<4, 32>>>(a, o);
    cudaMemcpy(h, o, 16, cudaMemcpyDeviceToHost);
    return h[3] != 128;
}
} // namespace cluster_reduce_mbarrier_program
PROGRAM(cluster_reduce_mbarrier)

namespace multicast_program
{
namespace cg = cooperative_groups;
__device__ uint32_t u(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__global__ void __cluster_dims__(2) k(const float *in, float *out)
{
    __shared__ alignas(128) float t[64];
    __shared__ alignas(8) uint64_t b;
    auto c = cg::this_cluster();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(u(&b)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(u(&b))
                     : "memory");
    }
    c.sync();
    if (c.block_rank() == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0], [%1], 256, [%2], %3;" ::"r"(u(t)),
                     "l"(in), "r"(u(&b)), "h"((uint16_t)3)
                     : "memory");
    uint32_t ok = 0;
    while (!ok)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 "
                     "%0, 1, 0, p;}"
                     : "=r"(ok)
                     : "r"(u(&b))
                     : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = t[63 - threadIdx.x];
    c.sync();
}
static int run()
{
    float h[128], *a, *o;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMalloc(&a, 256);
    cudaMalloc(&o, 512);
    cudaMemcpy(a, h, 256, cudaMemcpyHostToDevice);
    k<<<2, 64>>>(a, o);
    cudaMemcpy(h, o, 512, cudaMemcpyDeviceToHost);
    return h[64] != 63;
}
} // namespace multicast_program
PROGRAM(multicast)

/* The barrier ends its life, its bytes serve as data. */
namespace mbarrier_reuse_memory_program
{
__global__ void k(const int *in, int *out)
{
    using B = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(16) unsigned char raw[64 * 4];
    B *b = reinterpret_cast<B *>(raw);
    if (threadIdx.x == 0)
        init(b, blockDim.x);
    __syncthreads();
    b->arrive_and_wait();
    __syncthreads();
    if (threadIdx.x == 0)
        b->~B();
    __syncthreads();
    int *s = (int *)raw;
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
static int run()
{
    int h[64], *a, *o;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMalloc(&a, 256);
    cudaMalloc(&o, 256);
    cudaMemcpy(a, h, 256, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(a, o);
    cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost);
    return h[0] != 63;
}
} // namespace mbarrier_reuse_memory_program
PROGRAM(mbarrier_reuse_memory)

namespace union_find_program
{
__device__ int find(volatile int *p, int x)
{
    int y = p[x];
    while (y != x) {
        x = y;
        y = p[x];
    }
    return x;
}
__global__ void init(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = i;
}
__global__ void hook(int *p, const int2 *e, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    int a = find(p, e[i].x), b = find(p, e[i].y);
    while (a != b) {
        if (a < b) {
            int t = a;
            a = b;
            b = t;
        }
        int o = atomicCAS(&p[a], a, b);
        if (o == a)
            break;
        a = find(p, o);
        b = find(p, b);
    }
}
__global__ void flat(int *p, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = find(p, i);
}
static int run()
{
    int n = 200;
    std::vector<int2> e;
    for (int i = 0; i + 2 < n; i++)
        if (i % 50 > 1)
            e.push_back(make_int2(i, i + 2));
    int *p, *o;
    int2 *d;
    cudaMalloc(&p, n * 4);
    cudaMalloc(&o, n * 4);
    cudaMalloc(&d, e.size() * 8);
    cudaMemcpy(d, e.data(), e.size() * 8, cudaMemcpyHostToDevice);
    init<<<2, 128>>>(p, n);
    hook<<<2, 128>>>(p, d, (int)e.size());
    flat<<<2, 128>>>(p, o, n);
    std::vector<int> r(n);
    cudaMemcpy(r.data(), o, n * 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", r[40], r[48]);
    return r[40] != r[48] || r[2] == r[3];
}
} // namespace union_find_program
PROGRAM(union_find)

namespace tma3d_edges_program
{
__device__ uint32_t u(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__global__ void avg(const __grid_constant__ CUtensorMap m, float *out, int nx, int ny, int nz)
{
    __shared__ alignas(128) float s[3][6][8];
    __shared__ alignas(8) uint64_t b;
    int x0 = blockIdx.x * 4, y0 = blockIdx.y * 4, z = blockIdx.z, t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(u(&b)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(u(&b)),
                     "r"((int)sizeof s)
                     : "memory");
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(u(s)),
                     "l"(&m), "r"(x0 - 1), "r"(y0 - 1), "r"(z - 1), "r"(u(&b))
                     : "memory");
    }
    __syncthreads();
    uint32_t ok;
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(ok)
                     : "r"(u(&b))
                     : "memory");
    while (!ok);
    int x = t % 4, y = t / 4;
    float a = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                a += s[k][y + j][x + i];
    if (x0 + x < nx && y0 + y < ny)
        out[(z * ny + y0 + y) * nx + x0 + x] = a;
}
static int run()
{
    int nx = 12, ny = 10, nz = 5;
    std::vector<float> h(nx * ny * nz, 1.f);
    float *a, *o;
    cudaMalloc(&a, h.size() * 4);
    cudaMalloc(&o, h.size() * 4);
    cudaMemcpy(a, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
    void *p;
    cudaDriverEntryPointQueryResult q;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &p, 12000, cudaEnableDefault, &q);
    CUtensorMap m;
    cuuint64_t d[3] = {12, 10, 5}, st[2] = {48, 480};
    cuuint32_t bx[3] = {8, 6, 3}, e[3] = {1, 1, 1};
    if (((PFN_cuTensorMapEncodeTiled_v12000)p)(
            &m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, a, d, st, bx, e, CU_TENSOR_MAP_INTERLEAVE_NONE,
            CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        return 2;
    avg<<<dim3(3, 3, 5), 16>>>(m, o, nx, ny, nz);
    cudaMemcpy(h.data(), o, h.size() * 4, cudaMemcpyDeviceToHost);
    printf("%g %g\n", h[0], h[2 * 120 + 5 * 12 + 5]);
    return h[0] != 8 || h[2 * 120 + 65] != 27;
}
} // namespace tma3d_edges_program
PROGRAM(tma3d_edges)

namespace segmented_scan_program
{
__global__ void seg(const int *v, const int *head, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    unsigned m = __ballot_sync(~0u, i < n);
    if (i >= n)
        return;
    int x = v[i];
    unsigned f = __ballot_sync(m, head[i]) | 1u;
    int start = 31 - __clz(f & (0xffffffffu >> (31 - lane)));
    for (int o = 1; o < 32; o <<= 1) {
        int y = __shfl_up_sync(m, x, o);
        if (lane - o >= start)
            x += y;
    }
    out[i] = x;
}
static int run()
{
    int h[75], f[75], *a, *b, *o;
    for (int i = 0; i < 75; i++) {
        h[i] = 1;
        f[i] = i % 6 == 0;
    }
    cudaMalloc(&a, 300);
    cudaMalloc(&b, 300);
    cudaMalloc(&o, 300);
    cudaMemcpy(a, h, 300, cudaMemcpyHostToDevice);
    cudaMemcpy(b, f, 300, cudaMemcpyHostToDevice);
    seg<<<2, 64>>>(a, b, o, 75);
    cudaMemcpy(h, o, 300, cudaMemcpyDeviceToHost);
    printf("%d\n", h[11]);
    return h[11] != 6;
}
} // namespace segmented_scan_program
PROGRAM(segmented_scan)

namespace merge_path_program
{
__device__ int path(const int *a, int na, const int *b, int nb, int d)
{
    int lo = max(0, d - nb), hi = min(d, na);
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (a[m] <= b[d - 1 - m])
            lo = m + 1;
        else
            hi = m;
    }
    return lo;
}
__global__ void merge(const int *in, int *out, int n, int w)
{
    int per = 4, i0 = (blockIdx.x * blockDim.x + threadIdx.x) * per;
    if (i0 >= n)
        return;
    int run = i0 / (2 * w) * 2 * w, na = min(w, n - run), nb = max(0, min(w, n - run - w));
    const int *a = in + run, *b = a + na;
    int d = i0 - run, i = path(a, na, b, nb, d), j = d - i;
    for (int k = 0; k < per && d + k < na + nb; k++)
        out[run + d + k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}
static int run()
{
    int n = 1000;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++)
        h[i] = (i * 7919) % 1009;
    for (int i = 0; i < n; i += 4)
        std::sort(h.begin() + i, h.begin() + i + 4);
    int *a, *b;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    for (int w = 4; w < n; w *= 2) {
        merge<<<(n / 4 + 63) / 64, 64>>>(a, b, n, w);
        std::swap(a, b);
    }
    cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost);
    return !std::is_sorted(h.begin(), h.end());
}
} // namespace merge_path_program
PROGRAM(merge_path)

namespace cluster_split_barrier_program
{
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) ring(const int *in, int *out, int rounds)
{
    __shared__ int buf[2][64];
    auto c = cg::this_cluster();
    int r = c.block_rank(), t = threadIdx.x;
    buf[0][t] = in[blockIdx.x * 64 + t];
    c.sync();
    for (int k = 0; k < rounds; k++) {
        int *to = c.map_shared_rank(&buf[(k + 1) & 1][0], (r + 1) % 4);
        to[t] = buf[k & 1][t] + 1;
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    }
    out[blockIdx.x * 64 + t] = buf[rounds & 1][t];
}
static int run()
{
    int h[256], *a, *o;
    for (int i = 0; i < 256; i++)
        h[i] = i / 64 * 1000;
    cudaMalloc(&a, 1024);
    cudaMalloc(&o, 1024);
    cudaMemcpy(a, h, 1024, cudaMemcpyHostToDevice);
    ring<<<4, 64>>>(a, o, 5);
    cudaMemcpy(h, o, 1024, cudaMemcpyDeviceToHost);
    printf("%d\n", h[64]);
    return h[64] != 5;
}
} // namespace cluster_split_barrier_program
PROGRAM(cluster_split_barrier)

namespace treiber_stack_program
{
typedef unsigned long long u64;
struct Node {
    int value;
    unsigned next;
};
struct Stack {
    u64 head;
    Node pool[128];
};
__device__ void push(Stack *s, unsigned i)
{
    u64 h = atomicAdd(&s->head, 0ull);
    for (;;) {
        *(volatile unsigned *)&s->pool[i].next = (unsigned)h;
        __threadfence();
        u64 o = atomicCAS(&s->head, h, ((h >> 32) + 1) << 32 | i);
        if (o == h)
            return;
        h = o;
    }
}
__device__ unsigned pop(Stack *s)
{
    u64 h = atomicAdd(&s->head, 0ull);
    for (;;) {
        if ((unsigned)h == ~0u)
            return ~0u;
        __threadfence();
        unsigned nx = *(volatile unsigned *)&s->pool[(unsigned)h].next;
        u64 o = atomicCAS(&s->head, h, ((h >> 32) + 1) << 32 | nx);
        if (o == h) {
            __threadfence();
            return (unsigned)h;
        }
        h = o;
    }
}
__global__ void init(Stack *s)
{
    int i = threadIdx.x;
    s->pool[i].value = i;
    s->pool[i].next = i ? i - 1 : ~0u;
    if (i == 0)
        s->head = 127;
}
__global__ void churn(Stack *s, int *sum)
{
    for (int k = 0; k < 4; k++) {
        unsigned i = pop(s);
        if (i == ~0u)
            continue;
        s->pool[i].value += 1;
        push(s, i);
        atomicAdd(sum, 1);
    }
}
static int run()
{
    Stack *s;
    int *p, r;
    cudaMalloc(&s, sizeof(Stack));
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    init<<<1, 128>>>(s);
    churn<<<6, 32>>>(s, p);
    cudaMemcpy(&r, p, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", r);
    return r <= 0;
}
} // namespace treiber_stack_program
PROGRAM(treiber_stack)
