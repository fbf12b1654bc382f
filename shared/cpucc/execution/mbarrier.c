/*
 * Implements mbarriers (PTX ISA, "mbarrier"). A phase completes when all arrivals and bytes that it
 * expects have come. The block keeps the state in a list, not in the 8 bytes of shared memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include "async.h"

struct mbarrier *cpucc_find_mbarrier(struct lane *l, const void *p, bool for_copy)
{
    if (!cpucc_is_shared_pointer(p))
        END_LAUNCH(cudaErrorIllegalAddress, l, l->pc, MBARRIER_MISUSE,
                   "an mbarrier must lie in shared memory");
    struct block *b = cpucc_block_of((uintptr_t)p);
    struct mbarrier *m = b ? b->mbarriers : NULL;
    while (m && m->address != (uintptr_t)p)
        m = m->next;
    if (!m)
        END_LAUNCH(cudaErrorIllegalAddress, l, l->pc, MBARRIER_MISUSE,
                   "%s is not an initialised mbarrier", cpucc_describe_address((uintptr_t)p));
    CPUCC_TELL(mbarrier, l, m, for_copy ? MB_COPY : MB_USE);
    return m;
}

void cpucc_complete_mbarrier(struct mbarrier *m)
{
    if (m->pending || m->bytes)
        return;
    m->phase++;
    m->clock++;
    m->counted = m->copied || !cpucc_is_shared_pointer((void *)m->address);
    m->filled |= m->loads > 0;
    m->loaded += m->loads, m->loads = 0, m->copied = false;
    m->pending = m->expected;
    free(m->tests);
    m->tests = NULL;
    CPUCC_TELL(mbarrier, NULL, m, MB_PHASE);
}

/* Marks the two words of an mbarrier: writing to them is a fault while it is live. */
static void mark(uintptr_t address, bool live)
{
    for (int i = 0; i < 8; i += 4)
        cpucc_shadow(address + (uintptr_t)i)->mbarrier = live;
}

void cpucc_mbarrier_init(void *p, int arrivals)
{
    CALLED_BY(l);
    struct block *b = l->warp->block;
    if (!cpucc_is_shared_pointer(p) || (uintptr_t)p % 8 || arrivals < 1 || arrivals > (1 << 20) - 1)
        END_LAUNCH(cudaErrorIllegalAddress, l, DEVICE_CALL_PC, MBARRIER_MISUSE,
                   "an mbarrier is 8 aligned bytes of shared memory and expects 1 to 2^20-1 "
                   "arrivals; here %d at %s",
                   arrivals, cpucc_describe_address((uintptr_t)p));
    if (cpucc_bad_range(l, (uintptr_t)p, 8, "the mbarrier"))
        return;
    struct mbarrier *m = b->mbarriers;
    while (m && m->address != (uintptr_t)p)
        m = m->next;
    if (m && cpucc_recorded())
        cpucc_fault(l, DEVICE_CALL_PC, MBARRIER_MISUSE,
                    "%s is a live mbarrier and is initialised again (mbarrier.inval ends one)",
                    cpucc_describe_address((uintptr_t)p));
    if (!m) {
        m = cpucc_nonnull(calloc(1, sizeof *m));
        m->agent = b->mbarrier_count++ % VC_AGENTS;
        m->clock = 1 + (uint32_t)(b->mbarrier_count / VC_AGENTS);
        m->next = b->mbarriers;
        b->mbarriers = m;
    }
    if (cpucc_recorded())
        mark((uintptr_t)p, true);
    m->address = (uintptr_t)p;
    m->expected = m->pending = arrivals;
    m->bytes = 0, m->phase = 0, m->fenced = m->filled = m->copied = false, m->owner = l,
    m->loads = m->loaded = 0;
    m->block = b->serial;
    m->made = cpucc_stamp(l);
    cpucc_mark_written((uintptr_t)p, 8);
    CPUCC_TELL(mbarrier, l, m, MB_INIT);
}

void cpucc_mbarrier_end(void *p)
{
    CALLED_BY(l);
    cpucc_find_mbarrier(l, p, false)->address = 0;
    mark((uintptr_t)p, false);
}

/* Counts what an mbarrier can tell a lane of another: one bit; four bits count as a shuffle. */
static void note_bit(void)
{
    static unsigned bits;
    cpucc_exchanges += ++bits % 4 == 0;
}

/* Announces `bytes` bytes of copies, then makes `arrivals` arrivals. Returns the former phase. */
static uint64_t arrive_at(struct lane *l, void *p, int arrivals, int bytes)
{
    cpucc_settle(l);
    note_bit();
    struct mbarrier *m = cpucc_find_mbarrier(l, p, false);
    uint64_t phase = m->phase;
    if (arrivals > m->pending) {
        cpucc_fault(l, l->pc, MBARRIER_MISUSE,
                    "%d arrivals where %d are pending (it was initialised for %d)", arrivals,
                    m->pending, m->expected);
        arrivals = m->pending;
    }
    CPUCC_TELL(mbarrier, l, m, MB_ARRIVING);
    if (cpucc_block_of((uintptr_t)p) != l->warp->block)
        cpucc_state_changes++; /* a waiting block may go on */
    m->bytes += bytes;
    m->pending -= arrivals;
    m->warp = l->warp;
    CPUCC_TELL(mbarrier, l, m, MB_ARRIVED);
    cpucc_complete_mbarrier(m);
    return phase;
}

uint64_t cpucc_mbarrier_arrive(void *p, int arrivals, int bytes)
{
    CALLED_BY(l, 0);
    return arrive_at(l, p, arrivals, bytes);
}

