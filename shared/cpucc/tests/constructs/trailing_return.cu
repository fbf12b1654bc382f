/* Trailing return types of kernels and of device functions. */
#include "constructs.h"

__device__ auto half_of(int v) -> int { return v / 2; }
template <class T, class U>
__device__ auto sum(T a, U b) -> decltype(a + b)
{
    return a + b;
}

__global__ auto plain(int *out) -> void
{
    __shared__ int s[32];
    s[threadIdx.x] = half_of(2 * threadIdx.x + 200);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
template <class T>
__global__ auto of_template(T *out) -> void
{
    extern __shared__ float d[];
    d[threadIdx.x] = sum(threadIdx.x, 0.5f);
    out[threadIdx.x] = (T)d[threadIdx.x];
}
auto launch(int *out) -> int
{
    of_template<<<1, 32, 128>>>(out);
    return 1;
}

int main()
{
    plain<<<1, 32>>>(fresh());
    fetch();
    expect("kernel", host[5], 105);
    expect("host function", launch(fresh()), 1);
    fetch();
    expect("template", host[9], 9);
    return failures != 0;
}
