/*
 * Step 05: several elements per thread, so that each thread has more loads in flight.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared coarsen.cu -o coarsen
 *
 *   coarsen2, coarsen4, coarsen8,   the padded 32x32 tile, 2, 4, 8 or 16 elements per thread: 32x16,
 *   coarsen16                       32x8, 32x4 or 32x2 threads
 *   coarsen4_one_at_a_time          coarsen4, but a thread waits for each load before the next one
 *   coarsen4_four_tiles             coarsen4 in blocks of 1024 threads, which share a barrier and
 *                                   transpose four tiles side by side
 *   four_tiles_one_at_a_time        both changes
 */
#include "harness/harness.h"

constexpr int TILE = 32;

/* Transposes TILES tiles per block, one per threadIdx.z, each by TILE x ROWS threads; each thread
 * moves TILE / ROWS elements. The compiler merges UNROLL turns of the first loop; the loads of merged
 * turns are in flight together. */
template <int ROWS, int UNROLL, int TILES>
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float block_tiles[TILES][TILE][TILE + 1];

    int z = TILES > 1 ? threadIdx.z : 0;
    float(*tile)[TILE + 1] = block_tiles[z];
    int tile_col = blockIdx.x * TILES + z;
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
#pragma unroll UNROLL
    for (int i = 0; i < TILE; i += ROWS)
        if (row + i < rows && col < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += ROWS)
        if (out_row + i < cols && out_col < rows)
            out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
}

template <int ROWS, int UNROLL = TILE / ROWS, int TILES = 1>
static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILES * TILE), tiles(rows, TILE));
    dim3 threads(TILE, ROWS, TILES);
    transpose<ROWS, UNROLL, TILES><<<blocks, threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"coarsen2", launch_transpose<16>, 1, 0, TILE},
        {"coarsen4", launch_transpose<8>, 1, 0, TILE},
        {"coarsen8", launch_transpose<4>, 1, 0, TILE},
        {"coarsen16", launch_transpose<2>, 1, 0, TILE},
        {"coarsen4_one_at_a_time", launch_transpose<8, 1>, 1, 0, TILE},
        {"coarsen4_four_tiles", launch_transpose<8, 4, 4>, 1, 0, TILE},
        {"four_tiles_one_at_a_time", launch_transpose<8, 1, 4>, 1, 0, TILE},
    };
    static const Step step = {
        "05_coarsen", TRANSPOSE, variants, COUNT_OF(variants), "coarsen8", "padded", NULL,
    };
    return run_step(&step, argc, argv);
}
