// medal: bronze
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
        int lane = i % 32, patch = i / 32;
        int half = lane / 16; /* the rows of the second half: four rows of another chunk */
        int row_in_tile = 4 * ((patch % 4) ^ (half ? 5 : 0)) + lane / 4 % 4;
        int col_in_tile = patch / 4 * 4 + lane % 4;
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
