/*
 * Access patterns chosen by hand, for the counting rules: what does the hardware count for them,
 * and does cpucc count the same? Plain CUDA C, built by nvcc and by cpucc alike.
 *
 *   nvcc -O3 -std=c++17 -arch=native counting.cu -o counting
 *   ./counting [--list] [FIRST LAST]
 *
 * It prints one line per launch, in order: number, kernel, pattern, lanes, tab-separated; FIRST and
 * LAST choose launches by number, and --list only prints. Of each of the 32 lanes the line says the
 * element, or FROM:TO in bytes, or z:TO for zeros, or - for a lane that takes no part.
 * shared/profile/probes.sh runs it under Nsight Compute.
 *
 * Every probe<T> launch is one warp that moves elements of type T: a global load and a shared
 * store, then a shared load and a global store, each of element pattern[lane] (a lane with a
 * negative index takes no part). Beside those it loads the pattern itself (one request, four
 * sectors) and element 0 (one request, one sector), and fills the tile (34 requests that meet no
 * bank twice).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

enum { TILE = 1088 };

template <class T>
__global__ void probe(const int *pattern, const T *in, T *out)
{
    __shared__ T tile[TILE];
    int lane = threadIdx.x;
    int where = pattern[lane];
    T first = in[0];
#pragma unroll 1
    for (int i = lane; i < TILE; i += 32)
        tile[i] = first;
    __syncthreads();
    if (where >= 0)
        tile[where] = in[where];
    __syncthreads();
    if (where >= 0)
        out[where] = tile[where];
}

/* A branch in a loop whose trip count is the same for all lanes. */
__global__ void branch_in_loop(const int *in, int *out, int trips)
{
    __shared__ int tile[32 * 33];
    int lane = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < trips; i++) {
        if (lane & 1)
            tile[lane * 33 + i] = in[i * 64 + lane];
        else
            tile[lane * 32 + i] = in[i * 64 + 32 + lane / 2];
        __syncwarp();
        if (lane < i)
            out[i * 32 + lane] = tile[lane * (32 + (lane & 1)) + i];
    }
}

