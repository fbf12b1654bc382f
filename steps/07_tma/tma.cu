/*
 * Step 07: the TMA engine moves the tiles; threads only transpose them.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared tma.cu -o tma
 *
 *   tma_store                   vector loads, 4x4 blocks transposed in registers, TMA store
 *   tma_plain                   TMA load and store of plain boxes: eight-way conflicts
 *   tma_diagonal                the same boxes, blocks owned along diagonals: no conflict
 *   tma_swizzled                TMA load and store under the 128-byte swizzle, no conflict
 *   tma_swizzled_column_order   the same, blocks walking down the input's columns
 *   tma_two_blocks, tma_six_blocks   the same, two or six blocks on an SM, not four
 *   tma_small_boxes             tma_swizzled_column_order, boxes of 16 rows instead of 64
 *   tma_keep_reads              tma_swizzled_column_order, L2 keeping reads longer than what was
 *                               written
 *   tma_two_fronts              the same again, walking down two columns of tiles at a time
 *   tma_pipelined               column order with persistent blocks and several tiles in flight:
 *                               two blocks on an SM, three stages in each
 *   tma_pipelined_six_stages, tma_pipelined_four_blocks   twice the stages, or twice the blocks
 *
 * tma --guide runs the 8x8 example of the CUDA guide, with and without the swizzle. All of it
 * needs compute capability 9.0 and CUDA 12.0.
 */
#include "harness/harness.h"

constexpr int TILE64 = 64;
constexpr int BOX_COLS = 32;           /* 128 bytes: the widest row of a swizzled box */
constexpr int BOX = TILE64 * BOX_COLS; /* floats in a box: half a tile */
constexpr int CHUNKS = BOX_COLS / 4;   /* 16-byte chunks in a row of a box */
constexpr int TILE_BYTES = TILE64 * TILE64 * 4;
constexpr int THREADS = 256;     /* each owns one 4x4 block of the tile */
constexpr int BLOCKS_PER_SM = 4; /* so that four 16 KB tiles are in flight on one SM */

/* In what order blocks visit the tiles. ROW_ORDER reads whole input rows in sequence; COLUMN_ORDER
 * goes down the input's columns, which writes whole output rows in sequence; TWO_FRONTS goes down
 * two of them at a time. */
enum { ROW_ORDER, COLUMN_ORDER, TWO_FRONTS };

/* Column order on two fronts: even blocks walk down the columns of tiles from the first one on, odd
 * blocks from the middle one on. Returns the number in plain column order of a block's tile; a last
 * column without a partner comes at the end. */
static __device__ __forceinline__ int two_fronts(int block, int tiles_down, int tiles_across)
{
    int half = tiles_across / 2 * tiles_down;
    return block < 2 * half ? block % 2 * half + block / 2 : block;
}

/* Where chunk (row, chunk) of a 64x64 tile lies, in chunks: two boxes of 64x32 side by side. */
static __device__ int plain_chunk(int row, int chunk)
{
    return chunk / CHUNKS * (BOX / 4) + row_major(CHUNKS, row, chunk % CHUNKS);
}

/* What TMA's 128-byte swizzle does to a box whose rows are 128 bytes, eight 16-byte chunks: where
 * chunk (row, chunk) lies, in chunks from the box's start (aligned to 1024 bytes):
 * Swizzle<3,0,3> on (rows,8):(8,1). Source: CUDA C++ Programming Guide, TMA swizzle modes. */
static __host__ __device__ int tma_swizzle_128(int row, int chunk)
{
    return swizzle(3, 0, 3, row_major(CHUNKS, row, chunk));
}

static __device__ int swizzled_chunk(int row, int chunk)
{
    return chunk / CHUNKS * (BOX / 4) + tma_swizzle_128(row, chunk % CHUNKS);
}

/* Which 4x4 block of a 64x64 tile a thread owns under the 128-byte swizzle. Eight consecutive lanes
 * must meet eight different chunks of a 128-byte row both when they read rows 4 * block_row + k and
 * when they write rows 4 * block_col + c. So those eight lanes vary the lowest bit of the block row
 * and the two lowest bits of the block column. */
static __device__ int swizzled_block_row(int thread)
{
    return (thread >> 2 & 1) | (thread >> 5) << 1;
}

