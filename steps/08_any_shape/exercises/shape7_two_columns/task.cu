/*
 * shape7_tall: a tall matrix, and nothing happens (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A matrix of 262144 rows and two columns: half a million floats, two megabytes. The kernel is right
 * at all the sizes that its author tried. Here not one element is written. Where it was found is told
 * when it is solved.
 *
 * Look first at the launch. What do its two numbers come to, and how large may each be?
 *
 * Done when it is right, at this size and all others. Silver: with at most 40000 requests for stores,
 * which takes tiles that suit two columns. Gold: at most 17000.
 */
// operation: transpose
// counted: 262144 x 2
// goal: verified
// goal: launches == 1
// goal: shared_bytes <= 16384
// silver: global_store requests <= 40000
// gold: global_store requests <= 17000
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 4;
constexpr int TILE_COLS = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS + 1];

    int y = threadIdx.x / TILE_COLS, x = threadIdx.x % TILE_COLS;
    int row = blockIdx.y * TILE_ROWS + y;
    int col = blockIdx.x * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE_COLS + threadIdx.x / TILE_ROWS;
    int out_col = blockIdx.y * TILE_ROWS + threadIdx.x % TILE_ROWS;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] =
            tile[threadIdx.x % TILE_ROWS][threadIdx.x / TILE_ROWS];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
