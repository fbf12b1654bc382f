/* Programs whose faults need an order: usage: schedule NAME. The default order hides them. */
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <cstdint>

__device__ int ticket, value, flag, seen;

/* Takes for granted that blocks start in the order of their numbers. */
__global__ void blocks()
{
    if (threadIdx.x == 0)
        assert(atomicAdd(&ticket, 1) == (int)blockIdx.x);
}

/* Takes for granted that warp 0 comes first. */
__global__ void warps()
{
    if (threadIdx.x % 32 == 0)
        assert(atomicAdd(&ticket, 1) == (int)threadIdx.x / 32);
}

/* A flag that is raised before the value is there: block 1 seldom looks in between. */
__global__ void early_flag(int rounds)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < rounds; i++)
            atomicAdd(&ticket, 1);
        atomicExch(&flag, 1);
        for (int i = 0; i < rounds; i++)
            atomicAdd(&ticket, 1);
        atomicExch(&value, 7);
    } else if (threadIdx.x == 0 && atomicAdd(&flag, 0)) {
        assert(atomicAdd(&value, 0) == 7);
    }
}

/* A stage that warp 1 hands back before it has taken what is in it: another number may come. */
__global__ void stage()
{
    __shared__ int full, item;
    if (threadIdx.x == 0)
        full = item = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 1; i <= 4; i++) {
            while (atomicAdd(&full, 0))
                ;
            atomicExch(&item, i);
            atomicExch(&full, 1);
        }
    if (threadIdx.x == 32)
        for (int i = 1; i <= 4; i++) {
            while (!atomicAdd(&full, 0))
                ;
            atomicExch(&full, 0);
            for (int wait = 0; wait < 20; wait++)
                atomicAdd(&ticket, 1);
            assert(atomicAdd(&item, 0) == i);
        }
}

/* Order through mbarriers and TMA, from here on. */
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ void make_barrier(uint64_t *b)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(b)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void arrive(uint64_t *b)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(AT(b))
                 : "memory");
}

__device__ void load_128(int *to, const int *from, uint64_t *b)
{
    asm volatile(
        "{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], 128; }" ::"r"(AT(b))
        : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "128, [%2];" ::"r"(AT(to)),
                 "l"(from), "r"(AT(b))
                 : "memory");
}

__device__ bool is_complete(uint64_t *b, int parity)
{
    int done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; "
                 "selp.b32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(AT(b)), "r"(parity)
                 : "memory");
    return done;
}

__device__ void wait_for(uint64_t *b, int parity)
{
    while (!is_complete(b, parity))
        ;
}

__device__ alignas(128) int source[256];

/* Two copies, which usually complete before anybody asks. Who finds the first one late waits for that
 * and forgets the second. */
__global__ void late_copy()
{
    __shared__ alignas(128) int stage[2][32];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0) {
        make_barrier(&full[0]);
        make_barrier(&full[1]);
        load_128(stage[0], source, &full[0]);
        load_128(stage[1], source + 32, &full[1]);
    }
    __syncthreads();
    if (is_complete(&full[0], 0))
        wait_for(&full[1], 0);
    else
        wait_for(&full[0], 0);
    atomicAdd(&seen, stage[0][threadIdx.x] + stage[1][threadIdx.x]);
}

/* A flag without a fence: the block that reads it usually comes first, and finds nothing. */
__global__ void no_fence()
{
    if (threadIdx.x == 0 && blockIdx.x == 1) {
        value = 7;
        atomicExch(&flag, 1);
    } else if (threadIdx.x == 0 && atomicAdd(&flag, 0)) {
        seen = value;
    }
}

/* A stage that is filled again: a consumer that has to wait hands it back too early. */
__global__ void reused_stage()
{
    __shared__ alignas(128) int stage[2][32];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; s++) {
            make_barrier(&full[s]);
            make_barrier(&empty[s]);
        }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < 8; i++) {
            if (i >= 2)
                wait_for(&empty[i % 2], (i / 2 - 1) & 1);
            load_128(stage[i % 2], source + 32 * i, &full[i % 2]);
        }
    if (threadIdx.x == 32)
        for (int i = 0; i < 8; i++) {
            bool at_once = is_complete(&full[i % 2], i / 2 & 1);
            wait_for(&full[i % 2], i / 2 & 1);
            if (!at_once)
                arrive(&empty[i % 2]);
            atomicAdd(&seen, stage[i % 2][i]);
            if (at_once)
                arrive(&empty[i % 2]);
        }
}

/* Right in every order: a lock, a sum, and a barrier of 32 threads that each warp completes by itself though its lanes
 * come one by one. */
__global__ void right()
{
    __shared__ int sum, own[4][32];
    int lane = threadIdx.x % 32, *of_warp = own[threadIdx.x / 32];
    of_warp[lane] = threadIdx.x;
    for (volatile int *p = source; p < source + lane; p++)
        of_warp[lane] += *p;
    asm volatile("bar.sync 1, 32;" ::: "memory");
    int other = of_warp[31 - lane];
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, other);
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicCAS(&flag, 0, 1))
            ;
        __threadfence();
        value += sum;
        __threadfence();
        atomicExch(&flag, 0);
    }
}

/* Takes for granted that all lanes of a warp have stored zeros before one stores a number. */
__global__ void lockstep()
{
    __shared__ volatile int word[32];
    word[31 - threadIdx.x] = 0;
    word[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    assert(word[threadIdx.x]);
}

int main(int, char **word)
{
    const char *name = word[1];
    if (!strcmp(name, "blocks"))
        blocks<<<8, 32>>>();
    if (!strcmp(name, "warps"))
        warps<<<1, 256>>>();
    if (!strcmp(name, "early_flag"))
        early_flag<<<2, 32>>>(100);
    if (!strcmp(name, "stage"))
        stage<<<1, 64>>>();
    if (!strcmp(name, "late_copy"))
        late_copy<<<1, 32>>>();
    if (!strcmp(name, "no_fence"))
        no_fence<<<2, 32>>>();
    if (!strcmp(name, "reused_stage"))
        reused_stage<<<1, 64>>>();
    if (!strcmp(name, "lockstep"))
        lockstep<<<1, 32>>>();
    if (!strcmp(name, "right"))
        right<<<8, 128>>>();
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    if (!strcmp(name, "right")) {
        int sum;
        cudaMemcpyFromSymbol(&sum, value, sizeof sum);
        printf("sum %d\n", sum);
        return sum != 8 * 128 * 127 / 2;
    }
    return 0;
}