static __device__ int swizzled_block_col(int thread)
{
    return (thread & 3) | (thread >> 3 & 3) << 2;
}

/* The order in which the thread that owns block column `block_col` writes its four output rows:
 * step c writes row 4 * block_col + swizzled_store_row(block_col, c). Lanes whose block column
 * has bit 1 set go two rows ahead of the others; without that they would meet the same chunks. */
static __device__ int swizzled_store_row(int block_col, int c) { return c ^ (block_col & 2); }

/* Transposes a 4x4 block that lies in four registers of four floats each. */
static __device__ __forceinline__ void transpose4x4(float4 block[4])
{
    float4 a = block[0], b = block[1], c = block[2], d = block[3];
    block[0] = make_float4(a.x, b.x, c.x, d.x);
    block[1] = make_float4(a.y, b.y, c.y, d.y);
    block[2] = make_float4(a.z, b.z, c.z, d.z);
    block[3] = make_float4(a.w, b.w, c.w, d.w);
}

/* How long L2 keeps what was read: as long as anything, or longer than what was written. */
enum { PLAIN_READS, KEEP_READS };

/* One thread starts both halves of a tile on their way, in boxes of BOX_ROWS rows; they arrive at
 * the mbarrier. */
template <int READS = PLAIN_READS, int BOX_ROWS = TILE64>
static __device__ void load_tile(float4 *tile, const CUtensorMap *in, int row, int col,
                                 uint64_t *full)
{
    mbarrier_arrive_expect(full, TILE_BYTES);
    for (int i = 0; i < TILE64; i += BOX_ROWS, tile += BOX_ROWS * CHUNKS)
        if (READS == KEEP_READS) {
            tensor_load_with_policy(tile, in, col, row + i, full, l2_evict_last());
            tensor_load_with_policy(tile + BOX / 4, in, col + BOX_COLS, row + i, full,
                                    l2_evict_last());
        } else {
            tensor_load(tile, in, col, row + i, full);
            tensor_load(tile + BOX / 4, in, col + BOX_COLS, row + i, full);
        }
}

/* One thread starts both halves of the transposed tile on their way, as one bulk group. */
template <int BOX_ROWS = TILE64>
static __device__ void store_tile(const CUtensorMap *out, int row, int col, const float4 *tile)
{
    for (int i = 0; i < TILE64; i += BOX_ROWS, tile += BOX_ROWS * CHUNKS) {
        tensor_store(out, col, row + i, tile);
        tensor_store(out, col + BOX_COLS, row + i, tile + BOX / 4);
    }
    bulk_commit();
}

/* Writes a thread's 4x4 block, transposed, to its place in the transposed swizzled tile. Ends with
 * the tile ready for the async proxy, once the block has synchronised. */
static __device__ void write_transposed(float4 *tile, int block_row, int block_col, float4 block[4])
{
    transpose4x4(block);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int c = swizzled_store_row(block_col, k);
        tile[swizzled_chunk(4 * block_col + c, block_row)] =
            block_col & 2 ? block[k ^ 2] : block[k];
    }
    fence_proxy_async();
}

