/*
 * Tests that the host can capture transpose() of steps/08_any_shape/transpose.cuh in a graph, and call
 * it from several threads and on several devices.
 *
 *     host graph      one graph of all its kernels, launched twice with other input
 *     host threads    8 threads, each with a stream and matrices of its own, spread over all devices
 *     host devices    one thread that calls it on one device after the other
 *
 * Exit status: 0; 1 something was wrong; 2 wrong usage; 3 no device, or only one where several are
 * needed.
 */
#include "../../../steps/08_any_shape/transpose.cuh"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    printf("FAILED: %s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}
#define MUST(call) must((call), #call)

/* Shapes for which transpose()'s rule chooses different kernels. The CPU run leaves out the large
 * shapes, for which the rule keeps reads in L2, because they take long. */
static const struct {
    int bytes, batches, rows, cols, reads;
} shapes[] = {
    {4, 1, 1, 1000, 0},    {4, 1, 3, 1000, 0},    {4, 1, 1000, 3, 0},    {4, 1, 64, 64, 0},
    {4, 1, 257, 131, 0},   {2, 1, 128, 256, 2},   {1, 1, 255, 129, 2},   {8, 3, 70, 33, 0},
    {16, 1, 65, 70, 1},    {1, 50, 7, 5, 0},      {2, 9, 31, 33, 0},
#ifndef __CPUCC__
    {4, 1, 1024, 1024, 2}, {4, 1, 2049, 1023, 2}, {2, 1, 3001, 2001, 0}, {1, 1, 4096, 4096, 0},
#endif
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static size_t bytes_of(int shape)
{
    return (size_t)shapes[shape].batches * shapes[shape].rows * shapes[shape].cols *
           shapes[shape].bytes;
}

static unsigned char value_of(size_t place, unsigned seed)
{
    uint64_t h = (place + 1) * 0x9e3779b97f4a7c15ull + seed * 0xd6e8feb86659fd93ull;
    return (unsigned char)((h ^ h >> 29) * 0xbf58476d1ce4e5b9ull >> 56);
}

/* A matrix on the device, its transpose, and both on the host. */
typedef struct {
    int shape;
    char *in, *out;
    unsigned char *host;
} Matrices;

static void allocate(Matrices *m, int shape)
{
    m->shape = shape;
    MUST(cudaMalloc((void **)&m->in, bytes_of(shape)));
    MUST(cudaMalloc((void **)&m->out, bytes_of(shape)));
    m->host = (unsigned char *)malloc(bytes_of(shape));
}

static void release(Matrices *m)
{
    MUST(cudaFree(m->in));
    MUST(cudaFree(m->out));
    free(m->host);
}

/* Fills the input from this seed, and the output with a constant byte. */
static void fill(Matrices *m, unsigned seed, cudaStream_t stream)
{
    for (size_t i = 0; i < bytes_of(m->shape); i++)
        m->host[i] = value_of(i, seed);
    MUST(cudaMemcpyAsync(m->in, m->host, bytes_of(m->shape), cudaMemcpyHostToDevice, stream));
    MUST(cudaMemsetAsync(m->out, 0x5a, bytes_of(m->shape), stream));
    MUST(cudaStreamSynchronize(stream));
}

static cudaError_t start(Matrices *m, cudaStream_t stream)
{
    int s = m->shape;
    return transpose_with(m->out, m->in, shapes[s].batches, shapes[s].rows, shapes[s].cols, 0, 0,
                          shapes[s].bytes, (enum TransposeReads)shapes[s].reads, stream);
}

/* Returns 1 if the output is the transpose of this seed's input; else prints the first wrong byte,
 * returns 0. */
static int is_right(Matrices *m, unsigned seed, cudaStream_t stream, const char *where)
{
    int s = m->shape, e = shapes[s].bytes, rows = shapes[s].rows, cols = shapes[s].cols;
    MUST(cudaMemcpyAsync(m->host, m->out, bytes_of(s), cudaMemcpyDeviceToHost, stream));
    MUST(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < bytes_of(s); i++) {
        size_t element = i / e, matrix = element / ((size_t)rows * cols);
        size_t col = element / rows % cols, row = element % rows;
        size_t from = ((matrix * rows + row) * cols + col) * e + i % e;
        if (m->host[i] != value_of(from, seed)) {
            printf("FAILED: %s: %d B, %d x (%d x %d), seed %u: byte %zu is wrong\n", where, e,
                   shapes[s].batches, rows, cols, seed, i);
            return 0;
        }
    }
    return 1;
}

static int graph(void)
{
    Matrices all[SHAPES];
    cudaStream_t stream;
    cudaGraph_t captured;
    cudaGraphExec_t executable;
    int good = 1;
    MUST(cudaStreamCreate(&stream));
    for (int s = 0; s < SHAPES; s++)
        allocate(&all[s], s);
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int s = 0; s < SHAPES; s++)
        MUST(start(&all[s], stream));
    MUST(cudaStreamEndCapture(stream, &captured));
    MUST(cudaGraphInstantiateWithFlags(&executable, captured, 0));
    for (unsigned seed = 1; seed <= 2; seed++) {
        for (int s = 0; s < SHAPES; s++)
            fill(&all[s], seed, stream);
        MUST(cudaGraphLaunch(executable, stream));
        for (int s = 0; s < SHAPES; s++)
            good &= is_right(&all[s], seed, stream, "graph");
    }
    MUST(cudaGraphExecDestroy(executable));
    MUST(cudaGraphDestroy(captured));
    MUST(cudaStreamDestroy(stream));
    for (int s = 0; s < SHAPES; s++)
        release(&all[s]);
    return good;
}

