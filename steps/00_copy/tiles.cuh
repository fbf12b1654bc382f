/*
 * Copies by tiles and engines, as variants of copy.cu (tiles.md and engines.md read them):
 *
 *   tile_basic      bf16 tiles of 128x64 through shared memory, 2 bytes per access, 1x64 threads
 *   tile_vector     the same, 16 bytes per access, 4x8 threads
 *   tile_async      the same, global to shared memory by cp.async, past the registers
 *   tile_async_ca   the same, by way of L1
 *   tile_swizzled   tile_async, the tile in shared memory under Swizzle<3,3,3>
 *   vector_32x1024  tiles of 32x1024 floats, 16 bytes per access, 32 of them per thread
 *   bulk            1-D bulk copies by the TMA engine, a ring of stages per block
 *   bulk_keep_reads one bulk copy of 2 KB in and one out per block, L2 keeping what was read
 *   bulk_store_keep_reads   vector loads that L2 keeps, one bulk store of 2 KB per block
 *   tensor          2-D TMA loads and stores, one box of 64x64 floats per block
 *   tensor_16x256   the same with a box of as many bytes, but rows of 1 KB
 *   tensor_64x32    the same with a box of half the bytes, rows of 128
 *   tensor_64x32_swizzled   the same, the box in shared memory under TMA's 128-byte swizzle
 *
 * A bf16 tile variant treats the rows x cols floats as rows x 2*cols bf16 and moves their bits.
 */
#include <cuda_pipeline.h>

/* The bf16 tile: 128 rows of 64 elements, 128 bytes or eight 16-byte chunks each. */
constexpr int TILE_ROWS = 128;
constexpr int TILE_COLS = 64;
constexpr int CHUNKS = TILE_COLS / 8;

/* Thread layout (1,64):(64,1), value layout (1,1): 64 threads copy one row of the tile at a time.
 * The unsigned sizes are in bf16 elements, twice as many columns as there are floats. */
__global__ void tile_basic(const uint16_t *in, uint16_t *out, unsigned rows, unsigned cols)
{
    __shared__ uint16_t tile[TILE_ROWS * TILE_COLS];

    unsigned tiles_across = (cols - 1) / TILE_COLS + 1;
    unsigned first_row = blockIdx.x / tiles_across * TILE_ROWS;
    unsigned col = blockIdx.x % tiles_across * TILE_COLS + threadIdx.x;

    for (int y = 0; y < TILE_ROWS; y++)
        if (first_row + y < rows && col < cols)
            tile[row_major(TILE_COLS, y, threadIdx.x)] = in[(size_t)(first_row + y) * cols + col];
    __syncthreads();
    for (int y = 0; y < TILE_ROWS; y++)
        if (first_row + y < rows && col < cols)
            out[(size_t)(first_row + y) * cols + col] = tile[row_major(TILE_COLS, y, threadIdx.x)];
}

/* How chunks reach the tile: by way of registers, or by 16-byte cp.async, without a register in
 * between, past L1 (.cg) or by way of it (.ca). */
enum { BY_REGISTERS, BY_CP_ASYNC, BY_CP_ASYNC_CA };

/* cp.async.ca of 16 bytes; __pipeline_memcpy_async of 16 bytes is .cg (PTX ISA, "cp.async"). Below
 * compute capability 8.0, which has no cp.async, an ordinary copy. */
static __device__ __forceinline__ void copy_async_ca(uint4 *shared, const uint4 *global)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared_address(shared)),
                 "l"(global)
                 : "memory");
#else
    *shared = *global;
#endif
}

/* Where chunk (y, x) of the tile lies: row after row, or under Swizzle<3,3,3> of bf16 elements,
 * which moves whole chunks of eight. Nothing here reads the tile by columns, so there is no conflict
 * to remove: what the swizzle changes in the time is what it costs by itself. */
enum { ROW_MAJOR, SWIZZLE_3_3_3 };

template <int ARRANGEMENT>
static __device__ int chunk_offset(int y, int x)
{
    if (ARRANGEMENT == SWIZZLE_3_3_3)
        return swizzle(3, 3, 3, row_major(TILE_COLS, y, 8 * x)) / 8;
    return row_major(CHUNKS, y, x);
}

