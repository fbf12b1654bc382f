/* Step 00: 16 bytes from an address that is only aligned to 4. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ float tile[1024];
    /* FAULT: misaligned */
    __pipeline_memcpy_async(&tile[4 * threadIdx.x], in + 4 * threadIdx.x + 1, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[4 * threadIdx.x];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 32>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
