/* Programs whose faults need an order: usage: schedule NAME. The usual order hides them. */
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda/barrier>

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

/* Right in every order: a lock, and a sum. */
__global__ void right()
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, (int)threadIdx.x);
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
    if (!strcmp(name, "right"))
        right<<<8, 64>>>();
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    if (!strcmp(name, "right")) {
        int sum;
        cudaMemcpyFromSymbol(&sum, value, sizeof sum);
        printf("sum %d\n", sum);
        return sum != 8 * 64 * 63 / 2;
    }
    return 0;
}
