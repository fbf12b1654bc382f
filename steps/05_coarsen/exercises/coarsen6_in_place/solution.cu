#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;
constexpr int ELEMENTS = TILE / BLOCK_ROWS; /* a thread moves */

/* A block exchanges tiles (row, col) and (col, row), col <= row. Row r of this triangle has r + 1
 * pairs, so the rows r and across - 1 - r have across + 1 of them together: a rectangle. */
__global__ void transpose(float *matrix, int side)
{
    __shared__ float tile[TILE][TILE + 1];

    int across = tiles(side, TILE);
    int row = blockIdx.x / (across + 1), col = blockIdx.x % (across + 1);
    int tile_row = col <= row ? row : across - 1 - row;
    int tile_col = col <= row ? col : col - row - 1;
    int x = threadIdx.x;
    float upper[ELEMENTS]; /* this thread's part of tile (col, row), on its way */

    for (int k = 0; k < ELEMENTS; k++) {
        int y = threadIdx.y + k * BLOCK_ROWS;
        if (tile_row * TILE + y < side && tile_col * TILE + x < side)
            tile[y][x] = matrix[(size_t)(tile_row * TILE + y) * side + tile_col * TILE + x];
        if (tile_row != tile_col && tile_col * TILE + y < side && tile_row * TILE + x < side)
            upper[k] = matrix[(size_t)(tile_col * TILE + y) * side + tile_row * TILE + x];
    }
    __syncthreads(); /* both are read */
    for (int k = 0; k < ELEMENTS; k++) {
        int y = threadIdx.y + k * BLOCK_ROWS;
        if (tile_col * TILE + y < side && tile_row * TILE + x < side)
            matrix[(size_t)(tile_col * TILE + y) * side + tile_row * TILE + x] = tile[x][y];
    }
    if (tile_row == tile_col)
        return;      /* the whole block */
    __syncthreads(); /* the memory is free for the other tile */
    for (int k = 0; k < ELEMENTS; k++)
        if (tile_col * TILE + threadIdx.y + k * BLOCK_ROWS < side && tile_row * TILE + x < side)
            tile[threadIdx.y + k * BLOCK_ROWS][x] = upper[k];
    __syncthreads();
    for (int k = 0; k < ELEMENTS; k++) {
        int y = threadIdx.y + k * BLOCK_ROWS;
        if (tile_row * TILE + y < side && tile_col * TILE + x < side)
            matrix[(size_t)(tile_row * TILE + y) * side + tile_col * TILE + x] = tile[x][y];
    }
}

static void launch_transpose(float *matrix, int side)
{
    int across = tiles(side, TILE);
    dim3 threads(TILE, BLOCK_ROWS);
    transpose<<<(unsigned)(across * (across + 1) / 2), threads>>>(matrix, side);
}

EXERCISE(launch_transpose)
