/*
 * Records when the warps of one SM load, wait and store, and how many bytes are in flight.
 *
 *     nvcc -O3 -std=c++17 -arch=native -Ishared shared/tests/benchmark/timeline.cu -o timeline
 *     ./timeline TIMELINE.tsv IN_FLIGHT.tsv
 *
 * Runs the copies and transposes of steps 00, 03 and 05 on a SIZE x SIZE matrix. The kernels do not
 * check edges, so a thread issues all its loads at once. Each warp stores three stamps of the SM's clock:
 * before its first load, when its last load has arrived, and after it issued its last store. None is
 * taken at the barrier: the clock can be read before the barrier lets the warp go on. TIMELINE.tsv has the warps of one SM in a short span in the middle of each
 * launch, in clock cycles. IN_FLIGHT.tsv has a row per kernel:
 *
 *   latency_ns     mean time from a warp's first load to the arrival of its last load, or of one turn
 *   in_flight_kb   KB that loads on one SM are waiting for, mean over the launch
 *                  (both are means over WATCHED SMs, each watched in a separate launch)
 *   gb_per_s       bytes read plus written per second, by the kernel with its stamps
 *
 * All loads of a warp count as in flight from the first load until the last has arrived, or its share
 * of them if it loads in turns, so in_flight_kb is an upper bound. Stamps cost time: the kernels are slower than the steps' own, and the
 * watched SM, which alone stores stamps, gets fewer blocks than the others.
 */
#include "harness/cuda_check.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

constexpr int SIZE = 8192;
constexpr int TILE = 32;
constexpr int WATCHED = 12; /* SMs watched, one per launch */
constexpr int SPAN = 12000; /* clock cycles per launch in TIMELINE.tsv */

typedef struct {
    uint32_t begin, loaded, end, unused; /* the SM's clock, which wraps around every two seconds */
} Stamps;
static const uint32_t NOT_STAMPED = UINT32_MAX;

static __device__ __forceinline__ uint32_t now(void)
{
    uint32_t cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
    return cycles;
}

