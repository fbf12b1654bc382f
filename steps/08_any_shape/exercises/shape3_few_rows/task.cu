/*
 * shape3_few_rows: a matrix of three rows.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Three rows of 4000 floats become 4000 rows of three. A tile has three rows then, and a store of
 * 32 lanes writes three floats of them. But the output is packed: it is one run of memory. Let a
 * block write a piece of that run, side by side.
 *
 * Look first at element i of the output: which row and which column of the input is it? Which
 * columns does a block need for its piece, and how are they read side by side?
 *
 * Done when loads and stores touch no sector more than needed. rows is at most 4096; other shapes
 * must be right too, though not fast.
 */
// operation: transpose
// counted: 3 x 4000
// goal: verified
// goal: global_load conflict_degree == 1
// goal: global_load requests <= 400
// goal: global_store conflict_degree == 1
// goal: global_store requests <= 400
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
