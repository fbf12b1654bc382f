/*
 * Searches for the fastest copy: measures many kernels that could be faster than cudaMemcpy.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../.. copy_search.cu -o copy_search
 *     ./copy_search [--rows R --cols C] [--rounds K] [--only TEXT] [--tsv FILE]
 *
 * A benchmark: no time counts as a failure. It verifies each contender first. Then it takes one
 * sample of each contender per round, as the harness does: it synchronises the device, resets the
 * persisting lines of L2, launches once untimed, then times launches for about a millisecond.
 * Prints and writes `group name rows cols time_ms iqr_ms gb_per_s percent_of_memcpy`. Needs compute
 * capability 9.0. Exit status: 0; 1 a wrong copy or a CUDA error; 2 wrong usage.
 *
 * plots/results/h200/fastest_copy.md has the results; harness/copy.h has the fastest copy.
 */
#include "harness/cuda_check.h"
#include "harness/ptx.h"
#include "harness/tensor_map.h"
#include <string.h>

enum Policy { NO_POLICY, LAST, FIRST, UNCHANGED, NORMAL, PAST_L1, FETCH_256 };

static __device__ __forceinline__ uint64_t make_policy(int policy, float fraction)
{
    uint64_t bits = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (policy == LAST || policy == PAST_L1 || policy == FETCH_256)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, %1;" : "=l"(bits) : "f"(fraction));
    else if (policy == FIRST)
        asm("createpolicy.fractional.L2::evict_first.b64 %0, %1;" : "=l"(bits) : "f"(fraction));
    else if (policy == UNCHANGED)
        asm("createpolicy.fractional.L2::evict_unchanged.b64 %0, %1;" : "=l"(bits) : "f"(fraction));
    else
        asm("createpolicy.fractional.L2::evict_normal.b64 %0, %1;" : "=l"(bits) : "f"(fraction));
#endif
    return bits;
}

template <int POLICY>
static __device__ __forceinline__ float4 load(const float4 *from, uint64_t p)
{
    float4 v;
    if (POLICY == NO_POLICY)
        return *from;
    if (POLICY == PAST_L1)
        asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(from), "l"(p));
    else if (POLICY == FETCH_256)
        asm volatile("ld.global.L2::cache_hint.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(from), "l"(p));
    else
        asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(from), "l"(p));
    return v;
}

template <int POLICY>
static __device__ __forceinline__ void store(float4 *to, float4 v, uint64_t p)
{
    if (POLICY == NO_POLICY)
        *to = v;
    else
        asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to),
                     "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "l"(p)
                     : "memory");
}

enum Order { ALONG, BACKWARDS, FRONTS, PAIRS_SWAPPED };

/* Returns the number of the piece that block `block` copies. */
template <int ORDER>
static __device__ __forceinline__ size_t piece_of(size_t block, int fronts)
{
    size_t blocks = gridDim.x;
    if (ORDER == BACKWARDS)
        return blocks - 1 - block;
    if (ORDER == FRONTS) {
        size_t length = blocks / fronts; /* the last blocks % fronts pieces come at the end */
        return block < length * fronts ? block % fronts * length + block / fronts : block;
    }
    if (ORDER == PAIRS_SWAPPED) /* each group of `fronts` pieces backwards */
        return block / fronts * fronts + fronts <= blocks
                   ? block / fronts * fronts + fronts - 1 - block % fronts
                   : block;
    return block;
}

/* Copies VECTORS x 16 bytes per thread, blockDim.x vectors apart; stores after the last load. */
template <int VECTORS, int LOAD, int STORE, int ORDER>
__global__ void by_threads(const float4 *in, float4 *out, size_t count, float fraction, int fronts)
{
    size_t at = piece_of<ORDER>(blockIdx.x, fronts) * VECTORS * blockDim.x + threadIdx.x;
    uint64_t load_policy = make_policy(LOAD, fraction), store_policy = make_policy(STORE, 1.0f);
    float4 v[VECTORS];
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (at + k * blockDim.x < count)
            v[k] = load<LOAD>(in + at + k * blockDim.x, load_policy);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (at + k * blockDim.x < count)
            store<STORE>(out + at + k * blockDim.x, v[k], store_policy);
}