/* Thread layout (4,8):(8,1), value layout (1,8): a warp copies four rows of the tile at a time, 16
 * bytes a thread. Sizes are in 16-byte chunks. */
template <int WAY, int ARRANGEMENT>
__global__ void tile_chunks(const uint4 *in, uint4 *out, int rows, int chunks)
{
    __shared__ uint4 tile[TILE_ROWS * CHUNKS];

    int tiles_across = tiles(chunks, CHUNKS);
    int first_row = blockIdx.x / tiles_across * TILE_ROWS;
    int x = threadIdx.x % CHUNKS;
    int chunk = blockIdx.x % tiles_across * CHUNKS + x;

    for (int i = 0; i < TILE_ROWS; i += 4) {
        int y = i + threadIdx.x / CHUNKS;
        if (first_row + y < rows && chunk < chunks) {
            size_t from = (size_t)(first_row + y) * chunks + chunk;
            if (WAY == BY_CP_ASYNC)
                __pipeline_memcpy_async(&tile[chunk_offset<ARRANGEMENT>(y, x)], &in[from], 16);
            else if (WAY == BY_CP_ASYNC_CA)
                copy_async_ca(&tile[chunk_offset<ARRANGEMENT>(y, x)], &in[from]);
            else
                tile[chunk_offset<ARRANGEMENT>(y, x)] = in[from];
        }
    }
    if (WAY != BY_REGISTERS) {
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int i = 0; i < TILE_ROWS; i += 4) {
        int y = i + threadIdx.x / CHUNKS;
        if (first_row + y < rows && chunk < chunks)
            out[(size_t)(first_row + y) * chunks + chunk] = tile[chunk_offset<ARRANGEMENT>(y, x)];
    }
}

constexpr int ROWS_32 = 32;
constexpr int VECTORS_256 = 256; /* 1024 floats, a vector for each thread of a block */

/* A block copies 32 rows of 1024 floats: a thread takes a column of vectors, all loaded before the
 * first is stored. Sizes are in vectors. */
__global__ void vector_32x1024(const float4 *in, float4 *out, int rows, int vectors)
{
    int tiles_across = tiles(vectors, VECTORS_256);
    int first_row = blockIdx.x / tiles_across * ROWS_32;
    int x = blockIdx.x % tiles_across * VECTORS_256 + threadIdx.x;
    float4 values[ROWS_32];
#pragma unroll
    for (int y = 0; y < ROWS_32; y++)
        if (first_row + y < rows && x < vectors)
            values[y] = in[(size_t)(first_row + y) * vectors + x];
#pragma unroll
    for (int y = 0; y < ROWS_32; y++)
        if (first_row + y < rows && x < vectors)
            out[(size_t)(first_row + y) * vectors + x] = values[y];
}

constexpr int STAGES = 4;
constexpr int STAGE_BYTES = 8192;
constexpr int RINGS_PER_SM = 6; /* blocks: 192 KB of stages */

/* The bytes of piece p of a copy of `bytes` bytes in pieces of STAGE_BYTES. */
static __device__ int piece_bytes(size_t piece, size_t bytes)
{
    size_t left = bytes - piece * STAGE_BYTES;
    return left < STAGE_BYTES ? (int)left : STAGE_BYTES;
}

/* One thread a block keeps a ring of stages: each piece is loaded into its stage and stored from
 * there, and the stage is loaded again once its store has read it. Blocks take every gridDim.x-th
 * piece. Bytes past the last multiple of 16 are copied as elements. */
