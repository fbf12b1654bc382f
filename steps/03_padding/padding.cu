/*
 * Step 03: one unused column in the shared-memory tile, so that a column meets all banks.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared padding.cu -o padding
 *
 *   padded   32x32 tile whose rows start 33 elements apart
 */
#include "harness/harness.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return row_major(PITCH, row, col);
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;

    int row = tile_row * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
    if (row < rows && col < cols)
        tile[tile_offset(threadIdx.y, threadIdx.x)] = in[(size_t)row * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = tile_row * TILE + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[(size_t)out_row * rows + out_col] = tile[tile_offset(threadIdx.x, threadIdx.y)];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"padded", launch_transpose, 1, 0},
    };
    static const Step step = {"03_padding", TRANSPOSE, variants, COUNT_OF(variants),
                              "padded", "tile32", NULL};
    return run_step(&step, argc, argv);
}
