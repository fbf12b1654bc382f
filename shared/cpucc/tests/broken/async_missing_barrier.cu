/* Step 00: a thread waits for its own copies only. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    __pipeline_memcpy_async(&tile[threadIdx.x], (const float4 *)in + i, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    ((float4 *)out)[i ^ 255] = tile[threadIdx.x ^ 255]; /* FAULT: race_read_after_write */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<rows * cols / 1024, 256>>>(in, out);
}

int main() { return check(run, 64, 64, COPY); }
