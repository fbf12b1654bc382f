/*
 * padding5_wild_pad: a bug in the wild: a pad against conflicts, and all of them are there.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. Its author knew of bank conflicts and
 * paid for a pad. The results are right, no tool complains, and for years nobody counted. The
 * checker does.
 *
 * Look first at the offsets of a column, and at what the comment promises.
 *
 * Done when it is right and free of conflicts, in the memory that it has.
 */
// operation: transpose
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_bytes <= 4224
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * (TILE + 1)]; /* one more to avoid bank conflicts */

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y * TILE + threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x * TILE + threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
