/* How fast cpucc counts: one line, counted accesses (of one lane each) a second on one core. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <time.h>

enum { T = 32 };

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T + 1];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    for (int i = 0; i < T; i += 8)
        tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
    __syncthreads();
    row = blockIdx.x * T + threadIdx.y, col = blockIdx.y * T + threadIdx.x;
    for (int i = 0; i < T; i += 8)
        out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
}

int main()
{
    int n = 2048;
    float *in, *out;
    cudaMalloc((void **)&in, n * n * sizeof(float));
    cudaMalloc((void **)&out, n * n * sizeof(float));
    cudaMemset(in, 0, n * n * sizeof(float));
    transpose<<<dim3(n / T, n / T), dim3(T, 8)>>>(in, out, n, n); /* touch the memory */
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    transpose<<<dim3(n / T, n / T), dim3(T, 8)>>>(in, out, n, n);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    double seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    printf("%.1f million counted accesses a second\n", 4.0 * n * n / seconds / 1e6);
    return 0;
}
