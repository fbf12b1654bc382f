/* Text that may be anything, written as JSON, HTML or XML: for the reports and for the checker of the
 * exercises. Bytes that are no UTF-8 become U+FFFD. */
#ifndef CPUCC_ESCAPE_H
#define CPUCC_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Writes a JSON string, quotes included. */
void cpucc_put_json(FILE *to, const char *text, size_t length);

/* Writes a JSON string that may stand in a script element of a page. */
void cpucc_put_text(FILE *to, const char *text, size_t length);
void cpucc_put_string(FILE *to, const char *text);

/* Writes text into HTML or XML, attributes included; control characters other than the tab and the
 * line break become U+FFFD. */
void cpucc_put_html(FILE *to, const char *text);

#endif