/* Transposes a swizzled tile in place: every thread reads its 4x4 block before any writes. */
static __device__ void transpose_tile(float4 *tile)
{
    int block_row = swizzled_block_row(threadIdx.x);
    int block_col = swizzled_block_col(threadIdx.x);
    float4 block[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        block[k] = tile[swizzled_chunk(4 * block_row + k, block_col)];
    __syncthreads();
    write_transposed(tile, block_row, block_col, block);
}

/* Each thread loads its 4x4 block from global memory; the tile only collects the transposed blocks
 * for the store. */
__global__ void tma_store(const float *in, const __grid_constant__ CUtensorMap out, int rows,
                          int cols)
{
    __shared__ __align__(1024) float4 tile[TILE_BYTES / 16];

    int tiles_across = tiles(cols, TILE64);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int block_row = swizzled_block_row(threadIdx.x);
    int block_col = swizzled_block_col(threadIdx.x);

    int row = tile_row * TILE64 + 4 * block_row;
    int col = tile_col * TILE64 + 4 * block_col;
    float4 block[4] = {};
    if (row < rows && col < cols)
#pragma unroll
        for (int k = 0; k < 4; k++)
            block[k] = *(const float4 *)&in[(size_t)(row + k) * cols + col];
    write_transposed(tile, block_row, block_col, block);
    __syncthreads();

    if (threadIdx.x == 0) {
        store_tile(&out, tile_col * TILE64, tile_row * TILE64, tile);
        bulk_wait_read<0>();
    }
}

/* Which 4x4 blocks eight neighbouring lanes own. ALONG_ROWS: one block row. They read one row of
 * the tile, in eight groups of banks, and write one chunk column of eight rows, all in one group.
 * DIAGONAL: each lane's block is also one block row further down, so that the eight meet eight
 * groups both ways. */
enum { ALONG_ROWS, DIAGONAL };

/* Boxes as they lie in memory. */
template <int OWNERS>
__global__ void tma_plain(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int cols)
{
    __shared__ __align__(1024) float4 tile[TILE_BYTES / 16];
    __shared__ uint64_t full;

    int tiles_across = tiles(cols, TILE64);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        load_tile(tile, &in, tile_row * TILE64, tile_col * TILE64, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);

    int block_row = threadIdx.x / (TILE64 / 4);
    int block_col = threadIdx.x % (TILE64 / 4);
    if (OWNERS == DIAGONAL)
        block_row = (block_row + block_col) % (TILE64 / 4);
    float4 block[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        block[k] = tile[plain_chunk(4 * block_row + k, block_col)];
    __syncthreads();
    transpose4x4(block);
#pragma unroll
    for (int k = 0; k < 4; k++)
        tile[plain_chunk(4 * block_col + k, block_row)] = block[k];
    fence_proxy_async();
    __syncthreads();

    if (threadIdx.x == 0) {
        store_tile(&out, tile_col * TILE64, tile_row * TILE64, tile);
        bulk_wait_read<0>();
    }
}

/* The 128-byte swizzle on both ways, and blocks owned so that no eight lanes collide. LIMIT, of
 * blocks per SM, is for the launch. */
template <int ORDER, int READS, int BOX_ROWS, int LIMIT>
__global__ void tma_swizzled(const __grid_constant__ CUtensorMap in,
                             const __grid_constant__ CUtensorMap out, int rows, int cols)
{
    __shared__ __align__(1024) float4 tile[TILE_BYTES / 16];
    __shared__ uint64_t full;

    int tiles_across = tiles(cols, TILE64);
    int tiles_down = tiles(rows, TILE64);
    int number = blockIdx.x;
    if (ORDER == TWO_FRONTS)
        number = two_fronts(number, tiles_down, tiles_across);
    int tile_row = ORDER == ROW_ORDER ? number / tiles_across : number % tiles_down;
    int tile_col = ORDER == ROW_ORDER ? number % tiles_across : number / tiles_down;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        load_tile<READS, BOX_ROWS>(tile, &in, tile_row * TILE64, tile_col * TILE64, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);

    transpose_tile(tile);
    __syncthreads();

    if (threadIdx.x == 0) {
        store_tile<BOX_ROWS>(&out, tile_col * TILE64, tile_row * TILE64, tile);
        bulk_wait_read<0>();
    }
}

/* Bytes of shared memory of a block with so many stages, and room to align the ring. */
static constexpr int pipeline_bytes(int stages) { return stages * TILE_BYTES + 1024; }

/* Persistent blocks: each takes every gridDim.x-th tile, down the input's columns, and keeps
 * STAGES tiles in shared memory: one in hand, one being stored, the others on their way in.
 * PIPELINES, the blocks on an SM, is for the launch. */
template <int STAGES, int PIPELINES>
__global__ void tma_pipelined(const __grid_constant__ CUtensorMap in,
                              const __grid_constant__ CUtensorMap out, int rows, int cols)
{
    extern __shared__ char dynamic_shared[];
    __shared__ uint64_t full[STAGES];
    float4(*ring)[TILE_BYTES / 16] =
        (float4(*)[TILE_BYTES / 16])(((uintptr_t)dynamic_shared + 1023) / 1024 * 1024);

    int tiles_down = tiles(rows, TILE64);
    int tile_count = tiles_down * tiles(cols, TILE64);
    int next = blockIdx.x; /* the next tile to load */
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            mbarrier_init(&full[s], 1);
        fence_mbarrier_init();
        for (int s = 0; s < STAGES - 1 && next < tile_count; s++, next += gridDim.x)
            load_tile(ring[s], &in, next % tiles_down * TILE64, next / tiles_down * TILE64,
                      &full[s]);
    }
    __syncthreads();

    int turn = 0;
    for (int tile = blockIdx.x; tile < tile_count; tile += gridDim.x, turn++) {
        int stage = turn % STAGES;
        mbarrier_wait(&full[stage], turn / STAGES % 2);
        transpose_tile(ring[stage]);
        __syncthreads();
        if (threadIdx.x == 0) {
            store_tile(&out, tile / tiles_down * TILE64, tile % tiles_down * TILE64, ring[stage]);
            if (next < tile_count) {
                bulk_wait_read<1>(); /* the store before this one has read its stage */
                int free_stage = (turn + STAGES - 1) % STAGES;
                load_tile(ring[free_stage], &in, next % tiles_down * TILE64,
                          next / tiles_down * TILE64, &full[free_stage]);
                next += gridDim.x;
            }
        }
    }
    if (threadIdx.x == 0)
        bulk_wait_read<0>();
}

/* What a launch needs and its prepare function makes: the maps of both matrices in boxes of half a
 * tile, and either the bytes of unused shared memory or the blocks of a persistent kernel. */
typedef struct {
    CUtensorMap in, out;
    int padding;
    unsigned blocks;
} Prepared;

static void make_maps(Prepared *prepared, const float *in, float *out, int rows, int cols,
                      int box_rows, BoxSwizzle swizzle)
{
    prepared->in = tensor_map(in, 4, rows, cols, box_rows, BOX_COLS, swizzle);
    prepared->out = tensor_map(out, 4, cols, rows, box_rows, BOX_COLS, swizzle);
}

static Prepared for_store;
template <int OWNERS>
static Prepared for_plain;
template <int ORDER, int READS, int BOX_ROWS, int LIMIT>
static Prepared for_swizzled;
template <int STAGES, int PIPELINES>
static Prepared for_pipelined;

static void prepare_tma_store(const float *in, float *out, int rows, int cols)
{
    make_maps(&for_store, in, out, rows, cols, TILE64, SWIZZLE_128B);
    for_store.padding = padding_for_blocks_per_sm((const void *)tma_store, BLOCKS_PER_SM);
}

static void launch_tma_store(const float *in, float *, int rows, int cols)
{
    tma_store<<<blocks_for(rows, cols, TILE64, TILE64), THREADS, for_store.padding>>>(
        in, for_store.out, rows, cols);
}

template <int OWNERS>
static void prepare_tma_plain(const float *in, float *out, int rows, int cols)
{
    Prepared *prepared = &for_plain<OWNERS>;
    make_maps(prepared, in, out, rows, cols, TILE64, SWIZZLE_NONE);
    prepared->padding = padding_for_blocks_per_sm((const void *)tma_plain<OWNERS>, BLOCKS_PER_SM);
}

template <int OWNERS>
static void launch_tma_plain(const float *, float *, int rows, int cols)
{
    const Prepared *prepared = &for_plain<OWNERS>;
    tma_plain<OWNERS><<<blocks_for(rows, cols, TILE64, TILE64), THREADS, prepared->padding>>>(
        prepared->in, prepared->out, cols);
}

template <int ORDER, int READS = PLAIN_READS, int BOX_ROWS = TILE64, int LIMIT = BLOCKS_PER_SM>
static void prepare_tma_swizzled(const float *in, float *out, int rows, int cols)
{
    Prepared *prepared = &for_swizzled<ORDER, READS, BOX_ROWS, LIMIT>;
    make_maps(prepared, in, out, rows, cols, BOX_ROWS, SWIZZLE_128B);
    prepared->padding =
        padding_for_blocks_per_sm((const void *)tma_swizzled<ORDER, READS, BOX_ROWS, LIMIT>, LIMIT);
}

template <int ORDER, int READS = PLAIN_READS, int BOX_ROWS = TILE64, int LIMIT = BLOCKS_PER_SM>
static void launch_tma_swizzled(const float *, float *, int rows, int cols)
{
    const Prepared *prepared = &for_swizzled<ORDER, READS, BOX_ROWS, LIMIT>;
    tma_swizzled<ORDER, READS, BOX_ROWS, LIMIT>
        <<<blocks_for(rows, cols, TILE64, TILE64), THREADS, prepared->padding>>>(
            prepared->in, prepared->out, rows, cols);
}

template <int STAGES, int PIPELINES>
static void prepare_tma_pipelined(const float *in, float *out, int rows, int cols)
{
    Prepared *prepared = &for_pipelined<STAGES, PIPELINES>;
    make_maps(prepared, in, out, rows, cols, TILE64, SWIZZLE_128B);
    unsigned resident = resident_blocks((const void *)tma_pipelined<STAGES, PIPELINES>, THREADS,
                                        pipeline_bytes(STAGES), PIPELINES);
    unsigned tile_count = blocks_for(rows, cols, TILE64, TILE64);
    prepared->blocks = tile_count < resident ? tile_count : resident;
}

template <int STAGES, int PIPELINES>
static void launch_tma_pipelined(const float *, float *, int rows, int cols)
{
    const Prepared *prepared = &for_pipelined<STAGES, PIPELINES>;
    tma_pipelined<STAGES, PIPELINES><<<prepared->blocks, THREADS, pipeline_bytes(STAGES)>>>(
        prepared->in, prepared->out, rows, cols);
}

/* The CUDA guide's example: an 8x8 matrix of 16-byte elements, one row 128 bytes. */
constexpr int GUIDE = 8;

template <int SWIZZLED>
static __host__ __device__ int guide_offset(int row, int col)
{
    return SWIZZLED ? tma_swizzle_128(row, col) : row_major(GUIDE, row, col);
}

/* Eight threads: in each step they read one row of the tile and write one column of its
 * transpose. */
template <int SWIZZLED>
__global__ void guide_kernel(const __grid_constant__ CUtensorMap in,
                             const __grid_constant__ CUtensorMap out)
{
    __shared__ __align__(1024) int4 tile[GUIDE * GUIDE], transposed[GUIDE * GUIDE];
    __shared__ uint64_t full;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, sizeof tile);
        tensor_load(tile, &in, 0, 0, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    int col = threadIdx.x;
    for (int row = 0; row < GUIDE; row++)
        transposed[guide_offset<SWIZZLED>(col, row)] = tile[guide_offset<SWIZZLED>(row, col)];
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tensor_store(&out, 0, 0, transposed);
        bulk_commit();
        bulk_wait_read<0>();
    }
}

