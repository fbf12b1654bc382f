#include "exercises/exercise.h"

constexpr int TILE = 64;        /* bytes */
constexpr int WORDS = TILE / 4; /* a row has */

/* Four rows of four bytes each, to four columns. */
__device__ static void turn(const uint32_t row[4], uint32_t column[4])
{
    uint32_t ab01 = __byte_perm(row[0], row[1], 0x5140), ab23 = __byte_perm(row[0], row[1], 0x7362);
    uint32_t cd01 = __byte_perm(row[2], row[3], 0x5140), cd23 = __byte_perm(row[2], row[3], 0x7362);
    column[0] = __byte_perm(ab01, cd01, 0x5410);
    column[1] = __byte_perm(ab01, cd01, 0x7632);
    column[2] = __byte_perm(ab23, cd23, 0x5410);
    column[3] = __byte_perm(ab23, cd23, 0x7632);
}

/* Where a word of the tile lies. Lanes that store differ in the word and in bit 2 of the row, lanes
 * that load in bits 2 to 5 of the row and in the word's lowest: bits 3 to 5 of the row go to bits 1
 * to 3 of the bank, bit 2 to bit 4. */
__device__ static int place(int row, int word)
{
    return swizzle(1, 4, 2, swizzle(3, 1, 6, row_major(WORDS, row, word)));
}

__global__ void transpose(const uint8_t *in, uint8_t *out, int rows, int cols)
{
    __shared__ uint32_t tile[TILE * WORDS];

    int tiles_across = tiles(cols, TILE);
    int first_row = blockIdx.x / tiles_across * TILE;
    int first_col = blockIdx.x % tiles_across * TILE;
    int x = 4 * threadIdx.x, y = 4 * threadIdx.y; /* the thread's 4x4 block in the tile */

    if (first_row + y < rows && first_col + x < cols)
        for (int k = 0; k < 4; k++)
            tile[place(y + k, threadIdx.x)] =
                *(const uint32_t *)&in[(size_t)(first_row + y + k) * cols + first_col + x];
    __syncthreads();

    /* The thread's block of the output: four bytes of a column of the tile make a word. */
    if (first_col + y < cols && first_row + x < rows) {
        uint32_t row[4], word[4];
        for (int j = 0; j < 4; j++)
            row[j] = tile[place(x + j, threadIdx.y)];
        turn(row, word);
        for (int k = 0; k < 4; k++)
            *(uint32_t *)&out[(size_t)(first_col + y + k) * rows + first_row + x] = word[k];
    }
}

static void launch_transpose(const uint8_t *in, uint8_t *out, int rows, int cols)
{
    dim3 threads(TILE / 4, TILE / 4);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
