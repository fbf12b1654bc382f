/* Finds a function's blocks, their dominators, and the loops that they form. */
#include "flow.h"
#include "text_buffer.h"

struct block *blocks;
int block_count, *ordered, ordered_count;
struct loop *loops;
int loop_count;
static struct map numbers; /* for each block its number + 1 */

/* ---- blocks ---- */

int number_of(LLVMBasicBlockRef b) { return (int)map_get(&numbers, b) - 1; }
int successors(int b) { return (int)LLVMGetNumSuccessors(blocks[b].end); }
int successor(int b, int k) { return number_of(LLVMGetSuccessor(blocks[b].end, (unsigned)k)); }

/* The predecessor that a use of a block's label stands for, if it is reachable, else -1. */
static int predecessor(LLVMUseRef label)
{
    LLVMValueRef user = LLVMGetUser(label);
    int b = LLVMIsATerminatorInst(user) ? number_of(LLVMGetInstructionParent(user)) : -1;
    return b >= 0 && blocks[b].order >= 0 ? b : -1;
}

#define EACH_LABEL(use, b) EACH_USE(use, LLVMBasicBlockAsValue(blocks[b].block))

static void visit(int b)
{
    blocks[b].order = 0;
    for (int k = 0; k < successors(b); k++)
        if (blocks[successor(b, k)].order < 0)
            visit(successor(b, k));
    ordered[ordered_count++] = b;
}

static int common(int a, int b)
{
    while (a != b) {
        while (blocks[a].order > blocks[b].order)
            a = blocks[a].dominator;
        while (blocks[b].order > blocks[a].order)
            b = blocks[b].dominator;
    }
    return a;
}

static void find_dominators(void)
{
    ordered = allocate(ordered, sizeof *ordered * (size_t)block_count);
    ordered_count = 0;
    visit(0);
    for (int i = 0; i < ordered_count / 2; i++) {
        int swap = ordered[i];
        ordered[i] = ordered[ordered_count - 1 - i], ordered[ordered_count - 1 - i] = swap;
    }
    for (int i = 0; i < ordered_count; i++)
        blocks[ordered[i]].order = i, blocks[ordered[i]].dominator = -1;
    blocks[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 1; i < ordered_count; i++) {
            int by = -1;
            EACH_LABEL(use, ordered[i])
            {
                int p = predecessor(use);
                if (p >= 0 && blocks[p].dominator >= 0)
                    by = by < 0 ? p : common(p, by);
            }
            changed |= by != blocks[ordered[i]].dominator;
            blocks[ordered[i]].dominator = by;
        }
    }
}

static bool dominates(int a, int b)
{
    while (blocks[b].order > blocks[a].order)
        b = blocks[b].dominator;
    return a == b;
}

/* ---- loops ---- */

bool is_in(const struct loop *l, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && l->has[number_of(LLVMGetInstructionParent(v))];
}

static void spread(struct loop *l, int b)
{
    if (b < 0 || l->has[b])
        return;
    l->has[b] = true;
    l->count++;
    EACH_LABEL(use, b)
    spread(l, predecessor(use));
}

static int by_count(const void *a, const void *b)
{
    const struct loop *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? -1 : 1) : x->head - y->head;
}

static void find_loops(void)
{
    for (int i = 0; i < loop_count; i++)
        free(loops[i].has);
    loop_count = 0;
    for (int h = 0; h < block_count; h++) {
        int latch = -1, ways = 0;
        EACH_LABEL(use, h)
        {
            int b = predecessor(use);
            if (b >= 0 && blocks[h].order >= 0 && dominates(h, b))
                latch = b, ways++;
        }
        if (ways != 1)
            continue;
        loops = allocate(loops, sizeof *loops * (size_t)(loop_count + 1));
        struct loop *l = &loops[loop_count++];
        *l = (struct loop){h, latch, 1, calloc((size_t)block_count, 1), 1, false, false};
        l->has[h] = true;
        spread(l, latch);
    }
    if (loop_count)
        qsort(loops, (size_t)loop_count, sizeof *loops, by_count);
}

bool read_flow(LLVMValueRef function)
{
    block_count = 0;
    clear_map(&numbers);
    EACH_BLOCK(b, function)
    {
        blocks = allocate(blocks, sizeof *blocks * (size_t)(block_count + 1));
        blocks[block_count++] = (struct block){b, LLVMGetBasicBlockTerminator(b), -1, -1};
        *map_at(&numbers, b) = block_count;
    }
    if (!block_count)
        return false;
    find_dominators();
    find_loops();
    return loop_count > 0;
}
