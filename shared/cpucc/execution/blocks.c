/*
 * Starts, runs and ends a block: its slot and stacks, the barriers of its threads, and which of its
 * warps runs.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "async.h"
#include "deferred_access.h"
#include "schedule.h"

struct block *cpucc_live_block(uint32_t number)
{
    for (int s = 0; s < cpucc_live_end; s++)
        if (cpucc_live_blocks[s] && cpucc_live_blocks[s]->number == number)
            return cpucc_live_blocks[s];
    return NULL;
}

/* The memory that a slot keeps from one block to the next. */
static struct slot {
    struct block *block;
    int warp_capacity, stack_threads;
    char *stacks;
} slots[MAX_LIVE_BLOCKS];

/* Returns the slot's struct block, with warps and stacks for so many threads. */
static struct block *prepare_slot(int slot, int threads)
{
    struct slot *s = &slots[slot];
    int warps = (threads + WARP - 1) / WARP;
    if (!s->block)
        s->block = cpucc_nonnull(calloc(1, sizeof *s->block));
    if (s->warp_capacity < warps) {
        if (s->warp_capacity)
            munmap(s->block->warp, (size_t)s->warp_capacity * sizeof(struct warp));
        s->block->warp = cpucc_reserve((size_t)warps * sizeof(struct warp), true);
        s->warp_capacity = warps;
    }
    if (s->stack_threads < threads) {
        size_t bytes = cpucc_stack_bytes;
        if (s->stacks)
            munmap(s->stacks, bytes * (size_t)s->stack_threads);
        s->stacks = cpucc_nonnull(mmap(NULL, bytes * (size_t)threads, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        s->stack_threads = threads;
        madvise(s->stacks, bytes * (size_t)threads, MADV_NOHUGEPAGE);
        /* The system limits the number of mappings per process, so only the stacks of the first 8
         * slots have guard pages. The others rely on the check at function entries (access.c). */
        for (int i = 0; i < threads && slot < 8; i++)
            mprotect(s->stacks + bytes * (size_t)i, STACK_GUARD, PROT_NONE);
    }
    return s->block;
}

bool cpucc_on_stack_guard(const struct lane *l, uintptr_t address)
{
    return address - (uintptr_t)l->stack < STACK_GUARD;
}

/* Returns blockIdx of a block. Blocks are numbered cluster by cluster. In a cluster, and without
 * clusters in the grid, x varies fastest, then y, then z. */
static index3 block_index(const struct launch *L, uint32_t number)
{
    index3 g = L->config.grid, c = L->config.cluster;
    uint32_t rank = number % L->cluster_size, cluster = number / L->cluster_size;
    uint32_t cx = g.x / c.x, cy = g.y / c.y;
    return (index3){cluster % cx * c.x + rank % c.x, cluster / cx % cy * c.y + rank / c.x % c.y,
                    cluster / cx / cy * c.z + rank / c.x / c.y};
}

/* Prepares warp k of a new block. */
static void start_warp(const struct launch *L, struct block *b, int k)
{
    struct warp *w = &b->warp[k];
    uint32_t first = (uint32_t)k * WARP, rest = L->threads - first;
    index3 d = L->config.block, tid = {first % d.x, first / d.x % d.y, first / d.x / d.y};
    char *stack = slots[b->slot].stacks + cpucc_stack_bytes * first;
    w->block = b, w->number = k;
    w->lanes = rest < WARP ? (int)rest : WARP;
    w->ready = w->lanes == WARP ? ~0u : (1u << w->lanes) - 1;
    w->stopped = w->waiting = w->done = w->barrier_clock = w->working = w->requests = w->ballot = 0;
    w->unchanged = 0;
    w->revisits = 0;
    cpucc_start_deferring(w);
    w->ahead = 0;
    for (int i = 0; i < w->lanes; i++, stack += cpucc_stack_bytes) {
        struct lane *l = &w->lane[i];
        memset(l, 0, offsetof(struct lane, loop)); /* loop and path need no clearing */
        l->clock = 1;
        l->warp = w, l->index = i, l->thread = first + (uint32_t)i;
        l->stack = stack;
        l->tid = tid;
        if (++tid.x == d.x) {
            tid.x = 0;
            if (++tid.y == d.y)
                tid.y = 0, tid.z++;
        }
    }
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
    for (int k = 0; k < b->warps; k++)
        start_warp(L, b, k);
    cpucc_live_blocks[slot] = b;
    cpucc_shared_clear(b);
    cpucc_async_block_start(b);
    CPUCC_TELL(block_starts, b);
}

void cpucc_end_block(struct block *b)
{
    cpucc_async_block_end(b);
    cpucc_note_shared_used(b);
    cpucc_note_end(b);
    CPUCC_TELL(block_ends, b);
    cpucc_live_blocks[b->slot] = NULL;
}

static void describe_thread(const struct lane *l, char *to, size_t capacity)
{
    snprintf(to, capacity, "(%u,%u,%u)", l->tid.x, l->tid.y, l->tid.z);
}

/* Returns the first lane that waits for `what`, or NULL. */
static struct lane *some_lane(struct block *b, enum waiting what)
{
    EACH_WAITING(l, b, what)
        return l;
    return NULL;
}

/* Whether the returned thread took a branch around this barrier: it passed the barrier in an
 * earlier iteration, or its last access is below the barrier in the source. */
static bool passed_by(const struct lane *l, uintptr_t barrier)
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

/* Reports that the remaining threads meet at a barrier that returned threads never reach. The
 * hardware counts returned threads as arrived. It is a remark if they returned early, and a fault
 * if one of them took a branch around the barrier. */
static void meet_without_returned(struct block *b, struct lane *waiting)
{
    struct lane *gone = NULL, *other_way = NULL;
    for (int w = 0; w < b->warps && !other_way; w++)
        for (uint32_t m = b->warp[w].done; m && !other_way; m &= m - 1) {
            struct lane *l = &b->warp[w].lane[__builtin_ctz(m)];
            gone = gone ? gone : l;
            other_way = passed_by(l, waiting->pc) ? l : NULL;
        }
    char who[48];
    describe_thread(other_way ? other_way : gone, who, sizeof who);
    if (other_way)
        cpucc_fault(waiting, waiting->pc, BARRIER_DIVERGENCE,
                    "%u threads wait at a barrier that %u threads never reach: thread %s took "
                    "another branch",
                    b->at_barrier, b->done, who);
    else
        cpucc_fault(waiting, waiting->pc, EARLY_RETURN,
                    "%u threads meet without %u that have returned, such as thread %s; devices "
                    "before sm_70 would wait for them",
                    b->at_barrier, b->done, who);
}

/* Releases the block's threads, which have all arrived at its barrier, with its result. */
static void pass_barrier(struct block *b)
{
    struct lane *first = some_lane(b, WAIT_BLOCK);
    uint64_t count = 0, all = 1, any = 0;
    bool differ = false;
    EACH_WAITING(l, b, WAIT_BLOCK) {
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
    CPUCC_TELL(block_barrier, b, first->pc);
    EACH_WAITING(l, b, WAIT_BLOCK) {
        l->value = l->mode == 0 ? count : l->mode == 1 ? all : any;
        l->passed_barrier = l->pc;
        cpucc_wake(l);
    }
    b->at_barrier = 0;
}

/* Returns the lanes that have arrived at the call of `first`, or 0 if some are missing. */
static uint32_t warp_call_complete(struct warp *w, const struct lane *first)
{
    uint32_t come = 0;
    EACH_LANE_IN(l, w, w->waiting & first->mask)
        if (l->waiting == WAIT_WARP && l->mask == first->mask)
            come |= 1u << l->index;
    uint32_t members = w->lanes == WARP ? ~0u : (1u << w->lanes) - 1;
    return ((first->mask & members & ~w->done) & ~come) == 0 ? come : 0;
}

/* Executes the warp-wide calls at which all lanes have arrived; true if there were any. */
static bool pass_warp_calls(struct warp *w)
{
    bool passed = false;
    EACH_LANE_IN(l, w, w->waiting) {
        uint32_t group = l->waiting == WAIT_WARP ? warp_call_complete(w, l) : 0;
        if (group) {
            cpucc_collective_done(w, group, l);
            passed = true;
        }
    }
    return passed;
}

/* Runs the warp until it must wait or its budget is used up; true if any lane ran. */
static bool run_warp(struct warp *w)
{
    bool moved = false;
    w->budget = TURN >> cpucc_choose("halvings of a warp's turn", 13);
    for (;;) {
        moved |= cpucc_run_next_lane(w);
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
    EACH_WAITING(l, b, WAIT_SLEEP)
        cpucc_wake(l);
    for (int w = 0; w < b->warps; w++)
        cpucc_wake_warp(&b->warp[w]);
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
                unchanged &= b->warp[w].unchanged >=
                                 (L->spins ? UNCHANGED_AGAIN : UNCHANGED_BLOCK) / cpucc_haste(b) ||
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
        if (running) {
            L->spins = true;
            return SPINNING;
        }
        if (b->at_barrier && b->at_barrier + b->done == b->threads) {
            meet_without_returned(b, some_lane(b, WAIT_BLOCK));
            pass_barrier(b);
            continue;
        }
        if (!moved)
            return STUCK;
    }
}
