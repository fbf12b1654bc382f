// refused: the stores take 65536 sectors in all
// Without the exchange it is right, and costs twice the sectors.
#include "exercises/exercise.h"

constexpr int WARPS = 4;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = 2 * (blockIdx.x * WARPS + threadIdx.y);
    for (int col = threadIdx.x; col < cols; col += 32)
        for (int k = 0; k < 2; k++)
            if (row + k < rows)
                out[(size_t)col * rows + row + k] = in[(size_t)(row + k) * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, WARPS);
    transpose<<<tiles(rows, 2 * WARPS), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
