/* Text escaped for JSON, HTML and XML: for the reports and for the checker of the exercises. Bytes that
 * are no UTF-8 become U+FFFD. */
#ifndef CPUCC_ESCAPE_H
#define CPUCC_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Writes a JSON string with its quotes, which may also stand in a script element. */
void cpucc_put_text(FILE *to, const char *text, size_t length);
void cpucc_put_string(FILE *to, const char *text);

/* Writes text for HTML and XML, attributes included. */
void cpucc_put_html(FILE *to, const char *text);

#endif
