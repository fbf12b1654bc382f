/* Step 06: rows whose length is no multiple of four floats. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x, col = threadIdx.x * 4;
    if (col < cols) {
        float4 v = *(const float4 *)&in[row * cols + col]; /* FAULT: misaligned */
        out[col * rows + row] = v.x;
        out[(col + 1) * rows + row] = v.y;
    }
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<rows, 16>>>(in, out, rows, cols);
}

int main() { return check(run, 62, 62, TRANSPOSE); }
