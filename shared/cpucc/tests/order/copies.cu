/* Order through mbarriers, asynchronous copies and clusters. */
#include "order.h"
#include <cuda/barrier>
#include <cuda_pipeline.h>
#include <stdlib.h>

typedef cuda::barrier<cuda::thread_scope_block> Barrier;

static void wrong(const char *what)
{
    printf("wrong: %s\n", what);
    exit(3);
}

/* Macros, so that a fault's line is that of the use. */
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define MAKE(b, n)                                                                                 \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(b)), "r"(n) : "memory")
#define ARRIVE(b)                                                                                  \
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(AT(b))          \
                 : "memory")
#define EXPECT(b, bytes)                                                                           \
    asm volatile(                                                                                  \
        "{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::"r"(AT(b)),    \
        "r"(bytes)                                                                                 \
        : "memory")
#define WAIT(b, parity)                                                                            \
    asm volatile("{ .reg .pred p; w: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; "       \
                 "@!p bra w; }" ::"r"(AT(b)),                                                      \
                 "r"(parity)                                                                       \
                 : "memory")
#define LOAD(to, from, bytes, b)                                                                   \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "  \
                 "%2, [%3];" ::"r"(AT(to)),                                                        \
                 "l"(from), "r"(bytes), "r"(AT(b))                                                 \
                 : "memory")
#define STORE(to, from, bytes)                                                                     \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),          \
                 "r"(AT(from)), "r"(bytes)                                                         \
                 : "memory")
#define COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define DRAIN() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define DRAIN_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define FENCE_INIT() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define FENCE_ASYNC() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

__global__ void one_lane_waits_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(&full, 128);
        LOAD(tile, in, 128, &full);
    }
    if (threadIdx.x >= 32) {
        if (threadIdx.x == 32)
            WAIT(&full, 0);
        __syncwarp();
        out[threadIdx.x - 32] = tile[threadIdx.x - 32];
    }
}
CASE(one_lane_waits) { one_lane_waits_kernel<<<1, 64>>>(ints(32), ints(32)); }

__global__ void one_lane_waits_no_syncwarp_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(&full, 128);
        LOAD(tile, in, 128, &full);
        WAIT(&full, 0);
    }
    out[threadIdx.x] = tile[threadIdx.x]; /* FAULT: copy_not_waited */
}
CASE(one_lane_waits_no_syncwarp)
{
    one_lane_waits_no_syncwarp_kernel<<<1, 32>>>(ints(32), ints(32));
}

__global__ void issuer_reads_without_wait_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[32];
    __shared__ uint64_t full;
    __shared__ volatile int done;
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
        done = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(&full, 128);
        LOAD(tile, in, 128, &full);
        while (!done)
            ;
        out[0] = tile[0]; /* FAULT: race_read_after_write */
    } else if (threadIdx.x == 32) {
        WAIT(&full, 0);
        done = 1;
    }
}
CASE(issuer_reads_without_wait) { issuer_reads_without_wait_kernel<<<1, 64>>>(ints(32), ints(32)); }

/* A ring of two stages: warp 0 loads, the others consume. WAITS: the producer waits for them;
 * ARRIVALS: how many of the three consuming warps the barrier expects. */
template <int WAITS, int ARRIVALS>
__device__ void ring(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int stage[2][32];
    __shared__ uint64_t full[2], empty[2];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; s++) {
            MAKE(&full[s], 1);
            MAKE(&empty[s], ARRIVALS);
        }
        FENCE_INIT();
    }
    __syncthreads();
    if (warp == 0) {
        for (int i = 0; i < tiles && lane == 0; i++) {
            int s = i % 2;
            if (WAITS && i >= 2)
                WAIT(&empty[s], (i / 2 - 1) & 1);
            EXPECT(&full[s], 128);
            LOAD(stage[s], in + i * 32, 128, &full[s]);
        }
    } else {
        int sum = 0;
        for (int i = 0; i < tiles; i++) {
            int s = i % 2;
            WAIT(&full[s], i / 2 & 1);
            sum += stage[s][31 - lane];
            FENCE_ASYNC();
            __syncwarp();
            if (lane == 0 && warp <= ARRIVALS)
                ARRIVE(&empty[s]);
        }
        out[threadIdx.x - 32] = sum;
    }
}