/* Blocks whose last warp is not full, with a bounds check. */
__global__ void partial(const float *in, float *out, int n)
{
    __shared__ float tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        tile[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = tile[blockDim.x - 1 - threadIdx.x < blockDim.x && i < n - 1 ? threadIdx.x : 0];
}

__global__ void atomics(int *counters, float *sums, const int *pattern)
{
    __shared__ int bins[64];
    int lane = threadIdx.x;
    bins[lane] = 0;
    bins[lane + 32] = 0;
    __syncthreads();
    int where = pattern[lane];
    if (where >= 0) {
        atomicAdd(&bins[where % 64], 1);
        atomicAdd(&counters[where], 1);
        atomicAdd(&sums[where], 1.0f);
    }
    __syncthreads();
    counters[TILE + lane] = bins[lane];
}

/* cp.async of SIZE bytes a lane: from byte where.x of `in` to byte where.y of the tile. */
template <int SIZE>
__global__ void async_probe(const int2 *pattern, const char *in, int *out)
{
    __shared__ __align__(1024) char tile[1 << 14];
    int lane = threadIdx.x;
    int2 where = pattern[lane];
    if (where.x >= 0)
        __pipeline_memcpy_async(tile + where.y, in + where.x, SIZE);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[lane] = lane;
}

/* The same, where a lane whose where.x is -2 reads nothing and writes zeros. */
template <int SIZE>
__global__ void async_zeros(const int2 *pattern, const char *in, int *out)
{
    __shared__ __align__(1024) char tile[1 << 14];
    int lane = threadIdx.x;
    int2 where = pattern[lane];
    if (where.x != -1)
        __pipeline_memcpy_async(tile + where.y, in + (where.x < 0 ? 0 : where.x), SIZE,
                                where.x < 0 ? SIZE : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[lane] = lane;
}

/* cp.async of 16 bytes a lane, which bypasses L1. Nsight Compute counts no work for such a copy where
 * its instruction is predicated, as in async_probe. Here it stands in loops of one turn, of which
 * the compiler does not know that, one for lanes that read and one for those that write zeros. */
template <int ZEROS>
__global__ void bypass(const int2 *pattern, const char *in, int *out, int turns)
{
    __shared__ __align__(1024) char tile[1 << 14];
    int lane = threadIdx.x;
    int2 where = pattern[lane];
#pragma unroll 1
    for (int i = 0; i < (where.x >= 0 ? turns : 0); i++)
        __pipeline_memcpy_async(tile + where.y, in + where.x, 16);
#pragma unroll 1
    for (int i = 0; ZEROS && i < (where.x == -2 ? turns : 0); i++)
        __pipeline_memcpy_async(tile + where.y, in, 16, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[lane] = lane;
}

static int launches, list_only, first_launch = 1, last_launch = 1 << 30;
static int *device_pattern;
static char *device_in, *device_out;

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

/* Counts a launch and prints its line. Returns whether it is to be made. */
static int announce(const char *kernel, const char *name, int a, const int *pattern,
                    const int2 *copies)
{
    launches++;
    if (launches < first_launch || launches > last_launch)
        return 0;
    printf("%d\t%s\t%s %d\t", launches, kernel, name, a);
    if (!pattern && !copies)
        printf("none");
    for (int lane = 0; lane < 32 && (pattern || copies); lane++) {
        int from = pattern ? pattern[lane] : copies[lane].x;
        if (from == -1)
            printf("-");
        else if (pattern)
            printf("%d", from);
        else if (from < 0)
            printf("z:%d", copies[lane].y);
        else
            printf("%d:%d", from, copies[lane].y);
        printf(lane < 31 ? " " : "");
    }
    printf("\n");
    return !list_only;
}

template <class T>
static void run_probe(const char *type, const char *name, int a, const int *pattern)
{
    if (!announce(type, name, a, pattern, NULL))
        return;
    check(cudaMemcpy(device_pattern, pattern, 32 * sizeof(int), cudaMemcpyHostToDevice), "copy");
    probe<T><<<1, 32>>>(device_pattern, (const T *)device_in, (T *)device_out);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "probe");
}

static void run_types(const char *name, int a, const int *pattern)
{
    run_probe<char>("probe<char>", name, a, pattern);
    run_probe<short>("probe<short>", name, a, pattern);
    run_probe<float>("probe<float>", name, a, pattern);
    run_probe<float2>("probe<float2>", name, a, pattern);
    run_probe<float4>("probe<float4>", name, a, pattern);
}

/* The launch of a kernel on copies; more arguments are the kernel's last. */
#define ASYNC(kernel, ...)                                                                         \
    do {                                                                                           \
        if (!announce(#kernel, name, a, NULL, pattern))                                            \
            return;                                                                                \
        check(cudaMemcpy(device_pattern, pattern, 32 * sizeof(int2), cudaMemcpyHostToDevice),      \
              "copy");                                                                             \
        kernel<<<1, 32>>>((const int2 *)device_pattern, device_in,                                 \
                          (int *)device_out __VA_OPT__(, ) __VA_ARGS__);                           \
        check(cudaGetLastError(), "launch");                                                       \
        check(cudaDeviceSynchronize(), #kernel);                                                   \
    } while (0)

static void run_async(int size, const char *name, int a, const int2 *pattern)
{
    if (size == 4)
        ASYNC(async_probe<4>);
    else if (size == 8)
        ASYNC(async_probe<8>);
    else
        ASYNC(bypass<0>, 1);
}

static void run_zeros(int size, const char *name, int a, const int2 *pattern)
{
    if (size == 4)
        ASYNC(async_zeros<4>);
    else if (size == 8)
        ASYNC(async_zeros<8>);
    else
        ASYNC(bypass<1>, 1);
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

int main(int argc, char **argv)
{
    list_only = argc > 1 && !strcmp(argv[1], "--list");
    if (argc > 2) {
        first_launch = atoi(argv[argc - 2]);
        last_launch = atoi(argv[argc - 1]);
    }
    int pattern[32];
    float *sums = 0;
    int *counters = 0;
    if (!list_only) {
        check(cudaMalloc((void **)&device_pattern, 2 * sizeof pattern), "malloc");
        check(cudaMalloc((void **)&device_in, TILE * 16), "malloc");
        check(cudaMalloc((void **)&device_out, TILE * 16), "malloc");
        check(cudaMalloc((void **)&counters, 2 * TILE * 4), "malloc");
        check(cudaMalloc((void **)&sums, TILE * 4), "malloc");
        check(cudaMemset(device_in, 1, TILE * 16), "memset");
        check(cudaMemset(counters, 0, 2 * TILE * 4), "memset");
        check(cudaMemset(sums, 0, TILE * 4), "memset");
    }

#define EACH_LANE(name, a, index)                                                                  \
    do {                                                                                           \
        for (int lane = 0; lane < 32; lane++)                                                      \
            pattern[lane] = (index);                                                               \
        run_types(name, a, pattern);                                                               \
    } while (0)

#define EACH_LANE_OF(type, name, a, index)                                                         \
    do {                                                                                           \
        for (int lane = 0; lane < 32; lane++)                                                      \
            pattern[lane] = (index);                                                               \
        run_probe<type>("probe<" #type ">", name, a, pattern);                                     \
    } while (0)
#define EACH_ZEROS(size, name, a, zero, from, active)                                              \
    do {                                                                                           \
        for (int lane = 0; lane < 32; lane++)                                                      \
            place[lane] = make_int2(!(active) ? -1 : (zero) ? -2 : (from), lane * size);           \
        run_zeros(size, name, a, place);                                                           \
    } while (0)

    for (int stride = 1; stride <= 33; stride++)
        EACH_LANE("stride", stride, lane * stride);
    EACH_LANE("broadcast", 0, 5);
    for (int n = 2; n <= 16; n *= 2) {
        EACH_LANE("groups of n lanes share an element:", n, lane / n);
        EACH_LANE("every n-th lane shares an element:", n, lane % n);
        EACH_LANE("first n lanes only:", n, lane < n ? lane : -1);
        EACH_LANE("last n lanes only:", n, lane >= 32 - n ? lane : -1);
        EACH_LANE("every n-th lane only:", n, lane % n == 0 ? lane : -1);
        EACH_LANE("every n-th lane only, packed:", n, lane % n == 0 ? lane / n : -1);
        EACH_LANE("xor with n:", n, lane ^ n);
        EACH_LANE("two rows, n lanes each, 64 apart:", n, lane % n + lane / n * 64);
        EACH_LANE("rows of n lanes, 33 apart:", n, lane % n + lane / n * 33);
    }
    for (int offset = 1; offset <= 31; offset += 3)
        EACH_LANE("misaligned by", offset, lane + offset);
    EACH_LANE("reversed", 0, 31 - lane);
    EACH_LANE("one lane", 0, lane == 17 ? 3 : -1);
    EACH_LANE("one lane in each group of 8", 0, lane % 8 == 3 ? 8 : -1);
    EACH_LANE("one lane in each group of 8, same banks", 0, lane % 8 == 3 ? lane / 8 * 32 : -1);
    EACH_LANE("one lane in each group of 8, other banks", 0, lane % 8 == 3 ? lane / 8 * 3 : -1);
    EACH_LANE("halves equal", 0, lane % 16 * 3);
    EACH_LANE("quarters equal", 0, lane % 8 * 5);
    EACH_LANE("first half one bank, second half one element", 0, lane < 16 ? lane * 32 : 0);
    EACH_LANE("second quarter conflicts", 0, lane / 8 == 1 ? lane * 32 : lane);
    unsigned state = 1;
    for (int n = 0; n < 24; n++) {
        unsigned range = n % 3 == 0 ? 32 : n % 3 == 1 ? 128 : TILE;
        for (int lane = 0; lane < 32; lane++) {
            pattern[lane] = (int)(next_random(&state) % range);
            if (n % 2 && next_random(&state) % 3 == 0)
                pattern[lane] = -1;
        }
        run_types("random", n, pattern);
    }
    for (int trips = 1; trips <= 16; trips *= 4) {
        if (announce("branch_in_loop", "trips", trips, NULL, NULL))
            branch_in_loop<<<1, 32>>>((const int *)device_in, (int *)device_out, trips);
    }
    for (int threads = 1; threads <= 128; threads += 27) {
        if (announce("partial", "threads", threads, NULL, NULL))
            partial<<<3, threads>>>((const float *)device_in, (float *)device_out, 2 * threads + 1);
    }
    for (int n = 1; n <= 32; n *= 2) {
        for (int lane = 0; lane < 32; lane++)
            pattern[lane] = lane / n * n;
        if (announce("atomics", "every n-th element", n, pattern, NULL)) {
            check(cudaMemcpy(device_pattern, pattern, sizeof pattern, cudaMemcpyHostToDevice), "");
            atomics<<<1, 32>>>(counters, sums, device_pattern);
        }
    }

    /* Few lanes that share 16-byte elements, within halves of the warp and across them. */
    static const unsigned sets[] = {0x00010001, 0x00000101, 0x00000003, 0x00030003, 0x0000ffff,
                                    0xffff0000, 0x55555555, 0x00ff00ff, 0x0001ffff, 0x7fffffff,
                                    0x01010101, 0x0f0f0f0f, 0x000f000f, 0x11111111, 0x00010003,
                                    0x00010101, 0x00110011, 0x80000001};
    for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
        EACH_LANE("one element, lanes", (int)sets[i], sets[i] >> lane & 1 ? 8 : -1);
        EACH_LANE("element lane % 16, lanes", (int)sets[i], sets[i] >> lane & 1 ? lane % 16 : -1);
        EACH_LANE("element lane % 8, lanes", (int)sets[i], sets[i] >> lane & 1 ? lane % 8 : -1);
        EACH_LANE("element lane / 2 % 4, lanes", (int)sets[i],
                  sets[i] >> lane & 1 ? lane / 2 % 4 : -1);
    }
    EACH_LANE("pairs in the first half only", 0, lane < 16 ? lane / 2 : lane);
    EACH_LANE("pairs in the second half only", 0, lane < 16 ? lane : lane / 2);
    EACH_LANE("pairs by 1 in one half, by 2 in the other", 0, lane < 16 ? lane / 2 : lane & ~2);
    EACH_LANE("pairs in the first quarter only", 0, lane < 8 ? lane / 2 : lane);

    /* cp.async: rows of `width` lanes, `pitch` bytes apart in global memory, packed in the tile. */
    int2 place[32];
#define EACH_COPY(size, name, a, from, to, active)                                                 \
    do {                                                                                           \
        for (int lane = 0; lane < 32; lane++)                                                      \
            place[lane] = make_int2((active) ? (from) : -1, to);                                   \
        run_async(size, name, a, place);                                                           \
    } while (0)
    for (int size = 4; size <= 16; size *= 2) {
        for (int offset = 0; offset < 128; offset += size == 4 ? 12 : 16) {
            EACH_COPY(size, "from offset", offset, lane * size + offset, lane * size, 1);
            EACH_COPY(size, "to offset", offset, lane * size, lane * size + offset, 1);
            EACH_COPY(size, "from and to offset", offset, lane * size + offset,
                      lane * size + offset, 1);
            EACH_COPY(size, "eight lanes from offset", offset, lane * size + offset, lane * size,
                      lane < 8);
            EACH_COPY(size, "seven lanes from offset", offset, lane * size + offset, lane * size,
                      lane < 7);
            EACH_COPY(size, "one lane from offset", offset, lane * size + offset, lane * size,
                      lane == 3);
            EACH_COPY(size, "rows of 8, seven used, from offset", offset,
                      lane / 8 * 2048 + lane % 8 * size + offset, lane * size, lane % 8 < 7);
            EACH_COPY(size, "rows of 8, first and third, from offset", offset,
                      lane / 8 * 2048 + lane % 8 * size + offset, lane * size, lane / 8 % 2 == 0);
        }
        for (int pitch = 128; pitch <= 2048; pitch += 176) {
            EACH_COPY(size, "rows of 8 with pitch", pitch, lane / 8 * pitch + lane % 8 * size,
                      lane * size, 1);
            EACH_COPY(size, "rows of 8, seven used, with pitch", pitch,
                      lane / 8 * pitch + lane % 8 * size, lane * size, lane % 8 < 7);
            EACH_COPY(size, "rows of 4 with pitch", pitch, lane / 4 * pitch + lane % 4 * size,
                      lane * size, 1);
        }
        for (int stride = 1; stride <= 16; stride++) {
            EACH_COPY(size, "from every n-th element", stride, lane * size * stride, lane * size,
                      1);
            EACH_COPY(size, "to every n-th element", stride, lane * size, lane * size * stride, 1);
        }
        for (int n = 1; n <= 16; n *= 2) {
            EACH_COPY(size, "from lane ^ n", n, (lane ^ n) * size, lane * size, 1);
            EACH_COPY(size, "to lane ^ n", n, lane * size, (lane ^ n) * size, 1);
            EACH_COPY(size, "n lanes from one element", n, lane / n * n * size, lane * size, 1);
            EACH_COPY(size, "every n-th lane", n, lane * size, lane * size, lane % n == 0);
        }
        for (int n = 0; n < 16; n++) {
            for (int lane = 0; lane < 32; lane++) {
                int from = (int)(next_random(&state) % 256) * size, to = (lane * 5 + n) % 32 * size;
                place[lane] = make_int2(n % 2 && next_random(&state) % 3 == 0 ? -1 : from, to);
            }
            run_async(size, "random", n, place);
        }
    }

    /* How lanes share elements of 8 and 16 bytes: an element for each value of the bits `keep` of
     * the lane's number, some lanes left out, in half of the patterns one lane with another. */
    for (int n = 0; n < 160; n++) {
        static const unsigned strides[] = {1, 1, 3, 8}, densities[] = {32, 32, 24, 16, 8};
        unsigned keep = next_random(&state) % 32, stride = strides[next_random(&state) % 4];
        unsigned density = densities[next_random(&state) % 5];
        for (int lane = 0; lane < 32; lane++)
            pattern[lane] = next_random(&state) % 32 < density ? (int)((lane & keep) * stride) : -1;
        int odd = (int)(next_random(&state) % 32);
        if (n % 2 && pattern[odd] >= 0)
            pattern[odd] = 1 + (int)(next_random(&state) % 64);
        run_probe<float2>("probe<float2>", "shared by bits", n, pattern);
        run_probe<float4>("probe<float4>", "shared by bits", n, pattern);
    }
    /* One element for any set of lanes, and one for each pair of lanes 4, 8 or 16 apart. */
    for (int n = 0; n < 48; n++) {
        unsigned lanes = next_random(&state) << 16 ^ next_random(&state);
        for (int i = n / 16 % 3; i > 0; i--)
            lanes &= next_random(&state) << 16 ^ next_random(&state);
        int apart = 4 << n % 3;
        for (int lane = 0; lane < 32; lane++)
            pattern[lane] = lanes >> lane & 1 ? 8 : -1;
        run_probe<float4>("probe<float4>", "one element, some lanes", n, pattern);
        lanes |= lanes >> apart & next_random(&state);
        for (int lane = 0; lane < 32; lane++)
            pattern[lane] = lanes >> lane & 1 ? lane & ~apart : -1;
        run_probe<float2>("probe<float2>", "pairs apart", n, pattern);
        run_probe<float4>("probe<float4>", "pairs apart", n, pattern);
    }
    for (int n = 1; n <= 32; n++) {
        EACH_LANE_OF(float4, "one element, first n lanes", n, lane < n ? 8 : -1);
        EACH_LANE_OF(float4, "one element, lanes 0 and n - 1", n,
                     lane == 0 || lane == n - 1 ? 8 : -1);
        EACH_LANE_OF(float4, "elements of pairs, first n lanes", n, lane < n ? lane / 2 : -1);
    }
    /* Halves that read the same with few lanes; in a third of the patterns some lanes of the second
     * half are left out, in another one of them reads something else. */
    for (int n = 0; n < 96; n++) {
        unsigned half = next_random(&state) & 0xffff, keep = next_random(&state) % 16;
        if (n % 2)
            half &= next_random(&state);
        unsigned lanes = half | (n % 3 == 1 ? half & next_random(&state) : half) << 16;
        for (int lane = 0; lane < 32; lane++)
            pattern[lane] = lanes >> lane & 1 ? (int)(lane & keep) : -1;
        int odd = 16 + (int)(next_random(&state) % 16);
        if (n % 3 == 2 && pattern[odd] >= 0)
            pattern[odd] = (int)(next_random(&state) % 32);
        run_probe<float4>("probe<float4>", "halves alike", n, pattern);
    }
    /* Parts of a warp that begin anywhere, with narrow elements at odd places. */
    for (int n = 0; n < 12; n++) {
        int first = (int)(next_random(&state) % 32), last = (int)(next_random(&state) % 32);
        EACH_LANE_OF(char, "lanes of a range, misaligned by", n,
                     lane >= first && lane <= last ? lane + n * 7 : -1);
        EACH_LANE_OF(short, "lanes of a range, misaligned by", n,
                     lane >= first && lane <= last ? lane + n * 5 : -1);
        EACH_LANE_OF(char, "scattered bytes", n, (int)(next_random(&state) % 512));
        EACH_LANE_OF(short, "scattered pairs of bytes", n, (int)(next_random(&state) % 512));
    }
    /* cp.async where some lanes, or all, read nothing and write zeros. */
    for (int size = 4; size <= 16; size *= 2)
        for (int n = 1; n <= 32; n *= 2) {
            EACH_ZEROS(size, "the last of n lanes", n, lane % n == n - 1, lane * size, 1);
            EACH_ZEROS(size, "lanes from n on", n, lane >= n, lane * size, 1);
            EACH_ZEROS(size, "lanes from n on, one in two copies", n, lane >= n, lane * size,
                       lane % 2);
            EACH_ZEROS(size, "lanes from n on, misaligned", n, lane >= n, lane * size + size, 1);
        }

    if (!list_only) {
        check(cudaGetLastError(), "launch");
        check(cudaDeviceSynchronize(), "end");
    }
    return 0;
}
