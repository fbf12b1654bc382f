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

LLVMValueRef end_of(LLVMBasicBlockRef b); /* the block's terminator */
/* True if the value is an instruction of the loop. */
bool is_in(const struct loop *l, LLVMValueRef v);

/* ---- unroll_rounds.c ---- */

/* The block that decides whether the loop goes on, if only one does. */
LLVMBasicBlockRef exit_of(const struct loop *l);
/* The loop's trip count, or 0 if it is not a constant. */
int rounds_of(const struct loop *l);
/* True if the trip count can be computed before the loop without a division: the loop ends only at
 * its latch, which compares a variable that steps by a power of two with a loop invariant. *grown:
 * the instruction of the step if the comparison is signed, else NULL. */
bool can_be_counted(const struct loop *l, LLVMValueRef *grown);
/* The comparison that decides whether a block's branch is taken, or NULL. */
LLVMValueRef test_of(LLVMBasicBlockRef b);
bool is_fixed_in(const struct loop *l, LLVMValueRef v); /* true for a loop invariant */
/* True for an integer constant of more than one bit. */
bool is_number(LLVMValueRef v, long *n);
/* Reads an addition of a constant, "add i32 %x, 4": *by is 4, *of is %x. Else false. */
bool adds(LLVMValueRef v, long *by, LLVMValueRef *of);
/* The phi's value in the first round, 0 of "phi i32 [ 0, %entry ], [ %next, %latch ]"; NULL if it is no such phi. */
LLVMValueRef start_of(LLVMValueRef phi, const struct loop *l);
/* The phi's value for the next round, %next; NULL if it gets none from the latch, or is no phi. */
LLVMValueRef next_of(LLVMValueRef phi, const struct loop *l);

/* ---- unroll_size.c ---- */

/* The memory that a pointer leads to, as far as its definition shows. */
enum place { SOMEWHERE, LOCAL, IN_SHARED };
enum place leads_to(LLVMValueRef pointer);
/* The number of instructions in the loop's body; *again: per copy, after partial unrolling. */
long size_of_loop(const struct loop *l, long *again);
/* True for a call of a function that is neither LLVM's nor a check of guard's. */
bool calls_program(LLVMValueRef v);

/* ---- unroll_may_differ.c ---- */

/* True if some lanes may leave the loop earlier than others. */
bool lanes_leave_apart(const struct loop *l);
/* True if each round stores a sum in one place of shared memory and touches no other shared memory.
 * nvcc knows that kernel arguments point elsewhere, and stores once, behind the loop. */
bool sums_in_shared(const struct loop *l);
/* Marks the loop's accesses (or only those of shared memory): their counts may differ. */
void mark_loop(const struct loop *l, enum may_differ why, bool shared_only);

#endif
