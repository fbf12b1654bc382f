/*
 * Deferred accesses: a lane makes a plain access at once, and the warp checks and counts it later.
 *
 * A lane need not stop at an access if no other lane can notice when the access is made. Lanes of a
 * warp communicate only through the run time (barriers, shuffles, atomics, volatile accesses);
 * other communication is a race. So a lane makes a plain load or store at once, notes it in the
 * next row of warp.deferred_row, and runs on until it communicates, starts another iteration of a
 * loop, or has deferred MAX_DEFERRED accesses. mark_loops.c inserts cpucc_flush_deferred before
 * communication. When all lanes have stopped, the scheduler checks and counts the noted accesses
 * row by row in lockstep order. Requests, faults and their order are those of lanes that stop at
 * every access. A row belongs to one instruction and one allocation (or shared memory): its first lane
 * looks them up, and each further lane only compares. Lanes that differ are `apart`.
 *
 * Programs with races, too, must read the values that lockstep would give. Therefore a lane stops
 * before it accesses a region (an allocation, or shared memory) that its warp has both loaded from
 * and stored to since a lane last woke; only the first divergence may differ. If several lanes
 * stored to one word, the scheduler writes their values again in lockstep order. A lane also stops
 * at unallocated memory, at variables, and at words of asynchronous copies and mbarriers.
 *
 * Sealed (untrusted) code defers too: the run time checks before the access that it stays within
 * one live allocation or within the block's shared memory.
 */
#include <stdlib.h>
#include <string.h>
#include "deferred_access.h"
#include "schedule.h"

bool cpucc_may_defer, cpucc_records_accesses;

void cpucc_start_deferring(struct warp *w)
{
    w->deferred = w->flushing = w->unsettled = w->flush_to_barrier = w->flush_to_end = 0;
    w->overwritten_count = 0;
    w->runs = 1; /* 0 precedes all runs */
    w->loaded_regions = w->stored_regions = 0;
    memset(w->first_row, 0, sizeof w->first_row);
    memset(w->end_row, 0, sizeof w->end_row);
    for (int n = 0; n < MAX_DEFERRED; n++)
        memset(&w->deferred_row[n], 0, offsetof(struct deferred_row, address));
    memset(w->plain_reads, 0, sizeof w->plain_reads);
    for (int i = 0; i < KEPT_PLAIN_READS; i++)
        memset(w->plain_read[i].address, 0, sizeof w->plain_read[i].address);
}

void cpucc_forget_ranges(void)
{
    for (int s = 0; s < cpucc_live_end; s++)
        for (int k = 0; cpucc_live_blocks[s] && k < cpucc_live_blocks[s]->warps; k++)
            for (int n = 0; n < MAX_DEFERRED; n++)
                cpucc_live_blocks[s]->warp[k].deferred_row[n].range.places = 0;
}

/* Whether all stopped lanes are in the same calls and loop iterations; then sets w->same_path. */
static bool same_path(struct warp *w)
{
    uint64_t hash = w->lane[__builtin_ctz(w->stopped)].path_hash;
    for (uint32_t m = w->stopped; m; m &= m - 1)
        if (w->lane[__builtin_ctz(m)].path_hash != hash)
            return false;
    w->same_path = true;
    return true;
}

bool cpucc_all_in_one_row(struct warp *w, struct group_access *at)
{
    uint32_t group = w->stopped;
    int first = __builtin_ctz(group), row = w->first_row[first];
    const struct deferred_row *r = &w->deferred_row[row];
    if (group & ~w->deferred || group & r->apart ||
        (group == ~0u && memcmp(w->first_row, w->first_row + 1, WARP - 1)))
        return false;
    for (uint32_t m = group == ~0u ? 0 : group; m; m &= m - 1)
        if (w->first_row[__builtin_ctz(m)] != row)
            return false;
    if (!w->same_path && !same_path(w))
        return false;
    *at = access_in_row(r, first);
    at->row = row;
    return true;
}

