/*
 * Completes asynchronous copies: when their thread waits for them, when the scheduler asks for it, and at the
 * end of a thread or a block.
 */
#include <stdlib.h>
#include "async.h"

enum {
    FAILED_TRIES = 20000
}; /* after so many failed tries on an mbarrier, without a new address elsewhere, a try waits */

bool cpucc_finish_copies(struct lane *l, enum copy_kind kind, int up_to,
                         const struct async_copy *arrival, bool read_only)
{
    bool any = false;
    struct async_copy **from = &l->first, *c, *last = NULL;
    while ((c = *from)) {
        bool due = c->kind == kind && (arrival ? c->number < arrival->number : c->group < up_to);
        any |= due;
        if (due && kind == STORE && !c->read)
            cpucc_read_shared(c);
        if (due && !read_only) {
            c->barrier = arrival ? arrival->barrier : NULL;
            cpucc_complete_copy(c);
            *from = c->next;
            cpucc_free_copy(c);
        } else {
            last = c;
            from = &c->next;
        }
    }
    l->last = last;
    return any;
}

void cpucc_cp_async_wait(int pending)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    cpucc_finish_copies(l, CP_ASYNC, l->open_group - pending, NULL, false);
    CPUCC_TELL(copies_awaited, l, pending);
}

void cpucc_bulk_wait(int pending, int read_only)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    cpucc_finish_copies(l, STORE, l->bulk_group - pending, NULL, read_only);
}

bool cpucc_async_completes(struct block *b)
{
    EACH_WAITING(l, b, WAIT_MBARRIER) {
        struct mbarrier *m = l->barrier;
        if (!m->first)
            continue;
        if (l->source && cpucc_choose("a test finds a copy still under way", 2)) {
            cpucc_wake(l);
            return true;
        }
        while (m->first) {
            struct async_copy *c = m->first;
            m->first = c->next;
            cpucc_complete_copy(c);
            m->bytes -= c->bytes;
            cpucc_free_copy(c);
            if (!m->pending && !m->bytes)
                break; /* the phase ends even if more bytes come than it expects */
        }
        CPUCC_TELL(mbarrier, l, m, MB_COPIED);
        cpucc_complete_mbarrier(m);
        return true;
    }
    return false;
}

bool cpucc_async_progress(struct block *b)
{
    if (cpucc_async_completes(b))
        return true;
    EACH_WAITING(l, b, WAIT_MBARRIER) {
        if (b->changes_at_give_up != cpucc_state_changes)
            b->changes_at_give_up = cpucc_state_changes, b->failed_waits = 0;
        if (!l->source || b->failed_waits++ > FAILED_TRIES) /* only a try may give up */
            continue;
        cpucc_wake(l);
        return true;
    }
    return false;
}

void cpucc_async_thread_end(struct lane *l)
{
    enum { NEVER = 1 << 30 };
    for (struct async_copy *c = l->first; c; c = c->next)
        if (c->number < l->arrival) /* an mbarrier waits for it */
            c->group = NEVER;
    cpucc_finish_copies(l, CP_ASYNC, NEVER, NULL, false);
}

void cpucc_async_block_start(struct block *b) { b->mbarriers = NULL; }

void cpucc_async_block_end(struct block *b)
{
    bool whole = !cpucc_the_launch->aborted;
    for (uint32_t t = 0; cpucc_live_copies && t < b->threads; t++) {
        struct lane *l = &b->warp[t / WARP].lane[t % WARP];
        for (struct async_copy *c = l->first, *next; c; c = next) {
            next = c->next;
            if (whole && c->kind == STORE) {
                if (!c->read && cpucc_recorded())
                    cpucc_fault(
                        l, c->pc, COPY_NOT_WAITED,
                        "the block ends while TMA may still have to read its shared memory");
                if (!c->read)
                    cpucc_read_shared(c);
                cpucc_complete_copy(c);
            }
            cpucc_free_copy(c);
        }
        l->first = l->last = NULL;
    }
    for (struct mbarrier *m = b->mbarriers, *next; m; m = next) {
        next = m->next;
        for (struct async_copy *c = m->first, *after; c; c = after) {
            after = c->next;
            if (whole && cpucc_recorded() && c->kind != ARRIVAL)
                cpucc_fault(c->issuer, c->pc, COPY_NOT_WAITED,
                            "the block ends while TMA still writes its shared memory");
            cpucc_free_copy(c);
        }
        CPUCC_TELL(mbarrier, NULL, m, MB_FREED);
        free(m->tests);
        free(m);
    }
    b->mbarriers = NULL;
}
