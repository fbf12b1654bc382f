/*
 * Declares what the parts of unroll share: blocks and loops of the current function. Parts:
 * unroll.c (decides), unroll_blocks.c (finds blocks and loops), unroll_rounds.c (trip counts),
 * unroll_size.c (sizes of loops), unroll_may_differ.c (marks loops whose counts may differ from the
 * hardware's).
 */
#ifndef CPUCC_UNROLL_H
#define CPUCC_UNROLL_H

#include "../core/may_differ.h"
#include "merge.h"

/* ---- unroll_blocks.c ---- */

struct block {
    struct slice name;
    int from, last;       /* its first line, and the first line of its terminator */
    int *next, nexts;     /* its successors */
    int *before, befores; /* its predecessors */
    int order;            /* place in reverse postorder; -1: never reached */
    int dominator;
    bool checks; /* has calls of cpucc_guard_*, which the GPU's code lacks */
};
extern struct block *blocks;
extern int block_count;
extern int *ordered, ordered_count; /* the reachable blocks in reverse postorder */

struct loop {
    int head, latch, count; /* count: number of its blocks */
    bool *has;              /* for each block: whether the loop contains it */
    long copies;            /* copies of the body after unrolling; the trip count if whole */
    bool whole;             /* to be unrolled completely */
    bool marked;            /* clang is told what to do, by unroll or by a pragma */
};
extern struct loop *loops;
extern int loop_count;

/* Finds the blocks and loops of the function on these lines; false if it has no loop. */
bool read_flow(int from, int to);
int block_of(struct slice name); /* number of the block with this label, or -1 */
/* The instruction on line i without "%x = "; *name is %x, or empty. */
const char *instruction(int i, struct slice *name);

/* ---- unroll_rounds.c ---- */

/* The loop's trip count, or 0 if it is not a constant. */
int rounds_of(const struct loop *l);
/* True if the trip count can be computed before the loop without a division: the loop ends only at
 * its latch, which compares a variable that steps by a power of two with a loop invariant. *grown:
 * the line of the step if the comparison is signed, else -1. */
bool can_be_counted(const struct loop *l, int *grown);
bool is_fixed_in(const struct loop *l, struct slice value); /* true for a loop invariant */
/* Applies an operation by a constant, "add nuw nsw i32 %x, 4", to *x; *of is %x. Else false. */
bool step(const char *d, long *x, struct slice *of);
/* Reads "phi i32 [ 0, %entry ], [ %next, %latch ]": *start is 0, *next is %next. Else false. */
bool variable(const char *d, struct slice latch, long *start, struct slice *next);

/* ---- unroll_size.c ---- */

/* Prepares size_of_loop for the function on these lines. */
void measure_function(int from, int to);
/* The memory that a pointer leads to, as far as its definition shows. */
enum place { SOMEWHERE, LOCAL, IN_SHARED };
enum place leads_to(struct slice pointer, int depth);
/* The number of instructions in the loop's body; *again: per copy, after partial unrolling. */
long size_of_loop(const struct loop *l, long *again);

/* ---- unroll_may_differ.c ---- */

void begin_marks(int from, int to); /* prepares the functions below for a function's lines */
/* True if some lanes may leave the loop earlier than others. */
bool lanes_leave_apart(const struct loop *l);
/* True if each round stores a sum in one place of shared memory and touches no other shared memory.
 * nvcc knows that kernel arguments point elsewhere, and stores once, behind the loop. */
bool sums_in_shared(const struct loop *l);
/* Marks the loop's accesses (or only those of shared memory): their counts may differ. */
void mark_loop(const struct loop *l, enum may_differ why, bool shared_only, int *next_number);
bool note_marks(void); /* adds the marks to `notes`; false if there are none */

/* ---- unroll.c ---- */

extern struct text notes; /* metadata lines to add to the module */

#endif
