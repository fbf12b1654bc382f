/* The checks that device code calls because frontend/guard.c inserts the calls. */
#include "../core/internal.h"

/* Reports an index outside a local array. The inserted code then uses the array's first element. */
void cpucc_guard_index(int64_t index, int64_t count, const char *name)
{
    struct lane *l = cpucc_current;
    cpucc_flush_deferred();
    if (l)
        cpucc_fault(l, SITE, OUT_OF_BOUNDS, "element %lld of the local array '%s', which has %lld",
                    (long long)index, name, (long long)count);
}

/* Reports the address of a struct that is not aligned to mask + 1 bytes, and ends the launch. */
void cpucc_guard_aligned(uintptr_t address, uintptr_t mask)
{
    struct lane *l = cpucc_current;
    if (!(address & mask) || !l || !cpucc_the_launch->recorded)
        return;
    cpucc_flush_deferred();
    l->bytes = 1;
    cpucc_fault(l, SITE, MISALIGNED,
                "%s is not a multiple of %u, the alignment of the struct's type",
                cpucc_describe_address(address), (unsigned)mask + 1);
    cpucc_abort(cudaErrorMisalignedAddress);
}

/* Called before a struct is copied: marks its unwritten words as written, because they may be
 * padding. If all its words are unwritten, they stay so. */
void cpucc_guard_struct(const char *from, uint64_t bytes)
{
    struct lane *l = cpucc_current;
    uintptr_t a = (uintptr_t)from & ~(uintptr_t)3, end = (uintptr_t)from + bytes;
    if (!l || !cpucc_the_launch->recorded || !cpucc_shadow(a) || !cpucc_all_allocated(a, end - a))
        return;
    cpucc_flush_deferred();
    bool any = false, all = true;
    for (uintptr_t w = a; w < end; w += 4) {
        bool written = cpucc_shadow(w)->written != 0;
        any |= written, all &= written;
    }
    if (any && !all)
        cpucc_words_written(a, end - a);
}

/* Called after a local struct was copied to `to`: marks the bytes whose flag is 0 as unwritten. */
void cpucc_guard_copied(uint64_t to, const char *flags, uint64_t bytes)
{
    const struct lane *l = cpucc_current;
    if (!l || !cpucc_the_launch->recorded || cpucc_is_local(l, to) || !cpucc_shadow(to) ||
        !cpucc_all_allocated(to, bytes))
        return;
    cpucc_flush_deferred(); /* flush the copy first: it marks all bytes as written */
    for (uint64_t i = 0; i < bytes; i++)
        if (!flags[i])
            cpucc_mark_unwritten(to + i, 1u << ((to + i) & 3));
}

/* Words of shared memory to which an unwritten local variable was stored, hashed by address. */
static struct stored {
    uintptr_t address, pc;
    uint32_t block;
    const char *variable;
} stored[1 << 14];

static struct stored *stored_at(uintptr_t a)
{
    return &stored[(a / 4 * 2654435761u >> 8) % (sizeof stored / sizeof *stored)];
}

static void undefined(struct lane *l, uintptr_t pc, const char *variable, const char *what)
{
    cpucc_fault(l, pc, UNINITIALISED, "the local variable '%s' %s, but was never written", variable,
                what);
}

/* Called when an unwritten local variable is used. what[0] is the use: 'b' a branch, 'a' an
 * address, a digit: a store of that many bytes to `at`; then comes the variable's name. Reports a
 * fault, but for a store to shared memory only when the word is read. */
void cpucc_guard_undefined(const char *what, const char *at)
{
    struct lane *l = cpucc_current;
    uintptr_t a = (uintptr_t)at, pc = SITE;
    if (!l || a - (uintptr_t)l->stack < cpucc_stack_bytes)
        return;
    cpucc_flush_deferred();
    if (what[0] == 'a' || what[0] == 'b') {
        undefined(l, pc, what + 1, what[0] == 'a' ? "decides an address" : "decides a branch");
        return;
    }
    if (!at || !cpucc_is_shared_pointer(at)) {
        undefined(l, pc, what + 1, "is part of a stored value");
        return;
    }
    uint32_t bytes = (uint32_t)(what[0] - '0');
    if (!cpucc_the_launch->recorded || a % bytes || !cpucc_all_allocated(a, bytes))
        return;
    for (uint32_t i = 0; i < bytes; i += 4) {
        unsigned mask = bytes >= 4 ? 15 : (bytes == 2 ? 3u : 1u) << (a & 3);
        cpucc_mark_unwritten(a + i, mask);
        *stored_at(a + i) =
            (struct stored){(a + i) & ~(uintptr_t)3, pc, l->warp->block->serial, what + 1};
    }
}

void cpucc_uninitialised_read(struct lane *l, uintptr_t address)
{
    uintptr_t word = address & ~(uintptr_t)3;
    const struct stored *s = stored_at(word);
    struct block *b = cpucc_is_shared_pointer((void *)word) ? cpucc_block_of(word) : NULL;
    if (b && s->address == word && s->block == b->serial)
        undefined(l, s->pc, s->variable, "is part of a value that is stored and read again");
    else
        cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(address));
}

/* Notes where the thread has a __grid_constant__ parameter, for cpucc_map_in_place. */
void cpucc_grid_constant(const void *parameter, uint64_t bytes)
{
    struct lane *l = cpucc_current;
    if (l && l->grid_constant_count < MAX_GRID_CONSTANTS) {
        l->grid_constant[l->grid_constant_count].start = (uintptr_t)parameter;
        l->grid_constant[l->grid_constant_count++].bytes = bytes;
    }
}

/* Whether TMA can read the tensor map, which must not lie in local memory. A parameter whose
 * address is taken is copied to local memory unless it is __grid_constant__. */
bool cpucc_map_in_place(const struct lane *l, const void *map)
{
    if ((uintptr_t)map - (uintptr_t)l->stack >= cpucc_stack_bytes)
        return true;
    for (int i = 0; i < l->grid_constant_count; i++)
        if ((uintptr_t)map - l->grid_constant[i].start < l->grid_constant[i].bytes)
            return true;
    return l->grid_constant_count == MAX_GRID_CONSTANTS; /* more parameters than were noted */
}

/* Does nothing. The call keeps the compiler from deleting a shared variable that is never read. */
void cpucc_keep(const void *variable) { (void)variable; }
