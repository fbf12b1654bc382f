/*
 * The check of races.c for accesses about which there is nothing to say, as nearly all are: plain,
 * of 4, 8 or 16 bytes, to allocated and written words that nobody has touched since the block's
 * last barrier, or only threads in a like case. Whatever else, it leaves to cpucc_check.
 */
#ifndef CPUCC_QUICK_H
#define CPUCC_QUICK_H

/* What the lanes of one request have in common. */
struct quick {
    bool possible, write;
    uint32_t first, serial, base; /* blocks in order before the launch, and of the block */
    uint32_t reader;              /* the key of a reader of this warp, without the clock */
    uint32_t words, pc;
};

static inline struct quick quick_start(const struct warp *w, const struct standing *at)
{
    const struct launch *L = cpucc_the_launch;
    struct quick q = {.possible = (at->operation == READ || at->operation == WRITE) &&
                                  at->bytes >= 4 && L->recorded && L->cluster_size == 1 &&
                                  !cpucc_copies_beside && w->block->base < CLOCK_MASK,
                      .write = at->operation == WRITE,
                      .first = L->ordered_serial,
                      .serial = w->block->serial,
                      .base = w->block->base,
                      .reader = key(PLAIN, 15, (uint32_t)w->number, 0),
                      .words = at->bytes / 4,
                      .pc = (uint32_t)(at->pc - (uintptr_t)__executable_start)};
    return q;
}

/* Is it in order before any access that the block makes now? */
static inline bool quick_ordered(const struct quick *q, uint32_t block, uint32_t when)
{
    return block < q->first || (block == q->serial && (when & CLOCK_MASK) < q->base);
}

/* Of a lane. */
struct quick_lane {
    uint32_t thread, clock, bit;
};

static inline bool quick_write_ordered(const struct quick *q, struct quick_lane l, stamp write)
{
    uint32_t thread = write.when >> CLOCK_BITS;
    return (thread < VC_AGENT && quick_ordered(q, write.block, write.when)) ||
           (write.block == q->serial && thread == l.thread);
}

static inline bool quick_read(const struct quick *q, struct quick_lane l, shadow *s)
{
    readers now = {q->serial, q->reader | l.clock, l.bit};
    if ((s->allocated & s->written) != 15 || s->arriving)
        return false;
    if (s->write_mask && !quick_write_ordered(q, l, s->write))
        return false;
    if (s->read.lanes && s->read.when == now.when && s->read.block == now.block) {
        s->read.lanes |= now.lanes;
        return true;
    }
    if (s->more || (s->read.lanes && (how_of(s->read) == BY_AGENT ||
                                      !quick_ordered(q, s->read.block, s->read.when))))
        return false;
    s->read = now;
    return true;
}

static inline bool quick_write(const struct quick *q, struct quick_lane l, shadow *s)
{
    if (s->allocated != 15 || s->mbarrier || s->arriving || s->leaving || s->location || s->more)
        return false;
    if (s->write_mask && !quick_write_ordered(q, l, s->write))
        return false;
    if (s->read.lanes &&
        (how_of(s->read) == BY_AGENT || !quick_ordered(q, s->read.block, s->read.when)))
        return false;
    s->write = (stamp){q->serial, l.thread << CLOCK_BITS | l.clock};
    s->write_pc = q->pc;
    s->write_mask = s->written = 15;
    s->write_strong = s->write_wide = s->write_volatile = s->data = s->async_write = 0;
    s->read.lanes = 0;
    return true;
}

/* What an address in the heap or in shared memory has for its words, and which it is; else NULL. */
static inline shadow *quick_words(uintptr_t address, enum space *space)
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

/* Where the access goes to, if it is in order, and it has been noted; else FOREIGN. What is noted
 * before it proves not to be is what cpucc_check would note for these words, too. */
static inline enum space quick_check(const struct quick *q, const struct lane *l, uintptr_t address)
{
    enum space space;
    if (!q->possible || address & (4 * q->words - 1) || l->warp->racing >> l->index & 1)
        return FOREIGN;
    shadow *s = quick_words(address, &space);
    struct quick_lane lane = {l->thread, l->clock, 1u << l->index};
    for (uint32_t i = 0; i < q->words; i++)
        if (!s || !(q->write ? quick_write(q, lane, s + i) : quick_read(q, lane, s + i)))
            return FOREIGN;
    return space;
}

/* The same for a row of a whole warp, from the first lane on: how many are in order. All are of the
 * first one's space. */
static inline __attribute__((always_inline)) int quick_lanes(const struct quick *q,
                                                             const struct warp *w,
                                                             const struct row *r, bool write,
                                                             enum space *space)
{
    struct quick_lane lane = {w->lane[0].thread, 0, 1};
    for (int i = 0; i < WARP; i++, lane.thread++, lane.bit <<= 1) {
        enum space this;
        shadow *s = quick_words(r->address[i], &this);
        if (!i)
            *space = this;
        if (!s || this != *space)
            return i;
        lane.clock = w->clock[i];
        for (uint32_t k = 0; k < q->words; k++)
            if (!(write ? quick_write(q, lane, s + k) : quick_read(q, lane, s + k)))
                return i;
    }
    return WARP;
}

static inline int quick_row(const struct quick *q, const struct warp *w, const struct row *r,
                            enum space *space)
{
    uint32_t differ = w->racing;
    for (int i = 0; i < WARP; i++)
        differ |= r->bytes[i] ^ 4 * q->words;
    if (!q->possible || differ)
        return 0;
    return q->write ? quick_lanes(q, w, r, true, space) : quick_lanes(q, w, r, false, space);
}

#endif