/* Copies 8 bytes per thread. */
template <int LOAD>
__global__ void by_halves(const float2 *in, float2 *out, size_t count)
{
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float2 v;
    if (at >= count)
        return;
    if (LOAD == NO_POLICY)
        v = in[at];
    else
        asm volatile("ld.global.L2::cache_hint.v2.f32 {%0, %1}, [%2], %3;"
                     : "=f"(v.x), "=f"(v.y)
                     : "l"(in + at), "l"(make_policy(LOAD, 1.0f)));
    out[at] = v;
}

/* Each warp bulk-copies `chunk` bytes in and out. chunk must divide the matrix's size in bytes. */
template <int LOAD>
__global__ void by_bulk(const char *in, char *out, int chunk)
{
    extern __shared__ __align__(128) char memory[];
    __shared__ uint64_t full[8];
    if (threadIdx.x % 32 != 0)
        return;
    int warp = threadIdx.x / 32;
    size_t at = ((size_t)blockIdx.x * (blockDim.x / 32) + warp) * chunk;
    char *stage = memory + warp * chunk;
    mbarrier_init(&full[warp], 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect(&full[warp], chunk);
    if (LOAD == LAST)
        bulk_load_with_policy(stage, in + at, chunk, &full[warp], l2_evict_last());
    else
        bulk_load(stage, in + at, chunk, &full[warp]);
    mbarrier_wait(&full[warp], 0);
    bulk_store(out + at, stage, chunk);
    bulk_commit();
    bulk_wait_read<0>();
}

/* Collects vector loads in shared memory and writes them by one bulk store per block. */
__global__ void load_then_bulk(const float4 *in, char *out)
{
    extern __shared__ __align__(128) char memory[];
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    ((float4 *)memory)[threadIdx.x] = load<LAST>(in + at, make_policy(LAST, 1.0f));
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    bulk_store(out + (size_t)blockIdx.x * blockDim.x * 16, memory, blockDim.x * 16);
    bulk_commit();
    bulk_wait_read<0>();
}

/* Reads by one bulk load per block and writes by vector stores. */
__global__ void bulk_then_store(const char *in, float4 *out)
{
    extern __shared__ __align__(128) char memory[];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, blockDim.x * 16);
        bulk_load_with_policy(memory, in + (size_t)blockIdx.x * blockDim.x * 16, blockDim.x * 16,
                              &full, l2_evict_last());
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = ((float4 *)memory)[threadIdx.x];
}

/* Copies one box per block through tensor maps; L2 keeps the reads. */
__global__ void by_tensor(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out, int across, int box_rows,
                          int box_cols)
{
    extern __shared__ __align__(128) char memory[];
    __shared__ uint64_t full;
    if (threadIdx.x != 0)
        return;
    int row = blockIdx.x / across * box_rows, col = blockIdx.x % across * box_cols;
    mbarrier_init(&full, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect(&full, box_rows * box_cols * 4);
    tensor_load_with_policy(memory, &in, col, row, &full, l2_evict_last());
    mbarrier_wait(&full, 0);
    tensor_store(&out, col, row, memory);
    bulk_commit();
    bulk_wait_read<0>();
}

typedef struct {
    const char *group;
    char name[64];
    const void *kernel;           /* NULL: cudaMemcpyAsync */
    int threads, vectors, per_sm; /* per_sm: the most blocks per SM; 0: no limit */
    int shared;                   /* bytes of dynamic shared memory */
    float fraction;
    int fronts;
    int box_rows, box_cols;
    enum { THREADS, HALVES, BULK, LOAD_BULK, BULK_STORE, TENSOR } kind;
    int launches;
    double *samples, median, iqr;
    CUtensorMap in_map, out_map;
} Contender;

static float *in, *out;
static int rows = 32768, cols = 32768;
static Contender contenders[256];
static int count;

static void launch(Contender *c)
{
    size_t bytes = (size_t)rows * cols * 4, vectors = bytes / 16;
    if (!c->kernel) {
        CUDA_CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice, 0));
        return;
    }
    int across = c->box_cols ? (cols + c->box_cols - 1) / c->box_cols : 0;
    size_t chunk = c->vectors; /* bytes; only for bulk copies */
    void *threads_arguments[] = {&in, &out, &vectors, &c->fraction, &c->fronts};
    size_t halves = bytes / 8;
    void *halves_arguments[] = {&in, &out, &halves};
    void *bulk_arguments[] = {&in, &out, &c->vectors};
    void *tensor_arguments[] = {&c->in_map, &c->out_map, &across, &c->box_rows, &c->box_cols};
    void **arguments = threads_arguments;
    size_t blocks = 0;
    switch (c->kind) {
    case Contender::THREADS: blocks = (vectors - 1) / (c->vectors * c->threads) + 1; break;
    case Contender::HALVES:
        blocks = (halves - 1) / c->threads + 1, arguments = halves_arguments;
        break;
    case Contender::BULK:
        blocks = bytes / (chunk * (c->threads / 32)), arguments = bulk_arguments;
        break;
    case Contender::LOAD_BULK:
    case Contender::BULK_STORE: blocks = vectors / c->threads, arguments = bulk_arguments; break;
    case Contender::TENSOR:
        blocks = (size_t)across * ((rows + c->box_rows - 1) / c->box_rows);
        arguments = tensor_arguments;
    }
    CUDA_CHECK(cudaLaunchKernel(c->kernel, dim3((unsigned)blocks), dim3(c->threads), arguments,
                                c->shared, 0));
}

