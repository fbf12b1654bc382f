/*
 * padding4_doubles: the same tile with elements of 8 bytes.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * This tile of 8 x 64 floats is padded as padding1 asks for, and has no conflict. Now the matrix
 * holds doubles, 8 bytes an element: make the kernel transpose them, and then look at the counts.
 * A double takes two banks, and a warp's request is served in two halves of 16 lanes, one
 * wavefront each, if there is no conflict within a half.
 *
 * Look first at the types. Then at what half a warp takes out of the tile: how many columns, and
 * how many rows of each? Write bank(row, col) in pairs of banks: there are 16.
 *
 * Done when it is right at every size and shared memory is read and written without conflict, 8 bytes
 * per thread and access, in 4224 bytes, with a block per tile of 8 x 64 doubles, and requests that take
 * from it what two or more have stored.
 */
// operation: transpose elements=8
// counted: 248 x 256
// goal: verified
// goal: global_load work <= 15872
// goal: global_store work <= 15872
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_load requests <= 1984
// goal: shared_store requests <= 1984
// goal: shared_bytes <= 4224
// goal: blocks <= 124
// goal: blocks >= 124
// goal: tile_rows == 8
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 8;
constexpr int TILE_COLS = 64;
constexpr int PITCH = TILE_COLS + 4;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS][PITCH];

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
