/* Step 06: elements come from the wrong lane. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = __shfl_xor_sync(0xffffffff, in[i ^ 1], 2);
    out[i] = v; /* VERIFY */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<4, 256>>>(in, out, rows * cols);
}

int main() { return check(run, 32, 32, COPY); }
