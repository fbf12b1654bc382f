/*
 * vectorize3_predict: does a pad of one suit vectors?
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A published article says that vectors of four leave four-way bank conflicts in the padded tile.
 * Work it out. Predict for a 256 x 256 matrix and write your numbers over the blanks below. Leave
 * the code as it is.
 *
 * Look first at the block: 8 x 32 threads. A warp is then 8 threads wide and 4 rows high. Write
 * down the banks of its 32 threads for one of the four stores into the tile.
 *
 * Done when all predictions are right.
 */
// operation: transpose
// multiple: 4
// predict: global_load requests = ___
// predict: global_load work_per_request = ___
// predict: shared_store requests = ___
// predict: shared_store conflict_degree = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WIDTH = 4; /* floats in a vector */

__global__ void transpose(const float *in, float *out, int rows, int cols)
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
        float4 values = *(const float4 *)&in[(size_t)row * cols + col];
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

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE / WIDTH, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
