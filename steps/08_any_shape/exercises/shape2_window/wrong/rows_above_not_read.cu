// refused: elements of the output are wrong|nobody wrote|reaches outside|uninitiali
// The window begins earlier, but the tile does not.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS_Y = 8;
constexpr int SECTOR = 8; /* floats */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[SECTOR + TILE][TILE + 1];

    int first_row = (int)blockIdx.y * TILE; /* of the tile */
    int first_col = blockIdx.x * TILE;
    int col = first_col + threadIdx.x;
    for (int y = threadIdx.y; y < SECTOR + TILE; y += THREADS_Y) {
        int row = first_row + y;
        if (row >= 0 && row < rows && col < cols)
            tile[y][threadIdx.x] = in[(size_t)row * cols + col];
    }
    __syncthreads();

    for (int x = threadIdx.y; x < TILE; x += THREADS_Y) {
        int out_row = first_col + x;
        int back = ((size_t)out_row * rows + blockIdx.y * TILE) % SECTOR; /* the window begins */
        int y = SECTOR - back + threadIdx.x; /* the row of the tile that this thread stores */
        int row = first_row + y;
        if (out_row < cols && row >= 0 && row < rows)
            out[(size_t)out_row * rows + row] = tile[y][x];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows + SECTOR - 1, TILE));
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
