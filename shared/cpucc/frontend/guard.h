/*
 * Declares what guard's files share. They work on one function of the module at a time: its local
 * variables, what is known of its values, and the instructions that are added to it.
 */
#ifndef CPUCC_GUARD_H
#define CPUCC_GUARD_H

#include "ir.h"

/* A local variable (an alloca), or a struct that is passed by value. */
struct local {
    LLVMValueRef is;
    LLVMTypeRef type;
    const char *from;   /* name of the uninitialised variable that a fault reports */
    bool parameter;     /* a struct passed by value: only indices into it are checked */
    bool escapes;       /* its address leaves the uses that guard can follow */
    bool aggregate;     /* an array or a struct */
    bool tracked;       /* it has flags: it may be read before it is written, or get such a value */
    LLVMValueRef flags; /* the variable with its flags */
    /* If the local is a pointer: */
    int stores;         /* the number of stores */
    LLVMValueRef store; /* the last store */
    bool slot;          /* stored once, before every load: each load gives the stored value */
    /* Used by pointers.c: */
    bool may_walk; /* a pointer variable that can be followed */
    bool walked;   /* an array that a pointer variable walks through */
    int walks;     /* index in `locals` of the array that the pointer walks through, or below 0 */
    LLVMValueRef offset; /* the variable with the pointer's offset */
};

/* What is known of a value. */
struct value {
    LLVMValueRef flag;    /* an i1: whether the value is initialised; NULL if it always is */
    const char *variable; /* name of the variable that may be uninitialised */
    int local;            /* index of the local that this pointer points into, or -1 */
    bool cast;            /* a pointer cast to another type */
    LLVMTypeRef element;  /* the type that the pointer points to */
    LLVMValueRef mirror;  /* pointer to the same place in the local's flags */
    LLVMValueRef copy;    /* of a struct: the flags of its bytes, in a struct of that type */
    const char
        *tainted; /* name of the uninitialised variable that the value is computed from, or NULL */
    LLVMValueRef outer; /* pointer to a row of an array: the row's index, an i64; NULL otherwise */
    long rows;          /* number of rows, if outer is set */
    long count;         /* elements of the array whose first element this points to; 0: not known */
    bool whole;         /* points to the whole local */
    int walks;    /* index of the local that it points into through a variable; below 0: none */
    bool through; /* derived from the contents of a pointer variable */
    LLVMValueRef offset; /* bytes behind the local's start, an i64 */
};

extern struct local *locals; /* locals of the current function */
extern int local_count;

/* ---- guard_values.c ---- */

struct value *value_of(LLVMValueRef v);        /* what is known of a value, or NULL */
struct value *new_value(LLVMValueRef v);       /* the entry of a value; added, empty, if missing */
void forget_values(void);                      /* drops all entries */
struct value *into_local(LLVMValueRef v);      /* the entry of a pointer into a local, or NULL */
struct local *local_of(const struct value *v); /* the local that v points into, or NULL */
/* The value that each load of the local gives, if the local is a slot, otherwise NULL. */
LLVMValueRef slot_value(const struct local *l);
void add_local(LLVMValueRef v, LLVMTypeRef type); /* a local with this address */

bool is_compound(LLVMTypeRef type); /* true for an array or a struct */
long type_bytes(LLVMTypeRef type);  /* sum of the parts' sizes in bytes; 0 if unknown */
bool is_packed(LLVMTypeRef type);   /* true for a named struct whose members lie without gaps */
LLVMTypeRef element_type(LLVMValueRef gep);       /* the type that it points to */
bool is_copy_or_fill(LLVMValueRef x, bool *copy); /* true for llvm.memcpy (*copy) and llvm.memset */
long constant_or_0(LLVMValueRef v);               /* a constant integer, or 0 for other values */

/* The source's name of "sum.i" or "this.addr.i12", without what inlining and clang append: a new
 * string. */
char *plain_name(const char *name);
LLVMValueRef source_name_of(const struct local *l); /* that name, as a constant */

/* ---- guard.c ---- */

bool only_computes(LLVMValueRef call); /* true if the called function only computes its result */

/* ---- alignment.c ---- */

void add_alignment(LLVMValueRef x);     /* adds checks before x */
void natural_alignment(LLVMValueRef x); /* may raise the alignment of a load or store */

/* ---- guard_checks.c: they return what replaces x, or x if it may stay ---- */

LLVMValueRef add_arithmetic(LLVMValueRef x);
LLVMValueRef add_index(LLVMValueRef x); /* x is a getelementptr */
void add_bounds(
    LLVMValueRef x); /* reports an access x outside of a local variable, and makes it harmless */
void define_checks(void); /* defines the functions that check, once all calls are added */

/* ---- uninitialised.c ---- */

enum { LARGEST = 4096 }; /* bytes of the largest array or struct that gets flags */
void find_uninitialised(LLVMValueRef function); /* sets `tracked` of the function's locals */

/* ---- pointers.c ---- */

void find_walking(LLVMValueRef function); /* sets `walks` and `walked` of the function's locals */
void add_walk_check(LLVMValueRef x);      /* before a load or store; changes its pointer */
void add_walk_step(LLVMValueRef x);       /* after x */

/* ---- shuffles.c ---- */

bool may_be_unused(LLVMValueRef call); /* true if a path ignores the shuffle's result */

/* ---- flags.c ---- */

void add_flags_before(LLVMValueRef x);
void add_flags_after(LLVMValueRef x, LLVMValueRef by); /* by: what replaces x, or x */

#endif
