/*
 * The state kept beside each 4-byte word of device and shared memory, and what it reveals: access
 * out of bounds, reads of memory never written, races, and use of memory that an asynchronous copy
 * has not finished with.
 *
 * Order. Each thread has a clock that grows when the thread synchronises; an access is stamped with
 * its block, thread and clock. An earlier access comes before the present one if both are of one
 * thread, or were made in different launches, or a barrier lies between:
 *
 *   __syncthreads    block->base: what the block's threads did before that clock is in order
 *   __syncwarp       warp->base, for accesses within the warp
 *   mbarriers        lane->known: per thread of the block, up to which clock it is in order
 *   cluster, grid    block->cluster_base, block->grid_base, for accesses of other blocks
 *   fence + atomic   launch->releases: a thread that has made a fence and then an atomic or
 *                    volatile write releases; a thread whose atomic or volatile read comes later
 *                    acquires. Which location it was is not compared, so this can miss a race,
 *                    never invent one.
 *
 * A lane in lockstep is not in order with its neighbours: the hardware does not promise that.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "internal.h"

struct release {
    uint32_t block, thread, clock;
    uint64_t time;
};

extern char __start_cpucc_device[] __attribute__((weak)),
    __stop_cpucc_device[] __attribute__((weak));

static shadow *heap_shadow, *slot_shadow, *device_shadow;

static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "cpucc: cannot reserve %zu bytes of address space\n", bytes);
        exit(3);
    }
    return p;
}

void cpucc_shadow_start(void)
{
    enum { PER_WORD = sizeof(shadow) / 4 };
    heap_shadow = reserve((size_t)(cpucc_heap_end - cpucc_heap) * PER_WORD);
    size_t slots = (size_t)SLOT_BYTES * SLOTS;
    char *p = reserve(slots + SLOT_BYTES);
    cpucc_slots = (char *)(((uintptr_t)p + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES);
    cpucc_slots_end = cpucc_slots + slots;
    slot_shadow = reserve(slots * PER_WORD);
    size_t device = (size_t)(__stop_cpucc_device - __start_cpucc_device);
    if (device) {
        device_shadow = reserve((device + 8) * PER_WORD);
        cpucc_mark_allocated((uintptr_t)__start_cpucc_device, device, true, true);
    }
}

shadow *cpucc_shadow(uintptr_t a)
{
    if (a - (uintptr_t)cpucc_heap < (uintptr_t)(cpucc_heap_end - cpucc_heap))
        return heap_shadow + (a - (uintptr_t)cpucc_heap) / 4;
    if (a - (uintptr_t)cpucc_slots < (uintptr_t)(cpucc_slots_end - cpucc_slots))
        return slot_shadow + (a - (uintptr_t)cpucc_slots) / 4;
    if (a >= (uintptr_t)__start_cpucc_device && a < (uintptr_t)__stop_cpucc_device)
        return device_shadow + (a - ((uintptr_t)__start_cpucc_device & ~(uintptr_t)3)) / 4;
    return cpucc_registered_shadow(a);
}

/* The bytes of the word at a (rounded down) that lie in [from, to). */
static unsigned word_mask(uintptr_t a, uintptr_t from, uintptr_t to)
{
    unsigned mask = 15;
    if (from > a)
        mask &= 15u << (from - a);
    if (to < a + 4)
        mask &= 15u >> (a + 4 - to);
    return mask & 15;
}

#define EACH_WORD(s, m, address, bytes)                                                            \
    for (uintptr_t a_ = (address) & ~(uintptr_t)3, end_ = (address) + (bytes); a_ < end_; a_ += 4) \
        for (unsigned m = word_mask(a_, (address), end_), once_ = 1; once_; once_ = 0)             \
            for (shadow *s = cpucc_shadow(a_); s && once_; once_ = 0)

void cpucc_mark_allocated(uintptr_t address, size_t bytes, bool allocated, bool written)
{
    EACH_WORD(s, m, address, bytes)
    {
        if (!allocated) {
            *s = (shadow){0};
            continue;
        }
        s->allocated |= m;
        s->written = (uint8_t)(written ? s->written | m : s->written & ~m);
    }
}

