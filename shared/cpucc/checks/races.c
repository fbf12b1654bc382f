/*
 * The checker `races`: finds races between accesses.
 *
 * A word's record (struct shadow) holds its last write and the readers since. Two accesses of
 * different threads, at least one of them a write, race if order.c does not order them. They do not
 * race if both are strong and each is in the other's scope.
 */
#include <stdio.h>
#include <string.h>
#include "order.h"

/* Returns cpucc_ordered, with its frequent cases inline: the access precedes the lane's launch or
 * its block's last barrier. */
static inline bool ordered(const struct lane *l, stamp s)
{
    const struct block *b = l->warp->block;
    if (s.block != b->serial
            ? s.block < cpucc_the_launch->ordered_serial
            : s.when >> CLOCK_BITS == l->thread || ((s.when & CLOCK_MASK) < b->barrier_clock &&
                                                    s.when < (uint32_t)VC_AGENT << CLOCK_BITS))
        return true;
    return cpucc_ordered(l, s);
}

/* ---- messages ---- */

/* Returns the other device and the active one as text. */
static const char *devices_of(uint32_t serial)
{
    static char text[60];
    const struct device_operation *o = cpucc_concurrent_kernel(serial);
    snprintf(text, sizeof text, " (device %d and device %d)", o ? o->device : 0,
             cpucc_active_device);
    return text;
}

/* Whether the lane's strong access has system scope; a volatile access has. */
static bool has_system_scope(const struct lane *l)
{
    return l->strength & SYSTEM_SCOPE || cpucc_is_volatile(l);
}

/* Returns " at FILE:LINE" with the lines that may have made the read, or "". */
static const char *reading_lines(stamp reader, uintptr_t address)
{
    return reader.block < cpucc_the_launch->first_serial
               ? ""
               : cpucc_reading_lines(cpucc_the_launch->record, address);
}

/* Reports a race with the write at other_pc, or with a read if other_pc is 0. */
static void race(struct lane *l, uintptr_t pc, enum cpucc_kind kind, stamp other, uint32_t other_pc,
                 uintptr_t address)
{
    char text[200];
    cpucc_describe_access(l, other, text, sizeof text);
    if (cpucc_only_device_scope(other.block))
        cpucc_fault(l, pc, DEVICE_SCOPE,
                    "%s: only a fence of device scope orders it after the %s of %s%s; use "
                    "__threadfence_system in both kernels",
                    cpucc_describe_address(address), other_pc ? "write" : "read", text,
                    devices_of(other.block));
    else if (other_pc)
        cpucc_fault(l, pc, kind, "%s: not ordered with the write by %s at %s%s",
                    cpucc_describe_address(address), text,
                    cpucc_line((uintptr_t)__executable_start + other_pc),
                    cpucc_barrier_hint(l, other));
    else
        cpucc_fault(l, pc, kind, "%s: not ordered with the read by %s%s%s",
                    cpucc_describe_address(address), text, reading_lines(other, address),
                    cpucc_barrier_hint(l, other));
}

/* Remarks that the last block of the counting idiom (order.c) reads other blocks' writes without a
 * fence. */
static void remark_no_acquire(struct lane *l, const shadow *s, uintptr_t address)
{
    char text[200];
    cpucc_fault(l, l->pc, NO_ACQUIRE,
                "%s, written by %s at %s: neither the counting atomic nor the barrier acquires; "
                "a __threadfence() after either would",
                cpucc_describe_address(address),
                cpucc_describe_access(l, s->write, text, sizeof text),
                cpucc_line((uintptr_t)__executable_start + s->write_pc));
}

/* Notes that the lane's access of a word that is no flag is not ordered with the write, or if other_pc is 0 with
 * the read, of another thread, although both are strong. */
static void doubt(struct lane *l, uintptr_t pc, enum cpucc_kind kind, stamp other,
                  uint32_t other_pc, uintptr_t address)
{
    char thread[200], text[500];
    cpucc_describe_access(l, other, thread, sizeof thread);
    snprintf(text, sizeof text, "%s: not ordered with the %s by %s%s%s; volatile does not order it",
             cpucc_describe_address(address), other_pc ? "write" : "volatile read", thread,
             other_pc ? " at " : "",
             other_pc ? cpucc_line((uintptr_t)__executable_start + other_pc)
                      : reading_lines(other, address));
    cpucc_doubt_volatile(l, pc, kind, address, text);
}

/* ---- the check before each access ---- */

