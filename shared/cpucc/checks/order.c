/*
 * Decides whether one access comes before another. Implements the causality order of the PTX memory
 * model (PTX ISA, "Memory Consistency Model") as far as programs rely on it.
 *
 * Each thread has a clock that advances when the thread releases. An access is stamped with its
 * block, thread and clock. Each thread A keeps a bound for every other thread B: accesses of B
 * stamped below the bound come before A's next access. One number can bound many threads:
 *
 *   block->barrier_clock           accesses of the block's threads before their last __syncthreads
 *   warp->barrier_clock            the same for a warp and __syncwarp of all its lanes
 *   block->cluster_barrier_clock   accesses of the cluster's blocks before its last barrier
 *   block->grid_barrier_clock      accesses of the grid's blocks before its last barrier
 *
 * Vector clocks (enum order) hold the rest:
 *
 *   acquired          bounds from mbarriers, from __syncwarp of some lanes, and through locations
 *   released          bounds at the latest fence of device scope. The thread's strong writes store
 *                     these bounds with the value. A barrier passes them on to its other threads.
 *   released_block    bounds at the latest fence of block scope, passed on likewise
 *   observed          bounds stored with the values of strong reads, by this thread or by a thread
 *                     that it met at a barrier since. A fence moves these bounds to acquired.
 *   observed_block    bounds in observed from the thread's own block; a fence of block scope moves
 *                     them to acquired
 *   atomic_observed   bounds in observed that were read by an atomicAdd or atomicInc
 *   tentative         atomic_observed after a barrier (see below)
 *
 * Each thread keeps the bounds at its latest fence.proxy.async instructions: these order its
 * accesses before those of the async proxy, which performs bulk and tensor copies.
 *
 * Strong accesses are atomics, volatile accesses (which are relaxed), and loads and stores that
 * name an order. A location (struct location) stores the bounds released with a word's value. A
 * store replaces the bounds, a read-modify-write adds to them, a plain write clears them.
 *
 * A relaxed read does not acquire, and a following barrier does not change that. A __threadfence()
 * must stand between the read and the accesses that depend on it, before the barrier or after it.
 * The counting idiom omits that fence. It gets a remark instead of a fault, because NVIDIA's own
 * samples use it: a block learns from its atomicAdd or atomicInc (without an explicit order) that
 * it is the last one, passes a barrier, and reads what the other blocks have written.
 *
 * Lockstep does not order lanes: the hardware does not promise that it does.
 */
#include <stdlib.h>
#include <string.h>
#include "order.h"

/* ---- a thread ---- */

uint32_t cpucc_index_of(const struct block *b)
{
    return b->serial - cpucc_the_launch->first_serial;
}

void cpucc_tick(struct lane *l)
{
    if (l->clock < CLOCK_MASK)
        l->clock++;
}

void cpucc_join(struct vclock **to, struct vclock *what)
{
    if (what && *to != what)
        *to = vc_join(*to, what);
}

void cpucc_replace(struct vclock **to, struct vclock *by)
{
    struct vclock *old = *to;
    *to = by;
    if (old)
        vc_drop(old);
}

struct vclock *cpucc_order_until(const struct lane *l, uint32_t clock)
{
    const struct block *b = l->warp->block;
    const struct launch *L = cpucc_the_launch;
    uint32_t me = cpucc_index_of(b), size = L->cluster_size;
    struct vclock *v = vc_share(l->order[ACQUIRED]);
    cpucc_join(&v, l->order[TENTATIVE]);
    v = vc_raise_block(v, me, b->barrier_clock);
    if (l->warp->barrier_clock > b->barrier_clock)
        v = vc_raise_warp(v, me, (uint32_t)l->warp->number, l->warp->barrier_clock);
    for (uint32_t i = me / size * size; b->cluster_barrier_clock && i < me / size * size + size;
         i++)
        v = vc_raise_block(v, i, b->cluster_barrier_clock);
    return vc_raise(v, me, l->thread, clock);
}

struct vclock *cpucc_release_order(struct lane *l)
{
    cpucc_tick(l);
    return cpucc_order_until(l, l->clock);
}

/* Drops the lane's clocks. */
static void free_order(struct lane *l)
{
    for (int i = 0; i < ORDER_CLOCKS; i++)
        if (l->order[i])
            cpucc_replace(&l->order[i], NULL);
    if (!l->proxy_fences)
        return;
    for (int i = 0; i < KEPT_PROXY_FENCES; i++)
        cpucc_replace(&l->proxy_fences[i].all, NULL);
    free(l->proxy_fences);
    l->proxy_fences = NULL;
}

void cpucc_check_clock(struct lane *l, uint32_t clock)
{
    if (cpucc_sealed && clock >= CLOCK_MASK)
        cpucc_fault(l, l->pc, TRAP, "%u fences and barriers or more are too many to check", clock);
}

