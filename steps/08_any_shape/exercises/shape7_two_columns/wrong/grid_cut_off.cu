// refused: nobody wrote
// The grid cut off where it must end.
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 4;
constexpr int TILE_COLS = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS + 1];

    int y = threadIdx.x / TILE_COLS, x = threadIdx.x % TILE_COLS;
    int row = blockIdx.y * TILE_ROWS + y;
    int col = blockIdx.x * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE_COLS + threadIdx.x / TILE_ROWS;
    int out_col = blockIdx.y * TILE_ROWS + threadIdx.x % TILE_ROWS;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] =
            tile[threadIdx.x % TILE_ROWS][threadIdx.x / TILE_ROWS];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), min(tiles(rows, TILE_ROWS), 65535));
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
