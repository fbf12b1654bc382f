/*
 * Records which threads have read a word since its last write. The word's record holds lanes of one
 * warp; a list in a pool holds further readers.
 */
#include "order.h"

enum {
    POOL = 1 << 26,        /* records that fit into the reserved address space */
    POOL_PLENTY = 1 << 22, /* above this many records in use, words of global memory keep fewer */
    SHARED_READERS = 63,   /* records per word */
    GLOBAL_READERS = 3,
    GLOBAL_READERS_LATER = 1
};

static struct more_readers {
    readers by;
    uint32_t next : 26, count : 6; /* next: index in the pool; count: records from here on */
} * pool;
static uint32_t pool_end = 1, pool_free, pool_used; /* first never used; first free; in use */

static unsigned bytes_of(readers r) { return r.when >> 25 & 15; }
static uint32_t number_of(readers r) { return r.when >> READER_CLOCK_BITS & 31; }
static uint32_t clock_of(readers r) { return r.when & CLOCK_MASK; }

static void free_record(uint32_t i)
{
    pool[i].next = pool_free;
    pool_free = i;
    pool_used--;
}

/* Adds a record at the front of the word's list. */
static void add_record(shadow *s, readers r)
{
    if (!pool)
        pool = cpucc_reserve(sizeof *pool * POOL, true);
    uint32_t i = pool_free;
    if (i)
        pool_free = pool[i].next;
    else if (pool_end < POOL)
        i = pool_end++;
    else
        return;
    pool_used++;
    pool[i] = (struct more_readers){r, s->more_readers,
                                    s->more_readers ? pool[s->more_readers].count + 1u : 1u};
    s->more_readers = i;
}

void cpucc_clear_readers(shadow *s)
{
    while (s->more_readers) {
        uint32_t next = pool[s->more_readers].next;
        free_record(s->more_readers);
        s->more_readers = next;
    }
    s->read.lanes = 0;
}

/* Whether one of the record's readers is not ordered before l's next access; sets *by to it. */
static bool unordered_reader_of(const struct lane *l, readers r, stamp *by)
{
    uint32_t clock = clock_of(r), number = number_of(r);
    *by = (stamp){r.block, (VC_AGENT + r.lanes - 1) << CLOCK_BITS | clock};
    if (how_of(r) == BY_AGENT)
        return !cpucc_ordered(l, *by);
    bool several = how_of(r) == COLUMN || how_of(r) == ROWS;
    for (uint32_t m = several ? r.lanes : 1u << number; m; m &= m - 1) {
        uint32_t warp = (uint32_t)__builtin_ctz(m);
        uint32_t lanes = how_of(r) == COLUMN ? 1u << number : several ? ~0u : r.lanes;
        lanes = cpucc_unordered(l, r.block, warp, lanes, clock);
        if (lanes) {
            by->when = (warp * WARP + (uint32_t)__builtin_ctz(lanes)) << CLOCK_BITS | clock;
            return true;
        }
    }
    return false;
}

/* Whether the record r can be dropped: each access that is ordered after `now`, the present read by
 * lane l, is also ordered after all readers of r. */
static bool superseded(const struct lane *l, readers r, readers now)
{
    const struct block *b = l->warp->block;
    stamp by;
    if (!r.lanes)
        return true;
    if (how_of(r) == BY_AGENT)
        return !unordered_reader_of(l, r, &by);
    if (how_of(r) == WRITTEN)
        return r.block < cpucc_the_launch->ordered_serial;
    bool weaker = how_of(now) == PLAIN || how_of(r) == how_of(now);
    if (bytes_of(r) & ~bytes_of(now) || !weaker)
        return false;
    if (r.block != b->serial)
        return r.block < cpucc_the_launch->ordered_serial ||
               (r.block >= cpucc_the_launch->first_serial && clock_of(r) < b->grid_barrier_clock);
    if (clock_of(r) < b->barrier_clock)
        return true;
    return how_of(r) < BY_AGENT && number_of(r) == (uint32_t)l->warp->number &&
           (clock_of(r) < l->warp->barrier_clock || r.lanes == now.lanes);
}

/* Drops the word's records that `now` supersedes, and the thread's own earlier reads. */
static void drop_superseded(const struct lane *l, shadow *s, readers now)
{
    readers kept[64];
    int count = 0;
    for (uint32_t i = s->more_readers, next; i; i = next) {
        readers r = pool[i].by;
        next = pool[i].next;
        free_record(i);
        if (r.block == now.block && how_of(r) == how_of(now) && bytes_of(r) == bytes_of(now) &&
            number_of(r) == number_of(now))
            r.lanes &= ~now.lanes;
        if (superseded(l, r, now))
            continue;
        int same = 0;
        while (same < count &&
               (kept[same].block != r.block || kept[same].when != r.when || how_of(r) == BY_AGENT))
            same++;
        if (same < count)
            kept[same].lanes |= r.lanes;
        else
            kept[count++] = r;
    }
    s->more_readers = 0;
    while (count)
        add_record(s, kept[--count]);
}

/* Returns how many records a word's list may hold. */
static int capacity_for(bool shared)
{
    return shared                    ? SHARED_READERS
           : pool_used < POOL_PLENTY ? GLOBAL_READERS
                                     : GLOBAL_READERS_LATER;
}

