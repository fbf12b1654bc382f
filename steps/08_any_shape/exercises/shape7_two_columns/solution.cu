#include "exercises/exercise.h"

constexpr int THREADS = 256;
constexpr int RUN = 1024; /* floats of a block */

/* Columns few enough: a block takes RUN / cols rows, which are one run of memory, and writes a piece
 * of each row of the output. Others by tiles. */
__global__ void few_columns(const float *in, float *out, int rows, int cols, int along)
{
    __shared__ float run[RUN];

    int first = blockIdx.x * along; /* row */
    int length = min(along, rows - first);
    for (int i = threadIdx.x; i < length * cols; i += THREADS)
        run[i] = in[(size_t)first * cols + i];
    __syncthreads();
    for (int i = threadIdx.x; i < along * cols; i += THREADS) {
        int col = i / along, row = i % along;
        if (row < length)
            out[(size_t)col * rows + first + row] = run[row * cols + col];
    }
}

constexpr int TILE_ROWS = 4;
constexpr int TILE_COLS = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS + 1];

    int y = threadIdx.x / TILE_COLS, x = threadIdx.x % TILE_COLS;
    int tile_row = blockIdx.x / tiles(cols, TILE_COLS);
    int tile_col = blockIdx.x % tiles(cols, TILE_COLS);
    int row = tile_row * TILE_ROWS + y;
    int col = tile_col * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE_COLS + threadIdx.x / TILE_ROWS;
    int out_col = tile_row * TILE_ROWS + threadIdx.x % TILE_ROWS;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] =
            tile[threadIdx.x % TILE_ROWS][threadIdx.x / TILE_ROWS];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    if (cols <= 32) {
        int along = RUN / cols / 32 * 32;
        few_columns<<<tiles(rows, along), THREADS>>>(in, out, rows, cols, along);
        return;
    }
    unsigned blocks = blocks_for(rows, cols, TILE_ROWS, TILE_COLS);
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
