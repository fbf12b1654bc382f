/* Step 06: a shuffle of the whole warp that half of the lanes never make. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (threadIdx.x % 2 == 0)
        v = __shfl_sync(0xffffffff, v, 0); /* FAULT: endless_wait */
    else
        __syncthreads();
    out[i] = v;
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<4, 256>>>(in, out, rows * cols);
}

int main() { return check(run, 32, 32, COPY); }
