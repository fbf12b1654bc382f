/*
 * naive3_predict: say how many sectors each access touches, before you run it.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A request is one instruction of one warp, 32 threads. Its work, for global memory, is the number
 * of 32-byte sectors that its 32 addresses touch. Predict for a 256 x 256 matrix of floats, and
 * write your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at a block of 32 x 32 threads: which 32 threads are a warp? Then at the addresses that
 * these 32 threads read, and at those that they write.
 *
 * Done when all predictions are right.
 */
// operation: transpose
// predict: global_load requests = ___
// predict: global_load work_per_request = ___
// predict: global_store work_per_request = ___
// predict: global_store work = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
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
