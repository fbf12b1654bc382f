/* What the parts of the report share: report.c's counts and faults.c's faults, for report_*.c. */
#ifndef CPUCC_REPORT_H
#define CPUCC_REPORT_H

#include "escape.h"
#include <stdio.h>
#include "internal.h"

struct kind_text {
    enum cpucc_level level;
    const char *word, *text;
};
extern const struct kind_text cpucc_kind_texts[CPUCC_KIND_COUNT];

struct fault {
    uintptr_t pc;
    enum cpucc_kind kind;
    bool of_thread; /* has a block and a thread */
    index3 block, thread;
    char *kernel, *message;
    uint64_t times;
};

/* Replaces running `addr2line -a -i ADDRESSES` on this program; for processes that may not start
 * one. */
extern FILE *(*cpucc_open_lines)(const char *addresses);

const struct fault *cpucc_kept_faults(int *count);
bool cpucc_write_faults(void);
/* Splits "file:line": returns the length of the file's name, and the line as text or "nan". */
int cpucc_line_parts(const char *place, const char **line);

/* Nsight Compute's names of a counter's requests and work; "nan" where it has none. */
struct cpucc_metrics {
    const char *requests, *work;
};
struct cpucc_metrics cpucc_counter_metrics(int counter);

struct kernel_record *const *cpucc_kernels(int *count);

/* All accesses of one source line, which the compiler may have duplicated. */
struct line_count {
    const char *place;                   /* file:line */
    const char *shown;                   /* the same without folders */
    unsigned may_differ[CPUCC_COUNTERS]; /* bits of enum may_differ */
    struct site_count sum;
};
struct line_count *cpucc_lines(const struct kernel_record *kernel,
                               int *count); /* the caller frees it */

/* Fills in, per counter, why the counts of the kernel's lines may differ. Launches may have more
 * reasons. */
void cpucc_kernel_may_differ(const struct kernel_record *kernel, unsigned *may_differ);
const char *cpucc_may_differ_word(int reason), *cpucc_may_differ_text(int reason);
/* Prints the reasons' words with commas, or "-". */
void cpucc_print_may_differ(FILE *to, unsigned may_differ);

int cpucc_worst_bank(const struct site_count *site, uint32_t *lanes);
bool cpucc_worst_is_global(const struct site_count *site);

void cpucc_print_table(FILE *to);
void cpucc_print_tsv(FILE *to);
void cpucc_print_lines(FILE *to);
void cpucc_print_json(FILE *to);
void cpucc_print_junit(FILE *to);
void cpucc_print_html(FILE *to);

#endif
