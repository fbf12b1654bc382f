// refused: requests for stores
// The store left to the threads.
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    int tiles_across = tiles(cols, TILE);
    int row = blockIdx.x / tiles_across * TILE + threadIdx.y;
    int col = blockIdx.x % tiles_across * TILE + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
