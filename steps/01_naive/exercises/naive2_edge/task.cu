/*
 * naive2_edge: fix the bounds check.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * This transpose is right for square matrices and goes wrong for others: its bounds check is the
 * one that another loop order would need.
 *
 * Look first at a matrix of 33 rows and 65 columns. Which rows and which columns does it have, and
 * which of them does the condition let through?
 *
 * Done when every size is right and no access leaves its matrix.
 */
// operation: transpose
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < cols && col < rows)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
