/*
 * Step 06: wide accesses and wide tiles; then the tile is transposed in registers, and the order of
 * the tiles is chosen for DRAM.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared vectorize.cu -o vectorize
 *
 *   vec2, vec4                    padded 32x32 tile, 8 or 16 bytes per thread to and from global
 *                                 memory, single floats to and from the tile
 *   vec2_coarsen2/4/8, vec4_...   the same, 2, 4 or 8 vectors per thread
 *   vec2_tile64, vec4_tile64      padded 64x64 tile, 2 vectors per thread
 *   vec2_tile64_coarsen2/4, ...   the same, 4 or 8 vectors per thread
 *   tiles32x32, tiles32x64,       4096 single floats per block, 8 per thread: four tiles of 32x32, two of
 *   tiles64x32, tiles64x64        32x64 (32 rows) or 64x32, or one of 64x64, of different quarters of the matrix
 *   tiles..._column_order         the same, blocks walking down the input's columns
 *   registers4x4                  64x64 tile, each thread transposes a 4x4 block in registers, so
 *                                 that every access to the tile is 16 bytes wide too
 *   registers4x4_unswizzled       the same without the swizzle: the tile is read eight-way
 *   registers4x4_column_order     registers4x4, blocks walking down the input's columns
 *   registers4x2                  column order, each thread owns a 4x2 block: twice the threads
 *                                 with half the loads each
 *   registers4x2_max_shared       the same, the carve-out leaves as little L1 as possible
 *   registers4x2_keep_reads       registers4x2, L2 keeps read lines longer than written lines
 *   registers4x2_two_fronts       the same, walking down two columns of tiles at a time
 *   registers4x2_by_rule          registers4x2, _keep_reads or _two_fronts, chosen by the shape and
 *                                 the device
 */
#include "harness/harness.h"

/* Loads two or four floats by one instruction; `from` is a multiple of their size. */
template <int WIDTH>
static __device__ __forceinline__ void load_vector(float values[WIDTH], const float *from)
{
    if (WIDTH == 2) {
        float2 v = *(const float2 *)from;
        values[0] = v.x;
        values[1] = v.y;
    } else {
        float4 v = *(const float4 *)from;
        values[0] = v.x;
        values[1] = v.y;
        values[2] = v.z;
        values[3] = v.w;
    }
}

/* Stores two or four floats by one instruction. */
template <int WIDTH>
static __device__ __forceinline__ void store_vector(float *to, const float values[WIDTH])
{
    if (WIDTH == 2)
        *(float2 *)to = make_float2(values[0], values[1]);
    else
        *(float4 *)to = make_float4(values[0], values[1], values[2], values[3]);
}

/* Global accesses are one vector per thread; the padded tile takes single floats, because its odd
 * pitch leaves no vector aligned. */
template <int WIDTH, int TILE, int BLOCK_ROWS>
__global__ void transpose_vec(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;
    int x = WIDTH * threadIdx.x;

    int row = tile_row * TILE + threadIdx.y;
    int col = tile_col * TILE + x;
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        if (row + i < rows && col < cols) {
            float values[WIDTH];
            load_vector<WIDTH>(values, &in[(size_t)(row + i) * cols + col]);
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                tile[threadIdx.y + i][x + e] = values[e];
        }
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = tile_row * TILE + x;
    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        if (out_row + i < cols && out_col < rows) {
            float values[WIDTH];
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                values[e] = tile[x + e][threadIdx.y + i];
            store_vector<WIDTH>(&out[(size_t)(out_row + i) * rows + out_col], values);
        }
}

constexpr int TILE64 = 64;
constexpr int CHUNKS = TILE64 / 4; /* 16-byte chunks in a row of the tile */
constexpr int THREADS = 256;       /* each owns one 4x4 block of the tile */

/* In what order blocks visit the tiles. ROW_ORDER reads whole input rows in sequence; COLUMN_ORDER
 * goes down the input's columns, which writes whole output rows in sequence. */
enum { ROW_ORDER, COLUMN_ORDER };

