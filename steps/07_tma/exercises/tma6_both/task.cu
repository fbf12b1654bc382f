/*
 * tma6_both: TMA both ways, and no bank conflict. How few requests will do?
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The question that the CUTLASS tutorial on transposing leaves open: load a tile by TMA, store the
 * transposed tile by TMA, and let the threads in between meet no bank twice. Here both tiles are
 * under the 128-byte swizzle, and the result is right; but which 32 elements a warp moves at a time
 * decides the conflicts, and whole columns are a bad choice. Choose better: which elements, and
 * which swizzle, is yours.
 *
 * Look first at a tile without any swizzle. Which 32 elements of it lie in 32 different columns,
 * and in 32 different columns of the transposed tile too? Does the swizzle spoil that?
 *
 * Done when neither loads nor stores of shared memory conflict, with at most 256 boxes each way: a copy for
 * each row could pad the tiles. Silver: without conflicts, and with a quarter of the requests for loads,
 * which takes 16 bytes a lane. Gold: stores as well. rows and cols are multiples of 4.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
// goal: global_load requests == 0
// goal: global_store requests == 0
// goal: tma_load requests <= 256
// goal: tma_store requests <= 256
// silver: shared_load requests <= 512
// gold: shared_store requests <= 512
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 256;

/* Where element (row, col) of a tile under the 128-byte swizzle lies: a row is eight chunks of 16
 * bytes, chunk c of row r at place c ^ (r % 8). */
static __device__ int swizzled(int row, int col)
{
    return 4 * swizzle(3, 0, 3, row_major(8, row, col / 4)) + col % 4;
}

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

    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        int row_in_tile = i % TILE;
        int col_in_tile = i / TILE;
        turned[swizzled(col_in_tile, row_in_tile)] = tile[swizzled(row_in_tile, col_in_tile)];
    }
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
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, TILE, SWIZZLE_128B);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_128B);
    transpose<<<blocks_for(rows, cols, TILE, TILE), THREADS>>>(in_map, out_map, cols);
}

EXERCISE(launch_transpose)