static Contender *add(const char *group, const char *name, const void *kernel, int threads)
{
    Contender *c = &contenders[count++];
    c->group = group;
    snprintf(c->name, sizeof c->name, "%s, %d threads", name, threads);
    c->kernel = kernel;
    c->threads = threads;
    c->vectors = 1;
    c->fraction = 1;
    return c;
}

/* Limits an SM to `per_sm` blocks by giving each block shared memory that it does not use. */
static void limit(Contender *c, int per_sm)
{
    c->per_sm = per_sm;
    c->shared = (227 * 1024 / per_sm - 1024) / 128 * 128;
    CUDA_CHECK(
        cudaFuncSetAttribute(c->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    snprintf(c->name + strlen(c->name), sizeof c->name - strlen(c->name), ", %d blocks/SM", per_sm);
}

#define KERNEL(...) ((const void *)by_threads<__VA_ARGS__>)

static void add_all(void)
{
    add("memcpy", "cudaMemcpyAsync", NULL, 0);
    add("memcpy", "plain", KERNEL(1, NO_POLICY, NO_POLICY, ALONG), 256);
    static const int sizes[] = {96,  128, 160, 192, 224, 256, 288, 320, 352, 384,
                                416, 448, 480, 512, 576, 640, 672, 768, 1024};
    for (int threads : sizes)
        add("threads", "kept", KERNEL(1, LAST, NO_POLICY, ALONG), threads);
    for (int threads : {256, 384}) {
        add("stores", "kept, stores evict_first", KERNEL(1, LAST, FIRST, ALONG), threads);
        add("stores", "kept, stores evict_last", KERNEL(1, LAST, LAST, ALONG), threads);
        add("stores", "kept, stores evict_unchanged", KERNEL(1, LAST, UNCHANGED, ALONG), threads);
        add("stores", "kept, stores evict_normal", KERNEL(1, LAST, NORMAL, ALONG), threads);
        add("stores", "plain, stores evict_last", KERNEL(1, NO_POLICY, LAST, ALONG), threads);
        add("loads", "evict_unchanged", KERNEL(1, UNCHANGED, NO_POLICY, ALONG), threads);
        add("loads", "unchanged, stores evict_first", KERNEL(1, UNCHANGED, FIRST, ALONG), threads);
        add("loads", "kept, past L1", KERNEL(1, PAST_L1, NO_POLICY, ALONG), threads);
        add("loads", "kept, 256-byte fetches", KERNEL(1, FETCH_256, NO_POLICY, ALONG), threads);
    }
    for (int threads : {256, 384, 512, 768, 1024})
        add("8 bytes", "kept", (const void *)by_halves<LAST>, threads)->kind = Contender::HALVES;
    for (int threads : {64, 128, 192, 256, 384}) {
        Contender *c = add("32 bytes", "kept", KERNEL(2, LAST, NO_POLICY, ALONG), threads);
        c->vectors = 2;
    }
    for (int per_sm : {8, 7, 6, 5, 4})
        limit(add("blocks", "kept", KERNEL(1, LAST, NO_POLICY, ALONG), 256), per_sm);
    for (int per_sm : {16, 14, 12, 10})
        limit(add("blocks", "kept", KERNEL(1, LAST, NO_POLICY, ALONG), 128), per_sm);
    for (int per_sm : {5, 4, 3})
        limit(add("blocks", "kept", KERNEL(1, LAST, NO_POLICY, ALONG), 384), per_sm);
    add("orders", "kept, backwards", KERNEL(1, LAST, NO_POLICY, BACKWARDS), 384);
    for (int fronts : {2, 4, 16, 132}) {
        Contender *c = add("orders", "kept, fronts", KERNEL(1, LAST, NO_POLICY, FRONTS), 384);
        snprintf(c->name, sizeof c->name, "kept, %d fronts, 384 threads", fronts);
        c->fronts = fronts;
    }
    for (int fronts : {2, 8, 132}) {
        Contender *c = add("orders", "", KERNEL(1, LAST, NO_POLICY, PAIRS_SWAPPED), 384);
        snprintf(c->name, sizeof c->name, "kept, groups of %d backwards, 384 threads", fronts);
        c->fronts = fronts;
    }
    for (int warps : {1, 2, 4, 8})
        for (int chunk : {1024, 2048, 4096}) {
            Contender *c = add("bulk", "", (const void *)by_bulk<LAST>, 32 * warps);
            snprintf(c->name, sizeof c->name, "bulk, kept, %d bytes a warp, %d warps", chunk,
                     warps);
            c->kind = Contender::BULK;
            c->vectors = chunk;
            c->shared = chunk * warps;
        }
    Contender *plain = add("bulk", "", (const void *)by_bulk<NO_POLICY>, 32);
    snprintf(plain->name, sizeof plain->name, "bulk, plain, 2048 bytes a warp, 1 warps");
    plain->kind = Contender::BULK;
    plain->vectors = plain->shared = 2048;
    for (int threads : {128, 256, 384, 512}) {
        Contender *c =
            add("mixed", "vector loads, bulk store", (const void *)load_then_bulk, threads);
        c->kind = Contender::LOAD_BULK;
        c->shared = threads * 16;
        c = add("mixed", "bulk load, vector stores", (const void *)bulk_then_store, threads);
        c->kind = Contender::BULK_STORE;
        c->shared = threads * 16;
    }
    static const int boxes[][2] = {{1, 256}, {2, 256}, {4, 256}, {8, 64},
                                   {16, 32}, {16, 64}, {32, 32}};
    for (const int *box : boxes) {
        Contender *c = add("tensor", "", (const void *)by_tensor, 32);
        snprintf(c->name, sizeof c->name, "tensor, kept, box of %d x %d", box[0], box[1]);
        c->kind = Contender::TENSOR;
        c->box_rows = box[0];
        c->box_cols = box[1];
        c->shared = box[0] * box[1] * 4;
        c->in_map = tensor_map(in, 4, rows, cols, box[0], box[1], SWIZZLE_NONE);
        c->out_map = tensor_map(out, 4, rows, cols, box[0], box[1], SWIZZLE_NONE);
    }
}

static __global__ void fill(uint32_t *memory, size_t length, uint32_t seed)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x)
        memory[i] = seed ? (uint32_t)(i * 2654435761u + seed) : 0;
}