/* Notes a write that is not ordered after the word's last write. finish_race reports it if it
 * changes the value. */
static void note_unordered_write(struct lane *l, const shadow *s, uintptr_t address, bool strong)
{
    if (l->operation == ASYNC_COPY) {
        race(l, l->pc, RACE_WRITE_WRITE, s->write, s->write_pc, address);
        return;
    }
    l->warp->unsettled |= 1u << l->index;
    if (!l->race_address) {
        l->race_address = l->address, l->race_bytes = l->bytes, l->race_words = 0;
        l->race_other_pc = s->write_pc, l->race_other = s->write, l->race_pc = l->pc;
        l->race_volatile = strong;
    }
    l->race_words |= 1u << (address - l->race_address) / 4;
}

/* Keeps the bytes before the lane's unordered write. */
static void keep_old_bytes(struct lane *l)
{
    memcpy(l->race_old, (const void *)l->race_address, l->race_bytes);
}

/* Keeps the bytes after it, if other lanes write there before finish_race. */
static void keep_new_bytes(struct lane *l)
{
    memcpy(l->race_new, (const void *)l->race_address, l->race_bytes);
    l->race_written = true;
}

/* Reports the lane's unordered write at race_address as a race if it has changed the value. */
static void finish_race(struct lane *l)
{
    const char *now = l->race_written ? (const char *)l->race_new : (const char *)l->race_address;
    for (uint32_t i = 0; i < l->race_bytes; i += 4) {
        uint32_t bytes = l->race_bytes < 4 ? l->race_bytes : 4;
        if (l->race_words >> i / 4 & 1 && memcmp(l->race_old + i, now + i, bytes)) {
            (l->race_volatile ? doubt : race)(l, l->race_pc,
                                              l->race_volatile ? VOLATILE_DATA : RACE_WRITE_WRITE,
                                              l->race_other, l->race_other_pc, l->race_address + i);
            break;
        }
    }
    l->race_address = 0;
    l->race_written = false;
    l->warp->unsettled &= ~(1u << l->index);
}

/* Whether a volatile read relies on lockstep. It does if the reader does not poll, nothing orders
 * the write, and either the writer is in the reader's warp or one request wrote several words of
 * shared memory. */
static bool relies_on_lockstep(struct lane *l, const shadow *s)
{
    if (l->repeats_poll || !cpucc_is_volatile(l) || !s->write_volatile || s->has_location)
        return false;
    uint32_t writer = s->write.when >> CLOCK_BITS;
    return s->write.block == l->warp->block->serial &&
           (s->not_a_flag || writer / WARP == (uint32_t)l->warp->number);
}

/* Whether a volatile read may find memory unwritten, because nothing orders it after the first
 * write. A read that lacks only the reader's own fence is accepted. */
static bool may_read_unwritten(const struct lane *l, const shadow *s)
{
    return s->first_write && s->write_volatile && l->operation == VOLATILE_READ &&
           !l->repeats_poll && !cpucc_tentative(l, s->write) && !cpucc_observed(l, s->write);
}

/* Whether the access and the word's last write are strong, each in the other's scope. */
static bool agreed(struct lane *l, const struct word *w)
{
    bool wide = !(l->strength & BLOCK_SCOPE);
    const shadow *s = w->s;
    bool both = w->strong && s->write_strong &&
                (s->write.block == l->warp->block->serial || (wide && s->write_beyond_block));
    const struct device_operation *o = both && s->write.block < cpucc_the_launch->first_serial
                                           ? cpucc_concurrent_kernel(s->write.block)
                                           : NULL;
    if (o && o->device != cpucc_active_device && s->write_system && has_system_scope(l)) {
        cpucc_observe_kernel(s->write.block);
        if (l->strength & ACQUIRES)
            cpucc_note_fence(2);
        return true;
    }
    if (o && o->device != cpucc_active_device)
        cpucc_fault(l, l->pc, DEVICE_SCOPE,
                    "%s: the kernel %s uses it too%s, and %s access has only device scope; use "
                    "system scope, as of atomicAdd_system or cuda::thread_scope_system",
                    cpucc_describe_address(w->address), o->name, devices_of(s->write.block),
                    has_system_scope(l) ? "that kernel's" : "this");
    if (o)
        cpucc_forget_concurrent(s->write.block);
    return both;
}

