/*
 * coarsen1_loop: who takes what, with 6 rows of threads.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A block has 32 x 6 threads for a tile of 32 x 32 elements, because 192 threads suit some other
 * part of a program. 32 is no multiple of 6. Fill in where a thread's rows of the tile begin, where
 * they must end and how far apart they are, the same in both loops, so that each element is moved
 * once.
 *
 * Look first at the launch: which rows of the tile do the threads cover in the first turn, and
 * which threads have none left in the last?
 *
 * Done when every size is right, coalesced and without conflict, with a block per tile of 32 rows.
 */
// operation: transpose
// goal: verified
// goal: global_load requests <= 2048
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_load conflict_degree == 1
// goal: threads_per_block == 192
// goal: blocks <= 64
// goal: blocks >= 64
// goal: tile_rows == 32
// goal: shared_store conflict_degree == 1
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 6;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int y = ___; y < ___; y += ___)
        if (row + y < rows && col < cols)
            tile[y][threadIdx.x] = in[(size_t)(row + y) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int y = ___; y < ___; y += ___)
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
