/*
 * Step 03: one unused column in the shared-memory tile, so that a column meets all banks.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared padding.cu -o padding
 *
 *   padded   32x32 tile whose rows start 33 elements apart
 */
#include "harness/harness.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"padded", launch_transpose, 1, 0, TILE},
    };
    static const Step step = {
        "03_padding", TRANSPOSE, variants, COUNT_OF(variants), "padded", "tile32", NULL,
    };
    return run_step(&step, argc, argv);
}
