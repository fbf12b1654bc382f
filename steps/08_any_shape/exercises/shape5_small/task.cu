/*
 * shape5_small: a hundred matrices of 7 x 5.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * `count` matrices of rows x cols floats lie one after the other. A block for each has a tile of
 * which a thirtieth is used, and its requests move a few floats each. But the matrices are packed:
 * all of the input is one run of memory, and all of the output too.
 *
 * Look first at element i of the whole output: in which matrix is it, and in which row and column
 * there? Where in the input is that, and how far from i can it be?
 *
 * Done when stores touch no sector more than needed, requests are few, and loads touch at most
 * twice the sectors needed, and not one block does all. Other sizes and numbers of matrices must be
 * right too.
 */
// operation: batch count=100
// counted: 7 x 5
// goal: verified
// goal: launches == 1
// goal: blocks >= 2
// goal: global_store conflict_degree == 1
// goal: global_store requests <= 120
// goal: global_load requests <= 120
// goal: global_load conflict_degree <= 2
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    size_t matrix = (size_t)blockIdx.x * rows * cols; /* where it starts */
    int first_row = blockIdx.y * TILE, first_col = blockIdx.z * TILE;
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (first_row + y < rows && first_col + x < cols)
            tile[y][x] = in[matrix + (size_t)(first_row + y) * cols + first_col + x];
    __syncthreads();

    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (first_col + y < cols && first_row + x < rows)
            out[matrix + (size_t)(first_col + y) * rows + first_row + x] = tile[x][y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols, int count)
{
    dim3 blocks(count, tiles(rows, TILE), tiles(cols, TILE));
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
