/* Step 05: one turn of the loop too many. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T + 1];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    int out_row = blockIdx.x * T + threadIdx.y, out_col = blockIdx.y * T + threadIdx.x;
    for (int i = 0; i <= T; i += 8)
        /* FAULT: out_of_bounds */
        tile[threadIdx.y + i][threadIdx.x] = in[(row + i) % rows * cols + col];
    __syncthreads();
    for (int i = 0; i < T; i += 8)
        out[(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, 8)>>>(in, out, rows, cols);
}

int main() { return check(run, 64, 64, TRANSPOSE); }
