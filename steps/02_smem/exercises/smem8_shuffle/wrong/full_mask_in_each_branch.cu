// refused: with the wrong lanes|elements of the output are wrong
// Each half of the warp comes to a shuffle of its own, and names all lanes.
#include "exercises/exercise.h"

constexpr int PATCH = 8;
constexpr int WARPS = 4; /* in a block, each with a patch of its own */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int patch = blockIdx.x * WARPS + threadIdx.y;
    int patches_across = tiles(cols, PATCH);
    int first_row = patch / patches_across * PATCH;
    int first_col = patch % patches_across * PATCH;
    int y = threadIdx.x / PATCH;
    int x = threadIdx.x % PATCH;

    float value[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        int row = first_row + y + 4 * k;
        int col = first_col + x;
        if (row < rows && col < cols)
            value[k] = in[(size_t)row * cols + col];
    }

    /* Element (x, r) of the patch: row x is in the first register of its lane, or in the second. */
    for (int k = 0; k < 2; k++) {
        int r = y + 4 * k;
        int lane = x % 4 * PATCH + r;
        float mine;
        if (x < 4)
            mine = __shfl_sync(0xffffffff, value[0], lane);
        else
            mine = __shfl_sync(0xffffffff, value[1], lane);
        int out_row = first_col + r;
        int out_col = first_row + x;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = mine;
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, WARPS);
    transpose<<<tiles(blocks_for(rows, cols, PATCH, PATCH), WARPS), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
