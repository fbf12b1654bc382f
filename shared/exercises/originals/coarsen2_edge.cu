/*
 * coarsen2_edge: a bounds check must follow its element.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../shared coarsen2_edge.cu -o coarsen2_edge
 *
 * To save comparisons, this kernel checks the bounds once, before each loop. At the edge of a
 * matrix that lets through what it should not.
 *
 * Look first at a thread whose first element is in the last row of the matrix. What does its second
 * turn do?
 *
 * Done when every size is right and no access leaves its matrix.
 */
// operation: transpose
// goal: verified
// goal: global_load work_per_request <= 4
// goal: global_store work_per_request <= 4
// goal: shared_load conflict_degree == 1
// goal: threads_per_block == 256
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int ELEMENTS = 4; /* a thread moves */

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return row_major(PITCH, row, col);
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;

    int row = tile_row * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
    if (row < rows && col < cols)
        for (int i = 0; i < TILE; i += TILE / ELEMENTS)
            tile[tile_offset(threadIdx.y + i, threadIdx.x)] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = tile_row * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        for (int i = 0; i < TILE; i += TILE / ELEMENTS)
            out[(size_t)(out_row + i) * rows + out_col] =
                tile[tile_offset(threadIdx.x, threadIdx.y + i)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
