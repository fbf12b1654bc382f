/* Declares what report_*.c read: the counts of report.c and the faults of faults.c. */
#ifndef CPUCC_REPORT_H
#define CPUCC_REPORT_H

#include "escape.h"
#include <stdio.h>
#include "../core/internal.h"

/* A row of kinds.h. */
struct kind_text {
    enum cpucc_level level;
    const char *word, *text;
};
extern const struct kind_text cpucc_kind_texts[CPUCC_KIND_COUNT];

/* The first fault or remark of a kind at a pc. */
struct fault {
    uintptr_t pc;
    enum cpucc_kind kind;
    bool of_thread; /* a CUDA thread caused it: block and thread are valid */
    index3 block, thread;
    char *kernel, *message;
    uint64_t times; /* how often it occurred */
};

/* If not NULL, returns the output of `addr2line -a -i ADDRESSES` on this program, in processes that
 * are not permitted to start addr2line. */
extern FILE *(*cpucc_open_lines)(const char *addresses);

const struct fault *cpucc_kept_faults(int *count); /* returns *count faults and remarks */
bool cpucc_write_faults(void); /* writes CPUCC_FAULTS_FILE; false if that fails */
/* Splits "file:line": returns the length of the file's name, and the line as text or "nan". */
int cpucc_line_parts(const char *place, const char **line);

/* Nsight Compute's names for a counter's requests and work, "nan" if it has none. */
struct cpucc_metrics {
    const char *requests, *work;
};
struct cpucc_metrics cpucc_counter_metrics(int counter);

/* Returns the *count recorded kernels in the order of their first launches. */
struct kernel_record *const *cpucc_kernels(int *count);

/* The sum over all pcs of one source line. */
struct line_count {
    const char *place;                   /* file:line */
    const char *shown;                   /* file:line without folders */
    unsigned may_differ[CPUCC_COUNTERS]; /* bits of enum may_differ */
    struct site_count sum;
};
/* Returns the kernel's *count lines with accesses; the caller frees the array. */
struct line_count *cpucc_lines(const struct kernel_record *kernel, int *count);

/* Sets may_differ[counter] to the reasons (bits) of the kernel's lines; launches may have more. */
void cpucc_kernel_may_differ(const struct kernel_record *kernel, unsigned *may_differ);
const char *cpucc_may_differ_word(int reason), *cpucc_may_differ_text(int reason);
/* Prints the words of the reasons with commas between them; "-" if there are none. */
void cpucc_print_may_differ(FILE *to, unsigned may_differ);

/* Returns the bank with most distinct words for lanes served together in the worst request, and
 * these lanes as a mask; -1 if no bank has two words. */
int cpucc_worst_bank(const struct site_count *site, uint32_t *lanes);
bool cpucc_worst_is_global(const struct site_count *site); /* the worst request */

/* Each prints one format of the report. */
void cpucc_print_table(FILE *to);
void cpucc_print_tsv(FILE *to);
void cpucc_print_lines(FILE *to);
void cpucc_print_json(FILE *to);
void cpucc_print_junit(FILE *to);
void cpucc_print_html(FILE *to);

#endif
