/*
 * Declares what the parts of unroll share. Parts: unroll.c (decides), unroll_rounds.c (trip
 * counts), unroll_size.c (sizes of loops), unroll_may_differ.c (marks loops whose counts may differ
 * from the hardware's).
 */
#ifndef CPUCC_UNROLL_H
#define CPUCC_UNROLL_H

#include "../core/may_differ.h"
#include "compile.h"
#include "ir.h"
#include "loops.h"

/* ---- unroll.c ---- */

extern struct flow flow; /* of the current function */

/* A loop with one latch. */
struct candidate {
    int head, latch, count; /* count: number of its blocks */
    const bool *has;        /* for each block: whether the loop contains it */
    long copies;            /* copies of the body after unrolling; the trip count if whole */
    bool whole;             /* to be unrolled completely */
    bool marked;            /* the optimiser is told what to do, by unroll or by a pragma */
};
extern struct candidate *candidates; /* inner loops come first */
extern int candidate_count;

LLVMBasicBlockRef block(int b);
LLVMValueRef end_of(int b); /* the block's terminator */
/* True if the value is an instruction of the loop. */
bool is_in(const struct candidate *l, LLVMValueRef v);

#define EACH_BLOCK_OF(b, l)                                                                        \
    for (int b = 0; b < flow.blocks; b++)                                                          \
        if ((l)->has[b])

/* ---- unroll_rounds.c ---- */

/* The loop's trip count, or 0 if it is not a constant. */
int rounds_of(const struct candidate *l);
/* True if the trip count can be computed before the loop without a division: the loop ends only at
 * its latch, which compares a variable that steps by a power of two with a loop invariant. *grown:
 * the instruction of the step if the comparison is signed, else NULL. */
bool can_be_counted(const struct candidate *l, LLVMValueRef *grown);
/* The comparison that decides whether a block's branch is taken, or NULL. */
LLVMValueRef test_of(int b);
bool is_fixed_in(const struct candidate *l, LLVMValueRef v); /* true for a loop invariant */
/* True for an integer constant of more than one bit. */
bool is_number(LLVMValueRef v, long *n);
/* Reads an addition of a constant, "add i32 %x, 4": *by is 4, *of is %x. Else false. */
bool adds(LLVMValueRef v, long *by, LLVMValueRef *of);
/* Reads "phi i32 [ 0, %entry ], [ %next, %latch ]": *start is 0, *next is %next. Else false. */
bool variable(LLVMValueRef phi, const struct candidate *l, long *start, LLVMValueRef *next);
/* The phi's value for the next round, %next; NULL if it gets none from the latch, or is no phi. */
LLVMValueRef next_of(LLVMValueRef phi, const struct candidate *l);

/* ---- unroll_size.c ---- */

/* The memory that a pointer leads to, as far as its definition shows. */
enum place { SOMEWHERE, LOCAL, IN_SHARED };
enum place leads_to(LLVMValueRef pointer);
/* The number of instructions in the loop's body; *again: per copy, after partial unrolling. */
long size_of_loop(const struct candidate *l, long *again);
/* True for a call of a function that is neither LLVM's nor a check of guard's. */
bool calls_program(LLVMValueRef v);

/* ---- unroll_may_differ.c ---- */

/* True if some lanes may leave the loop earlier than others. */
bool lanes_leave_apart(const struct candidate *l);
/* True if each round stores a sum in one place of shared memory and touches no other shared memory.
 * nvcc knows that kernel arguments point elsewhere, and stores once, behind the loop. */
bool sums_in_shared(const struct candidate *l);
/* Marks the loop's accesses (or only those of shared memory): their counts may differ. */
void mark_loop(const struct candidate *l, enum may_differ why, bool shared_only);

#endif
