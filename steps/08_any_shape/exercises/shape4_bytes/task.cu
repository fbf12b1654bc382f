/*
 * shape4_bytes: turn 4x4 bytes in registers.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Global memory is read and written by words of four bytes already. But each word of the output is
 * put together from four single bytes of the tile: 16 loads from shared memory for a thread's 16
 * bytes. Load four words instead, four rows of a 4x4 block, and turn the block in registers. rows
 * and cols are multiples of 4.
 *
 * __byte_perm(a, b, s) makes a word of any four of eight bytes: bytes 0 to 3 are a's, 4 to 7 are
 * b's, lowest first, and the lowest digit of s says which becomes the lowest byte. __byte_perm(a,
 * b, 0x5140) is a0 b0 a1 b1.
 *
 * Look first at pairs of rows: what must be next to what before two halves make an output word?
 *
 * Done when shared memory takes at most 512 requests each way. Silver: and no conflict, so as many
 * wavefronts. Both are counted where sides are multiples of 16; other sizes must be right.
 */
// operation: transpose elements=1
// multiple: 4
// goal: verified
// goal: shared_load requests <= 512
// goal: shared_store requests <= 512
// goal: global_load requests <= 512
// goal: global_store requests <= 512
// goal: global_load conflict_degree == 1
// goal: global_store conflict_degree == 1
// silver: shared_load work <= 512
// silver: shared_store work <= 512
#include "exercises/exercise.h"

constexpr int TILE = 64; /* bytes */
constexpr int PITCH = TILE + 4;

__global__ void transpose(const uint8_t *in, uint8_t *out, int rows, int cols)
{
    __shared__ __align__(4) uint8_t tile[TILE][PITCH];

    int tiles_across = tiles(cols, TILE);
    int first_row = blockIdx.x / tiles_across * TILE;
    int first_col = blockIdx.x % tiles_across * TILE;
    int x = 4 * threadIdx.x, y = 4 * threadIdx.y; /* the thread's 4x4 block in the tile */

    if (first_row + y < rows && first_col + x < cols)
        for (int k = 0; k < 4; k++)
            *(uint32_t *)&tile[y + k][x] =
                *(const uint32_t *)&in[(size_t)(first_row + y + k) * cols + first_col + x];
    __syncthreads();

    /* The thread's block of the output: four bytes of a column of the tile make a word. */
    if (first_col + y < cols && first_row + x < rows) {
        uint32_t word[4] = {0, 0, 0, 0};
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 4; j++)
                word[k] |= (uint32_t)tile[x + j][y + k] << 8 * j;
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
