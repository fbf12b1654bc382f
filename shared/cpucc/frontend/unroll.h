/*
 * What the parts of unroll share: blocks and loops of the function that is looked at. Parts: unroll.c
 * (decisions), unroll_blocks.c (blocks and loops), unroll_rounds.c (how often), unroll_size.c (how
 * large), unroll_may_differ.c (where counts may differ all the same).
 */
#ifndef CPUCC_UNROLL_H
#define CPUCC_UNROLL_H

#include "../may_differ.h"
#include "merge.h"

/* ---- unroll_blocks.c ---- */

struct block {
    struct slice name;
    int from, last; /* its first line, and the first of its terminator */
    int *next, nexts;
    int *before, befores;
    int order, dominator; /* place in reverse postorder, -1: never reached */
    bool checks;          /* calls of cpucc_guard_*, which stand for no code of the GPU */
};
extern struct block *blocks;
extern int block_count, *ordered, ordered_count; /* ordered: those that are reached */

struct loop {
    int head, latch, count;
    bool *has;          /* blocks */
    long copies;        /* of the body, as decided; all rounds if whole */
    bool whole, marked; /* marked: clang is told what to do, here or by a pragma */
};
extern struct loop *loops;
extern int loop_count;

/* Reads the function of these lines; false if it has no loop. */
bool read_flow(int from, int to);
int block_of(struct slice name);
/* What stands on line i, behind the name that it defines, which may be empty. */
const char *instruction(int i, struct slice *name);

/* ---- unroll_rounds.c ---- */

/* How many rounds the loop makes, or 0. */
int rounds_of(const struct loop *l);
/* Whether the number of rounds is known before the loop, without a division: its end is the only way
 * out, and a variable that grows by a power of two is compared with what does not change. *grown: the
 * line where it grows, if it is a signed number, or -1. */
bool can_be_counted(const struct loop *l, int *grown);
bool is_fixed_in(const struct loop *l, struct slice value); /* does not change in the loop */
/* "add nuw nsw i32 %x, 4": the value of x after it. */
bool step(const char *d, long *x, struct slice *of);
/* What the variable "%i = phi i32 [ 0, %entry ], [ %next, %latch ]" begins with and becomes. */
bool variable(const char *d, struct slice latch, long *start, struct slice *next);

/* ---- unroll_size.c ---- */

/* To be called before size_of_loop, for the function of these lines. */
void measure_function(int from, int to);
/* Whether a pointer leads to an array in local memory, or into shared memory. */
enum place { SOMEWHERE, LOCAL, IN_SHARED };
enum place leads_to(struct slice pointer, int depth);
/* The instructions of a loop's body; *again: once it is unrolled in part. */
long size_of_loop(const struct loop *l, long *again);

/* ---- unroll_may_differ.c ---- */

void begin_marks(int from, int to); /* to be called for each function */
/* Whether some lanes may leave the loop after fewer rounds than others. */
bool lanes_leave_apart(const struct loop *l);
/* Whether each round stores a sum in one place of shared memory, and touches no other: nvcc knows that
 * what a kernel is given lies elsewhere, and stores once behind the loop. */
bool sums_in_shared(const struct loop *l);
/* Notes that the counts of the loop's accesses, or of those of shared memory alone, may differ. */
void mark_loop(const struct loop *l, enum may_differ why, bool shared_only, int *next_number);
bool note_marks(void); /* writes what was noted into `notes`; false if nothing was */

/* ---- unroll.c ---- */

extern struct text notes; /* the metadata that is added */

#endif
