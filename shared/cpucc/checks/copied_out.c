/*
 * Memory that was never written and is copied to the host. The copy is a remark: programs that only take
 * times may leave memory empty. It is a fault if the host then reads such bytes; compile.c inserts the
 * calls of cpucc_host_load (cpucc_host.h), which calls cpucc_host_reads for bytes of the range below.
 *
 * Unwritten device memory holds 0xff (heap.c). A byte of another value counts as written by the host.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "checks.h"

/* The host's bytes that the program may not read lie in this range. */
static uintptr_t unwritten_from;
size_t cpucc_unwritten_bytes;

/* A copy to the host: bit i of `unwritten` is set if byte i was never written. */
static struct copied {
    uintptr_t to, from;
    size_t bytes;
    uintptr_t pc;
    unsigned char *unwritten;
} copies[16];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void find_range(void)
{
    uintptr_t low = ~(uintptr_t)0, high = 0;
    for (int i = 0; i < count; i++) {
        low = copies[i].to < low ? copies[i].to : low;
        high = copies[i].to + copies[i].bytes > high ? copies[i].to + copies[i].bytes : high;
    }
    unwritten_from = low, cpucc_unwritten_bytes = count ? high - low : 0;
}

static void forget(int i)
{
    free(copies[i].unwritten);
    copies[i] = copies[--count];
}

/* Forgets copies to these bytes, and all copies that lie far away: the range must stay small, because
 * each load of the host in it calls cpucc_host_reads. */
static void forget_replaced(uintptr_t to, size_t bytes)
{
    const size_t far = (size_t)1 << 30;
    for (int i = count; i-- > 0;) {
        uintptr_t from = copies[i].to, end = from + copies[i].bytes;
        if ((from < to + bytes && to < end) || (from < to ? to - from : from - to) > far ||
            count == sizeof copies / sizeof *copies)
            forget(i);
    }
}

/* Sets the bits of the bytes that were never written. Returns the number of those that stand together in
 * PADDING or more, and the first in *first; fewer may be padding of structs. */
static size_t find_unwritten(struct copied *c, uintptr_t *first)
{
    enum { PADDING = 16 };
    size_t found = 0, page = 4096;
    uintptr_t run = 0, run_end = 0; /* of the latest bytes without a gap */
    for (uintptr_t a = c->from, end = c->from + c->bytes, next; a < end; a = next) {
        next = (a / page + 1) * page < end ? (a / page + 1) * page : end;
        enum written written = cpucc_page_is_written(a);
        for (uintptr_t b = a; b < next && written != ALL_WRITTEN; b++) {
            if (written == SOME_WRITTEN && cpucc_seen_record(b)->written >> (b & 3) & 1)
                continue;
            if (!c->unwritten)
                c->unwritten = cpucc_nonnull(calloc(c->bytes / 8 + 1, 1));
            size_t i = b - c->from;
            if (*(const unsigned char *)b == 0xff)
                c->unwritten[i / 8] |= (unsigned char)(1u << i % 8);
            run = b == run_end ? run : b, run_end = b + 1;
            if (run_end - run == PADDING && !found)
                *first = run;
            found += run_end - run == PADDING ? PADDING : run_end - run > PADDING;
        }
    }
    return found;
}

void cpucc_copied_out(const void *to, const void *from, size_t bytes, uintptr_t pc)
{
    struct copied c = {(uintptr_t)to, (uintptr_t)from, bytes, cpucc_user_pc(pc), NULL};
    uintptr_t first = 0;
    if (cpucc_level(UNINITIALISED) == OFF || c.from < (uintptr_t)cpucc_heap ||
        c.from >= (uintptr_t)cpucc_heap_host)
        return;
    pthread_mutex_lock(&lock);
    size_t unwritten = find_unwritten(&c, &first);
    forget_replaced(c.to, bytes);
    if (c.unwritten)
        copies[count++] = c;
    if (unwritten)
        cpucc_fault(NULL, c.pc, COPIED_UNWRITTEN, "%zu of %zu bytes, from %s", unwritten, bytes,
                    cpucc_describe_address(first));
    find_range();
    pthread_mutex_unlock(&lock);
}

/* Whether all bytes at p were copied from unwritten memory and the host has not changed them. */
static bool holds(const struct copied *c, const unsigned char *p, size_t bytes)
{
    size_t at = (uintptr_t)p - c->to;
    if ((uintptr_t)p < c->to || at >= c->bytes || bytes > c->bytes - at)
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != 0xff || !(c->unwritten[(at + i) / 8] >> (at + i) % 8 & 1))
            return false;
    return true;
}

/* The host's code is about to load these bytes. */
void cpucc_host_reads(const void *p, size_t bytes)
{
    uintptr_t pc = CALLER_PC;
    if ((uintptr_t)p - unwritten_from >= cpucc_unwritten_bytes)
        return;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++)
        if (holds(&copies[i], p, bytes)) {
            cpucc_fault(NULL, pc, UNINITIALISED, "the host reads a copy, made at %s, of %s",
                        cpucc_line(copies[i].pc),
                        cpucc_describe_address(copies[i].from + ((uintptr_t)p - copies[i].to)));
            cpucc_print_faults();
            forget(i);
            find_range();
            break;
        }
    pthread_mutex_unlock(&lock);
}
