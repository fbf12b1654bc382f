/*
 * Step 02: a tile in shared memory, so that reads and writes are both coalesced.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared smem.cu -o smem
 *
 *   tile32      32x32 tile, read by rows and written by columns; 32x32 threads, one element each
 *   tile32_x4   the same tile, 32x8 threads, four elements each
 */
#include "harness/harness.h"

constexpr int TILE = 32;

/* Transposes one tile per block of TILE x ROWS threads; each thread moves TILE / ROWS elements. */
template <int ROWS>
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += ROWS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += ROWS)
        if (out_row + i < cols && out_col < rows)
            out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

template <int ROWS>
static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, ROWS);
    transpose<ROWS><<<blocks, threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"tile32", launch_transpose<32>, 1, 0, TILE},
        {"tile32_x4", launch_transpose<8>, 1, 0, TILE},
    };
    static const Step step = {
        "02_smem", TRANSPOSE, variants, COUNT_OF(variants), "tile32", "coalesced_write", NULL,
    };
    return run_step(&step, argc, argv);
}
