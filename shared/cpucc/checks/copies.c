/*
 * The checker `async`: asynchronous copies that nobody waited for, and fences that make memory visible
 * to the async proxy. Records the copies' accesses. It needs the records of the checker `races`.
 */
#include "order.h"

/* Whether the async proxy sees the last write to this word of shared memory. */
static bool fenced(const struct lane *l, const shadow *s)
{
    return s->async_write || s->write.block != l->warp->block->serial ||
           cpucc_shown_to_proxy(l, s->write);
}

/* Returns what would order the copy after a kernel of another device that made this access, or "". */
static const char *kernel_hint(stamp s)
{
    return cpucc_between_devices(cpucc_concurrent_kernel(s.block), cpucc_active_device);
}

/* Checks and records reads of a copy, word by word. */
static void copy_reads(struct lane *l, uintptr_t a, uint32_t bytes, const struct mbarrier *into)
{
    bool shared = cpucc_is_shared_pointer((const void *)a);
    for (uint32_t i = 0; i < bytes; i += 4) {
        shadow *s = cpucc_shadow(a + i);
        if (s->copying_in)
            cpucc_fault(l, l->pc, COPY_NOT_WAITED,
                        "%s is copied before the copy into it is waited for",
                        cpucc_describe_address(a + i));
        else if (s->written != 15)
            cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(a + i));
        else if (s->write_mask && !cpucc_ordered(l, s->write))
            cpucc_fault(l, l->pc, RACE_READ_WRITE, "%s: not ordered with the write at %s%s",
                        cpucc_describe_address(a + i),
                        cpucc_line((uintptr_t)__executable_start + s->write_pc),
                        kernel_hint(s->write));
        else if (shared && s->write_mask && !fenced(l, s))
            cpucc_fault(l, l->pc, PROXY_FENCE,
                        "%s was written at %s, and no fence.proxy.async makes that visible to TMA",
                        cpucc_describe_address(a + i),
                        cpucc_line((uintptr_t)__executable_start + s->write_pc));
        if (into)
            cpucc_note_agent_read(l, s, into->block, into->agent, into->clock);
        else
            s->copying_out = 1;
    }
}

/* Remarks on a load that overwrites a word of shared memory without a proxy fence. In PTX's model a
 * barrier does not order accesses of threads, reads included, with those of the async proxy. */
static void remark_missing_fence(struct lane *l, const shadow *s, uintptr_t a)
{
    static uintptr_t said; /* one remark per place */
    if (said == l->pc)
        return;
    bool written = s->write_mask && !fenced(l, s);
    if (!written && !cpucc_unfenced_reader(l, s))
        return;
    said = l->pc;
    cpucc_fault(l, l->pc, PROXY_FENCE_LOAD,
                "%s was %s by threads of the block, and no fence.proxy.async stands between that "
                "and the copy that overwrites it: the barrier alone does not order the two proxies",
                cpucc_describe_address(a), written ? "written" : "read");
}

/* Checks and records writes of a copy, word by word. */
static void copy_writes(struct lane *l, uintptr_t a, uint32_t bytes, bool reduces)
{
    for (uint32_t i = 0; i < bytes; i += 4) {
        shadow *s = cpucc_shadow(a + i);
        stamp reader;
        if (s->copying_in || s->copying_out)
            cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is %s while another copy %s it is under way",
                        cpucc_describe_address(a + i), reduces ? "changed" : "overwritten",
                        s->copying_in ? "into" : "out of");
        else if (reduces && s->written != 15)
            cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(a + i));
        else if (!reduces && s->mbarrier)
            cpucc_fault(l, l->pc, MBARRIER_MISUSE,
                        "%s is part of a live mbarrier, and is overwritten",
                        cpucc_describe_address(a + i));
        else if (s->write_mask && !(reduces && s->write_beyond_block) &&
                 !cpucc_ordered(l, s->write))
            cpucc_fault(l, l->pc, RACE_WRITE_WRITE, "%s: not ordered with the write at %s%s",
                        cpucc_describe_address(a + i),
                        cpucc_line((uintptr_t)__executable_start + s->write_pc),
                        kernel_hint(s->write));
        else if (cpucc_still_read(l, s, &reader))
            cpucc_fault(l, l->pc, RACE_WRITE_READ,
                        "%s: other threads may not have read its value yet%s",
                        cpucc_describe_address(a + i), kernel_hint(reader));
        else if (!reduces && cpucc_is_shared_pointer((void *)a))
            remark_missing_fence(l, s, a + i);
        if (!reduces)
            s->copying_out = 0, s->copying_in = 1;
        s->written = s->write_mask = 15;
        s->write = cpucc_stamp(l);
        s->write_pc = (uint32_t)(l->pc - (uintptr_t)__executable_start);
        s->write_strong = s->write_beyond_block = reduces;
        s->write_volatile = s->not_a_flag = s->write_system = 0;
        s->async_write = 1;
        cpucc_clear_readers(s);
    }
}

