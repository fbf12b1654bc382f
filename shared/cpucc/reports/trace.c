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
    PATTERNS = 1 << 15,   /* the last quarter is for samples, when the run is over */
    BOXES = 256,          /* different boxes kept */
    PIECES = 4096         /* kept per box */
};

bool cpucc_tracing;

static struct trace_kernel *kernels;
static int kernel_count;
static struct trace_block *live[MAX_LIVE_BLOCKS]; /* by slot; NULL: not recorded */
static int events_alive, blocks_alive;
static uint64_t order; /* requests so far: samples keep their order */

static struct trace_pattern *patterns;
static int *pattern_table, pattern_count; /* a hash table of numbers + 1 */
static struct trace_box boxes[BOXES];
static int box_count;

static struct {
    const char *names;
    int count;
    struct trace_parameter parameter[16];
} arguments; /* of the next launch */

static uint64_t hash(const void *p, size_t n)
{
    uint64_t h = 14695981039346656037u;
    for (const unsigned char *c = p; n--; c++)
        h = (h ^ *c) * 1099511628211u;
    return h ^ h >> 29;
}

void cpucc_trace_start(void)
{
    const char *kind = getenv("CPUCC_REPORT");
    cpucc_tracing = kind && !strcmp(kind, "html");
    if (!cpucc_tracing)
        return;
    patterns = cpucc_must(malloc(sizeof *patterns * PATTERNS));
    pattern_table = cpucc_must(calloc(2 * PATTERNS, sizeof *pattern_table));
}

const struct trace_pattern *cpucc_trace_pattern(int i) { return i < 0 ? NULL : &patterns[i]; }
const struct trace_box *cpucc_trace_box(int i) { return i < 0 ? NULL : &boxes[i]; }

struct trace_kernel *cpucc_traced(const struct kernel_record *record)
{
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].record == record)
            return &kernels[i];
    return NULL;
}

void cpucc_trace_arguments(const struct device_part *kernel, void **values)
{
    arguments.names = kernel->source;
    arguments.count = 0;
    for (const uint64_t *bytes = kernel->parameters; bytes && *bytes && arguments.count < 16;
         bytes++) {
        struct trace_parameter *p = &arguments.parameter[arguments.count];
        *p = (struct trace_parameter){.bytes = *bytes <= 8 ? (uint32_t)*bytes : 0};
        if (p->bytes)
            memcpy(&p->value, values[arguments.count], *bytes);
        arguments.count++;
    }
}

void cpucc_trace_launch(const struct launch *L)
{
    if (!L->record || cpucc_traced(L->record))
        return;
    kernels = cpucc_must(realloc(kernels, sizeof *kernels * (size_t)(kernel_count + 1)));
    struct trace_kernel *k = &kernels[kernel_count++];
    *k = (struct trace_kernel){.record = L->record,
                               .cluster = L->config.cluster,
                               .parameters = arguments.names,
                               .parameter_count = arguments.count};
    memcpy(k->parameter, arguments.parameter, sizeof k->parameter);
}

void cpucc_trace_block_start(const struct block *b)
{
    const struct launch *L = cpucc_the_launch;
    struct trace_kernel *k = L->record ? cpucc_traced(L->record) : NULL;
    live[b->slot] = NULL;
    if (!k || ((b->number || k->block) && (k->faulty || events_alive > EVENTS_ALL)))
        return;
    struct trace_block *t = live[b->slot] = cpucc_must(calloc(1, sizeof *t));
    t->number = b->number, t->index = b->index, t->launch = L->record->launch_count;
    t->patterns = pattern_count;
    blocks_alive++;
}

/* Drops all patterns but the first `keep`. The caller passes those known before its block began. */
static void forget_patterns(int keep)
{
    unsigned mask = 2 * PATTERNS - 1;
    for (; pattern_count > keep; pattern_count--) {
        unsigned h = (unsigned)hash(&patterns[pattern_count - 1], sizeof *patterns) & mask;
        while (pattern_table[h] != pattern_count)
            h = (h + 1) & mask;
        pattern_table[h] = 0;
    }
}

static void forget(struct trace_block *t)
{
    if (!blocks_alive)
        forget_patterns(t->patterns);
    events_alive -= t->capacity;
    free(t->events);
    free(t);
}

void cpucc_trace_block_end(const struct block *b)
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
    for (const shared_site *s = L->sites; s; s = s->next) {
        t->variables = cpucc_must(
            realloc(t->variables, sizeof *t->variables * (size_t)(t->variable_count + 1)));
        t->variables[t->variable_count++] = (struct trace_variable){
            s->name, s->type, (uint32_t)s->offset - SHARED_START, (uint32_t)s->bytes};
    }
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

