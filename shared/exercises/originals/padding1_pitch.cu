/*
 * padding1_pitch: fill in the distance between two rows of the tile.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../shared padding1_pitch.cu -o padding1_pitch
 *
 * With rows 32 floats apart, a column of the tile lies in one bank, and reading it takes 32
 * wavefronts. Let the rows start further apart, so that a column meets all 32 banks: fill in PITCH.
 *
 * Look first at the bank of element (row, 0), which is row * PITCH % 32, for rows 0, 1, 2, ...
 *
 * Done when neither loads nor stores of shared memory conflict, with as little memory as possible.
 */
// operation: transpose
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_load requests >= 1
// goal: shared_bytes <= 4224
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = ___;

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
        tile[tile_offset(threadIdx.y, threadIdx.x)] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = tile_row * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[tile_offset(threadIdx.x, threadIdx.y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
