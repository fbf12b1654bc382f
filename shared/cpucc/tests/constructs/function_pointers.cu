/* Pointers to device functions: in tables, as arguments, taken by kernels; virtual functions. */
#include "constructs.h"

typedef int (*Operation)(int);
__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__device__ Operation operations[2] = {twice, square};
__device__ Operation pointer = square;

__global__ void table(int *out) { out[threadIdx.x] = operations[threadIdx.x % 2](threadIdx.x); }
__global__ void passed(Operation f, int *out) { out[threadIdx.x] = f(threadIdx.x); }
__global__ void mixed(float (*f)(float, const float *), int *out)
{
    float one = 1;
    out[threadIdx.x] = (int)f(threadIdx.x, &one);
}
__device__ float add(float a, const float *b) { return a + *b; }
__device__ float (*adding)(float, const float *) = add;

struct Shape {
    __device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
    __device__ int sides() const override { return 4; }
};
__device__ __noinline__ int ask(const Shape *s) { return s->sides(); }
__global__ void virtuals(int *out)
{
    Square s;
    Shape t;
    out[threadIdx.x] = ask(&s) * 10 + ask(&t);
}

int main()
{
    table<<<1, 32>>>(fresh());
    fetch();
    expect("even", host[6], 12);
    expect("odd", host[7], 49);
    Operation f;
    cudaMemcpyFromSymbol(&f, pointer, sizeof f);
    passed<<<1, 32>>>(f, fresh());
    fetch();
    expect("passed", host[5], 25);
    float (*g)(float, const float *);
    cudaMemcpyFromSymbol(&g, adding, sizeof g);
    mixed<<<1, 32>>>(g, fresh());
    fetch();
    expect("several arguments", host[5], 6);
    virtuals<<<1, 32>>>(fresh());
    fetch();
    expect("virtual", host[0], 40);
    return failures != 0;
}
