/*
 * tma1_expect: fill in how many bytes the barrier waits for.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * One thread starts a copy of a whole tile, and all threads wait for it at an mbarrier. The
 * barrier's phase completes when as many bytes have arrived as it was told to expect. Fill in that
 * number.
 *
 * Look first at the box of the input's tensor map, in the launch function. At the edge of the
 * matrix the box hangs over; what lies outside arrives as zeros, and counts.
 *
 * Done when every size is right and no thread of a block loads the input itself. rows and cols are
 * multiples of 4, because TMA wants rows that are multiples of 16 bytes.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: global_load requests == 0
// goal: global_store requests == 0
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 256;

/* TMA loads a tile, the threads transpose it into another, and TMA stores that one. */
__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int cols)
{
    __shared__ __align__(1024) float tile[TILE * TILE];
    __shared__ __align__(1024) float turned[TILE * TILE];
    __shared__ uint64_t full;

    int tiles_across = tiles(cols, TILE);
    int row = blockIdx.x / tiles_across * TILE;
    int col = blockIdx.x % tiles_across * TILE;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, ___);
        tensor_load(tile, &in, col, row, &full);
    }
    __syncthreads(); /* nobody waits at an mbarrier that is not ready */
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
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, TILE, SWIZZLE_NONE);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_NONE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), THREADS>>>(in_map, out_map, cols);
}

EXERCISE(launch_transpose)
