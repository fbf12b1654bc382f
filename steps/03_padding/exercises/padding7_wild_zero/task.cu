/*
 * padding7_wild_zero: a bug in the wild: zeros that come too late.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. The tile is filled with zeros before
 * it is loaded. As long as it had no pad that was right, as it stands. Since it has one, an
 * element is zero now and then.
 *
 * Look first at word 33 of the tile. Which thread sets it to zero, which loads something into it,
 * and what makes the second wait for the first? Then ask the same without the pad.
 *
 * Done when there is no race at any size, and no conflict.
 */
// operation: transpose
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_store work <= 6144
// goal: shared_load conflict_degree == 1
// goal: shared_bytes <= 4224
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * PITCH];

    int thread = threadIdx.y * TILE + threadIdx.x;
    for (int i = thread; i < TILE * PITCH; i += TILE * TILE)
        tile[i] = 0; /* what lies outside of the matrix counts as 0 */

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[row_major(PITCH, threadIdx.y, threadIdx.x)] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[row_major(PITCH, threadIdx.x, threadIdx.y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
