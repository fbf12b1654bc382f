/*
 * Accesses that a lane makes ahead of its warp. Part of access_unity.c, after shadow.c.
 *
 * A lane need not stop at an access if nobody can tell that it has been made early: lanes of a warp
 * learn from each other only by what the run time does for them (barriers, shuffles, atomics,
 * volatile accesses), all else is a race. So a plain load or store is made at once and noted in the
 * warp's rows, and the lane goes on, up to such a call, the next iteration of a loop, or MAX_DEFERRED
 * accesses; mark_loops.c puts cpucc_flush_deferred before the calls. When all lanes stand somewhere, what they
 * have noted is checked and counted as the warp would have made it, row by row: schedule.c takes the
 * lane with the lowest program counter, and so on. Requests, faults and their order are those of
 * lanes that stop at each access.
 *
 * So that even programs with races see the values that they would see in step (but for the first
 * time that lanes go different ways), a lane stops at accesses to a region (an allocation, or shared
 * memory) that the warp has both loaded from and stored to since it last met others. Where lanes have stored to one word, what each of them wrote is
 * written again when it is its turn. A lane stops too at all that is not ordinary: memory that is not
 * allocated, variables, words of asynchronous copies and of mbarriers.
 *
 * Sealed code (sealed.c) may go ahead too: that the access stays within one live allocation, or within
 * what its own block has of shared memory, is looked at before it is made.
 */
#include <stdlib.h>
#include <string.h>
#include "internal.h"

bool cpucc_may_defer, cpucc_records_accesses;

static void end_lane(struct lane *l); /* schedule.c */

static void start_deferring(struct warp *w)
{
    w->deferred = w->flushing = w->race_pending = w->flush_to_barrier = w->flush_to_end = 0;
    w->overwritten_count = 0;
    w->runs = 1; /* 0 is before all */
    w->loaded_regions = w->stored_regions = 0;
    memset(w->first_row, 0, sizeof w->first_row);
    memset(w->end_row, 0, sizeof w->end_row);
    memset(w->plain_reads, 0, sizeof w->plain_reads);
    for (int i = 0; i < KEPT_PLAIN_READS; i++)
        memset(w->plain_read[i].address, 0, sizeof w->plain_read[i].address);
}

/* ---- a lane makes an access ---- */

/* Whether a lane may go on with an access of the heap: within one allocation. */
static inline __attribute__((always_inline)) bool in_allocation(size_t in_heap, uint32_t bytes,
                                                                uint64_t *region)
{
    uint32_t number = cpucc_allocation_of_chunk[in_heap >> 16];
    const struct allocation *x = &cpucc_allocations[number - 1];
    *region = 1ull << number % 63;
    return number && !x->freed && (size_t)(cpucc_heap + in_heap - x->start) + bytes <= x->bytes;
}

/* The same for shared memory of its block. */
static inline __attribute__((always_inline)) bool in_shared(const shadow *s, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (s[i].allocated != 15 || s[i].copying_in || s[i].copying_out || s[i].mbarrier)
            return false;
    return true;
}

/* The access of a lane is noted, and it may make it now; false if it must stop. */
static inline __attribute__((always_inline)) bool
defer_access(struct lane *l, uintptr_t address, uint32_t bytes, bool write, uintptr_t pc)
{
    struct warp *w = l->warp;
    int i = l->index;
    unsigned at = w->end_row[i];
    size_t in_heap = address - (uintptr_t)cpucc_heap;
    uint64_t region = 1ull << 63;
    if (at == MAX_DEFERRED || address & (bytes - 1))
        return false;
    if (in_heap < (size_t)(cpucc_heap_end - cpucc_heap)) {
        if (!in_allocation(in_heap, bytes, &region))
            return false;
        __builtin_prefetch(heap_shadow + in_heap / 4, 1);
        if (bytes > 8)
            __builtin_prefetch(heap_shadow + in_heap / 4 + 2, 1);
    } else {
        size_t in_slots = address - (uintptr_t)cpucc_slots;
        if (in_slots / SLOT_BYTES != (size_t)w->block->slot ||
            !in_shared(slot_shadow + in_slots / 4, bytes))
            return false;
    }
    if (write)
        w->stored_regions |= region;
    else
        w->loaded_regions |= region;
    if (w->loaded_regions & w->stored_regions & region)
        return false;
    struct deferred_row *r = &w->deferred_row[at];
    if (write)
        __builtin_memcpy(r->old[i], (const void *)address, bytes);
    r->address[i] = address;
    r->pc[i] = (uint32_t)(pc - (uintptr_t)__executable_start);
    r->bytes[i] = (uint8_t)bytes;
    r->write[i] = write;
    w->end_row[i] = (uint8_t)(at + 1);
    if (!at) {
        w->deferred |= 1u << i;
        w->run_number[i] = w->runs++;
        w->clock[i] = l->clock;
    }
    return true;
}

