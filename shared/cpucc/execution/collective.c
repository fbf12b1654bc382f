/*
 * The functions that device code calls, which include/cpucc_device.h declares: built-in variables,
 * shared variables, barriers, shuffles, votes, fences.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "async.h"
#include "deferred_access.h"

/* ---- built-in variables ---- */

index3 cpucc_thread_index(void) { return cpucc_current ? cpucc_current->tid : (index3){0, 0, 0}; }

index3 cpucc_block_index(void)
{
    return cpucc_current ? cpucc_current->warp->block->index : (index3){0, 0, 0};
}

index3 cpucc_block_dim(void)
{
    return cpucc_the_launch ? cpucc_the_launch->config.block : (index3){1, 1, 1};
}

index3 cpucc_grid_dim(void)
{
    return cpucc_the_launch ? cpucc_the_launch->config.grid : (index3){1, 1, 1};
}

int cpucc_lane_number(void) { return cpucc_current ? cpucc_current->index : 0; }
int cpucc_in_kernel(void) { return cpucc_current != NULL; }

unsigned cpucc_special(int which)
{
    const struct lane *l = cpucc_current;
    if (!l)
        return 0;
    switch (which) {
    case 0: return (unsigned)l->warp->block->number % (unsigned)cpucc_device.sms;
    case 1: return (unsigned)l->warp->number;
    case 2: return (unsigned)l->index;
    case 3: return (unsigned)cpucc_device.sms;
    default: return (unsigned)cpucc_the_launch->config.shared;
    }
}

/* ---- barriers of a block ---- */

/* Waits at the block's barrier; returns how many threads (mode 0), or whether all (1) or any (2),
 * passed a value other than 0. */
static int barrier(int value, int mode, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (!l)
        return value;
    l->value = (uint64_t)(value != 0), l->mode = mode;
    if (cpucc_flush_at_barrier(l, pc))
        return (int)l->value;
    cpucc_settle(l);
    l->pc = pc;
    l->warp->block->at_barrier++;
    cpucc_wait(l, WAIT_BLOCK);
    return (int)l->value;
}

void cpucc_syncthreads(void) { barrier(0, 0, DEVICE_CALL_PC); }
static int block_vote(int p, int what, uintptr_t pc)
{
    cpucc_exchanges++;
    return barrier(p, what, pc);
}

int cpucc_syncthreads_count(int p) { return block_vote(p, 0, DEVICE_CALL_PC); }
int cpucc_syncthreads_and(int p) { return block_vote(p, 1, DEVICE_CALL_PC); }
int cpucc_syncthreads_or(int p) { return block_vote(p, 2, DEVICE_CALL_PC); }

void cpucc_grid_sync(void)
{
    struct lane *l = cpucc_current;
    cpucc_settle(l);
    l->pc = DEVICE_CALL_PC;
    if (!cpucc_the_launch->config.cooperative)
        END_LAUNCH(cudaErrorLaunchFailure, l, DEVICE_CALL_PC, GRID_BARRIER,
                   "grid.sync() needs a cooperative launch");
    l->warp->block->at_grid++;
    cpucc_wait(l, WAIT_GRID);
}

/* Returns cluster values: 0 rank, 1 size, 2-4 the block's index in x, y, z, 5-7 extents. */
unsigned cpucc_cluster(int which)
{
    const struct launch *L = cpucc_the_launch;
    const struct block *b = cpucc_current->warp->block;
    index3 c = L->config.cluster;
    switch (which) {
    case 0: return b->number % L->cluster_size;
    case 1: return L->cluster_size;
    case 2: return b->index.x % c.x;
    case 3: return b->index.y % c.y;
    case 4: return b->index.z % c.z;
    case 5: return c.x;
    case 6: return c.y;
    default: return c.z;
    }
}

/* ---- warp-wide calls: lanes of a warp make them together ---- */

