/*
 * Device memory: allocations, and which of their pages have records in shadow.c.
 *
 * The heap is reserved address space; a page takes memory when it is touched. The records of a page
 * (32 bytes per line of 32 words) are filled in when a kernel first reaches the page, and never if only
 * bounds are checked. Until then one byte, its state, tells whether the page is allocated and written. Unused parts
 * of a large allocation therefore take no memory.
 *
 *   device memory    from the heap's start; the host may not touch it
 *   host memory      from cpucc_heap_host: pinned and managed; host and device may touch it
 *
 * A gap that nobody may touch follows each allocation, so no two share a page. Freed memory is not
 * reused, so that accesses after the free are found.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "memory.h"

enum { GAP = 1 << 16, CHUNK = 1 << 16, PAGE = 4096 };
enum { READY, UNWRITTEN, WRITTEN }; /* of a page; READY: has records, or is not allocated */

char *cpucc_heap, *cpucc_heap_end, *cpucc_heap_host;
char *cpucc_device_next, *cpucc_host_next;
unsigned char *cpucc_page_state, *cpucc_page_written;
uint32_t *cpucc_allocation_of_chunk;

struct allocation *cpucc_allocations;
uint32_t cpucc_allocation_count;
static size_t used, used_by_device[MAX_DEVICES], capacity;

void cpucc_heap_start(void)
{
    size_t memory = cpucc_device.memory;
    size_t most = (memory < (size_t)1 << 36 ? memory : (size_t)1 << 36) + (1 << 30);
    size_t bytes = cpucc_address_space(most) / CHUNK * CHUNK;
    capacity = cpucc_memory_available(bytes < most ? bytes : memory);
    cpucc_heap = bytes ? cpucc_reserve(bytes, false) : NULL;
    cpucc_allocation_of_chunk =
        bytes ? cpucc_reserve(bytes / CHUNK * sizeof *cpucc_allocation_of_chunk, false) : NULL;
    cpucc_page_state = bytes ? cpucc_reserve(bytes / PAGE, false) : NULL;
    cpucc_page_written = bytes ? cpucc_reserve(bytes / PAGE, false) : NULL;
    if (!cpucc_heap || !cpucc_allocation_of_chunk || !cpucc_page_state || !cpucc_page_written) {
        fprintf(stderr,
                "cpucc: too little address space (ulimit -v): cpucc needs 20 GB plus 9 times the "
                "device memory\n");
        exit(3);
    }
    cpucc_heap_end = cpucc_heap + bytes;
    cpucc_device_next = cpucc_heap + GAP;
    cpucc_heap_host = cpucc_heap + bytes / 4 * 3 / CHUNK * CHUNK;
    cpucc_host_next = cpucc_heap_host + GAP;
}

/* ---- finding allocations ---- */

static struct allocation *allocation_in_chunk(size_t chunk)
{
    return cpucc_allocation_of_chunk[chunk]
               ? &cpucc_allocations[cpucc_allocation_of_chunk[chunk] - 1]
               : NULL;
}

const struct allocation *cpucc_allocation_near(uintptr_t a)
{
    size_t offset = a - (uintptr_t)cpucc_heap, chunk = offset / CHUNK;
    if (offset >= (size_t)(cpucc_heap_end - cpucc_heap))
        return NULL;
    const struct allocation *here = allocation_in_chunk(chunk),
                            *before = chunk ? allocation_in_chunk(chunk - 1) : NULL,
                            *after = a + CHUNK < (uintptr_t)cpucc_heap_end
                                         ? allocation_in_chunk(chunk + 1)
                                         : NULL;
    if (here && a >= (uintptr_t)here->start)
        return here;
    uintptr_t from_start = here    ? (uintptr_t)here->start - a
                           : after ? (uintptr_t)after->start - a
                                   : ~(uintptr_t)0;
    uintptr_t from_end = before ? a - (uintptr_t)(before->start + before->bytes) : ~(uintptr_t)0;
    if (before && (from_end <= from_start || from_start > 4096))
        return before;
    return here ? here : from_start < GAP ? after : NULL;
}

bool cpucc_heap_holds(uintptr_t a, size_t bytes)
{
    const struct allocation *x = cpucc_allocation_near(a);
    return x && !x->freed && a >= (uintptr_t)x->start && a - (uintptr_t)x->start <= x->bytes &&
           bytes <= x->bytes - (a - (uintptr_t)x->start);
}