__global__ void ring_of_stages_kernel(const int *in, int *out) { ring<1, 3>(in, out, 6); }
CASE(ring_of_stages) { ring_of_stages_kernel<<<2, 128>>>(ints(192), ints(96)); }

__global__ void warp_specialised_plain_stores_kernel(const int *in, int *out)
{
    __shared__ int stage[2][32];
    __shared__ Barrier full[2], empty[2];
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; s++) {
            init(&full[s], 32);
            init(&empty[s], 32);
        }
    __syncthreads();
    for (int i = 0; i < 6; i++) {
        int s = i % 2;
        if (threadIdx.x < 32) {
            if (i >= 2)
                empty[s].wait_parity((i / 2 - 1) & 1);
            stage[s][lane] = in[i * 32 + lane];
            (void)full[s].arrive();
        } else {
            full[s].wait_parity(i / 2 & 1);
            out[i * 32 + lane] = stage[s][31 - lane];
            (void)empty[s].arrive();
        }
    }
}
CASE(warp_specialised_plain_stores)
{
    warp_specialised_plain_stores_kernel<<<1, 64>>>(ints(192), ints(192));
}

/* The producer may fill a stage twice before it is looked at; then a phase is missed for ever. */
__global__ void warp_specialised_refilled_early_kernel(const int *in, int *out)
{
    __shared__ int stage[2][32];
    __shared__ Barrier full[2];
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; s++)
            init(&full[s], 32);
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        int s = i % 2;
        if (threadIdx.x < 32) {
            stage[s][lane] = in[i * 32 + lane];
            (void)full[s].arrive();
        } else {
            full[s].wait_parity(i / 2 & 1); /* FAULT: endless_wait */
            out[i * 32 + lane] = stage[s][31 - lane];
        }
    }
}
CASE(warp_specialised_refilled_early)
{
    warp_specialised_refilled_early_kernel<<<1, 64>>>(ints(128), ints(128));
}

__global__ void consumer_arrives_before_reading_kernel(const int *in, int *out)
{
    __shared__ int stage[32];
    __shared__ Barrier full, empty;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(&full, 32);
        init(&empty, 32);
    }
    __syncthreads();
    for (int i = 0; i < 3; i++)
        if (threadIdx.x < 32) {
            if (i > 0)
                empty.wait_parity((i - 1) & 1);
            stage[lane] = in[lane]; /* FAULT: race_write_after_read */
            (void)full.arrive();
        } else {
            full.wait_parity(i & 1);
            (void)empty.arrive();
            out[lane] += stage[31 - lane];
        }
}
CASE(consumer_arrives_before_reading)
{
    consumer_arrives_before_reading_kernel<<<1, 64>>>(ints(32), ints(32));
}

__global__ void one_warp_not_waited_for_kernel(const int *in, int *out)
{
    __shared__ int stage[32];
    __shared__ uint64_t empty;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        MAKE(&empty, 2);
    if (threadIdx.x < 32)
        stage[lane] = in[lane];
    __syncthreads();
    if (warp > 0) {
        out[threadIdx.x - 32] = stage[31 - lane];
        __syncwarp();
        if (lane == 0 && warp < 3)
            ARRIVE(&empty);
    } else {
        WAIT(&empty, 0);
        stage[lane] = in[lane + 32]; /* FAULT: race_write_after_read */
    }
}
CASE(one_warp_of_three_not_waited_for)
{
    one_warp_not_waited_for_kernel<<<1, 128>>>(ints(64), ints(96));
}

