/*
 * Orders accesses before a barrier of a warp, block, cluster or grid before those after the
 * barrier, and checks the order at a block's end.
 */
#include "order.h"

/* ---- barriers ---- */

/* The joined clocks of the threads that meet at a barrier. */
struct meeting {
    struct vclock *clock[ORDER_CLOCKS];
    struct vclock *const
        *before; /* those of the thread added last: most threads share its clocks */
};

/* Joins the lane's clocks into the meeting's: what atomics have observed is tentative behind the barrier. */
static void meeting_add(struct meeting *m, const struct lane *l)
{
    for (int i = 0; i < ORDER_CLOCKS; i++)
        if (i != OBSERVED_BLOCK && (!m->before || l->order[i] != m->before[i]))
            cpucc_join(&m->clock[i == ATOMIC_OBSERVED ? TENTATIVE : i], l->order[i]);
    m->before = l->order;
}

/* Gives the lane the meeting's clocks. */
static void meeting_apply(const struct meeting *m, struct lane *l)
{
    for (int i = 0; i < ORDER_CLOCKS; i++)
        if (i != OBSERVED_BLOCK && l->order[i] != m->clock[i])
            cpucc_replace(&l->order[i], vc_share(m->clock[i]));
}

static void meeting_free(struct meeting *m)
{
    for (int i = 0; i < ORDER_CLOCKS; i++)
        vc_drop(m->clock[i]);
}

/* Notes that the lane arrives at a barrier where threads arrive one by one. Joins its order into
 * *acquired, and the bounds that it has fenced into *released. */
static void arrive(struct lane *l, struct vclock **acquired, struct vclock **released)
{
    if (!cpucc_recorded())
        return;
    cpucc_join(&l->order[TENTATIVE], l->order[ATOMIC_OBSERVED]);
    cpucc_replace(&l->order[ATOMIC_OBSERVED], NULL);
    struct vclock *v = cpucc_release_order(l);
    cpucc_join(acquired, v);
    vc_drop(v);
    cpucc_join(released, l->order[RELEASED]);
}

void cpucc_order_mbarrier(struct lane *l, struct mbarrier *m, enum mbarrier_event what)
{
    switch (what) {
    case MB_USE:
    case MB_COPY:
        if (cpucc_block_of(m->address) != l->warp->block)
            cpucc_note_remote_access(l, m->address);
        break;
    case MB_ARRIVING: arrive(l, &m->arriving, &m->visible); break;
    case MB_PASS: /* gives the lane the clocks that all arrivals have joined */
        cpucc_join(&l->order[ACQUIRED], m->completed);
        cpucc_join(&l->order[RELEASED], m->visible);
        break;
    case MB_COPIED:
        m->arriving = vc_raise(m->arriving,
                               cpucc_block_of(m->address)->serial - cpucc_the_launch->first_serial,
                               VC_AGENT + m->agent, m->clock + 1);
        break;
    case MB_PHASE:
        cpucc_check_clock(m->owner, m->clock);
        m->completed = vc_join(m->completed, m->arriving);
        cpucc_replace(&m->arriving, NULL);
        break;
    case MB_FREED:
        vc_drop(m->arriving);
        vc_drop(m->completed);
        vc_drop(m->visible);
        break;
    default: break;
    }
}

/* The barrier does not order accesses between arrival and wait; lane.bytes becomes nonzero if the
 * thread makes any. */
void cpucc_order_cluster_arrival(struct lane *l)
{
    cpucc_tick(l);
    l->cluster_arrival = l->clock;
    l->bytes = 0;
}

static uint32_t highest_clock(const struct warp *w)
{
    uint32_t clock = 0;
    for (int i = 0; i < w->lanes; i++)
        clock = w->lane[i].clock > clock ? w->lane[i].clock : clock;
    return clock;
}

static uint32_t next(uint32_t clock) { return clock < CLOCK_MASK ? clock + 1 : clock; }

void cpucc_order_block(struct block *b, uintptr_t pc)
{
    (void)pc;
    struct meeting m = {0};
    uint32_t clock = 0;
    for (int w = 0; w < b->warps; w++) {
        uint32_t c = highest_clock(&b->warp[w]);
        clock = c > clock ? c : clock;
    }
    b->barrier_clock = next(clock);
    EACH_WAITING(l, b, WAIT_BLOCK)
        l->clock = b->barrier_clock;
    if (!vc_any())
        return;
    EACH_WAITING(l, b, WAIT_BLOCK)
        meeting_add(&m, l);
    if (m.clock[ACQUIRED]) /* barrier_clock covers the block's own threads */
        m.clock[ACQUIRED] = vc_forget(m.clock[ACQUIRED], cpucc_index_of(b));
    EACH_WAITING(l, b, WAIT_BLOCK)
        meeting_apply(&m, l);
    meeting_free(&m);
}

