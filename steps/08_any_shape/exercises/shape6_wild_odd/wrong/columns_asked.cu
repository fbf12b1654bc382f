// refused: is not aligned
// Asks the column, which was never the question.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WIDTH = 4; /* floats in a vector */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][PITCH];

    int tiles_across = tiles(cols, TILE);
    int first_row = blockIdx.x / tiles_across * TILE;
    int first_col = blockIdx.x % tiles_across * TILE;
    int y = threadIdx.y / 4 + threadIdx.y % 4 * 8; /* a warp's four rows are eight apart */
    int x = WIDTH * threadIdx.x;

    /* cudaMalloc aligns to 256 bytes, x is a multiple of 4: vectors, but for the last columns. */
    const float *from = &in[(size_t)(first_row + y) * cols + first_col + x];
    if (first_row + y < rows) {
        if (first_col + x + WIDTH <= cols && (first_col + x) % WIDTH == 0) {
            float4 v = *(const float4 *)from;
            tile[y][x + 0] = v.x;
            tile[y][x + 1] = v.y;
            tile[y][x + 2] = v.z;
            tile[y][x + 3] = v.w;
        } else {
            for (int k = 0; first_col + x + k < cols; k++)
                tile[y][x + k] = from[k];
        }
    }
    __syncthreads();

    for (int k = threadIdx.y * TILE / WIDTH + threadIdx.x; k < TILE * TILE;
         k += TILE * TILE / WIDTH) {
        int out_row = first_col + k / TILE, out_col = first_row + k % TILE;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = tile[k % TILE][k / TILE];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE / WIDTH, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