enum {
    SYNC = 100,
    GATHER = 150,
    WORK = 200,
    BALLOT = 0,
    MATCH_ANY = 1,
    MATCH_ALL = 2,
    REDUCE = 3,
    SHUFFLE = 20
};

/* Returns when all lanes of the mask have made the call and l->value is the result. */
static void warp_call(struct lane *l, unsigned mask, uint64_t value, int mode, uintptr_t pc)
{
    l->pc = pc, l->mask = mask, l->value = value, l->mode = mode;
    cpucc_settle(l);
    if (!(mask >> l->index & 1))
        cpucc_fault(l, pc, LANE_MASK,
                    "the mask 0x%08x does not include lane %d, which makes this call", mask,
                    l->index);
    cpucc_wait(l, WAIT_WARP);
}

/* Runs the task of cpucc_warp_work with all lanes' records, and wakes the lanes. */
static void do_work(struct warp *w, uint32_t group)
{
    struct warp_work *of[WARP] = {NULL};
    for (int i = 0; i < WARP; i++)
        if (group >> i & 1)
            of[i] = (struct warp_work *)(uintptr_t)w->lane[i].value;
    struct lane *first = &w->lane[__builtin_ctz(group)];
    if (group == ~UINT32_C(0))
        of[0]->run(of);
    else
        cpucc_fault(first, first->pc, LANE_MASK,
                    "all lanes of the warp must take part, but lane %d is missing or has returned",
                    __builtin_ctz(~group));
    EACH_LANE_IN(l, w, group)
        cpucc_wake(l);
}

/* Whether all lanes of the group make the same call, perhaps at different pcs; else a fault. */
static bool same_call(struct warp *w, uint32_t group, const struct lane *first)
{
    EACH_LANE_IN(l, w, group) {
        if (l->mode == first->mode)
            continue;
        const struct lane *other = l->mode == SYNC ? l : first;
        l = other == l ? &w->lane[first->index] : l; /* name a lane that is not at __syncwarp */
        cpucc_fault(l, l->pc, LANE_MASK, "lane %d of the mask 0x%08x makes a different call, at %s",
                    other->index, l->mask, cpucc_line(other->pc));
        return false;
    }
    return true;
}

/* Whether lane i is likely to use the value that it gets from a missing lane. In a reduction by
 * halves (v += __shfl_down_sync(m, v, d) with d = 8, 4, 2, 1) only the first d lanes' results
 * matter; in a scan by __shfl_up_sync the first d lanes ignore theirs. */
static bool result_matters(uint32_t group, int i, int start, int kind, int delta)
{
    int first = start + __builtin_ctz(group >> start);
    if (kind == 2)
        return i - first < delta;
    return kind != 1 || i - first >= delta;
}

static uint32_t combined(int how, uint32_t a, uint32_t b)
{
    bool less = how > 2 ? (int32_t)a < (int32_t)b : a < b;
    switch (how) {
    case 0: return a + b;
    case 1:
    case 3: return less ? a : b;
    case 2:
    case 4: return less ? b : a;
    case 5: return a & b;
    case 6: return a | b;
    default: return a ^ b;
    }
}

