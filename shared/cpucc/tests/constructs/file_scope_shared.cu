/* __shared__ variables at file scope, static ones and in a namespace, used by several functions. */
#include "constructs.h"

__shared__ int tile[32];
static __shared__ float sums[2][4];
namespace inside
{
__shared__ int one;
}
extern __shared__ int dynamic[];

__device__ void put(int i, int v) { tile[i] = v; }

__global__ void exchange(int *out)
{
    put(threadIdx.x, 3 * threadIdx.x);
    if (threadIdx.x == 0)
        inside::one = 5, sums[1][2] = 2.5f;
    dynamic[threadIdx.x] = 1000 * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] =
        tile[31 - threadIdx.x] + inside::one + (int)(2 * sums[1][2]) + dynamic[threadIdx.x ^ 1];
}

__global__ void another(int *out)
{
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[0] + tile[31];
}

int main()
{
    exchange<<<2, 32, 128>>>(fresh());
    fetch();
    expect("of several functions", host[2], 29 * 3 + 10 + 3000);
    another<<<1, 32>>>(fresh());
    fetch();
    expect("of another kernel", host[0], 2);
    return failures != 0;
}
