/*
 * Checks each lane's access of a warp's request, then counts the request.
 */
#include "deferred_access.h"

bool cpucc_check_access(struct lane *l, uintptr_t address, uint32_t bytes, enum operation op,
                        enum space space)
{
    bool write = op == WRITE || op == VOLATILE_WRITE || op == ATOMIC;
    if (space == IGNORED || (space == CONSTANT && !write && !cpucc_in_gap(address, bytes)))
        return true;
    struct access access = {address,
                            bytes,
                            op,
                            space,
                            write,
                            NULL,
                            bytes >= 4 ? 15 : (bytes == 2 ? 3u : 1u) << (address & 3)};
    if (space != CONSTANT && space != FOREIGN)
        access.words = cpucc_shadow(address);
    if (!cpucc_permitted(l, &access))
        return false;
    if (!cpucc_recorded()) {
        if (write)
            cpucc_mark_written(address, bytes);
        return true;
    }
    if (op == SPECULATED_READ)
        return true;
    CPUCC_TELL(access, l, &access);
    struct word word = {.s = access.words,
                        .mask = access.mask,
                        .operation = op,
                        .strong = op == ATOMIC || op == VOLATILE_READ || op == VOLATILE_WRITE,
                        .shared = space == SHARED};
    for (uint32_t i = 0; i < bytes; i += 4, word.s++) {
        word.address = address + i;
        word.was_written = word.s->written & word.mask;
        if (write)
            CPUCC_TELL(word_write, l, &word);
        else
            CPUCC_TELL(word_read, l, &word);
    }
    return true;
}

/* Checks one lane's access without the fast path. Returns false if a fault has ended the launch. */
static __attribute__((noinline)) bool check_lane(struct warp *w, struct lane *l,
                                                 const struct group_access *at, enum space space)
{
    const struct group_access kept = {l->pc, l->bytes, l->operation, -1};
    const struct deferred_row *row = first_row(w, l->index);
    uintptr_t address = l->address;
    if (!has_deferred(w, l->index))
        return cpucc_check_access(l, l->address, l->bytes, at->operation, space);
    set_access(l, access_in_row(row, l->index), row->address[l->index]);
    bool fine = at->operation == WRITE ? cpucc_check_deferred_write(w, l)
                                       : cpucc_check_access(l, l->address, l->bytes, READ, space);
    set_access(l, kept, address);
    return fine;
}

/* Checks a cp.async of a group of lanes, then counts it unless a fault has ended the launch. */
static void account_copies(struct warp *w, uint32_t group, const struct group_access *at)
{
    struct traffic_copy copy;
    uint32_t zeros = 0;
    copy.lanes = 0, copy.bytes = (int)at->bytes;
    copy.through_l1 = w->lane[__builtin_ctz(group)].through_l1;
    EACH_LANE_IN(l, w, group) {
        cpucc_settle(l);
        if (!cpucc_check_access(l, l->address, l->bytes, WRITE, cpucc_space(l, l->address)))
            return;
        copy.lanes |= 1u << l->index, copy.to[l->index] = l->address;
        if (l->value) { /* bytes to read; zeros fill the rest */
            if (!cpucc_check_access(l, l->address2, (uint32_t)l->value, READ,
                                    cpucc_space(l, l->address2)))
                return;
            copy.from[l->index] = l->address2;
        } else
            zeros |= 1u << l->index;
    }
    cpucc_count_copy(w, at->pc, &copy, zeros);
    cpucc_note_request(w, group, CPUCC_ASYNC_COPY_SHARED, at->bytes, copy.to);
}

/* True if the lane's last atomic was at this place too, where nothing has changed since: it has learned nothing. */
static bool polls(struct lane *l, uint32_t group, uint32_t bytes)
{
    uint64_t value = 0;
    bool alone = group == 1u << l->index && bytes <= sizeof value;
    if (alone) /* else the lanes of the request change the value one after the other */
        memcpy(&value, (const void *)l->address, bytes);
    bool same = alone && l->atomic_address == l->address && l->atomic_value == value;
    l->atomic_address = alone ? l->address : 0, l->atomic_value = value;
    return same;
}

/* Adds an atomic request to the totals that no counter includes. */
static void account_atomic(struct warp *w, uint32_t group, const struct group_access *at)
{
    EACH_LANE_IN(l, w, group)
        if (cpucc_in_heap(l->address))
            cpucc_heap_atomics++;
        else if (!polls(l, group, at->bytes))
            cpucc_other_atomic_bytes += at->bytes;
    CPUCC_TELL(atomic, w, group);
}

void cpucc_check_and_count(struct warp *w, uint32_t group, const struct group_access *at)
{
    enum operation op = at->operation;
    if (op == MARK) {
        EACH_LANE_IN(l, w, group)
            l->value = group;
        return;
    }
    if (op == ASYNC_COPY) {
        account_copies(w, group, at);
        return;
    }
    bool load = op == READ || op == VOLATILE_READ || op == SPECULATED_READ;
    struct traffic_request global, shared;
    global.kind = load ? TRAFFIC_GLOBAL_LOAD : TRAFFIC_GLOBAL_STORE;
    shared.kind = load ? TRAFFIC_SHARED_LOAD : TRAFFIC_SHARED_STORE;
    global.bytes = shared.bytes = (int)at->bytes;
    global.lanes = shared.lanes = 0;
    w->scattered = false;
    for (uint32_t m = op == VOLATILE_WRITE ? group : 0; m; m &= m - 1)
        w->scattered |= w->lane[__builtin_ctz(m)].address != w->lane[__builtin_ctz(group)].address;
    struct request r = {w, at, group, 0, &global, &shared};
    while (r.todo) {
        cpucc_check_lanes(&r);
        if (!r.todo)
            break;
        uint32_t lane = r.todo & -r.todo;
        struct lane *l = &w->lane[__builtin_ctz(lane)];
        uintptr_t address = address_in_request(w, l->index, at);
        cpucc_settle(l);
        enum space space = cpucc_space(l, address);
        if (!check_lane(w, l, at, space))
            return;
        add_to_request(&r, l->index, space, address);
    }
    if (r.checked_fast && load)
        CPUCC_TELL(plain_reads, w, r.checked_fast, at);
    if (op == ATOMIC) {
        account_atomic(w, group, at);
        return;
    }
    if (global.lanes && cpucc_device_count > 1)
        cpucc_count_peers(w, at->pc, &global);
    if (global.lanes)
        cpucc_count_request(w, at->pc, load ? CPUCC_GLOBAL_LOAD : CPUCC_GLOBAL_STORE, &global);
    if (shared.lanes) {
        int counter = load ? CPUCC_SHARED_LOAD : CPUCC_SHARED_STORE;
        cpucc_count_request(w, at->pc, counter, &shared);
        cpucc_note_request(w, shared.lanes, counter, at->bytes, shared.address);
    }
}
