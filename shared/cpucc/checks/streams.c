/*
 * Keeps the list of pending device operations: those that the hardware might still be executing.
 * cpucc completes every operation before its call returns. A program may rely only on the order
 * within a stream, on events, on the default stream, and on waits of the host. Each operation in
 * the list has the set of streams whose later work comes after it.
 *
 * host_access.c asks which memory the host may touch. order.c asks which kernels are not ordered
 * before the running kernel.
 */
#include <string.h>
#include "checks.h"

enum { OPERATIONS = 4096, STREAMS = 63 };

static struct device_operation pending[OPERATIONS];
static int pending_count;
static uint64_t next_number = 1;

/* While operations are pending, each stream has a bit. Bit d is the default stream, with its three
 * handles, of device d. Streams beyond the last bit share it, which can only hide faults. */
static struct {
    const void *stream;
    int device;
} known[STREAMS];
static int used; /* entries of `known` */
static struct {
    uint64_t all, blocking; /* its streams; those that are ordered with its default stream */
} of_device[MAX_DEVICES];

/* Returns the stream's bit, and sets *device to its device. */
static uint64_t bit_of(const void *stream, int *device)
{
    int first = cpucc_device_count, i = 0;
    *device = cpucc_active_device;
    if ((uintptr_t)stream <= 2) {
        uint64_t bit = (uint64_t)1 << *device;
        of_device[*device].all |= bit, of_device[*device].blocking |= bit;
        return bit;
    }
    while (i < used && known[i].stream != stream)
        i++;
    if (i < used) {
        *device = known[i].device;
        return (uint64_t)1 << (first + i);
    }
    unsigned flags = cpucc_stream_traits ? cpucc_stream_traits(stream, device) : 0;
    bool shared = first + used == STREAMS;
    if (!shared)
        known[used].stream = stream, known[used++].device = *device;
    uint64_t bit = (uint64_t)1 << (first + used - 1);
    of_device[*device].all |= bit;
    if (shared || !(flags & cudaStreamNonBlocking))
        of_device[*device].blocking |= bit;
    return bit;
}

/* Drops the pending operations numbered at most up_to that one of the streams comes after. */
static void drop(uint64_t streams, uint64_t up_to)
{
    int kept = 0;
    for (int i = 0; i < pending_count; i++)
        if (!(pending[i].after & streams) || pending[i].number > up_to)
            pending[kept++] = pending[i];
    pending_count = kept;
    if (!kept)
        used = 0, memset(of_device, 0, sizeof of_device);
}

const struct device_operation *cpucc_pending(int *n)
{
    *n = pending_count;
    return pending;
}

/* Returns the stream's bit, for new work in it. If it is the default stream, orders pending
 * operations of its device's blocking streams before that work; if it is a blocking stream, those of
 * the default stream. */
static uint64_t enter_stream(const void *stream)
{
    int device;
    uint64_t bit = bit_of(stream, &device), first = (uint64_t)1 << device;
    uint64_t blocking = of_device[device].blocking;
    for (int i = 0; i < pending_count && bit & blocking; i++)
        if (pending[i].after & (bit == first ? blocking : first))
            pending[i].after |= bit;
    return bit;
}

/* Adds a pending operation of the stream, and returns it for the caller to fill in. */
static struct device_operation *add(const void *stream, uintptr_t pc)
{
    int device;
    uint64_t bit = enter_stream(stream);
    bit_of(stream, &device);
    if (pending_count == OPERATIONS) /* the list is full: forget the oldest */
        memmove(pending, pending + 1, sizeof *pending * (size_t)--pending_count);
    pending[pending_count] = (struct device_operation){
        .number = next_number++, .after = bit, .device = device, .pc = pc};
    return &pending[pending_count++];
}

/* ---- operations that are not ordered before the running kernel ---- */

enum { MAX_CONCURRENT = 64 };
static struct device_operation concurrent[MAX_CONCURRENT];
static int concurrent_count;
unsigned (*cpucc_stream_traits)(const void *stream, int *device);

static int fenced; /* the widest scope of the running kernel's fences and releases */

/* Collects the operations concurrent with a new launch. */
static void launch_starts(struct launch *L)
{
    fenced = 0;
    concurrent_count = 0;
    if (!pending_count)
        return;
    uint64_t bit = enter_stream(L->config.stream);
    for (int i = 0; i < pending_count && concurrent_count < MAX_CONCURRENT; i++) {
        const struct device_operation *o = &pending[i];
        if (o->after & bit)
            continue;
        concurrent[concurrent_count++] = *o;
        if (o->name && o->first_serial < L->ordered_serial)
            L->ordered_serial = o->first_serial;
        L->copies_may_race |= !o->name;
    }
}

struct device_operation *cpucc_concurrent_kernel(uint32_t serial)
{
    for (int i = 0; i < concurrent_count; i++)
        if (concurrent[i].name && serial >= concurrent[i].first_serial &&
            serial <= concurrent[i].last_serial)
            return &concurrent[i];
    return NULL;
}

