/* Step 03: 16-byte accesses to rows of 33 floats. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T + 1];
    int y = threadIdx.x / 8, x = threadIdx.x % 8 * 4;
    *(float4 *)&tile[y][x] = *(const float4 *)&in[y * cols + x]; /* FAULT: misaligned */
    __syncthreads();
    for (int k = 0; k < 4; k++)
        out[y * rows + x + k] = tile[x + k][y];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 256>>>(in, out, rows, cols);
}

int main() { return check(run, 32, 32, TRANSPOSE); }
