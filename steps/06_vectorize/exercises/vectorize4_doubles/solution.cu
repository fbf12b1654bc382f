#include "exercises/exercise.h"

constexpr int TILE = 64;
constexpr int CHUNKS = TILE / 4; /* 16-byte chunks in a row of the tile */
constexpr int THREADS = 256;     /* each owns one 4x4 block of the tile */

/* Where chunk (row, chunk) of the tile lies in shared memory, in chunks. */
static __device__ int place(int row, int chunk)
{
    return row_major(CHUNKS, row, chunk ^ (row / 4 % 8));
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE * CHUNKS];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int x = threadIdx.x % CHUNKS;
    int y = threadIdx.x / CHUNKS;

    int row = tile_row * TILE + y;
    int col = tile_col * TILE + 4 * x;
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (row + CHUNKS * k < rows && col < cols)
            tile[place(y + CHUNKS * k, x)] =
                *(const float4 *)&in[(size_t)(row + CHUNKS * k) * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE + 4 * y;
    int out_col = tile_row * TILE + 4 * x;
    if (out_row >= cols || out_col >= rows)
        return;
    float4 a = tile[place(4 * x + 0, y)];
    float4 b = tile[place(4 * x + 1, y)];
    float4 c = tile[place(4 * x + 2, y)];
    float4 d = tile[place(4 * x + 3, y)];
    *(float4 *)&out[(size_t)(out_row + 0) * rows + out_col] = make_float4(a.x, b.x, c.x, d.x);
    *(float4 *)&out[(size_t)(out_row + 1) * rows + out_col] = make_float4(a.y, b.y, c.y, d.y);
    *(float4 *)&out[(size_t)(out_row + 2) * rows + out_col] = make_float4(a.z, b.z, c.z, d.z);
    *(float4 *)&out[(size_t)(out_row + 3) * rows + out_col] = make_float4(a.w, b.w, c.w, d.w);
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    transpose<<<blocks_for(rows, cols, TILE, TILE), THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