const char *cpucc_between_devices(const struct device_operation *o, int device)
{
    static char text[200];
    if (!o || o->device == device)
        return "";
    snprintf(text, sizeof text,
             " (device %d and device %d; record an event after the former and let this stream wait "
             "for it by cudaStreamWaitEvent)",
             o->device, device);
    return text;
}

void cpucc_forget_concurrent(uint32_t serial)
{
    for (int i = 0; i < concurrent_count; i++)
        if (serial >= concurrent[i].first_serial && serial <= concurrent[i].last_serial)
            concurrent[i].name = NULL, concurrent[i].first_serial = 1,
            concurrent[i].last_serial = 0;
}

void cpucc_note_fence(int scope)
{
    fenced = scope > fenced ? scope : fenced;
    for (int i = 0; i < concurrent_count && scope == 2; i++)
        if (concurrent[i].name && concurrent[i].observed && concurrent[i].fenced == 2)
            cpucc_forget_concurrent(concurrent[i].first_serial);
}

void cpucc_observe_kernel(uint32_t serial)
{
    struct device_operation *o = cpucc_concurrent_kernel(serial);
    if (o)
        o->observed = true;
}

bool cpucc_only_device_scope(uint32_t serial)
{
    const struct device_operation *o = cpucc_concurrent_kernel(serial);
    return o && o->observed && o->fenced && fenced && (o->fenced == 1 || fenced == 1);
}

static bool overlaps(const struct device_operation *o, uintptr_t from, uintptr_t to, bool write)
{
    for (int i = 0; i < 2; i++)
        if (o->range[i].from < to && from < o->range[i].to && (write || o->range[i].written))
            return true;
    return false;
}

/* Returns a concurrent copy or fill that conflicts with the access, or NULL. */
static const struct device_operation *concurrent_copy(uintptr_t a, uint32_t bytes, bool write)
{
    for (int i = 0; i < concurrent_count; i++)
        if (!concurrent[i].name && overlaps(&concurrent[i], a, a + bytes, write))
            return &concurrent[i];
    return NULL;
}

/* Reports the access if an unfinished copy in another stream overlaps it. */
static void check_access(struct lane *l, const struct access *a)
{
    const struct device_operation *o =
        cpucc_the_launch->copies_may_race ? concurrent_copy(a->address, a->bytes, a->write) : NULL;
    if (o)
        cpucc_fault(l, l->pc, a->write ? RACE_WRITE_READ : RACE_READ_WRITE,
                    "%s: not ordered with the copy at %s, in a stream that this one does not wait "
                    "for%s",
                    cpucc_describe_address(a->address), cpucc_line(o->pc),
                    cpucc_between_devices(o, cpucc_active_device));
}

/* ---- kernels, copies, fills ---- */

void cpucc_pending_kernel(const void *stream, uint32_t first, uint32_t last, const char *name,
                          uintptr_t pc)
{
    cpucc_open_memory();
    struct device_operation *o = add(stream, pc);
    o->first_serial = first, o->last_serial = last, o->name = name;
    o->signals_host = cpucc_signals_host;
    o->fenced = fenced;
    cpucc_signals_host = false;
    cpucc_close_memory();
}

/* Returns a word of the copy's range that the kernel, which is not ordered with the copy, has
 * written by a plain access; if the copy writes, also one that the kernel has read so. 0 if there
 * is none. */
static uintptr_t plain_use_by(const struct device_operation *kernel, uintptr_t from, uintptr_t to,
                              bool write)
{
#define BY(x) ((x).block >= kernel->first_serial && (x).block <= kernel->last_serial)
    for (uintptr_t a = from & ~(uintptr_t)3; a < to; a += 4) {
        size_t page = (a - (uintptr_t)cpucc_heap) / 4096;
        if (cpucc_in_heap(a) && cpucc_page_state[page]) {
            a |= 4092; /* no kernel has reached the page */
            continue;
        }
        const shadow *s = cpucc_seen_record(a);
        unsigned bytes = 15; /* of the word, in the range */
        bytes = a < from ? bytes << (from - a) : bytes;
        bytes = a + 4 > to ? bytes & 15u >> (a + 4 - to) : bytes;
        if (s && ((s->write_mask & bytes && !s->write_strong && BY(s->write)) ||
                  (write && s->read.lanes && s->read.when >> 30 == 0 && BY(s->read))))
            return a;
    }
#undef BY
    return 0;
}

