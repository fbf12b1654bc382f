#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int WIDTH = 16; /* of a box, in floats: 64 bytes */
constexpr int THREADS = 256;

/* Where chunk (row, chunk) of a box lies, in chunks of four floats. */
static __device__ __forceinline__ int place(int row, int chunk)
{
    return swizzle(2, 0, 3, row_major(4, row, chunk));
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
