/* Whole programs in different styles, each with one fault: order, barriers, copies, the host. */
#include "../order/order.h"
#include <cooperative_groups/reduce.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cuda/barrier>
#include <utility>

/* Each tile of 16 sums by shuffles; the leaders' sums are read without the block's barrier. */
namespace tiles_then_block_program
{
__global__ void sum(const int *in, int *out)
{
    __shared__ int partial[16];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int v = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
    if (tile.thread_rank() == 0)
        partial[tile.meta_group_rank()] = v; /* FAULT: race_write_after_read */
    tile.sync();
    if (tile.meta_group_rank() == 0) {
        int mine = partial[tile.thread_rank()]; /* FAULT: race_read_after_write, uninitialised */
        int all = cg::reduce(tile, mine, cg::plus<int>());
        if (tile.thread_rank() == 0)
            *out = all;
    }
}

static int run()
{
    int host[256], *in, *out, result;
    for (int i = 0; i < 256; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 256>>>(in, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
} // namespace tiles_then_block_program
PROGRAM(tiles_then_block)

/* A cooperative launch whose blocks meet only within themselves between two sweeps. */
namespace jacobi_without_grid_sync_program
{
__global__ void jacobi(float *a, float *b, int n, int sweeps)
{
    auto block = cg::this_thread_block();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *from = a, *to = b;
    for (int s = 0; s < sweeps; s++) {
        if (i > 0 && i < n - 1)
            /* FAULT: race_read_after_write, race_write_after_read */
            to[i] = 0.5f * (from[i - 1] + from[i + 1]);
        else if (i < n)
            to[i] = from[i];
        block.sync();
        float *t = from;
        from = to;
        to = t;
    }
}

static int run()
{
    int n = 512, sweeps = 4;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    cudaMemset(b, 0, n * sizeof(float));
    void *args[] = {&a, &b, &n, &sweeps};
    cudaLaunchCooperativeKernel((void *)jacobi, dim3(4), dim3(128), args, 0, 0);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
} // namespace jacobi_without_grid_sync_program
PROGRAM(jacobi_without_grid_sync)

/* A cuda::barrier for the whole block, at which only one warp arrives. */
namespace barrier_expects_more_program
{
__global__ void kernel(int *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier bar;
    __shared__ int value;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            value = 7;
        bar.arrive_and_wait(); /* FAULT: endless_wait */
        out[threadIdx.x] = value;
    }
}

static int run()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    kernel<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
} // namespace barrier_expects_more_program
PROGRAM(barrier_expects_more)

/* The barrier is told to expect both stages' bytes, and one stage is copied. */
namespace expects_twice_the_bytes_program
{
namespace cde = cuda::device::experimental;

constexpr int kStage = 512;

__global__ void kernel(const float *in, float *out)
{
    __shared__ alignas(16) float stage[kStage];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(stage, in, sizeof(stage), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, 2 * sizeof(stage));
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token)); /* FAULT: endless_wait */
    for (int i = threadIdx.x; i < kStage; i += blockDim.x)
        out[i] = stage[i];
}

static int run()
{
    float *in, *out;
    cudaMalloc(&in, kStage * sizeof(float));
    cudaMalloc(&out, kStage * sizeof(float));
    cudaMemset(in, 0, kStage * sizeof(float));
    kernel<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
} // namespace expects_twice_the_bytes_program
PROGRAM(expects_twice_the_bytes)

/* A block-strided loop with a barrier inside; the last round has fewer threads. */
namespace barrier_in_strided_loop_program
{
__global__ void process(int *data, int n)
{
    __shared__ int s[64];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s[threadIdx.x] = data[i];
        __syncthreads();
        data[i] = s[threadIdx.x] + 1;
    }
    __syncthreads(); /* FAULT: barrier_divergence */
    if (threadIdx.x == 0)
        data[0] = s[1];
}

static int run()
{
    int *d;
    cudaMalloc(&d, 100 * sizeof(int));
    cudaMemset(d, 0, 100 * sizeof(int));
    process<<<1, 64>>>(d, 100);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
} // namespace barrier_in_strided_loop_program
PROGRAM(barrier_in_strided_loop)

/* A ring of two mbarriers of which the loop initialises only the first. */
namespace mbarrier_without_init_program
{
__device__ inline uint32_t addr(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__global__ void ring(int *out)
{
    __shared__ uint64_t full[2];
    __shared__ int slot[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 1; i++)
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addr(&full[i])), "r"(32));
    __syncthreads();
    for (int r = 0; r < 2; r++) {
        if (threadIdx.x == 0)
            slot[r] = r + 5;
        uint64_t state;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" /* FAULT: mbarrier_misuse */
                     : "=l"(state)
                     : "r"(addr(&full[r]))
                     : "memory");
        uint32_t done = 0;
        while (!done)
            asm volatile(
                "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                : "=r"(done)
                : "r"(addr(&full[r])), "l"(state)
                : "memory");
        out[r * 32 + threadIdx.x] = slot[r];
    }
}

static int run()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    ring<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
} // namespace mbarrier_without_init_program
PROGRAM(mbarrier_without_init)

