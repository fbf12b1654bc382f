/*
 * naive2_edge: right for squares alone.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * This transpose is right for square matrices and leaves a part of others out. Its bounds check is
 * as it should be; make it right for all.
 *
 * Look first at what the checker says about 64 rows and 1024 columns: which tiles does that matrix
 * have, and which of them do the blocks take?
 *
 * Done when every size is right, no access leaves its matrix, and 64 x 1024 elements keep 64 blocks
 * or more at work, of at most 512 (now 64).
 */
// operation: transpose
// counted: 64 x 1024
// goal: verified
// goal: blocks <= 512
// goal: blocks >= 64
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x * TILE + threadIdx.y;
    int col = blockIdx.y * TILE + threadIdx.x;
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
