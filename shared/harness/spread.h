/*
 * A matrix spread over several GPUs: its blocks, its memory, its verification.
 *
 * Device g holds rows first_row[g] to first_row[g + 1] of the rows x cols input and rows
 * first_col[g] to first_col[g + 1] of the cols x rows output, both row-major and packed. So each
 * pair of devices has one block to move: from g to h, rows_of(g) x cols_of(h) floats.
 *
 * Usually one process drives all devices. Where each process drives one, it knows the pointers of
 * its own device alone.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include "harness.h"

enum { MAX_GPUS = 8, TOUCHED_ROWS = 1024 };

typedef struct {
    int gpus, rows, cols;
    int first_row[MAX_GPUS + 1], first_col[MAX_GPUS + 1];
    const float *in[MAX_GPUS];     /* on device g, aligned to 256 bytes; NULL in another process */
    float *out[MAX_GPUS];          /* the same */
    float *touched[MAX_GPUS];      /* for touch_output() */
    cudaStream_t stream[MAX_GPUS]; /* of device g: a launch begins and ends here */
    cudaEvent_t event[MAX_GPUS];   /* of device g, for follow() and join_devices() */
    int begin, end;                /* the devices of this process: begin <= g < end */
} Spread;

/* Starts the operation on every device of this process, after the work that stream[g] holds and before
 * work that is submitted to stream[g] later. */
typedef void (*LaunchMany)(const Spread *spread);

/* Host work that must not be timed (streams, staging buffers, graphs), once before the first launch.
 * Returns NULL, or why the variant cannot run. */
typedef const char *(*PrepareMany)(const Spread *spread);

typedef struct {
    const char *name;
    LaunchMany launch;
    Operation operation;          /* COPY: moves the same blocks without transposing; a ceiling */
    PrepareMany prepare = NULL;   /* NULL if there is nothing to prepare */
    int needs_peers = 0;          /* its kernels use the memory of other devices */
    int multiple = 0;             /* rows and cols of every block must be multiples; 0: any */
    int capability = 0;           /* as in Variant */
    int one_device_a_process = 0; /* can also run with one process per device */
} ManyVariant;

/* Return the number of rows of the input, and of rows of the output, that device g holds. */
static __host__ __device__ __forceinline__ int rows_of(const Spread *s, int g)
{
    return s->first_row[g + 1] - s->first_row[g];
}

static __host__ __device__ __forceinline__ int cols_of(const Spread *s, int h)
{
    return s->first_col[h + 1] - s->first_col[h];
}

/* Returns the value of the first of two environment variables that is set, or NULL. */
static inline const char *first_of(const char *a, const char *b)
{
    return getenv(a) ? getenv(a) : getenv(b);
}

/* Returns CUDA's number of device g. One of several processes uses the device of its local rank. */
static inline int device_number(const Spread *s, int g)
{
    const char *local = first_of("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK");
    int count = 1;
    if (s->end - s->begin == s->gpus)
        return g;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    return (local ? atoi(local) : g) % count;
}

static inline void use_device(const Spread *s, int g)
{
    CUDA_CHECK(cudaSetDevice(device_number(s, g)));
}

/* Makes later work in stream `after` wait for the work that `before`, a stream of device g, holds now. */
static inline void follow(const Spread *s, int g, cudaStream_t after, cudaStream_t before)
{
    CUDA_CHECK(cudaEventRecord(s->event[g], before));
    CUDA_CHECK(cudaStreamWaitEvent(after, s->event[g], 0));
}

/* Makes every device wait for every other, so that later work on any device can use the whole output. */
static inline void join_devices(const Spread *s)
{
    for (int g = s->begin; g < s->end; g++)
        CUDA_CHECK(cudaEventRecord(s->event[g], s->stream[g]));
    for (int g = s->begin; g < s->end; g++)
        for (int h = s->begin; h < s->end; h++)
            if (h != g)
                CUDA_CHECK(cudaStreamWaitEvent(s->stream[g], s->event[h], 0));
}

