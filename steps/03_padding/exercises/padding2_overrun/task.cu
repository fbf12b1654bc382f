/*
 * padding2_overrun: the pad is there, and the kernel is broken.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A tile whose size is not known before the launch has one dimension only, and its rows are found
 * by hand, as here. Someone padded such a tile in a hurry and forgot one of the places where the
 * pitch matters. On a GPU it may even seem to work, because what lies past the end of the tile is
 * often nobody's.
 *
 * Look first at the largest offset that tile_offset() returns.
 *
 * Done when it is right, without conflict, and every access stays in the block's shared memory, of as many
 * bytes as a tile with a pad takes.
 */
// operation: transpose
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_bytes <= 4224
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col) { return row_major(PITCH, row, col); }

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[tile_offset(threadIdx.y, threadIdx.x)] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[tile_offset(threadIdx.x, threadIdx.y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
