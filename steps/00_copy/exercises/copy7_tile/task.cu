/*
 * copy7_tile: make a tiled copy as good as a plain one (open-ended).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * This is the tile_basic of step 00, taken apart: elements of 2 bytes (bf16) go through a tile in
 * shared memory, one element an access. (If shared memory is new to you, come back after step 02.)
 * A warp moves 64 bytes with each request, where 512 are possible. Elements, tile, block and
 * launch are all yours to change; only the shared memory must stay a stop on the way.
 *
 * Look first at how many bytes one thread moves at a time. rows and cols are multiples of 8, so each
 * row is a whole number of 16-byte vectors. Then find a tile of at most 8 KB in which each request
 * touches no more sectors than its bytes need.
 *
 * Solved with 8 bytes a thread and access, or more; silver with 16; gold if nothing passes through
 * registers on its way in: __pipeline_memcpy_async (the instruction cp.async) copies from global
 * to shared memory by itself. The chapter tiles.md of step 00 has such a copy. On a GPU, go on:
 * which tile comes closest to a plain copy?
 */
// operation: copy elements=2
// multiple: 8
// goal: verified
// goal: global_load requests <= 512
// goal: global_load conflict_degree == 1
// goal: global_store requests <= 512
// goal: shared_store requests <= 512
// goal: shared_store conflict_degree == 1
// goal: shared_load requests <= 512
// goal: shared_load conflict_degree == 1
// goal: shared_bytes <= 8192
// goal: through_shared >= 94
// silver: global_load requests <= 256
// silver: global_store requests <= 256
// silver: shared_store requests <= 256
// silver: shared_load requests <= 256
// gold: async_copy_global ideal >= 4096
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 128;
constexpr int TILE_COLS = 64;

__global__ void copy(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    __shared__ uint16_t tile[TILE_ROWS * TILE_COLS];

    int tiles_across = tiles(cols, TILE_COLS);
    int first_row = blockIdx.x / tiles_across * TILE_ROWS;
    int x = threadIdx.x;
    int col = blockIdx.x % tiles_across * TILE_COLS + x;

    for (int y = 0; y < TILE_ROWS; y++)
        if (first_row + y < rows && col < cols)
            tile[row_major(TILE_COLS, y, x)] = in[(size_t)(first_row + y) * cols + col];
    __syncthreads();
    for (int y = 0; y < TILE_ROWS; y++)
        if (first_row + y < rows && col < cols)
            out[(size_t)(first_row + y) * cols + col] = tile[row_major(TILE_COLS, y, x)];
}

static void launch_copy(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    copy<<<blocks_for(rows, cols, TILE_ROWS, TILE_COLS), TILE_COLS>>>(in, out, rows, cols);
}

EXERCISE(launch_copy)
