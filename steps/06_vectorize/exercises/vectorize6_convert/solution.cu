/*
 * vectorize6_convert: transpose and convert in one go.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../shared vectorize6_convert.cu -o vectorize6_convert
 *
 * The input is a matrix of bytes; the output is its transpose as floats (0 to 255). Doing both at
 * once saves a whole trip through memory. This kernel is right, and moves one element a thread
 * with uncoalesced stores. Make it good: wide loads, wide stores, and no conflict between them.
 * Everything but the types is yours.
 *
 * Look first at the two sides: four elements are 4 bytes coming in, and 16 bytes going out. Where
 * is the better place to convert, before the tile or after it?
 *
 * Done when the counts below are met. rows and cols are multiples of 4.
 */
// operation: convert
// multiple: 4
// goal: verified
// goal: global_load requests <= 512
// goal: global_load conflict_degree == 1
// goal: global_store requests <= 512
// goal: global_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
// goal: shared_bytes <= 4224
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WIDTH = 4; /* elements in a vector */

__global__ void transpose(const uint8_t *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int x = WIDTH * threadIdx.x;
    int y = threadIdx.y;

    int row = tile_row * TILE + y;
    int col = tile_col * TILE + x;
    if (row < rows && col < cols) {
        uchar4 values = *(const uchar4 *)&in[(size_t)row * cols + col];
        tile[y][x + 0] = values.x;
        tile[y][x + 1] = values.y;
        tile[y][x + 2] = values.z;
        tile[y][x + 3] = values.w;
    }
    __syncthreads();

    int out_row = tile_col * TILE + y;
    int out_col = tile_row * TILE + x;
    if (out_row < cols && out_col < rows) {
        float4 values;
        values.x = tile[x + 0][y];
        values.y = tile[x + 1][y];
        values.z = tile[x + 2][y];
        values.w = tile[x + 3][y];
        *(float4 *)&out[(size_t)out_row * rows + out_col] = values;
    }
}

static void launch_transpose(const uint8_t *in, float *out, int rows, int cols)
{
    dim3 threads(TILE / WIDTH, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
