/* Declares deferred accesses (deferred_access.c), with the functions that each access needs inline. */
#ifndef CPUCC_DEFERRED_ACCESS_H
#define CPUCC_DEFERRED_ACCESS_H

#include "execution.h"

void cpucc_start_deferring(struct warp *w); /* prepares the warp of a new block */
void cpucc_forget_ranges(void);             /* called before memory is freed that rows may know */
void cpucc_defer_start(const struct launch *launch); /* sets cpucc_may_defer for the launch */
/* If the lane has deferred accesses: flushes them, waits at the block's barrier, then returns
 * true. Else returns false. */
bool cpucc_flush_at_barrier(struct lane *lane, uintptr_t pc);
/* Whether all stopped lanes are at one instruction and noted it in one row; then sets *at to it. */
bool cpucc_all_in_one_row(struct warp *w, struct group_access *at);
/* Checks a deferred write as if the lane made it now; false if the launch ends. */
bool cpucc_check_deferred_write(struct warp *w, struct lane *l);
/* Removes the group's checked accesses and returns the lanes that can run. `row`: group_access.row. */
uint32_t cpucc_advance_group(struct warp *w, uint32_t group, int row);

/* ---- when a lane makes an access ---- */

/* Returns an access' instruction, width and direction as one number. */
static inline uint64_t access_key(uintptr_t pc, uint32_t bytes, bool write)
{
    return (uint64_t)pc | (uint64_t)bytes << 48 | (uint64_t)write << 56;
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

/* Returns the number of an access' place in a range of such places; a huge number if the address is not
 * aligned, or lies before the range. `bytes`: a power of two. */
static inline size_t place_in(uintptr_t start, uintptr_t address, uint32_t bytes)
{
    int bits = __builtin_ctz(bytes);
    return (address - start) >> bits | (address - start) << (64 - bits);
}

/* Notes the lane's access in its next row, and returns true if the lane may make it now; false if it must
 * stop. `range`: has the address. */
static inline __attribute__((always_inline)) bool note_access(struct lane *l, uintptr_t address,
                                                              uint32_t bytes, bool write,
                                                              const struct row_range *range)
{
    struct warp *w = l->warp;
    int i = l->index;
    unsigned at = w->end_row[i];
    struct deferred_row *r = &w->deferred_row[at];
    const shadow *s = range->words + place_in(range->start, address, bytes) * (bytes / 4);
    if (range->shared && !in_shared(s, bytes))
        return false;
    uint64_t *regions = write ? &w->stored_regions : &w->loaded_regions;
    *regions |= range->region;
    if ((write ? w->loaded_regions : w->stored_regions) & range->region)
        return false;
    for (uint32_t k = 0; write && k < bytes / 4; k++)
        __builtin_memcpy(&r->old[k][i], (const uint32_t *)address + k, 4);
    r->address[i] = address;
    w->end_row[i] = (uint8_t)(at + 1);
    if (!at) {
        w->deferred |= 1u << i;
        w->run_number[i] = w->runs++;
        w->clock[i] = l->clock;
    }
    return true;
}

/* Finds the range and notes the access; true if the lane may make it now, false if it must stop. */
bool cpucc_defer_apart(struct lane *l, uintptr_t address, uint32_t bytes, uint64_t access);

/* Notes the access and returns true if it is the row's and in its range. */
static inline __attribute__((always_inline)) bool
defer_access(struct lane *l, uintptr_t address, uint32_t bytes, bool write, uintptr_t pc)
{
    const struct deferred_row *r = &l->warp->deferred_row[l->warp->end_row[l->index]];
    return access_key(pc, bytes, write) == r->access &&
           place_in(r->range.start, address, bytes) < r->range.places &&
           note_access(l, address, bytes, write, &r->range);
}

/* ---- when the warp reaches the access ---- */

static inline bool has_deferred(const struct warp *w, int lane) { return w->deferred >> lane & 1; }

/* Returns the lane's access in a row. */
static inline struct group_access access_in_row(const struct deferred_row *r, int lane)
{
    uint64_t access = r->apart >> lane & 1 ? r->other[lane] : r->access;
    return (struct group_access){.pc = access & (((uintptr_t)1 << 48) - 1),
                                 .bytes = access >> 48 & 255,
                                 .operation = access >> 56 ? WRITE : READ,
                                 .row = -1};
}

/* Returns the row of the lane's first deferred access. */
static inline const struct deferred_row *first_row(const struct warp *w, int lane)
{
    return &w->deferred_row[w->first_row[lane]];
}

/* Returns the lane's next access, deferred or not. */
static inline struct group_access access_of_lane(const struct warp *w, int lane)
{
    const struct lane *l = &w->lane[lane];
    return has_deferred(w, lane) ? access_in_row(first_row(w, lane), lane)
                                 : (struct group_access){l->pc, l->bytes, l->operation, -1};
}

static inline uintptr_t address_of_lane(const struct warp *w, int lane)
{
    return has_deferred(w, lane) ? first_row(w, lane)->address[lane] : w->lane[lane].address;
}

/* Makes this the lane's pending access. */
static inline void set_access(struct lane *l, struct group_access at, uintptr_t address)
{
    l->pc = at.pc, l->bytes = at.bytes, l->operation = at.operation, l->address = address;
}

/* ---- the lanes of a request ---- */

/* Returns the bytes of the lane's access. */
static inline uint32_t bytes_of_lane(const struct warp *w, int lane, const struct group_access *at)
{
    return at->row >= 0 ? at->bytes : access_of_lane(w, lane).bytes;
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
