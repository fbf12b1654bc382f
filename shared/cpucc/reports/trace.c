/* Records the requests, events and arguments that the HTML report shows; see trace.h. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../execution/async.h"
#include "trace.h"

enum {
    EVENTS = 30000,       /* kept of block 0 of a kernel's first launch */
    EVENTS_OTHER = 4000,  /* kept of another block, until it ends without the first fault */
    EVENTS_ALL = 4000000, /* of all blocks: above it, further blocks are not recorded */
};

static struct trace_kernel *kernels;
static int kernel_count;
static struct trace_block *live[MAX_LIVE_BLOCKS]; /* by slot; NULL: not recorded */
static int events_alive, blocks_alive;
static uint64_t order; /* requests so far: samples keep their order */

struct trace_kernel *cpucc_traced(const struct kernel_record *record)
{
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].record == record)
            return &kernels[i];
    return NULL;
}

static void trace_launch(struct launch *L)
{
    L->in_order = true;
    if (!L->record || cpucc_traced(L->record))
        return;
    *ADD_TO(kernels, kernel_count) = (struct trace_kernel){
        .record = L->record, .cluster = L->config.cluster, .arguments = cpucc_arguments};
}

static void trace_block_start(struct block *b)
{
    const struct launch *L = cpucc_the_launch;
    struct trace_kernel *k = L->record ? cpucc_traced(L->record) : NULL;
    live[b->slot] = NULL;
    if (!k || ((b->number || k->block) && (k->faulty || events_alive > EVENTS_ALL)))
        return;
    struct trace_block *t = live[b->slot] = cpucc_nonnull(calloc(1, sizeof *t));
    t->number = b->number, t->index = b->index, t->launch = L->record->launch_count;
    t->patterns = cpucc_trace_patterns();
    blocks_alive++;
}

static void forget(struct trace_block *t)
{
    if (!blocks_alive)
        cpucc_forget_patterns(t->patterns);
    events_alive -= t->count;
    free(t->events);
    free(t);
}

static void trace_block_end(struct block *b)
{
    const struct launch *L = cpucc_the_launch;
    struct trace_block *t = live[b->slot];
    struct trace_kernel *k = L->record ? cpucc_traced(L->record) : NULL;
    live[b->slot] = NULL;
    if (!t)
        return;
    blocks_alive--;
    bool first = !b->number && !k->block;
    if (!first && (!t->faulty || k->faulty)) {
        forget(t);
        return;
    }
    if (L->config.shared && L->dynamic_start)
        t->dynamic_bytes = L->dynamic_start - SHARED_START + (uint32_t)L->config.shared;
    for (const shared_site *s = L->sites; s; s = s->next)
        *ADD_TO(t->variables, t->variable_count) = (struct trace_variable){
            s->name, s->type, (uint32_t)s->offset - SHARED_START, (uint32_t)s->bytes};
    if (first)
        k->block = t;
    if (t->faulty && !k->faulty)
        k->faulty = t;
}

/* Returns the recording of a block, or NULL. */
static struct trace_block *block_of(const struct block *b)
{
    return cpucc_live_blocks[b->slot] == b ? live[b->slot] : NULL;
}

/* Adds an event, unless the block is not recorded or has too many events. */
static void add(struct trace_block *t, struct trace_event e)
{
    if (!t)
        return;
    if (t->count >= (t->number ? EVENTS_OTHER : EVENTS)) {
        t->left_out++;
        return;
    }
    events_alive++;
    *ADD_TO(t->events, t->count) = e;
}

