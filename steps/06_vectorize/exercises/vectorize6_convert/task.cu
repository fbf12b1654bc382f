/*
 * vectorize6_convert: transpose and convert in one go.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The input is a matrix of bytes; the output is its transpose as floats (0 to 255). Doing both at
 * once saves a whole trip through memory. This kernel is right, and moves one element a thread
 * with uncoalesced stores. Make it good: wide loads, wide stores, and no conflict between them.
 * Everything but the types, and the way through shared memory, is yours.
 *
 * Look first at the two sides: four elements are 4 bytes coming in, and 16 bytes going out. Where
 * is the better place to convert, before the tile or after it?
 *
 * Done when the counts below are met (stores_per_load: requests load from shared memory what two requests
 * or more have stored, those for half of the words; the arrangement in between is yours), where sides are
 * multiples of 16. rows and cols are multiples of 4.
 */
// operation: convert
// multiple: 4
// goal: verified
// goal: global_load requests <= 512
// goal: global_load conflict_degree == 1
// goal: global_store requests <= 512
// goal: global_store conflict_degree == 1
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
// goal: shared_bytes <= 4224
// goal: stores_per_load >= 2
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const uint8_t *in, float *out, int rows, int cols)
{
    int tiles_across = tiles(cols, TILE);
    int row = blockIdx.x / tiles_across * TILE + threadIdx.y;
    int col = blockIdx.x % tiles_across * TILE + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const uint8_t *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