void cpucc_mbarrier_expect(void *p, int bytes)
{
    CALLED_BY(l);
    struct mbarrier *m = cpucc_find_mbarrier(l, p, false);
    m->bytes += bytes;
    CPUCC_TELL(mbarrier, l, m, MB_EXPECT);
}

void cpucc_mbarrier_drop(void *p)
{
    CALLED_BY(l);
    cpucc_find_mbarrier(l, p, false)->expected--;
    arrive_at(l, p, 1, 0);
}

bool cpucc_mbarrier_ready(struct lane *l)
{
    return l->mode ? (l->barrier->phase & 1) != l->parity : l->barrier->phase != l->value;
}

void cpucc_wake_warp(struct warp *w)
{
    EACH_LANE_IN(l, w, w->waiting)
        if (l->waiting == WAIT_MBARRIER && cpucc_mbarrier_ready(l))
            cpucc_wake(l);
}

/* Returns whether untrusted code's test of an incomplete phase fails at once, as on the hardware: each thread's
 * first in the phase, and in one phase of 64 its first 1000, in case the program tests a fixed number of times. */
static bool fails_at_once(struct lane *l, struct mbarrier *m)
{
    static unsigned phases;
    if (!cpucc_sealed)
        return false;
    if (!m->tests) {
        m->tests = cpucc_nonnull(calloc(l->warp->block->threads, sizeof *m->tests));
        m->failing_tests = phases++ % 64 ? 1 : 1000;
    }
    if (m->tests[l->thread] == m->failing_tests)
        return false;
    if (!m->tests[l->thread]++)
        note_bit();
    return true;
}

/* Waits until the phase (or that of this parity) has completed; false if it tries and gave up. */
static bool wait_for(void *p, uint64_t phase, bool parity, bool tries)
{
    CALLED_BY(l, true);
    l->source = tries;
    cpucc_requests += tries;
    cpucc_settle(l);
    l->barrier = cpucc_find_mbarrier(l, p, false);
    if (cpucc_block_of((uintptr_t)p) != l->warp->block)
        END_LAUNCH(cudaErrorIllegalAddress, l, l->pc, MBARRIER_MISUSE,
                   "a thread waits at the mbarrier of another block, where it may only arrive");
    l->mode = parity, l->parity = (uint32_t)phase & 1, l->value = phase;
    if (!cpucc_mbarrier_ready(l) && l->source && fails_at_once(l, l->barrier))
        return false;
    if (l->source)
        note_bit();
    if (!cpucc_mbarrier_ready(l)) {
        CPUCC_TELL(mbarrier, l, l->barrier, MB_WAIT);
        cpucc_wait(l, WAIT_MBARRIER);
    } else {
        cpucc_wake_warp(l->warp);
    }
    if (!cpucc_mbarrier_ready(l))
        return false;
    if (l->barrier->phase && !l->barrier->counted && l->barrier->warp != l->warp) {
        l->barrier->counted = true;
        cpucc_mbarrier_phases++;
    }
    if (l->barrier->loaded)
        cpucc_note_in_flight(cpucc_block_of((uintptr_t)p), -(int64_t)l->barrier->loaded);
    l->barrier->loaded = 0;
    CPUCC_TELL(mbarrier, l, l->barrier, MB_PASS);
    return true;
}

void cpucc_mbarrier_wait(void *p, int parity) { wait_for(p, (uint64_t)parity, true, false); }

void cpucc_mbarrier_wait_phase(void *p, uint64_t phase) { wait_for(p, phase, false, false); }

int cpucc_mbarrier_try(void *p, uint64_t phase, int by_parity)
{
    return wait_for(p, phase, by_parity, true);
}

/* Notes that libcu++ itself uses the mbarrier for a bulk copy: the program need not fence. */
void cpucc_mbarrier_shown(void *p)
{
    CALLED_BY(l);
    cpucc_find_mbarrier(l, p, false)->fenced = true;
}

void cpucc_fence_mbarrier_init(void)
{
    struct lane *l = cpucc_current;
    for (struct mbarrier *m = l ? l->warp->block->mbarriers : NULL; m; m = m->next)
        if (m->owner == l)
            m->fenced = true;
}

void cpucc_fence_proxy_async(void)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    cpucc_fence_mbarrier_init();
    if (cpucc_recorded())
        CPUCC_TELL(proxy_fence, l);
}

const char *cpucc_describe_wait(struct lane *l)
{
    static char text[200];
    switch (l->waiting) {
    case WAIT_MBARRIER:
        if (l->barrier->address - CPUCC_NAMED_BARRIERS <
            CPUCC_NAMED_BARRIERS_END - CPUCC_NAMED_BARRIERS) {
            snprintf(text, sizeof text, "%d of %d threads never reach barrier %d",
                     l->barrier->pending, l->barrier->expected,
                     (int)(l->barrier->address - CPUCC_NAMED_BARRIERS));
            return text;
        }
        snprintf(
            text, sizeof text,
            l->barrier->bytes < 0
                ? "the mbarrier's phase %llu never completes: %d of %d arrivals are missing, and "
                  "%lld bytes more have come than were announced"
                : "the mbarrier's phase %llu never completes: %d of %d arrivals and %lld bytes "
                  "are missing",
            (unsigned long long)l->barrier->phase, l->barrier->pending, l->barrier->expected,
            llabs((long long)l->barrier->bytes));
        return text;
    case WAIT_BLOCK:
        return "other threads of the block never reach this barrier: they wait elsewhere";
    case WAIT_WARP:
        snprintf(text, sizeof text, "lanes of the mask 0x%08x never make this call", l->mask);
        return text;
    case WAIT_CLUSTER: return "threads of the cluster never reach this barrier";
    case WAIT_GRID: return "threads of the grid never reach this barrier";
    default: return "the thread polls memory that nobody changes any more";
    }
}
