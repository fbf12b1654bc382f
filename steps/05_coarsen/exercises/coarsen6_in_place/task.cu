/*
 * coarsen6_in_place: transpose a square matrix in its own memory.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * There is no second matrix. This kernel exchanges element (row, col) with (col, row), by one
 * thread for each pair, and every exchange touches a column of the matrix. Make all requests
 * coalesced. How you cut up the matrix, and what a block does, is yours.
 *
 * Look first at what a whole tile needs: which other tile must be in shared memory before anything
 * is written over? And what about the tiles on the diagonal?
 *
 * Done when requests touch at most 4 sectors both ways, shared memory has no conflict and takes at
 * most 8448 bytes, and each element is read and written once. Silver: with half of that memory,
 * 4224 bytes. Gold: and without a block that has nothing to do, 36 in all, each at work.
 */
// operation: in_place
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: global_load requests <= 2048
// goal: global_store requests <= 2048
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
// goal: shared_bytes <= 8448
// silver: shared_bytes <= 4224
// gold: blocks <= 36
// gold: blocks >= 36
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(float *matrix, int side)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < side && col < row) {
        float value = matrix[(size_t)row * side + col];
        matrix[(size_t)row * side + col] = matrix[(size_t)col * side + row];
        matrix[(size_t)col * side + row] = value;
    }
}

static void launch_transpose(float *matrix, int side)
{
    dim3 blocks(tiles(side, TILE), tiles(side, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(matrix, side);
}

EXERCISE(launch_transpose)
