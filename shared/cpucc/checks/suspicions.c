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

/* ---- faults that are reported when the launch ends ---- */

static struct late_fault {
    uintptr_t pc, address;
    enum cpucc_kind kind; /* PLAIN_FIRST_READ: a suspicion */
    bool of_data;         /* no flag, whatever the word becomes */
    bool of_flag;         /* and so no fault */
    uint64_t times;
    index3 block, thread;
    char *text;
} late[256];
static int late_count;

/* Returns the fault's record, without a text if it is new; NULL if there are too many. */
static struct late_fault *note(struct lane *l, uintptr_t pc, enum cpucc_kind kind,
                               uintptr_t address, bool of_data)
{
    int n = 0;
    while (n < late_count &&
           (late[n].pc != pc || late[n].kind != kind || late[n].of_data != of_data))
        n++;
    if (n == (int)(sizeof late / sizeof *late))
        return NULL;
    if (n == late_count)
        late[late_count++] = (struct late_fault){.pc = pc,
                                                 .address = address,
                                                 .kind = kind,
                                                 .of_data = of_data,
                                                 .block = l->warp->block->index,
                                                 .thread = l->tid};
    late[n].times++;
    return &late[n];
}

void cpucc_note_suspicion(struct lane *l, const shadow *s, uintptr_t address)
{
    struct late_fault *f = note(l, l->pc, PLAIN_FIRST_READ, 0, false);
    char by[200];
    if (f && !f->text &&
        asprintf(&f->text, "%s: not ordered with the write by %s at %s%s",
                 cpucc_describe_address(address), cpucc_describe_access(l, s->write, by, sizeof by),
                 cpucc_line((uintptr_t)__executable_start + s->write_pc),
                 cpucc_barrier_hint(l, s->write)) < 0)
        abort();
}

void cpucc_doubt_volatile(struct lane *l, uintptr_t pc, enum cpucc_kind kind, uintptr_t address,
                          const char *text)
{
    struct late_fault *f = note(l, pc, kind, address, !cpucc_may_be_flag(l, address));
    if (f && !f->text)
        f->text = cpucc_nonnull(strdup(text));
}

void cpucc_is_flag(uintptr_t address)
{
    for (int i = 0; i < late_count; i++)
        late[i].of_flag |= late[i].address == address && !late[i].of_data;
}

/* Reports a fault as often as it was noted. */
static void report(const struct late_fault *f)
{
    static struct block block; /* stands for the thread's, which has ended */
    static struct warp warp = {.block = &block};
    enum cpucc_kind kind = f->kind == PLAIN_FIRST_READ ? RACE_READ_WRITE : f->kind;
    for (int n = 0; n < first_read_count && f->kind == PLAIN_FIRST_READ; n++)
        kind = first_reads[n].read_pc == f->pc ? PLAIN_FIRST_READ : kind;
    block.index = f->block, warp.lane[0].tid = f->thread, warp.lane[0].warp = &warp;
    for (uint64_t i = 0; i < f->times && !f->of_flag; i++)
        cpucc_fault(&warp.lane[0], f->pc, kind, "%s", f->text);
}

void cpucc_report_late(void)
{
    for (int suspicions = 1; suspicions >= 0; suspicions--)
        for (int i = 0; i < late_count; i++)
            if ((late[i].kind == PLAIN_FIRST_READ) == suspicions) {
                report(&late[i]);
                free(late[i].text);
            }
    late_count = 0;
}
