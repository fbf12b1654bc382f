// medal: silver
#include "exercises/exercise.h"

constexpr int TILE = 64; /* rows of 128 bytes */
constexpr int THREADS = 256;

__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int cols)
{
    __shared__ __align__(128) uint16_t tile[TILE * TILE];
    __shared__ __align__(128) uint16_t turned[TILE * TILE];
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
    __syncthreads();
    mbarrier_wait(&full, 0);

    /* Blocks of 2x2 elements, a word in each row. A warp has a diagonal of them. */
    const uint32_t *from = (const uint32_t *)tile;
    uint32_t *to = (uint32_t *)turned;
    for (int i = threadIdx.x; i < TILE * TILE / 4; i += THREADS) {
        int x = i % 32, y = i / 32; /* block column, block row */
        uint32_t a = from[row_major(32, 2 * y, x)], b = from[row_major(32, 2 * y + 1, x)];
        to[row_major(32, 2 * x, y)] = __byte_perm(a, b, 0x5410);
        to[row_major(32, 2 * x + 1, y)] = __byte_perm(a, b, 0x7632);
    }
    fence_proxy_async();
    __syncthreads();

    if (threadIdx.x == 0) {
        tensor_store(&out, row, col, turned);
        bulk_commit();
        bulk_wait_read<0>();
    }
}

static void launch_transpose(const uint16_t *in, uint16_t *out, int rows, int cols)
{
    CUtensorMap in_map = tensor_map(in, 2, rows, cols, TILE, TILE, SWIZZLE_NONE);
    CUtensorMap out_map = tensor_map(out, 2, cols, rows, TILE, TILE, SWIZZLE_NONE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), THREADS>>>(in_map, out_map, cols);
}

EXERCISE(launch_transpose)
