/*
 * coarsen2_wild_edge: a bounds check must follow its element (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * To save comparisons, this kernel checks the bounds once, before each loop. At the edge of a
 * matrix that lets through what it should not. Where it was found is told when it is solved.
 *
 * Look first at a thread whose first element is in the last row of the matrix. What does its second
 * turn do?
 *
 * Done when every size is right, no access leaves its matrix, each block has its tile of 32x32 and
 * 256 threads, and each request takes a row of the tile, or a column without conflict.
 */
// operation: transpose
// counted: 251 x 253
// goal: verified
// goal: global_load work <= 9900
// goal: global_store work <= 9720
// goal: shared_load conflict_degree == 1
// goal: blocks <= 64
// goal: blocks >= 64
// goal: threads_per_block == 256
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ELEMENTS = 4; /* a thread moves */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        for (int i = 0; i < TILE; i += TILE / ELEMENTS)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        for (int i = 0; i < TILE; i += TILE / ELEMENTS)
            out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
