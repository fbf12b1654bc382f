/*
 * The fast path of the checkers bounds, initialised, async and races. It handles plain accesses of 4,
 * 8 or 16 bytes to allocated words (for reads: also written words) if all their earlier accesses come
 * before the block's last barrier or are the lane's own. cpucc_check_access handles all other accesses.
 *
 * Three variants do what the checkers that run would do: `order` for all of them, `written` without
 * races, `bounds` with bounds alone.
 */
#include "../execution/deferred_access.h"
#include "order.h"
#include <string.h>

enum variant { ORDER, INITIALISED, BOUNDS };
#define INLINE static inline __attribute__((always_inline))

/* The properties that the lanes of one request share. */
struct fast_path {
    bool possible, write, peers; /* peers: there are several devices */
    uint32_t first, serial,
        barrier_clock;  /* the launch's ordered_serial; the block's serial and barrier_clock */
    uint32_t reader;    /* readers.when for this warp, with clock 0 */
    uint32_t words, pc; /* words per lane; pc relative to __executable_start */
};

/* Returns these properties of the warp's request; `possible`: the fast path may apply. */
INLINE struct fast_path start(const struct warp *w, const struct group_access *at)
{
    const struct launch *L = cpucc_the_launch;
    struct fast_path q = {.possible =
                              (at->operation == READ || at->operation == WRITE) && at->bytes >= 4 &&
                              L->recorded && L->cluster_size == 1 && !L->copies_may_race &&
                              w->block->barrier_clock<CLOCK_MASK, .write = at->operation == WRITE,
                                                      .peers = cpucc_device_count> 1,
                          .first = L->ordered_serial,
                          .serial = w->block->serial,
                          .barrier_clock = w->block->barrier_clock,
                          .reader = readers_when(PLAIN, 15, (uint32_t)w->number, 0),
                          .words = at->bytes / 4,
                          .pc = (uint32_t)(at->pc - (uintptr_t)__executable_start)};
    return q;
}

/* Whether an access with this stamp comes before all of the block's accesses from now on. */
INLINE bool ordered(const struct fast_path *q, uint32_t block, uint32_t when)
{
    return block < q->first || (block == q->serial && (when & CLOCK_MASK) < q->barrier_clock);
}

/* What the lane leaves in the record of a word. */
struct fast_lane {
    stamp write;
    readers read;
};

INLINE struct fast_lane fast_lane(const struct fast_path *q, uint32_t thread, uint32_t clock,
                                  uint32_t bit)
{
    return (struct fast_lane){{q->serial, thread << CLOCK_BITS | clock},
                              {q->serial, q->reader | clock, bit}};
}

/* Whether the word's last write comes before the lane's access. */
INLINE bool write_ordered(const struct fast_path *q, struct fast_lane l, const shadow *s)
{
    uint32_t thread = s->write.when >> CLOCK_BITS;
    return s->write_mask == 0 || (thread < VC_AGENT && ordered(q, s->write.block, s->write.when)) ||
           (s->write.block == q->serial && thread == l.write.when >> CLOCK_BITS);
}

/* Whether the word's readers come before the lane's access. */
INLINE bool readers_ordered(const struct fast_path *q, const shadow *s)
{
    return how_of(s->read) != BY_AGENT && ordered(q, s->read.block, s->read.when);
}

/* Records the lane's read of a word and returns true if the read is in order. */
INLINE bool note_read(const struct fast_path *q, struct fast_lane l, shadow *s)
{
    const uint32_t tested = WORD_FLAGS(.allocated = 15, .written = 15, .copying_in = 1),
                   wanted = WORD_FLAGS(.allocated = 15, .written = 15);
    if ((s->flags & tested) != wanted || !write_ordered(q, l, s))
        return false;
    if (s->read.lanes && s->read.when == l.read.when && s->read.block == l.read.block) {
        s->read.lanes |= l.read.lanes;
        return true;
    }
    if (s->more_readers || (s->read.lanes && !readers_ordered(q, s)))
        return false;
    s->read = l.read;
    return true;
}

/* Records the lane's write of a word and returns true if the write is in order. */
INLINE bool note_write(const struct fast_path *q, struct fast_lane l, shadow *s)
{
    const uint32_t tested = WORD_FLAGS(.allocated = 15, .mbarrier = 1, .copying_in = 1,
                                       .copying_out = 1, .has_location = 1),
                   wanted = WORD_FLAGS(.allocated = 15),
                   kept =
                       WORD_FLAGS(.first_write = 1, .whole = 1, .write_shift = 3, .read_shift = 3),
                   set = WORD_FLAGS(.allocated = 15, .written = 15, .write_mask = 15);
    if ((s->flags & tested) != wanted || s->more_readers || !write_ordered(q, l, s))
        return false;
    if (s->read.lanes) {
        if (!readers_ordered(q, s))
            return false;
        s->read.lanes = 0;
    }
    s->write = l.write;
    s->write_pc = q->pc;
    s->flags = (s->flags & kept) | set;
    return true;
}

INLINE enum space space_at(uintptr_t address)
{
    if (cpucc_in_heap(address))
        return GLOBAL;
    return cpucc_is_shared_pointer((const void *)address) ? SHARED : FOREIGN;
}

/* Checks and records an access of one word; returns false if the checkers must look at it. */
INLINE bool note(enum variant variant, const struct fast_path *q, struct fast_lane l, shadow *s,
                 bool write)
{
    if (variant == ORDER)
        return write ? note_write(q, l, s) : note_read(q, l, s);
    if (s->allocated != 15 || s->copying_in || s->copying_out || s->mbarrier)
        return false;
    if (variant == INITIALISED && write)
        s->written = 15;
    return variant != INITIALISED || s->written == 15;
}