/* The tile that the block visits: its column of tiles in x, its row of tiles in y. */
template <int ORDER>
static __device__ __forceinline__ int2 visited_tile(int rows, int cols)
{
    int across = tiles(cols, TILE64), down = tiles(rows, TILE64), block = blockIdx.x;
    return ORDER == ROW_ORDER ? make_int2(block % across, block / across)
                              : make_int2(block / down, block % down);
}

constexpr int LINE = 32;           /* floats in a line of 128 bytes */
constexpr int TILES_THREADS = 512; /* four blocks fill an SM, with 32 registers per thread */
constexpr int ELEMENTS = 8;        /* elements per thread */

/* The first element of tile `n` of a block: its column in x, its row in y. A block's tiles lie in
 * different quarters of the matrix, which are bands of rows, or in column order of columns; blocks of
 * fewer than four tiles take the quarters in turns. */
template <int ORDER, int ROWS, int COLS>
static __device__ __forceinline__ int2 first_element(int n, int rows, int cols)
{
    constexpr int TURNS = ROWS * COLS / (LINE * LINE);
    int quarter = n * TURNS + blockIdx.x % TURNS, number = blockIdx.x / TURNS;
    int across = cols / COLS, down = rows / ROWS;
    return ORDER == ROW_ORDER
               ? make_int2(number % across * COLS, number / across * ROWS + quarter * (rows / 4))
               : make_int2(number / down * COLS + quarter * (cols / 4), number % down * ROWS);
}

/* Moves single floats through padded tiles, 4096 floats per block: four tiles of 32x32, two of 32x64
 * or 64x32, or one of 64x64. A warp loads or stores one line at a time; a row of a tile has ACROSS
 * lines of the input, a column DOWN lines of the output. All loads come before the first store. */
template <int ORDER, int ROWS, int COLS>
__global__ void __launch_bounds__(TILES_THREADS, SM_BLOCKS(TILES_THREADS, 4))
    transpose_tiles(const float *in, float *out, int rows, int cols)
{
    constexpr int TILES = TILES_THREADS * ELEMENTS / (ROWS * COLS), EACH = ELEMENTS / TILES;
    constexpr int ACROSS = COLS / LINE, DOWN = ROWS / LINE, WARPS = TILES_THREADS / 32;
    __shared__ float tile[TILES][ROWS][COLS + 1];

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int x = warp % ACROSS * LINE + lane, y = warp / ACROSS;
    float values[TILES][EACH];
#pragma unroll
    for (int n = 0; n < TILES; n++) {
        int2 first = first_element<ORDER, ROWS, COLS>(n, rows, cols);
        const float *from = &in[(size_t)(first.y + y) * cols + first.x + x];
#pragma unroll
        for (int k = 0; k < EACH; k++)
            values[n][k] = from[(size_t)(WARPS / ACROSS * k) * cols];
    }
#pragma unroll
    for (int n = 0; n < TILES; n++)
#pragma unroll
        for (int k = 0; k < EACH; k++)
            tile[n][y + WARPS / ACROSS * k][x] = values[n][k];
    __syncthreads();

    int out_x = warp % DOWN * LINE + lane, out_y = warp / DOWN;
#pragma unroll
    for (int n = 0; n < TILES; n++) {
        int2 first = first_element<ORDER, ROWS, COLS>(n, rows, cols);
        float *to = &out[(size_t)(first.x + out_y) * rows + first.y + out_x];
#pragma unroll
        for (int k = 0; k < EACH; k++)
            to[(size_t)(WARPS / DOWN * k) * rows] = tile[n][out_x][out_y + WARPS / DOWN * k];
    }
}

enum { UNSWIZZLED = 1 }; /* an option of registers4x4 */

/* Transposes a 4x4 block that lies in four registers of four floats each. */
static __device__ __forceinline__ void transpose4x4(float4 block[4])
{
    float4 a = block[0], b = block[1], c = block[2], d = block[3];
    block[0] = make_float4(a.x, b.x, c.x, d.x);
    block[1] = make_float4(a.y, b.y, c.y, d.y);
    block[2] = make_float4(a.z, b.z, c.z, d.z);
    block[3] = make_float4(a.w, b.w, c.w, d.w);
}

