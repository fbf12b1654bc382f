/* Step 02: a block that goes through several tiles loads the next before all have stored the last. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T];
    for (int first = 0; first < cols; first += T) {
        int row = blockIdx.x * T + threadIdx.y;
        /* FAULT: race_write_after_read */
        tile[threadIdx.y][threadIdx.x] = in[row * cols + first + threadIdx.x];
        __syncthreads();
        out[(first + threadIdx.y) * rows + blockIdx.x * T + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y];
    }
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<rows / T, dim3(T, T)>>>(in, out, rows, cols);
}

int main() { return check(run, 64, 96, TRANSPOSE); }
