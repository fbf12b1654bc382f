// refused: nobody wrote|reads memory that nobody has written
// Each thread a run of neighbouring rows, rounded down.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 6;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int y = 5 * threadIdx.y; y < 5 * (int)threadIdx.y + 5; y++)
        if (row + y < rows && col < cols)
            tile[y][threadIdx.x] = in[(size_t)(row + y) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int y = 5 * threadIdx.y; y < 5 * (int)threadIdx.y + 5; y++)
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
