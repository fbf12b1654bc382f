/*
 * swizzle4_wide48: a tile 48 wide.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The tile has 64 rows of 48 floats. A row is no power of two, so no Swizzle<BITS,BASE,SHIFT> of
 * the offset does: the row is not to be found in its bits. Loads from the tile conflict, 16 lanes
 * in a bank. How far do you get?
 *
 * Look first at the banks in which rows 0, 1, 2 and 3 begin. How many different ones are there?
 * What must differ between rows that begin in the same bank, and within which columns may a row be
 * permuted, so that no element leaves it?
 *
 * Done when loads take at most twice the wavefronts they need, with a block per tile of 64 rows
 * and 48 columns. Silver: loads have no conflict. Gold: stores neither, without a pad, in 12288 bytes.
 */
// operation: transpose
// counted: 256 x 240
// goal: verified
// goal: shared_load conflict_degree <= 2
// goal: shared_load work <= 3840
// goal: shared_store work <= 4700
// goal: blocks <= 20
// goal: blocks >= 20
// goal: tile_rows == 64
// goal: shared_bytes >= 12288
// goal: stores_per_load >= 2
// silver: shared_load conflict_degree == 1
// gold: shared_store conflict_degree == 1
// gold: shared_bytes == 12288
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 64;
constexpr int TILE_COLS = 48;
constexpr int THREADS_X = 16;
constexpr int THREADS_Y = 16;
constexpr int PITCH = TILE_COLS;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col) { return row_major(PITCH, row, col); }

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_ROWS * PITCH];

    for (int y = threadIdx.y; y < TILE_ROWS; y += THREADS_Y)
        for (int x = threadIdx.x; x < TILE_COLS; x += THREADS_X) {
            int row = blockIdx.y * TILE_ROWS + y;
            int col = blockIdx.x * TILE_COLS + x;
            if (row < rows && col < cols)
                tile[tile_offset(y, x)] = in[(size_t)row * cols + col];
        }
    __syncthreads();

    /* Rows of the output, 64 long: a warp has 32 elements of one. */
    int thread = threadIdx.x + THREADS_X * threadIdx.y;
    for (int i = thread; i < TILE_ROWS * TILE_COLS; i += THREADS_X * THREADS_Y) {
        int y = i / TILE_ROWS, x = i % TILE_ROWS;
        int out_row = blockIdx.x * TILE_COLS + y;
        int out_col = blockIdx.y * TILE_ROWS + x;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = tile[tile_offset(x, y)];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE_COLS), tiles(rows, TILE_ROWS));
    dim3 threads(THREADS_X, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