/* The tile in shared memory as 16-byte chunks, 16 a row: where chunk (row, chunk) lies, in chunks.
 * Four rows that one thread owns share a pattern and the next four rows get another, so that
 * eight lanes reading the same chunk column at every fourth row meet eight different groups of
 * four banks: Swizzle<3,0,6> on (64,16):(16,1). */
static __device__ __forceinline__ int chunk_offset_64x64(int row, int chunk)
{
    return swizzle(3, 0, 6, row_major(CHUNKS, row, chunk));
}

/* The same, or without the swizzle. */
template <int OPTIONS>
static __device__ __forceinline__ int chunk_offset(int row, int chunk)
{
    return OPTIONS & UNSWIZZLED ? row_major(CHUNKS, row, chunk) : chunk_offset_64x64(row, chunk);
}

/* The tile goes into shared memory as it lies, 16 bytes a thread; each thread reads a 4x4 block of
 * it, as four chunks of one block column, transposes the block in registers and writes it out, as
 * one chunk in each of four output rows. chunk_offset_64x64() keeps both ways free of conflicts. */
template <int ORDER, int OPTIONS>
__global__ void registers4x4(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE64 * CHUNKS];

    int2 visited = visited_tile<ORDER>(rows, cols);
    int x = threadIdx.x % CHUNKS;
    int y = threadIdx.x / CHUNKS;

    int row = visited.y * TILE64 + y;
    int col = visited.x * TILE64 + 4 * x;
    float4 values[4]; /* loaded before the first is stored */
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (row + CHUNKS * k < rows && col < cols)
            values[k] = *(const float4 *)&in[(size_t)(row + CHUNKS * k) * cols + col];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (row + CHUNKS * k < rows && col < cols)
            tile[chunk_offset<OPTIONS>(y + CHUNKS * k, x)] = values[k];
    __syncthreads();

    int out_row = visited.x * TILE64 + 4 * y;
    int out_col = visited.y * TILE64 + 4 * x;
    if (out_row >= cols || out_col >= rows)
        return;
    float4 block[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        block[k] = tile[chunk_offset<OPTIONS>(4 * x + k, y)];
    transpose4x4(block);
#pragma unroll
    for (int k = 0; k < 4; k++)
        *(float4 *)&out[(size_t)(out_row + k) * rows + out_col] = block[k];
}

/* What registers4x2 does about L2 and DRAM; the bits add up. MAX_SHARED is for the launch. */
enum { PLAIN = 0, KEEP_READS = 1, TWO_FRONTS = 2, MAX_SHARED = 4 };

constexpr int THREADS_4X2 = 512; /* each owns a 4x2 block of the tile */
constexpr int HALF = TILE64 / 2;

template <int OPTIONS>
static __device__ __forceinline__ float4 load(const float *from)
{
    return OPTIONS & KEEP_READS ? load_with_policy((const float4 *)from, l2_evict_last())
                                : *(const float4 *)from;
}

/* Which 4x2 block (4 rows, 2 columns) of the tile a thread owns: 16 block rows, 32 block columns.
 * Sixteen consecutive lanes take eight block rows of two neighbouring block columns, so that their
 * 8-byte reads of one row in four under chunk_offset_64x64() meet all 32 banks. */
static __device__ __forceinline__ int block4x2_row(int thread)
{
    return (thread & 7) | (thread >> 4 & 1) << 3;
}

static __device__ __forceinline__ int block4x2_col(int thread)
{
    return (thread >> 3 & 1) | (thread >> 5) << 1;
}

/* Column order on two fronts: even blocks walk down the columns of tiles from the first one on, odd
 * blocks from the middle one on. Returns the number in plain column order of a block's tile; a last
 * column without a partner comes at the end. */
static __device__ __forceinline__ int two_fronts(int block, int tiles_down, int tiles_across)
{
    int half = tiles_across / 2 * tiles_down;
    return block < 2 * half ? block % 2 * half + block / 2 : block;
}

