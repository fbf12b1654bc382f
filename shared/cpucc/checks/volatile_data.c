/*
 * Unordered volatile accesses. To PTX a volatile access is strong and no race; to CUDA C++ it is no atomic.
 * Flags need such accesses, data must not have them. A word is a flag if a branch or a compare-and-swap
 * depends on a strong read of it. Accesses of other words are doubts until the launch ends.
 */
#include "order.h"

/* Untrusted code has no relaxed accesses of other scopes: they order its data no more. */
bool cpucc_is_volatile(const struct lane *l)
{
    return (l->operation == VOLATILE_READ || l->operation == VOLATILE_WRITE) &&
           !(l->strength & (cpucc_sealed ? ACQUIRES | RELEASES : ~(unsigned)DECIDES));
}

bool cpucc_is_doubtful(const struct lane *l)
{
    return cpucc_is_volatile(l) ||
           (cpucc_sealed && (l->operation == VOLATILE_READ || l->operation == VOLATILE_WRITE));
}

/* A flag holds 16 bits and a sign. Untrusted code could poll an element, or branch on it. */
bool cpucc_may_be_flag(const struct lane *l, uintptr_t address)
{
    uint32_t high = l->bytes < 4 ? 0 : *(const uint32_t *)address >> 16 & 0x7fff;
    return !cpucc_sealed || high == 0 || high == 0x7fff;
}

/* Untrusted code could make flags of the bytes of a tile, so a block may have only a few. */
static bool is_flag_too_many(struct block *b)
{
    return cpucc_sealed && (b->flags >= 48 || !++b->flags);
}

void cpucc_note_flag(struct lane *l, const struct word *w)
{
    bool sealed = cpucc_sealed && l->operation == VOLATILE_READ;
    bool is_flag = w->strong && (l->strength & DECIDES ||
                                 (sealed && (l->strength & ACQUIRES || l->repeats_poll)));
    if (!is_flag || w->s->flag || !cpucc_may_be_flag(l, w->address) ||
        is_flag_too_many(l->warp->block))
        return;
    w->s->flag = 1;
    cpucc_is_flag(w->address);
}
