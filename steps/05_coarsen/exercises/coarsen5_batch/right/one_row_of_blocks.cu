#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ELEMENTS = 4; /* a thread moves */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int across = tiles(cols, TILE), down = tiles(rows, TILE);
    int tile_col = blockIdx.x % across, tile_row = blockIdx.x / across % down;
    unsigned long matrix = (unsigned long)(blockIdx.x / across / down) * rows * cols;
    int row = tile_row * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[matrix + (size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = tile_row * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (out_row + i < cols && out_col < rows)
            out[matrix + (size_t)(out_row + i) * rows + out_col] =
                tile[threadIdx.x][threadIdx.y + i];
}

static void launch_transpose(const float *in, float *out, int rows, int cols, int count)
{
    unsigned blocks = (unsigned)tiles(cols, TILE) * tiles(rows, TILE) * count;
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