static __global__ void differ(const uint32_t *a, const uint32_t *b, size_t length, int *different)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            *different = 1;
}

/* Returns the milliseconds of one launch, the mean over `launches`. */
static double sample(Contender *c, int launches, cudaEvent_t start, cudaEvent_t stop)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaCtxResetPersistingL2Cache());
    launch(c);
    CUDA_CHECK(cudaEventRecord(start));
    for (int i = 0; i < launches; i++)
        launch(c);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms / launches;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int rounds = 15;
    const char *only = "", *tsv = NULL;
    for (int a = 1; a < argc; a += 2) {
        const char *value = a + 1 < argc ? argv[a + 1] : "";
        if (!strcmp(argv[a], "--rows"))
            rows = atoi(value);
        else if (!strcmp(argv[a], "--cols"))
            cols = atoi(value);
        else if (!strcmp(argv[a], "--rounds"))
            rounds = atoi(value);
        else if (!strcmp(argv[a], "--only"))
            only = value;
        else if (!strcmp(argv[a], "--tsv"))
            tsv = value;
        else
            rows = 0;
    }
    if (rows <= 0 || cols <= 0 || rounds <= 0 ||
        (size_t)rows * cols % (3 << 16) && (size_t)rows * cols % (1 << 16)) {
        fprintf(stderr, "usage: copy_search [--rows R --cols C] [--rounds K] [--only TEXT] "
                        "[--tsv FILE], R x C a multiple of 65536\n");
        return EXIT_USAGE;
    }
    size_t length = (size_t)rows * cols;
    CUDA_CHECK(cudaMalloc((void **)&in, length * 4));
    CUDA_CHECK(cudaMalloc((void **)&out, length * 4));
    fill<<<2112, 256>>>((uint32_t *)in, length, 7);
    add_all();

    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    int *different, host_different, failed = 0;
    CUDA_CHECK(cudaMalloc((void **)&different, 4));
    for (int i = 0; i < count; i++) {
        Contender *c = &contenders[i];
        if (c->kernel && !strstr(c->name, only) && !strstr(c->group, only))
            continue;
        /* Blocks that move a fixed number of bytes must cover the matrix exactly. */
        if ((c->kind == Contender::LOAD_BULK || c->kind == Contender::BULK_STORE) &&
            length / 4 % c->threads)
            continue;
        fill<<<2112, 256>>>((uint32_t *)out, length, 0);
        CUDA_CHECK(cudaMemset(different, 0, 4));
        launch(c);
        differ<<<2112, 256>>>((uint32_t *)in, (uint32_t *)out, length, different);
        CUDA_CHECK(cudaMemcpy(&host_different, different, 4, cudaMemcpyDeviceToHost));
        if (host_different) {
            printf("WRONG: %s %s\n", c->group, c->name);
            failed = 1;
            continue;
        }
        c->launches = 1;
        while (sample(c, c->launches, start, stop) * c->launches < 1.2)
            c->launches *= 2;
        c->samples = (double *)calloc(rounds, sizeof(double));
    }
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++)
            if (contenders[i].samples)
                contenders[i].samples[round] =
                    sample(&contenders[i], contenders[i].launches, start, stop);
    FILE *file = tsv ? fopen(tsv, "w") : NULL;
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    if (file)
        fprintf(file,
                "# gpu: %s\ngroup\tname\trows\tcols\ttime_ms\tiqr_ms\tgb_per_s\t"
                "percent_of_memcpy\n",
                properties.name);
    for (int i = 0; i < count; i++) {
        Contender *c = &contenders[i];
        if (!c->samples)
            continue;
        qsort(c->samples, rounds, sizeof(double), by_value);
        c->median = c->samples[rounds / 2];
        c->iqr = c->samples[rounds * 3 / 4] - c->samples[rounds / 4];
        double gb = 8.0 * length / c->median / 1e6,
               percent = 100 * contenders[0].median / c->median;
        printf("%-8s %-48s %8.4f %7.4f %7.1f %6.2f\n", c->group, c->name, c->median, c->iqr, gb,
               percent);
        if (file)
            fprintf(file, "%s\t%s\t%d\t%d\t%.6f\t%.6f\t%.2f\t%.2f\n", c->group, c->name, rows, cols,
                    c->median, c->iqr, gb, percent);
    }
    if (file && fclose(file))
        failed = 1;
    return failed ? EXIT_FAULT : EXIT_OK;
}