/* Adds an event of one lane, or merges it into its warp's latest event of the same instruction. */
static void add_lane(struct trace_block *t, const struct lane *l, struct trace_event e)
{
    e.lanes = 1u << l->index, e.warp = (uint16_t)l->warp->number;
    for (int i = t ? t->count - 1 : -1, back = 0; i >= 0 && back < 12; i--, back++) {
        struct trace_event *old = &t->events[i];
        if (old->warp != e.warp || old->kind == TRACE_REQUEST || old->kind == TRACE_BARRIER ||
            old->kind == TRACE_COPY ||
            (old->kind == e.kind && old->pc == e.pc && old->lanes & e.lanes))
            break;
        bool counts = e.kind == TRACE_MBARRIER && e.value[0] == MB_ARRIVED;
        if (old->kind == e.kind && old->pc == e.pc && old->at == e.at &&
            old->value[0] == e.value[0] &&
            (counts || !memcmp(old->value, e.value, sizeof e.value))) {
            old->lanes |= e.lanes;
            memcpy(old->value, e.value, sizeof e.value);
            return;
        }
    }
    add(t, e);
}

/* Returns address a as a place (trace.h), seen from block b. */
static uint64_t place_of(const struct block *b, uintptr_t a)
{
    if (!cpucc_is_shared_pointer((const void *)a))
        return a;
    struct block *owner = cpucc_block_of(a);
    uint64_t rank = owner && owner != b ? owner->number % cpucc_the_launch->cluster_size + 1 : 0;
    return TRACE_SHARED | rank << TRACE_RANK_SHIFT |
           (uint32_t)((a - (uintptr_t)cpucc_slots) % SLOT_BYTES - SHARED_START);
}

/* Returns the number of an event's pattern; samples have their own numbers. */
static int pattern_number(const struct trace_block *t, const struct trace_pattern *p)
{
    return t ? cpucc_event_pattern(p) : -1;
}

/* ---- requests ---- */

/* Returns the kernel's record for this pc and counter, added if it is new. */
static struct trace_site *site(struct trace_kernel *k, uintptr_t pc, int counter)
{
    struct trace_site *s =
        cpucc_find_or_add(&k->sites, sizeof *s, pc * CPUCC_COUNTERS + (uintptr_t)counter);
    s->pc = pc, s->counter = counter;
    return s;
}

/* Keeps the request if it is its instruction's first, or its worst so far. */
static void sample(const struct warp *w, uintptr_t pc, int counter, const struct trace_pattern *p,
                   int side, const struct trace_event *e)
{
    struct trace_site *s = site(cpucc_traced(cpucc_the_launch->record), pc, counter);
    uint64_t work = (uint64_t)p->work[side], ideal = (uint64_t)p->ideal[side];
    bool first = !s->first.order,
         worst = first || work * (s->ideal ? s->ideal : 1) > s->work * (ideal ? ideal : 1);
    struct trace_sample *to = first ? &s->first : &s->worst;
    order++;
    if (!worst)
        return;
    *to = (struct trace_sample){*p,   -1, e->at, e->other, w->block->number, (uint16_t)w->number,
                                order};
    s->work = work, s->ideal = ideal;
    if (first)
        s->worst = s->first;
}

static void trace_request(const struct warp *w, uintptr_t pc, int counter,
                          const struct traffic_request *r, struct traffic_cost cost)
{
    struct trace_pattern p;
    memset(&p, 0, sizeof p); /* clears padding: patterns are compared as bytes */
    p.counter = (int8_t)counter, p.bytes = r->bytes, p.lanes = r->lanes;
    p.work[0] = cost.work, p.ideal[0] = cost.ideal;
    uintptr_t base = cpucc_pattern_offsets(&p, 0, r->address, r->lanes);
    struct trace_event e = {.kind = TRACE_REQUEST,
                            .warp = (uint16_t)w->number,
                            .lanes = r->lanes,
                            .pc = pc,
                            .pattern = pattern_number(block_of(w->block), &p),
                            .at = place_of(w->block, base)};
    sample(w, pc, counter, &p, 0, &e);
    add(block_of(w->block), e);
}

