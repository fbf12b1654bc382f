// refused: with 4 matrices of [0-9]+ x [0-9]+, .*(a place that is not its own|output are wrong)
/* The product is unsigned, of 32 bits, whatever it is returned as. */
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ELEMENTS = 4; /* a thread moves */

/* Where this block's matrix starts. */
__device__ size_t matrix_start(int rows, int cols) { return blockIdx.z * rows * cols; }

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    in += matrix_start(rows, cols);
    out += matrix_start(rows, cols);
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (out_row + i < cols && out_col < rows)
            out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

static void launch_transpose(const float *in, float *out, int rows, int cols, int count)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE), count);
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
