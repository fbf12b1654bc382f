/*
 * Plain reads before a compare-and-swap, and the texts of races.
 *
 * A compare-and-swap loop may begin with a plain read: if the value is out of date, the swap fails.
 * A plain read that races with an atomic is a suspicion until the launch ends. It is then a remark
 * if a thread has followed this read with a compare-and-swap of the same address, else a fault.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../execution/deferred_access.h"
#include "order.h"

/* ---- messages of races ---- */

const char *cpucc_describe_access(const struct lane *l, stamp s, char *to, size_t capacity)
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

const char *cpucc_barrier_hint(const struct lane *l, stamp other)
{
    const struct warp *w = l->warp;
    uint32_t thread = other.when >> CLOCK_BITS;
    if (other.block < cpucc_the_launch->first_serial)
        return cpucc_between_devices(cpucc_concurrent_kernel(other.block), cpucc_active_device);
    if (other.block != w->block->serial || thread >= VC_AGENT)
        return "";
    return thread / WARP == (uint32_t)w->number ? " (__syncwarp would order them)"
                                                : " (__syncthreads would order them)";
}

/* ---- plain reads ---- */

static struct first_read { /* a plain read, and the compare-and-swap that has followed it */
    uintptr_t read_pc, swap_pc;
} first_reads[256];
static int first_read_count;

static struct suspicion {
    uintptr_t pc; /* of the read */
    uint64_t times;
    char *text; /* the fault's message */
    struct thread_copy *thread;
} suspicions[256];
static int suspicion_count;

struct thread_copy {
    struct block block;
    struct warp warp;
};

struct thread_copy *cpucc_copy_thread(const struct lane *l)
{
    const struct block *b = l->warp->block;
    struct thread_copy *c = cpucc_nonnull(calloc(1, sizeof *c));
    c->block.serial = b->serial, c->block.index = b->index, c->block.number = b->number;
    c->block.warp = &c->warp;
    c->warp.block = &c->block, c->warp.number = l->warp->number;
    c->warp.lane[0].warp = &c->warp;
    c->warp.lane[0].tid = l->tid, c->warp.lane[0].thread = l->thread;
    return c;
}

struct lane *cpucc_copied_lane(struct thread_copy *c) { return &c->warp.lane[0]; }

void cpucc_note_plain_read(const struct lane *l, uintptr_t address, uintptr_t pc)
{
    struct warp *w = l->warp;
    struct plain_reads *r = &w->plain_read[w->plain_reads[l->index]++ % KEPT_PLAIN_READS];
    r->address[l->index] = address, r->pc[l->index] = pc;
}

void cpucc_note_plain_reads(struct warp *w, uint32_t lanes, const struct group_access *at)
{
    uint8_t first = w->plain_reads[0], differ = 0;
    for (int i = 0; i < WARP; i++)
        differ |= w->plain_reads[i] ^ first;
    if (lanes != ~0u || differ || at->row < 0) {
        for (uint32_t m = lanes; m; m &= m - 1) {
            int i = __builtin_ctz(m);
            cpucc_note_plain_read(&w->lane[i], address_of_lane(w, i), at->pc);
        }
        return;
    }
    struct plain_reads *r = &w->plain_read[first % KEPT_PLAIN_READS];
    memcpy(r->address, w->deferred_row[at->row].address, sizeof r->address);
    for (int i = 0; i < WARP; i++)
        r->pc[i] = at->pc;
    memset(w->plain_reads, first + 1, WARP);
}

void cpucc_note_swap(struct lane *l)
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

uintptr_t cpucc_first_read_before(uintptr_t swap_pc)
{
    for (int i = 0; i < first_read_count; i++)
        if (first_reads[i].swap_pc == swap_pc)
            return first_reads[i].read_pc;
    return 0;
}

void cpucc_note_suspicion(struct lane *l, const shadow *s, uintptr_t address)
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
    cpucc_describe_access(l, s->write, text, sizeof text);
    *p = (struct suspicion){.pc = l->pc, .times = 1};
    if (asprintf(&p->text, "%s: not ordered with the write by %s at %s%s",
                 cpucc_describe_address(address), text,
                 cpucc_line((uintptr_t)__executable_start + s->write_pc),
                 cpucc_barrier_hint(l, s->write)) < 0)
        abort();
    p->thread = cpucc_copy_thread(l);
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
            cpucc_fault(cpucc_copied_lane(p->thread), p->pc,
                        first ? PLAIN_FIRST_READ : RACE_READ_WRITE, "%s", p->text);
        free(p->text);
        free(p->thread);
    }
    suspicion_count = 0;
}
