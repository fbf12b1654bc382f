// The barrier before the writes.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int WARPS = 8;

/* The largest `value` of the block, for each of its threads. */
static __device__ int block_max(int value)
{
    __shared__ int slots[WARPS];
    for (int distance = 16; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(0xffffffff, value, distance));
    __syncthreads();
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
