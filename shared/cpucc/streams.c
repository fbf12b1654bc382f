/*
 * What the hardware might still be doing. Everything has been done when its call returns, in the
 * order of the calls; a program may rely on less: that a stream's work is in order, and after what
 * events, the default stream and the host have waited for. So what was asked of the device and has
 * not been waited for is kept in a list, each with the streams that come after it.
 *
 * host_access.c asks it what the host may touch, order.c which kernels are not in order before the one
 * that runs.
 */
#include <string.h>
#include "runtime.h"

enum { OPERATIONS = 4096, STREAMS = 63 };

static struct device_operation pending[OPERATIONS];
static int pending_count;
static uint64_t next_number = 1;

/* Streams have a bit each while something is pending; bit 0 is the default stream's, in its three
 * names. More than STREAMS of them share one, which can only hide a fault. */
static const void *known[STREAMS];
static int used;
static uint64_t apart; /* those that the default stream does not wait for, nor they for it */

static uint64_t bit_of(const void *stream)
{
    if ((uintptr_t)stream <= 2)
        return 1;
    for (int i = 0; i < used; i++)
        if (known[i] == stream)
            return (uint64_t)2 << i;
    if (used < STREAMS - 1) {
        if (cpucc_stream_flags(stream) & cudaStreamNonBlocking)
            apart |= (uint64_t)2 << used;
        known[used++] = stream;
    } else {
        apart &= ~((uint64_t)2 << (used - 1));
    }
    return (uint64_t)2 << (used - 1);
}

static void drop(uint64_t streams, uint64_t up_to)
{
    int kept = 0;
    for (int i = 0; i < pending_count; i++)
        if (!(pending[i].after & streams) || pending[i].number > up_to)
            pending[kept++] = pending[i];
    pending_count = kept;
    if (!kept)
        used = 0, apart = 0;
}

const struct device_operation *cpucc_pending(int *n)
{
    *n = pending_count;
    return pending;
}

/* What is pending when something new comes into a stream: the default stream waits for the others,
 * and they for it. Returns the stream's bit. */
static uint64_t comes_into(const void *stream)
{
    uint64_t bit = bit_of(stream);
    for (int i = 0; i < pending_count; i++) {
        if (bit == 1 && pending[i].after & ~apart)
            pending[i].after |= 1;
        else if (pending[i].after & 1 && !(bit & apart))
            pending[i].after |= bit;
    }
    return bit;
}

static struct device_operation *add(const void *stream, uintptr_t pc)
{
    uint64_t bit = comes_into(stream);
    if (pending_count == OPERATIONS) /* too old to be told */
        memmove(pending, pending + 1, sizeof *pending * (size_t)--pending_count);
    pending[pending_count] =
        (struct device_operation){.number = next_number++, .after = bit, .pc = pc};
    return &pending[pending_count++];
}

/* ---- what is not in order before the kernel that runs ---- */

enum { BESIDE = 64 };
static struct device_operation beside[BESIDE];
static int beside_count;
bool cpucc_copies_may_race, cpucc_signals_host;

/* The serial number before which all blocks are in order before the launch. */
uint32_t cpucc_find_concurrent(const void *stream, uint32_t first_serial)
{
    beside_count = 0;
    cpucc_copies_may_race = false;
    if (!pending_count)
        return first_serial;
    uint64_t bit = comes_into(stream);
    for (int i = 0; i < pending_count && beside_count < BESIDE; i++) {
        const struct device_operation *o = &pending[i];
        if (o->after & bit)
            continue;
        beside[beside_count++] = *o;
        if (o->name && o->first_serial < first_serial)
            first_serial = o->first_serial;
        cpucc_copies_may_race |= !o->name;
    }
    return first_serial;
}

const struct device_operation *cpucc_concurrent_kernel(uint32_t serial)
{
    for (int i = 0; i < beside_count; i++)
        if (beside[i].name && serial >= beside[i].first_serial && serial <= beside[i].last_serial)
            return &beside[i];
    return NULL;
}

/* What the launch has seen the kernel say, by a flag: from now on it comes after it. */
void cpucc_forget_concurrent(uint32_t serial)
{
    for (int i = 0; i < beside_count; i++)
        if (serial >= beside[i].first_serial && serial <= beside[i].last_serial)
            beside[i].name = NULL, beside[i].first_serial = 1, beside[i].last_serial = 0;
}

static bool meets(const struct device_operation *o, uintptr_t from, uintptr_t to, bool write)
{
    for (int i = 0; i < 2; i++)
        if (o->range[i].from < to && from < o->range[i].to && (write || o->range[i].written))
            return true;
    return false;
}

