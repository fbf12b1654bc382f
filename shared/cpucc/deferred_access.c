/*
 * Accesses that a lane makes ahead of its warp. Part of access_unity.c, after shadow.c.
 *
 * A lane need not stop at an access if nobody can tell that it has been made early: lanes of a warp
 * learn from each other only by what the run time does for them (barriers, shuffles, atomics,
 * volatile accesses), all else is a race. So a plain load or store is made at once and noted in the
 * warp's rows, and the lane goes on, up to such a call, the next iteration of a loop, or ROWS_AHEAD
 * accesses; mark_loops.c puts cpucc_settle before the calls. When all lanes stand somewhere, what they
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

bool cpucc_may_be_ahead, cpucc_records_accesses;

static void end_lane(struct lane *l); /* schedule.c */

static void start_ahead(struct warp *w)
{
    w->ahead = w->settling = w->racing = w->meeting = w->ending = 0;
    w->overtaken = 0;
    w->turns = 1; /* 0 is before all */
    w->loads = w->stores = 0;
    memset(w->head, 0, sizeof w->head);
    memset(w->tail, 0, sizeof w->tail);
    memset(w->plain_reads, 0, sizeof w->plain_reads);
    for (int i = 0; i < PLAIN_READS; i++)
        memset(w->plain_read[i].address, 0, sizeof w->plain_read[i].address);
}

/* ---- a lane makes an access ---- */

/* Whether a lane may go on with an access of the heap: within one allocation. */
static inline __attribute__((always_inline)) bool in_allocation(size_t in_heap, uint32_t bytes,
                                                                uint64_t *region)
{
    uint32_t number = cpucc_by_chunk[in_heap >> 16];
    const struct allocation *x = &cpucc_allocations[number - 1];
    *region = 1ull << number % 63;
    return number && !x->freed && (size_t)(cpucc_heap + in_heap - x->start) + bytes <= x->bytes;
}

/* The same for shared memory of its block. */
static inline __attribute__((always_inline)) bool in_shared(const shadow *s, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (s[i].allocated != 15 || s[i].arriving || s[i].leaving || s[i].mbarrier)
            return false;
    return true;
}

/* The access of a lane is noted, and it may make it now; false if it must stop. */
static inline __attribute__((always_inline)) bool go_ahead(struct lane *l, uintptr_t address,
                                                           uint32_t bytes, bool write, uintptr_t pc)
{
    struct warp *w = l->warp;
    int i = l->index;
    unsigned at = w->tail[i];
    size_t in_heap = address - (uintptr_t)cpucc_heap;
    uint64_t region = 1ull << 63;
    if (at == ROWS_AHEAD || address & (bytes - 1))
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
        w->stores |= region;
    else
        w->loads |= region;
    if (w->loads & w->stores & region)
        return false;
    struct row *r = &w->row[at];
    if (write)
        __builtin_memcpy(r->old[i], (const void *)address, bytes);
    r->address[i] = address;
    r->pc[i] = (uint32_t)(pc - (uintptr_t)__executable_start);
    r->bytes[i] = (uint8_t)bytes;
    r->write[i] = write;
    w->tail[i] = (uint8_t)(at + 1);
    if (!at) {
        w->ahead |= 1u << i;
        w->turn[i] = w->turns++;
        w->clock[i] = l->clock;
    }
    return true;
}

/* ---- the warp comes to it ---- */

static bool is_ahead(const struct warp *w, int lane) { return w->ahead >> lane & 1; }

static void stands_in_row(const struct warp *w, int lane, struct standing *at)
{
    const struct row *r = &w->row[w->head[lane]];
    at->pc = (uintptr_t)__executable_start + r->pc[lane];
    at->bytes = r->bytes[lane];
    at->operation = r->write[lane] ? WRITE : READ;
}

static void stands_at(const struct warp *w, int lane, struct standing *at)
{
    const struct lane *l = &w->lane[lane];
    at->row = -1;
    if (is_ahead(w, lane))
        stands_in_row(w, lane, at);
    else
        at->pc = l->pc, at->bytes = l->bytes, at->operation = l->operation;
}

