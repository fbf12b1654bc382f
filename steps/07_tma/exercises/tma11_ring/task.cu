/*
 * tma11_ring: a producer warp, and the barriers that are missing.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Warp 0 is the producer: one of its threads loads tile after tile into a ring of three stages. The
 * other two warps are the consumers: they wait until a stage is full, transpose the tile where it
 * lies, and store it. But nobody tells the producer when a stage may be loaded again. Add that: an
 * mbarrier per stage, empty[], at which one consumer arrives and for which the producer waits.
 *
 * Look first at turns 0 to 6 of one block. Which turn is the first that has to wait for empty[0],
 * and which phase of empty[0] does it wait for? And when has a stage been read?
 *
 * Done when the checker finds nothing to complain about, with 8 blocks for the 64 tiles where it is
 * counted, and shared memory for three tiles and six mbarriers, 12336 bytes. At some time, when a thread's
 * wait for a tile ends, the loads of two others, 8192 bytes, have begun already. Five turns of a block use
 * their stage again: 40 tiles, 163840 bytes, are loaded on an mbarrier that a load has used before, and 40
 * phases of mbarriers complete by arrivals alone, as those of empty[] do. What a phase orders is for you to
 * see: a producer that loads when all stages are empty passes too, and overlaps less. rows and cols are
 * multiples of 4.
 */
// operation: transpose
// multiple: 4
// capability: 90
// goal: verified
// goal: blocks == 8
// goal: mbarrier_phases >= 40
// goal: later_bytes >= 163840
// goal: shared_bytes >= 12288
// goal: bytes_in_flight >= 8192
// goal: shared_bytes <= 12336
// goal: tma_load work == 262144
// goal: tma_store work == 262144
// goal: global_load requests == 0
// goal: global_store requests == 0
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int CONSUMERS = 64; /* threads; each owns a 4x4 block of the tile */
constexpr int STAGES = 3;

/* Transposes the tile where it lies: 4x4 blocks along a diagonal, by way of registers. */
static __device__ void turn_tile(float4 tile[TILE][TILE / 4], int thread)
{
    int x = thread % 8, y = (thread + thread / 8) % 8;
    float4 a = tile[4 * y][x], b = tile[4 * y + 1][x], c = tile[4 * y + 2][x],
           d = tile[4 * y + 3][x];
    barrier_sync(1, CONSUMERS); /* the consumers, not the block */
    tile[4 * x][y] = make_float4(a.x, b.x, c.x, d.x);
    tile[4 * x + 1][y] = make_float4(a.y, b.y, c.y, d.y);
    tile[4 * x + 2][y] = make_float4(a.z, b.z, c.z, d.z);
    tile[4 * x + 3][y] = make_float4(a.w, b.w, c.w, d.w);
    fence_proxy_async();
    barrier_sync(1, CONSUMERS);
}

/* Warp 0 loads the tiles blockIdx.x, blockIdx.x + gridDim.x, ...; the consumers store them. */
__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int rows, int cols)
{
    __shared__ __align__(1024) float4 ring[STAGES][TILE][TILE / 4];
    __shared__ uint64_t full[STAGES];

    int tiles_across = tiles(cols, TILE);
    int all_tiles = tiles_across * tiles(rows, TILE);
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            mbarrier_init(&full[s], 1);
        fence_mbarrier_init();
    }
    __syncthreads();

    if (threadIdx.x < 32) { /* the producer */
        int t = blockIdx.x;
        for (int turn = 0; t < all_tiles && threadIdx.x == 0; turn++, t += gridDim.x) {
            int s = turn % STAGES;
            mbarrier_arrive_expect(&full[s], sizeof ring[s]);
            tensor_load(ring[s], &in, t % tiles_across * TILE, t / tiles_across * TILE, &full[s]);
        }
        return;
    }

    int t = blockIdx.x;
    for (int turn = 0; t < all_tiles; turn++, t += gridDim.x) {
        int s = turn % STAGES;
        mbarrier_wait(&full[s], turn / STAGES % 2);
        turn_tile(ring[s], threadIdx.x - 32);
        if (threadIdx.x == 32) {
            tensor_store(&out, t / tiles_across * TILE, t % tiles_across * TILE, ring[s]);
            bulk_commit();
        }
    }
    if (threadIdx.x == 32)
        bulk_wait_read<0>();
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    unsigned all_tiles = blocks_for(rows, cols, TILE, TILE);
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, TILE, SWIZZLE_NONE);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_NONE);
    transpose<<<(all_tiles + 7) / 8, 32 + CONSUMERS>>>(in_map, out_map, rows, cols);
}

EXERCISE(launch_transpose)
