/* Part of unroll. Finds a function's blocks, their dominators, and the loops that they form. */
#include <stdlib.h>
#include <string.h>
#include "unroll.h"

struct block *blocks;
int block_count, *ordered, ordered_count;
struct loop *loops;
int loop_count;

/* ---- blocks ---- */

const char *instruction(int i, struct slice *name)
{
    const char *p = line[i] + 2;
    *name = (struct slice){NULL, 0};
    if (*p == '%') {
        size_t n = 1 + name_length(p + 1);
        if (starts_with(p + n, " = ")) {
            *name = (struct slice){p, n};
            return p + n + 3;
        }
    }
    return p;
}

static bool terminates(const char *p)
{
    return starts_with(p, "br ") || starts_with(p, "switch ") || starts_with(p, "ret ") ||
           starts_with(p, "unreachable") || starts_with(p, "indirectbr ");
}

int block_of(struct slice name)
{
    for (int i = 0; i < block_count; i++)
        if (blocks[i].name.n == name.n && !memcmp(blocks[i].name.p, name.p, name.n))
            return i;
    return -1;
}

static void link_blocks(int a, int b)
{
    struct block *x = &blocks[a], *y = &blocks[b];
    x->next = allocate(x->next, sizeof *x->next * (size_t)(x->nexts + 1));
    x->next[x->nexts++] = b;
    y->before = allocate(y->before, sizeof *y->before * (size_t)(y->befores + 1));
    y->before[y->befores++] = a;
}

static void read_blocks(int from, int to)
{
    block_count = 0;
    for (int i = from; i < to; i++) {
        size_t n = name_length(line[i]);
        bool label = n && line[i][n] == ':';
        if (!label && (block_count || line[i][0] != ' '))
            continue;
        blocks = allocate(blocks, sizeof *blocks * (size_t)(block_count + 1));
        blocks[block_count++] = (struct block){
            .name = {line[i], label ? n : 0}, .from = i + label, .last = to, .order = -1};
    }
    for (int b = 0; b < block_count; b++) {
        int end = b + 1 < block_count ? blocks[b + 1].from - 1 : to;
        bool inside = false;
        for (int i = blocks[b].from; i < end; i++) {
            struct slice name;
            if (!inside && !(line[i][0] == ' ' && terminates(instruction(i, &name))))
                continue;
            if (!inside)
                blocks[b].last = i;
            inside = true; /* a switch continues on further lines */
            for (const char *p = line[i]; (p = strstr(p, "label %")); p++) {
                int to_block = block_of((struct slice){p + 7, name_length(p + 7)});
                if (to_block >= 0)
                    link_blocks(b, to_block);
            }
        }
    }
}

static void visit(int b)
{
    blocks[b].order = 0;
    for (int i = 0; i < blocks[b].nexts; i++)
        if (blocks[blocks[b].next[i]].order < 0)
            visit(blocks[b].next[i]);
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
            struct block *x = &blocks[ordered[i]];
            int by = -1;
            for (int k = 0; k < x->befores; k++) {
                int p = x->before[k];
                if (blocks[p].order >= 0 && blocks[p].dominator >= 0)
                    by = by < 0 ? p : common(p, by);
            }
            changed |= by != x->dominator;
            x->dominator = by;
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

static void spread(struct loop *l, int b)
{
    if (l->has[b])
        return;
    l->has[b] = true;
    l->count++;
    for (int i = 0; i < blocks[b].befores; i++)
        if (blocks[blocks[b].before[i]].order >= 0)
            spread(l, blocks[b].before[i]);
}

static int by_count(const void *a, const void *b)
{
    const struct loop *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? -1 : 1) : x->head - y->head;
}

/* Finds the loops that have one latch; inner loops come first. */
static void find_loops(void)
{
    for (int i = 0; i < loop_count; i++)
        free(loops[i].has);
    loop_count = 0;
    for (int h = 0; h < block_count; h++) {
        int latch = -1, ways = 0;
        for (int i = 0; i < blocks[h].befores && blocks[h].order >= 0; i++) {
            int b = blocks[h].before[i];
            if (blocks[b].order >= 0 && dominates(h, b))
                latch = b, ways++;
        }
        if (ways != 1)
            continue;
        loops = allocate(loops, sizeof *loops * (size_t)(loop_count + 1));
        struct loop *l = &loops[loop_count++];
        *l = (struct loop){h, latch, 1,    allocate(NULL, sizeof(bool) * (size_t)block_count),
                           1, false, false};
        memset(l->has, 0, sizeof(bool) * (size_t)block_count);
        l->has[h] = true;
        spread(l, latch);
    }
    if (loop_count)
        qsort(loops, (size_t)loop_count, sizeof *loops, by_count);
}

bool read_flow(int from, int to)
{
    for (int i = 0; i < block_count; i++) {
        free(blocks[i].next);
        free(blocks[i].before);
    }
    read_blocks(from, to);
    if (!block_count)
        return false;
    find_dominators();
    find_loops();
    return loop_count > 0;
}
