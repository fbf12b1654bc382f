/*
 * Tests of the interface transpose.h, on a GPU or on the CPU run.
 *
 *     calls fuzz N [SEED]     N random problems, each by transpose() and by every way that can do it
 *     calls sizes             chosen shapes: one tile, many tiles, many matrices, every alignment
 *     calls arguments         what is refused, and why; overlap; empty matrices; others' errors
 *     calls graph             a graph of all kernels, launched twice with other input
 *     calls threads           8 threads, each with a stream of its own, spread over all devices
 *     calls devices           one thread that uses one device after the other
 *
 * A wrong result is printed with its whole problem. Exit status: 0; 1 something was wrong; 2 wrong
 * usage; 3 no device, or too few.
 */
#include "transpose/transpose.cu"

#include <pthread.h>
#include <stdlib.h>

#include "reference.h"

/* On the CPU, where large problems take long, they are smaller. */
#ifdef __CPUCC__
enum { MOST = 30000, MANY_ROWS = 335, MANY_COLS = 259, MANY_MATRICES = 4000, ON_CPU = 1 };
#else
enum { MOST = 1000000, MANY_ROWS = 1003, MANY_COLS = 777, MANY_MATRICES = 70000, ON_CPU = 0 };
#endif

static int failures;

static void check(int good, const char *what)
{
    if (!good)
        failures++, printf("FAILED: %s\n", what);
}