__global__ void bulk(const char *in, char *out, size_t bytes)
{
    __shared__ __align__(128) char ring[STAGES][STAGE_BYTES];
    __shared__ uint64_t full[STAGES];

    if (blockIdx.x == 0)
        for (size_t i = bytes / 16 * 16 + threadIdx.x * 4; i < bytes; i += blockDim.x * 4)
            *(float *)(out + i) = *(const float *)(in + i);
    bytes = bytes / 16 * 16;
    if (threadIdx.x != 0)
        return;

    for (int s = 0; s < STAGES; s++)
        mbarrier_init(&full[s], 1);
    fence_mbarrier_init();

    size_t pieces = (bytes + STAGE_BYTES - 1) / STAGE_BYTES;
    size_t next = blockIdx.x; /* the next piece to load */
    for (int s = 0; s < STAGES - 1 && next < pieces; s++, next += gridDim.x) {
        mbarrier_arrive_expect(&full[s], piece_bytes(next, bytes));
        bulk_load(ring[s], in + next * STAGE_BYTES, piece_bytes(next, bytes), &full[s]);
    }
    int turn = 0;
    for (size_t piece = blockIdx.x; piece < pieces; piece += gridDim.x, turn++) {
        int stage = turn % STAGES;
        mbarrier_wait(&full[stage], turn / STAGES % 2);
        bulk_store(out + piece * STAGE_BYTES, ring[stage], piece_bytes(piece, bytes));
        bulk_commit();
        if (next < pieces) {
            bulk_wait_read<1>(); /* the store before this one has read its stage */
            int free_stage = (turn + STAGES - 1) % STAGES;
            mbarrier_arrive_expect(&full[free_stage], piece_bytes(next, bytes));
            bulk_load(ring[free_stage], in + next * STAGE_BYTES, piece_bytes(next, bytes),
                      &full[free_stage]);
            next += gridDim.x;
        }
    }
    bulk_wait_read<0>(); /* shared memory must outlive the stores that read it */
}

constexpr int PIECE_BYTES = 2048;
constexpr int PIECE_THREADS = PIECE_BYTES / 16; /* one vector each */

/* Copies the last bytes of a copy, which fill no piece, element by element: the last block's work.
 */
static __device__ void copy_rest(const char *in, char *out, size_t from, size_t bytes)
{
    for (size_t i = from + threadIdx.x * 4; i < bytes; i += blockDim.x * 4)
        *(float *)(out + i) = *(const float *)(in + i);
}

/* One thread a block copies one piece in and out: many small blocks instead of a few that stay. */
__global__ void bulk_keep_reads(const char *in, char *out, size_t bytes)
{
    __shared__ __align__(128) char piece[PIECE_BYTES];
    __shared__ uint64_t full;

    size_t first = (size_t)blockIdx.x * PIECE_BYTES;
    if (first + PIECE_BYTES > bytes) {
        copy_rest(in, out, first, bytes);
        return;
    }
    if (threadIdx.x != 0)
        return;
    mbarrier_init(&full, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect(&full, PIECE_BYTES);
    bulk_load_with_policy(piece, in + first, PIECE_BYTES, &full, l2_evict_last());
    mbarrier_wait(&full, 0);
    bulk_store(out + first, piece, PIECE_BYTES);
    bulk_commit();
    bulk_wait_read<0>();
}

/* Each thread loads one vector; one thread stores what the block has collected. */
__global__ void bulk_store_keep_reads(const char *in, char *out, size_t bytes)
{
    __shared__ __align__(128) float4 piece[PIECE_THREADS];

    size_t first = (size_t)blockIdx.x * PIECE_BYTES;
    if (first + PIECE_BYTES > bytes) {
        copy_rest(in, out, first, bytes);
        return;
    }
    piece[threadIdx.x] = load<KEEP_READS>((const float4 *)(in + first) + threadIdx.x);
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk_store(out + first, piece, PIECE_BYTES);
        bulk_commit();
        bulk_wait_read<0>();
    }
}

/* One thread a block loads a box of floats through the input's tensor map and stores it through the
 * output's; TMA works out the addresses and clips at the edges. Swizzled maps want the box at a
 * multiple of 1024 bytes. */
