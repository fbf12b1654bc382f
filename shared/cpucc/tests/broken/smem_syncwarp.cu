/* Step 02: a warp-wide barrier where the whole block must wait. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T];
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    int out_row = blockIdx.x * T + threadIdx.y;
    int out_col = blockIdx.y * T + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncwarp();
    if (out_row < cols && out_col < rows)
        /* FAULT: race_read_after_write */
        out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 64, 64, TRANSPOSE); }
