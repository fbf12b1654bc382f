/*
 * Step 07: the TMA engine moves the tiles; threads only transpose them.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared tma.cu -o tma
 *
 *   tma_store                   vector loads, 4x4 blocks transposed in registers, TMA store
 *   tma_plain                   TMA load and store of plain boxes: eight-way conflicts
 *   tma_diagonal                the same boxes, blocks owned along diagonals: no conflict
 *   tma_swizzled                TMA load and store under the 128-byte swizzle, no conflict
 *   tma_swizzled_64, tma_swizzled_32   the same under the 64- and 32-byte swizzles, in narrower boxes
 *   tma_plain_six_blocks, tma_diagonal_six_blocks   up to six blocks per SM instead of four
 *   tma_swizzled_column_order   tma_swizzled, blocks walking down the input's columns
 *   tma_two_blocks, tma_six_blocks   the same, two or six blocks per SM instead of four
 *   tma_small_boxes             tma_swizzled_column_order, boxes of 16 rows instead of 64
 *   tma_keep_reads              tma_swizzled_column_order, L2 keeps what was read the longest
 *   tma_pipelined               tma_swizzled_column_order by persistent blocks: two per SM, each
 *                               with a ring of three stages that all its threads wait for
 *   tma_producer                persistent blocks in which one warp loads and two groups of 256
 *                               threads transpose and store: two blocks per SM, four stages
 *   tma_pipelined_in_order,     tma_pipelined and tma_producer, but a block takes the next tile that
 *   tma_producer_in_order       no block has taken, not every gridDim.x-th
 *   tma_in_order_six_stages     tma_pipelined_in_order with six stages
 *
 * tma --guide runs the 8x8 example of the CUDA guide, with and without the swizzle. All of it
 * needs compute capability 9.0 and CUDA 12.0.
 */
#include "guide.cuh"
#include "harness/harness.h"

constexpr int TILE64 = 64;
constexpr int TILE_BYTES = TILE64 * TILE64 * 4;
constexpr int TILE_CHUNKS = TILE_BYTES / 16; /* 16-byte chunks */
constexpr int THREADS = 256;                 /* each owns one 4x4 block of the tile */
constexpr int BLOCKS_PER_SM = 4;             /* so that four tiles are in flight per SM */
constexpr int RINGS_PER_SM = 2;              /* persistent blocks */

/* In what order blocks visit the tiles. ROW_ORDER reads whole input rows in sequence; COLUMN_ORDER
 * goes down the input's columns, which writes whole output rows in sequence. */
enum { ROW_ORDER, COLUMN_ORDER };

/* How a tile lies in shared memory, and which 4x4 block of it a thread owns. PLAIN and DIAGONAL: two
 * boxes of 64x32 side by side, without a swizzle. SWIZZLED_n: boxes whose rows have n bytes, under
 * TMA's n-byte swizzle. */
enum { PLAIN, DIAGONAL, SWIZZLED_32, SWIZZLED_64, SWIZZLED_128 };

/* Bits of a layout's swizzle, as in Swizzle<bits,0,3> on 16-byte chunks; 0 without one. */
static constexpr __host__ __device__ int swizzle_bits(int layout)
{
    return layout < SWIZZLED_32 ? 0 : layout - 1;
}

/* Chunks in a row of a layout's boxes. */
static constexpr __host__ __device__ int box_chunks(int layout)
{
    return layout < SWIZZLED_32 ? 8 : 1 << swizzle_bits(layout);
}

/* Where chunk (row, chunk) of a 64x64 tile lies, in chunks from the tile's start (aligned to 1024
 * bytes). A swizzle of 2^bits chunks takes its pattern from the number of the 128-byte line.
 * Source: CUDA C++ Programming Guide, TMA swizzle modes. */
template <int LAYOUT>
static __device__ int place(int row, int chunk)
{
    constexpr int WIDTH = box_chunks(LAYOUT);
    return chunk / WIDTH * (TILE64 * WIDTH) +
           swizzle(swizzle_bits(LAYOUT), 0, 3, row_major(WIDTH, row, chunk % WIDTH));
}

