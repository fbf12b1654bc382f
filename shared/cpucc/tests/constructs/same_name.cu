/* A host function named like the kernel that it launches, told apart by its parameters. */
#include "constructs.h"

__global__ void scale(int *p, int a) { p[threadIdx.x] += a; }
void scale(int *p, int a, int n) { scale<<<1, n>>>(p, a); }

template <class T>
__global__ void fill(T *p, T v)
{
    p[threadIdx.x] = v;
}
template <class T>
void fill(T *p, T v, int n)
{
    fill<T><<<1, n>>>(p, v);
}

namespace steps
{
__global__ void run(int *p) { p[threadIdx.x] = 11; }
void run(int *p, int n) { run<<<1, n>>>(p); }
} // namespace steps

int main()
{
    scale(fresh(), 3, 32);
    fetch();
    expect("plain", host[31], 3);
    fill(fresh(), 4, 16);
    fetch();
    expect("template", host[15] * 10 + host[16], 40);
    steps::run(fresh(), 8);
    fetch();
    expect("namespace", host[7], 11);
    return failures != 0;
}
