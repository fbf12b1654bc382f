/* Writes the report as one JSON object, or as JUnit XML for continuous integration. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "reports.h"

/* ---- JSON ---- */

/* Prints "file": ..., "line": ...; an unknown number is null. */
static void print_place(FILE *to, const char *place)
{
    const char *line;
    int length = cpucc_line_parts(place, &line);
    fprintf(to, "\"file\": ");
    cpucc_put_text(to, place, (size_t)length);
    fprintf(to, ", \"line\": %s", strspn(line, "0123456789") == strlen(line) ? line : "null");
}

static void print_index(FILE *to, const char *name, index3 i)
{
    fprintf(to, "\"%s\": [%u, %u, %u]", name, i.x, i.y, i.z);
}

/* Prints the reasons as , "may_differ": ["lanes"]. */
static void print_may_differ(FILE *to, unsigned may_differ)
{
    const char *comma = "";
    fprintf(to, ", \"may_differ\": [");
    for (int i = 0; i < MAY_DIFFER_COUNT; i++)
        if (may_differ >> i & 1) {
            fprintf(to, "%s\"%s\"", comma, cpucc_may_differ_word(i));
            comma = ", ";
        }
    putc(']', to);
}

/* Prints "counters": ... . may_differ and more (or NULL): reasons per counter, printed joined. */
static void print_counters(FILE *to, const struct cpucc_count *counter, const unsigned *may_differ,
                           const unsigned *more)
{
    const char *comma = "";
    fprintf(to, "\"counters\": {");
    for (int c = 0; c < CPUCC_COUNTERS; c++)
        if (counter[c].requests) {
            fprintf(to, "%s\"%s\": {\"requests\": %llu, \"work\": %llu, \"ideal_work\": %llu",
                    comma, cpucc_counter_name(c), (unsigned long long)counter[c].requests,
                    (unsigned long long)counter[c].work, (unsigned long long)counter[c].ideal_work);
            if (may_differ[c] | (more ? more[c] : 0))
                print_may_differ(to, may_differ[c] | (more ? more[c] : 0));
            putc('}', to);
            comma = ", ";
        }
    fprintf(to, "}");
}

static void print_metrics(FILE *to)
{
    fprintf(to, "  \"metrics\": {");
    for (int c = 0; c < cpucc_counters(); c++) {
        struct cpucc_metrics m = cpucc_counter_metrics(c);
        fprintf(to, "%s\n    \"%s\": ", c ? "," : "", cpucc_counter_name(c));
        if (!strcmp(m.requests, "nan"))
            fprintf(to, "null");
        else
            fprintf(to, "{\"requests\": \"%s\", \"work\": \"%s\"}", m.requests, m.work);
    }
    fprintf(to, "\n  },\n");
}

static void print_kernel_lines(FILE *to, const struct kernel_record *k)
{
    int count;
    struct line_count *line = cpucc_lines(k, &count);
    fprintf(to, "     \"lines\": [");
    for (int i = 0; i < count; i++) {
        const struct site_count *s = &line[i].sum;
        uint32_t lanes = 0;
        fprintf(to, "%s\n      {", i ? "," : "");
        print_place(to, line[i].place);
        fprintf(to, ", ");
        print_counters(to, s->counter, line[i].may_differ, NULL);
        fprintf(to, ", \"arrays\": [");
        for (int a = 0; a < line[i].array_count; a++) {
            static const unsigned none[CPUCC_COUNTERS];
            cpucc_put_after(to, a ? ", {\"name\": " : "{\"name\": ", cpucc_array_name(&line[i], a));
            fprintf(to, ", ");
            print_counters(to, line[i].array[a].counter, none, NULL);
            putc('}', to);
        }
        putc(']', to);
        if (s->worst_work > s->worst_ideal) {
            fprintf(to,
                    ", \"worst\": {\"counter\": \"%s\", \"work\": %llu, \"ideal_work\": %llu, "
                    "\"block\": %u, \"warp\": %u",
                    cpucc_counter_name(s->worst_counter), (unsigned long long)s->worst_work,
                    (unsigned long long)s->worst_ideal, s->worst_block, s->worst_warp);
            int bank = cpucc_worst_is_global(s) ? -1 : cpucc_worst_bank(s, &lanes);
            if (bank >= 0) {
                fprintf(to, ", \"bank\": %d, \"lanes\": [%d", bank, __builtin_ctz(lanes));
                for (uint32_t m = lanes & (lanes - 1); m; m &= m - 1)
                    fprintf(to, ", %d", __builtin_ctz(m));
                fprintf(to, "]");
            }
            fprintf(to, "}");
        }
        fprintf(to, "}");
    }
    fprintf(to, "\n     ]");
    free(line);
}

