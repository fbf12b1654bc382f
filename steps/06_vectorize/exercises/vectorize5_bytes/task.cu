/*
 * vectorize5_bytes: elements of one byte, four to an access.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A matrix of bytes, as of an image or of 8-bit weights. One byte a thread makes a request of 32
 * bytes, a quarter of what even single floats reach. Move four bytes a thread, both ways. rows and
 * cols are multiples of 4.
 *
 * Look first at step 06's vec4, which does this for floats: a vector of four elements comes in,
 * goes into the tile one by one, and a vector of four elements of a column goes out.
 *
 * Done when loads and stores of global memory take at most 512 requests each. Requests are counted
 * where sides are multiples of 16; other sizes must be right. Conflicts in shared memory are not
 * counted here; see whether you can keep them low.
 */
// operation: transpose elements=1
// multiple: 4
// goal: verified
// goal: global_load requests <= 512
// goal: global_store requests <= 512
// goal: global_load conflict_degree == 1
// goal: global_store conflict_degree == 1
// goal: shared_bytes <= 4608
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 4;

__global__ void transpose(const uint8_t *in, uint8_t *out, int rows, int cols)
{
    __shared__ uint8_t tile[TILE][PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int x = threadIdx.x;
    int y = threadIdx.y;

    int row = tile_row * TILE + y;
    int col = tile_col * TILE + x;
    if (row < rows && col < cols)
        tile[y][x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE + y;
    int out_col = tile_row * TILE + x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[x][y];
}

static void launch_transpose(const uint8_t *in, uint8_t *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