static void copy_pending(uintptr_t shared, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        cpucc_shadow(shared + i)->copying_in = 1;
}

/* Notes that a store has read its shared memory, which the program may then overwrite. */
static void copy_source_read(const struct async_copy *c)
{
    for (int i = 0; cpucc_recorded() && i < c->count; i++)
        for (uint32_t b = 0; b < c->pieces[i].bytes; b += 4) {
            shadow *s = cpucc_shadow(c->pieces[i].shared + b);
            s->copying_out = 0;
            cpucc_note_reader(c->issuer, s, 15, BY_STORE, true);
        }
}

/* Stamps the copy's writes as made by the agent of a load's mbarrier. Those of a store or a cp.async
 * are stamped as made by the thread, which has waited for the copy. */
static void copy_completes(const struct async_copy *c)
{
    stamp by = cpucc_stamp(c->issuer);
    if (c->barrier)
        by = (stamp){c->barrier->block,
                     (VC_AGENT + c->barrier->agent) << CLOCK_BITS | c->barrier->clock};
    for (int i = 0; cpucc_recorded() && !c->reduction.wanted && i < c->count; i++)
        for (uint32_t b = 0; b < c->pieces[i].bytes; b += 4) {
            uintptr_t to = c->kind == STORE ? c->pieces[i].global : c->pieces[i].shared;
            if (!to)
                continue;
            shadow *s = cpucc_shadow(to + b);
            s->copying_in = 0;
            s->write = by;
        }
}

static void mbarrier(struct lane *l, struct mbarrier *m, enum mbarrier_event what)
{
    if (!cpucc_recorded() || (what != MB_USE && what != MB_COPY))
        return;
    if (!cpucc_ordered(l, m->made)) {
        cpucc_fault(
            l, l->pc, MBARRIER_MISUSE,
            "nothing orders this use after the mbarrier's initialisation (a barrier is missing)");
        m->made = cpucc_stamp(l);
    }
    if (what == MB_COPY && !m->fenced) {
        cpucc_fault(l, l->pc, PROXY_FENCE,
                    "no fence makes the mbarrier's initialisation visible to TMA");
        m->fenced = true;
    }
}

static void word_read(struct lane *l, const struct word *w)
{
    if (w->s->copying_in)
        cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is read before the copy into it is waited for",
                    cpucc_describe_address(w->address));
}

static void word_write(struct lane *l, const struct word *w)
{
    shadow *s = w->s;
    if (s->mbarrier)
        cpucc_fault(l, l->pc, MBARRIER_MISUSE, "%s is part of a live mbarrier, and is overwritten",
                    cpucc_describe_address(w->address));
    if (s->copying_in || s->copying_out)
        cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is written while a copy %s it is under way",
                    cpucc_describe_address(w->address), s->copying_in ? "into" : "out of");
    s->copying_out = 0;
}

const struct cpucc_checker cpucc_async = {.name = "async",
                                          .word_read = word_read,
                                          .word_write = word_write,
                                          .mbarrier = mbarrier,
                                          .copy_pending = copy_pending,
                                          .copy_reads = copy_reads,
                                          .copy_writes = copy_writes,
                                          .copy_source_read = copy_source_read,
                                          .copy_completes = copy_completes};
