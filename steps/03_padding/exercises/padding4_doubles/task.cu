/*
 * padding4_doubles: elements of 8 bytes.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The matrix now holds doubles. Make this kernel, which transposes floats, transpose doubles. A
 * double takes two banks, so a warp needs two wavefronts for 32 of them; half a warp shares each.
 *
 * Look first at the types, and then at what a warp's request to global memory covers: 32 doubles
 * are 256 bytes. Does the pad still have to be one element?
 *
 * Done when it is right at every size and shared memory is read and written without conflict.
 */
// operation: transpose elements=8
// goal: verified
// goal: global_load work <= 16384
// goal: global_store work <= 16384
// goal: shared_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_load requests >= 1
// goal: shared_bytes <= 8448
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
