/*
 * Step 04: an XOR swizzle instead of the unused column: no conflict, and no byte wasted.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared swizzle.cu -o swizzle
 *
 *   swizzle_5_0_5          32x32 tile, element (row, col) in bank col XOR row; 32x32 threads, one
 *                          element each
 *   swizzle_5_0_5_x4       the same tile, 32x8 threads, four elements each
 *   swizzle_5_0_5_x16      the same tile, 32x2 threads, sixteen elements each
 *
 * A 64x64 tile, 32x8 threads, sixteen elements each (wide.md reads them):
 *
 *   tile64_plain           no swizzle
 *   tile64_swizzle_5_0_5   Swizzle<5,0,5>: two-way conflicts are left
 *   tile64_swizzle_5_0_6   the swizzle that takes its bits from the row alone: none are left
 *   tile64_plain_column_order, tile64_5_0_5_column_order   blocks go down the columns of
 *                          tiles, so that the output is written in sequence, not the input read
 *                          (step 06 compares the orders)
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
            tile[threadIdx.y + i][threadIdx.x ^ (threadIdx.y + i)] =
                in[(size_t)(row + i) * cols + col];
    __syncthreads();

    int out_row = blockIdx.x * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += ROWS)
        if (out_row + i < cols && out_col < rows)
            out[(size_t)(out_row + i) * rows + out_col] =
                tile[threadIdx.x][(threadIdx.y + i) ^ threadIdx.x];
}

template <int ROWS>
static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(TILE, ROWS);
    transpose<ROWS><<<blocks, threads>>>(in, out, rows, cols);
}

constexpr int TILE64 = 64;
constexpr int BLOCK_ROWS = 8; /* of threads; each thread moves 2 x 8 elements */

enum { ROW_ORDER, COLUMN_ORDER };

/* The 64x64 tile. A row is 64 elements long, so the row number starts at bit 6 of the offset:
 * Swizzle<5,0,5> also takes bit 5, which is still a column bit; Swizzle<5,0,6> does not. 0 BITS are
 * no swizzle. Blocks are numbered along the rows of tiles, or down their columns. */
template <int BITS, int SHIFT, int ORDER>
__global__ void transpose_tile64(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE64 * TILE64];

    int tiles_across = tiles(cols, TILE64);
    int tiles_down = tiles(rows, TILE64);
    int tile_row = ORDER == ROW_ORDER ? blockIdx.x / tiles_across : blockIdx.x % tiles_down;
    int tile_col = ORDER == ROW_ORDER ? blockIdx.x % tiles_across : blockIdx.x / tiles_down;

    for (int i = 0; i < TILE64; i += BLOCK_ROWS)
        for (int j = 0; j < TILE64; j += 32) {
            int y = i + threadIdx.y;
            int x = j + threadIdx.x;
            int row = tile_row * TILE64 + y;
            int col = tile_col * TILE64 + x;
            if (row < rows && col < cols)
                tile[swizzle(BITS, 0, SHIFT, row_major(TILE64, y, x))] =
                    in[(size_t)row * cols + col];
        }
    __syncthreads();

    for (int i = 0; i < TILE64; i += BLOCK_ROWS)
        for (int j = 0; j < TILE64; j += 32) {
            int y = i + threadIdx.y;
            int x = j + threadIdx.x;
            int out_row = tile_col * TILE64 + y;
            int out_col = tile_row * TILE64 + x;
            if (out_row < cols && out_col < rows)
                out[(size_t)out_row * rows + out_col] =
                    tile[swizzle(BITS, 0, SHIFT, row_major(TILE64, x, y))];
        }
}

template <int BITS, int SHIFT, int ORDER>
static void launch_transpose_tile64(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, BLOCK_ROWS);
    transpose_tile64<BITS, SHIFT, ORDER>
        <<<blocks_for(rows, cols, TILE64, TILE64), threads>>>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"swizzle_5_0_5", launch_transpose<32>, 1, 0, TILE},
        {"swizzle_5_0_5_x4", launch_transpose<8>, 1, 0, TILE},
        {"swizzle_5_0_5_x16", launch_transpose<2>, 1, 0, TILE},
        {"tile64_plain", launch_transpose_tile64<0, 6, ROW_ORDER>, 1, 0},
        {"tile64_swizzle_5_0_5", launch_transpose_tile64<5, 5, ROW_ORDER>, 1, 0},
        {"tile64_swizzle_5_0_6", launch_transpose_tile64<5, 6, ROW_ORDER>, 1, 0},
        {"tile64_plain_column_order", launch_transpose_tile64<0, 6, COLUMN_ORDER>, 1, 0},
        {"tile64_5_0_5_column_order", launch_transpose_tile64<5, 5, COLUMN_ORDER>, 1, 0},
    };
    static const Step step = {
        "04_swizzle_5_0_5", TRANSPOSE, variants, COUNT_OF(variants),
        "swizzle_5_0_5",    "tile32",  NULL,
    };
    return run_step(&step, argc, argv);
}