void cpucc_order_warp(struct warp *w, uint32_t group, uint32_t mask)
{
    struct meeting m = {0};
    uint32_t members = w->lanes == WARP ? ~0u : (1u << w->lanes) - 1;
    bool all = (mask & members) == members;
    if (all)
        w->barrier_clock = next(highest_clock(w));
    EACH_LANE_IN(l, w, group) {
        meeting_add(&m, l);
        if (all) {
            l->clock = w->barrier_clock;
        } else {
            cpucc_tick(l);
            m.clock[ACQUIRED] =
                vc_raise(m.clock[ACQUIRED], cpucc_index_of(w->block), l->thread, l->clock);
        }
    }
    EACH_LANE_IN(l, w, group)
        meeting_apply(&m, l);
    meeting_free(&m);
}

/* Whether the lane has done nothing between its arrival at the cluster's barrier and its wait. */
static bool arrived_just_now(const struct lane *l)
{
    return l->bytes == 0 && l->clock == l->cluster_arrival;
}

void cpucc_order_blocks(struct block **group, int n, bool grid)
{
    enum waiting what = grid ? WAIT_GRID : WAIT_CLUSTER;
    struct meeting m = {0};
    uint32_t clock = 0;
    bool split = false;
    for (int i = 0; i < n; i++) {
        for (int w = 0; w < group[i]->warps; w++) {
            uint32_t c = highest_clock(&group[i]->warp[w]);
            clock = c > clock ? c : clock;
        }
        EACH_WAITING(l, group[i], what) {
            meeting_add(&m, l);
            split |= !grid && !arrived_just_now(l);
        }
    }
    clock = next(clock);
    for (int i = 0; i < n && split; i++)
        for (uint32_t t = 0; t < group[i]->threads; t++) {
            struct lane *l = &group[i]->warp[t / WARP].lane[t % WARP];
            if (!l->done && l->waiting != what)
                continue;
            struct vclock *v = cpucc_order_until(l, l->done ? next(l->clock) : l->cluster_arrival);
            cpucc_join(&m.clock[ACQUIRED], v);
            vc_drop(v);
        }
    for (int i = 0; i < n; i++) {
        struct block *b = group[i];
        if (!split)
            b->barrier_clock = b->cluster_barrier_clock = clock;
        if (grid)
            b->grid_barrier_clock = clock;
        EACH_WAITING(l, b, what) {
            if (!split)
                l->clock = clock;
            meeting_apply(&m, l);
        }
    }
    meeting_free(&m);
}

/* ---- clusters: shared memory of other blocks ---- */

void cpucc_note_remote_access(struct lane *l, uintptr_t address)
{
    struct block *b = cpucc_block_of(address);
    if (!b || b == l->warp->block)
        return;
    if (b->done == b->threads)
        cpucc_fault(l, l->pc, BLOCK_ABSENT, "%s: all threads of that block have returned",
                    cpucc_describe_address(address));
    else if (!l->warp->block->has_met_others)
        cpucc_fault(l, l->pc, BLOCK_ABSENT,
                    "%s: that block may not have begun (cluster.sync() first)",
                    cpucc_describe_address(address));
    else
        b->remote_access[l->warp->block->number % cpucc_the_launch->cluster_size] =
            (struct remote_access){cpucc_stamp(l), l->pc, l};
}

/* Notes that a thread returns. After a block's last thread, reports accesses of other blocks to its
 * shared memory that are not ordered before the end of the block. */
void cpucc_order_exit(struct lane *l)
{
    struct block *b = l->warp->block;
    if (cpucc_the_launch->cluster_size == 1 || !cpucc_the_launch->recorded)
        return;
    struct vclock *v = cpucc_order_until(l, l->clock);
    cpucc_join(&b->exit_order, v);
    vc_drop(v);
    for (int i = 0; b->done == b->threads && i < 16; i++) {
        const struct remote_access *t = &b->remote_access[i];
        uint32_t other = t->when.block - cpucc_the_launch->first_serial;
        if (t->when.block && vc_bound(b->exit_order, other, t->when.when >> CLOCK_BITS) <=
                                 (t->when.when & CLOCK_MASK))
            cpucc_fault(t->lane, t->pc, BLOCK_ABSENT,
                        "block %u may return before this access to its shared memory", b->number);
    }
}
