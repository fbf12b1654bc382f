/*
 * swizzle6_int4: elements of 16 bytes.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * An element is now an int4: four banks wide. A warp's request for 32 of them is served in
 * quarters, eight lanes at a time, so its columns are free of conflicts if eight elements, one
 * below the other, lie in eight different groups of four banks. Give tile_offset a swizzle that
 * does that.
 *
 * Look first at which bits of an element's offset say in which group of four banks it lies, and
 * which bits are its row. The CUDA guide's example, `tma --guide` in step 07, is this with a tile
 * 8 wide.
 *
 * Done when there is no conflict, 16 bytes pass per thread and access, a block has a tile of 16384
 * bytes, and a request takes from it what two or more have stored. (A warp that takes 4 elements of
 * each of 8 neighbouring columns needs no swizzle. Why does that not help with floats?)
 */
// operation: transpose elements=16
// goal: verified
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_load requests <= 2048
// goal: shared_store requests <= 2048
// goal: shared_bytes == 16384
// goal: blocks <= 64
// goal: blocks >= 64
// goal: global_load work <= 32768
// goal: global_store work <= 32768
// goal: stores_per_load >= 2
// goal: exchanged >= 70
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col) { return row_major(TILE, row, col); }

__global__ void transpose(const int4 *in, int4 *out, int rows, int cols)
{
    __shared__ int4 tile[TILE * TILE];

    for (int i = 0; i < TILE; i += BLOCK_ROWS) {
        int row = blockIdx.y * TILE + threadIdx.y + i;
        int col = blockIdx.x * TILE + threadIdx.x;
        if (row < rows && col < cols)
            tile[tile_offset(threadIdx.y + i, threadIdx.x)] = in[(size_t)row * cols + col];
    }
    __syncthreads();

    for (int i = 0; i < TILE; i += BLOCK_ROWS) {
        int out_row = blockIdx.x * TILE + threadIdx.y + i;
        int out_col = blockIdx.y * TILE + threadIdx.x;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = tile[tile_offset(threadIdx.x, threadIdx.y + i)];
    }
}

static void launch_transpose(const int4 *in, int4 *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
