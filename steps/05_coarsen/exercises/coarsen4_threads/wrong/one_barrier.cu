// refused: overwrites what another thread may still have to read
// The next tile comes while others still read the one before.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 4;
constexpr int TILES = 4; /* a block takes, side by side */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int first_row = blockIdx.y * TILE;
    int x = threadIdx.x;
    for (int t = 0; t < TILES; t++) {
        int first_col = (blockIdx.x * TILES + t) * TILE;
        for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
            if (first_row + y < rows && first_col + x < cols)
                tile[y][x] = in[(size_t)(first_row + y) * cols + first_col + x];
        __syncthreads();
        for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
            if (first_col + y < cols && first_row + x < rows)
                out[(size_t)(first_col + y) * rows + first_row + x] = tile[x][y];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILES * TILE), tiles(rows, TILE));
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