static void must(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    printf("FAILED: %s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}
#define MUST(call) must((call), #call)

/* A generator per thread. */
typedef struct {
    uint64_t state;
} Random;

static uint64_t next(Random *r)
{
    uint64_t h = r->state += 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ h >> 27) * 0x94d049bb133111ebull;
    return h ^ h >> 31;
}

/* Returns a random number from least to most, both included. */
static int between(Random *r, int least, int most)
{
    return least + (int)(next(r) % (unsigned)(most - least + 1));
}

enum { GUARD = 64 }; /* bytes before and after the output */

/* A problem with its memory, which is exactly as large as it may be accessed. */
typedef struct {
    Transpose t;
    int in_offset, out_offset; /* in elements, from an aligned place */
    int together;              /* out lies `together` elements after in, between its rows */
    char *in, *out;            /* of the device: as allocated */
    size_t in_bytes, out_bytes;
    char *in_host, *out_host, *expected;
} Case;

/* Returns a problem without pitches or pointers, of `matrices` that follow each other; 0: of one. */
static Transpose packed(int64_t rows, int64_t cols, int bytes, int64_t matrices)
{
    Transpose t = {};
    t.rows = rows;
    t.cols = cols;
    t.element_bytes = bytes;
    t.batch_dims = matrices > 0;
    t.batch[0].count = matrices;
    return t;
}

static void release(Case *c)
{
    MUST(cudaFree(c->in));
    MUST(cudaFree(c->out));
    free(c->in_host);
    free(c->out_host);
    free(c->expected);
}

/* Allocates memory and sets the pointers. */
static void allocate(Case *c)
{
    const size_t e = (size_t)c->t.element_bytes, before = GUARD + c->out_offset * e;
    c->in_bytes = (c->in_offset + reference_reach(&c->t, 0)) * e;
    c->out_bytes = before + (reference_reach(&c->t, 1) + c->together) * e + GUARD;
    if (c->together && c->out_bytes < before + reference_reach(&c->t, 0) * e)
        c->out_bytes = before + reference_reach(&c->t, 0) * e;
    MUST(cudaMalloc((void **)&c->in, c->in_bytes));
    MUST(cudaMalloc((void **)&c->out, c->out_bytes));
    c->in_host = (char *)malloc(c->in_bytes);
    c->out_host = (char *)malloc(c->out_bytes);
    c->expected = (char *)malloc(c->out_bytes);
    c->t.out = c->out + before + c->together * e;
    c->t.in = c->together ? c->out + before : c->in + c->in_offset * e;
}

/* Fills all memory with random bytes. What lies before the input's first element stays unset, so
 * that the CPU run reports a read there. */
static void fill(Case *c, Random *r)
{
    const size_t skip = (size_t)c->in_offset * c->t.element_bytes;
    for (size_t i = 0; i < c->in_bytes; i++)
        c->in_host[i] = (char)(next(r) >> 20);
    for (size_t i = 0; i < c->out_bytes; i++)
        c->out_host[i] = (char)(next(r) >> 20);
    memcpy(c->expected, c->out_host, c->out_bytes);
    size_t in_at = (const char *)c->t.in - c->out, out_at = (char *)c->t.out - c->out;
    reference_transpose(&c->t, c->expected + out_at,
                        c->together ? c->out_host + in_at : c->in_host + skip);
    cudaStream_t stream = c->t.stream;
    MUST(cudaMemcpyAsync(c->in + skip, c->in_host + skip, c->in_bytes - skip,
                         cudaMemcpyHostToDevice, stream));
    MUST(cudaMemcpyAsync(c->out, c->out_host, c->out_bytes, cudaMemcpyHostToDevice, stream));
    MUST(cudaStreamSynchronize(stream));
}

/* Checks every byte of the output, of what lies between its rows, and of the guards. */
static void compare(Case *c, const char *how, int error)
{
    const Transpose *t = &c->t;
    char text[400];
    int length =
        snprintf(text, sizeof text, "%s: %d B %ld x %ld, pitches %ld %ld", how, t->element_bytes,
                 (long)t->rows, (long)t->cols, (long)t->in_pitch, (long)t->out_pitch);
    for (int d = 0; d < t->batch_dims; d++)
        length += snprintf(text + length, sizeof text - length, ", batch %ld by %ld %ld",
                           (long)t->batch[d].count, (long)t->batch[d].in_stride,
                           (long)t->batch[d].out_stride);
    length += snprintf(text + length, sizeof text - length,
                       ", offsets %d %d %d, reads %d: ", c->in_offset, c->out_offset, c->together,
                       t->reads);
    cudaError_t cuda =
        cudaMemcpyAsync(c->out_host, c->out, c->out_bytes, cudaMemcpyDeviceToHost, t->stream);
    if (cuda == cudaSuccess)
        cuda = cudaStreamSynchronize(t->stream);
    size_t at = 0;
    while (at < c->out_bytes && c->out_host[at] == c->expected[at])
        at++;
    snprintf(text + length, sizeof text - length, "%s, %s, byte %ld of %ld",
             transpose_error_text((TransposeError)error), cudaGetErrorString(cuda),
             (long)at - GUARD, (long)c->out_bytes - 2 * GUARD);
    check(error == TRANSPOSE_OK && cuda == cudaSuccess && at == c->out_bytes, text);
}

/* Runs a problem by transpose(), and by every way that can do it. */
static void all_ways(Case *c, Random *r)
{
    allocate(c);
    TransposeProblem p;
    TransposePlan plan;
    int planned = transpose_plan(&c->t, 60e6, &plan);
    check(transpose_check(&c->t, &p) == TRANSPOSE_OK && !p.nothing, "transpose_check");
    check(planned == TRANSPOSE_OK && transpose_can(&p, plan.way), "transpose_plan");
    for (int way = -1; way <= TRANSPOSE_WAYS; way++) {
        static const int hints[] = {0, 0, TRANSPOSE_KEEP, TRANSPOSE_KEEP | TRANSPOSE_LINES};
        char name[100] = "transpose()";
        const int order = between(r, 0, 3);
        plan = {way, hints[between(r, 0, 3)], order == 1 ? between(r, 1, 600) : 0, order == 2};
        if (way >= 0 && !transpose_can(&p, way)) {
            check(transpose_with_plan(&c->t, &plan) == TRANSPOSE_BAD_PLAN, "an illegal plan");
            continue;
        }
        fill(c, r);
        if (way >= 0)
            transpose_plan_name(&plan, p.bytes, name, sizeof name);
        compare(c, name, way < 0 ? transpose(&c->t) : transpose_with_plan(&c->t, &plan));
    }
    release(c);
}

static int some_side(Random *r)
{
    switch (between(r, 0, 9)) {
    case 0: return between(r, 1, 4);
    case 1:
    case 2: return between(r, 1, 34);
    case 3: return 16 * between(r, 1, 20);
    case 4: return between(r, 250, 600);
    default: return between(r, 1, 200);
    }
}

/* Sets batches: one after the other with gaps or without, and perhaps the innermost between rows
 * and cols of the input and the output, as in a swap of the outer two of three dimensions. */
static void some_batches(Transpose *t, Random *r)
{
    t->batch_dims = between(r, 0, 2) ? 0 : between(r, 1, 3);
    const int between_rows = t->batch_dims > 0 && between(r, 0, 2) == 0;
    for (int d = 0; d < t->batch_dims; d++) {
        TransposeBatch *b = &t->batch[d];
        b->count = between(r, 0, 3) || d > 0 ? between(r, 1, 4) : between(r, 1, 300);
        if (d == 0 && between_rows) {
            b->in_stride = t->cols + between(r, 0, 1) * between(r, 0, 9);
            b->out_stride = t->rows + between(r, 0, 1) * between(r, 0, 9);
            t->in_pitch = b->count * b->in_stride;
            t->out_pitch = b->count * b->out_stride;
        } else if (between(r, 0, 2) || (between_rows && d == 1)) {
            Transpose inner = *t;
            inner.batch_dims = d;
            b->in_stride = reference_reach(&inner, 0) + between(r, 0, 40);
            b->out_stride = reference_reach(&inner, 1) + between(r, 0, 40);
        }
    }
}

static void some_case(Case *c, Random *r)
{
    *c = {};
    Transpose *t = &c->t;
    t->element_bytes = 1 << between(r, 0, 4);
    t->reads = (TransposeReads)between(r, 0, 2);
    t->rows = some_side(r);
    t->cols = some_side(r);
    if (between(r, 0, 5) == 0) { /* a narrow one, long enough for several tiles */
        const int few = between(r, 1, 20), length = between(r, 1200, MOST / few);
        t->rows = between(r, 0, 1) ? few : length;
        t->cols = t->rows == few ? length : few;
    }
    int unit = 1;
    if (between(r, 0, 2) == 0) { /* aligned */
        unit = 16 / t->element_bytes;
        t->rows = (t->rows + unit - 1) / unit * unit;
        t->cols = (t->cols + unit - 1) / unit * unit;
    } else {
        c->in_offset = between(r, 0, 2) ? between(r, 0, 15) : 0;
        c->out_offset = between(r, 0, 2) ? between(r, 0, 15) : 0;
    }
    t->in_pitch = between(r, 0, 3) ? 0 : t->cols + unit * between(r, 0, 40 / unit);
    t->out_pitch = between(r, 0, 3) ? 0 : t->rows + unit * between(r, 0, 40 / unit);
    if (between(r, 0, 19) == 0) { /* two rectangles of one matrix */
        c->together = (int)t->cols + between(r, 0, 9);
        t->in_pitch = t->out_pitch = c->together + t->rows + between(r, 0, 9);
    } else {
        some_batches(t, r);
    }
}

static void fuzz(int count, int seed)
{
    for (int i = 0; i < count; i++) {
        Random r = {(uint64_t)(seed + i) * 0x2545f4914f6cdd1dull};
        Case c;
        do
            some_case(&c, &r);
        while (reference_reach(&c.t, 0) > MOST || reference_reach(&c.t, 1) > MOST);
        const int before = failures;
        all_ways(&c, &r);
        if (failures > before)
            printf("seed %d\n", seed + i);
    }
}

static void sizes(void)
{
    static const int sides[][2] = {{1, 1},
                                   {1, 257},
                                   {257, 1},
                                   {2, 3},
                                   {31, 33},
                                   {63, 65},
                                   {64, 64},
                                   {100, 60},
                                   {3, 160},
                                   {160, 5},
                                   {33, 300},
                                   {300, 33},
                                   {4112, 2},
                                   {2, 4111},
                                   {640, 64},
                                   {64, 320},
                                   {MANY_ROWS, MANY_COLS}};
    Random r = {1};
    for (int e = 1; e <= 16; e *= ON_CPU ? 4 : 2) {
        for (auto side : sides)
            for (int batches = 1; batches <= (side[0] == MANY_ROWS ? 1 : 3); batches += 2) {
                Case c = {};
                c.t = packed(side[0], side[1], e, batches);
                all_ways(&c, &r);
            }
        for (int offset = 0; offset < 16; offset += ON_CPU ? 5 : 1) {
            Case c = {};
            c.t = packed(63, 65, e, 0);
            c.t.in_pitch = 66 + offset;
            c.t.out_pitch = 79 - offset;
            c.in_offset = 15 - offset;
            c.out_offset = offset;
            all_ways(&c, &r);
        }
        /* More matrices than a grid is deep: runs, and neither side a run. */
        for (int gap = 0; gap < 2; gap++) {
            Case c = {};
            c.t = packed(3, 2, e, MANY_MATRICES);
            c.t.in_pitch = gap * 3;
            c.t.out_pitch = gap * 4;
            all_ways(&c, &r);
        }
    }
}

/* ---- arguments ---- */

/* Checks that a problem is refused for this reason. The text of the reason holds `word`. */
static void refused(Transpose t, TransposeError reason, const char *word)
{
    const TransposeError got = transpose(&t);
    char text[200];
    snprintf(text, sizeof text, "%s is refused as: %s", word, transpose_error_text(got));
    check(got == reason && strstr(transpose_error_text(got), word), text);
    TransposePlan plan;
    check(transpose_plan(&t, 60e6, &plan) == reason, "transpose_plan() says another reason");
}

/* Checks that the caller's earlier error is neither returned nor cleared, nor ours left behind. */
static void errors_of_others(Transpose t)
{
    MUST(cudaGetLastError());
    check(transpose(&t) == TRANSPOSE_OK && cudaGetLastError() == cudaSuccess, "no error");
    const cudaError_t made = cudaSetDevice(9999);
    check(made != cudaSuccess && transpose(&t) == TRANSPOSE_OK, "an earlier error is returned");
    check(cudaGetLastError() == made, "an earlier error is cleared");
    MUST(cudaDeviceSynchronize());
#ifndef __CPUCC__
    cudaStream_t stream; /* while it is captured, the default stream may not be used */
    cudaGraph_t graph;
    for (int copy = 0; copy < 2; copy++) {
        MUST(cudaStreamCreate(&stream));
        MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        t.rows = copy ? 1 : t.rows;
        check(transpose(&t) > TRANSPOSE_CUDA, "a launch that fails is not reported");
        check(cudaGetLastError() == cudaSuccess, "the error of our launch is left behind");
        cudaStreamEndCapture(stream, &graph);
        cudaGetLastError();
        MUST(cudaStreamDestroy(stream));
    }
#endif
}

static void arguments(void)
{
    char *memory;
    const int half = 1 << 19;
    MUST(cudaMalloc((void **)&memory, 2 * half));
    MUST(cudaMemset(memory, 0, 2 * half));
    Transpose good = packed(30, 20, 4, 0);
    good.out = memory + half;
    good.in = memory;
    Transpose t = good;
#define REFUSED(change, reason, word)                                                              \
    t = good;                                                                                      \
    change;                                                                                        \
    refused(t, reason, word)
    for (int bytes = -1; bytes <= 33; bytes++)
        if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) {
            REFUSED(t.element_bytes = bytes, TRANSPOSE_BAD_ELEMENT, "element_bytes");
        }
    REFUSED(t.out = NULL, TRANSPOSE_NULL_POINTER, "null");
    REFUSED(t.in = NULL, TRANSPOSE_NULL_POINTER, "null");
    REFUSED(t.rows = -1, TRANSPOSE_BAD_SIZE, "rows");
    REFUSED(t.cols = -1, TRANSPOSE_BAD_SIZE, "cols");
    REFUSED(t.batch_dims = -1, TRANSPOSE_BAD_BATCH, "batch_dims");
    REFUSED(t.batch_dims = 4, TRANSPOSE_BAD_BATCH, "batch_dims");
    REFUSED((t.batch_dims = 1, t.batch[0].count = -1), TRANSPOSE_BAD_BATCH, "count");
    REFUSED((t.batch_dims = 1, t.batch[0] = {2, -600, 600}), TRANSPOSE_BAD_BATCH, "stride");
    REFUSED((t.batch_dims = 1, t.batch[0] = {2, 600, -600}), TRANSPOSE_BAD_BATCH, "stride");
    REFUSED(t.in_pitch = 19, TRANSPOSE_PITCH_TOO_SMALL, "in_pitch");
    REFUSED(t.out_pitch = 29, TRANSPOSE_PITCH_TOO_SMALL, "out_pitch");
    REFUSED(t.in_pitch = -20, TRANSPOSE_PITCH_TOO_SMALL, "in_pitch");
    for (int e = 2; e <= 16; e *= 2) {
        REFUSED((t.element_bytes = e, t.in = memory + e / 2), TRANSPOSE_MISALIGNED, "aligned");
        REFUSED((t.element_bytes = e, t.out = memory + half + 1), TRANSPOSE_MISALIGNED, "aligned");
    }
    REFUSED((t.rows = 3ll << 31, t.out = memory + (1ll << 50)), TRANSPOSE_TOO_LARGE, "rows");
    REFUSED(t.in_pitch = INT64_MAX, TRANSPOSE_TOO_LARGE, "address");
    REFUSED(t.rows = t.cols = INT64_MAX / 4, TRANSPOSE_TOO_LARGE, "address");
    REFUSED((t.batch_dims = 1, t.batch[0].count = 1ll << 31), TRANSPOSE_TOO_LARGE, "number");
    /* Overlap: in place, by an element at either end, of batches, of the output with itself. */
    const int size = 30 * 20 * 4;
    REFUSED(t.out = memory, TRANSPOSE_OVERLAP, "overlap");
    REFUSED(t.out = memory + size - 4, TRANSPOSE_OVERLAP, "overlap");
    REFUSED((t.out = memory, t.in = memory + size - 4), TRANSPOSE_OVERLAP, "overlap");
    REFUSED((t.out = memory + 2 * size, t.batch_dims = 1, t.batch[0].count = 3), TRANSPOSE_OVERLAP,
            "overlap");
    REFUSED((t.batch_dims = 1, t.batch[0] = {2, 0, 599}), TRANSPOSE_OVERLAP, "itself");
    REFUSED((t.in_pitch = t.out_pitch = 100, t.out = memory + 19 * 4), TRANSPOSE_OVERLAP,
            "overlap");
    REFUSED((t.in_pitch = t.out_pitch = 100, t.out = memory + 71 * 4), TRANSPOSE_OVERLAP,
            "overlap");
    check(strstr(transpose_error_text((TransposeError)(TRANSPOSE_CUDA + 1)), "CUDA") != NULL,
          "text");

    /* Not refused: what touches, and what is empty. */
#define TAKEN(change, what)                                                                        \
    t = good;                                                                                      \
    change;                                                                                        \
    check(transpose(&t) == TRANSPOSE_OK, what)
    TAKEN(t.out = memory + size, "output behind the input");
    TAKEN((t.in_pitch = 25, t.out = memory + (29 * 25 + 20) * 4), "the last row has no gap");
    TAKEN((t.in_pitch = t.out_pitch = 100, t.out = memory + 20 * 4), "rectangles that touch");
    TAKEN((t.in_pitch = t.out_pitch = 100, t.out = memory + 70 * 4), "rectangles that touch");
    TAKEN((t.rows = 0, t.out = NULL, t.in = NULL), "no rows");
    TAKEN(t.cols = 0, "no cols");
    TAKEN((t.batch_dims = 2, t.batch[0].count = 3), "no matrices");
    check(transpose_call<8>(&good, NULL) == TRANSPOSE_BAD_ELEMENT, "a call for other elements");
    errors_of_others(good);
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(memory));
}

