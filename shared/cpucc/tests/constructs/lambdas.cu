/* Lambdas in kernels, and passed to them. */
#include "constructs.h"

__global__ void inside(int *out)
{
    int base = 100;
    auto add = [=](int i) { return base + i; };
    auto twice = [&base] { base *= 2; };
    twice();
    auto both = [](auto a, auto b) { return a * b; };
    out[threadIdx.x] = add(threadIdx.x) + both(base, 1);
}

template <class F>
__global__ void apply(F f, int *out)
{
    out[threadIdx.x] = f(threadIdx.x);
}
template <class F>
__device__ int call(F f, int i)
{
    return f(i);
}

__global__ void shares(int *out)
{
    __shared__ int s[32];
    auto put = [&](int i, int v) { s[i] = v; };
    put(threadIdx.x, threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = call([&](int i) { return s[i] * 2; }, 31 - threadIdx.x);
}

int main()
{
    inside<<<1, 32>>>(fresh());
    fetch();
    expect("in a kernel", host[4], 304);
    int k = 7;
    apply<<<1, 32>>>([=] __device__(int i) { return i * k; }, fresh());
    fetch();
    expect("passed", host[3], 21);
    apply<<<1, 32>>>([k] __host__ __device__(int i) -> int { return i + k; }, fresh());
    fetch();
    expect("of both sides", host[3], 10);
    shares<<<1, 32>>>(fresh());
    fetch();
    expect("over shared memory", host[1], 60);
    return failures != 0;
}
