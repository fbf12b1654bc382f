/*
 * tma9_first: your own TMA kernel, from nothing.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Elements of 2 bytes (bf16: tensor_map's second argument is 2), and a naive kernel. Write one in
 * which no thread touches global memory: a tile comes in by TMA and goes out by TMA. All is yours:
 * the box, the mbarrier, how the tile is transposed.
 *
 * Look first at the first kernel of the lesson, and write the order of events on paper before you
 * write code: who makes what ready, who waits for what, which fence stands where. A box's row is a
 * multiple of 16 bytes, and 128 bytes are a good one.
 *
 * Done when TMA does all traffic of global memory, and it is right at all sizes. Silver: with at
 * most 1024 requests each way to shared memory, which takes two elements at a time. Gold: these
 * without a conflict. rows and cols are multiples of 8.
 */
// operation: transpose elements=2
// multiple: 8
// capability: 90
// goal: verified
// goal: global_load requests == 0
// goal: global_store requests == 0
// silver: shared_load requests <= 1024
// silver: shared_store requests <= 1024
// gold: shared_load conflict_degree == 1
// gold: shared_store conflict_degree == 1
#include "exercises/exercise.h"

constexpr int TILE = 32;

__global__ void transpose(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    int tiles_across = tiles(cols, TILE);
    int row = blockIdx.x / tiles_across * TILE + threadIdx.y;
    int col = blockIdx.x % tiles_across * TILE + threadIdx.x;
    if (row < rows && col < cols)
        out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

static void launch_transpose(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    dim3 threads(TILE, TILE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
