/* A function's loops, and its blocks in an order in which those of each loop stand together. */
#ifndef CPUCC_LOOPS_H
#define CPUCC_LOOPS_H

#include <stdbool.h>
#include "llvm.h"

struct loop {
    LLVMBasicBlockRef head, latch; /* latch: the block that branches back; NULL if several do */
    int first, end;                /* its blocks are flow.block[first] to flow.block[end - 1] */
    /* What unroll decides: */
    long copies; /* copies of the body after unrolling; the trip count if whole */
    bool whole;  /* to be unrolled completely */
    bool marked; /* the optimiser is told what to do, by unroll or by a pragma */
};

/* What find_loops has found. A branch back to a loop's head does not count for the order. */
extern struct flow {
    LLVMBasicBlockRef *block; /* those that the entry reaches, each behind those that it reaches */
    int blocks;
    struct loop *loop; /* inner loops come before the loops around them */
    int loops;
} flow;

/* Fills `flow` for a function that has a body. A loop counts only if `counts` holds for one of its blocks;
 * NULL: all count. */
void find_loops(LLVMValueRef function, bool (*counts)(LLVMBasicBlockRef block));
bool has_block(const struct loop *l, LLVMBasicBlockRef b); /* true if it is one of the loop's */
bool contains(const struct loop *l, const struct loop *in);
int depth_of(const struct loop *l);                       /* the number of loops around it */
const struct loop *innermost_around(LLVMBasicBlockRef b); /* NULL if there is none */
/* The block's successor number k; NULL if it has no more than k. */
LLVMBasicBlockRef successor(LLVMBasicBlockRef b, unsigned k);

#define EACH_LOOP(l) for (struct loop *l = flow.loop; l < flow.loop + flow.loops; l++)
#define EACH_BLOCK_OF(b, l) /* a block comes before those that it reaches */                       \
    for (LLVMBasicBlockRef *b##_at = flow.block + (l)->end, b;                                     \
         b##_at > flow.block + (l)->first && (b = *--b##_at, true);)

#endif