/* Waits until all devices of this process are idle. */
static inline void wait_for_devices(const Spread *s)
{
    for (int g = s->begin; g < s->end; g++) {
        use_device(s, g);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

/* Returns the bytes that a transposition sends from one device to others, averaged over the devices. */
static inline double bytes_leaving(const Spread *s)
{
    double elements = (double)s->rows * s->cols;
    for (int g = 0; g < s->gpus; g++)
        elements -= (double)rows_of(s, g) * cols_of(s, g);
    return elements * sizeof(float) / s->gpus;
}

/* Lets every device use every other's memory. Returns NULL, or which pair cannot. */
static inline const char *enable_peers(const Spread *s)
{
    static char reason[80];
    for (int g = s->begin; g < s->end; g++)
        for (int h = s->begin; h < s->end; h++) {
            int can = 1;
            if (h != g)
                CUDA_CHECK(cudaDeviceCanAccessPeer(&can, g, h));
            if (!can) {
                snprintf(reason, sizeof reason, "device %d cannot use the memory of device %d", g,
                         h);
                return reason;
            }
        }
    for (int g = s->begin; g < s->end; g++)
        for (int h = s->begin; h < s->end; h++)
            if (h != g) {
                use_device(s, g);
                cudaError_t error = cudaDeviceEnablePeerAccess(h, 0);
                if (error != cudaErrorPeerAccessAlreadyEnabled)
                    CUDA_CHECK(error);
                else
                    cudaGetLastError();
            }
    return NULL;
}

/* ---- memory and verification ---- */

static HOOK_UNWATCHED __global__ void fill_rows(float *in, uint64_t count, uint64_t first)
{
    for (uint64_t i = first_index(); i < count; i += index_stride())
        ((uint32_t *)in)[i] = input_bits(first + i);
}

/* Returns the index in the whole input of the element that belongs at index i of device h's output. A
 * COPY moves block by block, each contiguous on both sides. */
static __host__ __device__ inline uint64_t source_of(const Spread *s, Operation operation, int h,
                                                     uint64_t i)
{
    if (operation == TRANSPOSE)
        return i % s->rows * s->cols + s->first_col[h] + i / s->rows;
    uint64_t cols = cols_of(s, h);
    int g = 0;
    while (i >= cols * s->first_row[g + 1])
        g++;
    return (uint64_t)s->first_row[g] * s->cols + (uint64_t)rows_of(s, g) * s->first_col[h] + i -
           cols * s->first_row[g];
}

static HOOK_UNWATCHED __global__ void compare_rows(const float *out, uint64_t count, Spread s,
                                                   Operation operation, int h,
                                                   unsigned long long *wrong)
{
    unsigned long long mine = 0, lowest = ~0ull;
    for (uint64_t i = first_index(); i < count; i += index_stride())
        if (((const uint32_t *)out)[i] != input_bits(source_of(&s, operation, h, i))) {
            mine++;
            lowest = i < lowest ? i : lowest;
        }
    if (mine) {
        atomicAdd(wrong, mine);
        atomicMin(wrong + 1, lowest);
    }
}

/* Return the number of elements of device g's input and output. */
static inline uint64_t in_count(const Spread *s, int g)
{
    return (uint64_t)rows_of(s, g) * s->cols;
}
static inline uint64_t out_count(const Spread *s, int g)
{
    return (uint64_t)cols_of(s, g) * s->rows;
}

/* Fills the input and the output, with its guard bands, of device g, in its stream. */
static inline void fill_device(const Spread *s, int g)
{
    use_device(s, g);
    uint64_t in = in_count(s, g), out = out_count(s, g) + 2 * GUARD;
    if (in)
        fill_rows<<<check_blocks(in), HOOK_CHECK_THREADS, 0, s->stream[g]>>>(
            (float *)s->in[g], in, (uint64_t)s->first_row[g] * s->cols);
    fill_poison<<<check_blocks(out), HOOK_CHECK_THREADS, 0, s->stream[g]>>>(
        s->out[g] - GUARD, out, sizeof(float), poisons[0]);
    CUDA_CHECK(cudaGetLastError());
    hook_after_fill(s->in[g], in * sizeof(float));
    hook_after_fill(s->out[g] - GUARD, out * sizeof(float));
}

/* Allocates memory, streams and events for a rows x cols matrix on `gpus` devices. This process
 * drives begin <= g < end. Blocks of rows, and of columns, differ by at most one. */
static inline Spread spread_matrix(int gpus, int begin, int end, int rows, int cols)
{
    Spread s = {};
    s.gpus = gpus, s.rows = rows, s.cols = cols, s.begin = begin, s.end = end;
    for (int g = 0; g <= gpus; g++) {
        s.first_row[g] = (int)((int64_t)rows * g / gpus);
        s.first_col[g] = (int)((int64_t)cols * g / gpus);
    }
    for (int g = begin; g < end; g++) {
        use_device(&s, g);
        float *guarded;
        CUDA_CHECK(cudaMalloc((void **)&s.in[g], (in_count(&s, g) + 4) * sizeof(float)));
        CUDA_CHECK(cudaMalloc((void **)&guarded, (out_count(&s, g) + 2 * GUARD) * sizeof(float)));
        CUDA_CHECK(cudaMalloc((void **)&s.touched[g], TOUCHED_ROWS * sizeof(float)));
        s.out[g] = guarded + GUARD;
        CUDA_CHECK(cudaStreamCreateWithFlags(&s.stream[g], cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&s.event[g], cudaEventDisableTiming));
    }
    return s;
}

static inline void free_spread(Spread *s)
{
    for (int g = s->begin; g < s->end; g++) {
        use_device(s, g);
        CUDA_CHECK(cudaFree((void *)s->in[g]));
        CUDA_CHECK(cudaFree(s->out[g] - GUARD));
        CUDA_CHECK(cudaFree(s->touched[g]));
        CUDA_CHECK(cudaStreamDestroy(s->stream[g]));
        CUDA_CHECK(cudaEventDestroy(s->event[g]));
    }
}

/* Compares device g's output with what the operation demands, in the device's stream. Returns 1 if every
 * bit is right, else 0 after a report. */
static inline int verify_device(const ManyVariant *variant, const Spread *s, int g)
{
    use_device(s, g);
    uint64_t count = out_count(s, g), at;
    unsigned long long *result, found[4] = {0, ~0ull, 0, ~0ull};
    CUDA_CHECK(cudaMalloc((void **)&result, sizeof found));
    CUDA_CHECK(cudaMemcpy(result, found, sizeof found, cudaMemcpyHostToDevice));
    if (count)
        compare_rows<<<check_blocks(count), HOOK_CHECK_THREADS, 0, s->stream[g]>>>(
            s->out[g], count, *s, variant->operation, g, result);
    compare_guards<<<check_blocks(2 * GUARD), HOOK_CHECK_THREADS, 0, s->stream[g]>>>(
        s->out[g], count, GUARD, sizeof(float), poisons[0], result + 2, result + 3);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamSynchronize(s->stream[g]));
    CUDA_CHECK(cudaMemcpy(found, result, sizeof found, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(result));
    if (found[0]) {
        uint32_t actual;
        at = found[1];
        CUDA_CHECK(cudaMemcpy(&actual, s->out[g] + at, sizeof actual, cudaMemcpyDeviceToHost));
        fprintf(stderr,
                "%s: device %d: %llu of %llu elements differ; the first is row %llu, column %llu "
                "of the output: expected bits 0x%08x, ",
                variant->name, g, found[0], (unsigned long long)count,
                (unsigned long long)(at / s->rows + s->first_col[g]),
                (unsigned long long)(at % s->rows),
                input_bits(source_of(s, variant->operation, g, at)));
        fprintf(stderr, actual == poisons[0] ? "untouched\n" : "actual 0x%08x\n", actual);
    }
    if (found[2])
        fprintf(stderr, "%s: device %d: %llu elements were written outside its output\n",
                variant->name, g, found[2]);
    return !found[0] && !found[2];
}

/* Copies an element of each block from the first rows of every output, in the device's stream. So a tool that
 * orders copies and kernels sees whether a launch is ordered with what comes before and after it. */
static inline void touch_output(const Spread *s)
{
    for (int g = s->begin; g < s->end; g++) {
        int rows = cols_of(s, g) < TOUCHED_ROWS ? cols_of(s, g) : TOUCHED_ROWS;
        use_device(s, g);
        for (int h = 0; h < s->gpus && rows; h++)
            if (rows_of(s, h))
                CUDA_CHECK(cudaMemcpy2DAsync(s->touched[g], sizeof(float),
                                             s->out[g] + s->first_row[h], s->rows * sizeof(float),
                                             sizeof(float), rows, cudaMemcpyDeviceToDevice,
                                             s->stream[g]));
    }
}

/* Runs one variant on poisoned outputs and compares all devices' outputs: 1 if all are right. The launch is
 * ordered with the kernels before and after it by streams and events alone, so that a missing one shows. */
static inline int verify_many(const ManyVariant *variant, const Spread *s)
{
    for (int g = s->begin; g < s->end; g++)
        fill_device(s, g);
    touch_output(s);
    join_devices(s);
    hook_before_launch(variant->name);
    variant->launch(s);
    hook_after_launch();
    join_devices(s);
    touch_output(s);
    CUDA_CHECK(cudaGetLastError());
    int good = 1;
    for (int g = s->begin; g < s->end; g++)
        good &= verify_device(variant, s, g);
    return good;
}

#endif
