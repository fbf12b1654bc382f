/* Declares deferred accesses (deferred_access.c), with the functions that each access needs inline. */
#ifndef CPUCC_DEFERRED_ACCESS_H
#define CPUCC_DEFERRED_ACCESS_H

#include "execution.h"

void cpucc_start_deferring(struct warp *w);          /* prepares the warp of a new block */
void cpucc_defer_start(const struct launch *launch); /* sets cpucc_may_defer for the launch */
/* If the lane has deferred accesses: flushes them, waits at the block's barrier, then returns
 * true. Else returns false. */
bool cpucc_flush_at_barrier(struct lane *lane, uintptr_t pc);
/* Whether all stopped lanes are at one instruction and noted it in one row; then sets *at to it. */
bool cpucc_all_in_one_row(struct warp *w, struct group_access *at);
/* Checks a deferred write as if the lane made it now; false if the launch ends. */
bool cpucc_check_deferred_write(struct warp *w, struct lane *l);
/* Removes the group's checked accesses and returns the lanes that can run. */
uint32_t cpucc_advance_group(struct warp *w, uint32_t group);

/* ---- when a lane makes an access ---- */

/* Whether `bytes` bytes at an offset in the heap lie in one live allocation. Sets *region to the
 * allocation's hash bit. */
static inline __attribute__((always_inline)) bool in_allocation(size_t in_heap, uint32_t bytes,
                                                                uint64_t *region)
{
    uint32_t number = cpucc_allocation_of_chunk[in_heap >> 16];
    const struct allocation *x = &cpucc_allocations[number - 1];
    *region = 1ull << number % 64;
    return number && !x->freed && (size_t)(cpucc_heap + in_heap - x->start) + bytes <= x->bytes;
}

/* Whether the words of shared memory are allocated and free of asynchronous copies and
 * mbarriers. */
static inline __attribute__((always_inline)) bool in_shared(const shadow *s, uint32_t bytes)
{
    const uint32_t wanted = WORD_FLAGS(.allocated = 15),
                   tested = wanted | WORD_FLAGS(.copying_in = 1, .copying_out = 1, .mbarrier = 1);
    for (uint32_t i = 0; i < bytes / 4; i++)
        if ((s[i].flags & tested) != wanted)
            return false;
    return true;
}

/* Notes the lane's access and returns true if the lane may make it now; false if it must stop. */
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
        __builtin_prefetch(cpucc_heap_shadow + in_heap / 4, 1);
        if (bytes > 8)
            __builtin_prefetch(cpucc_heap_shadow + in_heap / 4 + 2, 1);
    } else {
        size_t in_slots = address - (uintptr_t)cpucc_slots;
        if (in_slots / SLOT_BYTES != (size_t)w->block->slot ||
            !in_shared(cpucc_slot_shadow + in_slots / 4, bytes))
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

/* ---- when the warp reaches the access ---- */

static inline bool has_deferred(const struct warp *w, int lane) { return w->deferred >> lane & 1; }

/* Sets *at to the lane's first deferred access. */
static inline void access_in_row(const struct warp *w, int lane, struct group_access *at)
{
    const struct deferred_row *r = &w->deferred_row[w->first_row[lane]];
    at->pc = (uintptr_t)__executable_start + r->pc[lane];
    at->bytes = r->bytes[lane];
    at->operation = r->write[lane] ? WRITE : READ;
}

/* Sets *at to the lane's next access, deferred or not. */
static inline void access_of_lane(const struct warp *w, int lane, struct group_access *at)
{
    const struct lane *l = &w->lane[lane];
    at->row = -1;
    if (has_deferred(w, lane))
        access_in_row(w, lane, at);
    else
        at->pc = l->pc, at->bytes = l->bytes, at->operation = l->operation;
}

static inline uintptr_t place_of_lane(const struct warp *w, int lane)
{
    return has_deferred(w, lane)
               ? (uintptr_t)__executable_start + w->deferred_row[w->first_row[lane]].pc[lane]
               : w->lane[lane].pc;
}

static inline uintptr_t address_of_lane(const struct warp *w, int lane)
{
    return has_deferred(w, lane) ? w->deferred_row[w->first_row[lane]].address[lane]
                                 : w->lane[lane].address;
}

struct place { /* a lane's pending access */
    uintptr_t pc, address;
    uint32_t bytes;
    enum operation operation;
};

/* Sets the lane's pending access to its first deferred access. *real gets the former pending
 * access, for restore_real. */
static inline void assume_deferred(struct warp *w, int lane, struct place *real)
{
    struct lane *l = &w->lane[lane];
    real->pc = l->pc, real->address = l->address;
    real->bytes = l->bytes, real->operation = l->operation;
    struct group_access at;
    access_in_row(w, lane, &at);
    l->pc = at.pc, l->address = w->deferred_row[w->first_row[lane]].address[lane];
    l->bytes = at.bytes, l->operation = at.operation;
}

static inline void restore_real(struct lane *l, const struct place *real)
{
    l->pc = real->pc, l->address = real->address;
    l->bytes = real->bytes, l->operation = real->operation;
}

/* ---- the lanes of a request ---- */

/* Returns the bytes of the lane's access. */
static inline uint32_t bytes_of_lane(const struct warp *w, int lane, const struct group_access *at)
{
    return at->row >= 0            ? w->deferred_row[at->row].bytes[lane]
           : has_deferred(w, lane) ? w->deferred_row[w->first_row[lane]].bytes[lane]
                                   : w->lane[lane].bytes;
}

/* Returns the address of the lane's access. */
static inline uintptr_t address_in_request(const struct warp *w, int lane,
                                           const struct group_access *at)
{
    return at->row >= 0 ? w->deferred_row[at->row].address[lane] : address_of_lane(w, lane);
}

/* Removes a checked lane from request.todo, and adds it to the request of its space. */
static inline void add_to_request(struct request *r, int lane, enum space space, uintptr_t address)
{
    r->todo &= ~(1u << lane);
    if (space == GLOBAL)
        r->global->lanes |= 1u << lane, r->global->address[lane] = address;
    else if (space == SHARED)
        r->shared->lanes |= 1u << lane, r->shared->address[lane] = address;
}

#endif
