/*
 * Finds loops (see loops.h) by Bourdoncle's algorithm, a depth-first search: blocks that reach each other are a loop,
 * whose head is the block that the search reaches first. The loops inside it are those of its blocks without the head.
 */
#include <limits.h>
#include "loops.h"
#include "ir.h"

struct flow flow;
static struct map visits; /* for each block its number in the order of visits, or PLACED */
static struct map
    places; /* for each block its index in flow.block + 1; before: its order, below 0 */
static LLVMBasicBlockRef *stack; /* visited blocks without a place */
static int stacked;
static long visit_count;
static const long PLACED = LONG_MAX;

LLVMBasicBlockRef successor(LLVMBasicBlockRef b, unsigned k)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    return k < LLVMGetNumSuccessors(end) ? LLVMGetSuccessor(end, k) : NULL;
}

static long visit(LLVMBasicBlockRef b);

static long least_of(long a, long b) { return a < b ? a : b; }

/* Visits the block's successors, beginning at the end of the function, so that they keep their order. Returns the
 * least number of a visited block that they reach. */
static long visit_successors(LLVMBasicBlockRef b)
{
    long least = PLACED;
    for (LLVMBasicBlockRef last = b; last; least = last ? least_of(least, visit(last)) : least) {
        last = NULL;
        for (unsigned k = 0; successor(b, k); k++) {
            LLVMBasicBlockRef to = successor(b, k);
            long number = map_get(&visits, to);
            if (number)
                least = least_of(least, number);
            else if (!last || map_get(&places, to) > map_get(&places, last))
                last = to;
        }
    }
    return least;
}

/* Adds the block to flow.block, behind the blocks that it reaches, unless it belongs to the loop of a block that was
 * visited before. Returns that block's number, or PLACED. */
static long visit(LLVMBasicBlockRef b)
{
    long number = *map_at(&visits, b) = ++visit_count;
    stack[stacked++] = b;
    long least = visit_successors(b);
    if (least < number)
        return least;
    while (stack[--stacked] != b)
        *map_at(&visits, stack[stacked]) = 0;
    *map_at(&visits, b) = PLACED;
    struct loop l = {.head = b, .first = flow.blocks, .copies = 1};
    if (least == number)
        visit_successors(b);
    flow.block[flow.blocks] = b;
    *map_at(&places, b) = l.end = ++flow.blocks;
    if (least == number)
        *APPEND(flow.loop, flow.loops) = l;
    return PLACED;
}

void find_loops(LLVMValueRef function, bool (*counts)(LLVMBasicBlockRef block))
{
    size_t blocks = LLVMCountBasicBlocks(function), kept = 0;
    flow.block = allocate(flow.block, blocks * sizeof *stack);
    stack = allocate(stack, blocks * sizeof *stack);
    flow.blocks = flow.loops = 0;
    clear_map(&visits);
    clear_map(&places);
    long before = -(long)blocks;
    EACH_BLOCK(b, function)
        *map_at(&places, b) = before++;
    visit(LLVMGetEntryBasicBlock(function));
    EACH_LOOP(l) {
        bool any = false;
        int ways = 0;
        EACH_BLOCK_OF(b, l) {
            any |= !counts || counts(b);
            for (unsigned k = 0; successor(b, k); k++)
                if (successor(b, k) == l->head)
                    l->latch = b, ways++;
        }
        l->latch = ways == 1 ? l->latch : NULL;
        if (any)
            flow.loop[kept++] = *l;
    }
    flow.loops = (int)kept;
}

bool has_block(const struct loop *l, LLVMBasicBlockRef b)
{
    long place = map_get(&places, b);
    return l->first < place && place <= l->end;
}

bool contains(const struct loop *l, const struct loop *in)
{
    return l->first < in->first && in->end <= l->end; /* two loops have two heads */
}

int depth_of(const struct loop *l)
{
    int depth = 0;
    EACH_LOOP(around)
        depth += contains(around, l);
    return depth;
}

const struct loop *innermost_around(LLVMBasicBlockRef b)
{
    EACH_LOOP(l)
        if (has_block(l, b))
            return l;
    return NULL;
}
