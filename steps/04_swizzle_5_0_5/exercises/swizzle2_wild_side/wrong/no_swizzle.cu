// refused: the loads from shared memory take 32 times
// Both plain.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
        int row = blockIdx.y * TILE + y;
        int col = blockIdx.x * TILE + x;
        if (row < rows && col < cols)
            tile[y][x] = in[(size_t)row * cols + col];
    }
    __syncthreads();

    for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
        int out_row = blockIdx.x * TILE + y;
        int out_col = blockIdx.y * TILE + x;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = tile[x][y];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
