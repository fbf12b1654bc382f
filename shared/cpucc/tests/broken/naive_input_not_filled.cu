/* Step 01: nobody has written the input. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    float value = in[row * cols + col]; /* FAULT: uninitialised */
    out[col * rows + row] = value;
}

int main()
{
    float *in, *out;
    cudaMalloc((void **)&in, T * T * sizeof(float));
    cudaMalloc((void **)&out, T * T * sizeof(float));
    broken_kernel<<<1, dim3(T, T)>>>(in, out, T, T);
    return cudaDeviceSynchronize() != cudaSuccess;
}
