/*
 * tma5_swizzle: let TMA spread the rows over the banks.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * TMA writes a box without a pad, so the threads read its columns with 32-way conflicts. But TMA
 * can swizzle it: with SWIZZLE_128B, row r of the box has its eight 16-byte chunks permuted, chunk
 * c lying at place c ^ (r % 8). Turn that on for the load, and read the tile accordingly.
 *
 * Look first at the input's tensor map, and at tma_swizzle_128() below, which counts in
 * chunks of four floats. Leave the output's map and tile as they are.
 *
 * Done when loads from shared memory take at most 4 times the ideal: chunks go to eight different
 * places, and there are 32 rows. The next exercise gets rid of the rest. A tile is one box. Diagonals
 * without a swizzle pass too, and so does whatever else takes no more. rows and cols are multiples of 4.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: shared_load work <= 8192
// goal: shared_store conflict_degree == 1
// goal: global_load requests == 0
// goal: global_store requests == 0
// goal: shared_bytes <= 9216
// goal: tma_load requests <= 64
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 256;

/* Where chunk (row, chunk) of a box lies under the 128-byte swizzle, in chunks: a row is 128 bytes,
 * eight chunks of four floats. */
static __device__ __forceinline__ int tma_swizzle_128(int row, int chunk)
{
    return swizzle(3, 0, 3, row_major(8, row, chunk));
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