void cpucc_fill_page(size_t page)
{
    unsigned char state = cpucc_page_state[page];
    cpucc_page_state[page] = READY;
    const struct allocation *x = allocation_in_chunk(page * PAGE / CHUNK);
    if (!x || x->freed)
        return;
    uintptr_t from = (uintptr_t)cpucc_heap + page * PAGE, to = from + PAGE,
              end = (uintptr_t)x->start + x->bytes;
    from = from < (uintptr_t)x->start ? (uintptr_t)x->start : from;
    to = to > end ? end : to;
    for (; from < to && to - from >= HEAP_LINE; from += HEAP_LINE)
        cpucc_heap_lines[(from - (uintptr_t)cpucc_heap) / HEAP_LINE] =
            (shadow){.whole = 1, .allocated = 15, .written = state == WRITTEN ? 15 : 0};
    if (from < to)
        cpucc_mark_allocated(from, to - from, true, state == WRITTEN);
}

enum written cpucc_page_is_written(uintptr_t address)
{
    size_t page = (address - (uintptr_t)cpucc_heap) / PAGE;
    if (cpucc_page_state[page])
        return cpucc_page_state[page] == WRITTEN ? ALL_WRITTEN : NONE_WRITTEN;
    int lines = 0;
    const shadow *line = cpucc_heap_lines + page * 32;
    while (lines < 32 && line[lines].whole && line[lines].written)
        lines++;
    return cpucc_page_written[page] || lines == 32 ? ALL_WRITTEN : SOME_WRITTEN;
}

void cpucc_heap_written(uintptr_t a, size_t bytes)
{
    uintptr_t end = a + bytes;
    while (a < end) {
        size_t page = (a - (uintptr_t)cpucc_heap) / PAGE;
        uintptr_t first = (uintptr_t)cpucc_heap + page * PAGE, next = first + PAGE;
        uintptr_t stop = next < end ? next : end;
        const struct allocation *x = allocation_in_chunk(page * PAGE / CHUNK);
        bool whole = x && (a == first || a <= (uintptr_t)x->start) &&
                     (stop == next || stop >= (uintptr_t)x->start + x->bytes);
        if (cpucc_page_state[page] && whole)
            cpucc_page_state[page] = WRITTEN;
        else if (!cpucc_page_written[page])
            cpucc_words_written(a, stop - a);
        cpucc_page_written[page] |= !cpucc_page_state[page] && a == first && stop == next;
        a = stop;
    }
}

/* ---- allocating ---- */

/* The bytes that the active device has left. */
static size_t free_on_device(void)
{
    size_t taken = used_by_device[cpucc_active_device];
    return cpucc_device.memory > taken ? cpucc_device.memory - taken : 0;
}

/* The bytes that are left of its share of this machine's memory. */
static size_t free_on_machine(void)
{
    size_t share = capacity / (size_t)cpucc_device_count,
           taken = cpucc_device_count == 1 ? used : used_by_device[cpucc_active_device];
    return share > taken ? share - taken : 0;
}

size_t cpucc_free_memory(void)
{
    size_t of_device = free_on_device(), of_machine = free_on_machine();
    return of_device < of_machine ? of_device : of_machine;
}

/* Says once why an allocation fails that the device would have room for. */
static void say_no_room(size_t bytes)
{
    static bool said;
    if (said || bytes > free_on_device())
        return;
    said = true;
    fprintf(stderr,
            "cpucc: no room here for %zu bytes of device memory: %zu of %zu bytes are left (each "
            "takes %zu of this machine's); run a smaller size%s%s\n",
            bytes, free_on_machine(), capacity, cpucc_bytes_taken(),
            cpucc_keeps_records ? ", or set CPUCC_CHECKS=bounds to take fewer bytes" : "",
            getenv("CPUCC_MEMORY")
                ? ""
                : ", or CPUCC_MEMORY=BYTES to use more than 70 % of the machine");
}

