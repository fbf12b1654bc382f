/*
 * Step 01: the transpose as it is defined, one element a thread.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared naive.cu -o naive
 *
 *   coalesced_read    a warp reads one row of 32 elements and writes a column
 *   coalesced_write   a warp reads a column and writes one row of 32 elements
 */
#include "harness/harness.h"

constexpr int TILE = 32;

/* A warp's 32 reads lie in one 128-byte line; its 32 writes lie in 32 different lines. */
__global__ void coalesced_read(const float *in, float *out, int rows, int cols)
{
    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;

    int row = tile_row * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

/* The same with the two threadIdx exchanged: now the writes share a line and the reads do not. */
__global__ void coalesced_write(const float *in, float *out, int rows, int cols)
{
    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;

    int row = tile_row * TILE + threadIdx.x;
    int col = tile_col * TILE + threadIdx.y;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_coalesced_read(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    coalesced_read<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

static void launch_coalesced_write(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    coalesced_write<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"coalesced_read", launch_coalesced_read, 1, 0},
        {"coalesced_write", launch_coalesced_write, 1, 0},
    };
    static const Step step = {"01_naive", TRANSPOSE, variants, COUNT_OF(variants),
                              "coalesced_write", "coalesced_read", NULL};
    return run_step(&step, argc, argv);
}
