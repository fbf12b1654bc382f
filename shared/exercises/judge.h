/*
 * Runs an exercise's launch function and verifies what it did, for every operation that exercises
 * have. The input is random and differs from run to run; every byte of the output is compared on
 * the host; sizes are ragged as well as round. What the operation is, is read from the lines at the
 * top of an exercise file (see shared/exercises/README.md).
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "exercise.h"
#include <signal.h>
#include <string.h>

typedef enum { OP_COPY, OP_TRANSPOSE, OP_BATCH, OP_IN_PLACE, OP_CONVERT, OPS } Op;
static const char *const op_names[OPS] = {"copy", "transpose", "batch", "in_place", "convert"};

typedef struct {
    Op op;
    int bytes;      /* of an input element */
    int out_bytes;  /* of an output element */
    int multiple;   /* rows and cols are multiples of it */
    int rows, cols; /* where traffic is counted */
    int count;      /* matrices of a batch, else 1 */
    int capability; /* least compute capability, as in Variant */
} Task;

enum { POISON_BYTE = 0xc5 };

/* Reads the lines "// operation: NAME [elements=BYTES] [count=N]", "// multiple: N", "// counted:
 * ROWS x COLS" and "// capability: N". 0 if the file cannot be read or has no operation. */
static inline int read_task(const char *path, Task *task)
{
    char line[512], name[32];
    int known = 0;
    FILE *file = fopen(path, "r");
    *task = Task{OP_COPY, 4, 4, 1, 256, 256, 1, 0};
    while (file && fgets(line, sizeof line, file)) {
        const char *elements = strstr(line, "elements="), *count = strstr(line, "count=");
        if (sscanf(line, "// operation: %31s", name) == 1) {
            for (int op = 0; op < OPS; op++)
                if (!strcmp(name, op_names[op])) {
                    task->op = (Op)op;
                    known = 1;
                }
            task->bytes = elements ? atoi(elements + 9) : task->op == OP_CONVERT ? 1 : 4;
            task->out_bytes = task->op == OP_CONVERT ? 4 : task->bytes;
            task->count = count ? atoi(count + 6) : task->op == OP_BATCH ? 3 : 1;
        }
        sscanf(line, "// multiple: %d", &task->multiple);
        sscanf(line, "// counted: %d x %d", &task->rows, &task->cols);
        sscanf(line, "// capability: %d", &task->capability);
    }
    if (file)
        fclose(file);
    return known;
}

static uint64_t judge_seed;

static inline uint64_t judge_hash(uint64_t place)
{
    uint64_t h = (place + judge_seed) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
    return h ^ h >> 32;
}

/* Four-byte elements are positive normal floats; others are any bits. */
static inline void fill(const Task *task, unsigned char *in, size_t elements)
{
    for (size_t i = 0; i < elements; i++)
        for (int b = 0; b < task->bytes; b += 8) {
            uint64_t h = judge_hash(2 * i + b / 8);
            if (task->bytes == 4)
                h = 0x30000000u | (uint32_t)(h >> 35);
            memcpy(in + i * task->bytes + b, &h, task->bytes < 8 ? task->bytes : 8);
        }
}

/* The bytes that output element i must hold. */
static inline void expect(const Task *task, const Call *call, const unsigned char *in, size_t i,
                          unsigned char *element)
{
    size_t area = (size_t)call->rows * call->cols, within = i % area, from = i;
    if (task->op != OP_COPY)
        from = i / area * area + within % call->rows * call->cols + within / call->rows;
    if (task->op == OP_CONVERT) {
        float value = in[from];
        memcpy(element, &value, 4);
    } else {
        memcpy(element, in + from * task->bytes, task->bytes);
    }
}

/* What a run found. Rows and columns are the output's. */
typedef struct {
    uint64_t wrong, elements;  /* elements that differ, and how many there are */
    uint64_t matrix, row, col; /* the first */
    int untouched;             /* nobody wrote it */
    int holds;                 /* 1: it holds the element of found_row, found_col */
    uint64_t found_row, found_col;
    int input_changed, outside; /* outside: guard bands written, where there are any */
} Finding;

