// refused: the stores of line [0-9]* touch 8 sectors a request; 4 is possible
// The threads turned, the tile not: runs of 16 bytes.
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 4;
constexpr int TILE_COLS = 256;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE_ROWS + threadIdx.x % TILE_ROWS;
    int col = blockIdx.x * TILE_COLS + threadIdx.x / TILE_ROWS;
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
