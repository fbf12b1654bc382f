#include "exercises/exercise.h"

constexpr int PATCH = 8;
constexpr int WARPS = 8; /* in a block, each with a patch of 8 x 8 */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int patch = blockIdx.x * WARPS + threadIdx.y;
    int patches_across = tiles(cols, PATCH);
    int first_row = patch / patches_across * PATCH;
    int first_col = patch % patches_across * PATCH;
    int y = threadIdx.x / PATCH;
    int x = threadIdx.x % PATCH;
    float value[2] = {0, 0};

    /* Rows 0 to 3, then rows 4 to 7 with the halves of a row exchanged: each request four rows. */
    for (int k = 0; k < 2; k++) {
        int row = first_row + y + 4 * k;
        int col = first_col + (x ^ 4 * k);
        if (row < rows && col < cols)
            value[k] = in[(size_t)row * cols + col];
    }

    /* Columns 0 to 3, then columns 4 to 7: each thread has one element of each. */
    for (int side = 0; side < 2; side++) {
        int k = x / 4 ^ side;
        int row = first_row + y + 4 * k;
        int col = first_col + (x ^ 4 * k);
        if (row < rows && col < cols)
            out[(size_t)col * rows + row] = k ? value[1] : value[0];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, WARPS);
    transpose<<<tiles(blocks_for(rows, cols, PATCH, PATCH), WARPS), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
