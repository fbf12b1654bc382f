// refused: nobody wrote|elements of the output are wrong
// Turned, with the divisor of the other side: some threads meet, some elements are left.
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLS = 64;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE_ROWS + threadIdx.x % TILE_COLS;
    int col = blockIdx.x * TILE_COLS + threadIdx.x / TILE_COLS;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    dim3 threads(TILE_ROWS * TILE_COLS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
