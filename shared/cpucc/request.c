/*
 * What a warp's request goes through: each lane's access is checked, then the request is counted.
 * Part of hot.c, after races.c.
 */
#include "internal.h"
#include "quick.h"
#include "trace.h"

/* A group of lanes stands at one access: check it and count it. */
void cpucc_account(struct warp *w, uint32_t group)
{
    struct lane *first = &w->lane[__builtin_ctz(group)];
    enum operation op = first->operation;
    if (op == MARK) {
        for (uint32_t m = group; m; m &= m - 1)
            w->lane[__builtin_ctz(m)].value = group;
        return;
    }
    bool load = op == READ || op == VOLATILE_READ;
    struct traffic_request global, shared;
    struct traffic_copy copy;
    global.kind = load ? TRAFFIC_GLOBAL_LOAD : TRAFFIC_GLOBAL_STORE;
    shared.kind = load ? TRAFFIC_SHARED_LOAD : TRAFFIC_SHARED_STORE;
    global.bytes = shared.bytes = copy.bytes = (int)first->bytes;
    global.lanes = shared.lanes = copy.lanes = 0;
    copy.through_l1 = first->through_l1;
    uint32_t zeros = 0;
    w->scattered = false;
    for (uint32_t m = op == VOLATILE_WRITE ? group : 0; m; m &= m - 1)
        w->scattered |= w->lane[__builtin_ctz(m)].address != first->address;
    struct quick quick = quick_start(w, first);
    for (uint32_t m = group; m; m &= m - 1) {
        struct lane *l = &w->lane[__builtin_ctz(m)];
        uint32_t bit = m & -m;
        cpucc_finish_race(l);
        enum space space = cpucc_space(l, l->address);
        if (op == ASYNC_COPY) {
            if (!cpucc_check(l, l->address, l->bytes, WRITE, space))
                return;
            copy.lanes |= bit, copy.to[l->index] = l->address;
            if (l->value) { /* bytes to read; the rest is filled with zeros */
                if (!cpucc_check(l, l->address2, (uint32_t)l->value, READ,
                                 cpucc_space(l, l->address2)))
                    return;
                copy.from[l->index] = l->address2;
            } else
                zeros |= bit;
            continue;
        }
        if (!quick_check(&quick, l, space) && !cpucc_check(l, l->address, l->bytes, op, space))
            return;
        if (space == GLOBAL)
            global.lanes |= bit, global.address[l->index] = l->address;
        else if (space == SHARED)
            shared.lanes |= bit, shared.address[l->index] = l->address;
    }
    if (op == ATOMIC) {
        if ((uintptr_t)(first->address - (uintptr_t)cpucc_heap) <
            (uintptr_t)(cpucc_heap_end - cpucc_heap))
            cpucc_heap_atomics++;
        else
            cpucc_other_atomic_bytes += first->bytes * (unsigned)__builtin_popcount(group);
        if (cpucc_tracing)
            cpucc_trace_atomic(w, group);
        return;
    }
    if (op == ASYNC_COPY) {
        cpucc_count_copy(w, first->pc, &copy, zeros);
        cpucc_note_request(w, group, CPUCC_ASYNC_COPY_SHARED, first->bytes);
        return;
    }
    if (global.lanes)
        cpucc_count_request(w, first->pc, load ? CPUCC_GLOBAL_LOAD : CPUCC_GLOBAL_STORE, &global);
    if (shared.lanes) {
        int counter = load ? CPUCC_SHARED_LOAD : CPUCC_SHARED_STORE;
        cpucc_count_request(w, first->pc, counter, &shared);
        cpucc_note_request(w, group, counter, first->bytes);
    }
}
