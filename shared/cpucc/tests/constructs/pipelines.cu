/* cuda::pipeline of a block: producers and consumers, and all threads as both; copies at a barrier. */
#include "constructs.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

enum { STAGES = 2, TILES = 7, N = 64 };

/* 32 threads fetch tiles, 64 others add them up. */
__global__ void roles(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ int tile[STAGES][N];
    auto block = cg::this_thread_block();
    bool fetches = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int t = 0; t < TILES; t++) {
        if (fetches) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < N; i += 32)
                cuda::memcpy_async(&tile[t % STAGES][i], &in[t * N + i], cuda::aligned_size_t<4>(4),
                                   pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += tile[t % STAGES][N - 1 - (threadIdx.x - 32)];
            pipe.consumer_release();
        }
    }
    if (!fetches)
        out[threadIdx.x - 32] = sum;
}

__global__ void both(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ int tile[STAGES][N];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int t = 0; t < TILES + 1; t++) {
        if (t < TILES) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[t % STAGES], in + t * N, sizeof tile[0], pipe);
            pipe.producer_commit();
        }
        if (t) {
            pipe.consumer_wait();
            sum += tile[(t - 1) % STAGES][N - 1 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}

__global__ void at_barrier(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ __align__(16) int tile[N];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x % 4 == 0)
        cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int2), bar);
    if (threadIdx.x % 4 == 2)
        cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, cuda::aligned_size_t<8>(8), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}

int main()
{
    int in[TILES * N], *d;
    for (int i = 0; i < TILES * N; i++)
        in[i] = i;
    cudaMalloc(&d, sizeof in);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    int wanted = 21 * N + 7 * (N - 1 - 5);
    roles<<<1, 96>>>(d, fresh());
    fetch();
    expect("producers and consumers", host[5], wanted);
    both<<<1, N>>>(d, fresh());
    fetch();
    expect("all threads", host[5], wanted);
    at_barrier<<<1, N>>>(d, fresh());
    fetch();
    expect("copies at a barrier", host[1], N - 2);
    return failures != 0;
}
