/*
 * shape6_wild_odd: "the base is always aligned" (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Vectors of four floats where four are left, single floats in the last columns. The comment says
 * why that is safe, and it was tested with many sizes. Where it was found is told when it is
 * solved.
 *
 * Look first at the address of the first float of row 1, in a matrix of 258 columns. What must be a
 * multiple of 16? For which rows is it?
 *
 * Done when every size is right, with vectors where they may be: here of four floats in every second row,
 * or of two in all, so that at most 1500 requests load the matrix. (Rows eight apart are alike, and those
 * are a warp's.) Silver: at most 950, with four floats in every second row and pairs in the others.
 */
// operation: transpose
// counted: 256 x 258
// goal: verified
// goal: global_load requests <= 1500
// goal: global_load work <= 24768
// goal: global_store requests <= 2600
// goal: shared_load conflict_degree == 1
// silver: global_load requests <= 950
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WIDTH = 4; /* floats in a vector */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][PITCH];

    int tiles_across = tiles(cols, TILE);
    int first_row = blockIdx.x / tiles_across * TILE;
    int first_col = blockIdx.x % tiles_across * TILE;
    int y = threadIdx.y / 4 + threadIdx.y % 4 * 8; /* a warp's four rows are eight apart */
    int x = WIDTH * threadIdx.x;

    /* cudaMalloc aligns to 256 bytes, x is a multiple of 4: vectors, but for the last columns. */
    const float *from = &in[(size_t)(first_row + y) * cols + first_col + x];
    if (first_row + y < rows) {
        if (first_col + x + WIDTH <= cols) {
            float4 v = *(const float4 *)from;
            tile[y][x + 0] = v.x;
            tile[y][x + 1] = v.y;
            tile[y][x + 2] = v.z;
            tile[y][x + 3] = v.w;
        } else {
            for (int k = 0; first_col + x + k < cols; k++)
                tile[y][x + k] = from[k];
        }
    }
    __syncthreads();

    for (int k = threadIdx.y * TILE / WIDTH + threadIdx.x; k < TILE * TILE;
         k += TILE * TILE / WIDTH) {
        int out_row = first_col + k / TILE, out_col = first_row + k % TILE;
        if (out_row < cols && out_col < rows)
            out[(size_t)out_row * rows + out_col] = tile[k % TILE][k / TILE];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE / WIDTH, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
