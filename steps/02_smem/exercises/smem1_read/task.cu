/*
 * smem1_read: write out a tile that is not square.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A block brings a tile of 16 rows and 64 columns into shared memory, by rows. Transposed, the
 * tile has 64 rows of 16 elements. Now the same 1024 threads must write these, so that each
 * request fills its sectors. Fill in which row (out_y) and which column (out_x) of the transposed
 * tile a thread writes, and where in the tile that element lies.
 *
 * Look first at a warp: into how many runs of the output do its 32 threads fall?
 *
 * Done when every size is right, with requests of at most 4 sectors both ways, and a block per tile of
 * 16 rows and 64 columns.
 */
// operation: transpose
// counted: 240 x 256
// goal: verified
// goal: global_load work <= 7680
// goal: global_store work <= 7680
// goal: shared_load ideal >= 1920
// goal: shared_store ideal >= 1920
// goal: blocks <= 60
// goal: blocks >= 60
// goal: tile_rows == 16
// goal: shared_bytes >= 4096
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 16;
constexpr int TILE_COLS = 64;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    int y = threadIdx.x / TILE_COLS;
    int x = threadIdx.x % TILE_COLS;
    int row = blockIdx.y * TILE_ROWS + y;
    int col = blockIdx.x * TILE_COLS + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_y = ___;
    int out_x = ___;
    int out_row = blockIdx.x * TILE_COLS + out_y;
    int out_col = blockIdx.y * TILE_ROWS + out_x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[___][___];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    transpose<<<blocks, TILE_ROWS * TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
