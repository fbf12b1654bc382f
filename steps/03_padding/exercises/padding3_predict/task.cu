/*
 * padding3_predict: say what a pad of four does.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A pad of four floats keeps every row of the tile aligned to 16 bytes, which vectors need. Does
 * it also keep columns free of conflicts? Predict for a 256 x 256 matrix and write your numbers
 * over the blanks below. Leave the code as it is.
 *
 * Look first at the banks of a column: 0, 36, 72, ... modulo 32. How many different ones are there,
 * and how many of the 32 lanes meet in each?
 *
 * Done when all predictions are right.
 */
// operation: transpose
// predict: shared_bytes = ___
// predict: shared_store conflict_degree = ___
// predict: shared_load conflict_degree = ___
// predict: shared_load work = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 4];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
