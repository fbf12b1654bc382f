/*
 * padding6_wild_sample: a bug in the wild: the sample that is named after having no conflict.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. The original is a sample that teaches
 * how to avoid bank conflicts: a tile of 16 x 16 and a pad of one. When it was written, memory had
 * 16 banks and 16 lanes were served at a time. It has 32 banks now, and conflicts.
 *
 * Look first at the 32 lanes of a warp: which two rows do they store, and which two columns do
 * they load? Draw the banks of both.
 *
 * Done when neither loads nor stores conflict, with whole sectors both ways, in the memory of a tile
 * of 32 x 32 with a pad of one float a row.
 */
// operation: transpose
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_bytes <= 4224
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE = 16;

__global__ void transpose_no_bank_conflicts(const float *in, float *out, int rows, int cols)
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
    transpose_no_bank_conflicts<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
