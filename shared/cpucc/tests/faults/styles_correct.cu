/* Whole programs that look dangerous and are correct: memory and values. */
#include "../order/order.h"
#include <cstdlib>

/* 72 KB of dynamic shared memory after the attribute; two uses of different type, a barrier
 * between. */
namespace large_shared_used_twice_program
{
__global__ void twice(const double *in, float *out, int n)
{
    extern __shared__ __align__(16) unsigned char room[];
    double *d = reinterpret_cast<double *>(room);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        d[i] = in[i];
    __syncthreads();
    double s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += d[n - 1 - i];
    __syncthreads();
    float *f = reinterpret_cast<float *>(room);
    f[threadIdx.x] = (float)s;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (threadIdx.x < k)
            f[threadIdx.x] += f[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = f[0];
}

static int run()
{
    const int n = 9216;
    static double h[n];
    for (double &v : h)
        v = 0.5;
    double *in;
    float *out, r;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 4);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFuncSetAttribute(twice, cudaFuncAttributeMaxDynamicSharedMemorySize, n * 8);
    twice<<<1, 128, n * 8>>>(in, out, n);
    cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
    return r == n / 2 ? 0 : 3;
}
} // namespace large_shared_used_twice_program
PROGRAM(large_shared_used_twice)
