// medal: silver
// Sixteen bytes a thread, through registers.
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 64;
constexpr int CHUNKS = 8; /* 16-byte chunks in a row of the tile: 64 elements */
constexpr int THREADS = 128;

__global__ void copy(const uint4 *in, uint4 *out, int rows, int chunks)
{
    __shared__ uint4 tile[TILE_ROWS * CHUNKS];

    int tiles_across = tiles(chunks, CHUNKS);
    int first_row = blockIdx.x / tiles_across * TILE_ROWS;
    int x = threadIdx.x % CHUNKS;
    int chunk = blockIdx.x % tiles_across * CHUNKS + x;

    for (int y = threadIdx.x / CHUNKS; y < TILE_ROWS; y += THREADS / CHUNKS)
        if (first_row + y < rows && chunk < chunks)
            tile[row_major(CHUNKS, y, x)] = in[(size_t)(first_row + y) * chunks + chunk];
    __syncthreads();
    for (int y = threadIdx.x / CHUNKS; y < TILE_ROWS; y += THREADS / CHUNKS)
        if (first_row + y < rows && chunk < chunks)
            out[(size_t)(first_row + y) * chunks + chunk] = tile[row_major(CHUNKS, y, x)];
}

static void launch_copy(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    copy<<<blocks_for(rows, cols / 8, TILE_ROWS, CHUNKS), THREADS>>>((const uint4 *)in,
                                                                     (uint4 *)out, rows, cols / 8);
}

EXERCISE(launch_copy)
