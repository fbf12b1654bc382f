/*
 * Runs blocks: one fiber per CUDA thread, warps in lockstep, the barriers of a block.
 *
 * A lane stops before each memory access (access.c calls cpucc_await_turn), and when it must wait
 * for other lanes. When all lanes of its warp have stopped, the lanes at the lowest program counter
 * go first. They form one warp-level request, as the hardware groups them, also if the warp has
 * diverged. Lanes in different iterations of a loop stay apart: the earlier iteration goes first.
 *
 * A warp runs until it must wait or has used its budget of requests; then the next warp of the
 * block runs. launch.c decides which blocks run.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "async.h"
#include "deferred_access.h"
#include "fiber.h"
#include "schedule.h"

enum {
    STACK_SHIFT = 576
}; /* bytes between the offsets at which neighbouring lanes' stacks begin */

static void *main_context;
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

/* Switches from a fiber to another one; NULL stands for the scheduler. */
static inline void switch_to(struct lane *from, struct lane *to)
{
    cpucc_current = to;
    const struct cpucc_site *at = cpucc_at;
    void *context = !to ? main_context : to->context ? to->context : fresh_context(to);
    cpucc_switch(from ? &from->context : &main_context, context);
    cpucc_at = at;
}

/* Compares how far two lanes have come: < 0 if lane a is behind lane b, 0 if neither, > 0 else.
 * Takes their calls and loop iterations from the outermost on. At the first difference the smaller
 * iteration or the lower program counter is behind. */
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

/* Returns the stopped lanes among which the next request is chosen: all, or with cpucc_lanes_apart those of a set
 * that is drawn anew when all its lanes wait, and after AHEAD requests. */
static uint32_t lanes_in_turn(struct warp *w)
{
    enum { AHEAD = 64 };
    if (!cpucc_lanes_apart)
        return w->stopped;
    if (!(w->stopped & w->ahead) || !w->ahead_requests--) {
        w->ahead = cpucc_draw_lanes();
        w->ahead_requests = AHEAD;
    }
    return w->stopped & w->ahead ? w->stopped & w->ahead : w->stopped;
}

/* Returns the lanes that go next, as a mask: all at the place of the lane that is furthest behind.
 * If the warp polls without result, sometimes takes the lane furthest ahead instead: the other
 * lanes may wait for it. Sets *at to their access. */
static uint32_t choose_group(struct warp *w, struct group_access *at)
{
    if (cpucc_all_in_one_row(w, at))
        return w->stopped;
    uintptr_t pc[WARP];
    const uint32_t lanes = lanes_in_turn(w);
    for (uint32_t m = lanes; m; m &= m - 1)
        pc[__builtin_ctz(m)] = access_of_lane(w, __builtin_ctz(m)).pc;
    int best = __builtin_ctz(lanes);
    bool same = true;
    for (uint32_t m = lanes & (lanes - 1); m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (pc[i] == pc[best] && w->lane[i].path_hash == w->lane[best].path_hash)
            continue;
        same = false;
        int order = compare_paths(&w->lane[i], pc[i], &w->lane[best], pc[best]);
        if (w->unchanged > UNCHANGED_TURN && w->unchanged % 16 == 0 ? order > 0 : order < 0)
            best = i;
    }
    *at = access_of_lane(w, best);
    if (same)
        return lanes;
    uint32_t group = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (pc[i] == pc[best] && w->lane[i].path_hash == w->lane[best].path_hash)
            group |= 1u << i;
    }
    return group;
}

/* Whether address a lies outside the range of the instruction's addresses since the last write by
 * any thread. Polling several flags in turn stays within a range. So does a loop over a small
 * table, so only many such requests count as waiting. */
