/* A variable without a value passed on: nvcc keeps the branches around it. */
#include "constructs.h"

__global__ void broadcast(int *out, int *counter)
{
    int base;
    if (threadIdx.x == 0)
        base = atomicAdd(counter, 32);
    base = __shfl_sync(0xffffffff, base, 0);
    out[threadIdx.x] = base + threadIdx.x;
}

__global__ void bounded(const int *in, int *out, int n)
{
    int v;
    if ((int)threadIdx.x < n)
        v = in[threadIdx.x];
    v = __shfl_down_sync(0xffffffff, v, 1);
    if ((int)threadIdx.x < n - 1)
        out[threadIdx.x] = v;
}

__device__ __noinline__ int choose(int use, int v) { return use ? v : -1; }
__global__ void argument(int *out, int *counter)
{
    int ticket;
    if (threadIdx.x % 8 == 0)
        ticket = atomicAdd(counter, 1);
    out[threadIdx.x] = choose(threadIdx.x % 8 == 0, ticket) < 0;
}

int main()
{
    int *small, ten[10];
    broadcast<<<1, 32>>>(fresh(), fresh() + 500);
    fetch();
    expect("one lane adds", host[500], 32);
    expect("all have its value", host[9], 9);
    for (int i = 0; i < 10; i++)
        ten[i] = i;
    cudaMalloc(&small, sizeof ten);
    cudaMemcpy(small, ten, sizeof ten, cudaMemcpyHostToDevice);
    bounded<<<1, 32>>>(small, fresh(), 10);
    fetch();
    expect("nobody reads behind the end", host[8], 9);
    argument<<<1, 32>>>(fresh(), fresh() + 500);
    fetch();
    expect("four lanes add", host[500], 4);
    return failures != 0;
}
