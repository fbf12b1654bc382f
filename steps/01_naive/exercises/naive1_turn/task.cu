/*
 * naive1_turn: turn this copy into a transpose.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The kernel copies: element (row, col) of the rows x cols input goes to the same place of the
 * output. Make it transpose. The output is cols x rows, so a row of it is `rows` elements long.
 *
 * Look first at the last line of the kernel. Which row and which column of the output does the
 * element (row, col) belong to?
 *
 * Done when every element is in its place, at every size.
 */
// operation: transpose
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)row * cols + col] = in[(size_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
