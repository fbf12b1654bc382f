/*
 * A step program that notes what the harness does with it, and whose clock says what the test wants
 * to hear: contract.sh checks the notes and the figures.
 *
 * Environment: CONTRACT_NOTES is the file that gets them; CONTRACT_FIRST and CONTRACT_COUNT choose
 * the part of the table of variants that the step has (default: the first five); CONTRACT_HEADLINE
 * is its headline ("" for none, default plain); CONTRACT_REFUSE_RESET lets
 * cudaCtxResetPersistingL2Cache fail; CONTRACT_MAP is an address whose tensor map is made instead, with
 * elements of CONTRACT_BYTES bytes and the swizzle CONTRACT_SWIZZLE; hooks/harness_hooks.h reads two more.
 *
 * Notes, in order of their happening: p prepares, a small letter launches a variant, m launches
 * cudaMemcpyAsync; `sync` and `reset` begin a line; < and > are the events around a sample.
 *
 * The clock: a launch of cudaMemcpyAsync takes 5 ms, the fastest copy (which cannot be noted) 2 ms,
 * a variant 0.25 ms, and the variant b 0.01 ms more in each of its samples.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static inline void note(const char *text)
{
    static FILE *file;
    const char *path = getenv("CONTRACT_NOTES");
    if (!file && path)
        file = fopen(path, "w");
    if (file) {
        fputs(text, file);
        fflush(file);
    }
}

static inline cudaError_t noted_reset(cudaError_t (*reset)(void))
{
    note("reset ");
    return getenv("CONTRACT_REFUSE_RESET") ? cudaErrorNotSupported : reset();
}

static char launched;                /* the last launch's letter */
static int events, timed, b_samples; /* launches in this sample; earlier samples of b */

static inline void note_launch(char letter)
{
    const char text[2] = {letter, 0};
    note(text);
    launched = letter;
    timed++;
}

static inline void note_event(void)
{
    note(events++ % 2 ? ">" : "<");
    if (events % 2)
        timed = 0;
}

static inline cudaError_t noted_time(float *ms)
{
    double one = launched == 'm' ? 5 : launched == 'b' ? 0.25 + 0.01 * b_samples++ : 0.25;
    *ms = timed ? (float)(one * timed) : 2;
    return cudaSuccess;
}

#define cudaDeviceSynchronize() (note("\nsync "), cudaDeviceSynchronize())
#define cudaCtxResetPersistingL2Cache() noted_reset(cudaCtxResetPersistingL2Cache)
#define cudaEventRecord(event) (note_event(), cudaEventRecord(event))
#define cudaEventElapsedTime(ms, start, stop) noted_time(ms)
#define cudaMemcpyAsync(...) (note_launch('m'), cudaMemcpyAsync(__VA_ARGS__))

#include "harness/harness.h"

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)rows * cols)
        out[i % cols * rows + i / cols] = in[i];
}

template <char LETTER>
static void launch(const float *in, float *out, int rows, int cols)
{
    note_launch(LETTER);
    transpose<<<tiles(rows * cols, 256), 256>>>(in, out, rows, cols);
}

/* What a launch of this letter was prepared for. */
template <char LETTER>
struct Prepared {
    static int times, rows, cols;
    static const float *in;
    static float *out;
};
template <char LETTER>
int Prepared<LETTER>::times;
template <char LETTER>
int Prepared<LETTER>::rows;
template <char LETTER>
int Prepared<LETTER>::cols;
template <char LETTER>
const float *Prepared<LETTER>::in;
template <char LETTER>
float *Prepared<LETTER>::out;

template <char LETTER>
static void prepare(const float *in, float *out, int rows, int cols)
{
    typedef Prepared<LETTER> P;
    note("p");
    P::times++;
    P::in = in, P::out = out, P::rows = rows, P::cols = cols;
}

/* Launches nothing, so that verification fails, unless it was prepared once and for this matrix. */
template <char LETTER>
static void launch_prepared(const float *in, float *out, int rows, int cols)
{
    typedef Prepared<LETTER> P;
    if (P::times == 1 && P::in == in && P::out == out && P::rows == rows && P::cols == cols)
        launch<LETTER>(in, out, rows, cols);
}

int main(int argc, char **argv)
{
    enum { MANY = 100 };
    static char names[MANY][8];
    static Variant variants[MANY] = {
        {"plain", launch<'a'>, 1, 0},
        {"one_row_a_block", launch<'b'>, 1, 0, 1},
        {"even", launch<'c'>, 2, 0},
        {"prepared", launch_prepared<'d'>, 1, 0, 0, prepare<'d'>},
        {"prepared_too", launch_prepared<'e'>, 1, 0, 0, prepare<'e'>},
    };
    for (int v = 5; v < MANY; v++) {
        snprintf(names[v], sizeof names[v], "more%d", v);
        variants[v] = Variant{names[v], launch<'f'>, 1, 0};
    }
    if (const char *map = getenv("CONTRACT_MAP")) {
        tensor_map((void *)strtoul(map, NULL, 0), atoi(getenv("CONTRACT_BYTES")), 32, 32, 32, 8,
                   (BoxSwizzle)atoi(getenv("CONTRACT_SWIZZLE")));
        return 0;
    }
    const char *first = getenv("CONTRACT_FIRST"), *count = getenv("CONTRACT_COUNT");
    const char *headline = getenv("CONTRACT_HEADLINE");
    int from = first ? atoi(first) : 0;
    Step step = {"contract",
                 TRANSPOSE,
                 variants + from,
                 count ? atoi(count) : 5,
                 headline ? *headline ? headline : NULL : variants[from].name,
                 "even",
                 NULL};
    return run_step(&step, argc, argv);
}