__global__ void mbarrier_made_twice_kernel(int *out)
{
    __shared__ uint64_t bar;
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0)
            MAKE(&bar, 32); /* FAULT: mbarrier_misuse */
        __syncthreads();
        ARRIVE(&bar);
        WAIT(&bar, 0);
        __syncthreads();
        out[threadIdx.x] += i;
    }
}
CASE(mbarrier_made_twice) { mbarrier_made_twice_kernel<<<1, 32>>>(ints(32)); }

__global__ void mbarrier_ended_and_made_again_kernel(int *out)
{
    __shared__ uint64_t bar;
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0)
            MAKE(&bar, 32);
        __syncthreads();
        ARRIVE(&bar);
        WAIT(&bar, 0);
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(AT(&bar)) : "memory");
        out[threadIdx.x] += i;
    }
}
CASE(mbarrier_ended_and_made_again) { mbarrier_ended_and_made_again_kernel<<<1, 32>>>(ints(32)); }

__global__ void __cluster_dims__(2, 1, 1) mbarrier_of_another_block_waited_for_kernel(int *out)
{
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    uint64_t *first = cluster.map_shared_rank(&bar, 0);
    if (threadIdx.x == 0)
        MAKE(&bar, 64);
    cluster.sync();
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(AT(first))
                 : "memory");
    WAIT(first, 0); /* FAULT: mbarrier_misuse */
    out[blockIdx.x * 32 + threadIdx.x] = 1;
    cluster.sync();
}
CASE(mbarrier_of_another_block_waited_for)
{
    mbarrier_of_another_block_waited_for_kernel<<<2, 32>>>(ints(64));
}

__global__ void load_source_overwritten_kernel(int *in, int *out)
{
    __shared__ alignas(128) int tile[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
        EXPECT(&full, 128);
        LOAD(tile, in, 128, &full);
        in[5] = 1; /* FAULT: copy_not_waited */
    }
    __syncthreads();
    WAIT(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}
CASE(load_source_overwritten) { load_source_overwritten_kernel<<<1, 32>>>(ints(32), ints(32)); }

__global__ void load_in_place_kernel(int *in)
{
    __shared__ alignas(128) int tile[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
        EXPECT(&full, 128);
        LOAD(tile, in, 128, &full);
    }
    __syncthreads();
    WAIT(&full, 0);
    in[threadIdx.x] = tile[31 - threadIdx.x] + 1;
}
CASE(load_in_place) { load_in_place_kernel<<<1, 32>>>(ints(32)); }

__global__ void proxy_fence_of_issuer_kernel(int *out)
{
    __shared__ alignas(128) int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        FENCE_ASYNC();
        STORE(out, tile, 256);
        COMMIT();
        DRAIN();
    }
}
CASE(proxy_fence_of_issuer) { proxy_fence_of_issuer_kernel<<<1, 64>>>(ints(64)); }

