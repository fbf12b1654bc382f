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
constexpr int PITCH = TILE + 1;

/* Where element (row, col) of the tile lies in shared memory. */
static __device__ int tile_offset(int row, int col)
{
    return row_major(PITCH, row, col);
}

/* Each thread moves ELEMENTS elements of one column of the tile, TILE / ELEMENTS rows apart. */
template <int ELEMENTS>
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * PITCH];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;

    int row = tile_row * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
    const float *from = &in[(size_t)row * cols + col];
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (row + i < rows && col < cols)
            tile[tile_offset(threadIdx.y + i, threadIdx.x)] = from[(size_t)i * cols];
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = tile_row * TILE + threadIdx.x;
    float *to = &out[(size_t)out_row * rows + out_col];
    for (int i = 0; i < TILE; i += TILE / ELEMENTS)
        if (out_row + i < cols && out_col < rows)
            to[(size_t)i * rows] = tile[tile_offset(threadIdx.x, threadIdx.y + i)];
}

template <int ELEMENTS>
static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE / ELEMENTS);
    transpose<ELEMENTS><<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"coarsen2", launch_transpose<2>, 1, 0},
        {"coarsen4", launch_transpose<4>, 1, 0},
        {"coarsen8", launch_transpose<8>, 1, 0},
    };
    static const Step step = {"05_coarsen", TRANSPOSE, variants, COUNT_OF(variants),
                              "coarsen8", "padded", NULL};
    return run_step(&step, argc, argv);
}
