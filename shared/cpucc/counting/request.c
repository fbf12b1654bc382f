/*
 * Checks each lane's access of a warp's request, then counts the request.
 */
#include "../core/internal.h"
#include "../checks/race_fast_path.h"
#include "../reports/trace.h"

/* Checks one lane's access without the fast path. Returns false if a fault has ended the launch. */
static __attribute__((noinline)) bool check_lane(struct warp *w, struct lane *l,
                                                 const struct group_access *at, enum space space)
{
    struct place kept;
    if (!has_deferred(w, l->index))
        return cpucc_check_access(l, l->address, l->bytes, at->operation, space);
    assume_deferred(w, l->index, &kept);
    bool fine = at->operation == WRITE ? check_deferred_write(w, l)
                                       : cpucc_check_access(l, l->address, l->bytes, READ, space);
    restore_real(l, &kept);
    return fine;
}

/* Returns the bytes of the lane's access. */
static inline uint32_t bytes_of_lane(const struct warp *w, int lane, const struct group_access *at)
{
    return at->row >= 0            ? w->deferred_row[at->row].bytes[lane]
           : has_deferred(w, lane) ? w->deferred_row[w->first_row[lane]].bytes[lane]
                                   : w->lane[lane].bytes;
}

/* Notes the plain reads of these lanes for races.c's note_swap. */
static inline void note_plain_reads(struct warp *w, uint32_t lanes, const struct group_access *at)
{
    uint8_t first = w->plain_reads[0], differ = 0;
    for (int i = 0; i < WARP; i++)
        differ |= w->plain_reads[i] ^ first;
    if (lanes != ~0u || differ || at->row < 0) {
        for (uint32_t m = lanes; m; m &= m - 1) {
            int i = __builtin_ctz(m);
            note_plain_read(&w->lane[i], address_of_lane(w, i), at->pc);
        }
        return;
    }
    struct plain_reads *r = &w->plain_read[first % KEPT_PLAIN_READS];
    memcpy(r->address, w->deferred_row[at->row].address, sizeof r->address);
    for (int i = 0; i < WARP; i++)
        r->pc[i] = at->pc, w->plain_reads[i]++;
}

/* Checks a cp.async of a group of lanes, then counts it unless a fault has ended the launch. */
static void account_copies(struct warp *w, uint32_t group, const struct group_access *at)
{
    struct traffic_copy copy;
    uint32_t zeros = 0;
    copy.lanes = 0, copy.bytes = (int)at->bytes;
    copy.through_l1 = w->lane[__builtin_ctz(group)].through_l1;
    for (uint32_t m = group; m; m &= m - 1) {
        struct lane *l = &w->lane[__builtin_ctz(m)];
        cpucc_finish_race(l);
        if (!cpucc_check_access(l, l->address, l->bytes, WRITE, cpucc_space(l, l->address)))
            return;
        copy.lanes |= m & -m, copy.to[l->index] = l->address;
        if (l->value) { /* bytes to read; zeros fill the rest */
            if (!cpucc_check_access(l, l->address2, (uint32_t)l->value, READ,
                                    cpucc_space(l, l->address2)))
                return;
            copy.from[l->index] = l->address2;
        } else
            zeros |= m & -m;
    }
    cpucc_count_copy(w, at->pc, &copy, zeros);
    cpucc_note_request(w, group, CPUCC_ASYNC_COPY_SHARED, at->bytes, copy.to);
}

/* Adds an atomic request to the totals that no counter includes. */
static void account_atomic(struct warp *w, uint32_t group, const struct group_access *at)
{
    const struct lane *first = &w->lane[__builtin_ctz(group)];
    if ((uintptr_t)(first->address - (uintptr_t)cpucc_heap) <
        (uintptr_t)(cpucc_heap_end - cpucc_heap))
        cpucc_heap_atomics++;
    else
        cpucc_other_atomic_bytes += at->bytes * (unsigned)__builtin_popcount(group);
    if (cpucc_tracing)
        cpucc_trace_atomic(w, group);
}

void cpucc_check_and_count(struct warp *w, uint32_t group, const struct group_access *at)
{
    enum operation op = at->operation;
    if (op == MARK) {
        for (uint32_t m = group; m; m &= m - 1)
            w->lane[__builtin_ctz(m)].value = group;
        return;
    }
    if (op == ASYNC_COPY) {
        account_copies(w, group, at);
        return;
    }
    bool load = op == READ || op == VOLATILE_READ;
    struct traffic_request global, shared;
    global.kind = load ? TRAFFIC_GLOBAL_LOAD : TRAFFIC_GLOBAL_STORE;
    shared.kind = load ? TRAFFIC_SHARED_LOAD : TRAFFIC_SHARED_STORE;
    global.bytes = shared.bytes = (int)at->bytes;
    global.lanes = shared.lanes = 0;
    w->scattered = false;
    for (uint32_t m = op == VOLATILE_WRITE ? group : 0; m; m &= m - 1)
        w->scattered |= w->lane[__builtin_ctz(m)].address != w->lane[__builtin_ctz(group)].address;
    struct fast_path fast_path = fast_path_start(w, at);
    uint32_t checked_fast = 0;
    if (at->row >= 0 && group == ~0u) {
        const struct deferred_row *r = &w->deferred_row[at->row];
        enum space space = FOREIGN;
        int n = fast_path_row(&fast_path, w, r, &space);
        struct traffic_request *to = space == GLOBAL ? &global : &shared;
        checked_fast = n < WARP ? (1u << n) - 1 : ~0u;
        to->lanes = checked_fast;
        memcpy(to->address, r->address, sizeof *r->address * (size_t)n);
    }
    for (uint32_t m = group & ~checked_fast; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        struct lane *l = &w->lane[i];
        uintptr_t address =
            at->row >= 0 ? w->deferred_row[at->row].address[i] : address_of_lane(w, i);
        if (w->race_pending & m & -m)
            cpucc_finish_race(l);
        /* If an address is not aligned, pieces of different sizes may form one request. */
        enum space space = bytes_of_lane(w, i, at) == at->bytes
                               ? fast_path_check(&fast_path, l, address)
                               : FOREIGN;
        if (space != FOREIGN) {
            checked_fast |= m & -m;
        } else {
            space = cpucc_space(l, address);
            if (!check_lane(w, l, at, space))
                return;
        }
        if (space == GLOBAL)
            global.lanes |= m & -m, global.address[i] = address;
        else if (space == SHARED)
            shared.lanes |= m & -m, shared.address[i] = address;
    }
    if (checked_fast && load)
        note_plain_reads(w, checked_fast, at);
    if (op == ATOMIC) {
        account_atomic(w, group, at);
        return;
    }
    if (global.lanes)
        cpucc_count_request(w, at->pc, load ? CPUCC_GLOBAL_LOAD : CPUCC_GLOBAL_STORE, &global);
    if (shared.lanes) {
        int counter = load ? CPUCC_SHARED_LOAD : CPUCC_SHARED_STORE;
        cpucc_count_request(w, at->pc, counter, &shared);
        cpucc_note_request(w, shared.lanes, counter, at->bytes, shared.address);
    }
}
