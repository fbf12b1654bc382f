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

/* Numbers the reachable blocks in reverse postorder. */
static void find_sequence(struct flow *f)
{
    size_t n = (size_t)f->blocks;
    int *stack = allocate(NULL, sizeof(int) * n), *at = allocate(NULL, sizeof *at * n);
    bool *seen = allocate(NULL, n);
    memset(at, 0, sizeof *at * n);
    memset(seen, 0, n);
    f->sequence = allocate(NULL, sizeof(int) * n);
    int depth = 0, left = f->blocks;
    stack[depth++] = 0;
    seen[0] = true;
    while (depth) { /* depth first; a block gets its number after all its successors */
        int b = stack[depth - 1];
        if (at[b] < f->node[b].successors) {
            int to = f->node[b].successor[at[b]++];
            if (!seen[to]) {
                seen[to] = true;
                stack[depth++] = to;
            }
        } else {
            f->sequence[--left] = b;
            depth--;
        }
    }
    f->reached = f->blocks - left;
    memmove(f->sequence, f->sequence + left, sizeof(int) * (size_t)f->reached);
    for (int i = 0; i < f->reached; i++)
        f->node[f->sequence[i]].order = i;
    free(stack), free(at), free(seen);
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
