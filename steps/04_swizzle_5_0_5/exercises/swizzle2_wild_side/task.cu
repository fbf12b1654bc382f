/*
 * swizzle2_wild_side: whoever moves an element must find it again (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The tile was 16 x 16 once, and this kernel was right. Then somebody made it larger, and half of
 * the output is wrong. Where it was found is told when it is solved.
 *
 * Look first at which half. An element in column `col` of row `row` was put at some place of that
 * row; does the reader look for it there?
 *
 * Done when it is right, without conflict and without a pad, with a block per tile.
 */
// operation: transpose
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_bytes == 4096
// goal: blocks <= 64
// goal: blocks >= 64
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
        int row = blockIdx.y * TILE + y;
        int col = blockIdx.x * TILE + x;
        if (row < rows && col < cols)
            tile[y][x ^ y] = in[(size_t)row * cols + col];
    }
    __syncthreads();

    for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
        int out_row = blockIdx.x * TILE + y;
        int out_col = blockIdx.y * TILE + x;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = tile[x][y ^ x % 16];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
