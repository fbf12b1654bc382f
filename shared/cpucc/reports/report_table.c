/* Prints the report `table`: counts per kernel and source line, and each line's worst request. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "reports.h"

/* What the work of each counter is counted in. */
static const char *const units[CPUCC_COUNTERS] = {
    "sectors", "sectors", "wavefronts", "wavefronts", "sectors", "wavefronts",
    "bytes",   "bytes",   "sectors",    "sectors",    "packets", "packets"};

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 1; }

static void print_row(FILE *to, const char *first, int counter, const struct cpucc_count *c,
                      unsigned may_differ)
{
    fprintf(to, "  %-28s %-18s %12llu %12llu %9.2f %9.2f  %s", first, cpucc_counter_name(counter),
            (unsigned long long)c->requests, (unsigned long long)c->work,
            ratio(c->work, c->requests), ratio(c->work, c->ideal_work), units[counter]);
    if (may_differ) {
        fprintf(to, "  ~");
        cpucc_print_may_differ(to, may_differ);
    }
    putc('\n', to);
}

/* Prints what the report's words mean, of those that it uses: after a ~ the reasons why the hardware's count may
 * differ. */
static void print_legend(FILE *to, unsigned may_differ)
{
    int found;
    cpucc_kept_faults(&found);
    if (found)
        fprintf(to,
                "fault: an error; the program ends with status 1. remark: legal or harmless as it "
                "is, but worth a look\n");
    if (may_differ)
        fprintf(to, "~: the hardware's count may differ (cpucc's README, Counts)\n");
    for (int i = 0; i < MAY_DIFFER_COUNT; i++)
        if (may_differ >> i & 1)
            fprintf(to, "    %s: %s\n", cpucc_may_differ_word(i), cpucc_may_differ_text(i));
}

int cpucc_worst_bank(const struct site_count *s, uint32_t *lanes)
{
    struct traffic_wavefront wave[TRAFFIC_MAX_WAVEFRONTS];
    int waves = traffic_wavefronts(&s->worst, wave), most = 1, bank = -1;
    for (int first = 0, end; first < waves; first = end) {
        for (end = first; end < waves && wave[end].group == wave[first].group;)
            end++;
        for (int b = 0; b < TRAFFIC_BANKS; b++) {
            uint32_t wanting = 0;
            int words = 0;
            for (int i = first; i < end; i++)
                wanting |= wave[i].lanes[b], words += wave[i].lanes[b] != 0;
            if (words > most)
                most = words, bank = b, *lanes = wanting;
        }
    }
    return bank;
}

bool cpucc_worst_is_global(const struct site_count *s)
{
    return s->worst.kind == TRAFFIC_GLOBAL_LOAD || s->worst.kind == TRAFFIC_GLOBAL_STORE;
}

/* Prints a line's worst request unless it costs the ideal: its lanes, and their bank or address. */
static void print_worst(FILE *to, const struct site_count *s)
{
    if (s->worst_work <= s->worst_ideal)
        return;
    fprintf(to, "    worst: %llu where %llu would do, block %u warp %u;",
            (unsigned long long)s->worst_work, (unsigned long long)s->worst_ideal, s->worst_block,
            s->worst_warp);
    if (cpucc_worst_is_global(s)) {
        fprintf(to, " %d bytes each, %d lanes from address 0x%llx\n", s->worst.bytes,
                __builtin_popcount(s->worst.lanes),
                (unsigned long long)s->worst.address[__builtin_ctz(s->worst.lanes)]);
        return;
    }
    uint32_t lanes = 0;
    int bank = cpucc_worst_bank(s, &lanes), shown = 0;
    if (bank < 0) {
        fprintf(to, " no bank conflict; the lanes are served in several groups\n");
        return;
    }
    fprintf(to, " bank %d serves lanes", bank);
    for (uint32_t m = lanes; m; m &= m - 1)
        if (shown++ < 8)
            fprintf(to, " %d", __builtin_ctz(m));
    fprintf(to, "%s\n", shown > 8 ? " ..." : "");
}

/* Prints the text of the line `place`, "file:line", if the file can be read. */
static void print_source(FILE *to, const char *place)
{
    const char *number;
    char *file = strndup(place, (size_t)cpucc_line_parts(place, &number)), *text = NULL;
    FILE *from = file ? fopen(file, "r") : NULL;
    size_t capacity = 0;
    int line = 0;
    while (from && line < atoi(number) && getline(&text, &capacity, from) >= 0)
        line++;
    if (line && line == atoi(number)) {
        text[strcspn(text, "\r\n")] = 0;
        fprintf(to, "  %d | %.100s\n", line, text + strspn(text, " \t"));
    }
    if (from)
        fclose(from);
    free(text);
    free(file);
}

static void print_arrays(FILE *to, const struct line_count *line, int counter)
{
    char label[40];
    for (int i = 0; i < line->array_count; i++) {
        snprintf(label, sizeof label, "  of %s", cpucc_array_name(line, i));
        if (line->array[i].counter[counter].requests)
            print_row(to, label, counter, &line->array[i].counter[counter], 0);
    }
}

static void print_lines(FILE *to, const struct kernel_record *k)
{
    int count;
    struct line_count *line = cpucc_lines(k, &count);
    for (int i = 0; i < count; i++) {
        print_source(to, line[i].place);
        for (int c = 0; c < CPUCC_COUNTERS; c++) {
            if (!line[i].sum.counter[c].requests)
                continue;
            print_row(to, line[i].shown, c, &line[i].sum.counter[c], line[i].may_differ[c]);
            if (cpucc_arrays_with(&line[i], c) > 1)
                print_arrays(to, &line[i], c);
            if (line[i].merged[c])
                fprintf(to,
                        "    merged: one access of %d bytes per lane stands for several of the "
                        "source, as in nvcc's code\n",
                        line[i].merged[c]);
        }
        print_worst(to, &line[i].sum);
    }
    free(line);
}

void cpucc_print_table(FILE *to)
{
    int kernel_count;
    unsigned all = 0;
    struct kernel_record *const *kernels = cpucc_kernels(&kernel_count);
    for (int k = 0; k < kernel_count; k++) {
        const struct launch_record *r = &kernels[k]->launches[kernels[k]->launch_count - 1];
        struct cpucc_count sum[CPUCC_COUNTERS];
        unsigned may_differ[CPUCC_COUNTERS];
        cpucc_kernel_may_differ(kernels[k], may_differ);
        cpucc_sum_launches(kernels[k], sum, may_differ);
        fprintf(to,
                "%s, %d launch%s, last: grid %u,%u,%u block %u,%u,%u, %llu bytes of shared memory "
                "per block\n",
                kernels[k]->name, kernels[k]->launch_count,
                kernels[k]->launch_count == 1 ? "" : "es", r->grid.x, r->grid.y, r->grid.z,
                r->block.x, r->block.y, r->block.z, (unsigned long long)r->shared_bytes);
        fprintf(to, "  %-28s %-18s %12s %12s %9s %9s  %s\n", "", "counter", "requests", "work",
                "work/req", "conflict", "unit of work");
        for (int c = 0; c < CPUCC_COUNTERS; c++)
            if (sum[c].requests)
                print_row(to, "all lines", c, &sum[c], may_differ[c]), all |= may_differ[c];
        print_lines(to, kernels[k]);
    }
    print_legend(to, all);
}
