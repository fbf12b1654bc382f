/*
 * Step 06: wide accesses, so that each instruction moves 8 or 16 bytes a thread; then the tile is
 * transposed in registers, and the order of the tiles is chosen for DRAM.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared vectorize.cu -o vectorize
 *
 *   vec2, vec4                    padded 32x32 tile, 8 or 16 bytes a thread to and from global
 *                                 memory, single floats to and from the tile
 *   vec2_coarsen2/4/8, vec4_...   the same, 2, 4 or 8 vectors a thread
 *   vec2_tile64, vec4_tile64      padded 64x64 tile, 2 vectors a thread
 *   vec2_tile64_coarsen2/4, ...   the same, 4 or 8 vectors a thread
 *   tile64_coarsen4/8/16          the same tile, 4, 8 or 16 single floats a thread
 *   tile64_coarsen8/16_halves     the same, each thread taking both halves of its rows
 *   registers4x4                  64x64 tile, each thread transposes a 4x4 block in registers, so
 *                                 that every access to the tile is 16 bytes wide too
 *   registers4x4_unswizzled       the same without the swizzle: the tile is read eight-way
 *   registers4x4_column_order     registers4x4, blocks walking down the input's columns
 *   registers4x4_streaming        the same in column order, with streaming stores (.cs)
 *   registers4x4_four_blocks      column order, at most four blocks per SM by way of shared memory
 *                                 that nobody uses
 *   registers4x2                  column order, each thread owning a 4x2 block: twice the threads
 *                                 with half the loads each, so that traffic comes in smaller bursts
 *   registers4x2_max_shared       the same, the carve-out leaving as little L1 as there can be
 *   registers4x2_keep_reads       registers4x2, L2 keeping what was read longer than what was written
 *   registers4x2_two_fronts       the same again, walking down two columns of tiles at a time
 *   registers4x2_fronts_alone     two columns at a time, without kept reads
 *   registers4x2_by_rule          registers4x2, _keep_reads or _two_fronts, as the shape and the
 *                                 device call for
 */
#include "harness/harness.h"

