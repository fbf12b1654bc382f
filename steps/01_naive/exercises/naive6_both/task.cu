/*
 * naive6_both: no shared memory, and few sectors both ways (open-ended).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A warp that reads a row of 32 floats writes 32 sectors. But memory moves in sectors, and nobody
 * said that a warp must be a row, nor that a thread must move only one element.
 *
 * Look first at how many floats fill a sector, and at how a block of threads is cut into warps.
 * You may number the threads of a block as you like, and each may hold more than one element in
 * registers.
 *
 * Solved when 32 floats take at most 8 sectors on average, both ways; silver when stores take 4;
 * gold when stores and loads both do. Without shared memory, and without exchange between
 * threads, gold is possible too.
 */
// operation: transpose
// goal: verified
// goal: global_load work <= 16384
// goal: global_store work <= 16384
// goal: shared_bytes == 0
// silver: global_store work <= 8192
// gold: global_load work <= 8192
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