/* ---- the warp comes to it ---- */

static bool has_deferred(const struct warp *w, int lane) { return w->deferred >> lane & 1; }

static void access_in_row(const struct warp *w, int lane, struct group_access *at)
{
    const struct deferred_row *r = &w->deferred_row[w->first_row[lane]];
    at->pc = (uintptr_t)__executable_start + r->pc[lane];
    at->bytes = r->bytes[lane];
    at->operation = r->write[lane] ? WRITE : READ;
}

static void access_of_lane(const struct warp *w, int lane, struct group_access *at)
{
    const struct lane *l = &w->lane[lane];
    at->row = -1;
    if (has_deferred(w, lane))
        access_in_row(w, lane, at);
    else
        at->pc = l->pc, at->bytes = l->bytes, at->operation = l->operation;
}

static uintptr_t place_of_lane(const struct warp *w, int lane)
{
    return has_deferred(w, lane)
               ? (uintptr_t)__executable_start + w->deferred_row[w->first_row[lane]].pc[lane]
               : w->lane[lane].pc;
}

static uintptr_t address_of_lane(const struct warp *w, int lane)
{
    return has_deferred(w, lane) ? w->deferred_row[w->first_row[lane]].address[lane]
                                 : w->lane[lane].address;
}

static bool same_path(struct warp *w)
{
    uint64_t hash = w->lane[__builtin_ctz(w->stopped)].path_hash;
    for (uint32_t m = w->stopped; m; m &= m - 1)
        if (w->lane[__builtin_ctz(m)].path_hash != hash)
            return false;
    w->same_path = true;
    return true;
}

/* Whether all lanes that stand somewhere stand at one instruction, noted in one row: most often. */
static bool all_in_row(struct warp *w, struct group_access *at)
{
    uint32_t group = w->stopped;
    int first = __builtin_ctz(group), row = w->first_row[first];
    const struct deferred_row *r = &w->deferred_row[row];
    if (group & ~w->deferred)
        return false;
    uint32_t differ = 0;
    if (group == ~0u) {
        for (int i = 0; i < WARP; i++)
            differ |= (uint32_t)(w->first_row[i] ^ row) | (r->pc[i] ^ r->pc[first]);
    } else {
        for (uint32_t m = group; m; m &= m - 1) {
            int i = __builtin_ctz(m);
            differ |= (uint32_t)(w->first_row[i] ^ row) | (r->pc[i] ^ r->pc[first]);
        }
    }
    if (differ || (!w->same_path && !same_path(w)))
        return false;
    access_in_row(w, first, at);
    at->row = row;
    return true;
}

struct place { /* of a lane */
    uintptr_t pc, address;
    uint32_t bytes;
    enum operation operation;
};

/* The lane stands at what it has noted as if it had stopped there; what it does stand at goes to *l
 * when that has been looked at. */
static void assume_deferred(struct warp *w, int lane, struct place *real)
{
    struct lane *l = &w->lane[lane];
    real->pc = l->pc, real->address = l->address;
    real->bytes = l->bytes, real->operation = l->operation;
    struct group_access at;
    access_in_row(w, lane, &at);
    l->pc = at.pc, l->address = w->deferred_row[w->first_row[lane]].address[lane];
    l->bytes = at.bytes, l->operation = at.operation;
}

static void restore_real(struct lane *l, const struct place *real)
{
    l->pc = real->pc, l->address = real->address;
    l->bytes = real->bytes, l->operation = real->operation;
}

/* ---- several lanes have stored to one word ---- */

/* Which write comes next in the order in which they were made, after that of a lane in a row (or
 * lane -1: first), and was of this word? What was there before it; NULL if there is none. */
static const uint32_t *next_write(const struct warp *w, int lane, int row, uintptr_t word)
{
    const uint32_t *next = NULL;
    uint64_t after = lane < 0 ? 0 : (uint64_t)w->run_number[lane] << 8 | (unsigned)row;
    uint64_t least = ~(uint64_t)0;
    for (uint32_t m = w->deferred; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        for (int r = 0; r < w->end_row[i]; r++) {
            uint64_t when = (uint64_t)w->run_number[i] << 8 | (unsigned)r;
            uintptr_t in = word - w->deferred_row[r].address[i];
            if (w->deferred_row[r].write[i] && in < w->deferred_row[r].bytes[i] && when > after &&
                when < least)
                least = when, next = &w->deferred_row[r].old[i][in / 4];
        }
    }
    return next;
}