static uintptr_t place_of_lane(const struct warp *w, int lane)
{
    return is_ahead(w, lane) ? (uintptr_t)__executable_start + w->row[w->head[lane]].pc[lane]
                             : w->lane[lane].pc;
}

static uintptr_t address_of_lane(const struct warp *w, int lane)
{
    return is_ahead(w, lane) ? w->row[w->head[lane]].address[lane] : w->lane[lane].address;
}

static bool same_path(struct warp *w)
{
    uint64_t hash = w->lane[__builtin_ctz(w->stopped)].hash;
    for (uint32_t m = w->stopped; m; m &= m - 1)
        if (w->lane[__builtin_ctz(m)].hash != hash)
            return false;
    w->same_path = true;
    return true;
}

/* Whether all lanes that stand somewhere stand at one instruction, noted in one row: most often. */
static bool all_in_row(struct warp *w, struct standing *at)
{
    uint32_t group = w->stopped;
    int first = __builtin_ctz(group), row = w->head[first];
    const struct row *r = &w->row[row];
    if (group & ~w->ahead)
        return false;
    uint32_t differ = 0;
    if (group == ~0u) {
        for (int i = 0; i < WARP; i++)
            differ |= (uint32_t)(w->head[i] ^ row) | (r->pc[i] ^ r->pc[first]);
    } else {
        for (uint32_t m = group; m; m &= m - 1) {
            int i = __builtin_ctz(m);
            differ |= (uint32_t)(w->head[i] ^ row) | (r->pc[i] ^ r->pc[first]);
        }
    }
    if (differ || (!w->same_path && !same_path(w)))
        return false;
    stands_in_row(w, first, at);
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
static void put_in_place(struct warp *w, int lane, struct place *real)
{
    struct lane *l = &w->lane[lane];
    real->pc = l->pc, real->address = l->address;
    real->bytes = l->bytes, real->operation = l->operation;
    struct standing at;
    stands_in_row(w, lane, &at);
    l->pc = at.pc, l->address = w->row[w->head[lane]].address[lane];
    l->bytes = at.bytes, l->operation = at.operation;
}

static void put_back(struct lane *l, const struct place *real)
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
    uint64_t after = lane < 0 ? 0 : (uint64_t)w->turn[lane] << 8 | (unsigned)row;
    uint64_t least = ~(uint64_t)0;
    for (uint32_t m = w->ahead; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        for (int r = 0; r < w->tail[i]; r++) {
            uint64_t when = (uint64_t)w->turn[i] << 8 | (unsigned)r;
            uintptr_t in = word - w->row[r].address[i];
            if (w->row[r].write[i] && in < w->row[r].bytes[i] && when > after && when < least)
                least = when, next = &w->row[r].old[i][in / 4];
        }
    }
    return next;
}

/* What the lane has written into the word. */
static uint32_t written_ahead(struct warp *w, int lane, int row, uintptr_t word)
{
    const uint32_t *old = next_write(w, lane, row, word);
    uint32_t value;
    if (old)
        return *old;
    for (int n = 0; n < w->overtaken; n++)
        if (w->overtaken_words[n].word == word)
            return w->overtaken_words[n].value;
    memcpy(&value, (const void *)word, 4);
    return value;
}

/* The lane's turn has come to make a write that others may have made too: memory goes back to what it
 * held before. */
static void go_back(struct warp *w, int lane, uintptr_t word)
{
    const uint32_t *before = NULL;
    uint32_t writer = cpucc_shadow(word)->write.when >> CLOCK_BITS, value;
    for (int n = 0; n < w->overtaken; n++)
        if (w->overtaken_words[n].word == word)
            return;
    if (w->overtaken == sizeof w->overtaken_words / sizeof *w->overtaken_words)
        return;
    memcpy(&value, (const void *)word, 4);
    int from = -1, i = (int)(writer % WARP);
    for (int r = 0; w->ahead >> i & 1 && r < w->tail[i]; r++)
        if (writer / WARP == (uint32_t)w->number && w->row[r].write[i] &&
            word - w->row[r].address[i] < w->row[r].bytes[i] &&
            (r < w->head[i] || (r == w->head[i] && i < lane)))
            from = r;
    uint32_t earlier = from < 0 ? 0 : written_ahead(w, i, from, word);
    before = from < 0 ? next_write(w, -1, 0, word) : &earlier;
    w->overtaken_words[w->overtaken++] = (struct overtaken){word, value};
    if (before)
        memcpy((void *)word, before, 4);
}