__global__ void pipeline_of_one_thread_kernel(const int *in, int *out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            __pipeline_memcpy_async(&s[(i + 1) % 2][t], &in[(i + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[t] += s[i % 2][63 - t];
        __syncthreads();
    }
}
CASE(pipeline_of_one_thread) { pipeline_of_one_thread_kernel<<<1, 64>>>(ints(256), ints(64)); }

__global__ void pipeline_without_second_barrier_kernel(const int *in, int *out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int i = 0; i < 4; i++) {
        int *next = &s[(i + 1) % 2][t];
        if (i < 3)
            /* FAULT: race_write_after_read */
            __pipeline_memcpy_async(next, &in[(i + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[t] += s[i % 2][63 - t]; /* FAULT: copy_not_waited */
    }
}
CASE(pipeline_without_second_barrier)
{
    pipeline_without_second_barrier_kernel<<<1, 64>>>(ints(256), ints(64));
}

__global__ void copy_waited_for_alone_kernel(const int *in, int *out)
{
    __shared__ int s[64];
    /* FAULT: race_write_after_read */
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x];
    out[threadIdx.x] += s[63 - threadIdx.x]; /* FAULT: race_read_after_write, uninitialised */
}
CASE(copy_waited_for_by_its_thread_alone)
{
    copy_waited_for_alone_kernel<<<1, 64>>>(ints(64), ints(64));
}

__global__ void __cluster_dims__(2, 1, 1) cluster_read_too_early_kernel(int *out)
{
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = cluster.block_rank(); /* FAULT: race_write_after_read */
    __syncthreads();
    const int *theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    /* FAULT: block_absent, race_read_after_write, uninitialised */
    out[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x];
    cluster.sync();
}
CASE(cluster_read_too_early) { cluster_read_too_early_kernel<<<2, 32>>>(ints(64)); }

__global__ void __cluster_dims__(2, 1, 1) cluster_written_before_it_begins_kernel(int *out)
{
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    int *theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    theirs[threadIdx.x] = cluster.block_rank(); /* FAULT: block_absent */
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
}
CASE(cluster_written_before_it_begins)
{
    cluster_written_before_it_begins_kernel<<<2, 32>>>(ints(64));
}

__global__ void __cluster_dims__(2, 1, 1) cluster_written_after_arrive_kernel(int *out)
{
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    s[threadIdx.x] = cluster.block_rank();
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    const int *theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x]; /* FAULT: race_read_after_write */
    cluster.sync();
}
CASE(cluster_written_after_arrive) { cluster_written_after_arrive_kernel<<<2, 32>>>(ints(64)); }

__global__ void __cluster_dims__(2, 1, 1) cluster_histogram_no_last_sync_kernel(int *out)
{
    __shared__ int bins[32];
    cg::cluster_group cluster = cg::this_cluster();
    bins[threadIdx.x] = 0;
    cluster.sync();
    int bin = threadIdx.x * 5 % 64;
    /* FAULT: block_absent, race_write_after_read */
    atomicAdd(cluster.map_shared_rank(&bins[bin % 32], bin / 32), 1);
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = bins[threadIdx.x];
}
CASE(cluster_histogram_no_last_sync) { cluster_histogram_no_last_sync_kernel<<<2, 32>>>(ints(64)); }

/* ---- threads' accesses, and the load that overwrites what they used ---- */

__global__ void refilled_without_proxy_fence_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        if (t == 0) {
            EXPECT(&full, 256);
            LOAD(tile, in + i * 64, 256, &full); /* REMARK: proxy_fence_before_load */
        }
        WAIT(&full, i & 1);
        sum += tile[63 - t];
        __syncthreads();
    }
    out[t] = sum;
}
CASE(refilled_without_proxy_fence)
{
    refilled_without_proxy_fence_kernel<<<2, 64>>>(ints(256), ints(64));
}

__global__ void refilled_after_everybodys_fence_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        if (t == 0) {
            EXPECT(&full, 256);
            LOAD(tile, in + i * 64, 256, &full);
        }
        WAIT(&full, i & 1);
        sum += tile[63 - t];
        FENCE_ASYNC();
        __syncthreads();
    }
    out[t] = sum;
}
CASE(refilled_after_everybodys_fence)
{
    refilled_after_everybodys_fence_kernel<<<2, 64>>>(ints(256), ints(64));
}

__global__ void refilled_after_the_issuers_fence_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[2][32];
    __shared__ uint64_t full[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        MAKE(&full[0], 1);
        MAKE(&full[1], 1);
        FENCE_INIT();
    }
    __syncwarp();
    for (int i = 0; i < 6; i++) {
        int s = i % 2;
        if (t == 0) {
            FENCE_ASYNC(); /* behind the __syncwarp: for all that was read */
            EXPECT(&full[s], 128);
            LOAD(tile[s], in + i * 32, 128, &full[s]);
        }
        WAIT(&full[s], i / 2 & 1);
        sum += tile[s][t ^ 1];
        __syncwarp();
    }
    out[t] = sum;
}
CASE(refilled_after_the_issuers_fence)
{
    refilled_after_the_issuers_fence_kernel<<<2, 32>>>(ints(192), ints(32));
}

