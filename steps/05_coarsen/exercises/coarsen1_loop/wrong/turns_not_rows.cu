// refused: requests for loads
// As many turns as rows are needed, each one row on: rows are moved again and again.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 6;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += 1)
        if (row + y < rows && col < cols)
            tile[y][threadIdx.x] = in[(size_t)(row + y) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += 1)
        if (out_row + y < cols && out_col < rows)
            out[(size_t)(out_row + y) * rows + out_col] = tile[threadIdx.x][y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