void cpucc_order_block_end(struct block *b)
{
    if (!cpucc_sealed && !vc_any())
        return;
    for (uint32_t t = 0; t < b->threads; t++) {
        struct lane *l = &b->warp[t / WARP].lane[t % WARP];
        cpucc_check_clock(l, l->clock);
        free_order(l);
    }
    vc_drop(b->exit_order);
}

/* Whether barriers or the order of launches alone put an access before the lane's next one. */
static bool ordered_by_barrier(const struct lane *l, uint32_t block, uint32_t thread,
                               uint32_t clock)
{
    const struct block *b = l->warp->block;
    const struct launch *L = cpucc_the_launch;
    if (block < L->ordered_serial || b->barrier_clock >= CLOCK_MASK)
        return true;
    if (block < L->first_serial)
        return !cpucc_concurrent_kernel(block);
    if (thread >= VC_AGENT)
        return false;
    if (block == b->serial)
        return clock < b->barrier_clock ||
               (thread / WARP == (uint32_t)l->warp->number && clock < l->warp->barrier_clock);
    return clock < b->grid_barrier_clock ||
           (clock < b->cluster_barrier_clock &&
            (block - L->first_serial) / L->cluster_size == cpucc_index_of(b) / L->cluster_size);
}

bool cpucc_ordered(const struct lane *l, stamp s)
{
    uint32_t thread = s.when >> CLOCK_BITS, clock = s.when & CLOCK_MASK;
    if (s.block == l->warp->block->serial && thread == l->thread)
        return true;
    return ordered_by_barrier(l, s.block, thread, clock) ||
           (s.block >= cpucc_the_launch->first_serial &&
            vc_bound(l->order[ACQUIRED], s.block - cpucc_the_launch->first_serial, thread) > clock);
}

uint32_t cpucc_unordered(const struct lane *l, uint32_t block, uint32_t warp, uint32_t lanes,
                         uint32_t clock)
{
    if (ordered_by_barrier(l, block, warp * WARP, clock))
        return 0;
    if (block == l->warp->block->serial && warp == (uint32_t)l->warp->number)
        lanes &= ~(1u << l->index);
    if (!lanes || block < cpucc_the_launch->first_serial)
        return lanes;
    block -= cpucc_the_launch->first_serial;
    if (l->order[ACQUIRED])
        lanes = vc_unknown(l->order[ACQUIRED], block, warp, lanes, clock);
    if (lanes && l->order[TENTATIVE])
        lanes = vc_unknown(l->order[TENTATIVE], block, warp, lanes, clock);
    return lanes;
}

bool cpucc_observed(const struct lane *l, stamp s)
{
    uint32_t first = cpucc_the_launch->first_serial, thread = s.when >> CLOCK_BITS;
    return s.block >= first &&
           (vc_bound(l->order[OBSERVED], s.block - first, thread) > (s.when & CLOCK_MASK) ||
            vc_bound(l->order[OBSERVED_BLOCK], s.block - first, thread) > (s.when & CLOCK_MASK));
}

bool cpucc_tentative(const struct lane *l, stamp s)
{
    uint32_t first = cpucc_the_launch->first_serial;
    return l->order[TENTATIVE] && s.block >= first &&
           vc_bound(l->order[TENTATIVE], s.block - first, s.when >> CLOCK_BITS) >
               (s.when & CLOCK_MASK);
}

/* Whether thread x made the write visible to the async proxy by a fence.proxy.async that comes
 * before l's next access. */
static bool shown_by(const struct lane *x, const struct lane *l, stamp s)
{
    for (int i = 0; x->proxy_fences && i < KEPT_PROXY_FENCES; i++) {
        stamp fence = {x->warp->block->serial, x->thread << CLOCK_BITS | x->proxy_fences[i].clock};
        if (x->proxy_fences[i].all &&
            vc_bound(x->proxy_fences[i].all, cpucc_index_of(x->warp->block), s.when >> CLOCK_BITS) >
                (s.when & CLOCK_MASK) &&
            cpucc_ordered(l, fence))
            return true;
    }
    return false;
}

bool cpucc_shown_to_proxy(const struct lane *l, stamp s)
{
    const struct block *b = l->warp->block;
    uint32_t writer = s.when >> CLOCK_BITS;
    if (writer >= b->threads || shown_by(&b->warp[writer / WARP].lane[writer % WARP], l, s) ||
        shown_by(l, l, s))
        return true;
    for (uint32_t t = 0; t < b->threads; t++)
        if (shown_by(&b->warp[t / WARP].lane[t % WARP], l, s))
            return true;
    return false;
}

/* ---- fences ---- */