/* Checks the read of a word, and records the reader. */
static void word_read(struct lane *l, const struct word *w)
{
    shadow *s = w->s;
    bool wide = !(l->strength & BLOCK_SCOPE);
    cpucc_note_flag(l, w);
    bool data = cpucc_is_doubtful(l) && !(s->flag && cpucc_may_be_flag(l, w->address));
    if (!s->copying_in && s->write_mask & w->mask && !ordered(l, s->write)) {
        bool both = agreed(l, w);
        if (!both && cpucc_tentative(l, s->write)) {
            if (!w->strong) /* volatile reads bypass L1, the form that the programming guide shows */
                remark_no_acquire(l, s, w->address);
        } else if (!both && !w->strong && s->write_strong)
            cpucc_note_suspicion(l, s, w->address);
        else if (!both || (w->shared ? relies_on_lockstep(l, s) : may_read_unwritten(l, s)))
            race(l, l->pc, RACE_READ_WRITE, s->write, s->write_pc, w->address);
        else if (data && (!l->repeats_poll || cpucc_sealed) && !cpucc_tentative(l, s->write))
            doubt(l, l->pc, cpucc_observed(l, s->write) ? VOLATILE_DATA : RACE_READ_WRITE, s->write,
                  s->write_pc, w->address);
    }
    s->data_read |= data || (cpucc_is_doubtful(l) && !(l->strength & DECIDES));
    cpucc_note_reader(l, s, w->mask,
                      !w->strong ? PLAIN
                      : wide     ? STRONG
                                 : STRONG_IN_BLOCK,
                      w->shared);
}

/* Reports a load by the read-only cache of memory that this launch has written, however that is ordered. */
static void check_read_only(struct lane *l, uintptr_t address, uint32_t bytes)
{
    char text[200];
    for (uintptr_t a = address; a < address + bytes; a += 4) {
        const shadow *s = cpucc_shadow(a);
        if (s && s->write_mask &&
            s->write.block - cpucc_the_launch->first_serial < cpucc_the_launch->blocks) {
            cpucc_fault(l, l->pc, READ_ONLY, "%s, written by %s at %s; no fence reaches that cache",
                        cpucc_describe_address(a),
                        cpucc_describe_access(l, s->write, text, sizeof text),
                        cpucc_line((uintptr_t)__executable_start + s->write_pc));
            return;
        }
    }
}

/* Returns the plain write that an atomic replaces, as a record of readers: a later access may still
 * race with that write. Returns an empty record if there is none. */
static readers replaced_plain_write(const struct lane *l, const shadow *s, bool strong, bool shared)
{
    const struct block *b = l->warp->block;
    uint32_t thread = s->write.when >> CLOCK_BITS, clock = s->write.when & CLOCK_MASK;
    if (!strong || (shared && l->operation != ATOMIC))
        return (readers){0};
    if (s->read.lanes && how_of(s->read) == WRITTEN)
        return s->read;
    if (s->write_strong || !s->write_mask || thread >= VC_AGENT ||
        s->write.block < cpucc_the_launch->first_serial ||
        (shared && cpucc_the_launch->cluster_size == 1 && clock < b->barrier_clock))
        return (readers){0};
    return (readers){s->write.block, readers_when(WRITTEN, s->write_mask, thread / WARP, clock),
                     1u << thread % WARP};
}

/* Reports the write if a reader of the word is not ordered before it. */
static void check_readers(struct lane *l, const struct word *w)
{
    enum how how;
    stamp reader;
    char text[200];
    if (!cpucc_unordered_reader(l, w->s, w->mask, w->strong, !(l->strength & BLOCK_SCOPE), &reader,
                                &how)) {
        if (w->strong && w->s->data_read && !w->s->flag &&
            cpucc_unordered_reader(l, w->s, w->mask, false, false, &reader, &how) &&
            !(reader.block == l->warp->block->serial &&
              (int)(reader.when >> CLOCK_BITS) / WARP ==
                  l->warp->number)) /* see relies_on_lockstep */
            doubt(l, l->pc, RACE_WRITE_READ, reader, 0, w->address);
        return;
    }
    uintptr_t first = l->operation == ATOMIC ? cpucc_first_read_before(l->pc) : 0;
    if (how == WRITTEN)
        cpucc_fault(l, l->pc, RACE_WRITE_WRITE, "%s: not ordered with a plain write by %s",
                    cpucc_describe_address(w->address),
                    cpucc_describe_access(l, reader, text, sizeof text));
    else if (how == BY_AGENT)
        cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is written while a copy out of it is under way",
                    cpucc_describe_address(w->address));
    else if (first)
        cpucc_fault(l, first, PLAIN_FIRST_READ, "%s: other threads change it by atomics",
                    cpucc_describe_address(w->address));
    else
        race(l, l->pc, RACE_WRITE_READ, reader, 0, w->address);
}

