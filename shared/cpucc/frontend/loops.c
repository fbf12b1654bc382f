/* Finds natural loops (a branch back to a block that dominates it) and dominators, see loops.h. */
#include "loops.h"
#include "ir.h"

static void find_edges(struct flow *f)
{
    struct map numbers = {0};
    for (int b = 0; b < f->blocks; b++)
        *map_at(&numbers, f->node[b].block) = b;
    for (int b = 0; b < f->blocks; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->node[b].block);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            int to = (int)map_get(&numbers, LLVMGetSuccessor(end, k));
            *APPEND(f->node[b].successor, f->node[b].successors) = to;
            *APPEND(f->node[to].predecessor, f->node[to].predecessors) = b;
        }
    }
    free(numbers.entries);
}

/* Puts the blocks that b reaches in front of those at `sequence[left]`; returns the new `left`. A block comes before
 * its successors, unless a branch leads back. Marks blocks with order 0. */
static int visit(struct flow *f, int b, int left)
{
    f->node[b].order = 0;
    for (int k = 0; k < f->node[b].successors; k++)
        if (f->node[f->node[b].successor[k]].order < 0)
            left = visit(f, f->node[b].successor[k], left);
    f->sequence[--left] = b;
    return left;
}

/* Numbers the reachable blocks in reverse postorder. */
static void find_sequence(struct flow *f)
{
    f->sequence = allocate(NULL, sizeof(int) * (size_t)f->blocks);
    int left = visit(f, 0, f->blocks);
    f->reached = f->blocks - left;
    memmove(f->sequence, f->sequence + left, sizeof(int) * (size_t)f->reached);
    for (int i = 0; i < f->reached; i++)
        f->node[f->sequence[i]].order = i;
}

/* Finds immediate dominators by Cooper, Harvey and Kennedy's iteration. */
static void find_dominators(struct flow *f)
{
    struct node *node = f->node;
    node[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 1; i < f->reached; i++) {
            struct node *b = &node[f->sequence[i]];
            int dominator = -1;
            for (int p = 0; p < b->predecessors; p++) {
                int x = b->predecessor[p], y = dominator;
                if (node[x].order < 0 || node[x].dominator < 0)
                    continue;
                while (y >= 0 && x != y) {
                    while (node[x].order > node[y].order)
                        x = node[x].dominator;
                    while (node[y].order > node[x].order)
                        y = node[y].dominator;
                }
                dominator = x;
            }
            changed |= dominator != b->dominator;
            b->dominator = dominator;
        }
    }
}

bool dominates(const struct flow *f, int a, int b)
{
    while (f->node[b].order > f->node[a].order)
        b = f->node[b].dominator;
    return a == b;
}

static void add_member(const struct flow *f, bool *has, int b)
{
    if (has[b])
        return;
    has[b] = true;
    for (int p = 0; p < f->node[b].predecessors; p++)
        if (f->node[f->node[b].predecessor[p]].order >= 0)
            add_member(f, has, f->node[b].predecessor[p]);
}

/* The members of the loop with this head; NULL if no branch leads back to it. */
static bool *members(const struct flow *f, int head)
{
    bool *has = NULL;
    for (int p = 0; p < f->node[head].predecessors; p++) {
        int from = f->node[head].predecessor[p];
        if (f->node[from].order < 0 || !dominates(f, head, from))
            continue;
        if (!has) {
            has = allocate(NULL, (size_t)f->blocks);
            memset(has, 0, (size_t)f->blocks);
            has[head] = true;
        }
        add_member(f, has, from);
    }
    return has;
}

static void find_loops(struct flow *f, bool (*counts)(LLVMBasicBlockRef block))
{
    for (int i = 0; i < f->reached; i++) {
        int head = f->sequence[i], parent = f->node[head].loop;
        bool *has = members(f, head), any = false;
        for (int b = 0; has && b < f->blocks && !any; b++)
            any = has[b] && counts(f->node[b].block);
        if (!any) {
            free(has);
            continue;
        }
        for (int b = 0; b < f->blocks; b++)
            if (has[b])
                f->node[b].loop = f->loops;
        int depth = parent < 0 ? 0 : f->loop[parent].depth + 1;
        *APPEND(f->loop, f->loops) = (struct loop){head, parent, depth, has};
    }
}

struct flow find_flow(LLVMValueRef function, bool (*counts)(LLVMBasicBlockRef block))
{
    struct flow f = {0};
    f.node = allocate(NULL, sizeof *f.node * LLVMCountBasicBlocks(function));
    EACH_BLOCK(b, function)
        f.node[f.blocks++] = (struct node){.block = b, .order = -1, .dominator = -1, .loop = -1};
    find_edges(&f);
    find_sequence(&f);
    find_dominators(&f);
    find_loops(&f, counts);
    return f;
}

void free_flow(struct flow *f)
{
    for (int b = 0; b < f->blocks; b++)
        free(f->node[b].successor), free(f->node[b].predecessor);
    for (int k = 0; k < f->loops; k++)
        free(f->loop[k].has);
    free(f->node), free(f->sequence), free(f->loop);
}
