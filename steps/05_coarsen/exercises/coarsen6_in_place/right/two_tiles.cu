// medal: bronze
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;

static __device__ void load_tile(float tile[TILE][TILE + 1], const float *matrix, int side,
                                 int tile_row, int tile_col)
{
    int col = tile_col * TILE + threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
        int row = tile_row * TILE + y;
        if (row < side && col < side)
            tile[y][threadIdx.x] = matrix[(size_t)row * side + col];
    }
}

/* Stores the transposed tile where tile (tile_row, tile_col) lies. */
static __device__ void store_turned(const float tile[TILE][TILE + 1], float *matrix, int side,
                                    int tile_row, int tile_col)
{
    int col = tile_col * TILE + threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
        int row = tile_row * TILE + y;
        if (row < side && col < side)
            matrix[(size_t)row * side + col] = tile[threadIdx.x][y];
    }
}

/* One block for each pair of tiles that change places; the tiles on the diagonal are their own. */
__global__ void transpose(float *matrix, int side)
{
    __shared__ float lower[TILE][TILE + 1], upper[TILE][TILE + 1];

    int tile_row = blockIdx.y;
    int tile_col = blockIdx.x;
    if (tile_row < tile_col)
        return;

    load_tile(lower, matrix, side, tile_row, tile_col);
    if (tile_row != tile_col)
        load_tile(upper, matrix, side, tile_col, tile_row);
    __syncthreads();
    store_turned(lower, matrix, side, tile_col, tile_row);
    if (tile_row != tile_col)
        store_turned(upper, matrix, side, tile_row, tile_col);
}

static void launch_transpose(float *matrix, int side)
{
    dim3 blocks(tiles(side, TILE), tiles(side, TILE));
    dim3 threads(TILE, BLOCK_ROWS);
    transpose<<<blocks, threads>>>(matrix, side);
}

EXERCISE(launch_transpose)
