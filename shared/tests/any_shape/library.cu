/*
 * Tests of steps/08_any_shape/transpose.cuh as a library, on a GPU or on the CPU run.
 *
 *     library shapes [BYTES]... chosen shapes, batches, offsets and pitches of every element size (or
 * of
 *                              the sizes given), by every kernel that can transpose them
 *     library fuzz N [SEED]    N random calls, also of kernels that transpose()'s rule does not choose
 *     library arguments        wrong arguments, overlap, empty matrices, streams
 *
 * A wrong result is printed with its whole case and seed. Exit status: 0; 1 something was wrong;
 * 2 wrong usage; 3 no device.
 */
#include "../../../steps/08_any_shape/transpose.cuh"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int bytes, batches, rows, cols;
    long in_pitch, out_pitch;  /* in elements; 0: packed */
    int in_offset, out_offset; /* in elements, from an aligned place */
    int kernel;                /* of enum TransposeKernel, or -1: the rule chooses */
    int tiles, options, band, two_fronts, reads;
} Case;

/* Sets *c to packed matrices at aligned addresses, with the kernel that the rule chooses. */
static void set_case(Case *c, int bytes, int batches, int rows, int cols)
{
    c->bytes = bytes;
    c->batches = batches;
    c->rows = rows;
    c->cols = cols;
    c->in_pitch = c->out_pitch = 0;
    c->in_offset = c->out_offset = 0;
    c->kernel = -1;
    c->tiles = c->options = c->band = c->two_fronts = c->reads = 0;
}

static int failures;

static void check(int good, const char *what)
{
    if (good)
        return;
    failures++;
    printf("FAILED: %s\n", what);
}

