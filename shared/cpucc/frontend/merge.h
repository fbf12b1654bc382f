/*
 * What the parts of merge share: the lines of the module, values by name, sizes of types, addresses
 * taken apart, and where shared variables lie. Parts: merge.c (accesses), merge_narrow.c (parts of
 * vectors), merge_split.c (too wide accesses), merge_address.c, may_differ.c, and merge_types.c, which unroll uses too.
 */
#ifndef CPUCC_MERGE_H
#define CPUCC_MERGE_H

#include "../may_differ.h"
#include "text.h"

/* ---- merge.c ---- */

extern const char *header; /* the first line of the function that is looked at ("define ...") */
extern bool in_kernel;     /* the function is one */
void begin_function(int from, int to);
/* Whether it is a parameter of this kernel with __restrict__. */
bool is_alone(struct slice name);

/* ---- merge_types.c ---- */

extern char **line; /* the module's */
extern int lines;
void read_lines(char *text);                        /* of the text, which is cut */
void each_function(void (*what)(int from, int to)); /* the lines between "define" and "}" */

struct size {
    long bytes, align; /* bytes -1: not known */
};

struct size round_up(struct size s);
struct size size_of(struct slice type);
/* The size of a struct of these members; *offset: of member `which`, -1 for none. */
struct size size_of_parts(struct slice inner, bool packed, int which, long *offset);
/* What stands between the brackets of a struct type, also of a named one. */
bool members(struct slice type, struct slice *inner, bool *packed);

/* Values are known by name, of the lines from..to - 1: what stands behind " = ", or NULL. */
void read_values(int from, int to);
const char *definition_of(struct slice name);
int line_of(struct slice name); /* that defines it, or -1 */

/* The value of an operand "i32 %x" or "%x": what stands last in it. */
struct slice value_in(struct slice operand);
bool number_in(struct slice value, long *number);
/* The operands of an instruction, behind its first word and its flags; the first two are returned. */
int operands(const char *p, struct slice part[2]);
/* Whether it is a sext, zext or trunc, and of what. */
bool converts(const char *definition, struct slice *from);

/* ---- merge_address.c ---- */

enum { TERMS = 8 }; /* of an address; what has more is not looked into */

/* base + offset + the terms. */
struct address {
    struct slice base;
    int terms;
    struct {
        struct slice of;
        long times;
    } term[TERMS];
    long offset;
    bool known, shared;
    bool elsewhere; /* certainly not in shared memory */
};

/* Where a pointer points to: "float* %x", "ptr @x", or a constant expression. a->known must be set. */
void follow(struct address *a, struct slice pointer, int depth);
bool same_base(const struct address *a, const struct address *b);
/* What the address without its offset is certainly a multiple of, up to 16. */
long alignment(const struct address *a);
/* Shared variables of the module, and where those of a function lie. */
void read_variables(void);
void place_variables(int from, int to);

/* Whether it is a shared variable of one number. */
bool is_single(struct slice name);

/* ---- may_differ.c ---- */

void read_marks(void); /* that unroll has noted */
/* Notes that the counts of this instruction may differ from the hardware's. */
void mark_access(const char *instruction, enum may_differ why);
void prepare_marks(void);          /* for the whole module */
void find_marks(int from, int to); /* in a function; to be called with merged accesses */
/* Gives the instructions places that say so; returns the metadata to add to the module. */
const char *write_marks(void);

/* ---- merge_split.c ---- */

/* Accesses wider than their alignment, in a function. */
void split_function(int from, int to);

/* ---- merge_narrow.c ---- */

/* Loads of vectors of which not all elements are used, in a function. */
void narrow_function(int from, int to);
/* Whether it has put in calls of cpucc_guard_aligned. */
extern bool checks;

#endif
