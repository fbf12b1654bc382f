/* Step 04: OR where XOR belongs: several elements share a place. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T * T];
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    int out_row = blockIdx.x * T + threadIdx.y;
    int out_col = blockIdx.y * T + threadIdx.x;
    /* FAULT: race_write_after_write */
    tile[row_major(T, threadIdx.y, threadIdx.x) | threadIdx.y] = in[row * cols + col];
    __syncthreads();
    out[out_row * rows + out_col] = tile[row_major(T, threadIdx.x, threadIdx.y) | threadIdx.x];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 64, 64, TRANSPOSE); }