/* The 4x4 block that a thread owns: its block column in x, its block row in y. PLAIN: eight
 * neighbouring lanes share a block row; they read one row of the tile, in eight groups of banks, and
 * write one chunk column of eight rows, all in one group. DIAGONAL: each lane's block is also one
 * block row further down, so the eight meet eight groups both ways. Under a swizzle the eight vary
 * the lowest bit of the block row and the two lowest bits of the block column. */
template <int LAYOUT>
static __device__ int2 owned_block(int thread)
{
    if (LAYOUT >= SWIZZLED_32)
        return make_int2((thread & 3) | (thread >> 3 & 3) << 2, (thread >> 2 & 1) | (thread >> 5)
                                                                                        << 1);
    int x = thread % 16, y = thread / 16;
    return make_int2(x, LAYOUT == DIAGONAL ? (y + x) % 16 : y);
}

/* Transposes a 4x4 block that lies in four registers of four floats each. */
static __device__ __forceinline__ void transpose4x4(float4 block[4])
{
    float4 a = block[0], b = block[1], c = block[2], d = block[3];
    block[0] = make_float4(a.x, b.x, c.x, d.x);
    block[1] = make_float4(a.y, b.y, c.y, d.y);
    block[2] = make_float4(a.z, b.z, c.z, d.z);
    block[3] = make_float4(a.w, b.w, c.w, d.w);
}

/* Reads the 4x4 block that a thread owns. */
template <int LAYOUT>
static __device__ __forceinline__ void read_block(float4 block[4], const float4 *tile, int2 own)
{
#pragma unroll
    for (int k = 0; k < 4; k++)
        block[k] = tile[place<LAYOUT>(4 * own.y + k, own.x)];
}

/* Writes a thread's 4x4 block, transposed, to its place in the transposed tile. Under a swizzle,
 * lanes whose block column has bit 1 set write their four rows in the order 2, 3, 0, 1; otherwise
 * they would meet the chunks of the other lanes. Afterwards the tile is ready for the async proxy as
 * soon as the threads have synchronised. */
template <int LAYOUT>
static __device__ __forceinline__ void write_transposed(float4 *tile, int2 own, float4 block[4])
{
    int ahead = LAYOUT >= SWIZZLED_32 ? own.x & 2 : 0;
    transpose4x4(block);
#pragma unroll
    for (int k = 0; k < 4; k++)
        tile[place<LAYOUT>(4 * own.x + (k ^ ahead), own.y)] = ahead ? block[k ^ 2] : block[k];
    fence_proxy_async();
}

/* How long L2 keeps what was read: as long as other lines, or longer than written lines. */
enum { PLAIN_READS, KEEP_READS };

/* One thread starts loading a tile in boxes of BOX_ROWS rows; they arrive at the mbarrier. */
template <int LAYOUT, int READS = PLAIN_READS, int BOX_ROWS = TILE64>
static __device__ void load_tile(float4 *tile, const CUtensorMap *in, int row, int col,
                                 uint64_t *full)
{
    constexpr int WIDTH = box_chunks(LAYOUT);
    mbarrier_arrive_expect(full, TILE_BYTES);
    for (int y = 0; y < TILE64; y += BOX_ROWS)
        for (int x = 0; x < TILE64; x += 4 * WIDTH) {
            float4 *box = &tile[x / 4 * TILE64 + y * WIDTH];
            if (READS == KEEP_READS)
                tensor_load_with_policy(box, in, col + x, row + y, full, l2_evict_last());
            else
                tensor_load(box, in, col + x, row + y, full);
        }
}

/* One thread starts storing the transposed tile, as one bulk group. */
template <int LAYOUT, int BOX_ROWS = TILE64>
static __device__ void store_tile(const CUtensorMap *out, int row, int col, const float4 *tile)
{
    constexpr int WIDTH = box_chunks(LAYOUT);
    for (int y = 0; y < TILE64; y += BOX_ROWS)
        for (int x = 0; x < TILE64; x += 4 * WIDTH)
            tensor_store(out, col + x, row + y, &tile[x / 4 * TILE64 + y * WIDTH]);
    bulk_commit();
}

