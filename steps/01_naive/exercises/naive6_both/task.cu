/*
 * naive6_both: no shared memory, and yet at most 8 sectors a request both ways.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A warp that reads a row of 32 elements writes 32 sectors. But memory moves in sectors of 32
 * bytes, and nobody said that a warp must be a row: the tile that one warp transposes can have any
 * shape of 32 elements. Find one with which neither side touches more than 8 sectors a request.
 *
 * Look first at how many elements fill one sector, and at how a block of TILE x TILE threads is cut
 * into warps. You may number the threads of a block as you like.
 *
 * Done when loads and stores touch at most 8 sectors a request each, without shared memory. Can you
 * get one of them down to 4 and keep the other at 8?
 */
// operation: transpose
// goal: verified
// goal: global_load work <= 16384
// goal: global_store work <= 16384
// goal: shared_bytes == 0
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
