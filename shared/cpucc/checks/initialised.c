/*
 * The checker `initialised`: reads of memory that was never written, in global and shared memory and
 * in local variables. frontend/guard.c inserts the calls of cpucc_guard_*.
 */
#include "checks.h"

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

/* Reports the read of an unwritten word. */
static void unwritten(struct lane *l, uintptr_t address)
{
    uintptr_t word = address & ~(uintptr_t)3;
    const struct stored *s = stored_at(word);
    struct block *b = cpucc_is_shared_pointer((void *)word) ? cpucc_block_of(word) : NULL;
    if (b && s->address == word && s->block == b->serial)
        undefined(l, s->pc, s->variable, "is part of a value that is stored and read again");
    else
        cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(address));
}

/* A partly written word may have padding, and a word that a copy still writes is copies.c's. */
static void word_read(struct lane *l, const struct word *w)
{
    if (w->was_written || w->s->copying_in)
        return;
    unwritten(l, w->address);
    w->s->written |= w->mask;
}

static void word_write(struct lane *l, const struct word *w)
{
    if (w->operation == ATOMIC && !(l->strength & EXCHANGES) &&
        (w->s->written & w->mask) != w->mask)
        cpucc_fault(l, l->pc, UNINITIALISED, "%s", cpucc_describe_address(w->address));
    w->s->written |= w->mask;
}

const struct cpucc_checker cpucc_initialised = {
    .name = "initialised", .word_read = word_read, .word_write = word_write};
