/*
 * tma4_predict: which traffic does TMA take off the threads, and which not?
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * TMA's copies are counted apart: one request for each copy started, and its bytes as work. The
 * loads and stores that are left are the threads' own. Predict for a 256 x 256 matrix and write
 * your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at who starts a copy, and how large a box is. Then at the one line in which threads
 * access shared memory: i runs along the transposed tile.
 *
 * Done when all predictions are right. (A wait at an mbarrier and a copy by TMA are no requests of
 * shared_load or shared_store.)
 */
// operation: transpose
// multiple: 4
// capability: 90
// predict: tma_load requests = ___
// predict: tma_load work = ___
// predict: global_load requests = ___
// predict: shared_load conflict_degree = ___
// predict: shared_store conflict_degree = ___
// goal: verified
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
        mbarrier_arrive_expect(&full, sizeof tile);
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
