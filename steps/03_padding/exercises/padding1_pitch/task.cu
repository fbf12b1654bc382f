/*
 * padding1_pitch: the pitch of a tile 128 wide.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * This tile has 8 rows of 128 floats. A warp stores a quarter of a row, and writes out four
 * columns of 8, which are four whole sectors. Fill in how many floats a row takes, the pitch, so
 * that the 32 elements of four neighbouring columns lie in 32 banks.
 *
 * Look first at the bank of element (row, col), (row * pitch + col) % 32, for row 0 to 7 and col 0
 * to 3. The columns take four neighbouring banks in each row: where should the next row's four
 * begin?
 *
 * Done when neither loads nor stores of shared memory conflict, with as little memory as possible and
 * a block per tile of 8 rows and 128 columns.
 */
// operation: transpose
// counted: 248 x 256
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_bytes <= 4224
// goal: blocks <= 62
// goal: blocks >= 62
// goal: tile_rows == 8
// goal: global_load work <= 7936
// goal: global_store work <= 7936
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 8;
constexpr int TILE_COLS = 128;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][___];

    int y = threadIdx.x / TILE_COLS;
    int x = threadIdx.x % TILE_COLS;
    int row = blockIdx.y * TILE_ROWS + y;
    int col = blockIdx.x * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_y = threadIdx.x / TILE_ROWS;
    int out_x = threadIdx.x % TILE_ROWS;
    int out_row = blockIdx.x * TILE_COLS + out_y;
    int out_col = blockIdx.y * TILE_ROWS + out_x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[out_x][out_y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
