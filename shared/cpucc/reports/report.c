/*
 * Keeps the counts per launch and per source line, and writes the report at exit:
 *
 *   CPUCC_REPORT=KIND        a name of the array `formats`; default: table, but off in a step's
 *                            program, which prints its own table
 *   CPUCC_REPORT_FILE=path   output file, default standard error; for html, PROGRAM.html
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "report.h"
#include "trace.h"

static const char *const names[CPUCC_COUNTERS] = {
    "global_load",       "global_store",      "shared_load", "shared_store",
    "async_copy_global", "async_copy_shared", "tma_load",    "tma_store"};

#define EXECUTED "smsp__sass_inst_executed_op_"
#define SECTORS "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_"
#define WAVEFRONTS "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
static const struct cpucc_metrics metrics[CPUCC_COUNTERS] = {
    {EXECUTED "global_ld.sum", SECTORS "ld.sum"},
    {EXECUTED "global_st.sum", SECTORS "st.sum"},
    {EXECUTED "shared_ld.sum", WAVEFRONTS "ld.sum"},
    {EXECUTED "shared_st.sum", WAVEFRONTS "st.sum"},
    {EXECUTED "ldgsts.sum", SECTORS "ldgsts_cache_access.sum+" SECTORS "ldgsts_cache_bypass.sum"},
    {EXECUTED "ldgsts.sum", WAVEFRONTS "ldgsts.sum"},
    {"nan", "nan"},
    {"nan", "nan"}};

static struct kernel_record **kernels, **reported; /* reported: from before cpucc_end_of_report */
static int kernel_count, reported_count;
static bool report_has_ended;
static struct cpucc_totals totals;
static const char *default_kind = "table";
static struct cpucc_request first_requests[CPUCC_COUNTERS];

const char *cpucc_counter_name(int counter) { return names[counter]; }

struct cpucc_metrics cpucc_counter_metrics(int counter) { return metrics[counter]; }

struct kernel_record *const *cpucc_kernels(int *count)
{
    *count = report_has_ended ? reported_count : kernel_count;
    return report_has_ended ? reported : kernels;
}

void cpucc_end_of_report(void)
{
    if (report_has_ended)
        return;
    report_has_ended = true;
    reported = kernels;
    reported_count = kernel_count;
    kernels = NULL; /* later launches get records of their own */
    kernel_count = 0;
}

void cpucc_reset(void)
{
    totals = (struct cpucc_totals){0};
    memset(first_requests, 0, sizeof first_requests);
}

int cpucc_first_request(int counter, struct cpucc_request *to)
{
    *to = first_requests[counter];
    return to->lanes != 0;
}

void cpucc_default_report(const char *kind) { default_kind = kind; }

void cpucc_read(struct cpucc_totals *to)
{
    *to = totals;
    to->faults = cpucc_faults();
}

/* ---- counts ---- */

struct kernel_record *cpucc_begin_record(struct launch *L)
{
    struct kernel_record *r = NULL;
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernels[i]->name, L->config.name))
            r = kernels[i];
    if (!r) {
        kernels = cpucc_must(realloc(kernels, sizeof *kernels * (size_t)(kernel_count + 1)));
        r = kernels[kernel_count++] = calloc(1, sizeof *r);
        r->name = strdup(L->config.name);
    }
    if (r->launch_count == r->launch_capacity) {
        r->launch_capacity = r->launch_capacity ? 2 * r->launch_capacity : 4;
        r->launches =
            cpucc_must(realloc(r->launches, sizeof *r->launches * (size_t)r->launch_capacity));
    }
    r->launches[r->launch_count] = (struct launch_record){
        .number = r->launch_count + 1, .grid = L->config.grid, .block = L->config.block};
    r->launch_count++;
    return r;
}

void cpucc_end_record(struct launch *L)
{
    struct launch_record *r = &L->record->launches[L->record->launch_count - 1];
    r->shared_bytes = L->static_bytes + L->config.shared;
    for (int c = 0; c < CPUCC_COUNTERS && L->aborted; c++)
        r->may_differ[c] |= 1u << DIFFERS_BY_FAULT;
    if (r->shared_bytes > totals.shared_bytes)
        totals.shared_bytes = r->shared_bytes;
    totals.launches++;
}

