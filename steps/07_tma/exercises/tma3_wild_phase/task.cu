/*
 * tma3_wild_phase: fix the phase (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Here a block moves several tiles one after the other through the same memory and the same
 * mbarrier. Each completed phase of the barrier is followed by the next; a thread waits for a
 * phase by its parity: 0 for the first, 1 for the second, 0 again for the third. This kernel is
 * right for its first tile. Where it was found is told when it is solved.
 *
 * Look first at what mbarrier_wait() does if the phase of the parity that it asks for is already
 * over.
 *
 * Done when every size is right, with 16 blocks at work on the 64 tiles where it is counted, a box for each,
 * and at most 8200 bytes of shared memory, for two tiles and an mbarrier. 48 tiles, 196608 bytes, are then
 * loaded on an mbarrier that a load has used before. rows and cols are multiples of 4.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: blocks == 16
// goal: blocks >= 16
// goal: later_bytes >= 196608
// goal: shared_bytes <= 8200
// goal: tma_load requests <= 64
// goal: tma_load work == 262144
// goal: tma_store work == 262144
// goal: global_load requests == 0
// goal: global_store requests == 0
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 256;

/* TMA loads a tile, the threads transpose it into another, and TMA stores that one. */
__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int rows, int cols)
{
    __shared__ __align__(1024) float tile[TILE * TILE];
    __shared__ __align__(1024) float turned[TILE * TILE];
    __shared__ uint64_t full;

    int tiles_across = tiles(cols, TILE);
    int all_tiles = tiles_across * tiles(rows, TILE);

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads(); /* nobody waits at an mbarrier that is not ready */

    for (int t = blockIdx.x; t < all_tiles; t += gridDim.x) {
        int row = t / tiles_across * TILE;
        int col = t % tiles_across * TILE;
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect(&full, sizeof tile);
            tensor_load(tile, &in, col, row, &full);
        }
        mbarrier_wait(&full, 0);

        for (int i = threadIdx.x; i < TILE * TILE; i += THREADS)
            turned[i] = tile[row_major(TILE, i % TILE, i / TILE)];
        fence_proxy_async();
        __syncthreads();

        if (threadIdx.x == 0) {
            tensor_store(&out, row, col, turned);
            bulk_commit();
            bulk_wait_read<0>();
        }
        __syncthreads(); /* the tile that TMA has read may be written again */
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    unsigned all_tiles = blocks_for(rows, cols, TILE, TILE);
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, TILE, SWIZZLE_NONE);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_NONE);
    transpose<<<(all_tiles + 3) / 4, THREADS>>>(in_map, out_map, rows, cols);
}

EXERCISE(launch_transpose)
