/*
 * Measures the halves of a transpose and the effect of L2 policies: reading alone, writing alone, a
 * copy and a transpose, each with and without policies.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../.. halves.cu -o halves
 *     ./halves [--rows R --cols C] [--rounds K] [--tsv FILE] [--count]
 *
 * A benchmark: no time counts as a failure. It verifies copies and transposes first. Then it takes
 * one sample of each contender per round, as the harness does: it synchronises the device, resets
 * the persisting lines of L2, launches once untimed, then times launches for about a millisecond.
 * Prints and writes `contender rows cols time_ms iqr_ms gb_per_s`; GB/s count the bytes moved.
 *
 * A contender's name has three parts: what it does; the order of its tiles in the input, `rows` or
 * `columns` (default for transposes: columns); its L2 policy, for loads unless the name says
 * `stores`. `last` is evict_last, `first` evict_first, `half_last` evict_last for half of the lines.
 *
 * --count is for Nsight Compute: it launches each contender once, untimed, after a kernel `clean`
 * that reads a gigabyte of other data, so that L2 holds no modified line and no line of the
 * matrices. Prints the contenders' names in the order of the launches.
 *
 * A tile is 64x64 elements. It has 512 threads with two 16-byte loads and stores each, like the 4x2
 * blocks of the transposes in registers. R and C are multiples of 64. Needs compute capability 8.0.
 * Exit status: 0; 1 a wrong result or a CUDA error; 2 wrong usage.
 */
#include "harness/cuda_check.h"
#include "harness/ptx.h"
#include "harness/swizzle.h"
#include <string.h>

enum Policy { NONE, LAST, HALF_LAST, FIRST };
enum Order { ALONG_ROWS, DOWN_COLUMNS };

constexpr int TILE = 64;
constexpr int CHUNKS = TILE / 4; /* 16-byte chunks in a row of the tile */
constexpr int HALF = TILE / 2;
constexpr int THREADS = 512;

template <int POLICY>
static __device__ __forceinline__ uint64_t make_policy(void)
{
    uint64_t bits = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (POLICY == LAST)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(bits));
    if (POLICY == HALF_LAST)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(bits));
    if (POLICY == FIRST)
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(bits));
#endif
    return bits;
}

template <int POLICY>
static __device__ __forceinline__ float4 load(const float *from)
{
    if (POLICY == NONE)
        return *(const float4 *)from;
    return load_with_policy((const float4 *)from, make_policy<POLICY>());
}

template <int POLICY>
static __device__ __forceinline__ void store(float *to, float4 v)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (POLICY != NONE) {
        asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to),
                     "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "l"(make_policy<POLICY>())
                     : "memory");
        return;
    }
#endif
    *(float4 *)to = v;
}

/* Returns the index of the first element of this block's tile, in a rows x cols matrix. */
template <int ORDER>
static __device__ __forceinline__ size_t tile_start(int rows, int cols)
{
    int down = rows / TILE, across = cols / TILE;
    int row = ORDER == ALONG_ROWS ? blockIdx.x / across : blockIdx.x % down;
    int col = ORDER == ALONG_ROWS ? blockIdx.x % across : blockIdx.x / down;
    return (size_t)row * TILE * cols + col * TILE;
}

/* Reads the matrix by tiles. The compiler must keep the loads, because the kernel writes if the sum
 * of the values equals a number that never occurs. */
template <int ORDER, int POLICY>
__global__ void read_tiles(const float *in, float *out, int rows, int cols)
{
    const float *from = in + tile_start<ORDER>(rows, cols) + threadIdx.x % CHUNKS * 4 +
                        (size_t)(threadIdx.x / CHUNKS) * cols;
    float4 a = load<POLICY>(from), b = load<POLICY>(from + (size_t)HALF * cols);
    if (a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w == -1)
        out[0] = 1;
}

/* Writes the matrix by tiles. */
template <int ORDER, int POLICY>
__global__ void write_tiles(const float *, float *out, int rows, int cols)
{
    float *to = out + tile_start<ORDER>(rows, cols) + threadIdx.x % CHUNKS * 4 +
                (size_t)(threadIdx.x / CHUNKS) * cols;
    float4 value = make_float4(blockIdx.x, threadIdx.x, 1, 2);
    store<POLICY>(to, value);
    store<POLICY>(to + (size_t)HALF * cols, value);
}

/* Copies 16 bytes per thread. */
template <int LOADS, int STORES>
__global__ void copy_vectors(const float *in, float *out, int, int)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    store<STORES>(out + 4 * i, load<LOADS>(in + 4 * i));
}

static __device__ __forceinline__ int chunk_offset(int row, int chunk)
{
    return swizzle(3, 0, 6, row_major(CHUNKS, row, chunk));
}

