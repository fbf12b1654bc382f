/* Checks the memory that an asynchronous copy touches, and records the copy's accesses. */
#include "../execution/async.h"

/* Whether the async proxy sees the last write to this word of shared memory. */
static bool fenced(const struct lane *l, const shadow *s)
{
    return s->async_write || s->write.block != l->warp->block->serial ||
           cpucc_shown_to_proxy(l, s->write);
}

bool cpucc_bad_range(struct lane *l, uintptr_t a, uint32_t bytes, const char *what)
{
    for (uint32_t i = 0; i < bytes; i += 4) {
        const shadow *s = cpucc_shadow(a + i);
        if (s && s->allocated == 15)
            continue;
        cpucc_fault(l, l->pc, OUT_OF_BOUNDS, "%s touches %s", what, cpucc_describe_address(a + i));
        cpucc_abort(cudaErrorIllegalAddress);
        return true;
    }
    return false;
}

void cpucc_copy_reads(struct lane *l, uintptr_t a, uint32_t bytes, const struct mbarrier *into)
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
            cpucc_fault(l, l->pc, RACE_READ_WRITE, "%s: not ordered with the write at %s",
                        cpucc_describe_address(a + i),
                        cpucc_line((uintptr_t)__executable_start + s->write_pc));
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
    stamp reader;
    if (said == l->pc)
        return;
    bool written = s->write_mask && !fenced(l, s);
    if (!written && !cpucc_unfenced_reader(l, s, &reader))
        return;
    said = l->pc;
    cpucc_fault(l, l->pc, PROXY_FENCE_LOAD,
                "%s was %s by threads of the block, and no fence.proxy.async stands between that "
                "and the copy that overwrites it: the barrier alone does not order the two proxies",
                cpucc_describe_address(a), written ? "written" : "read");
}

/* Returns "into" or "out of": the direction of the copy that already uses the word. */
static const char *copy_direction_word(const shadow *s)
{
    return s->copying_in ? "into" : "out of";
}

void cpucc_copy_writes(struct lane *l, uintptr_t a, uint32_t bytes, bool reduces)
{
    for (uint32_t i = 0; i < bytes; i += 4) {
        shadow *s = cpucc_shadow(a + i);
        stamp reader;
        if (s->copying_in || s->copying_out)
            cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is %s while another copy %s it is under way",
                        cpucc_describe_address(a + i), reduces ? "changed" : "overwritten",
                        copy_direction_word(s));
        else if (reduces && s->written != 15)
            cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(a + i));
        else if (!reduces && s->mbarrier)
            cpucc_fault(l, l->pc, MBARRIER_MISUSE,
                        "%s is part of a live mbarrier, and is overwritten",
                        cpucc_describe_address(a + i));
        else if (s->write_mask && !(reduces && s->write_beyond_block) &&
                 !cpucc_ordered(l, s->write))
            cpucc_fault(l, l->pc, RACE_WRITE_WRITE, "%s: not ordered with the write at %s",
                        cpucc_describe_address(a + i),
                        cpucc_line((uintptr_t)__executable_start + s->write_pc));
        else if (cpucc_still_read(l, s, &reader))
            cpucc_fault(l, l->pc, RACE_WRITE_READ,
                        "%s: other threads may not have read its value yet",
                        cpucc_describe_address(a + i));
        else if (!reduces && cpucc_is_shared_pointer((void *)a))
            remark_missing_fence(l, s, a + i);
        if (!reduces)
            s->copying_out = 0, s->copying_in = 1;
        s->written = s->write_mask = 15;
        s->write = cpucc_stamp(l);
        s->write_pc = (uint32_t)(l->pc - (uintptr_t)__executable_start);
        s->write_strong = s->write_beyond_block = reduces;
        s->write_volatile = s->not_a_flag = 0;
        s->async_write = 1;
        cpucc_clear_readers(s);
    }
}
