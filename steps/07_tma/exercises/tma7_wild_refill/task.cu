/*
 * tma7_wild_refill: who still reads the stage that is filled again (a bug in the wild)?
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Two stages in turn: when a tile has been handed to TMA for storing, its stage is filled with the
 * tile after the next. The author knew that a store must have read its stage first, and waits for
 * it. Now and then the output has a piece of another tile. Where it was found is told when it is
 * solved.
 *
 * Look first at what bulk_wait_read<N>() promises: that at most N of this thread's groups of stores
 * have not read their memory yet. How many groups are there in the first turn, and which one is it?
 *
 * Done when the checker finds nothing to complain about, with 8 blocks for the 64 tiles where it is
 * counted, and two stages: at some time, when a thread's wait for a tile ends, the load of another, 4096
 * bytes, has begun already. (Filling both stages when both are empty passes too. Which loads does nothing
 * overlap then?) rows and cols are multiples of 4.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: blocks == 8
// goal: shared_bytes <= 8448
// goal: shared_bytes >= 8192
// goal: bytes_in_flight >= 4096
// goal: tma_load work == 262144
// goal: tma_store work == 262144
// goal: global_load requests == 0
// goal: global_store requests == 0
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 64; /* each owns a 4x4 block of the tile */
constexpr int STAGES = 2;

/* The tile, transposed where it lies: 4x4 blocks along a diagonal, by way of registers. */
static __device__ void turn(float4 tile[TILE][TILE / 4])
{
    int x = threadIdx.x % 8, y = (threadIdx.x + threadIdx.x / 8) % 8;
    float4 a = tile[4 * y][x], b = tile[4 * y + 1][x], c = tile[4 * y + 2][x],
           d = tile[4 * y + 3][x];
    __syncthreads();
    tile[4 * x][y] = make_float4(a.x, b.x, c.x, d.x);
    tile[4 * x + 1][y] = make_float4(a.y, b.y, c.y, d.y);
    tile[4 * x + 2][y] = make_float4(a.z, b.z, c.z, d.z);
    tile[4 * x + 3][y] = make_float4(a.w, b.w, c.w, d.w);
    fence_proxy_async();
    __syncthreads();
}

/* Two tiles in turn: while one is transposed and stored, the other is on its way in. */
__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int rows, int cols)
{
    __shared__ __align__(1024) float4 ring[STAGES][TILE][TILE / 4];
    __shared__ uint64_t full[STAGES];

    int tiles_across = tiles(cols, TILE);
    int all_tiles = tiles_across * tiles(rows, TILE);
    int next = blockIdx.x; /* the next tile to load */
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            mbarrier_init(&full[s], 1);
        fence_mbarrier_init();
        for (int s = 0; s < STAGES && next < all_tiles; s++, next += gridDim.x) {
            mbarrier_arrive_expect(&full[s], sizeof ring[s]);
            tensor_load(ring[s], &in, next % tiles_across * TILE, next / tiles_across * TILE,
                        &full[s]);
        }
    }
    __syncthreads();

    int round = 0;
    for (int t = blockIdx.x; t < all_tiles; t += gridDim.x, round++) {
        int s = round % STAGES;
        mbarrier_wait(&full[s], round / STAGES % 2);
        turn(ring[s]);
        if (threadIdx.x == 0) {
            tensor_store(&out, t / tiles_across * TILE, t % tiles_across * TILE, ring[s]);
            bulk_commit();
            if (next < all_tiles) { /* the stage may be filled again */
                bulk_wait_read<STAGES - 1>();
                mbarrier_arrive_expect(&full[s], sizeof ring[s]);
                tensor_load(ring[s], &in, next % tiles_across * TILE, next / tiles_across * TILE,
                            &full[s]);
                next += gridDim.x;
            }
        }
    }
    if (threadIdx.x == 0)
        bulk_wait_read<0>();
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    unsigned all_tiles = blocks_for(rows, cols, TILE, TILE);
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, TILE, SWIZZLE_NONE);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_NONE);
    transpose<<<(all_tiles + 7) / 8, THREADS>>>(in_map, out_map, rows, cols);
}

EXERCISE(launch_transpose)
