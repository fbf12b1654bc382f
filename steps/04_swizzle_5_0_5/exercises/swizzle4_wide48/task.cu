/*
 * swizzle4_shift: find the swizzle for a tile 64 wide.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Swizzle<5,0,5> leaves two-way conflicts in this 64x64 tile. Find a Swizzle<BITS,BASE,SHIFT> that
 * leaves none: it XORs BITS bits of the offset, from bit BASE on, with the BITS bits that lie SHIFT
 * places higher.
 *
 * Look first at which bits of an offset are the row, now that a row is 64 floats long. With the
 * workbook's `layout` program you can try swizzles without a kernel.
 *
 * Done when there is no conflict, with a tile of 16384 bytes.
 */
// operation: transpose
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_load requests >= 1
// goal: shared_bytes == 16384
#include "exercises/exercise.h"

constexpr int TILE = 64;
constexpr int BLOCK_ROWS = 8;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return swizzle(5, 0, 5, row_major(TILE, row, col));
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * TILE];

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

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(32, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
