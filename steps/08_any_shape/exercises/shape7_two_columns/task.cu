/*
 * shape7_two_columns: pairs come in, two rows go out. How few requests?
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * 16384 rows of two floats, (x, y) after (x, y): points, or complex numbers. Their transpose is
 * all x, then all y. A tile has two columns then, and a request loads two floats of it. Make a way
 * of its own for two columns; other shapes must be right too, and may take the tile.
 *
 * Look first at the input as one run of memory, and at what 32 lanes side by side read of it. How
 * do the two halves of the output get whole requests? Must it go by way of shared memory?
 *
 * Done when loads and stores touch no sector more than needed, with at most 1100 requests each.
 * Silver: without bank conflicts. Gold: with at most 300 requests for loads and 600 for stores.
 */
// operation: transpose
// counted: 16384 x 2
// goal: verified
// goal: global_load conflict_degree == 1
// goal: global_load requests <= 1100
// goal: global_store conflict_degree == 1
// goal: global_store requests <= 1100
// goal: shared_load ideal >= 0
// goal: shared_store ideal >= 0
// silver: shared_load conflict_degree == 1
// silver: shared_store conflict_degree == 1
// gold: global_load requests <= 300
// gold: global_store requests <= 600
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int first_row = blockIdx.x / tiles(cols, TILE) * TILE; /* of the tile */
    int first_col = blockIdx.x % tiles(cols, TILE) * TILE;
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (first_row + y < rows && first_col + x < cols)
            tile[y][x] = in[(size_t)(first_row + y) * cols + first_col + x];
    __syncthreads();

    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (first_col + y < cols && first_row + x < rows)
            out[(size_t)(first_col + y) * rows + first_row + x] = tile[x][y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