__global__ void cleared_then_loaded_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    tile[t] = 0; /* the copy fills the first half */
    if (t == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        EXPECT(&full, 128);
        LOAD(tile, in, 128, &full); /* REMARK: proxy_fence_before_load */
    }
    WAIT(&full, 0);
    out[t] = tile[63 - t];
}
CASE(cleared_then_loaded) { cleared_then_loaded_kernel<<<1, 64>>>(ints(32), ints(64)); }

__global__ void cleared_fenced_then_loaded_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    tile[t] = 0;
    FENCE_ASYNC();
    if (t == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        EXPECT(&full, 128);
        LOAD(tile, in, 128, &full);
    }
    WAIT(&full, 0);
    out[t] = tile[63 - t];
}
CASE(cleared_fenced_then_loaded)
{
    cleared_fenced_then_loaded_kernel<<<1, 64>>>(ints(32), ints(64));
}

__global__ void stored_then_loaded_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        if (t == 0) {
            EXPECT(&full, 256);
            LOAD(tile, in + i * 64, 256, &full);
        }
        WAIT(&full, i & 1);
        tile[t] += 1;
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            STORE(out + i * 64, tile, 256);
            COMMIT();
            DRAIN_READ();
        }
    }
}
CASE(stored_then_loaded) { stored_then_loaded_kernel<<<1, 64>>>(ints(192), ints(192)); }

#define MULTICAST(to, from, bytes, b, ranks)                                                       \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"               \
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(AT(to)),                    \
                 "l"(from), "r"(bytes), "r"(AT(b)), "h"((unsigned short)(ranks))                   \
                 : "memory")
template <int WAITS>
__device__ void multicast(const int *in, int *out)
{
    __shared__ alignas(128) int tile[32];
    __shared__ uint64_t full;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
        EXPECT(&full, 128);
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        MULTICAST(tile, in, 128, &full, 3);
    if (WAITS || cluster.block_rank() == 0)
        WAIT(&full, 0);
    out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x]; /* FAULT: copy_not_waited */
    if (!WAITS)
        WAIT(&full, 0);
    cluster.sync();
}
__global__ void __cluster_dims__(2, 1, 1) cluster_multicast_no_wait_kernel(const int *in, int *out)
{
    multicast<0>(in, out);
}
CASE(cluster_multicast) { cluster_multicast_no_wait_kernel<<<2, 32>>>(ints(32), ints(64)); }

/* Each block sends its tile to its neighbour's shared memory. */
#define SEND(to, from, bytes, b)                                                                   \
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "   \
                 "[%1], %2, [%3];" ::"r"(to),                                                      \
                 "r"(AT(from)), "r"(bytes), "r"(b)                                                 \
                 : "memory")
__device__ unsigned in_block(unsigned address, unsigned rank)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}
enum { SEND_RIGHT, SEND_UNFENCED, SEND_OVERWRITTEN };

template <int HOW>
__device__ void send(const int *in, int *out)
{
    __shared__ alignas(128) int mine[32], came[32];
    __shared__ uint64_t full;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned other = cluster.block_rank() ^ 1;
    mine[threadIdx.x] = in[threadIdx.x] + cluster.block_rank();
    if (HOW != SEND_UNFENCED)
        FENCE_ASYNC();
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
        EXPECT(&full, 128);
    }
    cluster.sync();
    if (threadIdx.x == 0)
        SEND(in_block(AT(came), other), mine, 128, /* FAULT: proxy_fence */
             in_block(AT(&full), other));
    if (HOW == SEND_OVERWRITTEN)
        mine[threadIdx.x] = 0;
    WAIT(&full, 0);
    out[blockIdx.x * 32 + threadIdx.x] = came[threadIdx.x];
    cluster.sync();
}
__global__ void __cluster_dims__(2, 1, 1) send_unfenced(const int *in, int *out)
{
    send<SEND_UNFENCED>(in, out);
}
CASE(cluster_send_unfenced) { send_unfenced<<<2, 32>>>(ints(32), ints(64)); }

