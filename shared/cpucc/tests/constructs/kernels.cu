/* Kernels of every kind, and every way to launch them. */
#include <cuda_fp16.h>
#include "constructs.h"

namespace
{
__global__ void unnamed(int *out) { out[threadIdx.x] = 1; }
} // namespace
extern "C" __global__ void in_c(int *out) { out[threadIdx.x] = 2; }
__global__ void __launch_bounds__(256) bounds_behind(int *out) { out[threadIdx.x] = 3; }
__launch_bounds__(256, 2) __global__ void bounds_before(int *out) { out[threadIdx.x] = 4; }
struct Holder {
    static __global__ void member(int *out) { out[threadIdx.x] = 5; }
    template <int N>
    static void launch(int *out);
};
template <int N, bool ODD = false>
__global__ void numbers(int *out)
{
    out[threadIdx.x] = N + ODD;
}
template <int N>
void Holder::launch(int *out)
{
    numbers<N, true><<<1, 32>>>(out);
}

struct Big {
    int values[40];
    char tail;
};
__global__ void arguments(int *out, bool b, signed char c, short s, long long l, double d, float4 v,
                          Big big, __half h, const int (&array)[3], dim3 n)
{
    out[0] = b + c + s + (int)l + (int)d + (int)v.w + big.values[39] + big.tail + (int)(float)h;
    out[1] = n.y;
    big.values[0] = 7; /* a copy of one's own */
    out[2] = big.values[0];
    (void)array;
}

template <class T, int N>
__device__ T sum(const T (&values)[N])
{
    T s = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        s += values[i];
    return s;
}

__global__ void shared_by_type(int *out)
{
    extern __shared__ double d[];
    int *i = (int *)(d + blockDim.x);
    __shared__ int few[4];
    d[threadIdx.x] = threadIdx.x + 0.5;
    i[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 4)
        few[threadIdx.x] = 10;
    __syncthreads();
    out[threadIdx.x] = (int)(2 * d[31 - threadIdx.x]) + i[threadIdx.x] + sum(few);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void control(int *out, int n)
{
    int r = 0;
    switch (n + threadIdx.x) {
    case 0: r = 1; break;
    case 1: r = 3;
    case 2: r += 4; break;
    case 3: goto end;
    case 4: r = 6; break;
    default: r = fibonacci(threadIdx.x % 8);
    }
    r += 100;
end:
    out[threadIdx.x] = r;
}

#define LAUNCH(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)
template <class K>
void launch_any(K kernel, int *out)
{
    kernel<<<dim3(1), dim3(32, 1)>>>(out);
}

int main()
{
    void (*kernels[])(int *) = {unnamed, in_c, bounds_behind, bounds_before, Holder::member};
    for (int i = 0; i < 5; i++) {
        kernels[i]<<<1, 32>>>(fresh());
        fetch();
        expect("by pointer", host[31], i + 1);
    }
    LAUNCH((numbers<7, true>), fresh());
    fetch();
    expect("in a macro", host[0], 8);
    Holder::launch<20>(fresh());
    fetch();
    expect("in a template", host[0], 21);
    [](int *out) { launch_any(numbers<3>, out); }(fresh());
    fetch();
    expect("in a lambda", host[0], 3);
    int *out = fresh();
    void *arguments_of_it[] = {&out};
    cudaLaunchKernel((const void *)in_c, dim3(1), dim3(32), arguments_of_it, 0, 0);
    fetch();
    expect("cudaLaunchKernel", host[9], 2);
    cudaLaunchConfig_t how = {};
    how.gridDim = how.blockDim = dim3(1);
    cudaLaunchKernelEx(&how, numbers<5>, fresh());
    fetch();
    expect("cudaLaunchKernelEx", host[0], 5);

    Big big = {};
    big.values[39] = 1000;
    big.tail = 1;
    static int three[3];
    arguments<<<1, 1>>>(fresh(), true, -2, 300, 4LL, 5.5, make_float4(0, 0, 0, 60), big,
                        __float2half(70), three, dim3(1, 9));
    fetch();
    expect("arguments", host[0], 1 - 2 + 300 + 4 + 5 + 60 + 1001 + 70);
    expect("a struct with constructors", host[1], 9);
    expect("a changed argument", host[2], 7);
    expect("the caller's", big.values[0], 0);
    cudaFuncSetAttribute(shared_by_type, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
    shared_by_type<<<1, 32, 50000>>>(fresh());
    fetch();
    expect("shared memory", host[3], 57 + 3 + 40);
    control<<<1, 32>>>(fresh(), 0);
    fetch();
    expect("switch", host[0] * 1000000 + host[1] * 1000 + host[2], 101107104);
    expect("goto, recursion", host[3] * 1000 + host[15], 113);
    in_c<<<1, 2000>>>(fresh());
    expect("too many threads", cudaGetLastError(), cudaErrorInvalidConfiguration);
    return failures != 0;
}
