/* Implements vector clocks as trees: inner nodes with 16 children, then blocks, then warps. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "vector_clock.h"

enum { FANOUT = 16, LANES = 32, CHUNK = 1 << 16 }; /* CHUNK: bytes allocated at once */
enum level { WARP_NODE, BLOCK_NODE, INNER_NODE };  /* inner nodes: INNER_NODE and up */

struct vclock {
    uint32_t references;
    uint32_t base; /* of a block node: the bound of all its threads, without agents */
    union {
        struct vclock *child[1];
        uint32_t bound[LANES]; /* of a warp's lanes, or of 32 agents */
        struct vclock *next_free;
    };
};

static int root_level;
static uint32_t warps, parts; /* per block: warps; children: warps and groups of 32 agents */
static struct vclock *unused[INNER_NODE + 1]; /* by kind: a list of free nodes */
static struct chunk {
    struct chunk *next;
    char bytes[CHUNK];
} * chunks;
static size_t left; /* free bytes of the first chunk */

void vc_start(uint32_t blocks, uint32_t threads)
{
    while (chunks) {
        struct chunk *next = chunks->next;
        free(chunks);
        chunks = next;
    }
    left = 0;
    memset(unused, 0, sizeof unused);
    warps = (threads + LANES - 1) / LANES;
    parts = warps + VC_AGENTS / LANES;
    root_level = BLOCK_NODE;
    for (uint32_t last = blocks - 1; last; last /= FANOUT)
        root_level++;
}

bool vc_any(void) { return chunks != NULL; }

static int kind_of(int level) { return level < INNER_NODE ? level : INNER_NODE; }

static uint32_t children(int level)
{
    return level == BLOCK_NODE ? parts : level == WARP_NODE ? 0 : FANOUT;
}

static size_t node_bytes(int level)
{
    size_t body =
        level == WARP_NODE ? sizeof(uint32_t[LANES]) : children(level) * sizeof(struct vclock *);
    return offsetof(struct vclock, child) + body;
}

static struct vclock *new_node(int level)
{
    int kind = kind_of(level);
    size_t bytes = node_bytes(level);
    struct vclock *n = unused[kind];
    if (n) {
        unused[kind] = n->next_free;
    } else {
        if (left < bytes) {
            struct chunk *c = malloc(sizeof *c);
            if (!c)
                abort();
            c->next = chunks;
            chunks = c;
            left = CHUNK;
        }
        left -= bytes;
        n = (struct vclock *)(void *)(chunks->bytes + left);
    }
    memset(n, 0, bytes);
    n->references = 1;
    return n;
}

static struct vclock *share(struct vclock *n)
{
    if (n)
        n->references++;
    return n;
}

static void drop(struct vclock *n, int level)
{
    if (!n || --n->references)
        return;
    for (uint32_t i = 0; i < children(level); i++)
        drop(n->child[i], level - 1);
    n->next_free = unused[kind_of(level)];
    unused[kind_of(level)] = n;
}

/* Returns a node that may be changed in place of n: n itself if unshared, else a copy; a new node
 * for NULL. Takes over n. */
static struct vclock *own(struct vclock *n, int level)
{
    if (!n)
        return new_node(level);
    if (n->references == 1)
        return n;
    struct vclock *copy = new_node(level);
    memcpy(&copy->base, &n->base, node_bytes(level) - offsetof(struct vclock, base));
    for (uint32_t i = 0; i < children(level); i++)
        share(copy->child[i]);
    n->references--;
    return copy;
}

/* Whether each bound of node a, and its `base`, is at least that of node b. */
static bool covers(const struct vclock *a, const struct vclock *b, int level, uint32_t base)
{
    if (!b || a == b)
        return true;
    if (level == WARP_NODE) {
        for (int i = 0; i < LANES; i++)
            if (b->bound[i] > base && (!a || a->bound[i] < b->bound[i]))
                return false;
        return true;
    }
    if (!a || a->base < b->base)
        return false;
    for (uint32_t i = 0; i < children(level); i++)
        if (!covers(a->child[i], b->child[i], level - 1,
                    level == BLOCK_NODE && i < warps ? a->base : 0))
            return false;
    return true;
}

/* Returns the join of nodes a, which it takes over, and b. If the join equals b, returns b itself,
 * so that later comparisons with b are short. */
