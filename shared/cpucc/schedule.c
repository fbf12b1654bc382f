/*
 * Runs blocks: one fiber per CUDA thread, warps in lockstep, the barriers of a block.
 *
 * A lane runs until it reaches a memory access, which it has not made yet (access.c calls
 * cpucc_await_turn), or must wait for others. When all lanes of its warp have stopped, the lanes at the
 * lowest pending program counter go first. They form one warp-level request, exactly as the hardware
 * groups them, under divergence too. Lanes in different iterations of a loop stay apart, and the
 * lane in the earlier iteration goes first.
 *
 * A warp runs until it must wait or has used its budget of requests; then the next warp of the block
 * runs. launch.c decides which blocks run.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "fiber.h"
#include "internal.h"
#include "trace.h"

enum {
    TURN = 4096,          /* requests before another warp may run */
    UNCHANGED_TURN = 256, /* the same for requests that repeat addresses */
    REVISITS_BLOCK = 200000,
    STACK_SHIFT = 576, /* bytes by which the stacks of neighbouring lanes begin apart */
    UNCHANGED_BLOCK =
        20000 /* requests without a new address after which other blocks are started */
};

struct lane *cpucc_current;
struct launch *cpucc_the_launch;
char *cpucc_slots, *cpucc_slots_end;
size_t cpucc_stack_bytes = (512 << 10) + STACK_GUARD + STACK_RESERVE;

static void *main_context;
struct block *cpucc_live_blocks[MAX_LIVE_BLOCKS];
int cpucc_live_end;
uint32_t cpucc_next_serial = 1;
uint64_t cpucc_state_changes, cpucc_revisits;

/* ---- switching ---- */

static void lane_main(void);

/* Returns the context of a lane that has not run yet. */
static void *fresh_context(const struct lane *l)
{
    /* Staggered: stacks that began at one page offset would compete for a few cache lines. */
    size_t bytes = cpucc_stack_bytes - (size_t)l->index * STACK_SHIFT;
    return cpucc_fiber(l->stack + bytes, bytes, lane_main);
}

static inline void switch_to(struct lane *from, struct lane *to)
{
    cpucc_current = to;
    void *context = !to ? main_context : to->context ? to->context : fresh_context(to);
    cpucc_switch(from ? &from->context : &main_context, context);
}

/* Returns which of two lanes is behind, as strcmp does. Compares the calls and loop iterations that
 * lead to their places from the outermost on; at the first difference the smaller iteration or the
 * lower program counter is behind. */
static int compare_paths(const struct lane *a, uintptr_t pc_a, const struct lane *b, uintptr_t pc_b)
{
    int la = 0, lb = 0;
    for (int d = 0;; d++) {
        bool ends_a = d >= a->depth || d >= MAX_PATH_DEPTH,
             ends_b = d >= b->depth || d >= MAX_PATH_DEPTH;
        int end_a = ends_a ? a->loops : a->path[d].loops,
            end_b = ends_b ? b->loops : b->path[d].loops;
        for (; la < end_a && lb < end_b && a->loop[la].loop == b->loop[lb].loop; la++, lb++)
            if (a->loop[la].count != b->loop[lb].count)
                return a->loop[la].count < b->loop[lb].count ? -1 : 1;
        uintptr_t pa = ends_a ? pc_a : a->path[d].pc, pb = ends_b ? pc_b : b->path[d].pc;
        if (pa != pb)
            return pa < pb ? -1 : 1;
        if (ends_a || ends_b || la != end_a || lb != end_b)
            return a->depth - b->depth;
    }
}

/* Returns the lanes that go next: all at the place of the lane that is furthest behind. A warp that
 * polls without result sometimes takes the lane that is furthest ahead, which may hold what the
 * others wait for. */
