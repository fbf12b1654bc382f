/*
 * vectorize4_doubles: 2x2 blocks of doubles in registers.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Elements of 8 bytes, two to a vector of 16, and each thread transposes a 2x2 block. Every access
 * is 16 bytes wide, to global and to shared memory. But the loads from the tile conflict, eight
 * lanes in one group of banks. Find a place for each chunk with which neither loads nor stores
 * conflict.
 *
 * Look first at eight neighbouring threads, which share a wavefront: which chunks of the tile do
 * they store, which do they load? Which bits of the row differ between them, and in which group of
 * four banks, chunk offset % 8, do the chunks lie now?
 *
 * Done when shared memory has no conflict, with 1024 requests each way and a block for each tile of
 * 8192 bytes; requests load what four requests or more have stored, as from a tile that is stored by rows and
 * loaded by columns. (A warp that loads eight chunks of each of four rows needs no such place, and passes too.)
 * rows and cols are multiples of 2.
 */
// operation: transpose elements=8
// multiple: 2
// goal: verified
// goal: global_load requests <= 1024
// goal: global_store requests <= 1024
// goal: shared_store requests <= 1024
// goal: shared_store conflict_degree == 1
// goal: shared_load requests <= 1024
// goal: shared_load conflict_degree == 1
// goal: shared_bytes == 8192
// goal: stores_per_load >= 4
// goal: blocks <= 64
// goal: blocks >= 64
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int CHUNKS = TILE / 2; /* chunks of two doubles in a row of the tile */
constexpr int THREADS = 256;     /* each owns one 2x2 block of the tile */

/* Where chunk (row, chunk) of the tile lies in shared memory, in chunks. */
static __device__ int place(int row, int chunk) { return row_major(CHUNKS, row, chunk); }

__global__ void transpose(const double *in, double *out, int rows, int cols)
{
    __shared__ double2 tile[TILE * CHUNKS];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across * TILE;
    int tile_col = blockIdx.x % tiles_across * TILE;
    int x = threadIdx.x % CHUNKS;
    int y = threadIdx.x / CHUNKS;

    for (int k = 0; k < TILE; k += CHUNKS)
        if (tile_row + y + k < rows && tile_col + 2 * x < cols)
            tile[place(y + k, x)] =
                *(const double2 *)&in[(size_t)(tile_row + y + k) * cols + tile_col + 2 * x];
    __syncthreads();

    if (tile_col + 2 * y >= cols || tile_row + 2 * x >= rows)
        return;
    double2 a = tile[place(2 * x, y)], b = tile[place(2 * x + 1, y)];
    double *to = &out[(size_t)(tile_col + 2 * y) * rows + tile_row + 2 * x];
    *(double2 *)to = make_double2(a.x, b.x);
    *(double2 *)(to + rows) = make_double2(a.y, b.y);
}

static void launch_transpose(const double *in, double *out, int rows, int cols)
{
    transpose<<<blocks_for(rows, cols, TILE, TILE), THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