void cpucc_collective_done(struct warp *w, uint32_t group, const struct lane *first)
{
    if (first->mode != GATHER)
        CPUCC_TELL(warp_call, w, group, first);
    if (!same_call(w, group, first) || first->mode == GATHER) {
        EACH_LANE_IN(l, w, group)
            cpucc_wake(l);
        return;
    }
    if (first->mode == WORK) {
        do_work(w, group);
        return;
    }
    uint64_t given[WARP], result[WARP];
    uint32_t ballot = 0, sum = (uint32_t)first->value;
    bool equal = true;
    int mode = first->mode;
    bool broadcast = mode == SHUFFLE;
    for (uint32_t m = group; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        given[i] = w->lane[i].value;
        ballot |= given[i] ? 1u << i : 0;
        equal &= given[i] == first->value;
        sum = &w->lane[i] == first ? sum : combined(mode - REDUCE, sum, (uint32_t)given[i]);
        broadcast &= w->lane[i].width == WARP && w->lane[i].source == first->source;
    }
    /* A vote of the whole warp that ends like the one before, as when it polls, is not counted. */
    bool repeats = mode == BALLOT && group == ~UINT32_C(0) && ballot == w->ballot;
    if (mode == BALLOT)
        w->ballot = ballot;
    for (uint32_t m = group; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        struct lane *l = &w->lane[i];
        result[i] = mode == MATCH_ALL ? (equal ? group : 0) : ballot;
        if (mode == MATCH_ANY) {
            result[i] = 0;
            for (uint32_t n = group; n; n &= n - 1)
                if (given[__builtin_ctz(n)] == given[i])
                    result[i] |= 1u << __builtin_ctz(n);
        }
        if (mode >= SHUFFLE && mode < SYNC) {
            int width = l->width, start = i & ~(width - 1), from = i, kind = mode - SHUFFLE;
            if (kind == 0)
                from = start + (l->source & (width - 1));
            else if (kind == 1)
                from = i - l->source;
            else if (kind == 2)
                from = i + l->source;
            else
                from = i ^ l->source;
            l->valid = kind == 0 || (kind == 1 ? from >= start : from < start + width);
            if (!l->valid)
                from = i;
            if (!(group >> from & 1)) {
                if (!l->result_unused && result_matters(group, i, start, kind, l->source))
                    cpucc_fault(l, l->pc, LANE_MASK,
                                "a shuffle takes its value from lane %d, which does not take part",
                                from);
                from = i;
            }
            result[i] = given[from];
            if (!equal || group != ~UINT32_C(0)) /* else each lane gets its own number again */
                result[i] = cpucc_exchanged(given[from], broadcast ? group : 0);
        } else if (mode >= REDUCE && mode < SHUFFLE) {
            if (l->mask & ~group)
                cpucc_fault(l, l->pc, LANE_MASK,
                            "a reduction takes a value from lane %d, which does not take part",
                            __builtin_ctz(l->mask & ~group));
            result[i] = cpucc_exchanged(sum, group);
        } else if (mode != SYNC && !repeats) {
            cpucc_exchanges++;
        }
    }
    if (mode == SYNC)
        CPUCC_TELL(warp_barrier, w, group, first->mask);
    EACH_LANE_IN(l, w, group) {
        l->value = result[l->index];
        cpucc_wake(l);
    }
}

void cpucc_warp_work(struct warp_work *work)
{
    if (!cpucc_current)
        return;
    work->lane = cpucc_current;
    warp_call(cpucc_current, ~0u, (uintptr_t)work, WORK, work->pc ? work->pc : DEVICE_CALL_PC);
}

void cpucc_gather_warp(struct lane *l) { warp_call(l, ~0u, 0, GATHER, l->pc); }

void cpucc_syncwarp(unsigned mask)
{
    if (cpucc_current)
        warp_call(cpucc_current, mask, 0, SYNC, DEVICE_CALL_PC);
}

uint64_t cpucc_shuffle(unsigned mask, uint64_t value, int source, int width, int mode, int *valid)
{
    struct lane *l = cpucc_current;
    if (!l)
        return value;
    l->source = source, l->width = width;
    warp_call(l, mask, value, SHUFFLE + (mode & 3), DEVICE_CALL_PC);
    if (valid)
        *valid = l->valid;
    return l->value;
}

/* Notes whether the lane uses the results of the next shuffles only under a condition. */
void cpucc_shuffle_unused(int unused)
{
    if (cpucc_current)
        cpucc_current->result_unused = unused;
}

/* mode: 0 ballot, 1 and 2 the masks of match.any and match.all; 3 to 10 the sum, the least and the greatest
 * (unsigned; signed), and, or, xor of all values. */
unsigned cpucc_vote(unsigned mask, uint64_t value, int mode)
{
    struct lane *l = cpucc_current;
    if (!l)
        return 1;
    warp_call(l, mask, value, mode < SHUFFLE ? mode : BALLOT, DEVICE_CALL_PC);
    return (unsigned)l->value;
}