/* Sets *range to where an access of so many bytes at the address may lie; returns false if it must stop. */
static bool find_range(const struct warp *w, uintptr_t address, uint32_t bytes,
                       struct row_range *range)
{
    size_t in_heap = address - (uintptr_t)cpucc_heap;
    if (in_heap < (size_t)(cpucc_heap_end - cpucc_heap)) {
        uint32_t number = cpucc_allocation_of_chunk[in_heap >> 16];
        const struct allocation *x = &cpucc_allocations[number - 1];
        if (!number || x->freed)
            return false;
        range->start = (uintptr_t)x->start, range->places = x->bytes / bytes;
        range->words = cpucc_heap_shadow + (x->start - cpucc_heap) / 4;
        range->region = 1ull << number % 64, range->shared = false;
    } else {
        size_t slot = (size_t)w->block->slot * SLOT_BYTES;
        range->start = (uintptr_t)cpucc_slots + slot, range->places = SLOT_BYTES / bytes;
        range->words = cpucc_slot_shadow + slot / 4;
        range->region = 1ull << 63, range->shared = true;
    }
    return place_in(range->start, address, bytes) < range->places;
}

/* Whether no other lane uses the row. */
static bool is_free(const struct warp *w, int row, int lane)
{
    for (uint32_t m = w->deferred & ~(1u << lane); m; m &= m - 1)
        if (w->end_row[__builtin_ctz(m)] > row)
            return false;
    return true;
}

bool cpucc_defer_apart(struct lane *l, uintptr_t address, uint32_t bytes, uint64_t access)
{
    struct warp *w = l->warp;
    int i = l->index, at = w->end_row[i];
    struct deferred_row *r = &w->deferred_row[at];
    struct row_range range;
    if (at == MAX_DEFERRED || !find_range(w, address, bytes, &range) ||
        !note_access(l, address, bytes, access >> 56, &range))
        return false;
    if (is_free(w, at, i)) {
        r->access = access, r->range = range;
    } else if (access != r->access || range.start != r->range.start) {
        w->has_apart = true;
        r->apart |= 1u << i, r->other[i] = access;
    }
    return true;
}

/* ---- words to which several lanes have stored ---- */

/* Whether the lane's access in the row is a write of the word. */
static bool writes_word(const struct deferred_row *r, int lane, uintptr_t word)
{
    struct group_access at = access_in_row(r, lane);
    return at.operation == WRITE && word - r->address[lane] < at.bytes;
}

/* Returns the value that the next write in execution order found in the word: the next after the
 * write in `after_row` of `lane`, or with lane -1 the first write. NULL if there is none. */
static const uint32_t *next_write(const struct warp *w, int lane, int after_row, uintptr_t word)
{
    const uint32_t *next = NULL;
    uint64_t after = lane < 0 ? 0 : (uint64_t)w->run_number[lane] << 8 | (unsigned)after_row;
    uint64_t least = ~(uint64_t)0;
    for (uint32_t m = w->deferred; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        for (int r = 0; r < w->end_row[i]; r++) {
            uint64_t when = (uint64_t)w->run_number[i] << 8 | (unsigned)r;
            const struct deferred_row *row = &w->deferred_row[r];
            if (when > after && when < least && writes_word(row, i, word))
                least = when, next = &row->old[(word - row->address[i]) / 4][i];
        }
    }
    return next;
}

/* Returns the value that the lane's deferred write gave the word. */
static uint32_t value_written(struct warp *w, int lane, int row, uintptr_t word)
{
    const uint32_t *old = next_write(w, lane, row, word);
    uint32_t value;
    if (old)
        return *old;
    for (int n = 0; n < w->overwritten_count; n++)
        if (w->overwritten[n].word == word)
            return w->overwritten[n].value;
    memcpy(&value, (const void *)word, 4);
    return value;
}

/* Called before the check of a deferred write to a word that other lanes may have written: restores
 * the value that the word would have in lockstep order. */
static void undo_later_writes(struct warp *w, int lane, uintptr_t word)
{
    const uint32_t *before = NULL;
    uint32_t writer = cpucc_shadow(word)->write.when >> CLOCK_BITS, value;
    for (int n = 0; n < w->overwritten_count; n++)
        if (w->overwritten[n].word == word)
            return;
    if (w->overwritten_count == sizeof w->overwritten / sizeof *w->overwritten)
        return;
    memcpy(&value, (const void *)word, 4);
    int from = -1, i = (int)(writer % WARP);
    for (int r = 0; w->deferred >> i & 1 && r < w->end_row[i]; r++)
        if (writer / WARP == (uint32_t)w->number && writes_word(&w->deferred_row[r], i, word) &&
            (r < w->first_row[i] || (r == w->first_row[i] && i < lane)))
            from = r;
    uint32_t earlier = from < 0 ? 0 : value_written(w, i, from, word);
    before = from < 0 ? next_write(w, -1, 0, word) : &earlier;
    w->overwritten[w->overwritten_count++] = (struct overwritten_word){word, value};
    if (before)
        memcpy((void *)word, before, 4);
}

