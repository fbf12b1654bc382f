/*
 * Tests of the interface many.h, on GPUs or on the CPU run. Devices serve several parts where there are few.
 *
 *     many fuzz N         N random problems, stored directly and with staging memory
 *     many arguments      what is refused, and why
 *     many speed SIZE     GB/s that leave each device for SIZE x SIZE floats, directly and with staging memory
 *
 * Exit status: 0; 1 something was wrong; 2 wrong usage; 3 no device.
 */
#include "transpose/transpose.cu"

#define TRANSPOSE_STAGE_FROM 0 /* staging memory is used wherever it is given */
#include "transpose/many.cu"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GUARD = 64 }; /* bytes after each part of the output */

static int failures, devices;

static void must(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    printf("FAILED: %s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}
#define MUST(call) must((call), #call)

static void check(int good, const char *what)
{
    if (!good)
        failures++, printf("FAILED: %s\n", what);
}

/* The memory of a problem whose parts lie on device part % devices. */
typedef struct {
    TransposeMany t;
    int device[TRANSPOSE_MOST_DEVICES];
    void *in[TRANSPOSE_MOST_DEVICES], *out[TRANSPOSE_MOST_DEVICES];
    void *staging[TRANSPOSE_MOST_DEVICES];
    cudaStream_t stream[TRANSPOSE_MOST_DEVICES];
} Case;

/* Returns the bytes of part g of the input, or of the output. */
static size_t part_bytes(const TransposeMany *t, int of_output, int g)
{
    int64_t length = of_output ? t->cols : t->rows, width = of_output ? t->rows : t->cols;
    int64_t first = transpose_many_first(length, g, t->devices);
    return (transpose_many_first(length, g + 1, t->devices) - first) * width * t->element_bytes;
}

static void allocate(Case *c, int parts, int64_t rows, int64_t cols, int bytes, size_t staging)
{
    memset(c, 0, sizeof *c);
    c->t.devices = parts, c->t.rows = rows, c->t.cols = cols, c->t.element_bytes = bytes;
    c->t.in = c->in, c->t.out = c->out, c->t.device = c->device, c->t.stream = c->stream;
    c->t.staging = staging ? c->staging : NULL, c->t.staging_bytes = staging;
    for (int g = 0; g < parts; g++) {
        c->device[g] = g % devices;
        MUST(cudaSetDevice(c->device[g]));
        MUST(cudaMalloc(&c->in[g], part_bytes(&c->t, 0, g) + GUARD));
        MUST(cudaMalloc(&c->out[g], part_bytes(&c->t, 1, g) + GUARD));
        if (staging)
            MUST(cudaMalloc(&c->staging[g], staging));
        MUST(cudaStreamCreateWithFlags(&c->stream[g], cudaStreamNonBlocking));
    }
}

static void wait_and_free(Case *c, int keep)
{
    for (int g = 0; g < c->t.devices; g++) {
        MUST(cudaSetDevice(c->device[g]));
        MUST(cudaDeviceSynchronize());
    }
    for (int g = 0; g < c->t.devices && !keep; g++) {
        MUST(cudaSetDevice(c->device[g]));
        MUST(cudaFree(c->in[g]));
        MUST(cudaFree(c->out[g]));
        MUST(cudaFree(c->staging[g]));
        MUST(cudaStreamDestroy(c->stream[g]));
    }
}

/* Byte b of element i of the input. */
static unsigned char byte_of(size_t i, int b)
{
    uint64_t h = (i * 16 + b + 1) * 0x9e3779b97f4a7c15ull;
    return (unsigned char)(h >> 56 ^ h >> 32);
}

/* Transposes one problem and compares all parts of the output and their guards. The streams alone order the
 * call with the fills before it and the copies after it. */
static void one(int parts, int64_t rows, int64_t cols, int bytes, size_t staging)
{
    Case c;
    allocate(&c, parts, rows, cols, bytes, staging);
    size_t wrong = 0, width = (size_t)rows * bytes;
    for (int g = 0; g < parts; g++) {
        size_t count = part_bytes(&c.t, 0, g);
        size_t first = (size_t)transpose_many_first(rows, g, parts) * cols * bytes;
        unsigned char *host = (unsigned char *)malloc(count + 1);
        for (size_t i = 0; i < count; i++)
            host[i] = byte_of((first + i) / bytes, (first + i) % bytes);
        MUST(cudaMemcpy(c.in[g], host, count, cudaMemcpyHostToDevice));
        MUST(cudaSetDevice(c.device[g]));
        MUST(cudaMemsetAsync(c.out[g], 0xc5, part_bytes(&c.t, 1, g) + GUARD, c.stream[g]));
        free(host);
    }
    TransposeError error = transpose_many(&c.t);
    for (int g = 0; g < parts && error == TRANSPOSE_OK; g++) {
        size_t count = part_bytes(&c.t, 1, g);
        unsigned char *host = (unsigned char *)malloc(count + GUARD);
        MUST(cudaMemcpyAsync(host, c.out[g], count + GUARD, cudaMemcpyDefault, c.stream[0]));
        MUST(cudaStreamSynchronize(c.stream[0])); /* which waits for all parts */
        for (size_t i = 0; i < count; i++) {
            size_t row = transpose_many_first(cols, g, parts) + i / width, col = i % width / bytes;
            wrong += host[i] != byte_of(col * cols + row, i % bytes);
        }
        for (size_t i = count; i < count + GUARD; i++)
            wrong += host[i] != 0xc5;
        free(host);
    }
    if (error != TRANSPOSE_OK || wrong) {
        failures++;
        printf("FAILED: %d parts, %lld x %lld elements of %d bytes, staging %zu: %s, %zu bytes "
               "wrong\n",
               parts, (long long)rows, (long long)cols, bytes, staging, transpose_error_text(error),
               wrong);
    }
    wait_and_free(&c, 0);
}

static void fuzz(int problems)
{
    srand(1);
    for (int p = 0; p < problems; p++) {
        int parts = 1 + rand() % 8, bytes = 1 << rand() % 5;
        int64_t rows = 1 + rand() % (p % 3 ? 200 : 9), cols = 1 + rand() % (p % 4 ? 200 : 9);
        one(parts, rows, cols, bytes, 0);
    }
    for (int p = 0; p < problems; p++) {
        int parts = 2 + rand() % 4, bytes = 1 << rand() % 5;
        int64_t rows = 1 + rand() % 200, cols = 1 + rand() % 200;
        one(parts, rows, cols, bytes, 2 * 256 * 8 * (1 + (rows * bytes) / 256 * (1 + rand() % 9)));
    }
}

static void refused(TransposeMany t, TransposeError expected, const char *what)
{
    check(transpose_many(&t) == expected, what);
}

static void arguments(void)
{
    Case c;
    allocate(&c, 3, 20, 30, 4, 0);
    TransposeMany t = c.t;
    t.devices = 0;
    refused(t, TRANSPOSE_BAD_DEVICES, "no device");
    t.devices = TRANSPOSE_MOST_DEVICES + 1;
    refused(t, TRANSPOSE_BAD_DEVICES, "too many devices");
    t = c.t, t.element_bytes = 3;
    refused(t, TRANSPOSE_BAD_ELEMENT, "elements of 3 bytes");
    t = c.t, t.rows = -1;
    refused(t, TRANSPOSE_BAD_SIZE, "negative rows");
    t = c.t, t.cols = (int64_t)1 << 31;
    refused(t, TRANSPOSE_TOO_LARGE, "2^31 columns");
    t = c.t, t.rows = 0;
    refused(t, TRANSPOSE_OK, "no rows");
    t = c.t, t.in = NULL;
    refused(t, TRANSPOSE_NULL_POINTER, "no input");
    void *out[3] = {c.out[0], NULL, c.out[2]};
    t = c.t, t.out = out;
    refused(t, TRANSPOSE_NULL_POINTER, "a part without output");
    out[1] = (char *)c.out[1] + 2;
    refused(t, TRANSPOSE_MISALIGNED, "a misaligned part");
    int number[3] = {0, 1000, 0};
    t = c.t, t.device = number;
    check(transpose_many(&t) > TRANSPOSE_CUDA, "device 1000");
    check(cudaGetLastError() == cudaSuccess, "a failed call leaves no error");
    wait_and_free(&c, 0);
    for (int parts = 1; parts <= TRANSPOSE_MOST_DEVICES; parts++)
        for (int64_t length = 0; length < 40; length++)
            for (int g = 0; g < parts; g++) {
                int64_t rows = transpose_many_first(length, g + 1, parts) -
                               transpose_many_first(length, g, parts);
                check(rows == length / parts || rows == length / parts + 1, "parts differ by one");
            }
}

static void speed(int size)
{
    for (int with = 0; with < 2; with++) {
        Case c;
        allocate(&c, devices, size, size, 4, with ? (size_t)512 << 20 << (devices > 1) : 0);
        struct timespec start, stop;
        for (int i = 0; i < 5; i++) {
            if (i == 1) {
                wait_and_free(&c, 1);
                clock_gettime(CLOCK_MONOTONIC, &start);
            }
            TransposeError error = transpose_many(&c.t);
            check(error == TRANSPOSE_OK, transpose_error_text(error));
        }
        wait_and_free(&c, 1);
        clock_gettime(CLOCK_MONOTONIC, &stop);
        double s = (stop.tv_sec - start.tv_sec + 1e-9 * (stop.tv_nsec - start.tv_nsec)) / 4;
        printf("%s: %.3f ms, %.1f GB/s leave each of %d devices\n", with ? "staging" : "direct",
               1e3 * s, 4.0 * size * size / devices * (devices - 1) / devices / s / 1e9, devices);
        wait_and_free(&c, 0);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc >= 2 ? argv[1] : "";
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: no CUDA device\n");
        return 3;
    }
    devices = devices < 8 ? devices : 8;
    if (strcmp(mode, "fuzz") == 0 && argc == 3)
        fuzz(atoi(argv[2]));
    else if (strcmp(mode, "arguments") == 0)
        arguments();
    else if (strcmp(mode, "speed") == 0 && argc == 3)
        speed(atoi(argv[2]));
    else
        return 2;
    printf("%d failed\n", failures);
    return failures > 0;
}
