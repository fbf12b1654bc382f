// A tile four times as large: one barrier is enough.
#include "exercises/exercise.h"

constexpr int TILE = 64;
constexpr int THREADS_Y = 4;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int first_row = blockIdx.y * TILE;
    int first_col = blockIdx.x * TILE;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        for (int x = threadIdx.x; x < TILE; x += 32)
            if (first_row + y < rows && first_col + x < cols)
                tile[y][x] = in[(size_t)(first_row + y) * cols + first_col + x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        for (int x = threadIdx.x; x < TILE; x += 32)
            if (first_col + y < cols && first_row + x < rows)
                out[(size_t)(first_col + y) * rows + first_row + x] = tile[x][y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(32, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