/* ---- graphs, threads, devices ---- */

/* Problems for which the rule chooses different kernels. */
static Case some_kernel(int number)
{
    static const int problems[][4] = {/* rows, cols, bytes, matrices */
                                      {1, 1000, 4},  {3, 1000, 4},   {1000, 3, 4},  {64, 64, 4},
                                      {257, 131, 4}, {255, 129, 1},  {128, 256, 2}, {7, 5, 1, 50},
                                      {8, 1024, 2},  {70, 33, 8, 3}, {1, 33, 16, 3}};
    const int *of = problems[number];
    Case c = {};
    c.t = packed(of[0], of[1], of[2], of[3]);
    if (number == 10) { /* rows of a strided copy */
        c.t.out_pitch = 1;
        c.t.batch[0].in_stride = 40;
        c.t.batch[0].out_stride = 50;
    }
    c.t.reads = (TransposeReads)(number % 3);
    return c;
}
enum { KERNELS = 11 };

static void graph(void)
{
    Case all[KERNELS];
    cudaStream_t stream;
    cudaGraph_t captured;
    cudaGraphExec_t executable;
    MUST(cudaStreamCreate(&stream));
    for (int i = 0; i < KERNELS; i++) {
        all[i] = some_kernel(i);
        all[i].t.stream = stream;
        allocate(&all[i]);
    }
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (Case &c : all)
        check(transpose(&c.t) == TRANSPOSE_OK, "capture");
    MUST(cudaStreamEndCapture(stream, &captured));
    MUST(cudaGraphInstantiateWithFlags(&executable, captured, 0));
    for (uint64_t seed = 1; seed <= 2; seed++) {
        Random r = {seed};
        for (Case &c : all)
            fill(&c, &r);
        MUST(cudaGraphLaunch(executable, stream));
        for (Case &c : all)
            compare(&c, "graph", TRANSPOSE_OK);
    }
    MUST(cudaGraphExecDestroy(executable));
    MUST(cudaGraphDestroy(captured));
    for (Case &c : all)
        release(&c);
    MUST(cudaStreamDestroy(stream));
}

