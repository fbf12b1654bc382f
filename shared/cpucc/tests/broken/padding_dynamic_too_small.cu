/* Step 03: the launch asks for a tile without its padding. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    extern __shared__ float tile[];
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    int out_row = blockIdx.x * T + threadIdx.y;
    int out_col = blockIdx.y * T + threadIdx.x;
    tile[threadIdx.y * (T + 1) + threadIdx.x] = in[row * cols + col]; /* FAULT: out_of_bounds */
    __syncthreads();
    out[out_row * rows + out_col] = tile[threadIdx.x * (T + 1) + threadIdx.y];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<dim3(tiles(cols, T), tiles(rows, T)), dim3(T, T), T * T * 4>>>(in, out, rows,
                                                                                   cols);
}

int main() { return check(run, 64, 64, TRANSPOSE); }
