/* Step 02: threads outside the matrix return before the barrier. That is allowed, but some of them
 * had an element to store. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T];
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    int out_row = blockIdx.x * T + threadIdx.y;
    int out_col = blockIdx.y * T + threadIdx.x;
    if (row >= rows || col >= cols)
        return;
    tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncthreads(); /* REMARK: early_return */
    if (out_row < cols && out_col < rows)
        out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 40, 40, TRANSPOSE); }
