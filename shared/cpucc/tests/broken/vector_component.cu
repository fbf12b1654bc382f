/* Step 06: two components change places. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = ((const float4 *)in)[i];
    ((float4 *)out)[i] = make_float4(v.x, v.z, v.y, v.w); /* VERIFY */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 256>>>(in, out, rows * cols);
}

int main() { return check(run, 32, 32, COPY); }