static uint32_t choose(struct warp *w, struct group_access *at)
{
    if (all_in_row(w, at))
        return w->stopped;
    uintptr_t pc[WARP];
    for (uint32_t m = w->stopped; m; m &= m - 1)
        pc[__builtin_ctz(m)] = place_of_lane(w, __builtin_ctz(m));
    int best = __builtin_ctz(w->stopped);
    bool same = true;
    for (uint32_t m = w->stopped & (w->stopped - 1); m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (pc[i] == pc[best] && w->lane[i].path_hash == w->lane[best].path_hash)
            continue;
        same = false;
        int order = compare_paths(&w->lane[i], pc[i], &w->lane[best], pc[best]);
        if (w->unchanged > UNCHANGED_TURN && w->unchanged % 16 == 0 ? order > 0 : order < 0)
            best = i;
    }
    access_of_lane(w, best, at);
    if (same)
        return w->stopped;
    uint32_t group = 0;
    for (uint32_t m = w->stopped; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (pc[i] == pc[best] && w->lane[i].path_hash == w->lane[best].path_hash)
            group |= 1u << i;
    }
    return group;
}

/* Whether the instruction meets an address outside the range that it has met since anybody last
 * wrote. A poll of several flags in turn stays within a range. So does a loop over a small table,
 * which is why it takes many requests until that counts as waiting. */
static bool meets_new_address(struct warp *w, const struct group_access *at, uintptr_t a)
{
    static uint64_t writes;
    writes += at->operation == WRITE;
    uint32_t i = (uint32_t)(at->pc * 2654435761u) >> 26;
    uint64_t since = writes + ((uint64_t)w->block->serial
                               << 32); /* writes of another block's time do not count */
    if (w->range[i].pc != at->pc || w->range[i].writes != since) {
        w->range[i].pc = at->pc, w->range[i].writes = since;
        w->range[i].low = w->range[i].high = a;
        return true;
    }
    bool further = a < w->range[i].low || a > w->range[i].high;
    w->range[i].low = a < w->range[i].low ? a : w->range[i].low;
    w->range[i].high = a > w->range[i].high ? a : w->range[i].high;
    return further;
}

/* Counts requests that repeat an address at their instruction, and those within the range met
 * before. All others count as a change of state. */
static void note_progress(struct warp *w, const struct group_access *at, uintptr_t address)
{
    uintptr_t *recent = &w->recent_address[(uint32_t)(at->pc * 2654435761u) >> 24];
    uintptr_t now = address ^ at->pc << 20 ^ (uintptr_t)w->block->serial << 40;
    bool further = meets_new_address(w, at, address);
    if (*recent == now) {
        w->unchanged++;
    } else {
        w->unchanged = 0;
        if (further) {
            w->revisits = 0;
            cpucc_state_changes++;
        } else {
            w->revisits++;
            cpucc_revisits++;
        }
    }
    *recent = now;
    w->budget -= w->unchanged ? TURN / UNCHANGED_TURN : 1;
}

/* Makes the requests of stopped lanes until some lane can go on; false if none can. */
static __attribute__((noinline)) bool make_requests(struct warp *w)
{
    w->same_path = false;
    while (!w->ready) {
        if (!w->stopped || w->budget <= 0)
            return false;
        struct group_access at;
        uint32_t group = choose(w, &at);
        int first = __builtin_ctz(group);
        note_progress(w, &at, address_of_lane(w, first));
        cpucc_requests++;
        struct lane *last = cpucc_current; /* describe.c takes the element size in faults from it */
        uint32_t bytes = last ? last->bytes : 0;
        if (last)
            last->bytes = at.bytes;
        cpucc_check_and_count(w, group, &at);
        if (last)
            last->bytes = bytes;
        if (cpucc_the_launch->aborted)
            return false;
        uint32_t on = advance_group(w, group);
        w->stopped &= ~on;
        w->ready = on;
    }
    return true;
}

/* Returns the lane that runs next, or NULL to return to the scheduler. */
static inline struct lane *pick(struct warp *w)
{
    if (!w->ready && !make_requests(w))
        return NULL;
    struct lane *l = &w->lane[__builtin_ctz(w->ready)];
    w->ready &= w->ready - 1;
    return l;
}

