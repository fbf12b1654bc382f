/*
 * Implements a block's barriers other than __syncthreads: those with a number and a count of
 * threads (PTX ISA, "bar"), and those of groups of several warps. Each is an mbarrier without
 * memory.
 */
#include <stdlib.h>
#include <string.h>
#include "async.h"

/* Returns how many threads the lane stands for. Barriers count whole warps: lane 0 of a partial
 * warp also stands for the missing lanes. */
static int weight(const struct lane *l) { return l->index ? 1 : 1 + WARP - l->warp->lanes; }

/* Returns the barrier with this number, made if it is new; an unused one gets the count. */
static struct mbarrier *find(struct lane *l, int number, int count)
{
    struct block *b = l->warp->block;
    uintptr_t key = CPUCC_NAMED_BARRIERS + (uintptr_t)number;
    struct mbarrier *m = b->mbarriers;
    while (m && m->address != key)
        m = m->next;
    if (!m) {
        m = cpucc_nonnull(calloc(1, sizeof *m));
        m->next = b->mbarriers, b->mbarriers = m;
        m->address = key, m->owner = l, m->fenced = true;
    }
    if (m->pending == m->expected) /* nobody waits, so another count may follow */
        m->pending = m->expected = count;
    return m;
}

/* Makes the lane arrive at the barrier; the caller completes its phase. Returns the barrier. */
static struct mbarrier *arrive(struct lane *l, int number, int count)
{
    int warps = (int)(l->warp->block->threads + WARP - 1) / WARP;
    if (!count)
        count = warps * WARP;
    if (count < 0 || count % WARP || count > warps * WARP || number < 0 ||
        number >= (int)(CPUCC_NAMED_BARRIERS_END - CPUCC_NAMED_BARRIERS))
        END_LAUNCH(
            cudaErrorLaunchFailure, l, l->pc, BARRIER_DIVERGENCE,
            "barrier %d for %d threads in a block of %u: the count must be a multiple of 32 and "
            "no larger than the block",
            number, count, l->warp->block->threads);
    cpucc_gather_warp(l); /* bar.sync is of warps: none comes between its lanes */
    struct mbarrier *m = find(l, number, count);
    if (m->expected != count || weight(l) > m->pending)
        END_LAUNCH(cudaErrorLaunchFailure, l, l->pc, BARRIER_DIVERGENCE,
                   "barrier %d for %d threads, while others arrived for %d", number, count,
                   m->expected);
    CPUCC_TELL(mbarrier, l, m, MB_ARRIVING);
    m->pending -= weight(l);
    CPUCC_TELL(mbarrier, l, m, MB_ARRIVED);
    return m;
}

/* Arrives without waiting. `count`: threads that arrive or wait; 0: all threads of the block. */
void cpucc_barrier_arrive(int number, int count)
{
    CALLED_BY(l);
    cpucc_complete_mbarrier(arrive(l, number, count));
}

/* Arrives, and waits until all `count` threads have arrived. */
static void come_and_wait(struct lane *l, int number, int count)
{
    struct mbarrier *m = arrive(l, number, count);
    l->barrier = m, l->mode = 0, l->value = m->phase, l->source = 0;
    cpucc_complete_mbarrier(m);
    if (!cpucc_mbarrier_ready(l))
        cpucc_wait(l, WAIT_MBARRIER);
    else
        cpucc_wake_warp(l->warp);
    CPUCC_TELL(mbarrier, l, m, MB_PASS);
}

void cpucc_barrier_sync(int number, int count)
{
    CALLED_BY(l);
    come_and_wait(l, number, count);
}

/* Gathers `bytes` bytes from each thread of a group of whole warps: thread `rank` gives `mine`, and
 * every thread gets all[0] to all[count - 1], ordered by rank. */
void cpucc_barrier_exchange(int number, int count, int rank, const void *mine, void *all,
                            size_t bytes)
{
    static const void *offer[MAX_LIVE_BLOCKS][1024]; /* by block and thread: its `mine` */
    CALLED_BY(l);
    const void **first = offer[l->warp->block->slot] + l->thread - rank;
    first[rank] = mine;
    come_and_wait(l, number, count);
    for (int i = 0; i < count; i++)
        memcpy((char *)all + (size_t)i * bytes, first[i], bytes);
    come_and_wait(l, number, count); /* no thread returns before all have copied */
}
