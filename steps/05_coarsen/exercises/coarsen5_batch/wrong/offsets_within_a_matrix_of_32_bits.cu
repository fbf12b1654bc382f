// refused: at 65500 x 65612, line [0-9]+ goes to a place that is not its own
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ELEMENTS = 4; /* a thread moves */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    size_t matrix = (size_t)blockIdx.z * rows * cols; /* where it starts */
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[matrix + (row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (out_row + i < cols && out_col < rows)
            out[matrix + (out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

static void launch_transpose(const float *in, float *out, int rows, int cols, int count)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE), count);
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
