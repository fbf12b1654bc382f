/* Describes an address as text: the variable or allocation at or near it, and the element. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "memory.h"

/* Sets of[] to the dimensions of an LLVM type, "[32 x [33 x float]]"; returns their number. */
static int dimensions(const char *type, size_t *of, int capacity)
{
    int n = 0;
    while (*type == '[' && n < capacity) {
        char *end;
        of[n++] = strtoul(type + 1, &end, 10);
        type = strncmp(end, " x ", 3) ? end : end + 3;
    }
    return n;
}

/* Returns ", 3 past the end of WHAT", ", 3 before WHAT", or "" for 0 elements. */
static const char *text_beyond(long elements, const char *what)
{
    static char text[480];
    if (elements > 0)
        snprintf(text, sizeof text, ", %ld past the end of %s", elements, what);
    else if (elements < 0)
        snprintf(text, sizeof text, ", %ld before %s", -elements, what);
    else
        text[0] = 0;
    return text;
}

/* Returns "tile[3][0]" for the element at `offset` bytes in a variable of that type and size. */
static const char *element(const char *name, const char *type, size_t bytes, long offset)
{
    static char text[200];
    size_t d[8], count = 1;
    int n = type ? dimensions(type, d, 8) : 0;
    for (int i = 0; i < n; i++)
        count *= d[i];
    size_t size = count ? bytes / count : 0;
    if (!n || !size) {
        long beyond = offset - (long)bytes + 1;
        snprintf(text, sizeof text, offset ? "%s, byte %ld%s" : "%s", name, offset,
                 text_beyond(offset < 0   ? offset
                             : beyond > 0 ? beyond
                                          : 0,
                             "it"));
        return text;
    }
    long index = offset >= 0 ? offset / (long)size : -((-offset + (long)size - 1) / (long)size);
    int used = snprintf(text, sizeof text, "%s", name);
    size_t inner = count;
    long left = index;
    for (int i = 0; i < n; i++) {
        inner /= d[i];
        long at = left / (long)inner;
        if (left < 0)
            at = i == 0 ? -((-left + (long)inner - 1) / (long)inner) : at;
        left -= at * (long)inner;
        used += snprintf(text + used, sizeof text - (size_t)used, "[%ld]", at);
    }
    long byte = offset - index * (long)size;
    if (byte && byte < (long)size)
        used += snprintf(text + used, sizeof text - (size_t)used, ", byte %ld of it", byte);
    snprintf(text + used, sizeof text - (size_t)used, "%s",
             text_beyond(index < 0              ? index
                         : index >= (long)count ? index - (long)count + 1
                                                : 0,
                         "the array"));
    return text;
}

/* Prints "element 130, 3 past the end of the 128 elements of 4 bytes", followed by `whole`, the
 * name of the range. Elements have the size of the thread's access; if that does not divide the
 * range, prints bytes. */
static void print_element(char *text, size_t capacity, long offset, long bytes, const char *whole)
{
    long size = cpucc_current && cpucc_current->bytes ? (long)cpucc_current->bytes : 1;
    if (offset % size || bytes % size)
        size = 1;
    long index = offset / size, count = bytes / size;
    char all[420], each[40] = "bytes";
    if (size != 1)
        snprintf(each, sizeof each, "element%s of %ld bytes", count == 1 ? "" : "s", size);
    snprintf(all, sizeof all, "the %ld %s%s", count, each, whole);
    long beyond = offset < 0 ? index : index >= count ? index - count + 1 : 0;
    snprintf(text, capacity, "%s %ld%s%s", size == 1 ? "byte" : "element", index,
             beyond ? text_beyond(beyond, all) : " of ", beyond ? "" : all);
}

/* Returns the running launch's shared variable at or near `at`, an offset in shared memory, or NULL. */
static const shared_site *shared_variable(long at)
{
    const struct launch *L = cpucc_the_launch;
    const shared_site *near = NULL;
    for (const shared_site *s = L ? L->sites : NULL; s; s = s->next)
        if (at >= s->offset - (long)SHARED_GAP / 2 && (!near || s->offset > near->offset))
            near = s;
    return near;
}