static void trace_copy(const struct warp *w, uintptr_t pc, const struct traffic_copy *c,
                       struct traffic_copy_cost cost)
{
    struct trace_pattern p;
    memset(&p, 0, sizeof p);
    p.counter = CPUCC_ASYNC_COPY_GLOBAL, p.bytes = c->bytes, p.lanes = c->lanes;
    p.zeros = c->zeros, p.through_l1 = c->through_l1;
    p.work[0] = cost.global.work, p.ideal[0] = cost.global.ideal;
    p.work[1] = cost.shared.work, p.ideal[1] = cost.shared.ideal;
    uintptr_t from = cpucc_pattern_offsets(&p, 0, c->from, c->zeros ? 0 : c->lanes);
    uintptr_t to = cpucc_pattern_offsets(&p, 1, c->to, c->lanes);
    struct trace_event e = {.kind = TRACE_COPY,
                            .warp = (uint16_t)w->number,
                            .lanes = c->lanes,
                            .pc = pc,
                            .pattern = pattern_number(block_of(w->block), &p),
                            .at = from,
                            .other = place_of(w->block, to)};
    sample(w, pc, CPUCC_ASYNC_COPY_GLOBAL, &p, 0, &e);
    sample(w, pc, CPUCC_ASYNC_COPY_SHARED, &p, 1, &e);
    add(block_of(w->block), e);
}

static void trace_atomic(const struct warp *w, uint32_t group)
{
    struct trace_block *t = block_of(w->block);
    const struct lane *first = &w->lane[__builtin_ctz(group)];
    struct trace_pattern p;
    uint64_t address[WARP] = {0};
    if (!t)
        return;
    memset(&p, 0, sizeof p);
    p.counter = -1, p.bytes = (int)first->bytes, p.lanes = group;
    for (uint32_t m = group; m; m &= m - 1)
        address[__builtin_ctz(m)] = w->lane[__builtin_ctz(m)].address;
    uintptr_t base = cpucc_pattern_offsets(&p, 0, address, group);
    add(t, (struct trace_event){.kind = TRACE_ATOMIC,
                                .warp = (uint16_t)w->number,
                                .lanes = group,
                                .pc = first->pc,
                                .pattern = pattern_number(block_of(w->block), &p),
                                .at = place_of(w->block, base)});
}

/* ---- bulk and tensor copies ---- */

static void trace_tma(struct lane *l, int counter, struct async_copy *c,
                      const struct tensor_map *map, const int *at)
{
    struct trace_kernel *k = cpucc_traced(cpucc_the_launch->record);
    uintptr_t shared = ~(uintptr_t)0, global = 0;
    uint64_t all = 0, inside = 0;
    for (int i = 0; i < c->count; i++) {
        const struct piece *p = &c->pieces[i];
        shared = p->shared < shared ? p->shared : shared;
        global = p->global && (!global || p->global < global) ? p->global : global;
        all += p->bytes, inside += p->global ? p->bytes : 0;
    }
    struct trace_event e = {.kind = TRACE_TMA,
                            .warp = (uint16_t)l->warp->number,
                            .lanes = 1u << l->index,
                            .pc = l->pc,
                            .pattern = cpucc_box_number(c, map),
                            .at = global,
                            .other = place_of(l->warp->block, shared),
                            .load = counter == CPUCC_TMA_LOAD};
    if (at)
        memcpy(e.value, at, sizeof e.value);
    struct trace_site *s = site(k, l->pc, counter);
    struct trace_sample now = {.box = e.pattern,
                               .at = e.at,
                               .other = e.other,
                               .block = l->warp->block->number,
                               .warp = e.warp,
                               .order = ++order};
    if (!s->first.order)
        s->first = now;
    if (!s->worst.order || all * (s->ideal ? s->ideal : 1) > s->work * (inside ? inside : 1))
        s->worst = now, s->work = all, s->ideal = inside;
    struct trace_block *t = block_of(l->warp->block);
    c->traced = t ? (uint32_t)t->count : 0;
    add(t, e);
}

static void arrived(const struct async_copy *c, bool read_only)
{
    struct trace_block *t = block_of(c->issuer->warp->block);
    add(t, (struct trace_event){.kind = TRACE_ARRIVED,
                                .warp = (uint16_t)c->issuer->warp->number,
                                .pc = c->pc,
                                .value = {(int)c->traced, read_only}});
}

static void trace_source_read(const struct async_copy *c) { arrived(c, true); }

