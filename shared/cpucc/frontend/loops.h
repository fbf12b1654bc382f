/* Natural loops and dominators of a function. */
#ifndef CPUCC_LOOPS_H
#define CPUCC_LOOPS_H

#include <stdbool.h>
#include "llvm.h"

struct node { /* a basic block */
    LLVMBasicBlockRef block;
    int *successor, successors;
    int *predecessor, predecessors;
    int order;     /* in reverse postorder, -1 if unreachable */
    int dominator; /* immediate */
    int loop;      /* innermost, or -1 */
};

struct loop {
    int head, parent,
        depth; /* parent: index of the loop around it, or -1; depth: loops around it */
    bool *has; /* by block: true if the block is in the loop */
};

struct flow {
    struct node *node; /* in the function's order of blocks */
    int blocks;
    int *sequence, reached; /* the reachable blocks in reverse postorder */
    struct loop *loop;      /* outer loops come before the loops inside them */
    int loops;
};

/* The blocks, dominators and loops of a function that has a body. A loop counts only if `counts`
 * holds for one of its blocks. free_flow frees it. */
struct flow find_flow(LLVMValueRef function, bool (*counts)(LLVMBasicBlockRef block));
void free_flow(struct flow *f);
/* True if every way from the entry to reachable block b leads through block a. */
bool dominates(const struct flow *f, int a, int b);

#endif
