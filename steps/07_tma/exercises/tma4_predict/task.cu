/*
 * tma4_predict: which traffic does TMA take off the threads, and which not?
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * TMA's copies are counted apart: one request for each copy started, and as work the bytes of its
 * box, of the whole box wherever it lies. The loads and stores that are left are the threads' own.
 * The tile has 64 rows and 32 columns. Predict for a 200 x 200 matrix and write your numbers over
 * the blanks below. Leave the code as it is.
 *
 * Look first at who starts a copy, and how many boxes cover the matrix. Then at the one line in
 * which threads access shared memory: i runs along the transposed tile, whose rows are 64 long.
 *
 * Done when all predictions are right. (A wait at an mbarrier and a copy by TMA are no requests of
 * shared_load or shared_store.)
 */
// operation: transpose
// multiple: 4
// counted: 200 x 200
// capability: 90
// predict: tma_load requests = ___
// predict: tma_load work = ___
// predict: shared_load requests = ___
// predict: shared_load conflict_degree = ___
// predict: shared_store conflict_degree = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE_ROWS = 64;
constexpr int TILE_COLS = 32;
constexpr int THREADS = 256;

/* TMA loads a tile, the threads transpose it into another, and TMA stores that one. */
__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int cols)
{
    __shared__ __align__(1024) float tile[TILE_ROWS * TILE_COLS];
    __shared__ __align__(1024) float turned[TILE_COLS * TILE_ROWS];
    __shared__ uint64_t full;

    int tiles_across = tiles(cols, TILE_COLS);
    int row = blockIdx.x / tiles_across * TILE_ROWS;
    int col = blockIdx.x % tiles_across * TILE_COLS;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, sizeof tile);
        tensor_load(tile, &in, col, row, &full);
    }
    __syncthreads(); /* nobody waits at an mbarrier that is not ready */
    mbarrier_wait(&full, 0);

    for (int i = threadIdx.x; i < TILE_ROWS * TILE_COLS; i += THREADS)
        turned[i] = tile[row_major(TILE_COLS, i % TILE_ROWS, i / TILE_ROWS)];
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
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE_ROWS, TILE_COLS, SWIZZLE_NONE);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE_COLS, TILE_ROWS, SWIZZLE_NONE);
    transpose<<<blocks_for(rows, cols, TILE_ROWS, TILE_COLS), THREADS>>>(in_map, out_map, cols);
}

EXERCISE(launch_transpose)
