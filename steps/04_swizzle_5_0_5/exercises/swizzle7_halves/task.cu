/*
 * swizzle7_halves: a swizzle for elements of 2 bytes.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * This 64x64 tile holds 2-byte elements (bf16 or half; only their bits are moved). Two neighbours
 * share a bank, so Swizzle<5,0,6>, which suits a tile of 64 x 64 floats, leaves conflicts. Find the
 * Swizzle<BITS,BASE,SHIFT> with which a column is read in one wavefront.
 *
 * Look first at the bits of an element's offset, 64 * row + col. Which bit says which half of a
 * bank's word, which bits say which bank, and which bits are the row?
 *
 * Done when there is no conflict, with a block per tile of 8192 bytes. Is there more than one such
 * swizzle?
 */
// operation: transpose elements=2
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_bytes == 8192
// goal: blocks <= 16
// goal: blocks >= 16
// goal: global_load work <= 4096
// goal: global_store work <= 4096
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE = 64;
constexpr int BLOCK_ROWS = 8;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return swizzle(5, 0, 6, row_major(TILE, row, col));
}

__global__ void transpose(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    __shared__ uint16_t tile[TILE * TILE];

    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        for (int j = 0; j < TILE; j += 32) {
            int y = i + threadIdx.y;
            int x = j + threadIdx.x;
            int row = blockIdx.y * TILE + y;
            int col = blockIdx.x * TILE + x;
            if (row < rows && col < cols)
                tile[tile_offset(y, x)] = in[(size_t)row * cols + col];
        }
    __syncthreads();

    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        for (int j = 0; j < TILE; j += 32) {
            int y = i + threadIdx.y;
            int x = j + threadIdx.x;
            int out_row = blockIdx.x * TILE + y;
            int out_col = blockIdx.y * TILE + x;
            if (out_row < cols && out_col < rows)
                out[(size_t)out_row * rows + out_col] = tile[tile_offset(x, y)];
        }
}

static void launch_transpose(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(32, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