/* Reports the write if it races with the word's last one, which it is not ordered after. */
static void check_last_write(struct lane *l, const struct word *w)
{
    const shadow *s = w->s;
    bool both = agreed(l, w);
    if (cpucc_tentative(l, s->write) ||
        (both && (s->flag || (!s->write_volatile && !cpucc_is_volatile(l)))))
        return;
    if (l->operation != ATOMIC)
        note_unordered_write(l, s, w->address, both);
    else
        (both ? doubt : race)(l, l->pc, both ? VOLATILE_DATA : RACE_WRITE_WRITE, s->write,
                              s->write_pc, w->address);
}

/* Checks the write of a word, and records it. */
static void word_write(struct lane *l, const struct word *w)
{
    shadow *s = w->s;
    stamp me = cpucc_stamp(l);
    bool wide = !(l->strength & BLOCK_SCOPE);
    cpucc_note_flag(l, w);
    if (s->write_mask & w->mask && !s->copying_in && !ordered(l, s->write))
        check_last_write(l, w);
    if (s->read.lanes || s->more_readers)
        check_readers(l, w);
    readers under = replaced_plain_write(l, s, w->strong, w->shared);
    if (s->write.block == me.block && s->write.when == me.when)
        s->write_mask |= w->mask;
    else
        s->write_mask = (uint8_t)w->mask;
    s->write = me;
    s->write_pc = (uint32_t)(l->pc - (uintptr_t)__executable_start);
    s->write_strong = w->strong, s->write_beyond_block = w->strong && wide;
    s->write_system = w->strong && has_system_scope(l);
    if (w->strong && l->strength & RELEASES)
        cpucc_note_fence(s->write_system ? 2 : wide);
    s->write_volatile = cpucc_is_volatile(l), s->data_read = 0;
    s->not_a_flag = s->write_volatile && w->shared && l->warp->scattered;
    s->first_write = !w->was_written;
    s->async_write = 0;
    if (s->has_location && !w->strong) {
        cpucc_forget_location(w->address & ~(uintptr_t)3);
        s->has_location = 0;
    }
    if (s->more_readers)
        cpucc_clear_readers(s);
    s->read = under;
    s->written |= w->mask;
}

/* Notes what the words' checks need to know of the access as a whole. */
static void note_access(struct lane *l, const struct access *a)
{
    if (a->space == SHARED && cpucc_the_launch->cluster_size > 1)
        cpucc_note_remote_access(l, a->address);
    if (a->operation == VOLATILE_READ) {
        l->repeats_poll = l->polled == a->address && l->polled_pc == l->pc;
        l->polled = a->address, l->polled_pc = l->pc;
    }
    if (a->operation == READ)
        cpucc_note_plain_read(l, l->address, l->pc);
    else if (a->operation == ATOMIC && l->strength & COMPARES)
        cpucc_note_swap(l);
}

static void launch_starts(struct launch *L) { vc_start(L->blocks, L->threads); }

static void launch_ends(struct launch *L)
{
    (void)L;
    cpucc_report_late();
    cpucc_free_locations();
}

const struct cpucc_checker cpucc_races = {.name = "races",
                                          .launch_starts = launch_starts,
                                          .launch_ends = launch_ends,
                                          .block_ends = cpucc_order_block_end,
                                          .thread_ends = cpucc_order_exit,
                                          .access = note_access,
                                          .read_only = check_read_only,
                                          .word_read = word_read,
                                          .word_write = word_write,
                                          .plain_reads = cpucc_note_plain_reads,
                                          .makes = keep_old_bytes,
                                          .made = keep_new_bytes,
                                          .settle = finish_race,
                                          .synchronises = cpucc_synchronise,
                                          .word_cleared = cpucc_clear_readers,
                                          .fence = cpucc_fence_order,
                                          .proxy_fence = cpucc_proxy_fence_order,
                                          .cluster_arrives = cpucc_order_cluster_arrival,
                                          .block_barrier = cpucc_order_block,
                                          .blocks_barrier = cpucc_order_blocks,
                                          .warp_barrier = cpucc_order_warp,
                                          .mbarrier = cpucc_order_mbarrier};
