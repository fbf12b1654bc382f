/* Step 01: the pitch of the input where that of the output belongs: two elements share a place. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    if (row < rows && col < cols)
        out[col * cols + row] = in[row * cols + col]; /* FAULT: race_write_after_write */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 64, 32, TRANSPOSE); }
