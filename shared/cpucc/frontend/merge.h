/*
 * Declares what the parts of merge share. Parts: merge.c (merges accesses), merge_narrow.c (narrows
 * vector loads), merge_split.c (splits accesses wider than their alignment), merge_address.c (takes
 * addresses apart), may_differ.c (marks accesses whose counts may differ) and merge_types.c (lines,
 * values and types; unroll uses it too).
 */
#ifndef CPUCC_MERGE_H
#define CPUCC_MERGE_H

#include "../core/may_differ.h"
#include "text.h"

/* ---- merge.c ---- */

extern const char *header; /* the "define ..." line of the current function */
extern bool in_kernel;     /* the current function is a kernel */
/* Makes the lines from..to - 1 the current function: sets the two above and reads its values. */
void begin_function(int from, int to);
/* True if the name is a __restrict__ parameter of the current function. */
bool is_alone(struct slice name);

/* ---- merge_types.c ---- */

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

/* ---- merge_address.c ---- */

enum { TERMS = 8 }; /* an address with more terms is not known */

/* base + offset + the sum of the terms `of` * `times`, in bytes. */
struct address {
    struct slice base;
    int terms;
    struct {
        struct slice of;
        long times;
    } term[TERMS];
    long offset;
    bool known, shared; /* shared: in shared memory */
    bool elsewhere;     /* certainly not in shared memory */
};

/* Takes apart a pointer, "float* %x", "ptr @x" or a constant expression. a->known must be set. */
void follow(struct address *a, struct slice pointer, int depth);
bool same_base(const struct address *a, const struct address *b); /* equal but for the offset */
/* The largest power of two up to 16 that certainly divides the address without its offset. */
long alignment(const struct address *a);
void read_variables(void);              /* notes the module's shared variables */
void place_variables(int from, int to); /* sets the alignment of those that a function uses */
bool is_single(struct slice name);      /* true for a shared variable that is one number */

/* ---- may_differ.c ---- */

void read_marks(void); /* reads the marks that unroll left in the module */
/* Marks an instruction: its counts may differ from the hardware's. */
void mark_access(const char *instruction, enum may_differ why);
void prepare_marks(void);          /* analyses the whole module, before find_marks */
void find_marks(int from, int to); /* marks accesses of a function, after they were merged */
/* Gives each marked instruction a line-table entry that says why; returns the added metadata. */
const char *write_marks(void);

/* ---- merge_split.c ---- */

/* Splits a function's accesses that are wider than their alignment. */
void split_function(int from, int to);

/* ---- merge_narrow.c ---- */

/* Narrows a function's vector loads to the elements that are used. */
void narrow_function(int from, int to);
extern bool checks; /* narrow_function has added calls of cpucc_guard_aligned */

#endif
