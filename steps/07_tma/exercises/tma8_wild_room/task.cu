/*
 * tma8_wild_room: a tile in dynamic shared memory (a bug in the wild).
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Two tiles and an mbarrier share a block's dynamic shared memory, behind `taken` bytes of it that
 * another part of the program uses, a multiple of 128. The author read that TMA wants 128 bytes of
 * alignment, and keeps to that. At some sizes the output is right, at others columns come out in
 * the wrong order, and nothing is reported. Where it was found is told when it is solved.
 *
 * Look first at what permutes the chunks of a row: the number of the row in the box, or bits of the
 * address in shared memory? When are these the same? And what is promised about the address at
 * which the memory begins that is yours?
 *
 * `taken` and its bytes belong to the other part of the program: leave them. The checker cannot see
 * another value of `taken`, which would hide the bug, nor a tile in its bytes; and its memory begins at a
 * multiple of 1024, promised or not. Done when all sizes are right, with at most 9984 bytes where it is
 * counted, and the output still depends on numbers in shared memory (the checker changes them). Tiles without a swizzle pass
 * too, and so do tiles in static shared memory. rows and cols are multiples of 4.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: shared_bytes <= 9984
// goal: decided >= 32768
// goal: shared_load conflict_degree == 1
// goal: shared_store conflict_degree == 1
// goal: global_load requests == 0
// goal: global_store requests == 0
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 256;
constexpr int TILE_BYTES = TILE * TILE * 4;
constexpr int ROOM =
    128 + 2 * TILE_BYTES; /* bytes of dynamic shared memory, beside what is taken */

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
    float *tile = (float *)(room + 128);
    float *turned = (float *)(room + 128 + TILE_BYTES);

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
