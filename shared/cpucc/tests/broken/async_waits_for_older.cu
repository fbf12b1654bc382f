/* Step 00: the wait leaves the newest group out. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    __pipeline_memcpy_async(&tile[threadIdx.x], (const float4 *)in + i, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    ((float4 *)out)[i] = tile[threadIdx.x]; /* FAULT: copy_not_waited */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<rows * cols / 1024, 256>>>(in, out);
}

int main() { return check(run, 64, 64, COPY); }
