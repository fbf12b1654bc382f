/* Step 06: a value from a lane that takes no part. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (threadIdx.x % 32 < 16)
        v = __shfl_sync(0x0000ffff, v, 20); /* FAULT: lane_mask */
    out[i] = v;
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<4, 256>>>(in, out, rows * cols);
}

int main() { return check(run, 32, 32, COPY); }
