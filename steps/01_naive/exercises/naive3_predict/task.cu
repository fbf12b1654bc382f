/*
 * naive3_predict: say how many sectors each access touches, before you run it.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The lesson's kernel with two changes: elements are doubles, 8 bytes each, and a block is 8
 * threads wide and 16 high. Predict for a matrix of 256 x 256 doubles, and write your numbers over
 * the blanks below. Leave the code as it is.
 *
 * Look first at the block: which 32 threads are a warp, and which patch of the matrix do they
 * move? Then draw the sectors, 32 bytes each, that the patch touches in the input, and those in
 * the output.
 *
 * Done when all predictions are right.
 */
// operation: transpose elements=8
// predict: global_load requests = ___
// predict: global_load work_per_request = ___
// predict: global_store work_per_request = ___
// predict: global_store work = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int ROWS = 16;
constexpr int COLS = 8;

__global__ void transpose(const double *in, double *out, int rows, int cols)
{
    int row = blockIdx.y * ROWS + threadIdx.y;
    int col = blockIdx.x * COLS + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const double *in, double *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, COLS), tiles(rows, ROWS));
    dim3 threads(COLS, ROWS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
