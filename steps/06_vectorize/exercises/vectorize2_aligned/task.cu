/*
 * vectorize2_aligned: fix the misaligned access.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Somebody wanted 16-byte stores into the tile too. On a GPU this kernel ends with "misaligned
 * address": a 16-byte access needs an address that is a multiple of 16. rows and cols are
 * multiples of 4.
 *
 * Look first at where row 1 of the tile begins, in bytes. You may give up the wide store or change
 * the tile; the accesses to global memory must stay 16 bytes wide.
 *
 * Done when it is right, global memory takes at most 512 requests each way, and shared memory at
 * most four times its ideal each way. Silver: no conflict at all, and requests load what two requests or
 * more have stored (those for half of the words; how they are arranged in between is yours). Gold: that, and
 * the tile written by 512 requests.
 */
// operation: transpose
// multiple: 4
// goal: verified
// goal: global_load requests <= 512
// goal: global_store requests <= 512
// goal: shared_load work <= 8192
// goal: shared_store work <= 8192
// goal: shared_bytes <= 4608
// silver: shared_load conflict_degree == 1
// silver: shared_store conflict_degree == 1
// silver: stores_per_load >= 2
// gold: shared_store requests <= 512
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
        *(float4 *)&tile[y][x] = values;
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