static void print_kernel(FILE *to, const struct kernel_record *k)
{
    unsigned may_differ[CPUCC_COUNTERS];
    cpucc_kernel_may_differ(k, may_differ);
    cpucc_put_after(to, "    {\"name\": ", k->name);
    fprintf(to, ",\n     \"launches\": [");
    for (int i = 0; i < k->launch_count; i++) {
        const struct launch_record *r = &k->launches[i];
        fprintf(to, "%s\n      {\"number\": %d, ", i ? "," : "", r->number);
        print_index(to, "grid", r->grid);
        fprintf(to, ", ");
        print_index(to, "block", r->block);
        fprintf(to, ", \"shared_bytes\": %llu, ", (unsigned long long)r->shared_bytes);
        print_counters(to, r->counter, may_differ, r->may_differ);
        fprintf(to, "}");
    }
    fprintf(to, "\n     ],\n");
    print_kernel_lines(to, k);
    fprintf(to, "}");
}

static void print_fault(FILE *to, const struct fault *f)
{
    fprintf(to, "    {\"level\": \"%s\", \"kind\": \"%s\", ", cpucc_level_word(f),
            cpucc_kind_texts[f->kind].word);
    print_place(to, cpucc_line(f->pc));
    cpucc_put_after(to, ", \"kernel\": ", f->kernel);
    fprintf(to, ", ");
    if (f->of_thread) {
        print_index(to, "block", f->block);
        fprintf(to, ", ");
        print_index(to, "thread", f->thread);
    } else {
        fprintf(to, "\"block\": null, \"thread\": null");
    }
    fprintf(to, ", \"times\": %llu", (unsigned long long)f->times);
    cpucc_put_after(to, ", \"message\": ", f->message);
    fprintf(to, "}");
}

void cpucc_print_json(FILE *to)
{
    int kernels, faults;
    struct kernel_record *const *k = cpucc_kernels(&kernels);
    const struct fault *f = cpucc_kept_faults(&faults);
    cpucc_put_after(to, "{\n  \"version\": 1,\n  \"program\": ", program_invocation_name);
    fprintf(to, ",\n");
    print_metrics(to);
    fprintf(to, "  \"doubts\": {");
    for (int i = 0; i < MAY_DIFFER_COUNT; i++) {
        fprintf(to, "%s\n    \"%s\": ", i ? "," : "", cpucc_may_differ_word(i));
        cpucc_put_string(to, cpucc_may_differ_text(i));
    }
    fprintf(to, "\n  },\n  \"kernels\": [");
    for (int i = 0; i < kernels; i++) {
        fprintf(to, "%s\n", i ? "," : "");
        print_kernel(to, k[i]);
    }
    fprintf(to, "\n  ],\n  \"fault_count\": %llu,\n  \"faults\": [",
            (unsigned long long)cpucc_faults());
    for (int i = 0; i < faults; i++) {
        fprintf(to, "%s\n", i ? "," : "");
        print_fault(to, &f[i]);
    }
    fprintf(to, "\n  ]\n}\n");
}

/* ---- JUnit ---- */

/* Prints a test case per kernel that ran or has a fault. Faults fail it; remarks are system-out. */
void cpucc_print_junit(FILE *to)
{
    int kernels, faults, cases, failed = 0;
    struct kernel_record *const *k = cpucc_kernels(&kernels);
    const struct fault *f = cpucc_kept_faults(&faults);
    const char **name = cpucc_nonnull(calloc((size_t)(kernels + faults + 1), sizeof *name));
    for (cases = 0; cases < kernels; cases++)
        name[cases] = k[cases]->name;
    for (int i = 0; i < faults; i++) {
        int j = 0;
        while (j < cases && strcmp(name[j], f[i].kernel))
            j++;
        if (j == cases)
            name[cases++] = f[i].kernel;
    }
    for (int j = 0; j < cases; j++)
        for (int i = 0; i < faults; i++)
            if (!strcmp(name[j], f[i].kernel) && cpucc_level(f[i].kind) == FAULT) {
                failed++;
                break;
            }
    const char *program = program_invocation_short_name;
    fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"cpucc: ");
    cpucc_put_html(to, program);
    fprintf(to, "\" tests=\"%d\" failures=\"%d\">\n", cases, failed);
    for (int j = 0; j < cases; j++) {
        fprintf(to, "  <testcase classname=\"");
        cpucc_put_html(to, program);
        fprintf(to, "\" name=\"");
        cpucc_put_html(to, name[j]);
        fprintf(to, "\">\n");
        for (int level = FAULT; level <= REMARK; level++)
            for (int i = 0; i < faults; i++) {
                const struct kind_text *kind = &cpucc_kind_texts[f[i].kind];
                if ((int)cpucc_level(f[i].kind) != level || strcmp(name[j], f[i].kernel))
                    continue;
                const char *element = level == FAULT ? "failure" : "system-out";
                fprintf(to, level == FAULT ? "    <failure type=\"%s\" message=\"" : "    <%s>",
                        level == FAULT ? kind->word : element);
                cpucc_put_html(to, cpucc_line(f[i].pc));
                fprintf(to, ": %s: ", kind->text);
                cpucc_put_html(to, f[i].message);
                fprintf(to, level == FAULT ? "\"/>\n" : "</system-out>\n");
            }
        fprintf(to, "  </testcase>\n");
    }
    fprintf(to, "</testsuite>\n");
    free(name);
}