void cpucc_count(uintptr_t pc, int counter, uint64_t work, uint64_t ideal)
{
    struct kernel_record *k = cpucc_the_launch->record;
    struct cpucc_count *c[2] = {&k->launches[k->launch_count - 1].counter[counter],
                                &totals.counter[counter]};
    for (int i = 0; i < 2; i++) {
        c[i]->requests++;
        c[i]->work += work;
        c[i]->ideal_work += ideal;
    }
    (void)pc;
}

struct site_count *cpucc_site(struct kernel_record *k, uintptr_t pc)
{
    if (k->site_count * 2 >= k->site_capacity) {
        struct site_count *old = k->sites;
        int old_capacity = k->site_capacity;
        k->site_capacity = old_capacity ? 2 * old_capacity : 64;
        k->sites = calloc((size_t)k->site_capacity, sizeof *k->sites);
        k->site_count = 0;
        for (int i = 0; i < old_capacity; i++)
            if (old[i].pc)
                *cpucc_site(k, old[i].pc) = old[i];
        free(old);
    }
    unsigned mask = (unsigned)k->site_capacity - 1, h = (unsigned)(pc * 2654435761u >> 8) & mask;
    while (k->sites[h].pc && k->sites[h].pc != pc)
        h = (h + 1) & mask;
    if (!k->sites[h].pc) {
        k->sites[h].pc = pc;
        k->site_count++;
    }
    return &k->sites[h];
}

/* Keeps the first request per counter of warp 0 in block 0, for cpucc_first_request. */
void cpucc_note_request(struct warp *w, uint32_t group, int counter, uint32_t bytes,
                        const uint64_t *address)
{
    struct cpucc_request *r = &first_requests[counter];
    if (r->lanes || w->number || w->block->number)
        return;
    r->lanes = group;
    r->bytes = bytes;
    for (uint32_t m = group; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        r->offset[i] =
            (uint32_t)((address[i] - (uintptr_t)cpucc_slots) % SLOT_BYTES) - SHARED_START;
    }
}

/* ---- source lines ---- */

static int by_pc(const void *a, const void *b)
{
    uintptr_t x = ((const struct site_count *)a)->pc, y = ((const struct site_count *)b)->pc;
    return x < y ? -1 : x > y;
}

/* Adds the other site's counts to *sum, which keeps the worse of both worst requests. */
static void add_site(struct site_count *sum, const struct site_count *other)
{
    struct cpucc_count counter[CPUCC_COUNTERS];
    for (int c = 0; c < CPUCC_COUNTERS; c++) {
        counter[c].requests = sum->counter[c].requests + other->counter[c].requests;
        counter[c].work = sum->counter[c].work + other->counter[c].work;
        counter[c].ideal_work = sum->counter[c].ideal_work + other->counter[c].ideal_work;
    }
    if (other->worst_work * (sum->worst_ideal ? sum->worst_ideal : 1) >
        sum->worst_work * (other->worst_ideal ? other->worst_ideal : 1))
        *sum = *other;
    memcpy(sum->counter, counter, sizeof counter);
}

/* Adds why the site's counts may differ to to[counter] of each counter that it has counted. */
static void add_may_differ(unsigned *to, const struct site_count *site)
{
    unsigned may_differ = cpucc_line_may_differ(site->pc);
    for (int c = 0; c < CPUCC_COUNTERS && may_differ; c++)
        if (site->counter[c].requests)
            to[c] |= may_differ;
}

void cpucc_kernel_may_differ(const struct kernel_record *k, unsigned *may_differ)
{
    memset(may_differ, 0, CPUCC_COUNTERS * sizeof *may_differ);
    for (int i = 0; i < k->site_capacity; i++)
        if (k->sites[i].pc)
            add_may_differ(may_differ, &k->sites[i]);
}

/* Notes that counts of shared memory may differ: libcu++ keeps an object's state there, cpucc does
 * not. */
