/* Shared counters are read while others still add to them. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[(int)in[threadIdx.x] * 7 % 256], 1);
    out[threadIdx.x] = bins[threadIdx.x]; /* FAULT: race_read_after_write */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 256>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
