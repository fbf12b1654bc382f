/*
 * smem5_wild_sum: a bug in the wild: a block's result, asked for twice.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. block_max() finds the largest value of
 * a block: each warp exchanges registers (__shfl_xor_sync gives a thread the value of the lane
 * whose number differs in one bit), one lane of each puts the warp's result down, and after a
 * barrier everybody reads all of them. The kernel asks it how many rows and columns of a tile lie
 * in the matrix. Called once it is right; called twice it is wrong now and then. Keep the two
 * calls and mend it.
 *
 * Look first at the slots. A warp that is ahead begins the second call: what may another warp
 * still be doing in the first?
 *
 * Done when there is no race at any size, with at least as many requests of shared memory as two calls
 * need, and the kernel goes wrong if other warps put down other numbers.
 */
// operation: transpose
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_store requests >= 3072
// goal: shared_load ideal >= 3072
// goal: decided_across >= 8192
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int WARPS = 8;

/* The largest `value` of the block, for each of its threads. */
static __device__ int block_max(int value)
{
    __shared__ int slots[WARPS];
    for (int distance = 16; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(0xffffffff, value, distance));
    if (threadIdx.x == 0)
        slots[threadIdx.y] = value;
    __syncthreads();
    for (int warp = 0; warp < WARPS; warp++)
        value = max(value, slots[warp]);
    return value;
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int first_row = blockIdx.y * TILE;
    int first_col = blockIdx.x * TILE;

    /* How much of the tile lies in the matrix? */
    int height = block_max(first_row + x < rows ? x + 1 : 0);
    int width = block_max(first_col + x < cols ? x + 1 : 0);

    for (int r = y; r < height; r += WARPS)
        if (x < width)
            tile[r][x] = in[(size_t)(first_row + r) * cols + first_col + x];
    __syncthreads();
    for (int c = y; c < width; c += WARPS)
        if (x < height)
            out[(size_t)(first_col + c) * rows + first_row + x] = tile[x][c];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, WARPS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
