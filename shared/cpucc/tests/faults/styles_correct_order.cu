/* Whole programs that look dangerous and are correct: locks, flags, barriers. */
#include "../order/order.h"
#include <cstdlib>
#include <cuda/barrier>

/* A sequence lock: data are relaxed atomics, readers try again. */
namespace seqlock_atomics_program
{
template <class T>
using ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

__global__ void seq(unsigned *seq, int *a, int *b, int *bad, int *stop)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        for (int k = 1; k <= 20; k++) {
            ref<unsigned>(*seq).fetch_add(1, cuda::memory_order_acq_rel);
            cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
            ref<int>(*a).store(k, cuda::memory_order_relaxed);
            ref<int>(*b).store(-k, cuda::memory_order_relaxed);
            ref<unsigned>(*seq).fetch_add(1, cuda::memory_order_release);
        }
        ref<int>(*stop).store(1, cuda::memory_order_release);
    } else {
        while (!ref<int>(*stop).load(cuda::memory_order_acquire)) {
            unsigned before = ref<unsigned>(*seq).load(cuda::memory_order_acquire);
            int x = ref<int>(*a).load(cuda::memory_order_relaxed);
            int y = ref<int>(*b).load(cuda::memory_order_relaxed);
            cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
            unsigned after = ref<unsigned>(*seq).load(cuda::memory_order_relaxed);
            if (before == after && before % 2 == 0 && x + y != 0)
                atomicAdd(bad, 1);
        }
    }
}

static int run()
{
    int *p, h;
    cudaMalloc(&p, 5 * sizeof(int));
    cudaMemset(p, 0, 5 * sizeof(int));
    seq<<<3, 32>>>((unsigned *)p, p + 1, p + 2, p + 3, p + 4);
    cudaMemcpy(&h, p + 3, sizeof h, cudaMemcpyDeviceToHost);
    return h == 0 ? 0 : 3;
}
} // namespace seqlock_atomics_program
PROGRAM(seqlock_atomics)

/* cuda::barrier: arrive, do other work, wait; several phases; a thread drops out. */
namespace barrier_tokens_split_program
{
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void kernel(int *out)
{
    __shared__ barrier bar;
    __shared__ int s[2][64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    int v = t;
    for (int r = 0; r < 6; r++) {
        s[r & 1][t] = v;
        auto token = bar.arrive();
        int own = v * v % 7;
        bar.wait(std::move(token));
        v = s[r & 1][(t + 1) % 64] + own;
    }
    if (t >= 32) {
        bar.arrive_and_drop();
        out[t] = v;
        return;
    }
    bar.arrive_and_wait();
    s[0][t] = v;
    bar.arrive_and_wait();
    out[t] = s[0][31 - t];
}

static int run()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    kernel<<<2, 64>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
} // namespace barrier_tokens_split_program
PROGRAM(barrier_tokens_split)

/* Each block writes into its neighbour's shared memory; arrive and wait of the cluster are
 * apart. */
namespace cluster_push_ring_program
{
__global__ void __cluster_dims__(4) ring(int *out)
{
    __shared__ int inbox[2][32];
    auto cluster = cg::this_cluster();
    unsigned me = cluster.block_rank(), n = cluster.num_blocks();
    cluster.sync();
    int v = me;
    for (int r = 0; r < 4; r++) {
        cluster.map_shared_rank(inbox[r % 2], (me + 1) % n)[threadIdx.x] = v;
        auto token = cluster.barrier_arrive();
        int busy = v * 3;
        cluster.barrier_wait(std::move(token));
        v = inbox[r % 2][threadIdx.x] + 0 * busy;
    }
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = v;
}

static int run()
{
    int *out, h[8 * 32];
    cudaMalloc(&out, sizeof h);
    ring<<<8, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8 * 32; i++)
        if (h[i] != i / 32 % 4)
            return 3;
    return 0;
}
} // namespace cluster_push_ring_program
PROGRAM(cluster_push_ring)

/* Each block asks for its neighbour's tile before the neighbour has reached its declaration; later clusters use
 * the same memory. */
