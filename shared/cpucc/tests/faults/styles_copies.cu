/* Whole programs in different styles, each with one fault: copies, mbarriers, streams. */
#include "../order/order.h"
#include <cstdint>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <stdlib.h>

namespace free_async_other_stream_program
{
__global__ void spin(int *p, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = p[i] * 2 + 1;
}
static int run()
{
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    int *p, n = 2000;
    cudaMallocAsync((void **)&p, n * 4, a);
    cudaMemsetAsync(p, 0, n * 4, a);
    spin<<<1, 128, 0, a>>>(p, n);
    cudaFreeAsync(p, b); /* FAULT: race_write_after_read */
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return 0;
}
} // namespace free_async_other_stream_program
PROGRAM(free_async_other_stream)

namespace pipeline_stage_reuse_program
{
namespace cg = cooperative_groups;
template <int STAGES>
__global__ void smooth(const int *in, int *out, int batches)
{
    __shared__ int buf[STAGES][128];
    auto block = cg::this_thread_block();
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    for (int s = 0; s < STAGES; s++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&buf[s][t], in + s * 128 + t, sizeof(int), pipe);
        pipe.producer_commit();
    }
    for (int b = 0; b < batches; b++) {
        cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
        block.sync();
        /* FAULT: copy_not_waited */
        out[b * 128 + t] = buf[b % STAGES][t] + buf[b % STAGES][(t + 1) & 127];
        pipe.consumer_release();
        pipe.producer_acquire();
        if (b + STAGES < batches)
            /* FAULT: race_write_after_read */
            cuda::memcpy_async(&buf[b % STAGES][t], in + (b + STAGES) * 128 + t, sizeof(int), pipe);
        pipe.producer_commit();
    }
}
static int run()
{
    const int B = 6;
    static int h[B * 128];
    for (int i = 0; i < B * 128; i++)
        h[i] = i;
    int *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    smooth<2><<<1, 128>>>(a, b, B);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
} // namespace pipeline_stage_reuse_program
PROGRAM(pipeline_stage_reuse)

namespace wrong_parity_program
{
__device__ __forceinline__ uint32_t s2u(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ __forceinline__ bool try_wait(uint64_t *b, uint32_t ph)
{
    uint32_t ok;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 "
                 "%0, 1, 0, p; }"
                 : "=r"(ok)
                 : "r"(s2u(b)), "r"(ph)
                 : "memory");
    return ok;
}
__global__ void tiles(const int *in, int *out, int n)
{
    __shared__ alignas(16) int buf[128];
    __shared__ uint64_t bar;
    int t = threadIdx.x, phase = 1;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(s2u(&bar)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            /* FAULT: mbarrier_misuse */
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(s2u(&bar))
                         : "memory");
            /* FAULT: copy_not_waited; REMARK: proxy_fence_before_load */
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                         "[%1], 512, [%2];" ::"r"(s2u(buf)),
                         "l"(in + k * 128), "r"(s2u(&bar))
                         : "memory");
        }
        while (!try_wait(&bar, phase)) {
        }
        phase ^= 1;
        /* FAULT: copy_not_waited */
        out[k * 128 + t] = buf[t] * 2;
        __syncthreads();
    }
}
static int run()
{
    int h[512], *a, *b;
    for (int i = 0; i < 512; i++)
        h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    tiles<<<1, 128>>>(a, b, 4);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[7]);
    return 0;
}
} // namespace wrong_parity_program
PROGRAM(wrong_parity)

/* Dynamic shared memory: tile of n floats, then the barrier; the host's size and the kernel's
 * offset disagree by a row. */
