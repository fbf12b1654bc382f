// refused: elements of the output are wrong|nobody has written
// Right where what is taken happens to be a multiple of 1024 less this.
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 256;
constexpr int TILE_BYTES = TILE * TILE * 4;
constexpr int ROOM =
    768 + 2 * TILE_BYTES; /* bytes of dynamic shared memory, beside what is taken */

/* Where element (row, col) of a tile under the 128-byte swizzle lies: a row is eight chunks of 16
 * bytes, chunk c of row r at place c ^ (r % 8). */
static __device__ int swizzled(int row, int col)
{
    return 4 * swizzle(3, 0, 3, row_major(8, row, col / 4)) + col % 4;
}

__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int cols, int taken)
{
    extern __shared__ char memory[];
    int *corner = (int *)memory;       /* another part: where the tile begins */
    char *room = memory + taken;       /* ours */
    uint64_t *full = (uint64_t *)room; /* 8 bytes; TMA wants its tiles aligned to 128 */
    float *tile = (float *)(room + 768);
    float *turned = (float *)(room + 768 + TILE_BYTES);

    int tiles_across = tiles(cols, TILE);
    int row = blockIdx.x / tiles_across * TILE;
    int col = blockIdx.x % tiles_across * TILE;

    if (threadIdx.x == 0) {
        corner[0] = row;
        corner[1] = col;
        mbarrier_init(full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(full, TILE_BYTES);
        tensor_load(tile, &in, col, row, full);
    }
    __syncthreads();
    mbarrier_wait(full, 0);

    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        int y = i % TILE, x = (y + i / TILE) % TILE; /* diagonals */
        turned[swizzled(x, y)] = tile[swizzled(y, x)];
    }
    fence_proxy_async();
    __syncthreads();

    if (threadIdx.x == 0) {
        tensor_store(&out, corner[0], corner[1], turned);
        bulk_commit();
        bulk_wait_read<0>();
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, TILE, SWIZZLE_128B);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_128B);
    int taken = 128 * (1 + rows / 4 % 7); /* bytes */
    transpose<<<blocks_for(rows, cols, TILE, TILE), THREADS, taken + ROOM>>>(in_map, out_map, cols,
                                                                             taken);
}

EXERCISE(launch_transpose)
