/* rule.c: tests of rule.h, by a C compiler and without a GPU. Exit status 0, or 1 if one fails. */
#include <stdlib.h>

#include "reference.h"
#include "transpose/rule.h"

static int failures;

static void check(int good, const char *what)
{
    if (!good)
        failures++, printf("FAILED: %s\n", what);
}

static const double h200 = 60 << 20, h100 = 50 << 20, small_gpu = 2e6; /* bytes of L2 */

/* Returns the checked problem, at addresses that are never accessed: 1 TB and 4 TB plus offsets. */
static TransposeProblem problem(Transpose t, int in_offset, int out_offset)
{
    TransposeProblem p;
    t.in = (const void *)(((uintptr_t)1 << 40) + (uintptr_t)(in_offset * t.element_bytes));
    t.out = (void *)(((uintptr_t)4 << 40) + (uintptr_t)(out_offset * t.element_bytes));
    check(transpose_check(&t, &p) == TRANSPOSE_OK && !p.nothing, "a problem is refused");
    return p;
}

/* Checks the way and the name that the rule gives a problem with so many bytes of L2. */
static void named_on(double l2_bytes, Transpose t, const char *expected)
{
    TransposeProblem p = problem(t, 0, 0);
    TransposePlan plan;
    char name[100], text[300];
    transpose_choose(&p, l2_bytes, t.reads, &plan);
    transpose_name(&plan, p.bytes, name, sizeof name);
    snprintf(text, sizeof text, "%lld x %lld: %s, not %s", p.rows, p.cols, name, expected);
    check(strncmp(name, expected, strlen(expected)) == 0, text);
}

static void named(Transpose t, const char *expected) { named_on(h200, t, expected); }

static int64_t random_below(int64_t n)
{
    return (int64_t)(((uint64_t)rand() << 31 | (uint64_t)rand()) % (uint64_t)n);
}

/* The plan for any problem is one that can do it, on any device; and each way's tiles are whole. */
static void plans(void)
{
    for (int i = 0; i < 200000; i++) {
        Transpose t = {.element_bytes = 1 << random_below(5),
                       .reads = (TransposeReads)random_below(3)};
        t.rows = 1 + random_below(random_below(2) ? 100 : 100000);
        t.cols = 1 + random_below(random_below(2) ? 100 : 100000);
        t.in_pitch = random_below(2) ? t.cols + random_below(100) : 0;
        t.out_pitch = random_below(2) ? t.rows + random_below(100) : 0;
        t.batch_dims = (int)random_below(3);
        for (int d = 0; d < t.batch_dims; d++)
            t.batch[d].count = 1 + random_below(d ? 4 : 300);
        if (reference_reach(&t, 0) >= (int64_t)1 << 36 || reference_reach(&t, 1) >= (int64_t)1
                                                                                        << 36)
            continue;
        TransposeProblem p = problem(t, (int)random_below(20), (int)random_below(20));
        TransposePlan plan;
        char name[100];
        transpose_choose(&p, i % 2 ? h200 : small_gpu, t.reads, &plan);
        check(transpose_can(&p, plan.way), "a plan that cannot do its problem");
        check(plan.hints == 0 || plan.hints == TRANSPOSE_KEEP ||
                  plan.hints == (TRANSPOSE_KEEP | TRANSPOSE_LINES),
              "hints");
        check(plan.hints == 0 || t.reads != TRANSPOSE_READS_ORDINARY, "reads are kept");
        check(plan.band_rows >= 0 && (plan.fronts == 0 || plan.band_rows == 0),
              "an order of tiles");
        check(plan.band_rows == 0 || p.cols > transpose_tiles(plan.way, p.bytes)[1],
              "bands of one column of tiles");
        if (plan.band_rows > 1) {
            const short *tile = transpose_tiles(plan.way, p.bytes);
            const long long down = (p.rows + (p.sectors ? 0 : 32 / p.bytes - 1) + tile[0] - 1) /
                                   tile[0],
                            band = (plan.band_rows + tile[0] - 1) / tile[0];
            check(2 * (down - 1) / band >= band || (down - 1) % band >= band / 2,
                  "a band of few tiles");
        }
        check(transpose_name(&plan, p.bytes, name, sizeof name) < 100 && name[0], "a name");
    }
}

/* Problems that are simpler than they look. */
static void simplest(void)
{
    TransposeProblem p = problem((Transpose){.rows = 1, .cols = 1000, .element_bytes = 1}, 0, 0);
    check(p.rows == 1 && p.cols == 1000 / 8 && p.bytes == 8 && p.dims == 0,
          "a run in larger elements");
    p = problem((Transpose){.rows = 3,
                            .cols = 5,
                            .element_bytes = 4,
                            .batch_dims = 3,
                            .batch = {{2, 0, 0}, {1, 99, 77}, {7, 0, 0}}},
                0, 0);
    check(p.batches == 14 && p.dims <= 2 && p.batch[0] * p.batch[1] * p.batch[2] == 14, "dropped");
    p = problem((Transpose){.rows = 3,
                            .cols = 5,
                            .element_bytes = 4,
                            .batch_dims = 2,
                            .batch = {{2, 0, 0}, {7, 0, 0}}},
                0, 0);
    check(p.dims == 1 && p.batch[0] == 14 && p.packed, "joined batches");
    p = problem((Transpose){.rows = 32, .cols = 64, .element_bytes = 2}, 0, 0);
    check(p.aligned && p.sectors && !p.shifted && (p.in_bits | p.out_bits) % 16 == 0, "aligned");
    p = problem((Transpose){.rows = 32, .cols = 64, .element_bytes = 2}, 1, 8);
    check(!p.aligned && !p.sectors && p.shifted && p.in_bits % 16 != 0 && p.out_bits % 16 == 0,
          "not aligned");
}

int main(void)
{
    named((Transpose){.rows = 1, .cols = 1000, .element_bytes = 4}, "copy");
    named((Transpose){.rows = 4096, .cols = 4096, .element_bytes = 4}, "registers");
    named((Transpose){.rows = 4097, .cols = 4095, .element_bytes = 4}, "windows");
    Transpose odd = {.rows = 32767, .cols = 32767, .element_bytes = 4};
    named(odd, "windows 64x64, keep, lines");
    named_on(h100, odd, "windows 64x64, keep, lines, bands of 8256 rows");
    odd.rows = 10007;
    named(odd, "windows 64x128, keep, lines");
    named_on(h100, odd, "windows 64x64, keep, lines");
    odd.rows = 65003, odd.cols = 13001;
    named(odd, "windows 64x64, keep, lines, bands");
    named_on(h100, odd, "windows 64x64, keep, bands of 1 rows");
    check(strcmp(transpose_text(TRANSPOSE_OK), transpose_text(TRANSPOSE_CUDA + 1)) != 0, "texts");
    for (int error = TRANSPOSE_OK; error <= TRANSPOSE_BAD_PLAN; error++)
        for (int other = TRANSPOSE_OK; other < error; other++)
            check(strcmp(transpose_text(error), transpose_text(other)) != 0, "two alike texts");
    plans();
    simplest();
    printf("%d failures\n", failures);
    return failures > 0;
}
