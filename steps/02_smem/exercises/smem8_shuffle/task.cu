/*
 * smem8_shuffle: whole sectors both ways without shared memory (open-ended).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A warp can exchange registers without any memory: __shfl_sync(0xffffffff, value, lane) gives
 * each thread the `value` that thread `lane` of its warp holds. Here a warp loads a patch of 8 x 8
 * elements, two a thread, in two requests of four rows each; 8 floats are a sector, so that is 4
 * sectors per request. Then every thread stores what it loaded, in 8 sectors per request. Let the
 * threads exchange their elements first.
 *
 * Look first at what a thread holds: lane l has elements (l / 8, l % 8) and (l / 8 + 4, l % 8) of
 * the patch. Which two should it store, so that a warp stores four whole rows of the transposed
 * patch in one request? Which lanes hold them? All 32 lanes must come to a shuffle, at the edge of
 * the matrix too.
 *
 * Solved with no sector wasted either way and no shared memory, by shuffles or otherwise; silver
 * with 8 bytes an access or more both ways, gold with 16 (rows and cols are multiples of 4). Does
 * gold need a shuffle?
 */
// operation: transpose
// multiple: 4
// goal: verified
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: shared_bytes == 0
// silver: global_load requests <= 1024
// silver: global_store requests <= 1024
// gold: global_load requests <= 512
// gold: global_store requests <= 512
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

    for (int k = 0; k < 2; k++) {
        int row = first_row + y + 4 * k;
        int col = first_col + x;
        if (row < rows && col < cols)
            out[(size_t)col * rows + row] = value[k];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, WARPS);
    transpose<<<tiles(blocks_for(rows, cols, PATCH, PATCH), WARPS), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