void cpucc_library_may_differ(void)
{
    struct kernel_record *k = cpucc_current ? cpucc_the_launch->record : NULL;
    if (!k)
        return;
    unsigned *may_differ = k->launches[k->launch_count - 1].may_differ;
    may_differ[CPUCC_SHARED_LOAD] |= 1u << DIFFERS_BY_LIBRARY;
    may_differ[CPUCC_SHARED_STORE] |= 1u << DIFFERS_BY_LIBRARY;
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

struct line_count *cpucc_lines(const struct kernel_record *k, int *count)
{
    int n = 0;
    struct site_count *site = cpucc_must(realloc(NULL, ((size_t)k->site_count + 1) * sizeof *site));
    struct line_count *list = cpucc_must(realloc(NULL, ((size_t)k->site_count + 1) * sizeof *list));
    uintptr_t *pc = cpucc_must(realloc(NULL, ((size_t)k->site_count + 1) * sizeof *pc));
    for (int i = 0; i < k->site_capacity; i++)
        if (k->sites[i].pc)
            site[n++] = k->sites[i];
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
        if (j < *count) {
            add_site(&list[j].sum, &site[i]);
            add_may_differ(list[j].may_differ, &site[i]);
            continue;
        }
        list[j] = (struct line_count){line, slash ? slash + 1 : line, {0}, site[i]};
        add_may_differ(list[j].may_differ, &site[i]);
        ++*count;
    }
    free(site);
    free(pc);
    return list;
}

/* ---- the report at exit ---- */

static const struct {
    const char *name;
    void (*print)(FILE *to);
} formats[] = {{"table", cpucc_print_table}, {"text", cpucc_print_table},
               {"tsv", cpucc_print_tsv},     {"lines", cpucc_print_lines},
               {"json", cpucc_print_json},   {"junit", cpucc_print_junit},
               {"html", cpucc_print_html},   {"off", NULL}};
enum { FORMATS = sizeof formats / sizeof *formats };

void cpucc_write_fault_summary(void)
{
    fprintf(stderr, "cpucc: %llu fault%s\n", (unsigned long long)cpucc_faults(),
            cpucc_faults() == 1 ? "" : "s");
}

/* Returns the HTML report's path, allocated: the program's path without ".cpu", with ".html". */
static char *page_name(void)
{
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *page = NULL;
    path[length > 0 ? length : 0] = 0;
    size_t keep = strlen(path);
    if (keep > 4 && !strcmp(path + keep - 4, ".cpu"))
        keep -= 4;
    if (asprintf(&page, "%.*s.html", (int)keep, path) < 0)
        return NULL;
    char here[4096];
    size_t start = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (start && !strncmp(page, here, start) && page[start] == '/')
        memmove(page, page + start + 1, strlen(page) - start);
    return page;
}

static void at_exit_report(int status, void *unused)
{
    (void)unused;
    cpucc_open_memory();
    cpucc_say_unchecked_launch();
    const char *kind = getenv("CPUCC_REPORT"), *path = getenv("CPUCC_REPORT_FILE");
    int f = 0;
    if (!kind || !*kind)
        kind = path && *path && !strcmp(default_kind, "off") ? "table" : default_kind;
    while (f < FORMATS && strcmp(formats[f].name, kind))
        f++;
    if (f == FORMATS) {
        fprintf(stderr, "CPUCC_REPORT=%s: must be one of", kind);
        for (int i = 0; i < FORMATS; i++)
            fprintf(stderr, " %s", formats[i].name);
        fprintf(stderr, "; using table\n");
        f = 0;
    }
    fflush(stdout);
    if (!cpucc_write_faults())
        _exit(2);
    if (formats[f].print) {
        char *page = strcmp(kind, "html") || (path && *path) ? NULL : page_name();
        path = page ? page : path;
        FILE *to = path && *path ? fopen(path, "w") : stderr;
        if (!to) {
            fprintf(stderr, "cpucc: cannot write %s (CPUCC_REPORT_FILE)\n", path);
            _exit(2);
        }
        formats[f].print(to);
        bool written = !ferror(to);
        if (to != stderr && fclose(to))
            written = false;
        if (!written) {
            fprintf(stderr, "cpucc: cannot write all of %s\n", path && *path ? path : "the report");
            _exit(2);
        }
        if (page)
            fprintf(stderr, "cpucc: %s shows what the kernels did\n", page);
        free(page);
    }
    if (cpucc_faults()) {
        cpucc_write_fault_summary();
        fflush(NULL);
        if (status == 0)
            _exit(1);
    }
}

void cpucc_report_start(void)
{
    on_exit(at_exit_report, NULL);
    cpucc_trace_start();
}
