/* Sums counts over the pcs of a source line, with the reasons why they may differ on the hardware. */
#include <stdlib.h>
#include <string.h>
#include "counting.h"

static int by_pc(const void *a, const void *b)
{
    uintptr_t x = ((const struct site_count *)a)->pc, y = ((const struct site_count *)b)->pc;
    return x < y ? -1 : x > y;
}

/* Adds the other site's counts to *sum, which keeps the worse of both worst requests. */
static void add_site(struct site_count *sum, const struct site_count *other)
{
    struct site_count worse = *sum;
    if (other->worst_work * (sum->worst_ideal ? sum->worst_ideal : 1) >
        sum->worst_work * (other->worst_ideal ? other->worst_ideal : 1))
        worse = *other;
    for (int c = 0; c < CPUCC_COUNTERS; c++) {
        worse.counter[c] = sum->counter[c];
        add_count(&worse.counter[c], other->counter[c]);
    }
    *sum = worse;
}

void cpucc_sum_launches(const struct kernel_record *k, struct cpucc_count *sum,
                        unsigned *may_differ)
{
    memset(sum, 0, CPUCC_COUNTERS * sizeof *sum);
    for (int i = 0; i < k->launch_count; i++)
        for (int c = 0; c < CPUCC_COUNTERS; c++) {
            add_count(&sum[c], k->launches[i].counter[c]);
            may_differ[c] |= k->launches[i].may_differ[c];
        }
    for (int c = 0; c < CPUCC_COUNTERS; c++)
        may_differ[c] = sum[c].requests ? may_differ[c] : 0;
}

/* Adds why the site's counts may differ to to[counter] of each counter that it has counted. */
static void add_may_differ(unsigned *to, const struct site_count *site)
{
    unsigned may_differ = cpucc_line_may_differ(site->pc) & ~(1u << MERGED);
    for (int c = 0; c < CPUCC_COUNTERS && may_differ; c++)
        if (site->counter[c].requests)
            to[c] |= may_differ;
}

void cpucc_kernel_may_differ(const struct kernel_record *k, unsigned *may_differ)
{
    memset(may_differ, 0, CPUCC_COUNTERS * sizeof *may_differ);
    EACH_RECORD(const struct site_count, site, k->sites)
        add_may_differ(may_differ, site);
}

#define WORD_AND_TEXT(name, word, text) {word, text},
static const struct {
    const char *word, *text;
} reasons[] = {MAY_DIFFER_REASONS(WORD_AND_TEXT)};
#undef WORD_AND_TEXT

const char *cpucc_may_differ_word(int reason) { return reasons[reason].word; }
const char *cpucc_may_differ_text(int reason) { return reasons[reason].text; }

void cpucc_print_may_differ(FILE *to, unsigned may_differ)
{
    const char *comma = "";
    for (int i = 0; i < MAY_DIFFER_COUNT; i++)
        if (may_differ >> i & 1) {
            fprintf(to, "%s%s", comma, reasons[i].word);
            comma = ",";
        }
    if (!may_differ)
        putc('-', to);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *cpucc_reading_lines(const struct kernel_record *k, uintptr_t address)
{
    static char text[600];
    const char *seen[3];
    int lines = 0;
    size_t used = 0;
    uintptr_t object = cpucc_object_at(address);
    *text = 0;
    EACH_RECORD(const struct site_count, s, k ? k->sites : (struct table){0}) {
        if (!(s->counter[CPUCC_GLOBAL_LOAD].requests || s->counter[CPUCC_SHARED_LOAD].requests) ||
            cpucc_object_at(s->worst.address[__builtin_ctz(s->worst.lanes)]) != object)
            continue;
        const char *line = cpucc_line(s->pc);
        int n = 0;
        while (n < lines && strcmp(seen[n], line))
            n++;
        if (n < lines)
            continue;
        if (lines == 3)
            return "";
        seen[lines++] = line;
    }
    qsort(seen, (size_t)lines, sizeof *seen,
          by_text); /* sites lie in the order of their addresses */
    for (int i = 0; i < lines; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " or " : " at ", seen[i]);
    return text;
}

const char *cpucc_array_name(const struct line_count *line, int array)
{
    return line->array[array].name ? line->array[array].name : "?";
}

int cpucc_arrays_with(const struct line_count *line, int counter)
{
    int arrays = 0;
    for (int i = 0; i < line->array_count; i++)
        arrays += line->array[i].counter[counter].requests != 0;
    return arrays;
}

/* Adds the site to the line's arrays and merged accesses. */
static void add_array(struct line_count *line, const struct site_count *site)
{
    int i = 0;
    while (i < line->array_count && i < LINE_ARRAYS - 1 && line->array[i].name != site->array)
        i++;
    struct array_count *a = &line->array[i];
    if (i == line->array_count)
        a->name = site->array, line->array_count++;
    else if (a->name != site->array)
        a->name = "other arrays";
    bool merged = cpucc_line_may_differ(site->pc) >> MERGED & 1;
    for (int c = 0; c < CPUCC_COUNTERS; c++) {
        add_count(&a->counter[c], site->counter[c]);
        if (merged && site->counter[c].requests && site->worst.bytes > line->merged[c])
            line->merged[c] = site->worst.bytes;
    }
}

struct line_count *cpucc_lines(const struct kernel_record *k, int *count)
{
    int n = 0;
    struct site_count *site = cpucc_nonnull(malloc((k->sites.count + 1) * sizeof *site));
    struct line_count *list = cpucc_nonnull(malloc((k->sites.count + 1) * sizeof *list));
    uintptr_t *pc = cpucc_nonnull(malloc((k->sites.count + 1) * sizeof *pc));
    EACH_RECORD(const struct site_count, s, k->sites)
        site[n++] = *s;
    qsort(site, (size_t)n, sizeof *site, by_pc);
    for (int i = 0; i < n; i++)
        pc[i] = site[i].pc;
    cpucc_find_lines(pc, (size_t)n);
    *count = 0;
    for (int i = 0; i < n; i++) {
        const char *line = cpucc_line(site[i].pc), *slash = strrchr(line, '/');
        int j = 0;
        while (j < *count && strcmp(list[j].place, line))
            j++;
        if (j < *count)
            add_site(&list[j].sum, &site[i]);
        else
            list[(*count)++] = (struct line_count){
                .place = line, .shown = slash ? slash + 1 : line, .sum = site[i]};
        add_array(&list[j], &site[i]);
        add_may_differ(list[j].may_differ, &site[i]);
    }
    free(site);
    free(pc);
    return list;
}
