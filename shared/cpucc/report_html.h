/* What the writers of a page share: report_html.c the page, html_kernel.c one kernel, html_parts.c
 * text, files and memory. They write JSON as page/data.js describes it. */
#ifndef CPUCC_REPORT_HTML_H
#define CPUCC_REPORT_HTML_H

#include <stdio.h>
#include "report.h"
#include "trace.h"

enum {
    PAGE_BYTES = 900000, /* limit without the template; sources and events are cut to it */
    SOURCE_BYTES = 200000
};

/* Returns the index of the file of "file:line", and the line, 0 if unknown. */
int cpucc_file_of(const char *place, int *line);
void cpucc_put_files(FILE *to);

/* Writes [region, offset] without the brackets. put_regions writes what the regions are. */
void cpucc_put_place(FILE *to, uint64_t at);
void cpucc_put_regions(FILE *to);

/* Writes one kernel in about `bytes` bytes. */
void cpucc_put_kernel(FILE *to, const struct kernel_record *kernel, long bytes);

#endif
