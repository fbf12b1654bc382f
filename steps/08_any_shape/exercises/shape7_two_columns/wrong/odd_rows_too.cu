// refused: misaligned
// Pairs of floats in an output row that begins at an odd float.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int first_row = blockIdx.x / tiles(cols, TILE) * TILE; /* of the tile */
    int first_col = blockIdx.x % tiles(cols, TILE) * TILE;
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (first_row + y < rows && first_col + x < cols)
            tile[y][x] = in[(size_t)(first_row + y) * cols + first_col + x];
    __syncthreads();

    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (first_col + y < cols && first_row + x < rows)
            out[(size_t)(first_col + y) * rows + first_row + x] = tile[x][y];
}

/* A thread has two rows: 16 bytes in, 8 bytes into each row of the output. */
__global__ void two_columns(const float4 *in, float2 *out, int rows)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (2 * i + 1 < rows) {
        float4 v = in[i];
        out[i] = make_float2(v.x, v.z);
        *(float2 *)((float *)out + rows + 2 * i) = make_float2(v.y, v.w);
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    if (cols == 2) {
        two_columns<<<tiles(rows, 512), 256>>>((const float4 *)in, (float2 *)out, rows);
        return;
    }
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
