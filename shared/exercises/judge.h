/*
 * The main of an exercise that is built alone: runs its launch function, compares every byte of the
 * output on the host at round and at ragged sizes, and measures it where there is a GPU. The operation
 * comes from the lines at the top of the exercise (see shared/exercises/README.md).
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "exercise.h"
#include "task.h"
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

static uint64_t judge_seed;

/* Bytes of poison before and behind the output. The CPU run needs none: it finds every access
 * outside the matrix itself. */
enum { GUARD_BYTES = HOOK_FINDS_STRAY_ACCESSES ? 0 : 1 << 16 };

static inline void *judge_allocate(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_NO_DEVICE);
    }
    return p;
}

/* Calls `launch` once on fresh data. Returns the result of comparing the output. */
static inline Finding judge_run_once(const Task *task, int rows, int cols,
                                     void (*launch)(const Call *))
{
    Finding f = {};
    size_t elements = (size_t)rows * cols * task->count;
    size_t in_bytes = elements * task->bytes, out_bytes = elements * task->out_bytes;
    unsigned char *in = (unsigned char *)judge_allocate(in_bytes), *device_in = NULL, *device_out;
    unsigned char *out = (unsigned char *)judge_allocate(out_bytes + 2 * GUARD_BYTES);
    fill_task(task, in, elements, judge_seed);
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
    launch(&call);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());

    CUDA_CHECK(cudaMemcpy(out, device_out, out_bytes + 2 * GUARD_BYTES, cudaMemcpyDeviceToHost));
    f = compare_output(task, rows, cols, in, out + GUARD_BYTES);
    for (int i = 0; i < GUARD_BYTES; i++)
        f.outside |= out[i] != POISON_BYTE || out[GUARD_BYTES + out_bytes + i] != POISON_BYTE;
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

static inline int right(const Finding *f) { return !f->wrong && !f->outside && !f->input_changed; }

/* ---- an exercise built alone ---- */

static Call alone_call;

static inline void alone_launch(const float *, float *, int, int) { exercise_launch(&alone_call); }

/* Sets the size to measure, input and output together at most 1 GB. A batch of small matrices gets
 * more matrices; a narrow matrix (one side below 64, the other at least 16 times as long) becomes
 * longer; any other becomes the largest square, since a grid has at most 65535 blocks in y. Sides
 * keep their remainder modulo 8, so that rows begin at the same offsets within a sector as at the
 * counted size. */
static inline void measured_size(const Task *task, int *rows, int *cols, int *count)
{
    const size_t limit = 1u << 30, element = task->bytes + task->out_bytes;
    *count = task->count;
    if (task->count > 1 && task->rows < 64 && task->cols < 64) {
        *rows = task->rows;
        *cols = task->cols;
        *count = (int)(limit / element / *rows / *cols);
        return;
    }
    *rows = *cols = 16384;
    while ((size_t)*rows * *cols * *count * element > limit)
        *rows = *cols = *cols / 2;
    int few = task->rows < task->cols ? task->rows : task->cols;
    if (few < 64 && (task->rows + task->cols - few) / 16 >= few) {
        int many = (int)(limit / element / *count / few / 1024 * 1024);
        *rows = few == task->rows ? few : many;
        *cols = few == task->rows ? many : few;
        return;
    }
    *rows -= task->rows % 8 ? 8 - task->rows % 8 : 0;
    *cols -= task->cols % 8 ? 8 - task->cols % 8 : 0;
}

/* Prints the launch's bandwidth, in GB/s and in percent of the fastest copy of the same run. */
static inline void measure_alone(const Task *task)
{
    int rows, cols, count;
    measured_size(task, &rows, &cols, &count);
    size_t bytes = (size_t)rows * cols * count * (task->bytes + task->out_bytes);
    size_t floats = bytes / 8; /* the copy reads half of the bytes and writes half of them */
    Buffers buffers = allocate_buffers(1, (int)floats);
    void *in = NULL, *out = NULL;
    CUDA_CHECK(cudaMalloc(&in, bytes));
    CUDA_CHECK(cudaMalloc(&out, bytes));
    CUDA_CHECK(cudaMemset(in, 0, bytes));
    CUDA_CHECK(cudaMemset(out, 0, bytes));
    alone_call = Call{in, out, rows, cols, count};
    static const Variant variant = {"exercise", alone_launch, 1, 0};
    Contender contenders[COPIES + 1];
    for (int c = 0; c <= COPIES; c++)
        contenders[c] = Contender{c < COPIES ? &copies[c] : &variant, 0, NULL, {NAN, NAN}};
    measure(contenders, COUNT_OF(contenders), DEFAULT_ROUNDS, &buffers);
    double ceiling = contenders[fastest(contenders, COPIES)].time.median;
    double ms = contenders[COPIES].time.median;
    printf("%d x %d: %.4f ms, %.0f GB/s, %.1f %% of the fastest copy\n", rows, cols, ms,
           bytes / ms / 1e6, 100 * ceiling / ms);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
    free_buffers(&buffers);
}

/* Waits until no other process measures an exercise, if EXERCISE_TURN names a lock file. */
static inline void wait_for_turn(void)
{
    const char *path = getenv("EXERCISE_TURN");
    int turn = path ? open(path, O_RDWR | O_CREAT, 0666) : -1;
    if (turn >= 0)
        flock(turn, LOCK_EX);
}

/* Verifies the launch function at every size and then measures it; returns the exit status. */
static inline int judge_alone(const char *source)
{
    Task task;
    char beside[4096]; /* task.cu in the same folder, whose goal lines a solution uses */
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
        hook_end_of_report(); /* counts cover the first size only, not the ragged ones */
    }
    if (!failures && HOOK_TIMES && !getenv("EXERCISE_VERIFY_ONLY")) {
        wait_for_turn();
        measure_alone(&task);
    }
    return failures ? EXIT_FAULT : EXIT_OK;
}

#endif
