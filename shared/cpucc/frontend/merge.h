/* Declares what the files of merge share. */
#ifndef CPUCC_MERGE_H
#define CPUCC_MERGE_H

#include "../core/may_differ.h"
#include "compile.h"
#include "ir.h"

/* ---- merge.c ---- */

extern bool in_kernel; /* the current function is a kernel */
/* True if the value is a __restrict__ parameter. */
bool is_alone(LLVMValueRef v);

/* ---- merge_address.c ---- */

enum { TERMS = 8 }; /* an address with more terms is not known */

/* A value; or with how = '&' or '|' that value and, or or, the number `with`. */
struct term {
    LLVMValueRef of;
    char how;
    long with;
    long times;
};

/* base + offset + the sum of the terms `of` * `times`, in bytes. */
struct address {
    LLVMValueRef base;
    int terms;
    struct term term[TERMS];
    long offset;
    bool known, shared; /* shared: in shared memory */
    bool elsewhere;     /* certainly not in shared memory */
};

struct address address_of(LLVMValueRef pointer);                  /* takes it apart */
bool same_base(const struct address *a, const struct address *b); /* equal but for the offset */
/* The largest power of two up to 16 that certainly divides the address without its offset. */
long alignment(const struct address *a);
/* The largest power of two up to 16 that certainly divides the pointer, by the declaration of the variable
 * that it points into; 1 for other memory. */
long declared_alignment(LLVMValueRef pointer);
void place_variables(LLVMValueRef function); /* sets the alignment of those that it uses */
bool is_single(LLVMValueRef v);              /* true for a shared variable that is one number */

/* ---- may_differ.c ---- */

/* Marks a load or store: its counts may differ from the hardware's. */
void mark_access(LLVMValueRef instruction, enum may_differ why);
/* Finds further accesses of the module to mark, after accesses were merged. Gives each marked
 * instruction metadata of the kind "cpucc.may_differ", whose number has the bits 1 << why. */
void attach_marks(void);
/* The number of that metadata, 0 without. */
long may_differ_of(LLVMValueRef instruction);

/* ---- merge_split.c, merge_narrow.c ---- */

/* Splits a function's accesses that are wider than their alignment. */
void split_function(LLVMValueRef function);
/* Narrows a function's vector loads to the elements that are used. */
void narrow_function(LLVMValueRef function);

#endif