/* One, two or four floats by one load, from an address that is a multiple of their size. */
template <int WIDTH>
static __device__ __forceinline__ void load_vector(float values[WIDTH], const float *from)
{
    if (WIDTH == 1) {
        values[0] = *from;
    } else if (WIDTH == 2) {
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

/* The same by one store. */
template <int WIDTH>
static __device__ __forceinline__ void store_vector(float *to, const float values[WIDTH])
{
    if (WIDTH == 1)
        *to = values[0];
    else if (WIDTH == 2)
        *(float2 *)to = make_float2(values[0], values[1]);
    else
        *(float4 *)to = make_float4(values[0], values[1], values[2], values[3]);
}

/* Global accesses are one vector a thread; the padded tile still takes single floats, because its
 * odd pitch leaves no vector aligned. Block of ACROSS x BLOCK_ROWS threads; where ACROSS
 * of them do not reach across a row of the tile, each takes the next piece as well. */
template <int WIDTH, int TILE, int BLOCK_ROWS, int ACROSS>
__global__ void transpose_vec(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int tiles_across = tiles(cols, TILE);
    int tile_row = blockIdx.x / tiles_across;
    int tile_col = blockIdx.x % tiles_across;

    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        for (int j = 0; j < TILE; j += WIDTH * ACROSS) {
            int y = i + threadIdx.y;
            int x = j + WIDTH * threadIdx.x;
            int row = tile_row * TILE + y;
            int col = tile_col * TILE + x;
            if (row < rows && col < cols) {
                float values[WIDTH];
                load_vector<WIDTH>(values, &in[(size_t)row * cols + col]);
#pragma unroll
                for (int e = 0; e < WIDTH; e++)
                    tile[y][x + e] = values[e];
            }
        }
    __syncthreads();

    for (int i = 0; i < TILE; i += BLOCK_ROWS)
        for (int j = 0; j < TILE; j += WIDTH * ACROSS) {
            int y = i + threadIdx.y;
            int x = j + WIDTH * threadIdx.x;
            int out_row = tile_col * TILE + y;
            int out_col = tile_row * TILE + x;
            if (out_row < cols && out_col < rows) {
                float values[WIDTH];
#pragma unroll
                for (int e = 0; e < WIDTH; e++)
                    values[e] = tile[x + e][y];
                store_vector<WIDTH>(&out[(size_t)out_row * rows + out_col], values);
            }
        }
}

constexpr int TILE64 = 64;
constexpr int CHUNKS = TILE64 / 4; /* 16-byte chunks in a row of the tile */
constexpr int THREADS = 256;       /* each owns one 4x4 block of the tile */

/* In what order blocks visit the tiles. ROW_ORDER reads whole input rows in sequence; COLUMN_ORDER
 * goes down the input's columns, which writes whole output rows in sequence. */
enum { ROW_ORDER, COLUMN_ORDER };

/* What registers4x4 does otherwise; the bits add up. FOUR_BLOCKS changes nothing in the kernel: it
 * makes it one of its own, to which its launch gives unused shared memory. */
enum { UNSWIZZLED = 1, STREAMING = 2, FOUR_BLOCKS = 4 };

/* Four 16 KB tiles on an SM: what registers4x4_four_blocks allows, and what the rule below takes
 * for the blocks in flight. */
constexpr int BLOCKS_PER_SM = 4;

template <int OPTIONS>
static __device__ __forceinline__ void store(float *to, float4 value)
{
    if (OPTIONS & STREAMING)
        __stcs((float4 *)to, value);
    else
        *(float4 *)to = value;
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

    int tiles_across = tiles(cols, TILE64);
    int tiles_down = tiles(rows, TILE64);
    int tile_row = ORDER == ROW_ORDER ? blockIdx.x / tiles_across : blockIdx.x % tiles_down;
    int tile_col = ORDER == ROW_ORDER ? blockIdx.x % tiles_across : blockIdx.x / tiles_down;
    int x = threadIdx.x % CHUNKS;
    int y = threadIdx.x / CHUNKS;

    int row = tile_row * TILE64 + y;
    int col = tile_col * TILE64 + 4 * x;
    float4 values[4]; /* all on their way before the first is stored */
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (row + CHUNKS * k < rows && col < cols)
            values[k] = *(const float4 *)&in[(size_t)(row + CHUNKS * k) * cols + col];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (row + CHUNKS * k < rows && col < cols)
            tile[chunk_offset<OPTIONS>(y + CHUNKS * k, x)] = values[k];
    __syncthreads();

    int out_row = tile_col * TILE64 + 4 * y;
    int out_col = tile_row * TILE64 + 4 * x;
    if (out_row >= cols || out_col >= rows)
        return;
    float4 block[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        block[k] = tile[chunk_offset<OPTIONS>(4 * x + k, y)];
    transpose4x4(block);
#pragma unroll
    for (int k = 0; k < 4; k++)
        store<OPTIONS>(&out[(size_t)(out_row + k) * rows + out_col], block[k]);
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

template <int WIDTH, int TILE, int BLOCK_ROWS, int ACROSS = TILE / WIDTH>
static void launch_vec(const float *in, float *out, int rows, int cols)
{
    dim3 threads(ACROSS, BLOCK_ROWS);
    transpose_vec<WIDTH, TILE, BLOCK_ROWS, ACROSS>
        <<<blocks_for(rows, cols, TILE, TILE), threads>>>(in, out, rows, cols);
}

template <int ORDER, int OPTIONS = 0>
static void launch_registers4x4(const float *in, float *out, int rows, int cols)
{
    registers4x4<ORDER, OPTIONS>
        <<<blocks_for(rows, cols, TILE64, TILE64), THREADS>>>(in, out, rows, cols);
}

static int four_blocks_padding; /* bytes of unused shared memory; its prepare function sets it */

static void prepare_registers4x4_four_blocks(const float *, float *, int, int)
{
    four_blocks_padding = padding_for_blocks_per_sm(
        (const void *)registers4x4<COLUMN_ORDER, FOUR_BLOCKS>, BLOCKS_PER_SM);
}

static void launch_registers4x4_four_blocks(const float *in, float *out, int rows, int cols)
{
    registers4x4<COLUMN_ORDER, FOUR_BLOCKS>
        <<<blocks_for(rows, cols, TILE64, TILE64), THREADS, four_blocks_padding>>>(in, out, rows,
                                                                                   cols);
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

/* Reads are kept where both matrices are many times the size of L2. Where L2 holds both, it costs.
 * Between the two it pays in a loop of this one kernel, but the lines stay behind in L2, and the
 * kernel that comes next may want the room.
 *
 * Two fronts pay where the rows of the input start a multiple of 128 KB apart and the blocks in
 * flight cover one column of tiles but not two: then all reads in flight have the same address bits
 * 8 to 16, and meet only some of the DRAM's channels. A second column of tiles, far away, brings
 * other bits; where the blocks in flight reach into the next column anyway, they need no help. */
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
    if ((size_t)cols * sizeof(float) % (128 << 10) == 0 && tiles_down <= in_flight &&
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
        {"tile64_coarsen4", launch_vec<1, 64, 16>, 1, 0},
        {"tile64_coarsen8", launch_vec<1, 64, 8>, 1, 0},
        {"tile64_coarsen16", launch_vec<1, 64, 4>, 1, 0},
        {"tile64_coarsen8_halves", launch_vec<1, 64, 16, 32>, 1, 0},
        {"tile64_coarsen16_halves", launch_vec<1, 64, 8, 32>, 1, 0},
        {"registers4x4", launch_registers4x4<ROW_ORDER>, 4, 0},
        {"registers4x4_unswizzled", launch_registers4x4<ROW_ORDER, UNSWIZZLED>, 4, 0},
        {"registers4x4_column_order", launch_registers4x4<COLUMN_ORDER>, 4, 0},
        {"registers4x4_streaming", launch_registers4x4<COLUMN_ORDER, STREAMING>, 4, 0},
        {"registers4x4_four_blocks", launch_registers4x4_four_blocks, 4, 0, 0,
         prepare_registers4x4_four_blocks},
        {"registers4x2", launch_registers4x2<PLAIN>, 4, 0},
        {"registers4x2_max_shared", launch_registers4x2<MAX_SHARED>, 4, 0, 0,
         prepare_registers4x2_max_shared},
        {"registers4x2_keep_reads", launch_registers4x2<KEEP_READS>, 4, 0},
        {"registers4x2_two_fronts", launch_registers4x2<KEEP_READS | TWO_FRONTS>, 4, 0},
        {"registers4x2_fronts_alone", launch_registers4x2<TWO_FRONTS>, 4, 0},
        {"registers4x2_by_rule", launch_registers4x2_by_rule, 4, 0, 0,
         prepare_registers4x2_by_rule},
    };
    static const Step step = {
        "06_vectorize",         TRANSPOSE,  variants, COUNT_OF(variants),
        "registers4x2_by_rule", "coarsen8", NULL,
    };
    return run_step(&step, argc, argv);
}
