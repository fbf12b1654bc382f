/* Step 01: the output pointer is host memory. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col]; /* FAULT: out_of_bounds */
}

int main()
{
    float *in, *out = (float *)malloc(T * T * sizeof(float));
    cudaMalloc((void **)&in, T * T * sizeof(float));
    cudaMemset(in, 0, T * T * sizeof(float));
    broken_kernel<<<1, dim3(T, T)>>>(in, out, T, T);
    return cudaDeviceSynchronize() != cudaSuccess;
}