/* Checks and records that lanes from number i on access a whole line (shadow.c), one behind the other. Returns
 * their number, or 0 if they access something else or the words' own records must tell. */
INLINE int whole_line(enum variant variant, const struct fast_path *q, const struct warp *w,
                      const struct deferred_row *r, int i, shadow *line, bool write)
{
    uintptr_t first = r->address[i], differ = first % HEAP_LINE;
    int n = WARP / (int)q->words;
    uint32_t bytes = 4 * q->words, shift = (uint32_t)__builtin_ctz(q->words), clocks = 0;
    if (differ || i + n > WARP)
        return 0;
    for (int k = 0; k < n; k++) {
        differ |= r->address[i + k] ^ (first + (uint32_t)k * bytes);
        clocks |= w->clock[i + k] ^ w->clock[i];
    }
    struct fast_lane lane = fast_lane(q, w->lane[i].thread, w->clock[i], 1u << i);
    bool by_others = line->write_shift != shift && line->write_mask &&
                     !ordered(q, line->write.block, line->write.when),
         read_otherwise = !write && line->read.lanes && line->read.block == q->serial &&
                          line->read.when == lane.read.when &&
                          (line->read_shift != shift || line->read.lanes != lane.read.lanes);
    if (differ || clocks || by_others || read_otherwise || !note(variant, q, lane, line, write))
        return 0;
    if (write)
        line->write_shift = shift & 3;
    else
        line->read_shift = shift & 3;
    return n;
}

/* Checks and records the accesses in a row of a whole warp. Returns the number of lanes, counted from
 * lane 0, until one is out of order. */
INLINE int whole_row(enum variant variant, const struct fast_path *q, const struct warp *w,
                     const struct deferred_row *r, bool write, bool shared)
{
    enum { PER_BYTE = sizeof(shadow) / 4 };
    uintptr_t records = (uintptr_t)r->range.words - r->range.start * PER_BYTE;
    const unsigned char *state = cpucc_page_state, *written = cpucc_page_written;
    uint32_t thread = w->lane[0].thread, words = q->words;
    if (variant == BOUNDS) /* a lane defers only accesses within bounds */
        return WARP;
    for (int i = 0; i < WARP; i++) {
        size_t in_heap = r->address[i] - (uintptr_t)cpucc_heap, page = in_heap >> 12;
        if (!shared && variant == INITIALISED && written[page])
            continue; /* all its words are written */
        if (!shared && state[page])
            cpucc_fill_page(page);
        if (!shared && cpucc_heap_lines[in_heap / HEAP_LINE].whole) {
            shadow *line = cpucc_heap_lines + in_heap / HEAP_LINE;
            int n = whole_line(variant, q, w, r, i, line, write);
            if (n) {
                i += n - 1;
                continue;
            }
            cpucc_split_line(line);
        }
        struct fast_lane lane = fast_lane(q, thread + (uint32_t)i, w->clock[i], 1u << i);
        shadow *s = (shadow *)(records + r->address[i] * PER_BYTE), *end = s + words;
        do
            if (!note(variant, q, lane, s, write))
                return i;
        while (++s < end);
    }
    return WARP;
}

/* Calls whole_row if the fast path applies to all lanes of the request, and removes those checked. */
INLINE void check_row(enum variant variant, const struct fast_path *q, struct request *r)
{
    const struct warp *w = r->warp;
    const struct deferred_row *row = &w->deferred_row[r->at->row];
    if (w->unsettled || q->peers)
        return;
    for (int i = 0; i < WARP && variant == ORDER; i += 8) /* what the next row needs */
        __builtin_prefetch(
            cpucc_heap_lines + (row[1].address[i] - (uintptr_t)cpucc_heap) / HEAP_LINE, 1);
    int n = row->range.shared ? q->write ? whole_row(variant, q, w, row, true, true)
                                         : whole_row(variant, q, w, row, false, true)
            : q->write ? whole_row(variant, q, w, row, true, false)
                              : whole_row(variant, q, w, row, false, false);
    struct traffic_request *to = row->range.shared ? r->shared : r->global;
    r->checked_fast = to->lanes = n < WARP ? (1u << n) - 1 : ~0u;
    r->todo &= ~r->checked_fast;
    memcpy(to->address, row->address, sizeof *row->address * (size_t)n);
}

INLINE void check_lanes(enum variant variant, struct request *r)
{
    struct warp *w = r->warp;
    struct fast_path q = start(w, r->at);
    if (!q.possible)
        return;
    if (r->at->row >= 0 && r->todo == ~0u)
        check_row(variant, &q, r);
    while (r->todo) {
        int i = __builtin_ctz(r->todo);
        struct lane *l = &w->lane[i];
        struct fast_lane lane = fast_lane(&q, l->thread, l->clock, 1u << i);
        uintptr_t address = address_in_request(w, i, r->at);
        enum space space = space_at(address);
        cpucc_settle(l);
        /* If an address is not aligned, pieces of different sizes may form one request. */
        if (bytes_of_lane(w, i, r->at) != r->at->bytes || address & (4 * q.words - 1))
            return;
        if (space == FOREIGN || (space == GLOBAL && q.peers && cpucc_is_out_of_reach(address)))
            return;
        shadow *s = cpucc_shadow(address);
        for (uint32_t k = 0; k < q.words; k++)
            if (!note(variant, &q, lane, s + k, q.write))
                return;
        r->checked_fast |= 1u << i;
        add_to_request(r, i, space, address);
    }
}

void cpucc_check_lanes_order(struct request *r) { check_lanes(ORDER, r); }
void cpucc_check_lanes_written(struct request *r) { check_lanes(INITIALISED, r); }
void cpucc_check_lanes_bounds(struct request *r) { check_lanes(BOUNDS, r); }