void cpucc_await_turn(struct lane *l)
{
    struct warp *w = l->warp;
    w->stopped |= 1u << l->index;
    struct lane *next = pick(w);
    if (next != l)
        switch_to(l, next);
    else
        cpucc_current = l;
}

void cpucc_flush_deferred(void)
{
    struct lane *l = cpucc_current;
    if (!l || !(l->warp->deferred >> l->index & 1))
        return;
    l->warp->flushing |= 1u << l->index;
    cpucc_await_turn(l);
}

bool cpucc_flush_at_barrier(struct lane *l, uintptr_t pc)
{
    struct warp *w = l->warp;
    uint32_t me = 1u << l->index;
    if (!(w->deferred & me))
        return false;
    l->next_barrier = pc;
    w->flushing |= me, w->flush_to_barrier |= me, w->stopped |= me;
    switch_to(l, pick(w));
    return true;
}

void cpucc_wait(struct lane *l, enum waiting what)
{
    struct warp *w = l->warp;
    l->waiting = what;
    w->waiting |= 1u << l->index;
    switch_to(l, pick(w));
}

void cpucc_wake(struct lane *l)
{
    l->waiting = NOT_WAITING;
    if (!l->warp->deferred)
        l->warp->loaded_regions = l->warp->stored_regions = 0;
    l->warp->waiting &= ~(1u << l->index);
    l->warp->ready |= 1u << l->index;
}

void cpucc_abort(cudaError_t error)
{
    cpucc_the_launch->aborted = true;
    cpucc_the_launch->error = error;
    if (cpucc_current)
        switch_to(cpucc_current, NULL);
}

static void end_lane(struct lane *l)
{
    if (l->warp->race_pending >> l->index & 1)
        cpucc_finish_race(l);
    cpucc_async_thread_end(l);
    l->done = true;
    cpucc_progress++;
    l->warp->done |= 1u << l->index;
    l->warp->block->done++;
    cpucc_order_exit(l);
}

static void lane_main(void)
{
    for (;;) {
        cpucc_the_launch->body(cpucc_the_launch->arguments);
        struct lane *l = cpucc_current;
        struct warp *w = l->warp;
        uint32_t me = 1u << l->index;
        if (w->deferred & me) {
            w->flushing |= me, w->flush_to_end |= me, w->stopped |= me;
            switch_to(l, pick(w)); /* does not return */
        }
        end_lane(l);
        struct lane *next = pick(w);
        if (!next || next->context) {
            switch_to(l, next);
            continue; /* not reached: this lane is done */
        }
        /* A lane that has not run yet takes over this stack. */
        char *stack = l->stack;
        l->stack = next->stack;
        next->stack = stack;
        l->context = NULL;
        cpucc_current = next;
    }
}

/* ---- blocks ---- */

struct block *cpucc_block_of(uintptr_t address)
{
    return cpucc_live_blocks[(address - (uintptr_t)cpucc_slots) / SLOT_BYTES];
}

struct block *cpucc_live_block(uint32_t number)
{
    for (int s = 0; s < cpucc_live_end; s++)
        if (cpucc_live_blocks[s] && cpucc_live_blocks[s]->number == number)
            return cpucc_live_blocks[s];
    return NULL;
}

/* What a slot keeps from one block to the next. */
static struct slot {
    struct block *block;
    int warp_capacity, stack_threads;
    char *stacks;
} slots[MAX_LIVE_BLOCKS];

static void *must(void *p)
{
    if (!p || p == MAP_FAILED) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(3);
    }
    return p;
}

