/*
 * Declares what guard's files share. They work on one function of the module at a time: its local
 * variables, what is known of its values, and the text that is added to it.
 */
#ifndef CPUCC_GUARD_H
#define CPUCC_GUARD_H

#include "text.h"

/* A local variable (an alloca), or a struct that is passed by value. */
struct local {
    char *name, *type;
    char *from;     /* name of the uninitialised variable that a fault reports */
    bool parameter; /* a struct passed by value: only indices into it are checked */
    bool escapes;   /* its address leaves the uses that guard can follow */
    bool aggregate; /* an array or a struct */
    bool tracked;   /* it has flags: it may be read before it is written, or get such a value */
    int number;     /* distinguishes the names of the values added for this local */
    /* If the local is a pointer: */
    int stores, stored_at, loaded_at; /* number of stores, last store's line, first load's line */
    struct slice stored;              /* the value stored last */
    bool slot;                        /* stored once, before every load: each load gives `stored` */
    /* Used by pointers.c: */
    bool may_walk; /* a pointer variable that can be followed */
    bool walked;   /* an array that a pointer variable walks through */
    int walks;     /* index in `locals` of the array that the pointer walks through, or below 0 */
};

/* What is known of an SSA value. */
struct value {
    char *name;
    char *flag;     /* an i1: whether the value is initialised; NULL if it always is */
    char *variable; /* name of the variable that may be uninitialised */
    int local;      /* index of the local that this pointer points into, or -1 */
    bool cast;      /* a pointer cast to another type */
    char *element;  /* the type that the pointer points to */
    char *mirror;   /* pointer to the same place in the local's flags */
    char *copy;     /* of a struct: the flags of its bytes, in a struct of that type */
    char *tainted; /* name of the uninitialised variable that the value is computed from, or NULL */
    char *outer;   /* pointer to a row of an array: the row's index, an i64; NULL otherwise */
    long rows;     /* number of rows, if outer is set */
    long count;    /* elements of the array whose first element this points to; 0: not known */
    bool whole;    /* points to the whole local */
    int block;     /* for a label: number of its block + 1 */
    int walks;     /* index of the local that it points into through a variable; below 0: none */
    bool through;  /* derived from the contents of a pointer variable */
    char *offset;  /* bytes behind the local's start, an i64 */
};

extern char **guard_line; /* lines of the module */
extern int guard_lines;   /* number of lines */
extern bool guard_opaque; /* pointers are written `ptr` */
#define BYTES (guard_opaque ? "ptr" : "i8*")
extern struct local *locals; /* locals of the current function */
extern int local_count;
extern int guard_numbers; /* next number for the name of an added value */

struct value *value_of(struct slice name);  /* what is known of a value, or NULL */
struct value *new_value(struct slice name); /* the entry of a value; added, empty, if missing */
void forget_values(void);                   /* drops all entries */
bool only_computes(const char *call); /* true if the called function only computes its result */

/* An instruction, cut apart. */
struct instruction {
    struct slice result; /* with its %; empty if there is none */
    struct slice op;     /* first word behind " = " */
    struct slice rest;   /* what follows op, without metadata */
    char *debug;         /* ", !dbg !12", or "" */
};
struct instruction cut(const char *line);
struct slice operand(struct slice argument); /* the last word: %x of "float* %x", 8 of "i64 8" */
long type_bytes(struct slice type);          /* sum of the parts' sizes in bytes; 0 if unknown */
char *element_type(const char *type, struct slice *index, int count); /* NULL if unknown */
void field_types(const char *line); /* notes a struct type, "%struct.S = type { ... }" */
bool is_packed(struct slice type);  /* true for a named struct whose members lie without gaps */

/* alignment.c */
void add_alignment(struct text *to, const struct instruction *x); /* adds checks before x */
const char *natural_alignment(const char *line, const struct instruction *x, int first);

/* guard_checks.c */
/* Which llvm.fptoui.sat or fptosi.sat are used: [signed][64 bits][from half, float, double]. */
extern bool guard_saturates[2][2][3];
/* Adds a replacement of the instruction and returns true, or returns false if it may stay. */
bool add_arithmetic(struct text *to, const struct instruction *x);
bool add_index(struct text *to, const struct instruction *x, int first, int last);

/* uninitialised.c */
enum { LARGEST = 4096 }; /* bytes of the largest array or struct that gets flags */
void find_uninitialised(int first, int last);        /* sets `tracked` of the function's locals */
struct value *into_local(struct slice operand_text); /* the pointer, or NULL if not into a local */
int memory_call(const struct instruction *x, struct slice part[4]); /* 1 memcpy, 2 memset, 0 no */

/* pointers.c */
void find_walking(int first, int last); /* sets `walks` and `walked` of the function's locals */
const char *add_walk_check(struct text *to, const char *line, const struct instruction *x);
void add_walk_step(struct text *to, const struct instruction *x);
void write_walk_check(struct text *to); /* defines the function that does the check */

/* shuffles.c */
bool may_be_unused(int line, int first, int last); /* true if a path ignores the shuffle's result */

/* flags.c */
char *plain_name(const char *name); /* a variable's name in the source, without ".i" and ".addr" */
void add_flags_before(struct text *to, const char *line, const struct instruction *x);
void add_flags_after(struct text *to, const char *line, const struct instruction *x);

/* guard.c */
char *pointer_text(const char *type); /* the type of a pointer to `type` */
char *as_bytes(struct text *to, const char *type, const char *pointer); /* adds a cast to i8* */
char *constant_text(const char *text); /* operand of a new constant that holds the text */

#endif