/* Allocates. `backed`: the bytes count as used memory. */
static cudaError_t allocate_range(void **p, size_t bytes, enum memory kind, uintptr_t pc,
                                  bool backed)
{
    *p = NULL;
    if (!bytes)
        return cudaSuccess;
    bool shared = kind == PINNED || kind == MANAGED;
    char **next = shared ? &cpucc_host_next : &cpucc_device_next,
         *limit = shared ? cpucc_heap_end : cpucc_heap_host;
    if (backed && bytes > cpucc_free_memory()) {
        say_no_room(bytes);
        return cudaErrorMemoryAllocation;
    }
    size_t unit = shared ? PAGE : 512;
    size_t taken = (bytes + GAP + unit - 1) / unit * unit;
    if (taken > (size_t)(limit - *next))
        return cudaErrorMemoryAllocation;
    char *start = *next;
    *ADD_TO(cpucc_allocations, cpucc_allocation_count) = (struct allocation){
        .start = start, .bytes = bytes, .kind = kind, .device = cpucc_active_device, .pc = pc};
    *next += taken;
    used += backed ? bytes : 0;
    used_by_device[cpucc_active_device] += shared || !backed ? 0 : bytes;
    size_t from = (size_t)(start - cpucc_heap), to = from + bytes - 1;
    for (size_t c = from / CHUNK; c <= to / CHUNK; c++)
        cpucc_allocation_of_chunk[c] = cpucc_allocation_count;
    memset(cpucc_page_state + from / PAGE, shared ? WRITTEN : UNWRITTEN,
           to / PAGE - from / PAGE + 1);
    if (backed && bytes >= 1 << 21) /* large pages, which host_access.c opens and closes faster */
        madvise((char *)((uintptr_t)start & ~(uintptr_t)(PAGE - 1)), bytes, MADV_HUGEPAGE);
    if (!shared && backed && bytes < 1 << 26) /* NaNs, to reveal reads of unwritten memory */
        memset(start, 0xff, bytes);
    *p = start;
    return cudaSuccess;
}

static struct allocation *starting_at(const void *p)
{
    if ((const char *)p < cpucc_heap || (const char *)p >= cpucc_heap_end)
        return NULL;
    struct allocation *x = allocation_in_chunk((size_t)((const char *)p - cpucc_heap) / CHUNK);
    return x && x->start == p ? x : NULL;
}

/* For a graph's allocation node, which returns the same memory in each run, even after a free. */
void cpucc_reallocate(void *p)
{
    struct allocation *x = starting_at(p);
    if (!x || !x->freed)
        return;
    x->freed = false;
    used += x->bytes, used_by_device[x->device] += x->bytes;
    size_t from = (size_t)(x->start - cpucc_heap), to = from + x->bytes - 1;
    memset(cpucc_page_state + from / PAGE, UNWRITTEN, to / PAGE - from / PAGE + 1);
}

/* Returns the allocation's pages and their records to the system. */
static void release_pages(struct allocation *x)
{
    size_t from = (size_t)(x->start - cpucc_heap) / PAGE * PAGE,
           to = ((size_t)(x->start - cpucc_heap) + x->bytes + PAGE - 1) / PAGE * PAGE;
    madvise(cpucc_heap + from, to - from, MADV_DONTNEED);
    cpucc_drop_shadow((uintptr_t)cpucc_heap + from, to - from);
    memset(cpucc_page_state + from / PAGE, READY, (to - from) / PAGE);
    memset(cpucc_page_written + from / PAGE, 0, (to - from) / PAGE);
}

cudaError_t cpucc_allocate(void **p, size_t bytes, enum memory kind, uintptr_t pc)
{
    cpucc_open_memory();
    cudaError_t e = allocate_range(p, bytes, kind, pc, true);
    cpucc_close_memory();
    return e;
}

cudaError_t cpucc_allocate_space(void **p, size_t bytes, bool written)
{
    cudaError_t e = allocate_range(p, bytes, DEVICE, 0, false);
    size_t from = e || !*p ? 0 : (size_t)((char *)*p - cpucc_heap);
    if (from && written)
        memset(cpucc_page_state + from / PAGE, WRITTEN,
               (from + bytes - 1) / PAGE - from / PAGE + 1);
    return e;
}

cudaError_t cpucc_release_memory(void *p, bool by_device, uintptr_t pc)
{
    if (!p)
        return cudaSuccess;
    struct allocation *x = starting_at(p);
    if (!x || x->freed || (x->kind == DEVICE_HEAP) != by_device) {
        const char *what = cpucc_describe_address((uintptr_t)p);
        cpucc_fault(cpucc_current, pc, x && x->freed ? DOUBLE_FREE : BAD_FREE, "%s%s", what,
                    !x || x->freed ? ""
                    : by_device    ? ": the host's, freed by device code"
                                   : ": device code's, freed by the host");
        if (!cpucc_current)
            cpucc_print_faults();
        return cudaErrorInvalidValue;
    }
    cpucc_open_memory();
    release_pages(x);
    x->freed = true;
    x->free_pc = pc;
    used -= x->bytes;
    if (x->kind != PINNED && x->kind != MANAGED)
        used_by_device[x->device] -= x->bytes;
    if (x == &cpucc_allocations[cpucc_allocation_count - 1] && x->bytes > 1 << 28 &&
        x->kind == DEVICE)
        cpucc_device_next = p; /* large and last: reuse its address space */
    cpucc_close_memory();
    return cudaSuccess;
}