template <int BOX_ROWS, int BOX_COLS>
__global__ void tensor(const __grid_constant__ CUtensorMap in,
                       const __grid_constant__ CUtensorMap out, int cols)
{
    __shared__ __align__(1024) float tile[BOX_ROWS * BOX_COLS];
    __shared__ uint64_t full;

    if (threadIdx.x != 0)
        return;
    int tiles_across = tiles(cols, BOX_COLS);
    int row = blockIdx.x / tiles_across * BOX_ROWS;
    int col = blockIdx.x % tiles_across * BOX_COLS;

    mbarrier_init(&full, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect(&full, sizeof tile);
    tensor_load(tile, &in, col, row, &full);
    mbarrier_wait(&full, 0);
    tensor_store(&out, col, row, tile);
    bulk_commit();
    bulk_wait_read<0>();
}

static void launch_tile_basic(const float *in, float *out, int rows, int cols)
{
    unsigned across = ((unsigned)cols * 2 - 1) / TILE_COLS + 1;
    tile_basic<<<tiles(rows, TILE_ROWS) * across, 64>>>((const uint16_t *)in, (uint16_t *)out, rows,
                                                        (unsigned)cols * 2);
}

template <int WAY, int ARRANGEMENT>
static void launch_tile_chunks(const float *in, float *out, int rows, int cols)
{
    tile_chunks<WAY, ARRANGEMENT><<<blocks_for(rows, cols / 4, TILE_ROWS, CHUNKS), 32>>>(
        (const uint4 *)in, (uint4 *)out, rows, cols / 4);
}

static void launch_vector_32x1024(const float *in, float *out, int rows, int cols)
{
    vector_32x1024<<<blocks_for(rows, cols / 4, ROWS_32, VECTORS_256), VECTORS_256>>>(
        (const float4 *)in, (float4 *)out, rows, cols / 4);
}

static unsigned bulk_blocks; /* the grid of bulk; its prepare function sets it */

static void prepare_bulk(const float *, float *, int rows, int cols)
{
    size_t pieces = (size_t)rows * cols * sizeof(float) / STAGE_BYTES + 1;
    unsigned resident = resident_blocks((const void *)bulk, 32, 0, RINGS_PER_SM);
    bulk_blocks = pieces < resident ? (unsigned)pieces : resident;
}

static void launch_bulk(const float *in, float *out, int rows, int cols)
{
    bulk<<<bulk_blocks, 32>>>((const char *)in, (char *)out, (size_t)rows * cols * sizeof(float));
}

static unsigned pieces_in(int rows, int cols)
{
    return (unsigned)(((size_t)rows * cols * sizeof(float) - 1) / PIECE_BYTES + 1);
}

static void launch_bulk_keep_reads(const float *in, float *out, int rows, int cols)
{
    bulk_keep_reads<<<pieces_in(rows, cols), 32>>>((const char *)in, (char *)out,
                                                   (size_t)rows * cols * sizeof(float));
}

static void launch_bulk_store_keep_reads(const float *in, float *out, int rows, int cols)
{
    bulk_store_keep_reads<<<pieces_in(rows, cols), PIECE_THREADS>>>(
        (const char *)in, (char *)out, (size_t)rows * cols * sizeof(float));
}

/* The tensor maps of the input and the output, each variant's own. */
template <int BOX_ROWS, int BOX_COLS, BoxSwizzle SWIZZLE>
static CUtensorMap *tensor_maps(void)
{
    static CUtensorMap maps[2];
    return maps;
}

template <int BOX_ROWS, int BOX_COLS, BoxSwizzle SWIZZLE>
static void prepare_tensor(const float *in, float *out, int rows, int cols)
{
    CUtensorMap *maps = tensor_maps<BOX_ROWS, BOX_COLS, SWIZZLE>();
    maps[0] = tensor_map(in, 4, rows, cols, BOX_ROWS, BOX_COLS, SWIZZLE);
    maps[1] = tensor_map(out, 4, rows, cols, BOX_ROWS, BOX_COLS, SWIZZLE);
}

template <int BOX_ROWS, int BOX_COLS, BoxSwizzle SWIZZLE>
static void launch_tensor(const float *, float *, int rows, int cols)
{
    const CUtensorMap *maps = tensor_maps<BOX_ROWS, BOX_COLS, SWIZZLE>();
    tensor<BOX_ROWS, BOX_COLS>
        <<<blocks_for(rows, cols, BOX_ROWS, BOX_COLS), 32>>>(maps[0], maps[1], cols);
}
