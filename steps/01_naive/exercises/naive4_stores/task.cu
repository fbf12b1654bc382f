/*
 * naive4_stores: make the stores coalesced, with a tile of another shape.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A block of this kernel takes 4 rows of 256 elements. Its threads have one number each, and go
 * along the rows, so that each request for stores touches 32 sectors. Turn that round: let the
 * loads pay.
 *
 * Look first at what a warp stores once neighbouring threads go down a column of the tile. How
 * long are the runs that they fill in the output? Does that fill its sectors? The tile's shape is
 * yours to change.
 *
 * Done when requests for stores touch at most 4 sectors, with no more threads in a block than now,
 * and everything is still right at every size.
 */
// operation: transpose
// goal: verified
// goal: global_store work <= 8192
// goal: shared_bytes == 0
// goal: threads_per_block <= 1024
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 4;
constexpr int TILE_COLS = 256;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE_ROWS + threadIdx.x / TILE_COLS;
    int col = blockIdx.x * TILE_COLS + threadIdx.x % TILE_COLS;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    dim3 threads(TILE_ROWS * TILE_COLS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
