// medal: bronze
// A patch of 4 x 8.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PATCH_ROWS = 4; /* what one warp transposes */
constexpr int PATCH_COLS = 8;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int patch = threadIdx.y;
    int lane = threadIdx.x;
    int patches_across = TILE / PATCH_COLS;
    int row = blockIdx.y * TILE + patch / patches_across * PATCH_ROWS + lane / PATCH_COLS;
    int col = blockIdx.x * TILE + patch % patches_across * PATCH_COLS + lane % PATCH_COLS;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
