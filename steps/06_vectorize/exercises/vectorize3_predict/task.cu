/*
 * vectorize3_predict: a tile that is not square, and pairs of floats.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The tile has 64 rows of 32 columns, with a pad of one. It is filled by pairs, along its rows, and
 * emptied by pairs, down its columns: the two sides have different shapes. Predict for a 256 x 256
 * matrix and write your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at one warp on each side. Which rows and columns of the tile do its lanes meet with
 * the first of the two accesses, and in which banks, (row + column) % 32, do they lie?
 *
 * Done when all predictions are right.
 */
// operation: transpose
// multiple: 2
// predict: global_load requests = ___
// predict: global_load work_per_request = ___
// predict: shared_store conflict_degree = ___
// predict: shared_load conflict_degree = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 64;
constexpr int TILE_COLS = 32;
constexpr int PITCH = TILE_COLS + 1;
constexpr int THREADS = 256;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][PITCH];

    int tiles_across = tiles(cols, TILE_COLS);
    int tile_row = blockIdx.x / tiles_across * TILE_ROWS;
    int tile_col = blockIdx.x % tiles_across * TILE_COLS;

    /* In: a row of the tile is 16 vectors of two floats, so a warp has two rows. */
    for (int i = threadIdx.x; i < TILE_ROWS * TILE_COLS / 2; i += THREADS) {
        int y = i / (TILE_COLS / 2), x = 2 * (i % (TILE_COLS / 2));
        if (tile_row + y < rows && tile_col + x < cols) {
            float2 v = *(const float2 *)&in[(size_t)(tile_row + y) * cols + tile_col + x];
            tile[y][x] = v.x;
            tile[y][x + 1] = v.y;
        }
    }
    __syncthreads();

    /* Out: a row of the output is 32 vectors of two floats, so a warp has one. */
    for (int i = threadIdx.x; i < TILE_ROWS * TILE_COLS / 2; i += THREADS) {
        int y = i / (TILE_ROWS / 2), x = 2 * (i % (TILE_ROWS / 2));
        if (tile_col + y < cols && tile_row + x < rows)
            *(float2 *)&out[(size_t)(tile_col + y) * rows + tile_row + x] =
                make_float2(tile[x][y], tile[x + 1][y]);
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    unsigned blocks = blocks_for(rows, cols, TILE_ROWS, TILE_COLS);
    transpose<<<blocks, THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
