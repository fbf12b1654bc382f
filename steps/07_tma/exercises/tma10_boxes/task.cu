/*
 * tma10_boxes: a row of 64 bytes.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Under the 64-byte swizzle the rows of a box have at most 64 bytes: four chunks of 16. So a tile of
 * 32x32 floats is two boxes of 32x16, one behind the other. TMA loads them here. place() takes the
 * pattern from the number of the row, which is right where a row fills a line of 128 bytes. Give it
 * the formula of the 64-byte swizzle.
 *
 * Look first at chunk 1 of rows 0 to 3. Which rows share a line? Both rows of a line have the same
 * pattern, the line's number modulo 4: the engine puts chunk c of each at c ^ pattern.
 *
 * Done when every size is right, the matrix comes in 128 boxes, and loads from shared memory take at
 * most 4 times the ideal. Diagonals without a swizzle pass too, and so do boxes of 16 rows of 128
 * bytes, and tiles of one box. rows and cols are multiples of 4.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: shared_load work <= 8192
// goal: shared_store conflict_degree == 1
// goal: tma_load work == 262144
// goal: tma_load requests == 128
// goal: global_load requests == 0
// goal: global_store requests == 0
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int WIDTH = 16; /* of a box, in floats: 64 bytes */
constexpr int THREADS = 256;

/* Where chunk (row, chunk) of a box lies, in chunks of four floats. */
static __device__ __forceinline__ int place(int row, int chunk)
{
    return row_major(4, row, chunk ^ row % 4);
}

/* TMA loads two boxes, the threads transpose them into a tile, and TMA stores that tile. */
__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int cols)
{
    __shared__ __align__(1024) float box[2][TILE * WIDTH];
    __shared__ __align__(1024) float turned[TILE * TILE];
    __shared__ uint64_t full;

    int tiles_across = tiles(cols, TILE);
    int row = blockIdx.x / tiles_across * TILE;
    int col = blockIdx.x % tiles_across * TILE;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, sizeof box);
        for (int b = 0; b < 2; b++)
            tensor_load(box[b], &in, col + b * WIDTH, row, &full);
    }
    __syncthreads(); /* nobody waits at an mbarrier that is not ready */
    mbarrier_wait(&full, 0);

    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        int r = i % TILE, c = i / TILE;
        turned[i] = box[c / WIDTH][4 * place(r, c % WIDTH / 4) + c % 4];
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
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, WIDTH, SWIZZLE_64B);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_NONE);
    transpose<<<blocks_for(rows, cols, TILE, TILE), THREADS>>>(in_map, out_map, cols);
}

EXERCISE(launch_transpose)
