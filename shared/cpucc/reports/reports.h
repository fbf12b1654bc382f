/* Declares the formats of the report. trace.h declares what only the page shows. */
#ifndef CPUCC_REPORTS_H
#define CPUCC_REPORTS_H

#include "../execution/execution.h"
#include "escape.h"

void cpucc_report_at_exit(int status); /* writes the report; may end the program */

/* Nsight Compute's names for a counter's requests and work, "nan" if it has none. */
struct cpucc_metrics {
    const char *requests, *work;
};
struct cpucc_metrics cpucc_counter_metrics(int counter);

/* Returns the bank with most distinct words for lanes served together in the worst request, and
 * these lanes as a mask; -1 if no bank has two words. */
int cpucc_worst_bank(const struct site_count *site, uint32_t *lanes);
bool cpucc_worst_is_global(const struct site_count *site); /* the worst request */

/* Each prints one format of the report. */
void cpucc_print_table(FILE *to);
void cpucc_print_tsv(FILE *to);
void cpucc_print_lines(FILE *to);
void cpucc_print_ncu(FILE *to);
void cpucc_print_json(FILE *to);
void cpucc_print_junit(FILE *to);
void cpucc_print_html(FILE *to);

#endif
