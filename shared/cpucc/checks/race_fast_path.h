/*
 * The fast path of the check in races.c. It handles plain accesses of 4, 8 or 16 bytes to allocated
 * words (for reads: also written words) if all their earlier accesses come before the block's last
 * barrier or are the lane's own. cpucc_check_access handles all other accesses.
 */
#ifndef CPUCC_RACE_FAST_PATH_H
#define CPUCC_RACE_FAST_PATH_H

/* The properties that the lanes of one request share. */
struct fast_path {
    bool possible, write;
    uint32_t first, serial,
        barrier_clock;  /* the launch's ordered_serial; the block's serial and barrier_clock */
    uint32_t reader;    /* readers.when for this warp, with clock 0 */
    uint32_t words, pc; /* words per lane; pc relative to __executable_start */
};

/* Returns these properties of the warp's request; `possible`: the fast path may apply. */
static inline struct fast_path fast_path_start(const struct warp *w, const struct group_access *at)
{
    const struct launch *L = cpucc_the_launch;
    struct fast_path q = {.possible = (at->operation == READ || at->operation == WRITE) &&
                                      at->bytes >= 4 && L->recorded && L->cluster_size == 1 &&
                                      !cpucc_copies_may_race &&
                                      w->block->barrier_clock < CLOCK_MASK,
                          .write = at->operation == WRITE,
                          .first = L->ordered_serial,
                          .serial = w->block->serial,
                          .barrier_clock = w->block->barrier_clock,
                          .reader = key(PLAIN, 15, (uint32_t)w->number, 0),
                          .words = at->bytes / 4,
                          .pc = (uint32_t)(at->pc - (uintptr_t)__executable_start)};
    return q;
}

/* Whether an access with this stamp comes before all of the block's accesses from now on. */
static inline bool fast_path_ordered(const struct fast_path *q, uint32_t block, uint32_t when)
{
    return block < q->first || (block == q->serial && (when & CLOCK_MASK) < q->barrier_clock);
}

/* The properties of one lane. */
struct fast_path_lane {
    uint32_t thread, clock, bit; /* bit: 1 << the lane's number in the warp */
};

/* Whether the word's last write comes before the lane's access. */
static inline bool fast_path_write_ordered(const struct fast_path *q, struct fast_path_lane l,
                                           stamp write)
{
    uint32_t thread = write.when >> CLOCK_BITS;
    return (thread < VC_AGENT && fast_path_ordered(q, write.block, write.when)) ||
           (write.block == q->serial && thread == l.thread);
}

/* Records the lane's read of a word and returns true if the read is in order. */
static inline bool fast_path_read(const struct fast_path *q, struct fast_path_lane l, shadow *s)
{
    readers now = {q->serial, q->reader | l.clock, l.bit};
    if ((s->allocated & s->written) != 15 || s->copying_in)
        return false;
    if (s->write_mask && !fast_path_write_ordered(q, l, s->write))
        return false;
    if (s->read.lanes && s->read.when == now.when && s->read.block == now.block) {
        s->read.lanes |= now.lanes;
        return true;
    }
    if (s->more_readers || (s->read.lanes && (how_of(s->read) == BY_AGENT ||
                                              !fast_path_ordered(q, s->read.block, s->read.when))))
        return false;
    s->read = now;
    return true;
}

/* Records the lane's write of a word and returns true if the write is in order. */
static inline bool fast_path_write(const struct fast_path *q, struct fast_path_lane l, shadow *s)
{
    if (s->allocated != 15 || s->mbarrier || s->copying_in || s->copying_out || s->has_location ||
        s->more_readers)
        return false;
    if (s->write_mask && !fast_path_write_ordered(q, l, s->write))
        return false;
    if (s->read.lanes &&
        (how_of(s->read) == BY_AGENT || !fast_path_ordered(q, s->read.block, s->read.when)))
        return false;
    s->write = (stamp){q->serial, l.thread << CLOCK_BITS | l.clock};
    s->write_pc = q->pc;
    s->write_mask = s->written = 15;
    s->write_strong = s->write_beyond_block = s->write_volatile = s->not_a_flag = s->async_write =
        0;
    s->read.lanes = 0;
    return true;
}

/* Returns the record of the word at an address in the heap or in shared memory, else NULL. Sets
 * *space to the address's space. */
static inline shadow *fast_path_words(uintptr_t address, enum space *space)
{
    size_t in_heap = address - (uintptr_t)cpucc_heap, in_slots = address - (uintptr_t)cpucc_slots;
    if (in_heap < (size_t)(cpucc_heap_end - cpucc_heap)) {
        if (cpucc_page_state[in_heap >> 12])
            cpucc_fill_page(in_heap >> 12);
        *space = GLOBAL;
        return heap_shadow + in_heap / 4;
    }
    *space = SHARED;
    return in_slots < (size_t)(cpucc_slots_end - cpucc_slots) ? slot_shadow + in_slots / 4 : NULL;
}

/* Records the lane's access and returns its space if the access is in order; else returns FOREIGN.
 * A word recorded before that has the record that cpucc_check_access would write. */
static inline enum space fast_path_check(const struct fast_path *q, const struct lane *l,
                                         uintptr_t address)
{
    enum space space;
    if (!q->possible || address & (4 * q->words - 1) || l->warp->race_pending >> l->index & 1)
        return FOREIGN;
    shadow *s = fast_path_words(address, &space);
    struct fast_path_lane lane = {l->thread, l->clock, 1u << l->index};
    for (uint32_t i = 0; i < q->words; i++)
        if (!s || !(q->write ? fast_path_write(q, lane, s + i) : fast_path_read(q, lane, s + i)))
            return FOREIGN;
    return space;
}

/* Records the deferred accesses in a row of a whole warp. Returns the number of lanes, counted from
 * lane 0, until one is out of order or not in lane 0's space. */
static inline __attribute__((always_inline)) int fast_path_lanes(const struct fast_path *q,
                                                                 const struct warp *w,
                                                                 const struct deferred_row *r,
                                                                 bool write, enum space *space)
{
    struct fast_path_lane lane = {w->lane[0].thread, 0, 1};
    for (int i = 0; i < WARP; i++, lane.thread++, lane.bit <<= 1) {
        enum space this;
        shadow *s = fast_path_words(r->address[i], &this);
        if (!i)
            *space = this;
        if (!s || this != *space)
            return i;
        lane.clock = w->clock[i];
        for (uint32_t k = 0; k < q->words; k++)
            if (!(write ? fast_path_write(q, lane, s + k) : fast_path_read(q, lane, s + k)))
                return i;
    }
    return WARP;
}

/* Calls fast_path_lanes if the fast path applies to all lanes of the row; else returns 0. */
static inline int fast_path_row(const struct fast_path *q, const struct warp *w,
                                const struct deferred_row *r, enum space *space)
{
    uint32_t differ = w->race_pending;
    for (int i = 0; i < WARP; i++)
        differ |= r->bytes[i] ^ 4 * q->words;
    if (!q->possible || differ)
        return 0;
    return q->write ? fast_path_lanes(q, w, r, true, space)
                    : fast_path_lanes(q, w, r, false, space);
}

#endif
