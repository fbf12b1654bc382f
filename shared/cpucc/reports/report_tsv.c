/*
 * Writes the reports that programs read: `tsv` has a row per launch and counter, `lines` a row per
 * kernel, source line and counter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "reports.h"

void cpucc_print_tsv(FILE *to)
{
    int kernel_count;
    struct kernel_record *const *kernels = cpucc_kernels(&kernel_count);
    fprintf(to, "kernel\tlaunch\tgrid\tblock\tcounter\trequests\twork\tideal_work\tmay_differ\n");
    for (int k = 0; k < kernel_count; k++) {
        unsigned may_differ[CPUCC_COUNTERS];
        cpucc_kernel_may_differ(kernels[k], may_differ);
        for (int i = 0; i < kernels[k]->launch_count; i++) {
            const struct launch_record *r = &kernels[k]->launches[i];
            for (int c = 0; c < CPUCC_COUNTERS; c++)
                if (r->counter[c].requests) {
                    fprintf(to, "%s\t%d\t%u,%u,%u\t%u,%u,%u\t%s\t%llu\t%llu\t%llu\t",
                            kernels[k]->name, r->number, r->grid.x, r->grid.y, r->grid.z,
                            r->block.x, r->block.y, r->block.z, cpucc_counter_name(c),
                            (unsigned long long)r->counter[c].requests,
                            (unsigned long long)r->counter[c].work,
                            (unsigned long long)r->counter[c].ideal_work);
                    cpucc_print_may_differ(to, may_differ[c] | r->may_differ[c]);
                    putc('\n', to);
                }
        }
    }
}

/* Prints a metric of a launch as ncu --csv does. */
static void print_metric(FILE *to, int number, const char *kernel, const struct launch_record *r,
                         const char *name, const char *unit, uint64_t value)
{
    fprintf(to, "\"%d\",\"", number);
    for (const char *p = kernel; *p; p++)
        fprintf(to, *p == '"' ? "\"\"" : "%c", *p);
    fprintf(to, "\",\"(%u, %u, %u)\",\"(%u, %u, %u)\",\"%s\",\"%s\",\"%llu\"\n", r->block.x,
            r->block.y, r->block.z, r->grid.x, r->grid.y, r->grid.z, name, unit,
            (unsigned long long)value);
}

void cpucc_print_ncu(FILE *to)
{
    int kernel_count, number = 0;
    struct kernel_record *const *kernels = cpucc_kernels(&kernel_count);
    fprintf(to,
            "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Metric Name\",\"Metric Unit\","
            "\"Metric Value\"\n");
    for (int k = 0; k < kernel_count; k++)
        for (int i = 0; i < kernels[k]->launch_count; i++, number++) {
            const struct launch_record *r = &kernels[k]->launches[i];
            for (int c = 0; c <= CPUCC_ASYNC_COPY_SHARED; c++) {
                struct cpucc_metrics name = cpucc_counter_metrics(c);
                if (c != CPUCC_ASYNC_COPY_SHARED) /* its requests are those of the counter before */
                    print_metric(to, number, kernels[k]->name, r, name.requests, "inst",
                                 r->counter[c].requests);
                print_metric(to, number, kernels[k]->name, r, name.work,
                             strstr(name.work, "wavefronts") ? "" : "sector", r->counter[c].work);
            }
        }
}

/* Prints the columns arrays ("NAME REQUESTS WORK IDEAL_WORK" of each, with commas between) and may_differ. */
static void end_line_row(FILE *to, const struct line_count *line, int counter)
{
    const char *before = "\t";
    for (int i = 0; i < line->array_count; i++) {
        const struct cpucc_count *c = &line->array[i].counter[counter];
        if (!c->requests)
            continue;
        fprintf(to, "%s%s %llu %llu %llu", before, cpucc_array_name(line, i),
                (unsigned long long)c->requests, (unsigned long long)c->work,
                (unsigned long long)c->ideal_work);
        before = ", ";
    }
    fprintf(to, *before == '\t' ? "\t-\t" : "\t");
    cpucc_print_may_differ(to, line->may_differ[counter]);
    putc('\n', to);
}

/* Prints the row of one line and counter. The columns worst_bank and worst_lanes describe the
 * line's worst request. They are nan unless that request has this counter and a bank conflict. */
static void print_line_row(FILE *to, const char *kernel, const char *line,
                           const struct line_count *of, int counter)
{
    const struct site_count *s = &of->sum;
    const struct cpucc_count *c = &s->counter[counter];
    const char *number;
    uint32_t lanes = 0;
    int length = cpucc_line_parts(line, &number), bank = -1;
    fprintf(to, "%s\t%.*s\t%s\t%s\t%llu\t%llu\t%llu\t", kernel, length, line, number,
            cpucc_counter_name(counter), (unsigned long long)c->requests,
            (unsigned long long)c->work, (unsigned long long)c->ideal_work);
    if (s->worst_counter == counter && s->worst_work > s->worst_ideal && !cpucc_worst_is_global(s))
        bank = cpucc_worst_bank(s, &lanes);
    fprintf(to, bank < 0 ? "nan\tnan" : "%d\t", bank);
    for (uint32_t m = bank < 0 ? 0 : lanes; m; m &= m - 1)
        fprintf(to, m == lanes ? "%d" : " %d", __builtin_ctz(m));
    end_line_row(to, of, counter);
}

void cpucc_print_lines(FILE *to)
{
    int kernel_count, count;
    struct kernel_record *const *kernels = cpucc_kernels(&kernel_count);
    fprintf(to, "kernel\tsource\tline\tcounter\trequests\twork\tideal_work\tworst_bank\tworst_"
                "lanes\tarrays\tmay_differ\n");
    for (int k = 0; k < kernel_count; k++) {
        struct line_count *line = cpucc_lines(kernels[k], &count);
        for (int i = 0; i < count; i++)
            for (int c = 0; c < CPUCC_COUNTERS; c++)
                if (line[i].sum.counter[c].requests)
                    print_line_row(to, kernels[k]->name, line[i].shown, &line[i], c);
        free(line);
    }
}