/* Producer and consumer warps meet at named barriers; the consumer takes the wrong number. */
namespace named_barrier_wrong_number_program
{
__global__ void relay(const int *in, int *out)
{
    __shared__ int box[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        box[lane] = in[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else if (warp == 1) {
        asm volatile("bar.sync 2, 64;" ::: "memory"); /* FAULT: endless_wait */
        out[lane] = box[31 - lane];
    }
}

static int run()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    relay<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
} // namespace named_barrier_wrong_number_program
PROGRAM(named_barrier_wrong_number)

/* A list's head is swapped in by compare and swap; the node's contents have no fence before it. */
namespace node_published_early_program
{
struct Node {
    int key;
    Node *next;
};
__device__ Node *head;

__global__ void run(Node *pool, int *sum)
{
    if (threadIdx.x)
        return;
    Node *mine = &pool[blockIdx.x];
    mine->key = blockIdx.x + 1;
    Node *old = atomicAdd((unsigned long long *)&head, 0ull)
                    ? (Node *)atomicAdd((unsigned long long *)&head, 0ull)
                    : nullptr;
    for (;;) {
        mine->next = old;
        Node *seen = (Node *)atomicCAS((unsigned long long *)&head, (unsigned long long)old,
                                       (unsigned long long)mine);
        if (seen == old)
            break;
        old = seen;
    }
    int s = 0;
    for (Node *n = old; n; n = n->next) /* FAULT: race_read_after_write */
        s += n->key;                    /* FAULT: race_read_after_write */
    sum[blockIdx.x] = s;
}

static int run()
{
    Node *pool;
    int *sum;
    cudaMalloc(&pool, 8 * sizeof(Node));
    cudaMalloc(&sum, 8 * sizeof(int));
    run<<<8, 32>>>(pool, sum);
    cudaDeviceSynchronize();
    cudaFree(pool);
    cudaFree(sum);
    return 0;
}
} // namespace node_published_early_program
PROGRAM(node_published_early)

/* The host fills the next batch into the pinned buffer while the copy of the last may be
 * running. */
namespace pinned_source_overwritten_program
{
__global__ void use(const int *in, int *sum) { atomicAdd(sum, in[threadIdx.x]); }
static int run()
{
    int *host, *dev, *sum;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaMalloc(&dev, 64 * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    for (int batch = 0; batch < 3; batch++) {
        for (int i = 0; i < 64; i++)
            host[i] = batch * i; /* FAULT: host_race */
        cudaMemcpyAsync(dev, host, 64 * sizeof(int), cudaMemcpyHostToDevice, s);
        use<<<1, 64, 0, s>>>(dev, sum);
    }
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaFree(dev);
    cudaFree(sum);
    cudaFreeHost(host);
    return 0;
}
} // namespace pinned_source_overwritten_program
PROGRAM(pinned_source_overwritten)

/* Two bulk copies report to one mbarrier, which is told of the first one's bytes only. */
namespace second_copy_not_expected_program
{
__device__ uint32_t a32(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void load(void *to, const void *from, uint32_t bytes, uint64_t *bar)
{
    asm volatile(/* FAULT: copy_not_waited */
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(a32(to)),
                 "l"(from), "r"(bytes), "r"(a32(bar))
                 : "memory");
}
__global__ void add(const int *x, const int *y, int *z)
{
    __shared__ alignas(16) int a[64], b[64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(a32(&bar)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(a32(&bar)),
                     "r"((uint32_t)sizeof a)
                     : "memory");
        load(a, x, sizeof a, &bar);
        load(b, y, sizeof b, &bar);
    }
    __syncthreads();
    asm volatile(
        "{\n.reg .pred p;\nA: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra A;\n}" ::"r"(
            a32(&bar))
        : "memory");
    z[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; /* FAULT: copy_not_waited */
}
static int run()
{
    int *p;
    cudaMalloc(&p, 3 * 256);
    cudaMemset(p, 0, 3 * 256);
    add<<<1, 64>>>(p, p + 64, p + 128);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace second_copy_not_expected_program
PROGRAM(second_copy_not_expected)

/* The event that the host waits for was recorded before the copy back. */
namespace event_before_copy_program
{
__global__ void square(int *p) { p[threadIdx.x] *= p[threadIdx.x]; }
static int run()
{
    int *host, *dev;
    cudaHostAlloc(&host, 32 * sizeof(int), cudaHostAllocDefault);
    cudaMalloc(&dev, 32 * sizeof(int));
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaEvent_t done;
    cudaEventCreate(&done);
    cudaMemcpyAsync(dev, host, 32 * sizeof(int), cudaMemcpyHostToDevice);
    square<<<1, 32>>>(dev);
    cudaEventRecord(done);
    cudaMemcpyAsync(host, dev, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaEventSynchronize(done);
    if (host[31] != 31 * 31) /* FAULT: host_race */
        return 1;
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaFree(dev);
    cudaFreeHost(host);
    return 0;
}
} // namespace event_before_copy_program
PROGRAM(event_before_copy)

/* Dynamic shared memory: the second region begins in the middle of the first. */
namespace regions_overlap_program
{
__global__ void sort2(const float *key, const int *val, float *ko, int *vo, int n)
{
    extern __shared__ float keys[];
    int *vals = (int *)(keys + n / 2);
    int t = threadIdx.x;
    keys[t] = key[t]; /* FAULT: race_write_after_write */
    vals[t] = val[t];
    __syncthreads();
    ko[t] = keys[n - 1 - t];
    vo[t] = vals[n - 1 - t];
}
static int run()
{
    const int n = 64;
    float k[n], *key, *ko;
    int v[n], *val, *vo;
    for (int i = 0; i < n; i++)
        k[i] = i + 0.5f, v[i] = i;
    cudaMalloc(&key, sizeof k);
    cudaMalloc(&ko, sizeof k);
    cudaMalloc(&val, sizeof v);
    cudaMalloc(&vo, sizeof v);
    cudaMemcpy(key, k, sizeof k, cudaMemcpyHostToDevice);
    cudaMemcpy(val, v, sizeof v, cudaMemcpyHostToDevice);
    sort2<<<1, n, 2 * n * 4>>>(key, val, ko, vo, n);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace regions_overlap_program
PROGRAM(regions_overlap)

/* Threads beyond n return without arriving at the cuda::barrier that counts them. */
namespace leaves_without_dropping_program
{
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(int *p, int n)
{
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    p[i] = i;
    auto t = bar.arrive();
    bar.wait(std::move(t)); /* FAULT: endless_wait */
    p[i] += p[i ^ 1];       /* FAULT: race_write_after_read */
}
static int run()
{
    int *p;
    cudaMalloc(&p, 128 * 4);
    k<<<2, 64>>>(p, 100);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace leaves_without_dropping_program
PROGRAM(leaves_without_dropping)
