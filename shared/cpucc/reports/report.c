/*
 * Writes the report at exit:
 *
 *   CPUCC_REPORT=KIND        a name of the array `formats`; default: table, but off in a step's
 *                            program, which prints its own table
 *   CPUCC_REPORT_FILE=path   output file, default standard error; for html, PROGRAM.html
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "reports.h"

#define EXECUTED "smsp__sass_inst_executed_op_"
#define SECTORS "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_"
#define WAVEFRONTS "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
static const struct cpucc_metrics metrics[CPUCC_COUNTERS] = {
    {EXECUTED "global_ld.sum", SECTORS "ld.sum"},
    {EXECUTED "global_st.sum", SECTORS "st.sum"},
    {EXECUTED "shared_ld.sum", WAVEFRONTS "ld.sum"},
    {EXECUTED "shared_st.sum", WAVEFRONTS "st.sum"},
    {EXECUTED "ldgsts.sum", SECTORS "ldgsts_cache_access.sum+" SECTORS "ldgsts_cache_bypass.sum"},
    {EXECUTED "ldgsts.sum", WAVEFRONTS "ldgsts.sum"}};

static const char *default_kind = "table";

struct cpucc_metrics cpucc_counter_metrics(int counter)
{
    return metrics[counter].work ? metrics[counter] : (struct cpucc_metrics){"nan", "nan"};
}

void cpucc_default_report(const char *kind) { default_kind = kind; }

static const struct {
    const char *name;
    void (*print)(FILE *to);
} formats[] = {
    {"table", cpucc_print_table}, {"text", cpucc_print_table}, {"tsv", cpucc_print_tsv},
    {"lines", cpucc_print_lines}, {"json", cpucc_print_json},  {"junit", cpucc_print_junit},
    {"html", cpucc_print_html},   {"ncu", cpucc_print_ncu},    {"off", NULL}};
enum { FORMATS = sizeof formats / sizeof *formats };

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

void cpucc_report_at_exit(int status)
{
    cpucc_open_memory();
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
