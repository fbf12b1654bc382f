/* Step 01: the columns are not checked. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    if (row < rows)
        out[col * rows + row] = in[row * cols + col % cols]; /* FAULT: out_of_bounds */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 64, 60, TRANSPOSE); }
