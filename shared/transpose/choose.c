/*
 * choose.c: prints how rule.h chooses a way for a problem on an H200. Runs on the host, needs no GPU.
 *
 *     choose ROWS COLS [ELEMENT_BYTES [BATCHES]]
 *
 * Elements have 4 bytes unless told otherwise; rows and matrices follow each other without gaps, and
 * begin at a multiple of 256 bytes. For each way that can do the problem it prints the terms of the
 * model with their factors, the sum of their products, and e to the sum: the expected time as a multiple
 * of a copy's time. Terms that are 0 for all ways are left out. The last line is the plan that
 * transpose() takes. Exit status: 0; 2 wrong usage, or a problem that transpose() refuses.
 */
#include <stdlib.h>

#include "transpose/rule.h"

static const double h200 = 60 << 20; /* bytes of its L2 */

static const TransposeRule table[] = {
#include "transpose/rule_h200.h"
};
enum { RULES = sizeof table / sizeof *table };

/* Returns the whole positive number that a text is, or 0 if it is none. */
static long long number(const char *text)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    return *end == '\0' && value > 0 ? value : 0;
}

/* Fills in the values of a way's terms. */
static void way_terms(const TransposeProblem *p, int way, float value[TRANSPOSE_TERMS])
{
    transpose_problem_terms(p, h200, value);
    transpose_way_terms(p, way, value);
}

/* Prints a line with each used term's name, and one line of values and one of factors per way. */
static void print_ways(const TransposeProblem *p)
{
    static const char *const names[] = {
        "always",    "idle",  "torn",  "short", "little",    "column",   "tiny", "held",   "launch",
        "idle_held", "large", "broad", "width", "out_lines", "in_lines", "room", "stacked"};
    _Static_assert(sizeof names / sizeof *names == TRANSPOSE_TERMS, "each term has a name");
    const int form = transpose_form(p);
    int used[TRANSPOSE_TERMS] = {0};
    float value[TRANSPOSE_TERMS];
    for (int r = 0; r < RULES; r++) {
        if (!transpose_applies(&table[r], p, form))
            continue;
        way_terms(p, table[r].way, value);
        for (int k = 0; k < TRANSPOSE_TERMS; k++)
            used[k] |= fabsf(value[k]) >= 0.0005f;
    }
    printf("%-24s", "way");
    for (int k = 0; k < TRANSPOSE_TERMS; k++)
        if (used[k])
            printf("%10s", names[k]);
    printf("%10s%10s\n", "sum", "e^sum");
    for (int r = 0; r < RULES; r++) {
        const TransposePlan plan = {table[r].way, 0, 0, 0};
        char name[100];
        float sum = 0;
        if (!transpose_applies(&table[r], p, form))
            continue;
        way_terms(p, plan.way, value);
        transpose_name(&plan, p->bytes, name, sizeof name);
        printf("%-17s%-8s", name, "term");
        for (int k = 0; k < TRANSPOSE_TERMS; k++) {
            sum += value[k] * table[r].factor[k];
            if (used[k])
                printf("%10.3f", value[k]);
        }
        printf("\n%-17s%-8s", "", "factor");
        for (int k = 0; k < TRANSPOSE_TERMS; k++)
            if (used[k])
                printf("%10.4f", table[r].factor[k]);
        printf("%10.3f%10.3f\n", sum, exp(sum));
    }
}

int main(int argc, char **argv)
{
    static const char *const forms[] = {"wide", "few columns", "few rows", "batch of small"};
    long long argument[4] = {0, 0, 4, 1}; /* rows, columns, bytes, batches */
    int good = argc >= 3 && argc <= 5;
    for (int i = 1; i < argc && good; i++)
        good = (argument[i - 1] = number(argv[i])) > 0;
    if (!good || argument[2] > 16) {
        fprintf(stderr, "usage: choose ROWS COLS [ELEMENT_BYTES [BATCHES]]\n");
        return 2;
    }

    const Transpose t = {.out = (void *)((uintptr_t)1 << 60),
                         .in = (const void *)((uintptr_t)1 << 50),
                         .rows = argument[0],
                         .cols = argument[1],
                         .element_bytes = (int)argument[2],
                         .batch_dims = 1,
                         .batch = {{argument[3], 0, 0}}};
    TransposeProblem p;
    TransposePlan plan;
    char name[100];
    TransposeError error = transpose_check(&t, &p);
    if (error != TRANSPOSE_OK) {
        fprintf(stderr, "choose: %s\n", transpose_text(error));
        return 2;
    }

    printf("form: %s; rows, columns and pitches %s of 16 bytes; in and out are %.3g times L2\n",
           forms[transpose_form(&p)], p.aligned ? "are multiples" : "are not all multiples",
           transpose_traffic(&p, h200));
    print_ways(&p);
    transpose_choose(&p, h200, TRANSPOSE_READS_BY_SIZE, &plan);
    transpose_name(&plan, p.bytes, name, sizeof name);
    printf("plan: %s\n", name);
    return 0;
}
