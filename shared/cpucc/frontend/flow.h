/* Declares the control flow of a function: its blocks, their dominators and its loops. */
#ifndef CPUCC_FLOW_H
#define CPUCC_FLOW_H

#include "ir.h"

struct block {
    LLVMBasicBlockRef block;
    LLVMValueRef end; /* its terminator */
    int order;        /* place in reverse postorder; -1: never reached */
    int dominator;
};
extern struct block *blocks; /* in the order of the function */
extern int block_count;
extern int *ordered, ordered_count; /* the reachable blocks in reverse postorder */

struct loop {
    int head, latch, count; /* count: number of its blocks */
    bool *has;              /* for each block: whether the loop contains it */
    long copies;            /* copies of the body after unrolling; the trip count if whole */
    bool whole;             /* to be unrolled completely */
    bool marked;            /* clang is told what to do, by unroll or by a pragma */
};
extern struct loop *loops; /* those with one latch; inner loops come first */
extern int loop_count;

/* Finds the function's blocks and loops; false if it has no loop. */
bool read_flow(LLVMValueRef function);
int number_of(LLVMBasicBlockRef b);
int successors(int b); /* their number */
int successor(int b, int k);
/* True if the value is an instruction of the loop. */
bool is_in(const struct loop *l, LLVMValueRef v);

#define EACH_LOOP_BLOCK(b, l)                                                                      \
    for (int b = 0; b < block_count; b++)                                                          \
        if ((l)->has[b])

#endif