static void trace_completion(const struct async_copy *c)
{
    if (c->kind != CP_ASYNC)
        arrived(c, false);
}

/* ---- waits and barriers ---- */

static void trace_commit(struct lane *l)
{
    add_lane(block_of(l->warp->block), l, (struct trace_event){.kind = TRACE_COMMIT, .pc = l->pc});
}

static void trace_wait(struct lane *l, int pending)
{
    add_lane(block_of(l->warp->block), l,
             (struct trace_event){.kind = TRACE_WAIT, .pc = l->pc, .value = {pending}});
}

static void barrier(const struct block *b, uintptr_t pc, enum trace_barrier what)
{
    add(block_of(b), (struct trace_event){.kind = TRACE_BARRIER, .pc = pc, .value = {what}});
}

static void trace_barrier(struct block *b, uintptr_t pc) { barrier(b, pc, TRACE_BLOCK_BARRIER); }

static void trace_blocks_barrier(struct block **group, int n, bool grid)
{
    for (int i = 0; i < n; i++)
        barrier(group[i], group[i]->warp->lane->pc,
                grid ? TRACE_GRID_BARRIER : TRACE_CLUSTER_BARRIER);
}

static void trace_warp(struct warp *w, uint32_t group, const struct lane *first)
{
    add(block_of(w->block), (struct trace_event){.kind = TRACE_WARP,
                                                 .warp = (uint16_t)w->number,
                                                 .lanes = group,
                                                 .pc = first->pc,
                                                 .value = {first->mode}});
}

static void trace_mbarrier(struct lane *l, struct mbarrier *m, enum mbarrier_event event)
{
    const struct block *b = m->owner ? m->owner->warp->block : NULL;
    bool named =
        m->address - CPUCC_NAMED_BARRIERS < CPUCC_NAMED_BARRIERS_END - CPUCC_NAMED_BARRIERS;
    struct trace_event e = {
        .kind = TRACE_MBARRIER,
        .pc = l ? l->pc : 0,
        .at = named || !b ? m->address : place_of(b, m->address),
        .value = {event, (int)m->phase, m->pending, (int)m->bytes, m->expected}};
    if (event > MB_PHASE || (named && event == MB_PASS) || !b || !block_of(b))
        return;
    if (l && l->warp->block == b)
        add_lane(block_of(b), l, e);
    else
        add(block_of(b), e); /* by a copy, or by another block */
}

static void trace_fault(const struct lane *l, uintptr_t pc, int number)
{
    struct trace_block *t = block_of(l->warp->block);
    if (!t)
        return;
    for (int i = 0; i < t->count; i++)
        if (t->events[i].kind == TRACE_FAULT && t->events[i].value[0] == number)
            return;
    t->faulty = true;
    add(t, (struct trace_event){
               .kind = TRACE_FAULT,
               .warp = (uint16_t)l->warp->number,
               .lanes = 1u << l->index,
               .pc = pc,
               .at = place_of(l->warp->block, l->race_address ? l->race_address : l->address),
               .value = {number}});
}

static const struct cpucc_checker trace = {.name = "trace",
                                           .launch_starts = trace_launch,
                                           .block_starts = trace_block_start,
                                           .block_ends = trace_block_end,
                                           .block_barrier = trace_barrier,
                                           .blocks_barrier = trace_blocks_barrier,
                                           .warp_call = trace_warp,
                                           .mbarrier = trace_mbarrier,
                                           .copy_source_read = trace_source_read,
                                           .copy_completes = trace_completion,
                                           .copies_committed = trace_commit,
                                           .copies_awaited = trace_wait,
                                           .counted = trace_request,
                                           .copy_counted = trace_copy,
                                           .tma_counted = trace_tma,
                                           .atomic = trace_atomic,
                                           .fault = trace_fault};

void cpucc_trace_start(void)
{
    const char *kind = getenv("CPUCC_REPORT");
    if (!kind || strcmp(kind, "html"))
        return;
    cpucc_add_checker(&trace);
    cpucc_add_checker(&cpucc_trials);
}