/* Returns the mask of lanes that execute this call in one request. */
unsigned cpucc_activemask(void)
{
    struct lane *l = cpucc_current;
    if (!l)
        return 1;
    cpucc_exchanges++;
    l->operation = MARK, l->pc = DEVICE_CALL_PC, l->address = 0, l->bytes = 0;
    cpucc_await_turn(l);
    return (unsigned)l->value;
}

void cpucc_fence(int scope)
{
    if (cpucc_current && cpucc_the_launch->recorded)
        CPUCC_TELL(fence, cpucc_current, scope);
    if (scope == 2)
        cpucc_signals_host = true;
}

/* ---- other calls ---- */

/* A sleep counts as polling if the lane has accessed memory since its last sleep. A loop of nothing
 * but sleeps counts only once in a while, so that it may be long but not endless. */
void cpucc_wait_a_while(unsigned ns)
{
    static const uintptr_t asleep =
        ~(uintptr_t)0; /* the address of the lane's last access, if a sleep */
    static unsigned sleeps;
    struct lane *l = cpucc_current;
    (void)ns;
    if (!l)
        return;
    if (l->address != asleep || ++sleeps % 1024 == 0) {
        l->warp->unchanged++;
        cpucc_requests++;
    }
    l->pc = DEVICE_CALL_PC, l->address = asleep;
    cpucc_wait(l, WAIT_SLEEP);
}

void cpucc_trap(void)
{
    if (cpucc_current)
        cpucc_fault(cpucc_current, DEVICE_CALL_PC, TRAP, "the kernel called __trap()");
    cpucc_abort(cudaErrorLaunchFailure);
}

/* Ends a launch that reaches code that the compiler left out. */
void cpucc_undefined(void)
{
    END_LAUNCH(cudaErrorLaunchFailure, cpucc_current, DEVICE_CALL_PC, TRAP,
               "the code here has undefined behaviour");
}

/* Returns nanoseconds. */
uint64_t cpucc_timer(void)
{
    struct timespec t;
    cpucc_exchanges++; /* lanes can tell each other something by the time that they take */
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns cycles. Successive calls without requests in between advance the clock by growing steps,
 * so that a kernel that waits for a time to pass ends soon, although threads run one by one. */
uint64_t cpucc_clock(void)
{
    static uint64_t extra, step, requests;
    if (requests != cpucc_requests || !step)
        requests = cpucc_requests, step = 64;
    else if (step < 1 << 24)
        step += step / 8;
    extra += step;
    cpucc_progress++;
    return cpucc_timer() * 2 + extra;
}

void cpucc_prefetch(const void *address)
{
    struct lane *l = cpucc_current;
    enum space s = l ? cpucc_space(l, (uintptr_t)address) : IGNORED;
    if (s == FOREIGN)
        cpucc_fault(l, DEVICE_CALL_PC, OUT_OF_BOUNDS, "prefetch of %s",
                    cpucc_describe_address((uintptr_t)address));
}

/* assert() in device code. */
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    if (cpucc_current)
        END_LAUNCH(cudaErrorAssert, cpucc_current, DEVICE_CALL_PC, ASSERTION, "%s", expression);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    abort();
}

/* Arrives at the cluster's barrier. */
void cpucc_cluster_arrive(void)
{
    struct lane *l = cpucc_current;
    cpucc_settle(l);
    CPUCC_TELL(cluster_arrives, l);
}

void cpucc_cluster_wait(void)
{
    struct lane *l = cpucc_current;
    cpucc_settle(l);
    l->pc = DEVICE_CALL_PC;
    l->warp->block->at_cluster++;
    cpucc_wait(l, WAIT_CLUSTER);
}

void cpucc_cluster_sync(void)
{
    cpucc_cluster_arrive();
    cpucc_cluster_wait();
}