__global__ void __cluster_dims__(2, 1, 1) send_right(const int *in, int *out)
{
    send<SEND_RIGHT>(in, out);
}
CASE(cluster_send)
{
    int *out = ints(64), there[64];
    send_right<<<2, 32>>>(ints(32), out);
    cudaMemcpy(there, out, sizeof there, cudaMemcpyDeviceToHost);
    if (there[0] != 1 || there[32] != 0)
        wrong("the neighbour's tile did not come");
}

/* Sums of blocks by TMA. */
#define REDUCE(operation, to, from, bytes)                                                         \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group" operation                    \
                 " [%0], [%1], %2;" ::"l"(to),                                                     \
                 "r"(AT(from)), "r"(bytes)                                                         \
                 : "memory")

__global__ void bulk_reduction_kernel(int *sum, unsigned *most, float *floats, double *doubles)
{
    __shared__ alignas(16) int i[32];
    __shared__ alignas(16) unsigned u[32];
    __shared__ alignas(16) float f[32];
    __shared__ alignas(16) double d[32];
    i[threadIdx.x] = -1, u[threadIdx.x] = blockIdx.x + threadIdx.x;
    f[threadIdx.x] = 0.5f, d[threadIdx.x] = blockIdx.x;
    FENCE_ASYNC();
    __syncthreads();
    if (threadIdx.x == 0) {
        REDUCE(".add.s32", sum, i, 128);
        REDUCE(".max.u32", most, u, 128);
        REDUCE(".add.f32", floats, f, 128);
        REDUCE(".add.f64", doubles, d, 256);
        COMMIT();
        DRAIN_READ();
    }
}
template <class T>
static T last_of(const void *p)
{
    T there[32];
    cudaMemcpy(there, p, sizeof there, cudaMemcpyDeviceToHost);
    return there[31];
}
CASE(bulk_reduction)
{
    int *i = ints(32), *u = ints(32), *f = ints(32), *d = ints(64);
    bulk_reduction_kernel<<<4, 32>>>(i, (unsigned *)u, (float *)f, (double *)d);
    if (last_of<int>(i) != -4 || last_of<unsigned>(u) != 34 || last_of<float>(f) != 2 ||
        last_of<double>(d) != 6)
        wrong("sums");
}

__global__ void bulk_reduction_into_nothing_kernel(int *sum)
{
    __shared__ alignas(16) int bins[32];
    bins[threadIdx.x] = 1;
    FENCE_ASYNC();
    __syncthreads();
    if (threadIdx.x == 0) {
        REDUCE(".add.s32", sum, bins, 128); /* FAULT: uninitialised */
        COMMIT();
        DRAIN();
    }
}
CASE(bulk_reduction_into_nothing)
{
    int *p;
    cudaMalloc(&p, 128);
    bulk_reduction_into_nothing_kernel<<<2, 32>>>(p);
}

__device__ __forceinline__ void wait_in_loop(uint64_t *b, int parity)
{
    asm volatile("{\n.reg .pred P1;\nLAB_%=:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE_%=;\nbra LAB_%=;\nDONE_%=:\n}" ::"r"(AT(b)),
                 "r"(parity)
                 : "memory");
}
__global__ void labels_with_numbers_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int tile[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        MAKE(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0) {
            EXPECT(&full, 128);
            LOAD(tile, in, 128, &full);
        }
        wait_in_loop(&full, i);
        out[threadIdx.x] = tile[threadIdx.x];
        FENCE_ASYNC();
        __syncthreads();
    }
}
CASE(labels_with_numbers) { labels_with_numbers_kernel<<<1, 32>>>(ints(32), ints(32)); }