/* The CPU run finds accesses outside by itself, and names their line. */
enum { GUARD_BYTES = HOOK_FINDS_STRAY_ACCESSES ? 0 : 1 << 16 };

/* The place in the input of the element that the output holds wrongly, if it is one of it. */
static inline int find_source(const Task *task, const unsigned char *in, size_t elements,
                              const unsigned char *actual, uint64_t *place)
{
    if (task->bytes < 4)
        return 0; /* too few values to tell */
    for (size_t i = 0; i < elements; i++)
        if (!memcmp(in + i * task->bytes, actual, task->bytes)) {
            *place = i;
            return 1;
        }
    return 0;
}

static inline void *judge_allocate(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_NO_DEVICE);
    }
    return p;
}

/* Launches once on fresh data and compares. `around` brackets the launch. */
static inline Finding judge_run_once(const Task *task, int rows, int cols,
                                     void (*around)(const Call *))
{
    Finding f = {};
    size_t elements = (size_t)rows * cols * task->count;
    size_t in_bytes = elements * task->bytes, out_bytes = elements * task->out_bytes;
    unsigned char *in = (unsigned char *)judge_allocate(in_bytes), *device_in = NULL, *device_out;
    unsigned char *out = (unsigned char *)judge_allocate(out_bytes + 2 * GUARD_BYTES), element[16];
    fill(task, in, elements);
    memset(out, POISON_BYTE, out_bytes + 2 * GUARD_BYTES);
    CUDA_CHECK(cudaMalloc((void **)&device_out, out_bytes + 2 * GUARD_BYTES));
    if (task->op == OP_IN_PLACE)
        memcpy(out + GUARD_BYTES, in, in_bytes);
    else
        CUDA_CHECK(cudaMalloc((void **)&device_in, in_bytes));
    CUDA_CHECK(cudaMemcpy(device_out, out, out_bytes + 2 * GUARD_BYTES, cudaMemcpyHostToDevice));
    if (device_in)
        CUDA_CHECK(cudaMemcpy(device_in, in, in_bytes, cudaMemcpyHostToDevice));

    Call call = {device_in, device_out + GUARD_BYTES, rows, cols, task->count};
    around(&call);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());

    CUDA_CHECK(cudaMemcpy(out, device_out, out_bytes + 2 * GUARD_BYTES, cudaMemcpyDeviceToHost));
    f.elements = elements;
    for (int i = 0; i < GUARD_BYTES; i++)
        f.outside |= out[i] != POISON_BYTE || out[GUARD_BYTES + out_bytes + i] != POISON_BYTE;
    for (size_t i = 0; i < elements; i++) {
        const unsigned char *actual = out + GUARD_BYTES + i * task->out_bytes;
        expect(task, &call, in, i, element);
        if (!memcmp(element, actual, task->out_bytes))
            continue;
        if (f.wrong++ == 0) {
            size_t width = task->op == OP_COPY ? cols : rows, area = (size_t)rows * cols;
            uint64_t place;
            f.matrix = i / area;
            f.row = i % area / width;
            f.col = i % area % width;
            f.untouched = task->op != OP_IN_PLACE;
            for (int b = 0; b < task->out_bytes; b++)
                f.untouched &= actual[b] == POISON_BYTE;
            if (!f.untouched && task->op != OP_CONVERT &&
                find_source(task, in, elements, actual, &place)) {
                f.holds = 1;
                f.found_row = place % area / cols;
                f.found_col = place % area % cols;
            }
        }
    }
    if (device_in) {
        unsigned char *again = (unsigned char *)judge_allocate(in_bytes);
        CUDA_CHECK(cudaMemcpy(again, device_in, in_bytes, cudaMemcpyDeviceToHost));
        f.input_changed = memcmp(in, again, in_bytes) != 0;
        free(again);
        CUDA_CHECK(cudaFree(device_in));
    }
    CUDA_CHECK(cudaFree(device_out));
    free(in);
    free(out);
    return f;
}

/* Sizes beside the counted one; rows and cols go up to the task's multiple, and a matrix that is
 * transposed in place is square. 0 when there are no more. */
