/* Step 01: no bounds check at ragged edges. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    float value = in[row * cols + col];
    out[col * rows + row] = value; /* FAULT: out_of_bounds */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 33, 31, TRANSPOSE); }
