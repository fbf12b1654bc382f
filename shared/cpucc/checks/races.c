/*
 * Finds races, and the other faults that a word's record reveals: accesses out of bounds, reads of
 * memory never written, use of memory that an asynchronous copy still uses.
 *
 * A word's record (struct shadow) holds its last write and the readers since. Two accesses of
 * different threads, at least one of them a write, race if order.c does not order them. They do not
 * race if both are strong and each is in the other's scope.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../core/internal.h"

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

/* Writes to `to` which thread, kernel or copy made the access with this stamp. Returns `to`. */
static const char *describe_access(const struct lane *l, stamp s, char *to, size_t capacity)
{
    const struct launch *L = cpucc_the_launch;
    if (s.block < L->first_serial) {
        const struct device_operation *o = cpucc_concurrent_kernel(s.block);
        snprintf(to, capacity, "the kernel %s in a stream that this one does not wait for",
                 o ? o->name : "");
        return to;
    }
    index3 d = L->config.block;
    uint32_t t = s.when >> CLOCK_BITS, n = s.block - L->first_serial;
    int used = t >= VC_AGENT ? snprintf(to, capacity, "a copy")
                             : snprintf(to, capacity, "thread (%u,%u,%u)", t % d.x, t / d.x % d.y,
                                        t / d.x / d.y);
    if (s.block != l->warp->block->serial)
        snprintf(to + used, capacity - (size_t)used, " of block %u", n);
    return to;
}

/* Returns a hint which barrier would order the lane after the other thread, or "". */
static const char *barrier_hint(const struct lane *l, stamp other)
{
    const struct warp *w = l->warp;
    uint32_t thread = other.when >> CLOCK_BITS;
    if (other.block != w->block->serial || thread >= VC_AGENT)
        return "";
    return thread / WARP == (uint32_t)w->number ? " (__syncwarp would order them)"
                                                : " (__syncthreads would order them)";
}

/* Reports a race with the write at other_pc, or with a read if other_pc is 0. */
static void race(struct lane *l, uintptr_t pc, enum cpucc_kind kind, stamp other, uint32_t other_pc,
                 uintptr_t address)
{
    char text[200];
    describe_access(l, other, text, sizeof text);
    if (other_pc)
        cpucc_fault(l, pc, kind, "%s: not ordered with the write by %s at %s%s",
                    cpucc_describe_address(address), text,
                    cpucc_line((uintptr_t)__executable_start + other_pc), barrier_hint(l, other));
    else
        cpucc_fault(l, pc, kind, "%s: not ordered with the read by %s%s",
                    cpucc_describe_address(address), text, barrier_hint(l, other));
}

/* Remarks that the last block of the counting idiom (order.c) reads other blocks' writes without a
 * fence. */
static void remark_no_acquire(struct lane *l, const shadow *s, uintptr_t address)
{
    char text[200];
    cpucc_fault(l, l->pc, NO_ACQUIRE,
                "%s, written by %s at %s: neither the counting atomic nor the barrier acquires; "
                "a __threadfence() after either would",
                cpucc_describe_address(address), describe_access(l, s->write, text, sizeof text),
                cpucc_line((uintptr_t)__executable_start + s->write_pc));
}

/* ---- plain reads before a compare-and-swap ---- */

/*
 * A compare-and-swap loop may begin with a plain read: if the value is out of date, the swap fails.
 * A plain read that races with an atomic is a suspicion until the launch ends. It is then a remark
 * if a thread has followed this read with a compare-and-swap of the same address, else a fault.
 */
static struct first_read { /* a plain read, and the compare-and-swap that has followed it */
    uintptr_t read_pc, swap_pc;
} first_reads[256];
static int first_read_count;

static struct suspicion {
    uintptr_t pc; /* of the read */
    uint64_t times;
    char *text;          /* the fault's message */
    struct block *block; /* a copy that holds just the reading lane's indices */
} suspicions[256];
static int suspicion_count;

/* Adds the read to the lane's latest plain reads. */
static void note_plain_read(const struct lane *l, uintptr_t address, uintptr_t pc)
{
    struct warp *w = l->warp;
    struct plain_reads *r = &w->plain_read[w->plain_reads[l->index]++ % KEPT_PLAIN_READS];
    r->address[l->index] = address, r->pc[l->index] = pc;
}