enum { THREADS = 8, ROUNDS = 5 };

typedef struct {
    pthread_t thread;
    int number, devices, good;
} Worker;

static void *work(void *argument)
{
    Worker *worker = (Worker *)argument;
    worker->good = 1;
    for (int round = 0; round < ROUNDS; round++) {
        cudaStream_t stream;
        MUST(cudaSetDevice((worker->number + round) % worker->devices));
        MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int s = 0; s < SHAPES; s++) {
            Matrices m;
            unsigned seed = 100 * worker->number + round;
            allocate(&m, (s + worker->number) % SHAPES);
            fill(&m, seed, stream);
            MUST(start(&m, stream));
            worker->good &= is_right(&m, seed, stream, "threads");
            release(&m);
        }
        MUST(cudaStreamDestroy(stream));
    }
    return NULL;
}

static int threads(int devices)
{
    static Worker workers[THREADS];
    int good = 1;
    for (int t = 0; t < THREADS; t++) {
        workers[t].number = t;
        workers[t].devices = devices;
        if (pthread_create(&workers[t].thread, NULL, work, &workers[t]) != 0) {
            printf("FAILED: no thread\n");
            return 0;
        }
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(workers[t].thread, NULL);
        good &= workers[t].good;
    }
    return good;
}

/* Calls transpose() on one device after the other, which must not use an earlier device's
 * properties. */
static int several(int devices)
{
    int good = 1;
    for (int i = 0; i < 4 * devices; i++) {
        MUST(cudaSetDevice(i % devices));
        for (int s = 0; s < SHAPES; s++) {
            Matrices m;
            allocate(&m, s);
            fill(&m, i, 0);
            MUST(start(&m, 0));
            good &= is_right(&m, i, 0, "devices");
            release(&m);
        }
    }
    return good;
}

int main(int argc, char **argv)
{
    int devices = 0, good;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("no CUDA device\n");
        return 3;
    }
    const char *mode = argc == 2 ? argv[1] : "";
    if (strcmp(mode, "graph") == 0) {
        good = graph();
    } else if (strcmp(mode, "threads") == 0) {
#ifdef __CPUCC__
        printf("skipped: the CPU run has one host thread\n");
        return 3;
#endif
        good = threads(devices);
    } else if (strcmp(mode, "devices") == 0) {
        if (devices < 2) {
            printf("skipped: one device only\n");
            return 3;
        }
        good = several(devices);
    } else {
        fprintf(stderr, "usage: host graph | threads | devices\n");
        return 2;
    }
    printf("%s: %s, %d device%s\n", mode, good ? "right" : "WRONG", devices,
           devices > 1 ? "s" : "");
    return !good;
}