static struct vclock *join(struct vclock *a, struct vclock *b, int level)
{
    if (!b || a == b)
        return a;
    if (!a)
        return share(b);
    a = own(a, level);
    bool same = true;
    if (level == WARP_NODE) {
        for (int i = 0; i < LANES; i++) {
            same &= a->bound[i] <= b->bound[i];
            a->bound[i] = a->bound[i] > b->bound[i] ? a->bound[i] : b->bound[i];
        }
    } else {
        same = a->base <= b->base;
        a->base = a->base > b->base ? a->base : b->base;
        for (uint32_t i = 0; i < children(level); i++) {
            a->child[i] = join(a->child[i], b->child[i], level - 1);
            same &= a->child[i] == b->child[i];
        }
    }
    if (!same)
        return a;
    drop(a, level);
    return share(b);
}

struct vclock *vc_share(struct vclock *v) { return share(v); }
void vc_drop(struct vclock *v) { drop(v, root_level); }

struct vclock *vc_join(struct vclock *v, struct vclock *other)
{
    if (covers(v, other, root_level, 0))
        return v;
    return join(v, other, root_level);
}

/* Returns the index of the child that leads to the block. */
static uint32_t branch(uint32_t block, int level)
{
    return block >> 4 * (level - INNER_NODE) & (FANOUT - 1);
}

/* Returns the pointer to the block's node, after making all nodes above it changeable. */
static struct vclock **way_to(struct vclock **root, uint32_t block)
{
    struct vclock **at = root;
    for (int level = root_level; level >= INNER_NODE; level--) {
        *at = own(*at, level);
        at = &(*at)->child[branch(block, level)];
    }
    return at;
}

/* Returns the block's node, or NULL. */
static const struct vclock *find(const struct vclock *v, uint32_t block)
{
    for (int level = root_level; v && level >= INNER_NODE; level--)
        v = v->child[branch(block, level)];
    return v;
}

/* Returns the index of the child of a block's node that holds the thread or agent. */
static uint32_t part_of(uint32_t thread)
{
    if (thread < VC_AGENT)
        return thread / LANES;
    return warps + (thread - VC_AGENT) % VC_AGENTS / LANES;
}

struct vclock *vc_raise(struct vclock *v, uint32_t block, uint32_t thread, uint32_t bound)
{
    if (vc_bound(v, block, thread) >= bound)
        return v;
    struct vclock **b = way_to(&v, block);
    *b = own(*b, BLOCK_NODE);
    struct vclock **w = &(*b)->child[part_of(thread)];
    *w = own(*w, WARP_NODE);
    (*w)->bound[thread % LANES] = bound;
    return v;
}

struct vclock *vc_raise_warp(struct vclock *v, uint32_t block, uint32_t warp, uint32_t bound)
{
    if (!vc_unknown(v, block, warp, ~0u, bound ? bound - 1 : 0) || !bound)
        return v;
    struct vclock **b = way_to(&v, block);
    *b = own(*b, BLOCK_NODE);
    struct vclock **w = &(*b)->child[warp];
    *w = own(*w, WARP_NODE);
    for (int i = 0; i < LANES; i++)
        if ((*w)->bound[i] < bound)
            (*w)->bound[i] = bound;
    return v;
}

struct vclock *vc_raise_block(struct vclock *v, uint32_t block, uint32_t bound)
{
    const struct vclock *now = find(v, block);
    if (!bound || (now && now->base >= bound))
        return v;
    struct vclock **b = way_to(&v, block);
    *b = own(*b, BLOCK_NODE);
    (*b)->base = bound;
    return v;
}

struct vclock *vc_forget(struct vclock *v, uint32_t block)
{
    const struct vclock *now = find(v, block);
    bool threads = now && now->base;
    for (uint32_t w = 0; now && w < warps; w++)
        threads |= now->child[w] != NULL;
    if (!threads)
        return v;
    struct vclock **b = way_to(&v, block);
    *b = own(*b, BLOCK_NODE);
    (*b)->base = 0;
    for (uint32_t w = 0; w < warps; w++) {
        drop((*b)->child[w], WARP_NODE);
        (*b)->child[w] = NULL;
    }
    return v;
}

uint32_t vc_bound(const struct vclock *v, uint32_t block, uint32_t thread)
{
    v = find(v, block);
    if (!v)
        return 0;
    uint32_t base = thread < VC_AGENT ? v->base : 0;
    const struct vclock *w = v->child[part_of(thread)];
    return w && w->bound[thread % LANES] > base ? w->bound[thread % LANES] : base;
}

uint32_t vc_unknown(const struct vclock *v, uint32_t block, uint32_t warp, uint32_t lanes,
                    uint32_t clock)
{
    v = find(v, block);
    if (!v)
        return lanes;
    if (v->base > clock)
        return 0;
    const struct vclock *w = v->child[warp];
    for (uint32_t m = w ? lanes : 0; m; m &= m - 1)
        if (w->bound[__builtin_ctz(m)] > clock)
            lanes &= ~(m & -m);
    return lanes;
}