/* Each thread loads its 4x4 block from global memory; the tile only collects the transposed blocks
 * for the store. */
__global__ void tma_store(const float *in, const __grid_constant__ CUtensorMap out, int rows,
                          int cols)
{
    __shared__ __align__(1024) float4 tile[TILE_CHUNKS];

    int tiles_across = tiles(cols, TILE64);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int2 own = owned_block<SWIZZLED_128>(threadIdx.x);
    int row = tile_row * TILE64 + 4 * own.y;
    int col = tile_col * TILE64 + 4 * own.x;
    float4 block[4] = {};
    if (row < rows && col < cols)
#pragma unroll
        for (int k = 0; k < 4; k++)
            block[k] = *(const float4 *)&in[(size_t)(row + k) * cols + col];
    write_transposed<SWIZZLED_128>(tile, own, block);
    __syncthreads();

    if (threadIdx.x == 0) {
        store_tile<SWIZZLED_128>(&out, tile_col * TILE64, tile_row * TILE64, tile);
        bulk_wait_read<0>();
    }
}

/* TMA loads a tile, the threads transpose it in place, TMA stores it. LIMIT, of blocks per SM, is
 * for the launch. */
template <int LAYOUT, int ORDER, int READS, int BOX_ROWS, int LIMIT>
__global__ void tma_tile(const __grid_constant__ CUtensorMap in,
                         const __grid_constant__ CUtensorMap out, int rows, int cols)
{
    __shared__ __align__(1024) float4 tile[TILE_CHUNKS];
    __shared__ uint64_t full;

    int across = tiles(cols, TILE64);
    int down = tiles(rows, TILE64);
    int tile_row = ORDER == ROW_ORDER ? blockIdx.x / across : blockIdx.x % down;
    int tile_col = ORDER == ROW_ORDER ? blockIdx.x % across : blockIdx.x / down;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        load_tile<LAYOUT, READS, BOX_ROWS>(tile, &in, tile_row * TILE64, tile_col * TILE64, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);

    int2 own = owned_block<LAYOUT>(threadIdx.x);
    float4 block[4];
    read_block<LAYOUT>(block, tile, own);
    __syncthreads(); /* all blocks are in registers */
    write_transposed<LAYOUT>(tile, own, block);
    __syncthreads();

    if (threadIdx.x == 0) {
        store_tile<LAYOUT, BOX_ROWS>(&out, tile_col * TILE64, tile_row * TILE64, tile);
        bulk_wait_read<0>();
    }
}

/* Returns the bytes of dynamic shared memory for a ring of `stages` tiles, and room to align it. */
static constexpr int ring_bytes(int stages) { return stages * TILE_BYTES + 1024; }

/* Returns the tile `stage` of the ring in a block's dynamic shared memory. */
static __device__ __forceinline__ float4 *ring_tile(char *dynamic_shared, int stage)
{
    uintptr_t start = ((uintptr_t)dynamic_shared + 1023) / 1024 * 1024;
    return (float4 *)(start + (size_t)stage * TILE_BYTES);
}

/* Which tiles a persistent block takes: every gridDim.x-th, or the next that no block has taken. */
enum { EVERY_NTH, IN_ORDER };

__device__ int taken; /* tiles that blocks of this launch have taken; the launch sets it to 0 */

/* The number of the block's tile for a turn; with IN_ORDER, take_tile() has noted it. */
template <int TAKE>
static __device__ __forceinline__ int tile_number(int turn, const int *noted)
{
    return TAKE == IN_ORDER ? *noted : blockIdx.x + turn * gridDim.x;
}

/* One thread takes the block's tile for a turn and starts loading it, if one is left. */
template <int TAKE>
static __device__ void take_tile(int turn, int *noted, float4 *tile, const CUtensorMap *in,
                                 int down, int tile_count, uint64_t *full)
{
    if (TAKE == IN_ORDER)
        *noted = atomicAdd(&taken, 1);
    int number = tile_number<TAKE>(turn, noted);
    if (number < tile_count)
        load_tile<SWIZZLED_128>(tile, in, number % down * TILE64, number / down * TILE64, full);
}

