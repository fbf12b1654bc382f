/* Step 06: the last vector hangs over the end. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (count + 3) / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i]; /* FAULT: out_of_bounds */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<4, 256>>>(in, out, rows * cols);
}

int main() { return check(run, 33, 31, COPY); }