static bool meets_new_address(struct warp *w, const struct group_access *at, uintptr_t a)
{
    static uint64_t writes;
    writes += at->operation == WRITE;
    uint32_t i = (uint32_t)(at->pc * 2654435761u) >> 26;
    uint64_t since =
        writes + ((uint64_t)w->block->serial << 32); /* an earlier block's range does not count */
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

/* False if each loop that the lane is in ends whatever memory holds. */
static bool may_wait(const struct lane *l)
{
    for (int k = 0; k < l->loops; k++)
        if (l->loop[k].loop > 0)
            return true;
    return !l->loops || l->loops == MAX_PATH_DEPTH || l->asm_pc; /* PTX has loops of its own */
}

/* Counts the request of the lane and others as a repeated address, a revisit of the range met before, or a change of
 * state. */
static void note_change(struct warp *w, const struct group_access *at, const struct lane *l)
{
    uintptr_t address = address_of_lane(w, l->index);
    uintptr_t *recent = &w->recent_address[(uint32_t)(at->pc * 2654435761u) >> 24];
    uintptr_t now = address ^ at->pc << 20 ^ (uintptr_t)w->block->serial << 40;
    bool further = meets_new_address(w, at, address);
    if (*recent == now || (cpucc_lanes_apart && !further)) { /* apart, other lanes go first */
        w->unchanged++;
        w->block->repeats++;
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
    if (!may_wait(l))
        cpucc_state_changes++;
    *recent = now;
    w->budget -= w->unchanged ? TURN / UNCHANGED_TURN * cpucc_haste(w->block) : 1;
}

/* True if other warps may run: the turn's budget is used up, and no lane has made accesses that are not checked
 * yet (one that defers more and more of them gets a second budget). */
static bool is_turn_over(const struct warp *w) { return w->budget <= (w->deferred ? -TURN : 0); }

/* Makes requests of the stopped lanes until a lane can go on; returns false if none can. */
static __attribute__((noinline)) bool make_requests(struct warp *w)
{
    w->same_path = false;
    while (!w->ready) {
        if (!w->stopped || is_turn_over(w))
            return false;
        struct group_access at;
        uint32_t group = choose_group(w, &at);
        note_change(w, &at, &w->lane[__builtin_ctz(group)]);
        cpucc_requests++;
        struct lane *last = cpucc_current; /* describe.c takes an element's size from it */
        uint32_t bytes = last ? last->bytes : 0;
        if (last)
            last->bytes = at.bytes;
        cpucc_check_and_count(w, group, &at);
        if (last)
            last->bytes = bytes;
        if (cpucc_the_launch->aborted)
            return false;
        uint32_t on = cpucc_advance_group(w, group, at.row);
        w->stopped &= ~on;
        w->ready = on;
    }
    return true;
}

/* Returns the lane that runs next, or NULL to return to the scheduler. */
static inline struct lane *next_lane(struct warp *w)
{
    if (!w->ready && !make_requests(w))
        return NULL;
    struct lane *l = &w->lane[__builtin_ctz(w->ready)];
    w->ready &= w->ready - 1;
    if (w->ready) { /* fetches the stack of the lane after it */
        const struct lane *after = &w->lane[__builtin_ctz(w->ready)];
        __builtin_prefetch(after->context);
        __builtin_prefetch((const char *)after->context + 64);
        __builtin_prefetch(after + 1);
    }
    return l;
}

bool cpucc_run_next_lane(struct warp *w)
{
    struct lane *l = next_lane(w);
    if (l)
        switch_to(NULL, l);
    return l != NULL;
}

void cpucc_await_turn(struct lane *l)
{
    struct warp *w = l->warp;
    w->stopped |= 1u << l->index;
    struct lane *next = next_lane(w);
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
    switch_to(l, next_lane(w));
    return true;
}

void cpucc_wait(struct lane *l, enum waiting what)
{
    struct warp *w = l->warp;
    l->waiting = what;
    w->waiting |= 1u << l->index;
    switch_to(l, next_lane(w));
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

void cpucc_end_lane(struct lane *l)
{
    cpucc_settle(l);
    if (l->first)
        cpucc_async_thread_end(l);
    l->done = true;
    cpucc_progress++;
    l->warp->done |= 1u << l->index;
    l->warp->block->done++;
    CPUCC_TELL(thread_ends, l);
}

/* Ends the running lane. Returns the lane that runs next, or NULL for the scheduler. */
static struct lane *end_running(void)
{
    struct lane *l = cpucc_current;
    struct warp *w = l->warp;
    uint32_t me = 1u << l->index;
    if (w->deferred & me)
        w->flushing |= me, w->flush_to_end |= me, w->stopped |= me;
    else
        cpucc_end_lane(l);
    return next_lane(w);
}

void cpucc_exit(void)
{
    struct lane *l = cpucc_current;
    switch_to(l, end_running());
}

/* The fibers' function: runs the kernel for a lane, then for the lanes that take over its stack. */
static void lane_main(void)
{
    for (;;) {
        cpucc_at = NULL;
        cpucc_the_launch->body(cpucc_the_launch->arguments);
        struct lane *l = cpucc_current, *next = end_running();
        if (!next || next->context) {
            switch_to(l, next);
            continue; /* not reached: this lane has returned */
        }
        /* The next lane has not run yet: it takes over this stack. */
        char *stack = l->stack;
        l->stack = next->stack;
        next->stack = stack;
        l->context = NULL;
        cpucc_current = next;
    }
}