/* A persistent block moves its tiles through a ring of STAGES tiles: one in work, one being stored,
 * the others being loaded. */
template <int STAGES, int TAKE>
__global__ void tma_pipelined(const __grid_constant__ CUtensorMap in,
                              const __grid_constant__ CUtensorMap out, int rows, int cols)
{
    extern __shared__ char dynamic_shared[];
    __shared__ uint64_t full[STAGES];
    __shared__ int noted[STAGES]; /* the number of the tile in each stage */

    int down = tiles(rows, TILE64);
    int tile_count = down * tiles(cols, TILE64);
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            mbarrier_init(&full[s], 1);
        fence_mbarrier_init();
        for (int s = 0; s < STAGES - 1; s++)
            take_tile<TAKE>(s, &noted[s], ring_tile(dynamic_shared, s), &in, down, tile_count,
                            &full[s]);
    }
    __syncthreads();

    int2 own = owned_block<SWIZZLED_128>(threadIdx.x);
    for (int turn = 0;; turn++) {
        int stage = turn % STAGES;
        int number = tile_number<TAKE>(turn, &noted[stage]);
        if (number >= tile_count)
            break;
        float4 *tile = ring_tile(dynamic_shared, stage);
        float4 block[4];
        mbarrier_wait(&full[stage], turn / STAGES % 2);
        read_block<SWIZZLED_128>(block, tile, own);
        __syncthreads();
        write_transposed<SWIZZLED_128>(tile, own, block);
        __syncthreads();
        if (threadIdx.x == 0) {
            store_tile<SWIZZLED_128>(&out, number / down * TILE64, number % down * TILE64, tile);
            bulk_wait_read<1>(); /* the store before this one has read its stage */
            int next = turn + STAGES - 1, empty = next % STAGES;
            take_tile<TAKE>(next, &noted[empty], ring_tile(dynamic_shared, empty), &in, down,
                            tile_count, &full[empty]);
        }
    }
    if (threadIdx.x == 0)
        bulk_wait_read<0>();
}

constexpr int GROUPS = 2; /* groups of THREADS consumers in a block of tma_producer */
constexpr int PRODUCER_THREADS = 32 + GROUPS * THREADS;

/* The same ring, divided among warps: one thread of warp 0 loads every stage as soon as it is empty;
 * the groups of consumers take turns, transpose and store. full[s] completes when stage s is loaded,
 * empty[s] when its tile has been stored. */
template <int STAGES, int TAKE>
__global__ void __launch_bounds__(PRODUCER_THREADS, SM_BLOCKS(PRODUCER_THREADS, RINGS_PER_SM))
    tma_producer(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out,
                 int rows, int cols)
{
    static_assert(STAGES > GROUPS, "a group empties its last stage when it has the next one");
    extern __shared__ char dynamic_shared[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ int noted[STAGES]; /* the number of the tile in each stage */

    int down = tiles(rows, TILE64);
    int tile_count = down * tiles(cols, TILE64);
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(&full[s], 1);
            mbarrier_init(&empty[s], 1);
        }
        fence_mbarrier_init();
    }
    __syncthreads();

    if (threadIdx.x < 32) { /* the producer */
        int ends = 0;       /* groups that it has told that no tile is left */
        for (int turn = 0; threadIdx.x == 0 && ends < GROUPS; turn++) {
            int stage = turn % STAGES;
            if (turn >= STAGES)
                mbarrier_wait(&empty[stage], (turn / STAGES - 1) % 2);
            take_tile<TAKE>(turn, &noted[stage], ring_tile(dynamic_shared, stage), &in, down,
                            tile_count, &full[stage]);
            if (tile_number<TAKE>(turn, &noted[stage]) >= tile_count) {
                mbarrier_arrive(&full[stage]);
                ends++;
            }
        }
        return;
    }

    int group = (threadIdx.x - 32) / THREADS, thread = (threadIdx.x - 32) % THREADS;
    int2 own = owned_block<SWIZZLED_128>(thread);
    int turn = group;
    for (;; turn += GROUPS) {
        int stage = turn % STAGES;
        float4 *tile = ring_tile(dynamic_shared, stage);
        float4 block[4];
        mbarrier_wait(&full[stage], turn / STAGES % 2);
        int number = tile_number<TAKE>(turn, &noted[stage]);
        if (number >= tile_count)
            break;
        read_block<SWIZZLED_128>(block, tile, own);
        barrier_sync(1 + group, THREADS); /* the group, not the block */
        write_transposed<SWIZZLED_128>(tile, own, block);
        barrier_sync(1 + group, THREADS);
        if (thread == 0) {
            store_tile<SWIZZLED_128>(&out, number / down * TILE64, number % down * TILE64, tile);
            bulk_wait_read<1>(); /* the group's store before this one has read its stage */
            if (turn >= GROUPS)
                mbarrier_arrive(&empty[(turn - GROUPS) % STAGES]);
        }
    }
    if (thread == 0) {
        bulk_wait_read<0>();
        if (turn >= GROUPS)
            mbarrier_arrive(&empty[(turn - GROUPS) % STAGES]);
    }
}