/* Reports a pending operation that uses the range and is not ordered before the stream's next work. */
static void check_range(const void *stream, uintptr_t from, uintptr_t to, bool write,
                        const char *verb, uintptr_t pc)
{
    int device;
    uint64_t bit = bit_of(stream, &device);
    for (int i = 0; i < pending_count; i++) {
        const struct device_operation *o = &pending[i];
        uintptr_t at = o->after & bit                 ? 0
                       : o->name                      ? plain_use_by(o, from, to, write)
                       : overlaps(o, from, to, write) ? from
                                                      : 0;
        if (!at)
            continue;
        cpucc_fault(NULL, pc, write ? RACE_WRITE_READ : RACE_READ_WRITE,
                    "%s is %s, in a stream that does not wait for %s%s at %s%s",
                    cpucc_describe_address(at), verb, o->name ? "the kernel " : "the copy",
                    o->name ? o->name : "", cpucc_line(o->pc), cpucc_between_devices(o, device));
        cpucc_print_faults();
        return;
    }
}

/* Whether the copy goes from one device to another. If so, orders it, as a copy in a default stream,
 * after all earlier work of both devices, and before all their later work. */
static bool between_devices(const void *to, const void *from)
{
    int a = cpucc_owner((uintptr_t)to), b = cpucc_owner((uintptr_t)from);
    if (a < 0 || b < 0 || a == b)
        return false;
    cpucc_synchronised(a);
    cpucc_synchronised(b);
    return true;
}

void cpucc_pending_copy(const void *stream, const void *to, const void *from, size_t bytes,
                        bool asynchronous, uintptr_t pc)
{
    const uintptr_t start[2] = {(uintptr_t)to, (uintptr_t)from};
    struct range range[2] = {{0}};
    bool any = false;
    for (int i = 0; i < 2; i++)
        if (start[i] && bytes && cpucc_seen_record(start[i])) {
            range[i] = (struct range){start[i], start[i] + bytes, i == 0};
            any = true;
        }
    if (!any || (!asynchronous && !pending_count))
        return;
    if ((uintptr_t)stream <= 2 && between_devices(to, from))
        asynchronous = false;
    cpucc_open_memory();
    enter_stream(stream);
    for (int i = 0; i < 2 && pending_count; i++)
        if (range[i].from)
            check_range(stream, range[i].from, range[i].to, range[i].written,
                        range[i].written ? "written" : "read", pc);
    if (asynchronous)
        memcpy(add(stream, pc)->range, range, sizeof range);
    cpucc_close_memory();
}

void cpucc_freed_by_host(const void *allocation, uintptr_t pc)
{
    const struct allocation *x = cpucc_allocation_near((uintptr_t)allocation);
    bool hosts = x && x->start >= cpucc_heap_host;
    for (int d = 0; d < cpucc_device_count; d++)
        if (!x || hosts || x->device == d)
            cpucc_synchronised(d);
    if (!x || x->freed || x->start != allocation)
        return;
    uintptr_t from = (uintptr_t)x->start, to = from + x->bytes, at = 0;
    const struct device_operation *o = pending;
    cpucc_open_memory();
    for (; o < pending + pending_count; o++) {
        at = o->name ? plain_use_by(o, from, to, true) : overlaps(o, from, to, true) ? from : 0;
        if (at)
            break;
    }
    cpucc_close_memory();
    if (at) {
        cpucc_fault(NULL, cpucc_user_pc(pc), FREED_IN_USE,
                    "%s is memory of device %d, and %s%s at %s may still use it on device %d; wait "
                    "for that device first",
                    cpucc_describe_address(at), x->device, o->name ? "the kernel " : "the copy",
                    o->name ? o->name : "", cpucc_line(o->pc), o->device);
        cpucc_print_faults();
    }
}

void cpucc_pending_free(const void *stream, uintptr_t from, uintptr_t to, uintptr_t pc)
{
    cpucc_open_memory();
    if (pending_count) {
        enter_stream(stream);
        check_range(stream, from, to, true, "freed", pc);
    }
    cpucc_close_memory();
    for (int i = 0; i < pending_count; i++)
        for (int k = 0; k < 2; k++)
            if (pending[i].range[k].from < to && from < pending[i].range[k].to)
                pending[i].range[k] = (struct range){0};
}

/* ---- waiting ---- */

void cpucc_synchronised_stream(const void *stream) { drop(enter_stream(stream), ~(uint64_t)0); }

void cpucc_synchronised(int device) { drop(of_device[device].all, ~(uint64_t)0); }

struct stream_point cpucc_point(const void *stream)
{
    return (struct stream_point){next_number, enter_stream(stream)};
}

void cpucc_synchronised_point(struct stream_point p) { drop(p.streams, p.number - 1); }

void cpucc_stream_waits(const void *stream, struct stream_point p)
{
    int device;
    uint64_t bit = bit_of(stream, &device);
    for (int i = 0; i < pending_count; i++)
        if (pending[i].number < p.number && pending[i].after & p.streams)
            pending[i].after |= bit;
}

const struct cpucc_checker cpucc_streams = {
    .name = "streams", .launch_starts = launch_starts, .access = check_access};