const struct device_operation *cpucc_concurrent_copy(uintptr_t a, uint32_t bytes, bool write)
{
    for (int i = 0; i < beside_count; i++)
        if (!beside[i].name && meets(&beside[i], a, a + bytes, write))
            return &beside[i];
    return NULL;
}

/* ---- kernels, copies, fills ---- */

void cpucc_pending_kernel(const void *stream, uint32_t first, uint32_t last, const char *name,
                          uintptr_t pc)
{
    cpucc_open_memory();
    struct device_operation *o = add(stream, pc);
    o->first_serial = first, o->last_serial = last, o->name = name;
    o->signals_host = cpucc_signals_host;
    cpucc_signals_host = false;
    cpucc_close_memory();
}

/* A kernel's plain access to a word of the range, which a copy that is not in order with it reads or
 * writes; 0 if there is none. */
static uintptr_t used_by(const struct device_operation *kernel, uintptr_t from, uintptr_t to,
                         bool write)
{
#define BY(x) ((x).block >= kernel->first_serial && (x).block <= kernel->last_serial)
    for (uintptr_t a = from & ~(uintptr_t)3; a < to; a += 4) {
        const shadow *s = cpucc_shadow(a);
        if (s && ((s->write_mask && !s->write_strong && BY(s->write)) ||
                  (write && s->read.lanes && s->read.when >> 30 == 0 && BY(s->read))))
            return a;
    }
#undef BY
    return 0;
}

static void check_range(uint64_t bit, uintptr_t from, uintptr_t to, bool write, const char *verb,
                        uintptr_t pc)
{
    for (int i = 0; i < pending_count; i++) {
        const struct device_operation *o = &pending[i];
        uintptr_t at = o->after & bit              ? 0
                       : o->name                   ? used_by(o, from, to, write)
                       : meets(o, from, to, write) ? from
                                                   : 0;
        if (!at)
            continue;
        cpucc_fault(NULL, pc, write ? RACE_WRITE_READ : RACE_READ_WRITE,
                    "%s is %s, in a stream that does not wait for %s%s at %s",
                    cpucc_describe_address(at), verb, o->name ? "the kernel " : "the copy",
                    o->name ? o->name : "", cpucc_line(o->pc));
        cpucc_print_faults();
        return;
    }
}

/* A copy or a fill, from NULL, that is done by now; of each end, what kernels may use. If it is
 * asynchronous, it stays pending. */
void cpucc_pending_copy(const void *stream, const void *to, const void *from, size_t bytes,
                        bool asynchronous, uintptr_t pc)
{
    const uintptr_t start[2] = {(uintptr_t)to, (uintptr_t)from};
    struct range range[2] = {{0}};
    bool any = false;
    for (int i = 0; i < 2; i++)
        if (start[i] && bytes && cpucc_shadow(start[i])) {
            range[i] = (struct range){start[i], start[i] + bytes, i == 0};
            any = true;
        }
    if (!any || (!asynchronous && !pending_count))
        return;
    cpucc_open_memory();
    uint64_t bit = comes_into(stream);
    for (int i = 0; i < 2 && pending_count; i++)
        if (range[i].from)
            check_range(bit, range[i].from, range[i].to, range[i].written,
                        range[i].written ? "written" : "read", pc);
    if (asynchronous)
        memcpy(add(stream, pc)->range, range, sizeof range);
    cpucc_close_memory();
}

/* Memory that is given back in a stream: whoever has it next has nothing to do with its past. */
void cpucc_pending_free(const void *stream, uintptr_t from, uintptr_t to, uintptr_t pc)
{
    cpucc_open_memory();
    if (pending_count)
        check_range(comes_into(stream), from, to, true, "freed", pc);
    cpucc_close_memory();
    for (int i = 0; i < pending_count; i++)
        for (int k = 0; k < 2; k++)
            if (pending[i].range[k].from < to && from < pending[i].range[k].to)
                pending[i].range[k] = (struct range){0};
}

/* ---- waiting ---- */

/* The host has waited for a stream, for everything, or for an event. */
void cpucc_synchronised_stream(const void *stream) { drop(comes_into(stream), ~(uint64_t)0); }

void cpucc_synchronised(void) { drop(~(uint64_t)0, ~(uint64_t)0); }

struct stream_point cpucc_point(const void *stream)
{
    return (struct stream_point){next_number, comes_into(stream)};
}

void cpucc_synchronised_point(struct stream_point p) { drop(p.streams, p.number - 1); }

/* What comes in the stream from now on comes after the point. */
void cpucc_stream_waits(const void *stream, struct stream_point p)
{
    uint64_t bit = bit_of(stream);
    for (int i = 0; i < pending_count; i++)
        if (pending[i].number < p.number && pending[i].after & p.streams)
            pending[i].after |= bit;
}