static inline int ragged_size(const Task *task, int number, int *rows, int *cols)
{
    static const int sizes[][2] = {{33, 65}, {100, 70}, {7, 300}, {130, 31}, {1, 1}};
    if (number >= COUNT_OF(sizes))
        return 0;
    *rows = tiles(sizes[number][0], task->multiple) * task->multiple;
    *cols = tiles(sizes[number][1], task->multiple) * task->multiple;
    if (task->op == OP_IN_PLACE)
        *cols = *rows;
    return 1;
}

static inline int right(const Finding *f) { return !f->wrong && !f->outside && !f->input_changed; }

/* ---- an exercise built alone ---- */

static Call alone_call;

static inline void alone_launch(const float *, float *, int, int) { exercise_launch(&alone_call); }

/* Bandwidth beside the copy ceiling of the same run, at the largest square that fits in 1 GB. */
static inline void measure_alone(const Task *task)
{
    int side = 16384;
    while ((size_t)side * side * task->count * (task->bytes + task->out_bytes) > (1u << 30))
        side /= 2;
    size_t bytes = (size_t)side * side * task->count * (task->bytes + task->out_bytes);
    size_t floats = bytes / 8; /* the ceiling moves as many bytes: half of them in, half out */
    Buffers buffers = allocate_buffers(1, (int)floats);
    void *in = NULL, *out = NULL;
    CUDA_CHECK(cudaMalloc(&in, bytes));
    CUDA_CHECK(cudaMalloc(&out, bytes));
    CUDA_CHECK(cudaMemset(in, 0, bytes));
    CUDA_CHECK(cudaMemset(out, 0, bytes));
    alone_call = Call{in, out, side, side, task->count};
    static const Variant variant = {"exercise", alone_launch, 1, 0};
    Contender contenders[COPIES + 1];
    for (int c = 0; c <= COPIES; c++)
        contenders[c] = Contender{c < COPIES ? &copies[c] : &variant, 0, NULL, {NAN, NAN}};
    measure(contenders, COUNT_OF(contenders), DEFAULT_ROUNDS, &buffers);
    double ceiling = contenders[fastest(contenders, COPIES)].time.median;
    double ms = contenders[COPIES].time.median;
    printf("%d x %d: %.0f GB/s, %.1f %% of the fastest copy\n", side, side, bytes / ms / 1e6,
           100 * ceiling / ms);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
    free_buffers(&buffers);
}

/* The main of an exercise built alone: verifies at every size; measures where there is a GPU. */
static inline int judge_alone(const char *source)
{
    Task task;
    char beside[4096]; /* a solution has no goal lines: they are its neighbour's */
    const char *slash = strrchr(source, '/');
    snprintf(beside, sizeof beside, "%.*stask.cu", slash ? (int)(slash - source) + 1 : 0, source);
    if (!read_task(source, &task) && !read_task(beside, &task)) {
        fprintf(stderr, "%s: no operation line found: run this where it was compiled\n", source);
        return EXIT_USAGE;
    }
    Device device = open_device(0);
    if (task.capability > device.capability) {
        printf("needs compute capability %d.%d; this device has %d.%d\n", task.capability / 10,
               task.capability % 10, device.capability / 10, device.capability % 10);
        return EXIT_NO_DEVICE;
    }
    judge_seed = 1;
    int rows = task.rows, cols = task.cols, failures = 0;
    for (int n = 0; n == 0 || ragged_size(&task, n - 1, &rows, &cols); n++) {
        Finding f = judge_run_once(&task, rows, cols, exercise_launch);
        printf("%d x %d: %s", rows, cols, right(&f) ? "verified" : "WRONG");
        if (f.wrong)
            printf(": %llu elements differ, the first in output row %llu, column %llu",
                   (unsigned long long)f.wrong, (unsigned long long)f.row,
                   (unsigned long long)f.col);
        printf("%s%s\n", f.outside ? ": written outside the matrix" : "",
               f.input_changed ? ": the input was overwritten" : "");
        failures += !right(&f);
    }
    if (!failures && HOOK_TIMES)
        measure_alone(&task);
    return failures ? EXIT_FAULT : EXIT_OK;
}

#endif