void cpucc_fence_order(struct lane *l, int scope)
{
    bool wide = scope > 0;
    cpucc_note_fence(scope);
    struct vclock **o = l->order;
    cpucc_join(&o[ACQUIRED], o[OBSERVED_BLOCK]);
    cpucc_replace(&o[OBSERVED_BLOCK], NULL);
    if (wide) {
        cpucc_join(&o[ACQUIRED], o[OBSERVED]);
        cpucc_join(&o[ACQUIRED], o[TENTATIVE]);
        cpucc_replace(&o[OBSERVED], NULL);
        cpucc_replace(&o[ATOMIC_OBSERVED], NULL);
        cpucc_replace(&o[TENTATIVE], NULL);
    }
    cpucc_replace(wide ? &o[RELEASED] : &o[RELEASED_BLOCK], cpucc_release_order(l));
    if (wide)
        cpucc_replace(&o[RELEASED_BLOCK], NULL);
}

void cpucc_proxy_fence_order(struct lane *l)
{
    if (!l->proxy_fences)
        l->proxy_fences = cpucc_nonnull(calloc(KEPT_PROXY_FENCES, sizeof *l->proxy_fences));
    struct proxy_fence *s = &l->proxy_fences[l->proxy_fence_count++ % KEPT_PROXY_FENCES];
    s->clock = l->clock;
    cpucc_replace(&s->all, cpucc_release_order(l));
}

/* ---- locations that threads synchronise through ---- */

struct location {
    uintptr_t address;     /* of a 4-byte word */
    struct vclock *wide;   /* bounds released with its value, for all threads */
    struct vclock *narrow; /* `wide`, and bounds released for threads of `block` alone */
    uint32_t block;        /* serial number of the last writer's block */
};

static struct table locations;

/* Returns NULL if nothing has been released through the word. */
static struct location *find_location(uintptr_t address)
{
    return cpucc_find(&locations, sizeof(struct location), address);
}

void cpucc_forget_location(uintptr_t address)
{
    struct location *at = find_location(address);
    if (at) {
        cpucc_replace(&at->wide, NULL);
        cpucc_replace(&at->narrow, NULL);
    }
}

/* Notes that the lane reads the location: acquires or observes the bounds stored with its value. */
static void read_location(struct lane *l, const struct location *at, unsigned strength)
{
    struct vclock **o = l->order;
    bool own = at->block == l->warp->block->serial;
    struct vclock *came = own ? at->narrow : strength & BLOCK_SCOPE ? NULL : at->wide;
    if (strength & ACQUIRES) {
        cpucc_join(&o[ACQUIRED], came);
        return;
    }
    if (own)
        cpucc_join(&o[OBSERVED_BLOCK], came);
    cpucc_join(&o[OBSERVED], came);
    if (strength & COUNTING)
        cpucc_join(&o[ATOMIC_OBSERVED], came);
}

/* Notes that the lane writes the location. `replaces`: by a store, not a read-modify-write.
 * `release`: the bounds that a release access stores; NULL stores those of the latest fence. */
static void write_location(struct lane *l, uintptr_t address, unsigned strength, bool replaces,
                           struct vclock *release)
{
    uint32_t me = l->warp->block->serial;
    struct vclock *handed_on = release ? release : l->order[RELEASED];
    struct location *at = find_location(address);
    if (!at && !handed_on && !l->order[RELEASED_BLOCK])
        return;
    if (!at)
        at = cpucc_find_or_add(&locations, sizeof *at, address);
    shadow *s = cpucc_shadow(address);
    if (s)
        s->has_location = 1;
    if (replaces)
        cpucc_replace(&at->wide, NULL);
    if (replaces || at->block != me)
        cpucc_replace(&at->narrow, vc_share(at->wide));
    at->block = me;
    if (!(strength & BLOCK_SCOPE))
        cpucc_join(&at->wide, handed_on);
    cpucc_join(&at->narrow, handed_on);
    cpucc_join(&at->narrow, l->order[RELEASED_BLOCK]);
}

/* Acquires and releases bounds through the locations of the lane's present strong access. `wrote`:
 * false for a failed compare-and-swap, which only reads. */
void cpucc_synchronise(struct lane *l, bool wrote)
{
    if (!cpucc_the_launch->recorded)
        return;
    uintptr_t first = l->address & ~(uintptr_t)3, end = l->address + l->bytes;
    bool reads = l->operation != VOLATILE_WRITE;
    for (uintptr_t a = first; reads && a < end; a += 4) {
        const struct location *at = find_location(a);
        if (at)
            read_location(l, at, l->strength);
    }
    if (l->operation == VOLATILE_READ || !wrote)
        return;
    struct vclock *release = l->strength & RELEASES ? cpucc_release_order(l) : NULL;
    bool replaces = !reads && l->bytes >= 4; /* else the word's other bytes may be flags, too */
    for (uintptr_t a = first; a < end; a += 4)
        write_location(l, a, l->strength, replaces, release);
    vc_drop(release);
}

void cpucc_free_locations(void)
{
    free(locations.records);
    locations = (struct table){0};
}