void cpucc_mark_written(uintptr_t address, size_t bytes)
{
    EACH_WORD(s, m, address, bytes)
    s->written |= m;
}

bool cpucc_all_allocated(uintptr_t address, size_t bytes)
{
    if (!bytes)
        return true;
    if (!cpucc_shadow(address) || !cpucc_shadow(address + bytes - 1))
        return false;
    EACH_WORD(s, m, address, bytes)
    if ((s->allocated & m) != m)
        return false;
    return true;
}

/* ---- shared memory of a block ---- */

static uint32_t dirty[SLOTS]; /* end of what a slot's last block used */

void cpucc_shared_allocate(int slot, uint32_t offset, size_t bytes)
{
    if (dirty[slot] < offset + bytes)
        dirty[slot] = offset + (uint32_t)bytes;
    cpucc_mark_allocated((uintptr_t)cpucc_slots + (size_t)slot * SLOT_BYTES + offset, bytes, true,
                         false);
}

/* A new block: its shared memory holds nothing that it may read. */
void cpucc_shared_clear(struct block *b)
{
    const struct launch *L = cpucc_the_launch;
    shadow *s = slot_shadow + (size_t)b->slot * (SLOT_BYTES / 4);
    uint32_t used = dirty[b->slot];
    memset(s, 0, sizeof *s * (used / 4 + 1));
    memset(cpucc_slots + (size_t)b->slot * SLOT_BYTES, 0xcd, used);
    dirty[b->slot] = 0;
    if (L->config.shared)
        cpucc_shared_allocate(b->slot, SHARED_START, L->config.shared);
}

/* ---- order ---- */

stamp cpucc_stamp(const struct lane *l)
{
    return (stamp){l->warp->block->serial, l->thread << CLOCK_BITS | l->clock};
}

void cpucc_tick(struct lane *l)
{
    struct block *b = l->warp->block;
    if (b->clock < CLOCK_MASK)
        b->clock++;
    l->clock = b->clock;
}

void cpucc_log_release(struct lane *l)
{
    struct launch *L = cpucc_the_launch;
    if (L->release_count == L->release_room) {
        L->release_room = L->release_room ? 2 * L->release_room : 256;
        L->releases = realloc(L->releases, sizeof *L->releases * (size_t)L->release_room);
        if (!L->releases)
            abort();
    }
    L->releases[L->release_count++] =
        (struct release){l->warp->block->serial, l->thread, l->clock, L->time++};
    cpucc_tick(l);
}

/* Whether a release by that block (and thread, within the own block) followed the access and was
 * followed by this thread's last acquire. */
static bool released(const struct lane *l, uint32_t block, uint32_t thread, uint32_t clock)
{
    const struct launch *L = cpucc_the_launch;
    bool own = block == l->warp->block->serial;
    for (int i = 0; l->acquired && i < L->release_count && L->releases[i].time < l->acquired; i++) {
        const struct release *r = &L->releases[i];
        if (r->block == block && r->clock >= clock && (!own || r->thread == thread))
            return true;
    }
    return false;
}

bool cpucc_ordered(const struct lane *l, stamp s)
{
    const struct warp *w = l->warp;
    const struct block *b = w->block;
    const struct launch *L = cpucc_the_launch;
    uint32_t thread = s.when >> CLOCK_BITS, clock = s.when & CLOCK_MASK;
    if (s.block == b->serial) {
        if (thread == l->thread || clock < b->base || b->clock >= CLOCK_MASK)
            return true;
        if (thread / WARP == (uint32_t)w->number && clock < w->base)
            return true;
        if (l->known && clock <= l->known[thread])
            return true;
    } else {
        if (s.block < L->first_serial || clock < b->grid_base || b->clock >= CLOCK_MASK)
            return true;
        if (clock < b->cluster_base && (s.block - L->first_serial) / L->cluster_size ==
                                           (b->serial - L->first_serial) / L->cluster_size)
            return true;
    }
    return released(l, s.block, thread, clock);
}

/* Add what the lane knows to knowledge, an array over the block's threads; the lane's own accesses
 * so far are part of it. */
