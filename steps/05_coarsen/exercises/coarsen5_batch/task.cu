/*
 * coarsen5_batch: many matrices, one launch.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * `count` matrices of rows x cols elements lie one after the other, and each is to be transposed.
 * This launch function starts one kernel a matrix. Small matrices then leave most of the GPU idle:
 * start one kernel for all of them.
 *
 * Look first at how a block finds its tile. What is the next question that it must ask?
 *
 * Done when there is one launch, with the same traffic, and with 3 matrices of 128 x 96 as many
 * blocks as there are tiles in all of them, and when offsets hold for a batch of more than 2^32
 * elements.
 */
// operation: batch count=3
// counted: 128 x 96
// goal: verified
// goal: launches == 1
// goal: blocks >= 36
// goal: threads_per_block <= 256
// goal: global_load work <= 4608
// goal: global_store work <= 4608
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
// goal: offsets 64
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ELEMENTS = 4; /* a thread moves */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (out_row + i < cols && out_col < rows)
            out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

static void launch_transpose(const float *in, float *out, int rows, int cols, int count)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE / ELEMENTS);
    size_t area = (size_t)rows * cols;
    for (int m = 0; m < count; m++)
        transpose<<<blocks, threads>>>(in + m * area, out + m * area, rows, cols);
}

EXERCISE(launch_transpose)
