// refused: has each element a place of its own
// Or, not exclusive or: two elements in one place.
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLS = 64;

/* The place in its row, 0 to 63, where element (row, col) of the tile lies. */
static __device__ int place(int row, int col) { return col | (2 * row); }

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    int y = threadIdx.x / TILE_COLS;
    int x = threadIdx.x % TILE_COLS;
    int row = blockIdx.y * TILE_ROWS + y;
    int col = blockIdx.x * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][place(y, x)] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_y = threadIdx.x / TILE_ROWS; /* a column of the tile */
    int out_x = threadIdx.x % TILE_ROWS; /* a row of the tile */
    int out_row = blockIdx.x * TILE_COLS + out_y;
    int out_col = blockIdx.y * TILE_ROWS + out_x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[out_x][place(out_x, out_y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
