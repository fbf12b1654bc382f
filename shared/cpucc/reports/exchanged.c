/*
 * Counts the recorded block's requests as if its kernel exchanged threadIdx.x and threadIdx.y: thread (x, y) of a
 * square block would make the accesses of thread (y, x), so that each warp would have other threads.
 */
#include <stdlib.h>
#include "report_html.h"

struct thread_access {
    uintptr_t pc;
    int event, nth;  /* nth: of the thread's accesses at pc */
    unsigned thread; /* after the exchange */
    uint64_t address;
};

static int by_place(const void *left, const void *right)
{
    const struct thread_access *a = left, *b = right;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    if (a->nth != b->nth)
        return a->nth < b->nth ? -1 : 1;
    return a->thread != b->thread ? (a->thread < b->thread ? -1 : 1) : a->event - b->event;
}

/* Stores the lanes of the block's events, sorted by the request that each would be part of. Returns their number;
 * 0 if a thread's place in its warp matters to the kernel, or if the recording is not whole. */
static size_t regroup(const struct trace_block *t, unsigned side, struct thread_access *all)
{
    size_t n = 0;
    for (int e = 0; e < t->count; e++) {
        const struct trace_event *v = &t->events[e];
        const struct trace_pattern *p = cpucc_trace_pattern(v->pattern);
        if (v->kind == TRACE_BARRIER)
            continue;
        if (v->kind != TRACE_REQUEST || !p || p->counter > CPUCC_SHARED_STORE)
            return 0;
        for (uint32_t m = p->lanes; m; m &= m - 1) {
            unsigned lane = (unsigned)__builtin_ctz(m), thread = v->warp * WARP + lane;
            all[n++] = (struct thread_access){.pc = v->pc,
                                              .event = e,
                                              .thread = thread % side * side + thread / side,
                                              .address = v->at + (uint64_t)p->offset[0][lane]};
        }
    }
    qsort(all, n, sizeof *all, by_place);
    for (size_t i = 1; i < n; i++)
        if (all[i].pc == all[i - 1].pc && all[i].thread == all[i - 1].thread)
            all[i].nth = all[i - 1].nth + 1;
    qsort(all, n, sizeof *all, by_place);
    return n;
}

void cpucc_put_exchange(FILE *to, const struct trace_kernel *k)
{
    const struct trace_block *t = k->block;
    const index3 b = t ? k->record->launches[t->launch - 1].block : (index3){0};
    if (!t || b.x != b.y || b.x == 1 || b.z != 1 || t->left_out || t->faulty)
        return;
    struct thread_access *all = cpucc_nonnull(malloc(sizeof *all * WARP * (size_t)(t->count + 1)));
    size_t n = regroup(t, b.x, all);
    uint64_t work[2] = {0}, would[2] = {0}; /* sectors, wavefronts */
    for (int e = 0; n && e < t->count; e++) {
        const struct trace_pattern *p = cpucc_trace_pattern(t->events[e].pattern);
        if (t->events[e].kind == TRACE_REQUEST)
            work[p->counter >= CPUCC_SHARED_LOAD] += (uint64_t)p->work[0];
    }
    for (size_t i = 0, end; i < n; i = end) {
        const struct trace_pattern *p = cpucc_trace_pattern(t->events[all[i].event].pattern);
        struct traffic_request r = {(enum traffic_kind)p->counter, p->bytes, 0, {0}};
        for (end = i; end < n && all[end].pc == all[i].pc && all[end].nth == all[i].nth &&
                      all[end].thread / WARP == all[i].thread / WARP;
             end++) {
            r.lanes |= 1u << all[end].thread % WARP;
            r.address[all[end].thread % WARP] = all[end].address;
        }
        would[p->counter >= CPUCC_SHARED_LOAD] += (uint64_t)traffic_cost(&r).work;
    }
    free(all);
    bool worse = would[0] > work[0] || would[1] > work[1];
    if (!worse && (10 * would[0] < 9 * work[0] || 10 * would[1] < 9 * work[1]))
        fprintf(to, ",\n\"exchanged\":[[%llu,%llu],[%llu,%llu]]", (unsigned long long)work[0],
                (unsigned long long)would[0], (unsigned long long)work[1],
                (unsigned long long)would[1]);
}