static __device__ __forceinline__ int this_sm(void)
{
    int sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

/* The stamps, and the SM whose warps store them; stamps of all SMs would add too much traffic. */
typedef struct {
    Stamps *stamps;
    int sm;
} Watch;

/* Stores the stamps of this thread's warp if it runs on the watched SM. `warp` is its number in the
 * launch. */
static __device__ void note(Watch watch, int warp, uint32_t begin, uint32_t loaded)
{
    uint32_t end = now();
    if (this_sm() == watch.sm && (threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0)
        *(uint4 *)&watch.stamps[warp] = make_uint4(begin, loaded, end, 0);
}

/* Step 00's scalar, scalar_x4, vector and vector_x4: VECTORS elements of type T per thread. */
template <typename T, int VECTORS>
__global__ void copy(const T *in, T *out, Watch watch)
{
    size_t first = (size_t)blockIdx.x * VECTORS * blockDim.x + threadIdx.x;
    T values[VECTORS];
    uint32_t begin = now();
#pragma unroll
    for (int v = 0; v < VECTORS; v++)
        values[v] = in[first + v * blockDim.x];
    /* The store waits for the last load, so the clock read after the store is later than the load. */
    out[first + (VECTORS - 1) * blockDim.x] = values[VECTORS - 1];
    uint32_t loaded = now();
#pragma unroll
    for (int v = 0; v < VECTORS - 1; v++)
        out[first + v * blockDim.x] = values[v];
    note(watch, (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32), begin, loaded);
}

/* Step 05's transpose; with ELEMENTS = 1, step 03's. With TURNS = ELEMENTS a thread waits for each load
 * before the next one; with TURNS = 1 all its loads are in flight together. */
template <int ELEMENTS, int TURNS, int TILES>
__global__ void transpose(const float *in, float *out, Watch watch)
{
    __shared__ float block_tiles[TILES][TILE][TILE + 1];

    int z = TILES > 1 ? threadIdx.z : 0;
    float(*tile)[TILE + 1] = block_tiles[z];
    int tile_col = blockIdx.x * TILES + z;
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = tile_col * TILE + threadIdx.x;
    constexpr int TOGETHER = ELEMENTS / TURNS;
    float values[TOGETHER];
    uint32_t begin = now();
#pragma unroll 1
    for (int first = 0; first < ELEMENTS; first += TOGETHER) {
#pragma unroll
        for (int e = 0; e < TOGETHER; e++)
            values[e] = in[(size_t)(row + (first + e) * (TILE / ELEMENTS)) * SIZE + col];
#pragma unroll
        for (int e = 0; e < TOGETHER; e++)
            tile[threadIdx.y + (first + e) * (TILE / ELEMENTS)][threadIdx.x] = values[e];
    }
    uint32_t loaded = now();
    __syncthreads();

    int out_row = tile_col * TILE + threadIdx.y;
    int out_col = blockIdx.y * TILE + threadIdx.x;
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++)
        out[(size_t)(out_row + e * (TILE / ELEMENTS)) * SIZE + out_col] =
            tile[threadIdx.x][threadIdx.y + e * (TILE / ELEMENTS)];
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    note(watch, (block * TILES + z) * (int)blockDim.y + (int)threadIdx.y, begin, loaded);
}

static float *in, *out;
static Watch watch;

/* Launches a kernel with blocks of `threads` threads. */
template <typename T, int VECTORS>
static void launch_copy(int threads)
{
    unsigned blocks = (unsigned)((size_t)SIZE * SIZE * 4 / sizeof(T) / VECTORS / threads);
    copy<T, VECTORS><<<blocks, threads>>>((const T *)in, (T *)out, watch);
}

template <int ELEMENTS, int TURNS = 1, int TILES = 1>
static void launch_transpose(int threads)
{
    transpose<ELEMENTS, TURNS, TILES>
        <<<dim3(SIZE / TILE / TILES, SIZE / TILE), dim3(TILE, threads / TILE / TILES, TILES)>>>(
            in, out, watch);
}

typedef struct {
    const char *name;
    void (*launch)(int threads);
    int threads;    /* per block */
    int warp_bytes; /* loaded per warp */
    int turns;      /* in which the warp loads them, each after the one before; 0 means 1 */
    int shown;      /* the stamps of one SM go to TIMELINE.tsv */
} Kernel;

static const Kernel kernels[] = {
    {"scalar", launch_copy<float, 1>, 256, 128},
    {"scalar_1024", launch_copy<float, 1>, 1024, 128},
    {"scalar_x4", launch_copy<float, 4>, 256, 512},
    {"vector", launch_copy<float4, 1>, 256, 512},
    {"vector_x4", launch_copy<float4, 4>, 256, 2048},
    {"padded", launch_transpose<1>, 1024, 128, 1, 1},
    {"coarsen2", launch_transpose<2>, 512, 256},
    {"coarsen4", launch_transpose<4>, 256, 512},
    {"coarsen8", launch_transpose<8>, 128, 1024, 1, 1},
    {"coarsen4_one_at_a_time", launch_transpose<4, 4>, 256, 512, 4},
    {"four_tiles_one_at_a_time", launch_transpose<4, 4, 4>, 1024, 512, 4},
};

static FILE *open_for_writing(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "timeline: %s: cannot be written\n", path);
        exit(2);
    }
    return file;
}

/* Sums over a kernel's launches, each with one watched SM. */
typedef struct {
    double waited, warps; /* clock cycles from `begin` to `loaded`; number of warps */
    double cycles;        /* from the first warp's begin to the last warp's end */
    double ms;            /* time of the launches */
} Sums;

/* Returns the clock cycles from `from` to `to`, negative if `to` is earlier. */
static long long cycles_between(uint32_t from, uint32_t to) { return (int32_t)(to - from); }

