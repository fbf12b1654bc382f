/*
 * naive4_stores: make the stores coalesced.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A warp of this kernel reads a row of 32 elements, which lie in 4 sectors, and writes a column,
 * whose 32 elements lie in 32 sectors. Turn that round: writes can be 4 sectors a request, if the
 * reads pay for it. On most GPUs that is the faster of the two.
 *
 * Look first at which of row and col changes from one thread of a warp to the next.
 *
 * Done when a request for stores touches at most 4 sectors, and everything is still right at every
 * size.
 */
// operation: transpose
// goal: verified
// goal: global_store work <= 8192
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
