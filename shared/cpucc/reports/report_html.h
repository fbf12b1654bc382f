/* Declares the functions that write parts of the HTML report: report_html.c writes the page,
 * html_kernel.c a kernel, html_parts.c source files and memory. The data is JSON that page/data.js
 * describes. */
#ifndef CPUCC_REPORT_HTML_H
#define CPUCC_REPORT_HTML_H

#include <stdio.h>
#include "reports.h"
#include "trace.h"

enum {
    PAGE_BYTES = 900000,  /* most bytes of data; sources and events are cut to fit */
    SOURCE_BYTES = 200000 /* most bytes of one source file */
};

/* Returns the report's index of the file of "file:line", and the line in *line (0: unknown). */
int cpucc_file_of(const char *place, int *line);
void cpucc_put_files(FILE *to); /* writes the text of these files */

void cpucc_put_place(FILE *to, uint64_t at); /* writes "region,offset" for a trace.h place */
void cpucc_put_regions(FILE *to);            /* writes a description of each region used so far */

/* Writes the declarations that would have taken less work, or what exchanged threads would have taken. */
void cpucc_put_trials(FILE *to, const struct trace_kernel *kernel);
void cpucc_put_exchange(FILE *to, const struct trace_kernel *kernel);

/* Writes one kernel, in about `bytes` bytes. */
void cpucc_put_kernel(FILE *to, const struct kernel_record *kernel, long bytes);

#endif