/* The tile in shared memory as a table: the element that lies at each place, and how many lanes
 * that write one column of it share a group of four banks. */
template <int SWIZZLED>
static int print_bank_table(void)
{
    printf("\n%s: group of four banks (0 to 7) of each 16-byte element\n\n      col",
           SWIZZLED ? "128-byte swizzle" : "no swizzle");
    for (int col = 0; col < GUIDE; col++)
        printf(" %2d", col);
    int worst = 0;
    for (int row = 0; row < GUIDE; row++) {
        printf("\n  row %d  ", row);
        for (int col = 0; col < GUIDE; col++)
            printf(" %2d", guide_offset<SWIZZLED>(row, col) % GUIDE);
    }
    for (int group = 0; group < GUIDE; group++) {
        int lanes = 0;
        for (int row = 0; row < GUIDE; row++)
            lanes += guide_offset<SWIZZLED>(row, 0) % GUIDE == group;
        worst = lanes > worst ? lanes : worst;
    }
    printf("\n\n  a row meets 8 groups; column 0 meets each of its groups %d time%s: %s\n", worst,
           worst == 1 ? "" : "s", worst == 1 ? "no conflict" : "a conflict");
    return worst;
}

template <int SWIZZLED>
static int run_guide(void)
{
    enum { INTS = GUIDE * GUIDE * 4 };
    int in[INTS], out[INTS], *device_in, *device_out;
    for (int i = 0; i < INTS; i++) {
        in[i] = 1000 + i;
        out[i] = -1;
    }
    CUDA_CHECK(cudaMalloc((void **)&device_in, sizeof in));
    CUDA_CHECK(cudaMalloc((void **)&device_out, sizeof out));
    CUDA_CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_out, out, sizeof out, cudaMemcpyHostToDevice));
    BoxSwizzle mode = SWIZZLED ? SWIZZLE_128B : SWIZZLE_NONE;
    guide_kernel<SWIZZLED>
        <<<1, GUIDE>>>(tensor_map(device_in, 4, GUIDE, 4 * GUIDE, GUIDE, 4 * GUIDE, mode),
                       tensor_map(device_out, 4, GUIDE, 4 * GUIDE, GUIDE, 4 * GUIDE, mode));
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_in));
    CUDA_CHECK(cudaFree(device_out));

    int wrong = 0;
    for (int i = 0; i < INTS; i++) {
        int row = i / 4 / GUIDE, col = i / 4 % GUIDE;
        wrong += out[i] != in[(col * GUIDE + row) * 4 + i % 4];
    }
    print_bank_table<SWIZZLED>();
    printf("  transposed on the device: %s\n", wrong ? "WRONG" : "verified");
    return wrong;
}

