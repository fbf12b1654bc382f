/*
 * Unordered volatile accesses. To PTX a volatile access is strong and no race; to CUDA C++ it is no atomic.
 * Flags need such accesses, data must not have them. A word is a flag if a branch or a compare-and-swap
 * depends on a strong read of it. Accesses of other words are doubts until the launch ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "order.h"

static struct doubt {
    uintptr_t pc, address;
    enum cpucc_kind kind;
    bool of_data; /* no flag, whatever the word becomes */
    bool of_flag; /* and so no fault */
    uint64_t times;
    struct thread_copy *thread;
    char *text;
} doubts[64];
static int doubt_count;

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
    bool is_flag = l->strength & DECIDES || (sealed && (l->strength & ACQUIRES || l->repeats_poll));
    if (!is_flag || w->s->flag || !cpucc_may_be_flag(l, w->address) ||
        is_flag_too_many(l->warp->block))
        return;
    w->s->flag = 1;
    for (int i = 0; i < doubt_count; i++)
        doubts[i].of_flag |= doubts[i].address == w->address && !doubts[i].of_data;
}

void cpucc_doubt_volatile(struct lane *l, uintptr_t pc, enum cpucc_kind kind, uintptr_t address,
                          const char *text)
{
    int n = 0;
    bool data = !cpucc_may_be_flag(l, address);
    while (n < doubt_count &&
           (doubts[n].pc != pc || doubts[n].kind != kind || doubts[n].of_data != data))
        n++;
    if (n == (int)(sizeof doubts / sizeof *doubts))
        return;
    if (n < doubt_count) {
        doubts[n].times++;
        return;
    }
    doubts[doubt_count++] = (struct doubt){.pc = pc,
                                           .address = address,
                                           .kind = kind,
                                           .of_data = data,
                                           .times = 1,
                                           .thread = cpucc_copy_thread(l),
                                           .text = cpucc_nonnull(strdup(text))};
}

void cpucc_report_volatile(void)
{
    for (int i = 0; i < doubt_count; i++) {
        struct doubt *d = &doubts[i];
        while (d->times-- && !d->of_flag)
            cpucc_fault(cpucc_copied_lane(d->thread), d->pc, d->kind, "%s", d->text);
        free(d->text);
        free(d->thread);
    }
    doubt_count = 0;
}
