/*
 * naive5_wild_grid: a bug in the wild: the kernel is right, and does not start.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. Each row of the matrix has blocks of
 * its own. That was right for years, until somebody had a longer batch: this matrix has 70000
 * rows.
 *
 * Look first at what the checker says, and at the limits of a grid's three dimensions in the
 * lesson.
 *
 * Done when every size is right, also with twice as many rows and with 70000 columns, in one launch of
 * at least 1024 blocks of at most 64 threads.
 */
// operation: transpose
// counted: 70000 x 3
// goal: verified
// goal: threads_per_block <= 64
// goal: launches == 1
// goal: blocks >= 1024
#include "exercises/exercise.h"

constexpr int THREADS = 64;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y;
    int col = blockIdx.x * THREADS + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, THREADS), rows);
    transpose<<<blocks, THREADS>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
