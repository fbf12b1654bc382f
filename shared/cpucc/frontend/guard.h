/*
 * What guard's files share: one function of the module at a time, its values, and the text that is
 * added to it.
 */
#ifndef CPUCC_GUARD_H
#define CPUCC_GUARD_H

#include "text.h"

/* A local variable, or a struct that came by value as a parameter. */
struct local {
    char *name, *type;
    char *from;     /* the variable to blame */
    bool parameter; /* only its bounds are looked at */
    bool escapes;   /* its address goes where this cannot follow */
    bool aggregate;
    bool tracked; /* it may be read before it is written, or gets such a value */
    int number;   /* names what is added for it */
    /* a pointer: */
    int stores, stored_at, loaded_at; /* how many, the last one's line, the first load's line */
    struct slice stored;              /* what it gets; if it is a slot, its loads are just that */
    bool slot;
    /* pointers.c: */
    bool may_walk, walked; /* a pointer that may be followed; an array that one walks through */
    int walks;             /* the array's number, or below 0 */
};

/* What is known of an SSA value. */
struct value {
    char *name;
    char *flag;     /* an i1: whether it was initialised; NULL if it always is */
    char *variable; /* which was not, perhaps */
    int local;      /* a pointer into this local, or -1 */
    bool cast;      /* to another type */
    char *element;  /* the type it points to */
    char *mirror;   /* the same place in the local's flags */
    char *copy;     /* of a struct: the flags of its bytes, in a struct of that type */
    char *tainted;  /* made of what may be uninitialised: of this variable */
    char *outer;    /* of a row of an array: its index, an i64, times... */
    long rows;      /* how many rows there are */
    long count;     /* it is the first of an array of so many; 0: not known */
    bool whole;     /* it points to the whole local */
    int block;      /* a label's block + 1 */
    int walks;      /* a pointer into this local, by way of a pointer variable; below 0: none */
    bool through;   /* made from what a pointer variable held */
    char *offset;   /* how many bytes behind the local's start, an i64 */
};

extern char **guard_line; /* of the module */
extern int guard_lines;
extern bool guard_opaque; /* pointers are `ptr` */
#define BYTES (guard_opaque ? "ptr" : "i8*")
extern struct local *locals;
extern int local_count, guard_numbers;

struct value *value_of(struct slice name);  /* NULL if nothing is known */
struct value *new_value(struct slice name); /* empty */
void forget_values(void);
bool only_computes(const char *call); /* the function that the instruction calls */

/* An instruction, cut apart. */
struct instruction {
    struct slice result; /* with its %; empty if there is none */
    struct slice op, rest;
    char *debug; /* ", !dbg !12", or "" */
};
struct instruction cut(const char *line);
struct slice operand(struct slice argument); /* "float* %x" has %x, "i64 8" has 8 */
long type_bytes(struct slice type);          /* at least; 0 if unknown */
char *element_type(const char *type, struct slice *index, int count);
void field_types(const char *line); /* a line "%struct.S = type { ... }" */

bool is_packed(struct slice type); /* "%struct.S", whose members lie without gaps */

/* alignment.c */
void add_alignment(struct text *to, const struct instruction *x);
const char *natural_alignment(const char *line, const struct instruction *x, int first);

/* guard_checks.c */
extern bool guard_saturates[2][2][3]; /* used: signed, 64 bits, of half, float, double */
/* What is to stand in the place of the instruction; false: itself. */
bool add_arithmetic(struct text *to, const struct instruction *x);
bool add_index(struct text *to, const struct instruction *x, int first, int last);

/* uninitialised.c */
enum { LARGEST = 4096 }; /* bytes of a local whose elements are followed */
void find_uninitialised(int first, int last);
struct value *into_local(struct slice operand_text); /* what points there; NULL if elsewhere */
int memory_call(const struct instruction *x, struct slice part[4]); /* 1 copies, 2 sets, 0 */

/* pointers.c */
void find_walking(int first, int last);
const char *add_walk_check(struct text *to, const char *line, const struct instruction *x);
void add_walk_step(struct text *to, const struct instruction *x);
void write_walk_check(struct text *to);

/* shuffles.c */
bool may_be_unused(int line, int first, int last); /* what a shuffle gives */

/* flags.c */
char *plain_name(const char *name); /* as the source has it, without ".i" and ".addr" */
void add_flags_before(struct text *to, const char *line, const struct instruction *x);
void add_flags_after(struct text *to, const char *line, const struct instruction *x);
char *pointer_text(const char *type);
char *as_bytes(struct text *to, const char *type, const char *pointer); /* cast to i8* */
char *constant_text(const char *text); /* its operand; write_constants defines it */

#endif
