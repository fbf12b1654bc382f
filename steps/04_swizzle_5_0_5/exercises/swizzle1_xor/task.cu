/*
 * swizzle1_xor: no conflict and no pad.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A tile of 16 rows and 64 columns, without a pad. A warp stores half a row of it, and reads two
 * neighbouring columns of 16: two rows of the output, four whole sectors. Put element (row, col) at
 * another place of its row, so that both meet 32 banks. Fill in that place.
 *
 * Look first at `col ^ row`, the lesson's swizzle: in which banks do rows 0 to 15 of column 0 lie
 * then, and in which those of column 1?
 *
 * Done when there is no conflict and a block takes 4096 bytes, one block per tile of 16 rows and 64
 * columns.
 */
// operation: transpose
// counted: 240 x 256
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: global_load work <= 7680
// goal: global_store work <= 7680
// goal: shared_bytes == 4096
// goal: blocks <= 60
// goal: blocks >= 60
// goal: tile_rows == 16
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLS = 64;

/* The place in its row, 0 to 63, where element (row, col) of the tile lies. */
static __device__ int place(int row, int col) { return ___; }

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