/* What the lane has written into the word. */
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

/* The lane's turn has come to make a write that others may have made too: memory goes back to what it
 * held before. */
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
        if (writer / WARP == (uint32_t)w->number && w->deferred_row[r].write[i] &&
            word - w->deferred_row[r].address[i] < w->deferred_row[r].bytes[i] &&
            (r < w->first_row[i] || (r == w->first_row[i] && i < lane)))
            from = r;
    uint32_t earlier = from < 0 ? 0 : value_written(w, i, from, word);
    before = from < 0 ? next_write(w, -1, 0, word) : &earlier;
    w->overwritten[w->overwritten_count++] = (struct overwritten_word){word, value};
    if (before)
        memcpy((void *)word, before, 4);
}

/* Checks a write that the lane has made ahead, as if it made it now. */
static bool check_again(struct warp *w, struct lane *l)
{
    int i = l->index, row = w->first_row[i];
    for (uint32_t k = 0; k < l->bytes; k += 4)
        undo_later_writes(w, i, l->address + k);
    bool fine = cpucc_check_access(l, l->address, l->bytes, WRITE, cpucc_space(l, l->address));
    if (l->race_address)
        memcpy(l->race_old, (const void *)l->race_address, l->race_bytes);
    for (uint32_t k = 0; k < l->bytes; k += 4) {
        uint32_t value = value_written(w, i, row, l->address + k);
        memcpy((void *)(l->address + k), &value, 4);
    }
    if (l->race_address) {
        memcpy(l->race_new, (const void *)l->race_address, l->race_bytes);
        l->race_written = true;
    }
    return fine;
}

/* What lanes have done ahead has been accounted for: those that need not run to come to the block's
 * barrier, or to their end, are there. The others. */
static uint32_t arrive_after_flush(struct warp *w, uint32_t settled)
{
    uint32_t meeting = settled & w->flush_to_barrier, ending = settled & w->flush_to_end;
    for (uint32_t m = meeting; m; m &= m - 1) {
        struct lane *l = &w->lane[__builtin_ctz(m)];
        if (w->race_pending & m & -m)
            cpucc_finish_race(l);
        l->pc = l->next_barrier;
        l->waiting = WAIT_BLOCK;
    }
    w->waiting |= meeting;
    w->block->at_barrier += (uint32_t)__builtin_popcount(meeting);
    for (uint32_t m = ending; m; m &= m - 1)
        end_lane(&w->lane[__builtin_ctz(m)]);
    w->flush_to_barrier &= ~meeting, w->flush_to_end &= ~ending;
    w->stopped &= ~(meeting | ending);
    return settled & ~(meeting | ending);
}

/* The group's accesses have been accounted for; which lanes can go on. */
static uint32_t advance_group(struct warp *w, uint32_t group)
{
    uint32_t on = group & ~w->deferred, drained = 0;
    if (group == ~0u && w->deferred == ~0u) {
        for (int i = 0; i < WARP; i++)
            w->first_row[i]++;
        if (memcmp(w->first_row, w->end_row, WARP))
            for (int i = 0; i < WARP; i++)
                drained |= (uint32_t)(w->first_row[i] == w->end_row[i]) << i;
        else
            drained = ~0u;
    } else {
        for (uint32_t m = group & w->deferred; m; m &= m - 1)
            if (++w->first_row[__builtin_ctz(m)] == w->end_row[__builtin_ctz(m)])
                drained |= m & -m;
    }
    if (!drained)
        return on;
    for (uint32_t m = drained; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (w->flushing & m & -m) { /* it stands nowhere else: this was its last access */
            struct place kept;
            w->first_row[i]--;
            assume_deferred(w, i, &kept);
        }
        w->first_row[i] = w->end_row[i] = 0;
    }
    w->deferred &= ~drained;
    uint32_t settled = drained & w->flushing;
    w->flushing &= ~drained;
    on |= w->flush_to_barrier | w->flush_to_end ? arrive_after_flush(w, settled) : settled;
    if (!w->deferred)
        w->overwritten_count = 0, w->runs = 1;
    return on;
}

void cpucc_defer_start(const struct launch *L)
{
    extern bool cpucc_tracing;
    cpucc_records_accesses = L->recorded;
    cpucc_may_defer = L->recorded && L->cluster_size == 1 && !cpucc_tracing &&
                      !cpucc_copies_may_race && !getenv("CPUCC_SCHEDULE");
}