static int devices;

/* Uses devices in turn, beginning with one of them: in a stream of each. */
static void *worker(void *first)
{
    for (int round = 0; round < 2 * devices + 3; round++) {
        Random r = {(uint64_t)(intptr_t)first * 100 + round};
        cudaStream_t stream;
        MUST(cudaSetDevice((int)((intptr_t)first + round) % devices));
        MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int i = 0; i < KERNELS; i++) {
            Case c = some_kernel((i + (int)(intptr_t)first) % KERNELS);
            c.t.stream = stream;
            allocate(&c);
            fill(&c, &r);
            compare(&c, "threads", transpose(&c.t));
            release(&c);
        }
        MUST(cudaStreamDestroy(stream));
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[8];
    for (intptr_t i = 0; i < 8; i++)
        if (pthread_create(&all[i], NULL, worker, (void *)i) != 0)
            MUST(cudaErrorUnknown);
    for (pthread_t thread : all)
        pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    const char *mode = argc >= 2 ? argv[1] : "";
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("no CUDA device\n");
        return 3;
    }
    if (strcmp(mode, "fuzz") == 0 && argc >= 3)
        fuzz(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 1);
    else if (strcmp(mode, "sizes") == 0)
        sizes();
    else if (strcmp(mode, "arguments") == 0)
        arguments();
    else if (strcmp(mode, "graph") == 0)
        graph();
    else if (strcmp(mode, "threads") == 0 && !ON_CPU) /* the CPU run has one host thread */
        threads();
    else if (strcmp(mode, "devices") == 0 && devices > 1)
        worker(NULL);
    else if (strcmp(mode, "threads") == 0 || strcmp(mode, "devices") == 0)
        return printf("skipped: one device, or one thread, only\n"), 3;
    else
        return fprintf(stderr, "usage: calls fuzz N [SEED] | sizes | arguments | graph | threads | "
                               "devices\n"),
               2;
    printf("%d failures\n", failures);
    return failures > 0;
}
