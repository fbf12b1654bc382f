/*
 * padding3_predict: say what a pad of four does to a tile 64 wide.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A pad of four floats keeps every row of the tile aligned to 16 bytes, which vectors need. Does
 * it also keep columns free of conflicts? The tile has 16 rows and 64 columns; a warp stores half
 * a row of it, and writes out two columns of 16. Predict for a 256 x 256 matrix and write your
 * numbers over the blanks below. Leave the code as it is.
 *
 * Look first at the banks of a column: 0, 68, 136, ... modulo 32. How many different ones are
 * there, and how many of the 16 lanes meet in each? Then the column beside it.
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

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLS = 64;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS + 4];

    int y = threadIdx.x / TILE_COLS;
    int x = threadIdx.x % TILE_COLS;
    int row = blockIdx.y * TILE_ROWS + y;
    int col = blockIdx.x * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_y = threadIdx.x / TILE_ROWS;
    int out_x = threadIdx.x % TILE_ROWS;
    int out_row = blockIdx.x * TILE_COLS + out_y;
    int out_col = blockIdx.y * TILE_ROWS + out_x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[out_x][out_y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
