/*
 * vectorize1_pair: which pair of floats a thread loads.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Each thread moves two neighbouring floats as one float2, so that a transpose takes half as many
 * requests. The store at the end makes the address of a float that of a float2. The load does it
 * the other way round: it takes the whole input for an array of pairs. Fill in the number of the
 * pair whose first float is element (row, col). rows and cols are multiples of 2.
 *
 * Look first at a matrix of 6 columns: which number has the pair of row 1, columns 2 and 3?
 *
 * Done when loads and stores of global memory take at most 1024 requests each, without shuffles.
 */
// operation: transpose
// multiple: 2
// goal: verified
// goal: global_load requests <= 1024
// goal: global_store requests <= 1024
// goal: shared_load conflict_degree == 1
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WIDTH = 2; /* floats in a vector */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int x = WIDTH * threadIdx.x;
    int y = threadIdx.y;

    const float2 *pairs = (const float2 *)in;
    int row = tile_row * TILE + y;
    int col = tile_col * TILE + x;
    if (row < rows && col < cols) {
        float2 values = pairs[___];
        tile[y][x + 0] = values.x;
        tile[y][x + 1] = values.y;
    }
    __syncthreads();

    int out_row = tile_col * TILE + y;
    int out_col = tile_row * TILE + x;
    if (out_row < cols && out_col < rows) {
        float2 values;
        values.x = tile[x + 0][y];
        values.y = tile[x + 1][y];
        *(float2 *)&out[(size_t)out_row * rows + out_col] = values;
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE / WIDTH, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