static const char *in_shared(uintptr_t a)
{
    static char text[320];
    const struct launch *L = cpucc_the_launch;
    long at = (long)((a - (uintptr_t)cpucc_slots) % SLOT_BYTES);
    unsigned bank = (unsigned)(a / 4 % 32);
    const shared_site *near = shared_variable(at);
    if (near) {
        snprintf(text, sizeof text, "%s (shared memory, bank %u)",
                 element(near->name, near->type, near->bytes, at - near->offset), bank);
        return text;
    }
    long offset = at - (long)(L && L->dynamic_start ? L->dynamic_start : SHARED_START),
         bytes = L ? (long)L->config.shared : 0;
    print_element(text, sizeof text, offset, bytes, " of dynamic shared memory");
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, " (bank %u)", bank);
    return text;
}

/* Returns which of a line's allocating calls this is, as " (call 2 of that line)"; "" if it has one. */
static const char *which_call(uintptr_t pc)
{
    static char text[40];
    uintptr_t others[8];
    int calls = 0, before = 0;
    const char *line = cpucc_line(pc);
    for (uint32_t i = 0; i < cpucc_allocation_count && calls < 8; i++) {
        uintptr_t other = cpucc_allocations[i].pc;
        int n = 0;
        while (n < calls && others[n] != other)
            n++;
        if (!other || other == pc || n < calls || strcmp(cpucc_line(other), line))
            continue;
        others[calls++] = other;
        before += other < pc;
    }
    snprintf(text, sizeof text, " (call %d of that line)", before + 1);
    return calls ? text : "";
}

static const char *in_heap(uintptr_t a)
{
    static char text[480];
    const struct allocation *x = cpucc_allocation_near(a);
    if (!x)
        return NULL;
    char whole[360] = "";
    int used = 0;
    if (x->pc)
        used += snprintf(whole + used, sizeof whole - (size_t)used, " allocated at %s%s",
                         cpucc_line(x->pc), which_call(x->pc));
    if (x->freed)
        snprintf(whole + used, sizeof whole - (size_t)used, " and freed at %s",
                 cpucc_line(x->free_pc));
    print_element(text, sizeof text, (long)(a - (uintptr_t)x->start), (long)x->bytes, whole);
    return text;
}

uintptr_t cpucc_object_at(uintptr_t a)
{
    long offset;
    if (cpucc_is_shared_pointer((void *)a))
        return (uintptr_t)shared_variable((long)((a - (uintptr_t)cpucc_slots) % SLOT_BYTES));
    if (cpucc_in_heap(a))
        return (uintptr_t)cpucc_allocation_near(a);
    return (uintptr_t)cpucc_variable_near(a, &offset);
}

struct object cpucc_object(uintptr_t a)
{
    uintptr_t slots = (uintptr_t)cpucc_slots, found = cpucc_object_at(a);
    if (cpucc_is_shared_pointer((void *)a)) {
        const shared_site *s = (const shared_site *)found;
        uintptr_t slot = a - (a - slots) % SLOT_BYTES;
        return s ? (struct object){s->name, slot + (uintptr_t)s->offset, 0,
                                   s->bytes ? s->bytes : SLOT_BYTES - (size_t)s->offset}
                 : (struct object){"dynamic shared memory", slot, 0, SLOT_BYTES};
    }
    if (cpucc_in_heap(a) && found) {
        const struct allocation *x = (const struct allocation *)found;
        return (struct object){NULL, (uintptr_t)x->start, x->pc, x->bytes};
    }
    const struct device_part *v = (const struct device_part *)found;
    return v ? (struct object){v->source, (uintptr_t)v->address, 0, v->bytes} : (struct object){0};
}

const char *cpucc_describe_address(uintptr_t a)
{
    static char text[96];
    if (cpucc_is_shared_pointer((void *)a))
        return in_shared(a);
    const char *found = cpucc_in_heap(a) ? in_heap(a) : NULL;
    if (found)
        return found;
    long offset;
    const struct device_part *v = cpucc_variable_near(a, &offset);
    if (v)
        return element(v->source, v->type, v->bytes, offset);
    if (a < 4096)
        snprintf(text, sizeof text, "address %p, near a null pointer", (void *)a);
    else if (cpucc_current && a - (uintptr_t)cpucc_current->stack < cpucc_stack_bytes)
        snprintf(text, sizeof text, "address %p, in the thread's local memory", (void *)a);
    else
        snprintf(text, sizeof text, "address %p, which is not device memory", (void *)a);
    return text;
}
