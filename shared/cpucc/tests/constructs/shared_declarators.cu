/* Several declarators in one __shared__ declaration: each has its own type. */
#include "constructs.h"

__global__ void pointers(int *out)
{
    __shared__ unsigned *p, q;
    if (threadIdx.x == 0) {
        p = &q;
        q = 7;
    }
    __syncthreads();
    out[threadIdx.x] = (int)(sizeof q * 100 + *p + sizeof p);
}

__global__ void mixed(int *out)
{
    __shared__ int a[32], b, *c, (*d)[32];
    __shared__ const int *e;
    a[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0)
        b = 1000, c = a + 1, d = &a, e = &b;
    __syncthreads();
    out[threadIdx.x] = *e + c[2] + (*d)[threadIdx.x];
}

struct Pair {
    int x, y;
};

__global__ void structs(int *out)
{
    __shared__ struct Pair pairs[32], *first;
    __shared__ struct {
        short s[2];
        int i;
    } unnamed;
    pairs[threadIdx.x] = {(int)threadIdx.x, 2};
    if (threadIdx.x == 0)
        first = pairs, unnamed.i = 5, unnamed.s[1] = 6;
    __syncthreads();
    out[threadIdx.x] = first[31 - threadIdx.x].x * first->y + unnamed.i + unnamed.s[1];
}

int main()
{
    pointers<<<1, 32>>>(fresh());
    fetch();
    expect("pointer and unsigned", host[3], 415);
    mixed<<<1, 32>>>(fresh());
    fetch();
    expect("arrays and pointers", host[4], 1007);
    structs<<<1, 32>>>(fresh());
    fetch();
    expect("structs", host[1], 71);
    return failures != 0;
}
