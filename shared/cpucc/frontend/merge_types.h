/* Declares what reads lines, values and types of LLVM's textual form for unroll (merge_types.c). */
#ifndef CPUCC_MERGE_TYPES_H
#define CPUCC_MERGE_TYPES_H

#include "text.h"

extern char **line; /* lines of the module */
extern int lines;
void read_lines(char *text);                        /* cuts the text into `line`, in place */
void each_function(void (*what)(int from, int to)); /* from..to: lines behind "define" to "}" */

struct size {
    long bytes, align; /* bytes -1: not known */
};

struct size round_up(struct size s); /* bytes rounded up to a multiple of align */
struct size size_of(struct slice type);
/* The size of a struct with these members; *offset is set for member `which`, unless it is -1. */
struct size size_of_parts(struct slice inner, bool packed, int which, long *offset);
/* True for a struct type, also a named one; *inner is the text between its braces. */
bool members(struct slice type, struct slice *inner, bool *packed);

void read_values(int from, int to);           /* notes the values defined on lines from..to - 1 */
const char *definition_of(struct slice name); /* the text behind " = ", or NULL */
int line_of(struct slice name);               /* the line that defines the value, or -1 */

/* The last word of an operand: %x of "i32 %x" or "%x". */
struct slice value_in(struct slice operand);
bool number_in(struct slice value, long *number); /* true if the value is a decimal number */
/* Splits an instruction's operands; returns their number, and the first two in `part`. */
int operands(const char *p, struct slice part[2]);
/* True for a sext, zext or trunc; *from is its operand. */
bool converts(const char *definition, struct slice *from);

#endif