static void must(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    printf("FAILED: %s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}
#define MUST(call) must((call), #call)

static uint64_t random_state = 1;

static uint64_t next_random(void)
{
    random_state += 0x9e3779b97f4a7c15ull;
    uint64_t h = random_state;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ h >> 27) * 0x94d049bb133111ebull;
    return h ^ h >> 31;
}

/* Returns a random number from least to most, both included. */
static int between(int least, int most)
{
    return least + (int)(next_random() % (most - least + 1));
}

enum { GUARD = 64 }; /* bytes before and after the output */

/* Runs one case on memory of exactly the size that it may access. Returns 1 if every byte of the
 * output, of the gaps between its rows and of the guards is right. */
static int run(const Case *c, int seed)
{
    int e = c->bytes;
    long in_pitch = c->in_pitch ? c->in_pitch : c->cols;
    long out_pitch = c->out_pitch ? c->out_pitch : c->rows;
    size_t in_bytes = ((size_t)(c->batches * (long)c->rows - 1) * in_pitch + c->cols) * e;
    size_t out_bytes = ((size_t)(c->batches * (long)c->cols - 1) * out_pitch + c->rows) * e;
    size_t before = GUARD + (size_t)c->out_offset * e;
    size_t all = before + out_bytes + GUARD;
    unsigned char *in = (unsigned char *)malloc(in_bytes);
    unsigned char *out = (unsigned char *)malloc(all), *expected = (unsigned char *)malloc(all);
    char *device_in, *device_out;

    random_state = seed * 0x2545f4914f6cdd1dull + 1;
    for (size_t i = 0; i < in_bytes; i++)
        in[i] = (unsigned char)(next_random() >> 20);
    int poison = between(0, 255);
    memset(expected, poison, all);
    for (int b = 0; b < c->batches; b++)
        for (int row = 0; row < c->rows; row++)
            for (int col = 0; col < c->cols; col++)
                memcpy(expected + before +
                           ((size_t)(b * (long)c->cols + col) * out_pitch + row) * e,
                       in + ((size_t)(b * (long)c->rows + row) * in_pitch + col) * e, e);
    /* The bytes before the input's first element stay unset, so the CPU run reports a read there. */
    MUST(cudaMalloc((void **)&device_in, in_bytes + (size_t)c->in_offset * e));
    MUST(cudaMalloc((void **)&device_out, all));
    char *from = device_in + (size_t)c->in_offset * e, *to = device_out + before;
    MUST(cudaMemcpy(from, in, in_bytes, cudaMemcpyHostToDevice));
    MUST(cudaMemset(device_out, poison, all));

    cudaError_t error;
    if (c->kernel < 0) {
        error = transpose_with(to, from, c->batches, c->rows, c->cols, c->out_pitch, c->in_pitch, e,
                               (enum TransposeReads)c->reads, 0);
    } else {
        TransposePlan plan;
        int nothing;
        error = transpose_check(&plan, to, from, c->batches, c->rows, c->cols, c->out_pitch,
                                c->in_pitch, e, &nothing);
        plan.kernel = (enum TransposeKernel)c->kernel;
        plan.tiles = (TransposeTiles)c->tiles;
        plan.options = c->options;
        plan.band_rows = c->band;
        plan.job.two_fronts = c->two_fronts;
        if (error == cudaSuccess)
            error = transpose_run(&plan, 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(out, device_out, all, cudaMemcpyDeviceToHost);
    size_t at = 0;
    while (error == cudaSuccess && at < all && out[at] == expected[at])
        at++;
    int good = error == cudaSuccess && at == all;
    if (!good) {
        failures++;
        printf("FAILED: %d B, %d x (%d x %d), pitches %ld and %ld, offsets %d and %d, kernel %d, "
               "tiles "
               "%d, options %d, band %d, fronts %d, reads %d, seed %d: ",
               e, c->batches, c->rows, c->cols, c->in_pitch, c->out_pitch, c->in_offset,
               c->out_offset, c->kernel, c->tiles, c->options, c->band, c->two_fronts, c->reads,
               seed);
        if (error != cudaSuccess)
            printf("%s\n", cudaGetErrorString(error));
        else
            printf("byte %lld of the output is %02x, not %02x (poison %02x)\n",
                   (long long)at - (long long)before, out[at], expected[at], poison);
    }
    MUST(cudaFree(device_in));
    MUST(cudaFree(device_out));
    free(in);
    free(out);
    free(expected);
    return good;
}

/* Returns 1 if, by the conditions in transpose.cuh, the kernel can transpose the case. */
static int can(const Case *c, int kernel)
{
    long size = (long)c->rows * c->cols * c->bytes;
    int packed_in = c->in_pitch == 0 || c->in_pitch == c->cols;
    int packed_out = c->out_pitch == 0 || c->out_pitch == c->rows;
    long in_pitch = c->in_pitch ? c->in_pitch : c->cols;
    long out_pitch = c->out_pitch ? c->out_pitch : c->rows;
    switch (kernel) {
    case TRANSPOSE_COPY: return packed_in && packed_out && (c->rows == 1 || c->cols == 1);
    case TRANSPOSE_REGISTERS: {
        long all = c->in_offset | (c->out_offset + GUARD / c->bytes) | in_pitch | out_pitch |
                   c->rows | c->cols;
        return all * c->bytes % 16 == 0;
    }
    case TRANSPOSE_FEW_COLS: return packed_in && c->cols > 1 && c->cols <= TRANSPOSE_NARROW;
    case TRANSPOSE_FEW_ROWS: return packed_out && c->rows > 1 && c->rows <= TRANSPOSE_NARROW;
    case TRANSPOSE_GATHER: return packed_out && c->rows > 1 && c->bytes >= 4;
    case TRANSPOSE_GATHER_COLS: return packed_in && c->cols > 1 && c->bytes >= 4;
    case TRANSPOSE_VECTORS: {
        int cols = c->cols < c->rows, few = cols ? c->cols : c->rows;
        long all = c->in_offset | (c->out_offset + GUARD / c->bytes);
        all |= cols ? c->rows | out_pitch : c->cols | in_pitch;
        return (cols ? packed_in && c->bytes <= 4 : packed_out && c->bytes <= 2) && few > 1 &&
               few <= TRANSPOSE_VECTORS_MOST && all * c->bytes % 16 == 0;
    }
    case TRANSPOSE_SMALL:
        return packed_in && packed_out && c->rows > 1 && c->cols > 1 &&
               size <= transpose_small_most(c->bytes);
    default: return 1;
    }
}

/* Runs the case with the kernel that the rule chooses, and with every kernel that can transpose it. */
static void run_all_ways(Case *c)
{
    static int seed;
    run(c, ++seed);
    for (int kernel = 0; kernel <= TRANSPOSE_SMALL; kernel++)
        if (can(c, kernel)) {
            c->kernel = kernel;
            int tiles = kernel == TRANSPOSE_WINDOWS     ? TRANSPOSE_TILES_WIDE + 1
                        : kernel == TRANSPOSE_REGISTERS ? TRANSPOSE_TILES_TALL + 1
                                                        : 1;
            for (c->tiles = 0; c->tiles < tiles; c->tiles++)
                run(c, ++seed);
        }
}

static const int all_bytes[] = {1, 2, 4, 8, 16};

/* The size of a matrix of many tiles, the last of them cut off. On the CPU, where large cases take
 * long, the matrix is smaller, and only one element size has more matrices than a grid is deep. */
#ifdef __CPUCC__
enum { MANY_ROWS = 335, MANY_COLS = 259, MANY_MATRICES_BYTES = 4 };
#else
enum { MANY_ROWS = 1003, MANY_COLS = 777, MANY_MATRICES_BYTES = 1 | 2 | 4 | 8 | 16 };
#endif

/* `sizes` is the sum of the element sizes to test. */
static void shapes(int sizes)
{
    static const int sides[][2] = {{1, 1},   {1, 257},  {257, 1},
                                   {2, 3},   {31, 33},  {63, 65},
                                   {64, 64}, {100, 60}, {MANY_ROWS, MANY_COLS}};
    Case c;
    for (int b = 0; b < 5; b++) {
        int e = all_bytes[b];
        if (!(sizes & e))
            continue;
        for (int s = 0; s < 9; s++)
            for (int batches = 1; batches <= (s < 8 ? 3 : 1); batches += 2) {
                int part = s == 8 && e > 4 ? e / 4 : 1; /* as many tiles of large elements */
                set_case(&c, e, batches, sides[s][0] / part, sides[s][1] / part);
                run_all_ways(&c);
            }
        static const int narrow[][2] = {{3, 160},  {8, 480},  {160, 5},  {4112, 2}, {2, 4111},
                                        {16, 512}, {33, 300}, {300, 33}, {640, 64}, {64, 320}};
        for (int s = 0; s < 10; s++)
            for (int batches = 1; batches <= 3; batches += 2) {
                set_case(&c, e, batches, narrow[s][0], narrow[s][1]);
                run_all_ways(&c);
            }
        set_case(&c, e, 3, MANY_ROWS, MANY_COLS);
        run(&c, e);
        if (e & MANY_MATRICES_BYTES) {
            set_case(&c, e, 70000, 7, 5);
            run(&c, e);
        }
        if (e == 4) { /* neither side a run, and more of them than a grid is deep */
            set_case(&c, e, 66000, 3, 2);
            c.in_pitch = 3;
            c.out_pitch = 4;
            run(&c, e);
        }
        for (int s = 5; s < 8; s += 2)
            for (int offset = 0; offset < 16; offset++) {
                set_case(&c, e, 1, sides[s][0], sides[s][1]);
                c.in_offset = offset;
                run(&c, offset);
                c.in_offset = 0;
                c.out_offset = offset;
                run(&c, offset + 16);
                c.in_offset = 15 - offset;
                c.in_pitch = c.cols + 1 + offset;
                c.out_pitch = c.rows + 16 - offset;
                run(&c, offset + 32);
            }
    }
}

static int some_side(void)
{
    switch (between(0, 9)) {
    case 0: return between(1, 4);
    case 1:
    case 2: return between(1, 34);
    case 3: return 16 * between(1, 20);
    case 4: return between(250, 600);
    default: return between(1, 200);
    }
}

static void fuzz(int count, int seed)
{
    for (int i = 0; i < count; i++) {
        random_state = (uint64_t)(seed + i) * 0x9e3779b97f4a7c15ull;
        Case c;
        do {
            int batches = between(0, 2) ? 1 : between(0, 3) ? between(2, 5) : between(6, 400);
            set_case(&c, all_bytes[between(0, 4)], batches, some_side(), some_side());
            if (between(0, 5) == 0) { /* a narrow one, long enough for several tiles */
                int few = between(1, 20), length = between(1200, 40000 / few);
                c.bytes = all_bytes[between(0, between(0, 1) ? 1 : 4)];
                c.batches = 1;
                c.rows = between(0, 1) ? few : length;
                c.cols = c.rows == few ? length : few;
            }
        } while ((long)c.batches * c.rows * c.cols > 40000);
        if (between(0, 3) == 0)
            c.in_pitch = c.cols + between(0, 40);
        if (between(0, 3) == 0)
            c.out_pitch = c.rows + between(0, 40);
        if (between(0, 2) == 0) { /* aligned, as TRANSPOSE_REGISTERS needs */
            int v = 16 / c.bytes;
            c.rows = (c.rows + v - 1) / v * v;
            c.cols = (c.cols + v - 1) / v * v;
            c.in_pitch = between(0, 1) ? 0 : c.cols + v * between(0, 4);
            c.out_pitch = between(0, 1) ? 0 : c.rows + v * between(0, 4);
        } else {
            c.in_offset = between(0, 2) ? between(0, 15) : 0;
            c.out_offset = between(0, 2) ? between(0, 15) : 0;
        }
        c.reads = between(0, 2);
        if (between(0, 1)) {
            c.kernel = between(0, TRANSPOSE_SMALL);
            if (!can(&c, c.kernel))
                c.kernel = can(&c, TRANSPOSE_REGISTERS) ? TRANSPOSE_REGISTERS : TRANSPOSE_WINDOWS;
            c.tiles = between(0, TRANSPOSE_TILES_TALL);
            static const int options[] = {0, TRANSPOSE_KEEP, TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES,
                                          TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES | TRANSPOSE_LEAVE};
            c.options = options[between(0, 3)];
            c.band = between(0, 1) ? 0 : between(1, 300);
            c.two_fronts = between(0, 1);
        }
        run(&c, seed + i);
    }
}

/* ---- arguments ---- */

static char *memory; /* MEMORY bytes of the device, filled with ones */
enum { MEMORY = 1 << 20 };

/* Returns the status of the call, and sets `changed` to 1 if the call wrote anything. */
static cudaError_t call(long out, long in, int batches, int rows, int cols, long out_pitch,
                        long in_pitch, int bytes, int *changed)
{
    static char *host;
    if (!host)
        host = (char *)malloc(MEMORY);
    MUST(cudaMemset(memory, 1, MEMORY));
    MUST(cudaMemset(memory + in, 2, 1));
    cudaError_t error =
        transpose(memory + out, memory + in, batches, rows, cols, out_pitch, in_pitch, bytes, 0);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(host, memory, MEMORY, cudaMemcpyDeviceToHost));
    *changed = 0;
    for (int i = 0; i < MEMORY; i++)
        *changed |= host[i] != (i == in ? 2 : 1);
    return error;
}

static void expect(cudaError_t expected, int change, long out, long in, int batches, int rows,
                   int cols, long out_pitch, long in_pitch, int bytes)
{
    char what[200];
    int changed;
    cudaError_t error = call(out, in, batches, rows, cols, out_pitch, in_pitch, bytes, &changed);
    snprintf(what, sizeof what,
             "out %ld in %ld, %d x (%d x %d), pitches %ld and %ld, %d B: returned %d, changed %d",
             out, in, batches, rows, cols, in_pitch, out_pitch, bytes, (int)error, changed);
    check(error == expected && changed == change, what);
}

static void arguments(void)
{
    const cudaError_t bad = cudaErrorInvalidValue;
    const long half = MEMORY / 2;
    MUST(cudaMalloc((void **)&memory, MEMORY));
    expect(cudaSuccess, 1, half, 0, 1, 30, 20, 0, 0, 4);
    expect(cudaSuccess, 1, half, 0, 1, 30, 20, 30, 20, 4);

    for (int bytes = -1; bytes <= 33; bytes++)
        if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
            expect(bad, 0, half, 0, 1, 30, 20, 0, 0, bytes);
    expect(bad, 0, half, 0, -1, 30, 20, 0, 0, 4);
    expect(bad, 0, half, 0, 1, -30, 20, 0, 0, 4);
    expect(bad, 0, half, 0, 1, 30, -20, 0, 0, 4);
    expect(bad, 0, half, 0, 1, 30, 20, 29, 0, 4);
    expect(bad, 0, half, 0, 1, 30, 20, 0, 19, 4);
    expect(bad, 0, half, 0, 1, 30, 20, -30, 0, 4);
    expect(bad, 0, half, 0, 1, 30, 20, 0, -20, 4);
    for (int b = 1; b < 5; b++) { /* not aligned to an element */
        int e = all_bytes[b];
        expect(bad, 0, half + e / 2, 0, 1, 30, 20, 0, 0, e);
        expect(bad, 0, half, e / 2, 1, 30, 20, 0, 0, e);
        expect(bad, 0, half, 1, 1, 30, 20, 0, 0, e);
    }
    int nothing = transpose(NULL, memory, 1, 30, 20, 0, 0, 4, 0) == bad &&
                  transpose(memory, NULL, 1, 30, 20, 0, 0, 4, 0) == bad;
    check(nothing, "a null pointer");
    /* Sizes whose product is no address. */
    expect(bad, 0, half, 0, INT_MAX, INT_MAX, INT_MAX, 0, 0, 16);
    expect(bad, 0, half, 0, 1, 2, 2, 0, LONG_MAX, 1);
    expect(bad, 0, half, 0, 1, 2, 2, LONG_MAX / 2, 0, 16);
    expect(bad, 0, half, 0, 3, INT_MAX, 1, 0, LONG_MAX / 8, 8);

    /* Empty matrices, with right and wrong arguments. */
    expect(cudaSuccess, 0, half, 0, 0, 30, 20, 0, 0, 4);
    expect(cudaSuccess, 0, half, 0, 1, 0, 20, 0, 0, 4);
    expect(cudaSuccess, 0, half, 0, 1, 30, 0, 0, 0, 4);
    expect(cudaSuccess, 0, half, 0, 0, 0, 0, 0, 0, 4);
    expect(cudaSuccess, 0, 0, 0, 1, 0, 0, 0, 0, 4);
    check(transpose(NULL, NULL, 0, 30, 20, 0, 0, 4, 0) == cudaSuccess, "nothing, without memory");
    expect(bad, 0, half, 0, 0, 30, 20, 0, 0, 3);
    expect(bad, 0, half, 0, 0, 30, 20, 0, 19, 4);

    /* Overlap: in place, by one element at either end, in the middle. */
    long size = 30 * 20 * 4;
    expect(bad, 0, 0, 0, 1, 30, 20, 0, 0, 4);
    expect(bad, 0, size - 4, 0, 1, 30, 20, 0, 0, 4);
    expect(cudaSuccess, 1, size, 0, 1, 30, 20, 0, 0, 4);
    expect(bad, 0, 0, size - 4, 1, 30, 20, 0, 0, 4);
    expect(cudaSuccess, 1, 0, size, 1, 30, 20, 0, 0, 4);
    expect(bad, 0, 2 * size, 0, 3, 30, 20, 0, 0, 4);
    expect(bad, 0, 400, 0, 1, 100, 100, 0, 0, 4);
    /* The extent ends with the last element, not with the last pitch. */
    long extent = (29 * 25 + 20) * 4;
    expect(cudaSuccess, 1, extent, 0, 1, 30, 20, 0, 25, 4);
    expect(bad, 0, extent - 4, 0, 1, 30, 20, 0, 25, 4);

    /* Rectangles of one matrix of 100 columns: beside each other, touching, one column too near. */
    expect(cudaSuccess, 1, 50 * 4, 0, 1, 40, 40, 100, 100, 4);
    expect(cudaSuccess, 1, 40 * 4, 0, 1, 40, 40, 100, 100, 4);
    expect(cudaSuccess, 1, 60 * 4, 0, 1, 40, 40, 100, 100, 4);
    expect(bad, 0, 39 * 4, 0, 1, 40, 40, 100, 100, 4);
    expect(bad, 0, 61 * 4, 0, 1, 40, 40, 100, 100, 4);
    expect(cudaSuccess, 1, 0, 50 * 4, 1, 40, 40, 100, 100, 4);
    expect(cudaSuccess, 1, (100 * 5 + 50) * 4, 0, 2, 20, 20, 100, 100, 4);
    expect(bad, 0, 50 * 4, 0, 1, 40, 40, 100, 101, 4);

    /* Each way to read, on another stream than the default. */
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    for (int reads = 0; reads < 3; reads++)
        check(transpose_with(memory + half, memory, 1, 300, 200, 0, 0, 4,
                             (enum TransposeReads)reads, stream) == cudaSuccess,
              "a choice of reads");
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(memory));
}

int main(int argc, char **argv)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("no CUDA device\n");
        return 3;
    }
    int sizes = 0;
    for (int i = 2; i < argc; i++)
        sizes |= atoi(argv[i]);
    if (argc >= 2 && strcmp(argv[1], "shapes") == 0)
        shapes(sizes ? sizes : 1 | 2 | 4 | 8 | 16);
    else if (argc >= 3 && argc <= 4 && strcmp(argv[1], "fuzz") == 0)
        fuzz(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 1);
    else if (argc == 2 && strcmp(argv[1], "arguments") == 0)
        arguments();
    else {
        fprintf(stderr, "usage: library shapes [BYTES]... | fuzz N [SEED] | arguments\n");
        return 2;
    }
    printf("%d failures\n", failures);
    return failures > 0;
}