namespace early_map_program
{
__global__ void __cluster_dims__(2) swap(int *out)
{
    __shared__ int tile[32];
    auto cluster = cg::this_cluster();
    int *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    cluster.sync();
    other[threadIdx.x] = blockIdx.x;
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
    cluster.sync();
}

static int run()
{
    int *out, h[8 * 32];
    cudaMalloc(&out, sizeof h);
    swap<<<8, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8 * 32; i++)
        if (h[i] != (i / 32 ^ 1))
            return 3;
    return 0;
}
} // namespace early_map_program
PROGRAM(early_map)

/* Barriers in uniform branches and loops that a vote of the block ends. */
namespace barriers_that_vote_program
{
__global__ void relax(int *v, int *rounds)
{
    __shared__ int s[64];
    int t = threadIdx.x, r = 0;
    s[t] = v[t];
    __syncthreads();
    int changed;
    do {
        int left = t ? s[t - 1] : s[t];
        __syncthreads();
        bool mine = left > s[t];
        if (mine)
            s[t] = left;
        changed = __syncthreads_or(mine);
        r++;
    } while (changed);
    if (r % 2 == 0)
        __syncthreads();
    v[t] = s[t];
    int all = __syncthreads_and(s[t] == s[63]);
    if (t == 0)
        *rounds = all ? r : -r;
}

static int run()
{
    int h[64], *v, *rounds, r;
    for (int i = 0; i < 64; i++)
        h[i] = i == 0 ? 100 : i % 9;
    cudaMalloc(&v, sizeof h);
    cudaMalloc(&rounds, 4);
    cudaMemcpy(v, h, sizeof h, cudaMemcpyHostToDevice);
    relax<<<1, 64>>>(v, rounds);
    cudaMemcpy(&r, rounds, 4, cudaMemcpyDeviceToHost);
    return r == 64 ? 0 : 3;
}
} // namespace barriers_that_vote_program
PROGRAM(barriers_that_vote)

/* A bounded queue of many producers and consumers, with a sequence number in each cell. */
namespace bounded_queue_program
{
using Number = cuda::atomic<unsigned, cuda::thread_scope_device>;

struct Cell {
    Number sequence;
    int data;
};
struct Queue {
    Cell cells[8];
    Number in, out;
    __device__ bool push(int v)
    {
        unsigned at = in.load(cuda::memory_order_relaxed);
        for (;;) {
            Cell &c = cells[at % 8];
            int d = (int)(c.sequence.load(cuda::memory_order_acquire) - at);
            if (d == 0) {
                if (in.compare_exchange_weak(at, at + 1, cuda::memory_order_relaxed)) {
                    c.data = v;
                    c.sequence.store(at + 1, cuda::memory_order_release);
                    return true;
                }
            } else if (d < 0)
                return false;
            else
                at = in.load(cuda::memory_order_relaxed);
        }
    }
    __device__ bool pop(int &v)
    {
        unsigned at = out.load(cuda::memory_order_relaxed);
        for (;;) {
            Cell &c = cells[at % 8];
            int d = (int)(c.sequence.load(cuda::memory_order_acquire) - (at + 1));
            if (d == 0) {
                if (out.compare_exchange_weak(at, at + 1, cuda::memory_order_relaxed)) {
                    v = c.data;
                    c.sequence.store(at + 8, cuda::memory_order_release);
                    return true;
                }
            } else if (d < 0)
                return false;
            else
                at = out.load(cuda::memory_order_relaxed);
        }
    }
};

__global__ void reset(Queue *q)
{
    if (threadIdx.x < 8)
        q->cells[threadIdx.x].sequence.store(threadIdx.x, cuda::memory_order_relaxed);
    if (threadIdx.x == 8) {
        q->in.store(0, cuda::memory_order_relaxed);
        q->out.store(0, cuda::memory_order_relaxed);
    }
}

__global__ void trade(Queue *q, int n, int *sum)
{
    if (threadIdx.x)
        return;
    for (int i = 0; i < n; i++) {
        if (blockIdx.x % 2 == 0) {
            while (!q->push(100 * blockIdx.x + i))
                __nanosleep(10);
        } else {
            int v;
            while (!q->pop(v))
                __nanosleep(10);
            atomicAdd(sum, v);
        }
    }
}

static int run()
{
    Queue *q;
    int *sum, h;
    cudaMalloc(&q, sizeof(Queue));
    cudaMalloc(&sum, 4);
    cudaMemset(sum, 0, 4);
    reset<<<1, 32>>>(q);
    trade<<<4, 32>>>(q, 10, sum);
    cudaMemcpy(&h, sum, 4, cudaMemcpyDeviceToHost);
    return h == 45 + 45 + 2000 ? 0 : 3;
}
} // namespace bounded_queue_program
PROGRAM(bounded_queue)

