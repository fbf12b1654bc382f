/* Step 01: one row too many. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    if (row <= rows && col < cols) {
        float value = in[row * cols + col]; /* FAULT: out_of_bounds */
        out[col * rows + row] = value;
    }
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 40, 40, TRANSPOSE); }