namespace barrier_word_overwritten_program
{
__device__ uint32_t sp(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__global__ void k(const float *in, float *out, int n)
{
    extern __shared__ __align__(128) unsigned char mem[];
    float *tile = (float *)mem, *extra = (float *)(mem + n * 4 - 16);
    uint64_t *bar = (uint64_t *)(mem + n * 4);
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sp(bar)), "r"(1));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(sp(bar)),
                     "r"(n * 4 - 16)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                     "[%1], %2, [%3];" ::"r"(sp(tile)),
                     "l"(in), "r"(n * 4 - 16), "r"(sp(bar))
                     : "memory");
    }
    __syncthreads();
    if (t < 8)
        extra[t] = 0; /* FAULT: mbarrier_misuse */
    asm volatile(
        "{.reg .pred p;\n L_%=: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n @!p bra L_%=;}" ::
            "r"(sp(bar))
        : "memory");
    out[t] = tile[t];
}
static int run()
{
    float *a;
    cudaMalloc(&a, 1024);
    cudaMemset(a, 0, 1024);
    k<<<1, 64, 128 * 4 + 64>>>(a, a + 128, 128);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace barrier_word_overwritten_program
PROGRAM(barrier_word_overwritten)

namespace store_read_back_program
{
namespace cde = cuda::device::experimental;
__global__ void k(float *g, float *out)
{
    __shared__ alignas(16) float s[128];
    int t = threadIdx.x;
    s[t] = t * 1.5f;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_shared_to_global(g, s, sizeof s);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
    out[t] = g[127 - t]; /* FAULT: copy_not_waited */
}
static int run()
{
    float *g;
    cudaMalloc(&g, 1024);
    k<<<1, 128>>>(g, g + 128);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace store_read_back_program
PROGRAM(store_read_back)

namespace tx_box_bytes_program
{
__device__ inline uint32_t ad(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
template <int R, int C>
__global__ void tile(const __grid_constant__ CUtensorMap m, __nv_bfloat16 *out)
{
    __shared__ alignas(128) __nv_bfloat16 s[R * C];
    __shared__ alignas(8) uint64_t bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(ad(&bar)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(ad(&bar)),
                     "r"(R * C)
                     : "memory"); // elements, not bytes
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(ad(s)),
                     "l"(&m), "r"(0), "r"(0), "r"(ad(&bar))
                     : "memory");
    }
    __syncthreads();
    /* FAULT: endless_wait */
    asm volatile("{\n\t.reg .pred p;\n\tW%=:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], "
                 "0;\n\t@!p bra W%=;\n\t}" ::"r"(ad(&bar))
                 : "memory");
    for (int i = threadIdx.x; i < R * C; i += blockDim.x)
        out[i] = s[i];
}
static int run()
{
    __nv_bfloat16 *a, *b;
    cudaMalloc(&a, 64 * 64 * 2);
    cudaMalloc(&b, 16 * 32 * 2);
    cudaMemset(a, 0, 64 * 64 * 2);
    void *p;
    cudaDriverEntryPointQueryResult q;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &p, 12000, cudaEnableDefault, &q);
    CUtensorMap m;
    cuuint64_t dim[2] = {64, 64}, st[1] = {128};
    cuuint32_t box[2] = {32, 16}, es[2] = {1, 1};
    if (((PFN_cuTensorMapEncodeTiled_v12000)p)(
            &m, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, a, dim, st, box, es,
            CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
            CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        return 2;
    tile<16, 32><<<1, 64>>>(m, b);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace tx_box_bytes_program
PROGRAM(tx_box_bytes)

namespace event_of_last_round_program
{
__global__ void step(float *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        d[i] = d[i] * 0.5f + 1;
}
static int run()
{
    const int n = 256, R = 4;
    float *h[2], *d;
    cudaStream_t s;
    cudaEvent_t e[2];
    cudaStreamCreate(&s);
    for (int i = 0; i < 2; i++) {
        cudaMallocHost(&h[i], n * 4);
        cudaEventCreateWithFlags(&e[i], cudaEventDisableTiming);
    }
    cudaMalloc(&d, n * 4);
    cudaMemsetAsync(d, 0, n * 4, s);
    double sum = 0;
    for (int r = 0; r < R; r++) {
        step<<<2, 128, 0, s>>>(d, n);
        cudaMemcpyAsync(h[r & 1], d, n * 4, cudaMemcpyDeviceToHost, s);
        cudaEventRecord(e[r & 1], s);
        cudaEventSynchronize(e[~r & 1]); // the other buffer's
        for (int i = 0; i < n; i++)
            sum += h[r & 1][i]; /* FAULT: host_race */
    }
    cudaStreamSynchronize(s);
    printf("%g\n", sum);
    return 0;
}
} // namespace event_of_last_round_program
PROGRAM(event_of_last_round)

namespace arrive_before_read_program
{
struct Bar {
    alignas(8) uint64_t v;
    __device__ uint32_t p() const { return (uint32_t)__cvta_generic_to_shared(&v); }
    __device__ void init(unsigned n)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(p()), "r"(n) : "memory");
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(p()) : "memory");
    }
    __device__ void arrive_tx(unsigned b)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(p()), "r"(b)
                     : "memory");
    }
    __device__ void wait(unsigned ph)
    {
        asm volatile("{\n .reg .pred P;\n again: mbarrier.try_wait.parity.shared::cta.b64 P, [%0], "
                     "%1;\n @P bra fertig;\n bra again;\n fertig:\n}" ::"r"(p()),
                     "r"(ph)
                     : "memory");
    }
};
constexpr int N = 2;
__global__ void dot(const float *a, float *out, int tiles)
{
    __shared__ alignas(128) float buf[N][64];
    __shared__ Bar full[N], empty[N];
    if (threadIdx.x == 0) {
        for (int i = 0; i < N; i++) {
            full[i].init(1);
            empty[i].init(2);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        if (threadIdx.x == 64)
            for (int k = 0; k < tiles; k++) {
                if (k >= N)
                    empty[k % N].wait((k / N - 1) & 1);
                full[k % N].arrive_tx(256);
                /* FAULT: race_write_after_read */
                asm volatile(
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                    "256, [%2];" ::"r"((uint32_t)__cvta_generic_to_shared(buf[k % N])),
                    "l"(a + 64 * k), "r"(full[k % N].p())
                    : "memory");
            }
    } else {
        float s = 0;
        for (int k = 0; k < tiles; k++) {
            full[k % N].wait(k / N & 1);
            if (threadIdx.x % 32 == 0)
                empty[k % N].arrive();
            s += buf[k % N][threadIdx.x] * buf[k % N][threadIdx.x ^ 1];
        }
        out[threadIdx.x] = s;
    }
}
static int run()
{
    float *a, *o;
    cudaMalloc(&a, 64 * 8 * 4);
    cudaMalloc(&o, 256);
    cudaMemset(a, 0, 64 * 8 * 4);
    dot<<<1, 96>>>(a, o, 8);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace arrive_before_read_program
PROGRAM(arrive_before_read)