/* Each warp has its own part of shared memory and only __syncwarp; warps stop at different
 * rounds. */
namespace warps_apart_in_shared_program
{
__global__ void smooth(const float *in, float *out, const int *rounds)
{
    __shared__ float s[4][2][34];
    int w = threadIdx.x / 32, l = threadIdx.x % 32 + 1, now = 0;
    float(*mine)[34] = s[w];
    mine[0][l] = in[threadIdx.x];
    if (l == 1)
        mine[0][0] = mine[1][0] = 0;
    if (l == 32)
        mine[0][33] = mine[1][33] = 0;
    __syncwarp();
    for (int r = rounds[w]; r > 0; r--) {
        mine[!now][l] = (mine[now][l - 1] + mine[now][l + 1]) / 2;
        now = !now;
        __syncwarp();
    }
    out[threadIdx.x] = mine[now][l];
}

static int run()
{
    int h[4] = {0, 3, 8, 1}, *rounds;
    float *in, *out, r[128];
    for (float &v : r)
        v = 4;
    cudaMalloc(&rounds, sizeof h);
    cudaMalloc(&in, sizeof r);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(rounds, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(in, r, sizeof r, cudaMemcpyHostToDevice);
    smooth<<<1, 128>>>(in, out, rounds);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    return r[5] == 4 && r[96] == 2 ? 0 : 3;
}
} // namespace warps_apart_in_shared_program
PROGRAM(warps_apart_in_shared)

/* Warps of a block pass a token on through a volatile shared word, with fences; blocks by a
 * chain of flags. */
namespace warps_take_turns_program
{
__global__ void chain(int *flags, int *total)
{
    __shared__ volatile int turn;
    __shared__ int sum;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        turn = 0, sum = 0;
    __syncthreads();
    if (lane == 0) {
        while (turn != warp)
            ;
        __threadfence_block();
        sum += warp + 1;
        __threadfence_block();
        turn = warp + 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (blockIdx.x)
            while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0)
                ;
        __threadfence();
        *total += sum;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}

static int run()
{
    int *flags, *total, h;
    cudaMalloc(&flags, 8 * 4);
    cudaMalloc(&total, 4);
    cudaMemset(flags, 0, 8 * 4);
    cudaMemset(total, 0, 4);
    chain<<<8, 128>>>(flags, total);
    cudaMemcpy(&h, total, 4, cudaMemcpyDeviceToHost);
    return h == 80 ? 0 : 3;
}
} // namespace warps_take_turns_program
PROGRAM(warps_take_turns)

/* cp.async with a source size: at the edge fewer bytes are read, the rest of the 16 becomes
 * zero. */
namespace cp_async_zero_fill_program
{
__global__ void edge(const float *in, float *out, int n)
{
    __shared__ __align__(16) float s[32][4];
    int t = threadIdx.x, first = 4 * t;
    int bytes = min(max(n - first, 0), 4) * 4;
    const float *from = bytes ? in + first : in;
    unsigned to = (unsigned)__cvta_generic_to_shared(s[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(from), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.wait_all;\n" ::: "memory");
    __syncthreads();
    int other = 31 - t;
    out[t] = s[other][0] + s[other][1] + s[other][2] + s[other][3];
}

static int run()
{
    const int n = 101;
    float h[n], *in, *out, r[32];
    for (float &v : h)
        v = 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    edge<<<1, 32>>>(in, out, n);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    return r[31] == 4 && r[6] == 1 && r[5] == 0 ? 0 : 3;
}
} // namespace cp_async_zero_fill_program
PROGRAM(cp_async_zero_fill)
