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

/* A block covers one tile of the input: blockIdx.x counts tiles along the columns, blockIdx.y along
 * the rows. A warp's 32 reads lie in one 128-byte line; its 32 writes in 32 different lines. */
__global__ void coalesced_read(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

/* The same with the two threadIdx exchanged: now the writes share a line and the reads do not. */
__global__ void coalesced_write(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * TILE + threadIdx.x;
    int col = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_coalesced_read(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    coalesced_read<<<blocks, threads>>>(in, out, rows, cols);
}

static void launch_coalesced_write(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, TILE);
    coalesced_write<<<blocks, threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"coalesced_read", launch_coalesced_read, 1, 0, TILE},
        {"coalesced_write", launch_coalesced_write, 1, 0, TILE},
    };
    static const Step step = {
        "01_naive",        TRANSPOSE,        variants, COUNT_OF(variants),
        "coalesced_write", "coalesced_read", NULL,
    };
    return run_step(&step, argc, argv);
}
