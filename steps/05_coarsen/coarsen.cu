/*
 * Step 05: several elements a thread, so that more loads are in flight for each thread.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared coarsen.cu -o coarsen
 *
 *   coarsen2, coarsen4, coarsen8,   the padded 32x32 tile, 2, 4, 8 or 16 elements a thread: 32x16,
 *   coarsen16                       32x8, 32x4 or 32x2 threads
 *   coarsen4_one_at_a_time          as coarsen4, but each element is in the tile before a thread
 *                                   asks for its next one
 *   coarsen4_unpadded               as coarsen4, without the padding: 32-way conflicts
 */
#include "harness/harness.h"

constexpr int TILE = 32;

/* Each thread moves ELEMENTS elements of one column of the tile, TILE / ELEMENTS rows apart. UNROLL
 * turns of the loop that loads become one, whose loads are all on their way at a time. */
template <int ELEMENTS, int PADDING, int UNROLL>
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + PADDING];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
#pragma unroll UNROLL
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

template <int ELEMENTS, int PADDING = 1, int UNROLL = ELEMENTS>
static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<ELEMENTS, PADDING, UNROLL><<<blocks, threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"coarsen2", launch_transpose<2>, 1, 0, TILE},
        {"coarsen4", launch_transpose<4>, 1, 0, TILE},
        {"coarsen8", launch_transpose<8>, 1, 0, TILE},
        {"coarsen16", launch_transpose<16>, 1, 0, TILE},
        {"coarsen4_one_at_a_time", launch_transpose<4, 1, 1>, 1, 0, TILE},
        {"coarsen4_unpadded", launch_transpose<4, 0>, 1, 0, TILE},
    };
    static const Step step = {
        "05_coarsen", TRANSPOSE, variants, COUNT_OF(variants), "coarsen8", "padded", NULL,
    };
    return run_step(&step, argc, argv);
}
