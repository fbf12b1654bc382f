/* Step 00: the stage is filled again while others still read it. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ float stage[256];
    for (int s = 0; s < 4; s++) {
        /* FAULT: race_write_after_read */
        __pipeline_memcpy_async(&stage[threadIdx.x], in + s * 256 + threadIdx.x, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[s * 256 + (threadIdx.x ^ 255)] = stage[threadIdx.x ^ 255];
    }
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 256>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