static int guide(void)
{
    Device device = open_device(0);
    static const Variant needs = {"--guide", NULL, 1, 90};
    const char *refusal = device_refusal(&needs, &device);
    if (refusal) {
        fprintf(stderr, "--guide: %s\n", refusal);
        return EXIT_NO_DEVICE;
    }
    printf("An 8x8 matrix of int4: one row is 128 bytes, all 32 banks. Eight threads read a row\n"
           "of the tile and write a column of its transpose.\n");
    int wrong = run_guide<0>();
    wrong += run_guide<1>();
    return wrong ? EXIT_FAULT : EXIT_OK;
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"tma_store", launch_tma_store, 4, 90, 0, prepare_tma_store},
        {"tma_plain", launch_tma_plain<ALONG_ROWS>, 4, 90, 0, prepare_tma_plain<ALONG_ROWS>},
        {"tma_diagonal", launch_tma_plain<DIAGONAL>, 4, 90, 0, prepare_tma_plain<DIAGONAL>},
        {"tma_swizzled", launch_tma_swizzled<ROW_ORDER>, 4, 90, 0, prepare_tma_swizzled<ROW_ORDER>},
        {"tma_swizzled_column_order", launch_tma_swizzled<COLUMN_ORDER>, 4, 90, 0,
         prepare_tma_swizzled<COLUMN_ORDER>},
        {"tma_two_blocks", launch_tma_swizzled<COLUMN_ORDER, PLAIN_READS, TILE64, 2>, 4, 90, 0,
         prepare_tma_swizzled<COLUMN_ORDER, PLAIN_READS, TILE64, 2>},
        {"tma_six_blocks", launch_tma_swizzled<COLUMN_ORDER, PLAIN_READS, TILE64, 6>, 4, 90, 0,
         prepare_tma_swizzled<COLUMN_ORDER, PLAIN_READS, TILE64, 6>},
        {"tma_small_boxes", launch_tma_swizzled<COLUMN_ORDER, PLAIN_READS, 16>, 4, 90, 0,
         prepare_tma_swizzled<COLUMN_ORDER, PLAIN_READS, 16>},
        {"tma_keep_reads", launch_tma_swizzled<COLUMN_ORDER, KEEP_READS>, 4, 90, 0,
         prepare_tma_swizzled<COLUMN_ORDER, KEEP_READS>},
        {"tma_two_fronts", launch_tma_swizzled<TWO_FRONTS, KEEP_READS>, 4, 90, 0,
         prepare_tma_swizzled<TWO_FRONTS, KEEP_READS>},
        {"tma_pipelined", launch_tma_pipelined<3, 2>, 4, 90, 0, prepare_tma_pipelined<3, 2>},
        {"tma_pipelined_six_stages", launch_tma_pipelined<6, 2>, 4, 90, 0,
         prepare_tma_pipelined<6, 2>},
        {"tma_pipelined_four_blocks", launch_tma_pipelined<3, 4>, 4, 90, 0,
         prepare_tma_pipelined<3, 4>},
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
