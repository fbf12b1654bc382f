/*
 * Finds device variables by address, and keeps the records of host memory that kernels may use
 * (cudaHostRegister, __managed__ variables).
 */
#include <stdlib.h>
#include "memory.h"

/* ---- variables by address ---- */

static struct managed {
    const struct device_part *variable;
    const void *host;
} * managed;
static int managed_count;

void cpucc_note_managed(const struct device_part *variable, const void *host)
{
    *ADD_TO(managed, managed_count) = (struct managed){variable, host};
}

bool cpucc_is_gap(const struct device_part *p) { return !p->readable && p->source && !*p->source; }

bool cpucc_in_gap(uintptr_t a, uint32_t bytes)
{
    static uintptr_t from, to; /* a range without gaps, around the last access */
    if (a >= from && a + bytes <= to)
        return false;
    uintptr_t low = 0, high = ~(uintptr_t)0;
    for (const struct device_part *p = __start_cpucc_parts; p < __stop_cpucc_parts; p++) {
        uintptr_t start = (uintptr_t)p->address, end = start + p->bytes;
        if (!cpucc_is_gap(p))
            continue;
        if (a < end && a + bytes > start)
            return true;
        if (end <= a && end > low)
            low = end;
        if (start >= a + bytes && start < high)
            high = start;
    }
    from = low, to = high;
    return false;
}

const struct device_part *cpucc_variable_near(uintptr_t a, long *offset)
{
    const struct device_part *near = NULL, *after = NULL;
    for (int i = 0; i < managed_count; i++)
        if (a - (uintptr_t)managed[i].host < managed[i].variable->bytes) {
            *offset = (long)(a - (uintptr_t)managed[i].host);
            return managed[i].variable;
        }
    for (const struct device_part *p = __start_cpucc_parts; p < __stop_cpucc_parts; p++) {
        uintptr_t at = (uintptr_t)p->address;
        if (p->readable || cpucc_is_gap(p) || !p->source)
            continue;
        if (a >= at && (!near || at > (uintptr_t)near->address))
            near = p;
        if (a < at && at - a <= 128 && (!after || at < (uintptr_t)after->address))
            after = p;
    }
    uintptr_t behind = near ? a - (uintptr_t)near->address : 0;
    if (near && (behind > near->bytes + 1024 ||
                 (after && behind > near->bytes + ((uintptr_t)after->address - a))))
        near = NULL;
    near = near ? near : after;
    *offset = near ? (long)(a - (uintptr_t)near->address) : 0;
    return near;
}

/* ---- registered host memory ---- */

static struct region {
    uintptr_t start, end;
    shadow *words; /* the records of its words */
} * regions;
static int region_count;

shadow *cpucc_registered_shadow(uintptr_t a)
{
    for (int i = 0; i < region_count; i++)
        if (a >= (regions[i].start & ~(uintptr_t)3) && a < regions[i].end)
            return regions[i].words + (a - (regions[i].start & ~(uintptr_t)3)) / 4;
    return NULL;
}

bool cpucc_register(const void *p, size_t bytes)
{
    uintptr_t start = (uintptr_t)p, end = start + bytes;
    for (int i = 0; i < region_count; i++)
        if (start < regions[i].end && regions[i].start < end)
            return false;
    shadow *words = cpucc_nonnull(calloc(bytes / 4 + 2, sizeof *words));
    *ADD_TO(regions, region_count) = (struct region){start, end, words};
    cpucc_mark_allocated(start, bytes, true, true);
    return true;
}

bool cpucc_unregister(const void *p)
{
    for (int i = 0; i < region_count; i++)
        if (regions[i].start == (uintptr_t)p) {
            free(regions[i].words);
            regions[i] = regions[--region_count];
            return true;
        }
    return false;
}