bool cpucc_check_deferred_write(struct warp *w, struct lane *l)
{
    int i = l->index, row = w->first_row[i];
    for (uint32_t k = 0; k < l->bytes; k += 4)
        undo_later_writes(w, i, l->address + k);
    bool fine = cpucc_check_access(l, l->address, l->bytes, WRITE, cpucc_space(l, l->address));
    if (w->unsettled >> i & 1)
        CPUCC_TELL(makes, l);
    for (uint32_t k = 0; k < l->bytes; k += 4) {
        uint32_t value = value_written(w, i, row, l->address + k);
        memcpy((void *)(l->address + k), &value, 4);
    }
    if (w->unsettled >> i & 1)
        CPUCC_TELL(made, l);
    return fine;
}

/* Lets flushed lanes wait at the block's barrier or return, if they asked for it. Returns the other
 * flushed lanes, which must run. */
static uint32_t arrive_after_flush(struct warp *w, uint32_t flushed)
{
    uint32_t waiting = flushed & w->flush_to_barrier, ending = flushed & w->flush_to_end;
    EACH_LANE_IN(l, w, waiting) {
        cpucc_settle(l);
        l->pc = l->next_barrier;
        l->waiting = WAIT_BLOCK;
    }
    w->waiting |= waiting;
    w->block->at_barrier += (uint32_t)__builtin_popcount(waiting);
    EACH_LANE_IN(l, w, ending)
        cpucc_end_lane(l);
    w->flush_to_barrier &= ~waiting, w->flush_to_end &= ~ending;
    w->stopped &= ~(waiting | ending);
    return flushed & ~(waiting | ending);
}

/* Ends the lanes' use of their rows, whose accesses are all counted. */
static void empty_rows(struct warp *w, uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m), end = w->end_row[i];
        if (w->flushing & m & -m) { /* it stopped only to flush: its latest access is its place */
            const struct deferred_row *r = &w->deferred_row[end - 1];
            set_access(&w->lane[i], access_in_row(r, i), r->address[i]);
        }
        w->first_row[i] = w->end_row[i] = 0;
    }
    w->deferred &= ~lanes;
    for (int n = 0; w->has_apart && n < MAX_DEFERRED; n++)
        w->deferred_row[n].apart &= ~lanes;
    w->has_apart &= w->deferred != 0;
}

uint32_t cpucc_advance_group(struct warp *w, uint32_t group, int row)
{
    uint32_t on = group & ~w->deferred, drained = 0;
    group &= w->deferred;
    if (group == ~0u && row >= 0) {
        memset(w->first_row, row + 1, WARP);
        bool some = memchr(w->end_row, row + 1, WARP);
        for (int i = 0; some && i < WARP; i++)
            drained |= (uint32_t)(w->end_row[i] == row + 1) << i;
    } else {
        for (uint32_t m = group; m; m &= m - 1)
            if (++w->first_row[__builtin_ctz(m)] == w->end_row[__builtin_ctz(m)])
                drained |= m & -m;
    }
    if (!drained)
        return on;
    empty_rows(w, drained);
    uint32_t flushed = drained & w->flushing;
    w->flushing &= ~drained;
    on |= w->flush_to_barrier | w->flush_to_end ? arrive_after_flush(w, flushed) : flushed;
    if (!w->deferred)
        w->overwritten_count = 0, w->runs = 1;
    return on;
}

void cpucc_defer_start(const struct launch *L)
{
    cpucc_records_accesses = L->recorded;
    cpucc_may_defer = L->recorded && L->cluster_size == 1 && !L->in_order && !L->copies_may_race &&
                      !cpucc_altered && !cpucc_lanes_apart && !getenv("CPUCC_SCHEDULE");
}