/* registers4x4 in column order, but for the block that a thread owns: 4 rows and 2 columns. */
template <int OPTIONS>
__global__ void registers4x2(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE64 * CHUNKS];

    int tiles_across = tiles(cols, TILE64);
    int tiles_down = tiles(rows, TILE64);
    int number = blockIdx.x;
    if (OPTIONS & TWO_FRONTS)
        number = two_fronts(number, tiles_down, tiles_across);
    int tile_row = number % tiles_down;
    int tile_col = number / tiles_down;
    int x = threadIdx.x % CHUNKS;
    int y = threadIdx.x / CHUNKS;

    int row = tile_row * TILE64 + y;
    int col = tile_col * TILE64 + 4 * x;
    float4 values[2];
#pragma unroll
    for (int k = 0; k < 2; k++)
        if (row + HALF * k < rows && col < cols)
            values[k] = load<OPTIONS>(&in[(size_t)(row + HALF * k) * cols + col]);
#pragma unroll
    for (int k = 0; k < 2; k++)
        if (row + HALF * k < rows && col < cols)
            tile[chunk_offset_64x64(y + HALF * k, x)] = values[k];
    __syncthreads();

    int block_row = block4x2_row(threadIdx.x);
    int block_col = block4x2_col(threadIdx.x);
    int out_row = tile_col * TILE64 + 2 * block_col;
    int out_col = tile_row * TILE64 + 4 * block_row;
    if (out_row >= cols || out_col >= rows)
        return;
    float2 block[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int chunk = chunk_offset_64x64(4 * block_row + k, block_col / 2);
        block[k] = ((const float2 *)tile)[2 * chunk + block_col % 2];
    }
    float *to = &out[(size_t)out_row * rows + out_col];
    *(float4 *)to = make_float4(block[0].x, block[1].x, block[2].x, block[3].x);
    *(float4 *)(to + rows) = make_float4(block[0].y, block[1].y, block[2].y, block[3].y);
}