void cpucc_release_order(struct lane *l, uint32_t *knowledge)
{
    const struct block *b = l->warp->block;
    uint32_t base = b->base ? b->base - 1 : 0, warp_base = l->warp->base ? l->warp->base - 1 : 0;
    for (uint32_t t = 0; t < b->threads; t++) {
        uint32_t k = l->known && l->known[t] > base ? l->known[t] : base;
        knowledge[t] = k > knowledge[t] ? k : knowledge[t];
    }
    uint32_t first = (uint32_t)l->warp->number * WARP;
    for (uint32_t t = first; t < first + (uint32_t)l->warp->lanes; t++)
        knowledge[t] = warp_base > knowledge[t] ? warp_base : knowledge[t];
    if (l->clock > knowledge[l->thread])
        knowledge[l->thread] = l->clock;
    cpucc_tick(l);
}

void cpucc_acquire_order(struct lane *l, const uint32_t *knowledge)
{
    uint32_t n = l->warp->block->threads;
    if (!l->known)
        l->known = calloc(n, sizeof *l->known);
    if (!l->known)
        abort();
    for (uint32_t t = 0; t < n; t++)
        l->known[t] = knowledge[t] > l->known[t] ? knowledge[t] : l->known[t];
}

/* ---- the check before each access ---- */

static const char *who(const struct lane *l, stamp s, char *to, size_t room)
{
    const struct launch *L = cpucc_the_launch;
    index3 d = L->config.block;
    uint32_t t = s.when >> CLOCK_BITS, n = s.block - L->first_serial;
    int used = snprintf(to, room, "thread (%u,%u,%u)", t % d.x, t / d.x % d.y, t / d.x / d.y);
    if (s.block != l->warp->block->serial)
        snprintf(to + used, room - (size_t)used, " of block %u", n);
    return to;
}

static void race(struct lane *l, uintptr_t pc, enum cpucc_kind kind, stamp other, uint32_t other_pc,
                 uintptr_t address)
{
    char text[96];
    who(l, other, text, sizeof text);
    if (other_pc)
        cpucc_fault(l, pc, kind, "%s: not ordered with the write by %s at %s",
                    cpucc_describe_address(address), text,
                    cpucc_line((uintptr_t)__executable_start + other_pc));
    else
        cpucc_fault(l, pc, kind, "%s: not ordered with the read by %s",
                    cpucc_describe_address(address), text);
}

/* Two unordered writes are a race unless the second left the memory as it was. */
static void note_racing(struct lane *l, const shadow *s, uintptr_t address, uint32_t bytes)
{
    if (l->racing)
        return;
    l->racing = address, l->racing_bytes = bytes, l->racing_pc = s->write_pc;
    l->racing_stamp = s->write;
    l->racing_at = l->pc;
}

void cpucc_finish_race(struct lane *l)
{
    if (!l->racing)
        return;
    if (memcmp(l->racing_old, (const void *)l->racing, l->racing_bytes))
        race(l, l->racing_at, RACE_WRITE_WRITE, l->racing_stamp, l->racing_pc, l->racing);
    l->racing = 0;
}

static void check_read(struct lane *l, shadow *s, unsigned m, uintptr_t address, stamp me,
                       bool atomic)
{
    if ((s->written & m) != m && !s->arriving) {
        cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(address));
        s->written |= m;
    }
    if (s->arriving)
        cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is read before the copy into it is waited for",
                    cpucc_describe_address(address));
    else if (s->write_mask & m && !(atomic && s->write_atomic) && !cpucc_ordered(l, s->write))
        race(l, l->pc, RACE_READ_WRITE, s->write, s->write_pc, address);
    if (s->read0_mask == 0 ||
        (s->read[0].block == me.block && (s->read[0].when ^ me.when) >> CLOCK_BITS == 0)) {
        s->read0_mask = (uint8_t)(s->read[0].when == me.when ? s->read0_mask | m : m);
        s->read[0] = me;
        s->read0_atomic = atomic;
    } else if (s->read1_mask == 0 || cpucc_ordered(l, s->read[1])) {
        s->read1_mask = (uint8_t)m;
        s->read[1] = me;
        s->read1_atomic = atomic;
    } else if (cpucc_ordered(l, s->read[0])) {
        s->read0_mask = (uint8_t)m;
        s->read[0] = me;
        s->read0_atomic = atomic;
    }
}

