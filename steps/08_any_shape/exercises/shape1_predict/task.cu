/*
 * shape1_predict: say what rows cost that begin anywhere.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The matrix has 257 rows and 64 columns, so its transpose has 64 rows of 257 floats. Predict how
 * many requests store it, and how many sectors they touch; then the loads. Write your numbers over
 * the blanks below. Leave the code as it is.
 *
 * Look first at output rows 0, 1 and 8: at which float of a sector (it holds eight) do they begin?
 * A request stores 32 floats side by side; the last one of each row has fewer.
 *
 * Done when all predictions are right.
 */
// operation: transpose
// counted: 257 x 64
// predict: global_store requests = ___
// predict: global_store work = ___
// predict: global_load requests = ___
// predict: global_load work = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

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