/* Adds an event and returns it; NULL if the block is not recorded or has too many events. */
static struct trace_event *add(struct trace_block *t, struct trace_event e)
{
    if (!t)
        return NULL;
    if (t->count >= (t->number ? EVENTS_OTHER : EVENTS)) {
        t->left_out++;
        return NULL;
    }
    if (t->count == t->capacity) {
        int capacity = t->capacity ? 2 * t->capacity : 64;
        events_alive += capacity - t->capacity;
        t->capacity = capacity;
        t->events = cpucc_must(realloc(t->events, sizeof *t->events * (size_t)capacity));
    }
    t->events[t->count] = e;
    return &t->events[t->count++];
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
        bool counts = e.kind == TRACE_MBARRIER && e.value[0] == TRACE_MB_ARRIVE;
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

/* Returns the pattern's number, added if it is new; -1 if `capacity` patterns are known. */
static int number_of(const struct trace_pattern *p, int capacity)
{
    unsigned mask = 2 * PATTERNS - 1, h = (unsigned)hash(p, sizeof *p) & mask;
    for (; pattern_table[h]; h = (h + 1) & mask)
        if (!memcmp(&patterns[pattern_table[h] - 1], p, sizeof *p))
            return pattern_table[h] - 1;
    if (pattern_count >= capacity)
        return -1;
    patterns[pattern_count] = *p;
    pattern_table[h] = ++pattern_count;
    return pattern_count - 1;
}

int cpucc_trace_number(const struct trace_pattern *p) { return number_of(p, PATTERNS); }

/* Returns the number of an event's pattern; samples have their own numbers. */
static int pattern_number(const struct trace_block *t, const struct trace_pattern *p)
{
    return t ? number_of(p, PATTERNS / 4 * 3) : -1;
}

/* Sets the offsets of one side of a pattern. Returns the base address that they count from. */
static uintptr_t set_offsets(struct trace_pattern *p, int side, const uint64_t *address,
                             uint32_t lanes)
{
    uint64_t lowest = ~(uint64_t)0;
    for (uint32_t m = lanes; m; m &= m - 1)
        lowest = address[__builtin_ctz(m)] < lowest ? address[__builtin_ctz(m)] : lowest;
    lowest &= ~(uint64_t)127;
    for (uint32_t m = lanes; m; m &= m - 1)
        p->offset[side][__builtin_ctz(m)] = (int64_t)(address[__builtin_ctz(m)] - lowest);
    return lanes ? (uintptr_t)lowest : 0;
}

/* ---- requests ---- */

/* Returns the kernel's record for this pc and counter, added if it is new. */
static struct trace_site *site(struct trace_kernel *k, uintptr_t pc, int counter)
{
    if (k->site_count * 2 >= k->site_capacity) {
        struct trace_site *old = k->sites;
        int old_capacity = k->site_capacity;
        k->site_capacity = old_capacity ? 2 * old_capacity : 64;
        k->sites = cpucc_must(calloc((size_t)k->site_capacity, sizeof *k->sites));
        k->site_count = 0;
        for (int i = 0; i < old_capacity; i++)
            if (old[i].pc)
                *site(k, old[i].pc, old[i].counter) = old[i];
        free(old);
    }
    unsigned mask = (unsigned)k->site_capacity - 1;
    unsigned h = (unsigned)((pc * 8 + (unsigned)counter) * 2654435761u >> 8) & mask;
    while (k->sites[h].pc && (k->sites[h].pc != pc || k->sites[h].counter != counter))
        h = (h + 1) & mask;
    if (!k->sites[h].pc) {
        k->site_count++;
        k->sites[h] = (struct trace_site){.pc = pc, .counter = counter};
    }
    return &k->sites[h];
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

void cpucc_trace_request(const struct warp *w, uintptr_t pc, int counter,
                         const struct traffic_request *r, struct traffic_cost cost)
{
    struct trace_pattern p;
    memset(&p, 0, sizeof p); /* clears padding: patterns are compared as bytes */
    p.counter = (int8_t)counter, p.bytes = r->bytes, p.lanes = r->lanes;
    p.work[0] = cost.work, p.ideal[0] = cost.ideal;
    uintptr_t base = set_offsets(&p, 0, r->address, r->lanes);
    struct trace_event e = {.kind = TRACE_REQUEST,
                            .warp = (uint16_t)w->number,
                            .lanes = r->lanes,
                            .pc = pc,
                            .pattern = pattern_number(block_of(w->block), &p),
                            .at = place_of(w->block, base)};
    sample(w, pc, counter, &p, 0, &e);
    add(block_of(w->block), e);
}

void cpucc_trace_copy(const struct warp *w, uintptr_t pc, const struct traffic_copy *c,
                      struct traffic_copy_cost cost)
{
    struct trace_pattern p;
    memset(&p, 0, sizeof p);
    p.counter = CPUCC_ASYNC_COPY_GLOBAL, p.bytes = c->bytes, p.lanes = c->lanes;
    p.zeros = c->zeros, p.through_l1 = c->through_l1;
    p.work[0] = cost.global.work, p.ideal[0] = cost.global.ideal;
    p.work[1] = cost.shared.work, p.ideal[1] = cost.shared.ideal;
    uintptr_t from = set_offsets(&p, 0, c->from, c->zeros ? 0 : c->lanes);
    uintptr_t to = set_offsets(&p, 1, c->to, c->lanes);
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

void cpucc_trace_atomic(const struct warp *w, uint32_t group)
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
    uintptr_t base = set_offsets(&p, 0, address, group);
    add(t, (struct trace_event){.kind = TRACE_ATOMIC,
                                .warp = (uint16_t)w->number,
                                .lanes = group,
                                .pc = first->pc,
                                .pattern = pattern_number(block_of(w->block), &p),
                                .at = place_of(w->block, base)});
}

/* ---- bulk and tensor copies ---- */

/* Returns the number of the copy's box, added if it is new; -1 if BOXES are known. */
static int box_number(const struct async_copy *c, const struct tensor_map *map)
{
    static struct trace_piece pieces[PIECES];
    struct trace_box box = {.count = c->count < PIECES ? c->count : PIECES, .pieces = pieces};
    if (map) {
        box.rank = map->rank, box.element_bytes = map->element_bytes, box.swizzle = map->swizzle;
        memcpy(box.box, map->box, sizeof box.box);
        memcpy(box.dim, map->dim, sizeof box.dim);
    }
    uintptr_t start = ~(uintptr_t)0;
    for (int i = 0; i < c->count; i++) {
        start = c->pieces[i].shared < start ? c->pieces[i].shared : start;
        box.bytes += c->pieces[i].bytes;
        box.inside += c->pieces[i].global ? c->pieces[i].bytes : 0;
    }
    memset(pieces, 0, sizeof *pieces * (size_t)box.count);
    for (int i = 0; i < box.count; i++) {
        pieces[i].shared = (int32_t)(c->pieces[i].shared - start);
        pieces[i].bytes = (uint16_t)c->pieces[i].bytes;
        pieces[i].inside = c->pieces[i].global != 0;
    }
    for (int i = 0; i < box_count; i++)
        if (boxes[i].bytes == box.bytes && boxes[i].inside == box.inside &&
            boxes[i].count == box.count && boxes[i].rank == box.rank &&
            boxes[i].element_bytes == box.element_bytes && boxes[i].swizzle == box.swizzle &&
            !memcmp(boxes[i].box, box.box, sizeof box.box) &&
            !memcmp(boxes[i].dim, box.dim, sizeof box.dim) &&
            !memcmp(boxes[i].pieces, pieces, sizeof *pieces * (size_t)box.count))
            return i;
    if (box_count == BOXES)
        return -1;
    box.pieces = cpucc_must(malloc(sizeof *pieces * (size_t)(box.count + 1)));
    memcpy(box.pieces, pieces, sizeof *pieces * (size_t)box.count);
    boxes[box_count] = box;
    return box_count++;
}

void cpucc_trace_tma(const struct lane *l, int counter, struct async_copy *c,
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
                            .pattern = box_number(c, map),
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

void cpucc_trace_arrived(const struct async_copy *c, bool read_only)
{
    struct trace_block *t = block_of(c->issuer->warp->block);
    add(t, (struct trace_event){.kind = TRACE_ARRIVED,
                                .warp = (uint16_t)c->issuer->warp->number,
                                .pc = c->pc,
                                .value = {(int)c->traced, read_only}});
}

/* ---- waits and barriers ---- */

void cpucc_trace_cp_async(const struct lane *l, enum trace_kind kind, int pending)
{
    add_lane(block_of(l->warp->block), l,
             (struct trace_event){.kind = kind, .pc = l->pc, .value = {pending}});
}

void cpucc_trace_barrier(const struct block *b, uintptr_t pc, enum trace_barrier what)
{
    add(block_of(b), (struct trace_event){.kind = TRACE_BARRIER, .pc = pc, .value = {what}});
}

void cpucc_trace_warp(const struct warp *w, uint32_t group, const struct lane *first)
{
    add(block_of(w->block), (struct trace_event){.kind = TRACE_WARP,
                                                 .warp = (uint16_t)w->number,
                                                 .lanes = group,
                                                 .pc = first->pc,
                                                 .value = {first->mode}});
}

void cpucc_trace_mbarrier(const struct lane *l, const struct mbarrier *m, enum trace_mbarrier what)
{
    const struct block *b = m->owner ? m->owner->warp->block : NULL;
    bool named =
        m->address - CPUCC_NAMED_BARRIERS < CPUCC_NAMED_BARRIERS_END - CPUCC_NAMED_BARRIERS;
    struct trace_event e = {.kind = TRACE_MBARRIER,
                            .pc = l ? l->pc : 0,
                            .at = named || !b ? m->address : place_of(b, m->address),
                            .value = {what, (int)m->phase, m->pending, (int)m->bytes, m->expected}};
    if (!b || !block_of(b))
        return;
    if (l && l->warp->block == b)
        add_lane(block_of(b), l, e);
    else
        add(block_of(b), e); /* by a copy, or by another block */
}

void cpucc_trace_fault(const struct lane *l, uintptr_t pc, int number)
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
