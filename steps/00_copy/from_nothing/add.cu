/*
 * A first CUDA program: the sums of neighbouring elements of an array, two kernels, and a check.
 *
 *     nvcc -O3 -std=c++17 -arch=native add.cu -o add && ./add
 */
#include <cuda_runtime.h>
#include <stdio.h>

constexpr int THREADS = 256; /* per block */
constexpr int COUNT = 1000;  /* no multiple of THREADS: the last block has threads left over */

/* out[i] = in[i] + in[i + 1]; the last element has no neighbour: out[COUNT - 1] = in[COUNT - 1]. */
__global__ void add(const int *in, int *out, int count)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        out[i] = in[i] + (i + 1 < count ? in[i + 1] : 0);
}

/* The same by way of shared memory: the block loads each element once, and waits. */
__global__ void add_shared(const int *in, int *out, int count)
{
    __shared__ int piece[THREADS + 1];

    int i = blockIdx.x * THREADS + threadIdx.x;
    piece[threadIdx.x] = i < count ? in[i] : 0;
    if (threadIdx.x == 0)
        piece[THREADS] = i + THREADS < count ? in[i + THREADS] : 0;
    __syncthreads();

    if (i < count)
        out[i] = piece[threadIdx.x] + piece[threadIdx.x + 1];
}

/* Returns how many elements of `out`, on the GPU, are wrong. */
static int wrong_elements(const int *out)
{
    int sums[COUNT], wrong = 0;
    cudaError_t error = cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "add: %s\n", cudaGetErrorString(error));
        return COUNT;
    }
    for (int i = 0; i < COUNT; i++)
        wrong += sums[i] != (i + 1 < COUNT ? 2 * i + 1 : i);
    return wrong;
}

int main(void)
{
    int numbers[COUNT], *in, *out; /* in and out are in the GPU's memory */
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    if (cudaMalloc(&in, sizeof numbers) != cudaSuccess ||
        cudaMalloc(&out, sizeof numbers) != cudaSuccess) {
        fprintf(stderr, "add: no GPU memory\n");
        return 1;
    }
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);

    int blocks = (COUNT - 1) / THREADS + 1; /* 4 */
    add<<<blocks, THREADS>>>(in, out, COUNT);
    int wrong = wrong_elements(out);
    printf("add: %d blocks of %d threads, %d wrong\n", blocks, THREADS, wrong);

    cudaMemset(out, 0, sizeof numbers);
    add_shared<<<blocks, THREADS>>>(in, out, COUNT);
    int wrong_shared = wrong_elements(out);
    printf("add_shared: %d wrong\n", wrong_shared);

    cudaFree(in);
    cudaFree(out);
    return wrong > 0 || wrong_shared > 0;
}
