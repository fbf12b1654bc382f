/*
 * coarsen7_wild_room: two numbers behind a tile (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The tile lies in dynamic shared memory: an `extern __shared__` array without a size, of which
 * the launch says how many bytes a block gets (the third number in <<< >>>). What lies where in it
 * is the kernel's affair (here the tile, and numbers of rows and columns). With tiles of another size
 * it seemed to work. Where it was found is told when it is solved.
 *
 * Look first at what the kernel keeps in its room, and at what the launch asks for. Why might a GPU
 * not notice?
 *
 * Done when every access is inside what was asked for, that is at most 4232 bytes, each block has one
 * tile, and the output still depends on numbers that another warp has put into shared memory. (The
 * checker changes these numbers by one. A kernel that then fails does not count.)
 */
// operation: transpose
// goal: verified
// goal: shared_bytes <= 4232
// goal: threads_per_block <= 128
// goal: blocks <= 64
// goal: blocks >= 64
// goal: shared_load work <= 20000
// goal: decided_across >= 24576
// goal: decided_across <= 65535
// goal: global_load work <= 8192
// goal: global_store work <= 8192
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int PITCH = TILE + 1;
constexpr int WARPS = 4;

/* Tiles are handed out in column order: which tile it is, one thread works out for all. */
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    extern __shared__ float room[];
    float *tile = room; /* TILE rows of PITCH floats */
    int *where = (int *)&room[TILE * PITCH];

    if (threadIdx.x == 0) {
        where[0] = blockIdx.x % tiles(rows, TILE) * TILE;
        where[1] = blockIdx.x / tiles(rows, TILE) * TILE;
    }
    __syncthreads();

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int y = warp; y < TILE; y += WARPS)
        if (where[0] + y < rows && where[1] + lane < cols)
            tile[y * PITCH + lane] = in[(size_t)(where[0] + y) * cols + where[1] + lane];
    __syncthreads();

    for (int y = warp; y < TILE; y += WARPS)
        if (where[1] + y < cols && where[0] + lane < rows)
            out[(size_t)(where[1] + y) * rows + where[0] + lane] = tile[lane * PITCH + y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    size_t bytes = TILE * PITCH * sizeof(float);
    transpose<<<blocks_for(rows, cols, TILE, TILE), 32 * WARPS, bytes>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