static void check_write(struct lane *l, shadow *s, unsigned m, uintptr_t address, uint32_t bytes,
                        stamp me, bool atomic)
{
    if (s->arriving || s->leaving)
        cpucc_fault(l, l->pc, COPY_NOT_WAITED, "%s is written while a copy %s it is under way",
                    cpucc_describe_address(address), s->arriving ? "into" : "out of");
    s->leaving = 0;
    if (s->write_mask & m && !(atomic && s->write_atomic) && !cpucc_ordered(l, s->write)) {
        if (atomic || s->write_atomic)
            race(l, l->pc, RACE_WRITE_WRITE, s->write, s->write_pc, address);
        else
            note_racing(l, s, address, bytes);
    }
    if (s->read0_mask & m && !(atomic && s->read0_atomic) && !cpucc_ordered(l, s->read[0]))
        race(l, l->pc, RACE_WRITE_READ, s->read[0], 0, address);
    else if (s->read1_mask & m && !(atomic && s->read1_atomic) && !cpucc_ordered(l, s->read[1]))
        race(l, l->pc, RACE_WRITE_READ, s->read[1], 0, address);
    if (s->write.block == me.block && s->write.when == me.when)
        s->write_mask |= m;
    else
        s->write_mask = (uint8_t)m;
    s->write = me;
    s->write_pc = (uint32_t)(l->pc - (uintptr_t)__executable_start);
    s->write_atomic = atomic;
    s->async_write = 0;
    s->read0_mask = s->read1_mask = 0;
    s->written |= m;
}

static void access_fault(struct lane *l, enum cpucc_kind kind, uintptr_t address, uint32_t bytes,
                         enum operation op, cudaError_t error)
{
    const char *verb = op == READ || op == VOLATILE_READ ? "read"
                       : op == ATOMIC                    ? "atomic"
                                                         : "write";
    cpucc_fault(l, l->pc, kind, "%s of %u bytes at %s", verb, bytes,
                cpucc_describe_address(address));
    cpucc_abort(error);
}

/* Check one access before it is made, and note it. False if the launch ends here. */
bool cpucc_check(struct lane *l, uintptr_t address, uint32_t bytes, enum operation op,
                 enum space space)
{
    bool write = op == WRITE || op == VOLATILE_WRITE || op == ATOMIC;
    if (space == IGNORED || (space == CONSTANT && !write))
        return true;
    if (space == CONSTANT || space == FOREIGN) {
        access_fault(l, space == FOREIGN ? OUT_OF_BOUNDS : CONSTANT_WRITE, address, bytes, op,
                     cudaErrorIllegalAddress);
        return false;
    }
    if (address % bytes) {
        access_fault(l, MISALIGNED, address, bytes, op, cudaErrorMisalignedAddress);
        return false;
    }
    if (!cpucc_the_launch->recorded) {
        if (write)
            cpucc_mark_written(address, bytes);
        return true;
    }
    bool atomic = op == ATOMIC || op == VOLATILE_READ || op == VOLATILE_WRITE;
    if (atomic && (op == VOLATILE_READ || op == ATOMIC))
        l->acquired = cpucc_the_launch->time;
    stamp me = cpucc_stamp(l);
    shadow *s = cpucc_shadow(address);
    unsigned mask = bytes >= 4 ? 15 : (bytes == 2 ? 3u : 1u) << (address & 3);
    for (uint32_t i = 0; i < bytes; i += 4, s++)
        if ((s->allocated & mask) != mask) {
            access_fault(l, OUT_OF_BOUNDS, address, bytes, op, cudaErrorIllegalAddress);
            return false;
        }
    s -= (bytes + 3) / 4;
    for (uint32_t i = 0; i < bytes; i += 4, s++) {
        if (op == ATOMIC) {
            if ((s->written & mask) != mask)
                cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(address + i));
            check_write(l, s, mask, address + i, bytes, me, true);
        } else if (write) {
            check_write(l, s, mask, address + i, bytes < 4 ? bytes : 4, me, atomic);
        } else {
            check_read(l, s, mask, address + i, me, atomic);
        }
    }
    if (atomic && write && l->fenced)
        cpucc_log_release(l);
    return true;
}
