/*
 * vectorize9_wild_flag: one block hands a tile to another (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Not fast, but instructive: even blocks load tiles into a mailbox in global memory, odd ones take
 * them out, and a flag says whose turn it is. The flag is changed by atomics, and the barriers
 * stand where they should. Once in millions of tiles an old element comes out. Where it was found
 * is told when it is solved.
 *
 * Look first at what a barrier promises, and to whom; what an atomic promises about *other* words;
 * and what __threadfence() does, which has no place here yet: what a thread has written before it
 * is visible to the whole device before what it writes after it, and the same for what it reads.
 * Thread 7 of one block has written an element, thread 9 of another reads it: which steps lie
 * between?
 *
 * Done when the checker finds nothing to complain about. The tiles still go by way of the mailbox from block to
 * block, by plain loads and stores, in one kernel of 32 blocks.
 */
// operation: transpose
// counted: 96 x 64
// goal: verified
// goal: launches == 1
// goal: blocks == 32
// goal: global_store ideal >= 1536
// goal: global_load ideal >= 1536
// goal: across_blocks >= 85
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int ROWS_AT_ONCE = 8;
constexpr int PAIRS = 16;

__device__ float mailbox[PAIRS][TILE][TILE]; /* a tile on its way from one block to another */
__device__ int full[PAIRS];                  /* 1: there is a tile in the box */

/* Waits until the pair's flag has this value; the whole block, or nobody, goes on. */
static __device__ void wait_for(int pair, int value)
{
    if (threadIdx.x == 0 && threadIdx.y == 0)
        while (atomicAdd(&full[pair], 0) != value)
            ;
    __syncthreads();
}

static __device__ void set_flag(int pair, int value)
{
    __syncthreads(); /* all have written */
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicExch(&full[pair], value);
}

/* Blocks work in pairs: the even one loads tiles, the odd one stores them, transposed. */
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int pair = blockIdx.x / 2;
    int all_tiles = tiles(cols, TILE) * tiles(rows, TILE);
    for (int t = pair; t < all_tiles; t += gridDim.x / 2) {
        int row = t / tiles(cols, TILE) * TILE;
        int col = t % tiles(cols, TILE) * TILE;
        if (blockIdx.x % 2 == 0) {
            wait_for(pair, 0);
            for (int y = threadIdx.y; y < TILE; y += ROWS_AT_ONCE)
                if (row + y < rows && col + (int)threadIdx.x < cols)
                    mailbox[pair][y][threadIdx.x] =
                        in[(size_t)(row + y) * cols + col + threadIdx.x];
            set_flag(pair, 1);
        } else {
            wait_for(pair, 1);
            for (int y = threadIdx.y; y < TILE; y += ROWS_AT_ONCE)
                if (col + y < cols && row + (int)threadIdx.x < rows)
                    out[(size_t)(col + y) * rows + row + threadIdx.x] =
                        mailbox[pair][threadIdx.x][y];
            set_flag(pair, 0);
        }
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE, ROWS_AT_ONCE);
    transpose<<<2 * PAIRS, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