/* What a launch needs and its prepare function makes. */
typedef struct {
    CUtensorMap in, out;
    int padding;     /* bytes of unused shared memory */
    unsigned blocks; /* of a persistent kernel */
    void *taken;     /* the address of `taken` on the device */
} Prepared;

static void make_maps(Prepared *prepared, const float *in, float *out, int rows, int cols,
                      int layout, int box_rows)
{
    BoxSwizzle swizzle = (BoxSwizzle)swizzle_bits(layout); /* SWIZZLE_NONE, _32B, _64B, _128B */
    int box_cols = 4 * box_chunks(layout);
    prepared->in = tensor_map(in, 4, rows, cols, box_rows, box_cols, swizzle);
    prepared->out = tensor_map(out, 4, cols, rows, box_rows, box_cols, swizzle);
}

static Prepared for_store;
template <int LAYOUT, int ORDER, int READS, int BOX_ROWS, int LIMIT>
static Prepared for_tile;
template <int PRODUCER, int STAGES, int TAKE>
static Prepared for_persistent;

static void prepare_tma_store(const float *in, float *out, int rows, int cols)
{
    make_maps(&for_store, in, out, rows, cols, SWIZZLED_128, TILE64);
    for_store.padding = padding_for_blocks_per_sm((const void *)tma_store, BLOCKS_PER_SM);
}

static void launch_tma_store(const float *in, float *, int rows, int cols)
{
    tma_store<<<blocks_for(rows, cols, TILE64, TILE64), THREADS, for_store.padding>>>(
        in, for_store.out, rows, cols);
}

template <int LAYOUT, int ORDER, int READS, int BOX_ROWS, int LIMIT>
static void prepare_tile(const float *in, float *out, int rows, int cols)
{
    Prepared *prepared = &for_tile<LAYOUT, ORDER, READS, BOX_ROWS, LIMIT>;
    make_maps(prepared, in, out, rows, cols, LAYOUT, BOX_ROWS);
    prepared->padding = padding_for_blocks_per_sm(
        (const void *)tma_tile<LAYOUT, ORDER, READS, BOX_ROWS, LIMIT>, LIMIT);
}

template <int LAYOUT, int ORDER, int READS, int BOX_ROWS, int LIMIT>
static void launch_tile(const float *, float *, int rows, int cols)
{
    const Prepared *prepared = &for_tile<LAYOUT, ORDER, READS, BOX_ROWS, LIMIT>;
    tma_tile<LAYOUT, ORDER, READS, BOX_ROWS, LIMIT>
        <<<blocks_for(rows, cols, TILE64, TILE64), THREADS, prepared->padding>>>(
            prepared->in, prepared->out, rows, cols);
}

typedef void (*Persistent)(CUtensorMap in, CUtensorMap out, int rows, int cols);

template <int PRODUCER, int STAGES, int TAKE>
static Persistent persistent_kernel(void)
{
    if constexpr (PRODUCER)
        return tma_producer<STAGES, TAKE>;
    else
        return tma_pipelined<STAGES, TAKE>;
}