/* Transposes 4x2 blocks in registers; visits the input's tiles in the given order. */
template <int ORDER, int LOADS, int STORES>
__global__ void transpose_tiles(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE * CHUNKS];

    size_t start = tile_start<ORDER>(rows, cols);
    int tile_row = start / cols, tile_col = start % cols;
    int x = threadIdx.x % CHUNKS, y = threadIdx.x / CHUNKS;
    const float *from = in + start + (size_t)y * cols + 4 * x;
    float4 a = load<LOADS>(from), b = load<LOADS>(from + (size_t)HALF * cols);
    tile[chunk_offset(y, x)] = a;
    tile[chunk_offset(y + HALF, x)] = b;
    __syncthreads();

    int block_row = (threadIdx.x & 7) | (threadIdx.x >> 4 & 1) << 3;
    int block_col = (threadIdx.x >> 3 & 1) | (threadIdx.x >> 5) << 1;
    float2 block[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int chunk = chunk_offset(4 * block_row + k, block_col / 2);
        block[k] = ((const float2 *)tile)[2 * chunk + block_col % 2];
    }
    float *to = out + (size_t)(tile_col + 2 * block_col) * rows + tile_row + 4 * block_row;
    store<STORES>(to, make_float4(block[0].x, block[1].x, block[2].x, block[3].x));
    store<STORES>(to + rows, make_float4(block[0].y, block[1].y, block[2].y, block[3].y));
}

typedef void (*Kernel)(const float *, float *, int, int);
enum Group { READ, WRITE, COPY, TRANSPOSE };

typedef struct {
    Group group;
    const char *name;
    Kernel kernel;
    int launches; /* in one sample */
    double *samples;
} Contender;

static Contender contenders[] = {
    {READ, "read_rows", read_tiles<ALONG_ROWS, NONE>, 1, NULL},
    {READ, "read_rows_last", read_tiles<ALONG_ROWS, LAST>, 1, NULL},
    {READ, "read_columns", read_tiles<DOWN_COLUMNS, NONE>, 1, NULL},
    {READ, "read_columns_last", read_tiles<DOWN_COLUMNS, LAST>, 1, NULL},
    {READ, "read_columns_first", read_tiles<DOWN_COLUMNS, FIRST>, 1, NULL},
    {WRITE, "write_rows", write_tiles<ALONG_ROWS, NONE>, 1, NULL},
    {WRITE, "write_rows_first", write_tiles<ALONG_ROWS, FIRST>, 1, NULL},
    {WRITE, "write_columns", write_tiles<DOWN_COLUMNS, NONE>, 1, NULL},
    {WRITE, "write_columns_first", write_tiles<DOWN_COLUMNS, FIRST>, 1, NULL},
    {WRITE, "write_rows_last", write_tiles<ALONG_ROWS, LAST>, 1, NULL},
    {COPY, "copy", copy_vectors<NONE, NONE>, 1, NULL},
    {COPY, "copy_last", copy_vectors<LAST, NONE>, 1, NULL},
    {COPY, "copy_first", copy_vectors<FIRST, NONE>, 1, NULL},
    {COPY, "copy_last_first", copy_vectors<LAST, FIRST>, 1, NULL},
    {TRANSPOSE, "transpose", transpose_tiles<DOWN_COLUMNS, NONE, NONE>, 1, NULL},
    {TRANSPOSE, "transpose_last", transpose_tiles<DOWN_COLUMNS, LAST, NONE>, 1, NULL},
    {TRANSPOSE, "transpose_half_last", transpose_tiles<DOWN_COLUMNS, HALF_LAST, NONE>, 1, NULL},
    {TRANSPOSE, "transpose_first", transpose_tiles<DOWN_COLUMNS, FIRST, NONE>, 1, NULL},
    {TRANSPOSE, "transpose_stores_first", transpose_tiles<DOWN_COLUMNS, NONE, FIRST>, 1, NULL},
    {TRANSPOSE, "transpose_stores_last", transpose_tiles<DOWN_COLUMNS, NONE, LAST>, 1, NULL},
    {TRANSPOSE, "transpose_both_first", transpose_tiles<DOWN_COLUMNS, FIRST, FIRST>, 1, NULL},
    {TRANSPOSE, "transpose_last_first", transpose_tiles<DOWN_COLUMNS, LAST, FIRST>, 1, NULL},
    {TRANSPOSE, "transpose_rows", transpose_tiles<ALONG_ROWS, NONE, NONE>, 1, NULL},
    {TRANSPOSE, "transpose_rows_stores_first", transpose_tiles<ALONG_ROWS, NONE, FIRST>, 1, NULL},
    {TRANSPOSE, "transpose_rows_last", transpose_tiles<ALONG_ROWS, LAST, NONE>, 1, NULL},
};
enum { COUNT = sizeof contenders / sizeof contenders[0] };

static int rows = 32768, cols = 32768;
static float *in, *out, *other;
constexpr size_t OTHER = (size_t)1 << 28; /* floats */

static void launch(const Contender *c)
{
    c->kernel<<<(unsigned)((size_t)rows * cols / (TILE * TILE) * (c->group == COPY ? 2 : 1)),
                THREADS>>>(in, out, rows, cols);
}

/* Sets element i to a hash of i, as a finite, normal, positive float. */
static __global__ void fill(float *memory, size_t length)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x)
        memory[i] = __uint_as_float(0x20000000u + ((uint32_t)i * 2654435761u >> 3));
}

