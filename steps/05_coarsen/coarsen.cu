/*
 * Step 05: several elements a thread, so that more loads are in flight for each thread.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared coarsen.cu -o coarsen
 *
 *   coarsen2, coarsen4, coarsen8   the padded 32x32 tile, 2, 4 or 8 elements a thread: 32x16,
 *                                  32x8 or 32x4 threads
 */
#include "harness/harness.h"

constexpr int TILE = 32;

/* Each thread moves ELEMENTS elements of one column of the tile, TILE / ELEMENTS rows apart. */
template <int ELEMENTS>
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (out_row + i < cols && out_col < rows)
            out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

template <int ELEMENTS>
static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<ELEMENTS><<<blocks, threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"coarsen2", launch_transpose<2>, 1, 0, TILE},
        {"coarsen4", launch_transpose<4>, 1, 0, TILE},
        {"coarsen8", launch_transpose<8>, 1, 0, TILE},
    };
    static const Step step = {
        "05_coarsen", TRANSPOSE, variants, COUNT_OF(variants), "coarsen8", "padded", NULL,
    };
    return run_step(&step, argc, argv);
}