/* Adds the lane's latest plain reads of the address that it now swaps to first_reads. */
static void note_swap(struct lane *l)
{
    for (int i = 0; i < KEPT_PLAIN_READS; i++) {
        struct plain_reads *r = &l->warp->plain_read[i];
        if (r->address[l->index] != l->address)
            continue;
        struct first_read now = {r->pc[l->index], l->pc};
        r->address[l->index] = 0;
        int n = 0;
        while (n < first_read_count && memcmp(&first_reads[n], &now, sizeof now))
            n++;
        if (n == first_read_count && n < (int)(sizeof first_reads / sizeof *first_reads))
            first_reads[first_read_count++] = now;
    }
}

/* Returns the pc of a first read that the swap has followed, or 0. */
static uintptr_t first_read_before(uintptr_t swap_pc)
{
    for (int i = 0; i < first_read_count; i++)
        if (first_reads[i].swap_pc == swap_pc)
            return first_reads[i].read_pc;
    return 0;
}

/* Adds a plain read that races with an atomic write to the suspicions. */
static void note_suspicion(struct lane *l, const shadow *s, uintptr_t address)
{
    int n = 0;
    while (n < suspicion_count && suspicions[n].pc != l->pc)
        n++;
    if (n == (int)(sizeof suspicions / sizeof *suspicions))
        return;
    struct suspicion *p = &suspicions[n];
    if (n < suspicion_count) {
        p->times++;
        return;
    }
    char text[200];
    describe_access(l, s->write, text, sizeof text);
    *p = (struct suspicion){.pc = l->pc, .times = 1};
    if (asprintf(&p->text, "%s: not ordered with the write by %s at %s%s",
                 cpucc_describe_address(address), text,
                 cpucc_line((uintptr_t)__executable_start + s->write_pc),
                 barrier_hint(l, s->write)) < 0)
        abort();
    struct block *b = cpucc_must(calloc(1, sizeof *b));
    b->warp = cpucc_must(calloc(1, sizeof *b->warp));
    *b = (struct block){.serial = l->warp->block->serial,
                        .index = l->warp->block->index,
                        .number = l->warp->block->number,
                        .warp = b->warp};
    b->warp->block = b, b->warp->number = l->warp->number;
    b->warp->lane[0].warp = b->warp;
    b->warp->lane[0].tid = l->tid, b->warp->lane[0].thread = l->thread;
    p->block = b;
    suspicion_count++;
}

void cpucc_report_suspicions(void)
{
    for (int i = 0; i < suspicion_count; i++) {
        struct suspicion *p = &suspicions[i];
        bool first = false;
        for (int n = 0; n < first_read_count; n++)
            first |= first_reads[n].read_pc == p->pc;
        while (p->times--)
            cpucc_fault(&p->block->warp->lane[0], p->pc, first ? PLAIN_FIRST_READ : RACE_READ_WRITE,
                        "%s", p->text);
        free(p->text);
        free(p->block->warp);
        free(p->block);
    }
    suspicion_count = 0;
}

/* ---- the check before each access ---- */

/* Notes a write that is not ordered after the word's last write. cpucc_finish_race reports it if it
 * changes the value. */
static void note_unordered_write(struct lane *l, const shadow *s, uintptr_t address)
{
    if (l->operation == ASYNC_COPY) {
        race(l, l->pc, RACE_WRITE_WRITE, s->write, s->write_pc, address);
        return;
    }
    l->warp->race_pending |= 1u << l->index;
    if (!l->race_address) {
        l->race_address = l->address, l->race_bytes = l->bytes, l->race_words = 0;
        l->race_other_pc = s->write_pc, l->race_other = s->write, l->race_pc = l->pc;
    }
    l->race_words |= 1u << (address - l->race_address) / 4;
}

void cpucc_finish_race(struct lane *l)
{
    if (!l->race_address)
        return;
    const char *now = l->race_written ? (const char *)l->race_new : (const char *)l->race_address;
    for (uint32_t i = 0; i < l->race_bytes; i += 4) {
        uint32_t bytes = l->race_bytes < 4 ? l->race_bytes : 4;
        if (l->race_words >> i / 4 & 1 && memcmp(l->race_old + i, now + i, bytes)) {
            race(l, l->race_pc, RACE_WRITE_WRITE, l->race_other, l->race_other_pc,
                 l->race_address + i);
            break;
        }
    }
    l->race_address = 0;
    l->race_written = false;
    l->warp->race_pending &= ~(1u << l->index);
}

