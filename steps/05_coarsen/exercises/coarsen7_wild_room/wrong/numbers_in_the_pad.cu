// refused: elements of the output are wrong|overwrites what|reaches outside|another thread
// The numbers put inside the tile.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WARPS = 4;

/* Tiles are handed out in column order: which tile it is, one thread works out for all. */
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    extern __shared__ float room[];
    float *tile = room; /* TILE rows of PITCH floats */
    int *where = (int *)&room[TILE * PITCH - 2];

    if (threadIdx.x == 0) {
        where[0] = blockIdx.x % tiles(rows, TILE) * TILE;
        where[1] = blockIdx.x / tiles(rows, TILE) * TILE;
    }
    __syncthreads();

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int y = warp; y < TILE; y += WARPS)
        if (where[0] + y < rows && where[1] + lane < cols)
            tile[y * PITCH + lane] = in[(size_t)(where[0] + y) * cols + where[1] + lane];
    __syncthreads();

    for (int y = warp; y < TILE; y += WARPS)
        if (where[1] + y < cols && where[0] + lane < rows)
            out[(size_t)(where[1] + y) * rows + where[0] + lane] = tile[lane * PITCH + y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    size_t bytes = TILE * PITCH * sizeof(float);
    transpose<<<blocks_for(rows, cols, TILE, TILE), 32 * WARPS, bytes>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
