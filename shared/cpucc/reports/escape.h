/* Writes text escaped for JSON, HTML and XML. The reports and the checker of the exercises use it.
 * Bytes that are not UTF-8 become U+FFFD. */
#ifndef CPUCC_ESCAPE_H
#define CPUCC_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the length in bytes of the UTF-8 character at p, of at most `left` bytes; 0 if it is invalid. */
int cpucc_character(const unsigned char *p, size_t left);

/* Writes a JSON string with its quotes. The result is safe inside an HTML script element. */
void cpucc_put_text(FILE *to, const char *text, size_t length);
void cpucc_put_string(FILE *to, const char *text);
void cpucc_put_after(FILE *to, const char *before, const char *text); /* after other text */

/* Writes text that is safe in HTML and XML, also in attributes. */
void cpucc_put_html(FILE *to, const char *text);

#endif