template <int WIDTH, int TILE, int BLOCK_ROWS>
static void launch_vec(const float *in, float *out, int rows, int cols)
{
    dim3 threads(TILE / WIDTH, BLOCK_ROWS);
    transpose_vec<WIDTH, TILE, BLOCK_ROWS>
        <<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

template <int ORDER, int ROWS, int COLS>
static void launch_tiles(const float *in, float *out, int rows, int cols)
{
    transpose_tiles<ORDER, ROWS, COLS>
        <<<blocks_for(rows, cols, TILE64, TILE64), TILES_THREADS>>>(in, out, rows, cols);
}

template <int ORDER, int OPTIONS = 0>
static void launch_registers4x4(const float *in, float *out, int rows, int cols)
{
    registers4x4<ORDER, OPTIONS>
        <<<blocks_for(rows, cols, TILE64, TILE64), THREADS>>>(in, out, rows, cols);
}

template <int OPTIONS>
static void launch_registers4x2(const float *in, float *out, int rows, int cols)
{
    registers4x2<OPTIONS>
        <<<blocks_for(rows, cols, TILE64, TILE64), THREADS_4X2>>>(in, out, rows, cols);
}

static void prepare_registers4x2_max_shared(const float *, float *, int, int)
{
    CUDA_CHECK(cudaFuncSetAttribute((const void *)registers4x2<MAX_SHARED>,
                                    cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
}

/* Blocks of registers4x2 per SM that the rule counts as in flight. */
constexpr int BLOCKS_PER_SM = 4;

/* The options for a matrix. Reads are kept where both matrices are many times the size of L2; below
 * that the kept lines would cost the kernel that comes next. Two fronts are for rows of 128 KB,
 * where the blocks in flight cover one column of tiles but not two: there they were faster, for a
 * reason that is open. */
static int choose_options(int rows, int cols)
{
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    double l2_bytes = device_attribute(cudaDevAttrL2CacheSize, device);
    unsigned in_flight =
        resident_blocks((const void *)registers4x2<KEEP_READS>, THREADS_4X2, 0, BLOCKS_PER_SM);
    unsigned tiles_down = tiles(rows, TILE64);
    if (2.0 * rows * cols * sizeof(float) < 16 * l2_bytes)
        return PLAIN;
    if ((size_t)cols * sizeof(float) == 128 << 10 && tiles_down <= in_flight &&
        in_flight < 2 * tiles_down)
        return KEEP_READS | TWO_FRONTS;
    return KEEP_READS;
}

static Launch launch_by_rule; /* what the rule chose for the matrix */

static void prepare_registers4x2_by_rule(const float *, float *, int rows, int cols)
{
    switch (choose_options(rows, cols)) {
    case PLAIN: launch_by_rule = launch_registers4x2<PLAIN>; break;
    case KEEP_READS: launch_by_rule = launch_registers4x2<KEEP_READS>; break;
    default: launch_by_rule = launch_registers4x2<KEEP_READS | TWO_FRONTS>;
    }
}

static void launch_registers4x2_by_rule(const float *in, float *out, int rows, int cols)
{
    launch_by_rule(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"vec2", launch_vec<2, 32, 32>, 2, 0},
        {"vec2_coarsen2", launch_vec<2, 32, 16>, 2, 0},
        {"vec2_coarsen4", launch_vec<2, 32, 8>, 2, 0},
        {"vec2_coarsen8", launch_vec<2, 32, 4>, 2, 0},
        {"vec4", launch_vec<4, 32, 32>, 4, 0},
        {"vec4_coarsen2", launch_vec<4, 32, 16>, 4, 0},
        {"vec4_coarsen4", launch_vec<4, 32, 8>, 4, 0},
        {"vec4_coarsen8", launch_vec<4, 32, 4>, 4, 0},
        {"vec2_tile64", launch_vec<2, 64, 32>, 2, 0},
        {"vec2_tile64_coarsen2", launch_vec<2, 64, 16>, 2, 0},
        {"vec2_tile64_coarsen4", launch_vec<2, 64, 8>, 2, 0},
        {"vec4_tile64", launch_vec<4, 64, 32>, 4, 0},
        {"vec4_tile64_coarsen2", launch_vec<4, 64, 16>, 4, 0},
        {"vec4_tile64_coarsen4", launch_vec<4, 64, 8>, 4, 0},
        {"tiles32x32", launch_tiles<ROW_ORDER, 32, 32>, 256, 0},
        {"tiles32x64", launch_tiles<ROW_ORDER, 32, 64>, 256, 0},
        {"tiles64x32", launch_tiles<ROW_ORDER, 64, 32>, 256, 0},
        {"tiles64x64", launch_tiles<ROW_ORDER, 64, 64>, 256, 0},
        {"tiles32x32_column_order", launch_tiles<COLUMN_ORDER, 32, 32>, 256, 0},
        {"tiles32x64_column_order", launch_tiles<COLUMN_ORDER, 32, 64>, 256, 0},
        {"tiles64x32_column_order", launch_tiles<COLUMN_ORDER, 64, 32>, 256, 0},
        {"tiles64x64_column_order", launch_tiles<COLUMN_ORDER, 64, 64>, 256, 0},
        {"registers4x4", launch_registers4x4<ROW_ORDER>, 4, 0},
        {"registers4x4_unswizzled", launch_registers4x4<ROW_ORDER, UNSWIZZLED>, 4, 0},
        {"registers4x4_column_order", launch_registers4x4<COLUMN_ORDER>, 4, 0},
        {"registers4x2", launch_registers4x2<PLAIN>, 4, 0},
        {"registers4x2_max_shared", launch_registers4x2<MAX_SHARED>, 4, 0, 0,
         prepare_registers4x2_max_shared},
        {"registers4x2_keep_reads", launch_registers4x2<KEEP_READS>, 4, 0},
        {"registers4x2_two_fronts", launch_registers4x2<KEEP_READS | TWO_FRONTS>, 4, 0},
        {"registers4x2_by_rule", launch_registers4x2_by_rule, 4, 0, 0,
         prepare_registers4x2_by_rule},
    };
    static const Step step = {
        "06_vectorize",         TRANSPOSE,  variants, COUNT_OF(variants),
        "registers4x2_by_rule", "coarsen8", NULL,
    };
    return run_step(&step, argc, argv);
}
