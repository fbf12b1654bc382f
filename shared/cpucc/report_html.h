/* What the writers of a page share: report_html.c the page, html_kernel.c one kernel, html_parts.c
 * files and memory. What is written is JSON, as page/data.js describes it. */
#ifndef CPUCC_REPORT_HTML_H
#define CPUCC_REPORT_HTML_H

#include <stdio.h>
#include "escape.h"
#include "report.h"
#include "trace.h"

enum {
    PAGE_BYTES = 900000, /* of what is not the template, as far as it can be left out */
    SOURCE_BYTES = 200000
};

void *cpucc_html_must(void *memory); /* ends the program if it is NULL */

/* The number of the file of "file:line", and the line, 0 where it is unknown. */
int cpucc_file_of(const char *place, int *line);
void cpucc_put_files(FILE *to);

/* [region, offset] without the brackets; and what the regions are. */
void cpucc_put_place(FILE *to, uint64_t at);
void cpucc_put_regions(FILE *to);

/* One kernel, in about so many bytes. */
void cpucc_put_kernel(FILE *to, const struct kernel_record *kernel, long bytes);

#endif