/* Whether a volatile read relies on lockstep. It does if the reader does not poll, nothing orders
 * the write, and either the writer is in the reader's warp or one request wrote several words of
 * shared memory. */
static bool relies_on_lockstep(struct lane *l, const shadow *s)
{
    if (l->repeats_poll || l->strength || !s->write_volatile || s->has_location)
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

/* Checks the read of the bytes m of one word at this address, and records the reader. */
static void check_read(struct lane *l, shadow *s, unsigned m, uintptr_t address, stamp me,
                       bool strong, bool shared)
{
    bool wide = !(l->strength & BLOCK_SCOPE);
    if (!(s->written & m) && !s->copying_in) { /* a partly written word may have padding */
        cpucc_uninitialised_read(l, address);
        s->written |= m;
    }
    if (s->copying_in) {
        cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is read before the copy into it is waited for",
                    cpucc_describe_address(address));
    } else if (s->write_mask & m && !ordered(l, s->write)) {
        bool agreed = strong && s->write_strong &&
                      (s->write.block == me.block || (wide && s->write_beyond_block));
        if (agreed && s->write.block < cpucc_the_launch->first_serial)
            cpucc_forget_concurrent(s->write.block);
        if (!agreed && cpucc_tentative(l, s->write)) {
            if (!strong) /* volatile reads bypass L1, the form that the programming guide shows */
                remark_no_acquire(l, s, address);
        } else if (!agreed && !strong && s->write_strong)
            note_suspicion(l, s, address);
        else if (!agreed || (shared ? relies_on_lockstep(l, s) : may_read_unwritten(l, s)))
            race(l, l->pc, RACE_READ_WRITE, s->write, s->write_pc, address);
    }
    note_reader(l, s, m, !strong ? PLAIN : wide ? STRONG : STRONG_IN_BLOCK, me, shared);
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
    return (readers){s->write.block, key(WRITTEN, s->write_mask, thread / WARP, clock),
                     1u << thread % WARP};
}

/* Checks the write of the bytes m of one word at this address, and records it. */
static void check_write(struct lane *l, shadow *s, unsigned m, uintptr_t address, stamp me,
                        bool strong, bool shared)
{
    bool wide = !(l->strength & BLOCK_SCOPE);
    enum how how;
    stamp reader;
    char text[200];
    if (s->mbarrier)
        cpucc_fault(l, l->pc, MBARRIER_MISUSE, "%s is part of a live mbarrier, and is overwritten",
                    cpucc_describe_address(address));
    if (s->copying_in || s->copying_out)
        cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is written while a copy %s it is under way",
                    cpucc_describe_address(address), s->copying_in ? "into" : "out of");
    s->copying_out = 0;
    if (s->write_mask & m && !s->copying_in && !ordered(l, s->write)) {
        bool agreed = strong && s->write_strong &&
                      (s->write.block == me.block || (wide && s->write_beyond_block));
        if (agreed && s->write.block < cpucc_the_launch->first_serial)
            cpucc_forget_concurrent(s->write.block);
        if (!agreed && cpucc_tentative(l, s->write))
            ;
        else if (!agreed && l->operation == ATOMIC)
            race(l, l->pc, RACE_WRITE_WRITE, s->write, s->write_pc, address);
        else if (!agreed)
            note_unordered_write(l, s, address);
    }
    if ((s->read.lanes || s->more_readers) &&
        unordered_reader(l, s, m, strong, wide, &reader, &how)) {
        uintptr_t first = l->operation == ATOMIC ? first_read_before(l->pc) : 0;
        if (how == WRITTEN)
            cpucc_fault(l, l->pc, RACE_WRITE_WRITE, "%s: not ordered with a plain write by %s",
                        cpucc_describe_address(address),
                        describe_access(l, reader, text, sizeof text));
        else if (how == BY_AGENT)
            cpucc_fault(l, l->pc, COPY_NOT_WAITED,
                        "%s is written while a copy out of it is under way",
                        cpucc_describe_address(address));
        else if (first)
            cpucc_fault(l, first, PLAIN_FIRST_READ, "%s: other threads change it by atomics",
                        cpucc_describe_address(address));
        else
            race(l, l->pc, RACE_WRITE_READ, reader, 0, address);
    }
    readers under = replaced_plain_write(l, s, strong, shared);
    if (s->write.block == me.block && s->write.when == me.when)
        s->write_mask |= m;
    else
        s->write_mask = (uint8_t)m;
    s->write = me;
    s->write_pc = (uint32_t)(l->pc - (uintptr_t)__executable_start);
    s->write_strong = strong, s->write_beyond_block = strong && wide;
    s->write_volatile = l->operation == VOLATILE_WRITE && !l->strength;
    s->not_a_flag = s->write_volatile && shared && l->warp->scattered;
    s->first_write = !(s->written & m);
    s->async_write = 0;
    if (s->has_location && !strong) {
        cpucc_forget_location(address & ~(uintptr_t)3);
        s->has_location = 0;
    }
    if (s->more_readers)
        cpucc_clear_readers(s);
    s->read = under;
    s->written |= m;
}