/* Adds a launch's stamps to the sums; if `timeline` is a file, writes a span of them there. */
static void add(Sums *sums, const Kernel *kernel, const Stamps *all, size_t warps, FILE *timeline)
{
    const Stamps *one = NULL; /* the warp whose begin is time 0 */
    long long first = 0, last = 0;
    for (size_t w = 0; w < warps; w++) {
        if (all[w].end == NOT_STAMPED)
            continue;
        if (!one)
            one = &all[w];
        long long begin = cycles_between(one->begin, all[w].begin);
        long long end = cycles_between(one->begin, all[w].end);
        first = begin < first ? begin : first;
        last = end > last ? end : last;
        sums->waited += (double)cycles_between(all[w].begin, all[w].loaded);
        sums->warps++;
    }
    sums->cycles += (double)(last - first);
    if (!one || !timeline || !kernel->shown)
        return;
    uint32_t from = one->begin + (uint32_t)(first + (last - first) / 2);
    for (size_t w = 0; w < warps; w++)
        if (all[w].end != NOT_STAMPED && cycles_between(from, all[w].end) > 0 &&
            cycles_between(from, all[w].begin) < SPAN)
            fprintf(timeline, "%s\t%zu\t%zu\t%d\t%lld\t%lld\t%lld\n", kernel->name,
                    w / (size_t)(kernel->threads / 32), w, kernel->warp_bytes,
                    cycles_between(from, all[w].begin), cycles_between(from, all[w].loaded),
                    cycles_between(from, all[w].end));
}

/* Launches three times and keeps the stamps of the last. Returns its time in milliseconds. */
static float launch(const Kernel *kernel, Stamps *all, size_t warps, cudaEvent_t start,
                    cudaEvent_t stop)
{
    for (int turn = 0; turn < 3; turn++) {
        /* Clears the stamps of an earlier launch. */
        CUDA_CHECK(cudaMemset(watch.stamps, 0xff, warps * sizeof *watch.stamps));
        CUDA_CHECK(cudaEventRecord(start));
        kernel->launch(kernel->threads);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(stop));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaMemcpy(all, watch.stamps, warps * sizeof *all, cudaMemcpyDeviceToHost));
    return ms;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: timeline TIMELINE.tsv IN_FLIGHT.tsv\n");
        return 2;
    }
    size_t bytes = (size_t)SIZE * SIZE * sizeof(float);
    size_t most_warps = (size_t)SIZE * SIZE / 32;
    Stamps *all = (Stamps *)malloc(most_warps * sizeof *all);
    FILE *timeline = open_for_writing(argv[1]), *in_flight = open_for_writing(argv[2]);
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    CUDA_CHECK(cudaMalloc(&in, bytes));
    CUDA_CHECK(cudaMalloc(&out, bytes));
    CUDA_CHECK(cudaMalloc(&watch.stamps, most_warps * sizeof *all));
    CUDA_CHECK(cudaMemset(in, 0, bytes));
    fprintf(timeline, "# gpu: %s\n# size: %d\n", device.name, SIZE);
    fprintf(timeline, "kernel\tblock\twarp\tbytes\tbegin\tloaded\tend\n");
    fprintf(in_flight, "# gpu: %s\n# size: %d\n# sms: %d\n", device.name, SIZE,
            device.multiProcessorCount);
    fprintf(in_flight, "kernel\tthreads\tbytes_per_thread\tlatency_ns\tin_flight_kb\tgb_per_s\n");

    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        const Kernel *kernel = &kernels[k];
        size_t warps = bytes / kernel->warp_bytes;
        int turns = kernel->turns ? kernel->turns : 1;
        Sums sums = {0, 0, 0, 0};
        for (int w = 0; w < WATCHED; w++) {
            watch.sm = w * device.multiProcessorCount / WATCHED;
            sums.ms += launch(kernel, all, warps, start, stop);
            add(&sums, kernel, all, warps, w == WATCHED / 2 ? timeline : NULL);
        }
        fprintf(in_flight, "%s\t%d\t%d\t%.0f\t%.1f\t%.0f\n", kernel->name, kernel->threads,
                kernel->warp_bytes / 32,
                sums.waited / sums.warps / turns * sums.ms * 1e6 / sums.cycles,
                sums.waited * kernel->warp_bytes / turns / sums.cycles / 1000,
                2.0 * SIZE * SIZE * sizeof(float) * WATCHED / (sums.ms * 1e6));
    }
    free(all);
    return fclose(timeline) || fclose(in_flight);
}