static struct block *prepare_slot(int slot, int threads)
{
    struct slot *s = &slots[slot];
    int warps = (threads + WARP - 1) / WARP;
    if (!s->block)
        s->block = must(calloc(1, sizeof *s->block));
    if (s->warp_capacity < warps) {
        free(s->block->warp);
        s->block->warp = must(aligned_alloc(64, (size_t)warps * sizeof(struct warp)));
        memset(s->block->warp, 0, (size_t)warps * sizeof(struct warp));
        s->warp_capacity = warps;
    }
    if (s->stack_threads < threads) {
        size_t bytes = cpucc_stack_bytes;
        if (s->stacks)
            munmap(s->stacks, bytes * (size_t)s->stack_threads);
        s->stacks = must(mmap(NULL, bytes * (size_t)threads, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        s->stack_threads = threads;
        madvise(s->stacks, bytes * (size_t)threads, MADV_NOHUGEPAGE);
        /* The system limits the number of mappings per process, so only the first slots' stacks
         * have a guard page. Function entries check the stack themselves (access.c). */
        for (int i = 0; i < threads && slot < 8; i++)
            mprotect(s->stacks + bytes * (size_t)i, STACK_GUARD, PROT_NONE);
    }
    return s->block;
}

bool cpucc_on_stack_guard(const struct lane *l, uintptr_t address)
{
    return address - (uintptr_t)l->stack < STACK_GUARD;
}

/* Returns the index of a block. Blocks are numbered cluster after cluster; without clusters x
 * varies fastest, then y, then z. */
static index3 block_index(const struct launch *L, uint32_t number)
{
    index3 g = L->config.grid, c = L->config.cluster;
    uint32_t rank = number % L->cluster_size, cluster = number / L->cluster_size;
    uint32_t cx = g.x / c.x, cy = g.y / c.y;
    return (index3){cluster % cx * c.x + rank % c.x, cluster / cx % cy * c.y + rank / c.x % c.y,
                    cluster / cx / cy * c.z + rank / c.x / c.y};
}

void cpucc_start_block(struct launch *L, uint32_t number)
{
    int slot = 0;
    while (cpucc_live_blocks[slot])
        slot++;
    if (slot >= cpucc_live_end)
        cpucc_live_end = slot + 1;
    struct block *b = prepare_slot(slot, (int)L->threads);
    *b = (struct block){.serial = L->first_serial + number,
                        .number = number,
                        .slot = slot,
                        .warps = (int)(L->threads + WARP - 1) / WARP,
                        .threads = L->threads,
                        .barrier_clock = 1,
                        .warp = b->warp,
                        .index = block_index(L, number)};
    index3 d = L->config.block;
    for (uint32_t t = 0; t < L->threads; t++) {
        struct warp *w = &b->warp[t / WARP];
        struct lane *l = &w->lane[t % WARP];
        if (t % WARP == 0) {
            w->block = b, w->number = (int)(t / WARP);
            w->lanes = (int)(L->threads - t < WARP ? L->threads - t : WARP);
            w->ready = w->lanes == WARP ? ~0u : (1u << w->lanes) - 1;
            w->stopped = w->waiting = w->done = w->barrier_clock = 0;
            w->unchanged = 0;
            w->revisits = 0;
            start_deferring(w);
        }
        memset(l, 0, offsetof(struct lane, loop)); /* loop and path need no clearing */
        memset(&l->proxy_fences, 0,
               offsetof(struct lane, path) - offsetof(struct lane, proxy_fences));
        l->clock = 1;
        l->warp = w, l->index = (int)(t % WARP), l->thread = t;
        l->tid = (index3){t % d.x, t / d.x % d.y, t / d.x / d.y};
        l->stack = slots[slot].stacks + cpucc_stack_bytes * t;
    }
    cpucc_live_blocks[slot] = b;
    cpucc_shared_clear(b);
    cpucc_async_block_start(b);
    if (cpucc_tracing)
        cpucc_trace_block_start(b);
}

void cpucc_end_block(struct block *b)
{
    cpucc_async_block_end(b);
    if (cpucc_tracing)
        cpucc_trace_block_end(b);
    cpucc_live_blocks[b->slot] = NULL;
    for (uint32_t t = 0; t < b->threads; t++)
        cpucc_free_order(&b->warp[t / WARP].lane[t % WARP]);
    vc_drop(b->exit_order);
}

static void describe_thread(const struct lane *l, char *to, size_t capacity)
{
    snprintf(to, capacity, "(%u,%u,%u)", l->tid.x, l->tid.y, l->tid.z);
}

static struct lane *some_lane(struct block *b, enum waiting what)
{
    for (int w = 0; w < b->warps; w++)
        for (uint32_t m = b->warp[w].waiting; m; m &= m - 1) {
            struct lane *l = &b->warp[w].lane[__builtin_ctz(m)];
            if (l->waiting == what)
                return l;
        }
    return NULL;
}

/* Whether the thread passed this barrier by before it returned: it has met it in an earlier
 * iteration, or its last access stands after it in the source. */
static bool went_by(const struct lane *l, uintptr_t barrier)
{
    if (l->passed_barrier == barrier)
        return true;
    char at[256], last[256];
    snprintf(at, sizeof at, "%s", cpucc_line(barrier));
    snprintf(last, sizeof last, "%s", l->pc ? cpucc_line(l->pc) : "");
    char *at_number = strrchr(at, ':'), *last_number = strrchr(last, ':');
    if (!at_number || !last_number)
        return false;
    *at_number++ = *last_number++ = 0;
    return !strcmp(at, last) && atoi(last_number) > atoi(at_number);
}

/* The remaining threads meet at a barrier that returned threads never reach. The hardware counts
 * returned threads as arrived. That is a remark for threads that returned early, and a fault for
 * threads that took another branch. */
static void meet_without_returned(struct block *b, struct lane *waiting)
{
    struct lane *gone = NULL, *other_way = NULL;
    for (int w = 0; w < b->warps && !other_way; w++)
        for (uint32_t m = b->warp[w].done; m && !other_way; m &= m - 1) {
            struct lane *l = &b->warp[w].lane[__builtin_ctz(m)];
            gone = gone ? gone : l;
            other_way = went_by(l, waiting->pc) ? l : NULL;
        }
    char who[48];
    describe_thread(other_way ? other_way : gone, who, sizeof who);
    if (other_way)
        cpucc_fault(waiting, waiting->pc, BARRIER_DIVERGENCE,
                    "%u threads wait at a barrier that %u threads never reach: thread %s went "
                    "another way",
                    b->at_barrier, b->done, who);
    else
        cpucc_fault(waiting, waiting->pc, EARLY_RETURN,
                    "%u threads meet without %u that have returned, such as thread %s; devices "
                    "before sm_70 would wait for them",
                    b->at_barrier, b->done, who);
}

/* All running threads of the block are at its barrier: releases them with the barrier's result. */
static void pass_barrier(struct block *b)
{
    struct lane *first = some_lane(b, WAIT_BLOCK);
    uint64_t count = 0, all = 1, any = 0;
    bool differ = false;
    for (int w = 0; w < b->warps; w++)
        for (uint32_t m = b->warp[w].waiting; m; m &= m - 1) {
            struct lane *l = &b->warp[w].lane[__builtin_ctz(m)];
            if (l->waiting != WAIT_BLOCK)
                continue;
            count += l->value != 0, all &= l->value != 0, any |= l->value != 0;
            if (l->pc != first->pc && !differ) {
                char who[48];
                differ = true;
                describe_thread(first, who, sizeof who);
                cpucc_fault(l, l->pc, BARRIER_DIVERGENCE,
                            "threads of one block wait at different barriers: thread %s at %s", who,
                            cpucc_line(first->pc));
            }
        }
    cpucc_progress++;
    if (cpucc_tracing)
        cpucc_trace_barrier(b, first->pc, TRACE_BLOCK_BARRIER);
    cpucc_order_block(b);
    for (int w = 0; w < b->warps; w++)
        for (uint32_t m = b->warp[w].waiting; m; m &= m - 1) {
            struct lane *l = &b->warp[w].lane[__builtin_ctz(m)];
            if (l->waiting != WAIT_BLOCK)
                continue;
            l->value = l->mode == 0 ? count : l->mode == 1 ? all : any;
            l->passed_barrier = l->pc;
            cpucc_wake(l);
        }
    b->at_barrier = 0;
}

/* Returns the lanes that have arrived at a warp-wide call, or 0 while some are missing. */
static uint32_t warp_call_complete(struct warp *w, const struct lane *first)
{
    uint32_t come = 0;
    for (uint32_t m = w->waiting & first->mask; m; m &= m - 1) {
        struct lane *l = &w->lane[__builtin_ctz(m)];
        if (l->waiting == WAIT_WARP && l->mask == first->mask)
            come |= 1u << l->index;
    }
    uint32_t members = w->lanes == WARP ? ~0u : (1u << w->lanes) - 1;
    return ((first->mask & members & ~w->done) & ~come) == 0 ? come : 0;
}

static bool pass_warp_calls(struct warp *w)
{
    bool passed = false;
    for (uint32_t m = w->waiting; m; m &= m - 1) {
        struct lane *l = &w->lane[__builtin_ctz(m)];
        uint32_t group = l->waiting == WAIT_WARP ? warp_call_complete(w, l) : 0;
        if (group) {
            cpucc_collective_done(w, group, l);
            passed = true;
        }
    }
    return passed;
}

/* Runs the warp until it must wait; true if any lane ran. */
static bool run_warp(struct warp *w)
{
    bool moved = false;
    w->budget = TURN >> cpucc_choose("a warp's turn, halved so often", 13);
    for (;;) {
        struct lane *l = pick(w);
        if (l) {
            moved = true;
            switch_to(NULL, l);
        }
        if (cpucc_the_launch->aborted)
            return true;
        if (w->waiting && pass_warp_calls(w)) {
            moved = true;
            continue;
        }
        if (!w->ready && !w->stopped)
            return moved;
        if (w->budget <= 0)
            return true;
    }
}

/* Wakes the sleeping lanes, and the lanes whose mbarrier's phase has completed. */
static void release_waiters(struct block *b)
{
    for (int w = 0; w < b->warps; w++)
        for (uint32_t m = b->warp[w].waiting; m; m &= m - 1) {
            struct lane *l = &b->warp[w].lane[__builtin_ctz(m)];
            if (l->waiting == WAIT_SLEEP ||
                (l->waiting == WAIT_MBARRIER && cpucc_mbarrier_ready(l)))
                cpucc_wake(l);
        }
}

enum outcome cpucc_run_block(struct launch *L, struct block *b)
{
    for (;;) {
        bool moved = false, running = false, unchanged = true;
        uint32_t warps = (uint32_t)b->warps, from = cpucc_choose("the warp that goes first", warps);
        for (uint32_t i = 0; i < warps && !L->aborted; i++) {
            struct warp *w = &b->warp[from + i < warps ? from + i : from + i - warps];
            if (w->ready | w->stopped | w->waiting)
                moved |= run_warp(w);
        }
        if (L->aborted || b->done == b->threads)
            return FINISHED;
        if (b->at_barrier && b->at_barrier == b->threads) {
            pass_barrier(b);
            continue;
        }
        release_waiters(b);
        for (int w = 0; w < b->warps; w++)
            if (b->warp[w].ready | b->warp[w].stopped) {
                running = true;
                unchanged &= b->warp[w].unchanged >= UNCHANGED_BLOCK ||
                             b->warp[w].revisits >= REVISITS_BLOCK;
            }
        if (cpucc_choose("a copy completes while others run", 2) && cpucc_async_completes(b))
            continue;
        if (running && cpucc_choose("another block goes on", 2))
            return PAUSED;
        if (running && !unchanged)
            continue;
        /* Nothing else can run: asynchronous copies complete as late as possible. */
        if (cpucc_async_progress(b))
            continue;
        if (running)
            return SPINNING;
        if (b->at_barrier && b->at_barrier + b->done == b->threads) {
            meet_without_returned(b, some_lane(b, WAIT_BLOCK));
            pass_barrier(b);
            continue;
        }
        if (!moved)
            return STUCK;
    }
}