/* Reports a fault of the access and ends the launch with `error`. */
static void access_fault(struct lane *l, enum cpucc_kind kind, uintptr_t address, uint32_t bytes,
                         enum operation op, cudaError_t error)
{
    const char *verb = op == READ || op == VOLATILE_READ ? "read"
                       : op == ATOMIC                    ? "atomic"
                                                         : "write";
    struct lane *checks = cpucc_current; /* one lane checks for its whole warp */
    cpucc_current = l;
    const char *what = cpucc_describe_address(address);
    cpucc_current = checks;
    cpucc_fault(l, l->pc, kind, "%s of %u bytes at %s", verb, bytes, what);
    cpucc_abort(error);
}

/* Reports the access if an unfinished copy in another stream overlaps it. */
static void check_copies(struct lane *l, uintptr_t address, uint32_t bytes, bool write)
{
    const struct device_operation *o = cpucc_concurrent_copy(address, bytes, write);
    if (o)
        cpucc_fault(l, l->pc, write ? RACE_WRITE_READ : RACE_READ_WRITE,
                    "%s: not ordered with the copy at %s, in a stream that this one does not wait "
                    "for",
                    cpucc_describe_address(address), cpucc_line(o->pc));
}

/* Checks an access before it is made, and records it. Returns false if a fault has ended the
 * launch. */
bool cpucc_check_access(struct lane *l, uintptr_t address, uint32_t bytes, enum operation op,
                        enum space space)
{
    bool write = op == WRITE || op == VOLATILE_WRITE || op == ATOMIC;
    if (space == IGNORED || (space == CONSTANT && !write && !cpucc_in_gap(address, bytes)))
        return true;
    if (space == CONSTANT || space == FOREIGN) {
        access_fault(l, space == FOREIGN || !write ? OUT_OF_BOUNDS : CONSTANT_WRITE, address, bytes,
                     op, cudaErrorIllegalAddress);
        return false;
    }
    if (address & (bytes - 1)) {
        access_fault(l, MISALIGNED, address, bytes, op, cudaErrorMisalignedAddress);
        return false;
    }
    if (!cpucc_the_launch->recorded) {
        if (write)
            cpucc_mark_written(address, bytes);
        return true;
    }
    bool strong = op == ATOMIC || op == VOLATILE_READ || op == VOLATILE_WRITE;
    bool shared = space == SHARED;
    stamp me = {l->warp->block->serial, l->thread << CLOCK_BITS | l->clock};
    shadow *s = cpucc_shadow(address);
    unsigned mask = bytes >= 4 ? 15 : (bytes == 2 ? 3u : 1u) << (address & 3);
    for (uint32_t i = 0; i < bytes; i += 4, s++)
        if ((s->allocated & mask) != mask) {
            access_fault(l, OUT_OF_BOUNDS, address, bytes, op, cudaErrorIllegalAddress);
            return false;
        }
    s -= (bytes + 3) / 4;
    if (cpucc_copies_may_race)
        check_copies(l, address, bytes, write);
    if (shared && cpucc_the_launch->cluster_size > 1)
        cpucc_note_remote_access(l, address);
    if (op == VOLATILE_READ) {
        l->repeats_poll = l->polled == address && l->polled_pc == l->pc;
        l->polled = address, l->polled_pc = l->pc;
    }
    if (op == READ)
        note_plain_read(l, l->address, l->pc);
    else if (op == ATOMIC && l->strength & COMPARES)
        note_swap(l);
    for (uint32_t i = 0; i < bytes; i += 4, s++) {
        if (!write) {
            check_read(l, s, mask, address + i, me, strong, shared);
            continue;
        }
        if (op == ATOMIC && !(l->strength & EXCHANGES) && (s->written & mask) != mask)
            cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(address + i));
        check_write(l, s, mask, address + i, me, strong, shared);
    }
    return true;
}
