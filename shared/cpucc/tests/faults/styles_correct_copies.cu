/* Whole programs that look dangerous and are correct: copies, clusters, known algorithms. */
#include "../order/order.h"
#include <algorithm>
#include <cstdint>
#include <cuda.h>
#include <cuda/barrier>
#include <cudaTypedefs.h>
#include <vector>
#include <stdlib.h>

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
        asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_last.b64 policy, 1.0;\n"
                     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster.L2::cache_hint [%0], [%1], 256, [%2], %3, policy; }" ::"r"(u(t)),
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
