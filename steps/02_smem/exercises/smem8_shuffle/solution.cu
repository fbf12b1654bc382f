#include "exercises/exercise.h"

constexpr int WARPS = 4;
constexpr int ROWS = 16; /* what one warp transposes; each thread has a piece of 4 x 4 */
constexpr int COLS = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int patch = blockIdx.x * WARPS + threadIdx.y;
    int patches_across = tiles(cols, COLS);
    int row = patch / patches_across * ROWS + threadIdx.x / 8 * 4;
    int col = patch % patches_across * COLS + threadIdx.x % 8 * 4;
    if (row >= rows || col >= cols)
        return;

    float4 a = *(const float4 *)&in[(size_t)row * cols + col];
    float4 b = *(const float4 *)&in[(size_t)(row + 1) * cols + col];
    float4 c = *(const float4 *)&in[(size_t)(row + 2) * cols + col];
    float4 d = *(const float4 *)&in[(size_t)(row + 3) * cols + col];
    *(float4 *)&out[(size_t)col * rows + row] = make_float4(a.x, b.x, c.x, d.x);
    *(float4 *)&out[(size_t)(col + 1) * rows + row] = make_float4(a.y, b.y, c.y, d.y);
    *(float4 *)&out[(size_t)(col + 2) * rows + row] = make_float4(a.z, b.z, c.z, d.z);
    *(float4 *)&out[(size_t)(col + 3) * rows + row] = make_float4(a.w, b.w, c.w, d.w);
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, WARPS);
    transpose<<<tiles(blocks_for(rows, cols, ROWS, COLS), WARPS), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