/* Merges `other` into *r if one record can describe both; returns whether it did. */
static bool merge_records(readers *r, readers other)
{
    if (r->block != other.block || how_of(other) != PLAIN ||
        ((r->when ^ other.when) & readers_when(0, 15, 0, CLOCK_MASK)))
        return false;
    uint32_t warp = number_of(other), lane = (uint32_t)__builtin_ctz(other.lanes);
    bool one_lane = other.lanes == 1u << lane, all_lanes = other.lanes == ~0u;
    if (how_of(*r) == PLAIN && r->lanes == other.lanes && (one_lane || all_lanes)) {
        r->lanes = 1u << number_of(*r) | 1u << warp;
        r->when =
            readers_when(one_lane ? COLUMN : ROWS, bytes_of(*r), one_lane ? lane : 0, clock_of(*r));
        return true;
    }
    if ((how_of(*r) == COLUMN && one_lane && number_of(*r) == lane) ||
        (how_of(*r) == ROWS && all_lanes)) {
        r->lanes |= 1u << warp;
        return true;
    }
    return false;
}

/* Records the reader `now`; a full list keeps its first readers and the latest. */
static void add_reader(const struct lane *l, shadow *s, readers now, bool shared)
{
    if (superseded(l, s->read, now)) {
        s->read = now;
        if (s->more_readers)
            drop_superseded(l, s, now);
        return;
    }
    if (merge_records(&s->read, now))
        return;
    if (s->more_readers) {
        readers *first = &pool[s->more_readers].by;
        if (first->block == now.block && first->when == now.when) {
            first->lanes |= now.lanes;
            return;
        }
        if (merge_records(&s->read, *first)) { /* all lanes of another warp have read by now */
            *first = now;
            return;
        }
        if (merge_records(first, now))
            return;
        if (pool[s->more_readers].count >= capacity_for(shared)) {
            if (shared)
                drop_superseded(l, s, now);
            if (s->more_readers && pool[s->more_readers].count >= capacity_for(shared)) {
                pool[s->more_readers].by = now;
                return;
            }
        }
    }
    add_record(s, now);
}

void cpucc_note_reader(const struct lane *l, shadow *s, unsigned bytes, enum how how, bool shared)
{
    stamp me = cpucc_stamp(l);
    uint32_t warp = (uint32_t)l->warp->number, lane = (uint32_t)l->index;
    readers *r = &s->read, now = {me.block, readers_when(how, bytes, warp, l->clock), 1u << lane};
    if (r->block == me.block && r->lanes) {
        if (r->when == now.when) {
            r->lanes |= now.lanes;
            return;
        }
        if (how == PLAIN && r->when == readers_when(COLUMN, bytes, lane, l->clock)) {
            r->lanes |= 1u << warp;
            return;
        }
    }
    add_reader(l, s, now, shared);
}

void cpucc_note_agent_read(struct lane *l, shadow *s, uint32_t block, uint32_t agent,
                           uint32_t clock)
{
    readers now = {block, readers_when(BY_AGENT, 15, 0, clock), agent + 1};
    if (s->more_readers && pool[s->more_readers].count >= capacity_for(false))
        drop_superseded(l, s, now);
    if (!s->more_readers || pool[s->more_readers].count < capacity_for(false))
        add_record(s, now);
    else
        pool[s->more_readers].by = now;
}

bool cpucc_unordered_reader(const struct lane *l, const shadow *s, unsigned bytes, bool strong,
                            bool wide, stamp *by, enum how *how)
{
    uint32_t i = s->more_readers;
    for (readers r = s->read;; r = pool[i].by, i = pool[i].next) {
        bool agreed = strong && (how_of(r) == STRONG || how_of(r) == STRONG_IN_BLOCK) &&
                      (r.block == l->warp->block->serial || (wide && how_of(r) == STRONG));
        if (r.lanes && bytes_of(r) & bytes && !agreed && unordered_reader_of(l, r, by)) {
            *how = how_of(r);
            return true;
        }
        if (!i)
            return false;
    }
}

bool cpucc_unfenced_reader(const struct lane *l, const shadow *s)
{
    uint32_t i = s->more_readers;
    for (readers r = s->read;; r = pool[i].by, i = pool[i].next) {
        uint32_t number = number_of(r), warps = how_of(r) < BY_AGENT ? 1u << number : r.lanes,
                 lanes = how_of(r) == COLUMN ? 1u << number
                         : how_of(r) == ROWS ? ~0u
                                             : r.lanes;
        if (!r.lanes || r.block != l->warp->block->serial || how_of(r) == BY_STORE ||
            how_of(r) == BY_AGENT || how_of(r) == WRITTEN)
            warps = 0;
        for (; warps; warps &= warps - 1)
            for (uint32_t m = lanes; m; m &= m - 1) {
                uint32_t thread =
                    (uint32_t)__builtin_ctz(warps) * WARP + (uint32_t)__builtin_ctz(m);
                stamp by = {r.block, thread << CLOCK_BITS | clock_of(r)};
                if (!cpucc_shown_to_proxy(l, by))
                    return true;
            }
        if (!i)
            return false;
    }
}

bool cpucc_still_read(const struct lane *l, const shadow *s, stamp *by)
{
    enum how how;
    return cpucc_unordered_reader(l, s, 15, false, false, by, &how);
}
