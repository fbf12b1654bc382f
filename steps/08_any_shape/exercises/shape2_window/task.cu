/*
 * shape2_window: write whole sectors, wherever rows begin.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The padded tile, on a matrix of 255 rows. Its output rows begin anywhere in a sector, and most
 * stores touch five sectors where four would do. Let each store begin at a sector of memory
 * instead: in output row out_row, the window of 32 floats that begins at the last sector boundary
 * not after the tile's first element. The output itself begins at a sector.
 *
 * Look first at one output row: how many elements earlier does its window begin, and which rows of
 * the input must the block have read for that? At the other end of the matrix, which window holds
 * the last elements?
 *
 * Done when stores touch no sector more than needed, loads at most a third more than now, and
 * shared memory has no conflict. Whatever else does that here passes too, as a tile that is as tall as the
 * matrix.
 */
// operation: transpose
// counted: 255 x 200
// goal: verified
// goal: global_store conflict_degree == 1
// goal: global_store requests <= 1800
// goal: global_load requests <= 2300
// goal: global_load work <= 8400
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE; /* of the tile */
    int col = first_col + threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y) {
        int row = first_row + y;
        if (row < rows && col < cols)
            tile[y][threadIdx.x] = in[(size_t)row * cols + col];
    }
    __syncthreads();

    for (int x = threadIdx.y; x < TILE; x += THREADS_Y) {
        int out_row = first_col + x;
        int y = threadIdx.x; /* the row of the tile that this thread stores */
        int row = first_row + y;
        if (out_row < cols && row < rows)
            out[(size_t)out_row * rows + row] = tile[y][x];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