/* Checks a write that the lane has made ahead, as if it made it now. */
static bool check_again(struct warp *w, struct lane *l)
{
    int i = l->index, row = w->head[i];
    for (uint32_t k = 0; k < l->bytes; k += 4)
        go_back(w, i, l->address + k);
    bool fine = cpucc_check(l, l->address, l->bytes, WRITE, cpucc_space(l, l->address));
    if (l->racing)
        memcpy(l->racing_old, (const void *)l->racing, l->racing_bytes);
    for (uint32_t k = 0; k < l->bytes; k += 4) {
        uint32_t value = written_ahead(w, i, row, l->address + k);
        memcpy((void *)(l->address + k), &value, 4);
    }
    if (l->racing) {
        memcpy(l->racing_new, (const void *)l->racing, l->racing_bytes);
        l->racing_known = true;
    }
    return fine;
}

/* What lanes have done ahead has been accounted for: those that need not run to come to the block's
 * barrier, or to their end, are there. The others. */
static uint32_t come_to_rest(struct warp *w, uint32_t settled)
{
    uint32_t meeting = settled & w->meeting, ending = settled & w->ending;
    for (uint32_t m = meeting; m; m &= m - 1) {
        struct lane *l = &w->lane[__builtin_ctz(m)];
        if (w->racing & m & -m)
            cpucc_finish_race(l);
        l->pc = l->meets;
        l->waiting = WAIT_BLOCK;
    }
    w->waiting |= meeting;
    w->block->at_barrier += (uint32_t)__builtin_popcount(meeting);
    for (uint32_t m = ending; m; m &= m - 1)
        end_lane(&w->lane[__builtin_ctz(m)]);
    w->meeting &= ~meeting, w->ending &= ~ending;
    w->stopped &= ~(meeting | ending);
    return settled & ~(meeting | ending);
}

/* The group's accesses have been accounted for; which lanes can go on. */
static uint32_t step_ahead(struct warp *w, uint32_t group)
{
    uint32_t on = group & ~w->ahead, drained = 0;
    if (group == ~0u && w->ahead == ~0u) {
        for (int i = 0; i < WARP; i++)
            w->head[i]++;
        if (memcmp(w->head, w->tail, WARP))
            for (int i = 0; i < WARP; i++)
                drained |= (uint32_t)(w->head[i] == w->tail[i]) << i;
        else
            drained = ~0u;
    } else {
        for (uint32_t m = group & w->ahead; m; m &= m - 1)
            if (++w->head[__builtin_ctz(m)] == w->tail[__builtin_ctz(m)])
                drained |= m & -m;
    }
    if (!drained)
        return on;
    for (uint32_t m = drained; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (w->settling & m & -m) { /* it stands nowhere else: this was its last access */
            struct place kept;
            w->head[i]--;
            put_in_place(w, i, &kept);
        }
        w->head[i] = w->tail[i] = 0;
    }
    w->ahead &= ~drained;
    uint32_t settled = drained & w->settling;
    w->settling &= ~drained;
    on |= w->meeting | w->ending ? come_to_rest(w, settled) : settled;
    if (!w->ahead)
        w->overtaken = 0, w->turns = 1;
    return on;
}

void cpucc_ahead_start(const struct launch *L)
{
    extern bool cpucc_tracing;
    cpucc_records_accesses = L->recorded;
    cpucc_may_be_ahead = L->recorded && L->cluster_size == 1 && !cpucc_tracing &&
                         !cpucc_copies_beside && !getenv("CPUCC_SCHEDULE");
}