static __global__ void clean(const float4 *memory, float *sink)
{
    float4 v = memory[(size_t)blockIdx.x * blockDim.x + threadIdx.x];
    if (v.x + v.y + v.z + v.w == -1)
        *sink = 1;
}

static __global__ void differ(const float *a, const float *b, int rows, int cols, int transposed,
                              int *different)
{
    size_t length = (size_t)rows * cols;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[transposed ? i % cols * rows + i / cols : i])
            *different = 1;
}

/* Returns 0 if a copy or a transpose is wrong; 1 if it is right, and for all other kernels. */
static int verified(const Contender *c)
{
    static int *different;
    if (c->group == READ || c->group == WRITE)
        return 1;
    if (!different)
        CUDA_CHECK(cudaMalloc((void **)&different, sizeof(int)));
    CUDA_CHECK(cudaMemset(out, 255, (size_t)rows * cols * 4));
    CUDA_CHECK(cudaMemset(different, 0, sizeof(int)));
    launch(c);
    differ<<<2112, 256>>>(in, out, rows, cols, c->group == TRANSPOSE, different);
    int host_different;
    CUDA_CHECK(cudaMemcpy(&host_different, different, sizeof(int), cudaMemcpyDeviceToHost));
    if (host_different)
        printf("WRONG: %s\n", c->name);
    return !host_different;
}

/* Returns the milliseconds of one launch. */
static double sample(const Contender *c, cudaEvent_t start, cudaEvent_t stop)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaCtxResetPersistingL2Cache());
    launch(c);
    CUDA_CHECK(cudaEventRecord(start));
    for (int i = 0; i < c->launches; i++)
        launch(c);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaGetLastError());
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms / c->launches;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void count_all(void)
{
    for (int i = 0; i < COUNT; i++) {
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaCtxResetPersistingL2Cache());
        clean<<<OTHER / 4 / 256, 256>>>((const float4 *)other, out);
        launch(&contenders[i]);
        CUDA_CHECK(cudaDeviceSynchronize());
        printf("%s\n", contenders[i].name);
    }
}

int main(int argc, char **argv)
{
    int rounds = 15, count_only = 0;
    const char *tsv = NULL;
    for (int a = 1; a < argc; a++) {
        const char *value = a + 1 < argc ? argv[a + 1] : "";
        if (!strcmp(argv[a], "--count")) {
            count_only = 1;
            continue;
        }
        if (!strcmp(argv[a], "--rows"))
            rows = atoi(value);
        else if (!strcmp(argv[a], "--cols"))
            cols = atoi(value);
        else if (!strcmp(argv[a], "--rounds"))
            rounds = atoi(value);
        else if (!strcmp(argv[a], "--tsv"))
            tsv = value;
        else
            rows = 0;
        a++;
    }
    if (rows <= 0 || cols <= 0 || rows % TILE || cols % TILE || rounds <= 0) {
        fprintf(stderr,
                "usage: halves [--rows R --cols C] [--rounds K] [--tsv FILE] [--count], R "
                "and C multiples of %d\n",
                TILE);
        return EXIT_USAGE;
    }
    size_t length = (size_t)rows * cols;
    CUDA_CHECK(cudaMalloc((void **)&in, length * 4));
    CUDA_CHECK(cudaMalloc((void **)&out, length * 4));
    fill<<<2112, 256>>>(in, length);
    if (count_only) {
        CUDA_CHECK(cudaMalloc((void **)&other, OTHER * 4));
        fill<<<2112, 256>>>(other, OTHER);
        count_all();
        return EXIT_OK;
    }

    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    int failed = 0;
    for (int i = 0; i < COUNT; i++) {
        Contender *c = &contenders[i];
        if (!verified(c)) {
            failed = 1;
            continue;
        }
        while (sample(c, start, stop) * c->launches < 1.2)
            c->launches *= 2;
        c->samples = (double *)calloc(rounds, sizeof(double));
    }
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < COUNT; i++)
            if (contenders[i].samples)
                contenders[i].samples[round] = sample(&contenders[i], start, stop);
    FILE *file = tsv ? fopen(tsv, "w") : NULL;
    if (tsv && !file) {
        perror(tsv);
        return EXIT_USAGE;
    }
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    if (file)
        fprintf(file, "# gpu: %s\ncontender\trows\tcols\ttime_ms\tiqr_ms\tgb_per_s\n",
                properties.name);
    for (int i = 0; i < COUNT; i++) {
        Contender *c = &contenders[i];
        if (!c->samples)
            continue;
        qsort(c->samples, rounds, sizeof(double), by_value);
        double median = c->samples[rounds / 2];
        double iqr = c->samples[rounds * 3 / 4] - c->samples[rounds / 4];
        double gb = (c->group == READ || c->group == WRITE ? 4.0 : 8.0) * length / median / 1e6;
        printf("%-24s %8.4f %7.4f %7.1f\n", c->name, median, iqr, gb);
        if (file)
            fprintf(file, "%s\t%d\t%d\t%.6f\t%.6f\t%.2f\n", c->name, rows, cols, median, iqr, gb);
    }
    if (file && fclose(file))
        failed = 1;
    return failed ? EXIT_FAULT : EXIT_OK;
}
