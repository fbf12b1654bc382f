// refused: the kernel makes 2048 requests for loads
// Two loads of a float each.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WIDTH = 2; /* floats in a vector */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int x = WIDTH * threadIdx.x;
    int y = threadIdx.y;

    int row = tile_row * TILE + y;
    int col = tile_col * TILE + x;
    if (row < rows && col < cols) {
        float2 values = make_float2(in[(size_t)row * cols + col], in[(size_t)row * cols + col + 1]);
        tile[y][x + 0] = values.x;
        tile[y][x + 1] = values.y;
    }
    __syncthreads();

    int out_row = tile_col * TILE + y;
    int out_col = tile_row * TILE + x;
    if (out_row < cols && out_col < rows) {
        float2 values;
        values.x = tile[x + 0][y];
        values.y = tile[x + 1][y];
        *(float2 *)&out[(size_t)out_row * rows + out_col] = values;
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE / WIDTH, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