/* The blocks of a persistent kernel are all that fit, at most one per tile. */
template <int PRODUCER, int STAGES, int TAKE>
static void prepare_persistent(const float *in, float *out, int rows, int cols)
{
    Prepared *prepared = &for_persistent<PRODUCER, STAGES, TAKE>;
    make_maps(prepared, in, out, rows, cols, SWIZZLED_128, TILE64);
    unsigned resident =
        resident_blocks((const void *)persistent_kernel<PRODUCER, STAGES, TAKE>(),
                        PRODUCER ? PRODUCER_THREADS : THREADS, ring_bytes(STAGES), RINGS_PER_SM);
    unsigned tile_count = blocks_for(rows, cols, TILE64, TILE64);
    prepared->blocks = tile_count < resident ? tile_count : resident;
    CUDA_CHECK(cudaGetSymbolAddress(&prepared->taken, taken));
}

template <int PRODUCER, int STAGES, int TAKE>
static void launch_persistent(const float *, float *, int rows, int cols)
{
    const Prepared *prepared = &for_persistent<PRODUCER, STAGES, TAKE>;
    Persistent kernel = persistent_kernel<PRODUCER, STAGES, TAKE>();
    if (TAKE == IN_ORDER)
        cudaMemsetAsync(prepared->taken, 0, sizeof taken, 0);
    kernel<<<prepared->blocks, PRODUCER ? PRODUCER_THREADS : THREADS, ring_bytes(STAGES)>>>(
        prepared->in, prepared->out, rows, cols);
}

/* A row of the table of variants. */
template <int LAYOUT, int ORDER = ROW_ORDER, int LIMIT = BLOCKS_PER_SM, int READS = PLAIN_READS,
          int BOX_ROWS = TILE64>
static Variant tile_variant(const char *name)
{
    return {name, launch_tile<LAYOUT, ORDER, READS, BOX_ROWS, LIMIT>, 4, 90,
            0,    prepare_tile<LAYOUT, ORDER, READS, BOX_ROWS, LIMIT>};
}

template <int PRODUCER, int STAGES, int TAKE = EVERY_NTH>
static Variant persistent_variant(const char *name)
{
    return {name, launch_persistent<PRODUCER, STAGES, TAKE>, 4, 90,
            0,    prepare_persistent<PRODUCER, STAGES, TAKE>};
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"tma_store", launch_tma_store, 4, 90, 0, prepare_tma_store},
        tile_variant<PLAIN>("tma_plain"),
        tile_variant<DIAGONAL>("tma_diagonal"),
        tile_variant<SWIZZLED_128>("tma_swizzled"),
        tile_variant<SWIZZLED_64>("tma_swizzled_64"),
        tile_variant<SWIZZLED_32>("tma_swizzled_32"),
        tile_variant<PLAIN, ROW_ORDER, 6>("tma_plain_six_blocks"),
        tile_variant<DIAGONAL, ROW_ORDER, 6>("tma_diagonal_six_blocks"),
        tile_variant<SWIZZLED_128, COLUMN_ORDER>("tma_swizzled_column_order"),
        tile_variant<SWIZZLED_128, COLUMN_ORDER, 2>("tma_two_blocks"),
        tile_variant<SWIZZLED_128, COLUMN_ORDER, 6>("tma_six_blocks"),
        tile_variant<SWIZZLED_128, COLUMN_ORDER, 4, PLAIN_READS, 16>("tma_small_boxes"),
        tile_variant<SWIZZLED_128, COLUMN_ORDER, 4, KEEP_READS>("tma_keep_reads"),
        persistent_variant<0, 3>("tma_pipelined"),
        persistent_variant<1, 4>("tma_producer"),
        persistent_variant<0, 3, IN_ORDER>("tma_pipelined_in_order"),
        persistent_variant<1, 4, IN_ORDER>("tma_producer_in_order"),
        persistent_variant<0, 6, IN_ORDER>("tma_in_order_six_stages"),
    };
    static const Step step = {
        "07_tma",
        TRANSPOSE,
        variants,
        COUNT_OF(variants),
        "tma_keep_reads",
        "registers4x2_keep_reads",
        guide,
    };
    return run_step(&step, argc, argv);
}
