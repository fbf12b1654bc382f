/*
 * Keeps a record (struct shadow) per 4-byte word of device and shared memory: which bytes are
 * allocated and written, and who wrote and read the word last. races.c checks accesses against it.
 *
 * Warps usually read and write whole lines: 32 words at a multiple of 128 bytes, by consecutive lanes. One
 * record describes such a line of the heap until a warp uses its words in another way.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include "memory.h"

shadow *cpucc_heap_shadow, *cpucc_heap_lines, *cpucc_slot_shadow;
bool cpucc_keeps_records;
static shadow *device_shadow; /* of the variables of the device in use */

/* Marks the gaps behind variables as not allocated. */
static void mark_gaps(void)
{
    for (const struct device_part *p = __start_cpucc_parts; p < __stop_cpucc_parts; p++)
        if (cpucc_is_gap(p) && cpucc_shadow((uintptr_t)p->address))
            cpucc_mark_allocated((uintptr_t)p->address, p->bytes, false, false);
}

void cpucc_shadow_start(void)
{
    enum { PER_WORD = sizeof(shadow) / 4 };
    size_t heap = (size_t)(cpucc_heap_end - cpucc_heap);
    if (cpucc_keeps_records) {
        cpucc_heap_shadow = cpucc_reserve(heap * PER_WORD, true);
        cpucc_heap_lines = cpucc_reserve(heap / HEAP_LINE * sizeof(shadow), true);
    }
    size_t slots = (size_t)SLOT_BYTES * MAX_LIVE_BLOCKS;
    char *p = cpucc_reserve(slots + SLOT_BYTES, true);
    cpucc_slots = (char *)(((uintptr_t)p + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES);
    cpucc_slots_end = cpucc_slots + slots;
    cpucc_slot_shadow = cpucc_reserve(slots * PER_WORD, true);
    cpucc_use_records_of_variables(0);
}

void cpucc_use_records_of_variables(int device)
{
    static shadow *of_device[MAX_DEVICES];
    size_t bytes = (size_t)(__stop_cpucc_device - __start_cpucc_device);
    bool known = of_device[device];
    if (bytes && !known)
        of_device[device] = cpucc_reserve((bytes + 8) * sizeof(shadow) / 4, true);
    device_shadow = of_device[device];
    if (known)
        return;
    cpucc_mark_allocated((uintptr_t)__start_cpucc_device, bytes, true, true);
    mark_gaps();
}

/* Returns the mask of the bytes of the word at `a` (rounded down) that lie in [from, to). */
static unsigned word_mask(uintptr_t a, uintptr_t from, uintptr_t to)
{
    unsigned mask = 15;
    if (from > a)
        mask &= 15u << (from - a);
    if (to < a + 4)
        mask &= 15u >> (a + 4 - to);
    return mask & 15;
}

/* Returns records of four words of the heap, which say what is allocated. */
static __attribute__((noinline)) shadow *made_up(uintptr_t a)
{
    static shadow words[64 + 4];
    const struct allocation *x = cpucc_allocation_near(a);
    shadow *s = words + a / 4 % 64;
    uintptr_t from = x && !x->freed ? (uintptr_t)x->start : 0, to = from ? from + x->bytes : 0;
    a &= ~(uintptr_t)3;
    for (int i = 0; i < 4; i++, a += 4) {
        unsigned mask = a < to && a + 4 > from ? word_mask(a, from, to) & 15 : 0;
        s[i] = (shadow){.allocated = mask & 15, .written = mask & 15};
    }
    return s;
}

void cpucc_split_line(shadow *line)
{
    shadow *s = cpucc_heap_shadow + (line - cpucc_heap_lines) * (HEAP_LINE / 4);
    uint32_t thread = line->write_mask ? 1 << CLOCK_BITS : 0;
    for (uint32_t k = 0; k < HEAP_LINE / 4; k++) {
        s[k] = *line;
        s[k].write.when += (k >> line->write_shift) * thread;
        s[k].read.lanes <<= k >> line->read_shift;
        s[k].whole = s[k].write_shift = s[k].read_shift = 0;
    }
    line->whole = 0;
}

shadow *cpucc_whole_line(uintptr_t a)
{
    size_t in_heap = a - (uintptr_t)cpucc_heap;
    if (in_heap >= (size_t)(cpucc_heap_end - cpucc_heap) || !cpucc_keeps_records)
        return NULL;
    if (cpucc_page_state[in_heap >> 12])
        cpucc_fill_page(in_heap >> 12);
    shadow *line = cpucc_heap_lines + in_heap / HEAP_LINE;
    return line->whole ? line : NULL;
}

const shadow *cpucc_seen_record(uintptr_t a)
{
    const shadow *line = cpucc_whole_line(a);
    return line ? line : cpucc_shadow(a);
}

shadow *cpucc_shadow(uintptr_t a)
{
    size_t in_heap = a - (uintptr_t)cpucc_heap;
    if (in_heap < (size_t)(cpucc_heap_end - cpucc_heap)) {
        if (!cpucc_keeps_records)
            return made_up(a);
        shadow *line = cpucc_whole_line(a);
        if (line)
            cpucc_split_line(line);
        return cpucc_heap_shadow + in_heap / 4;
    }
    if (cpucc_is_shared_pointer((void *)a))
        return cpucc_slot_shadow + (a - (uintptr_t)cpucc_slots) / 4;
    if (a >= (uintptr_t)__start_cpucc_device && a < (uintptr_t)__stop_cpucc_device)
        return device_shadow + (a - ((uintptr_t)__start_cpucc_device & ~(uintptr_t)3)) / 4;
    return cpucc_registered_shadow(a);
}

/* Runs the next statement for each word of a range: s is its record, m the mask of its bytes. */
#define EACH_WORD(s, m, address, bytes)                                                            \
    for (uintptr_t a_ = (address) & ~(uintptr_t)3, end_ = (address) + (bytes); a_ < end_; a_ += 4) \
        for (unsigned m = word_mask(a_, (address), end_), once_ = 1; once_; once_ = 0)             \
            for (shadow *s = cpucc_shadow(a_); s && once_; once_ = 0)

void cpucc_mark_allocated(uintptr_t address, size_t bytes, bool allocated, bool written)
{
    size_t in_heap = address - (uintptr_t)cpucc_heap;
    if (bytes && in_heap < (size_t)(cpucc_heap_end - cpucc_heap))
        memset(cpucc_page_written + (in_heap >> 12), 0,
               ((in_heap + bytes - 1) >> 12) - (in_heap >> 12) + 1);
    EACH_WORD(s, m, address, bytes) {
        if (!allocated) {
            CPUCC_TELL(word_cleared, s);
            *s = (shadow){0};
            continue;
        }
        s->allocated |= m;
        s->written = (uint8_t)(written ? s->written | m : s->written & ~m);
    }
}

void cpucc_words_written(uintptr_t address, size_t bytes)
{
    uintptr_t end = address + bytes;
    for (uintptr_t a = address, next; a < end; a = next) {
        shadow *line = cpucc_whole_line(a);
        next = a / HEAP_LINE * HEAP_LINE + HEAP_LINE < end ? a / HEAP_LINE * HEAP_LINE + HEAP_LINE
                                                           : end;
        if (line && (line->written || next - a == HEAP_LINE))
            line->written = 15;
        else
            EACH_WORD(s, m, a, next - a)
                s->written |= m;
    }
}

void cpucc_mark_unwritten(uintptr_t address, unsigned mask)
{
    size_t in_heap = address - (uintptr_t)cpucc_heap;
    cpucc_shadow(address)->written &= (uint8_t)(~mask & 15);
    if (in_heap < (size_t)(cpucc_heap_end - cpucc_heap))
        cpucc_page_written[in_heap >> 12] = 0;
}

/* Notes whether all words of the 4096-byte page are written, after a write to its last word. */
static __attribute__((noinline)) void look_at_page(size_t page)
{
    uintptr_t a = (uintptr_t)cpucc_heap + page * 4096, end = a + 4096;
    while (a < end && cpucc_seen_record(a)->written == 15)
        a += cpucc_whole_line(a) ? HEAP_LINE : 4;
    cpucc_page_written[page] = a == end;
}

void cpucc_mark_written(uintptr_t address, size_t bytes)
{
    size_t in_heap = address - (uintptr_t)cpucc_heap;
    if (in_heap >= (size_t)(cpucc_heap_end - cpucc_heap)) {
        cpucc_words_written(address, bytes);
    } else if (bytes <= 16 && cpucc_page_written[in_heap >> 12] &&
               cpucc_page_written[(in_heap + bytes - 1) >> 12]) {
        return;
    } else if (bytes == 4 && !(address & 3) && cpucc_keeps_records &&
               !cpucc_page_state[in_heap >> 12]) {
        cpucc_words_written(address, 4);
        if ((in_heap & 4095) == 4092)
            look_at_page(in_heap >> 12);
    } else {
        cpucc_heap_written(address, bytes);
    }
}

void cpucc_count_as_written(const void *p, size_t bytes)
{
    cpucc_open_memory();
    cpucc_mark_written((uintptr_t)p, bytes);
    cpucc_close_memory();
}

void cpucc_drop_shadow(uintptr_t address, size_t bytes)
{
    enum { PER_WORD = sizeof(shadow) / 4, PER_PAGE = 4096 / sizeof(shadow) * HEAP_LINE };
    size_t from = address - (uintptr_t)cpucc_heap, to = from + bytes;
    if (!cpucc_keeps_records)
        return;
    madvise(cpucc_heap_shadow + from / 4, bytes * PER_WORD, MADV_DONTNEED);
    from = from / PER_PAGE * PER_PAGE, to = (to + PER_PAGE - 1) / PER_PAGE * PER_PAGE;
    madvise(cpucc_heap_lines + from / HEAP_LINE, (to - from) / HEAP_LINE * sizeof(shadow),
            MADV_DONTNEED);
}

bool cpucc_all_allocated(uintptr_t address, size_t bytes)
{
    if (!bytes)
        return true;
    if (cpucc_in_heap(address))
        return cpucc_heap_holds(address, bytes);
    if (!cpucc_shadow(address) || !cpucc_shadow(address + bytes - 1))
        return false;
    EACH_WORD(s, m, address, bytes)
        if ((s->allocated & m) != m)
            return false;
    return true;
}

/* ---- shared memory of a block ---- */

static uint32_t dirty[MAX_LIVE_BLOCKS]; /* by slot: bytes to clear for its next block */

void cpucc_shared_allocate(int slot, uint32_t offset, size_t bytes)
{
    if (dirty[slot] < offset + bytes)
        dirty[slot] = offset + (uint32_t)bytes;
    shadow *s = cpucc_slot_shadow + ((size_t)slot * SLOT_BYTES + offset) / 4;
    if (offset % 4 == 0)
        for (; bytes >= 4; bytes -= 4, offset += 4, s++)
            s->allocated = 15, s->written = 0;
    cpucc_mark_allocated((uintptr_t)cpucc_slots + (size_t)slot * SLOT_BYTES + offset, bytes, true,
                         false);
}

void cpucc_shared_clear(struct block *b)
{
    shadow *s = cpucc_slot_shadow + (size_t)b->slot * (SLOT_BYTES / 4);
    uint32_t used = dirty[b->slot];
    for (uint32_t i = 0; i <= used / 4; i++) {
        if (s[i].more_readers)
            CPUCC_TELL(word_cleared, &s[i]);
        s[i] = (shadow){0};
    }
    memset(cpucc_slots + (size_t)b->slot * SLOT_BYTES, 0xcd, used);
    dirty[b->slot] = 0;
}

static uint32_t blocks_using[SLOT_BYTES + 1]; /* so many bytes */

void cpucc_note_shared_used(const struct block *b)
{
    const shadow *s = cpucc_slot_shadow + (size_t)b->slot * (SLOT_BYTES / 4);
    uint64_t bytes = 0;
    for (uint32_t i = 0; cpucc_sealed && i < dirty[b->slot] / 4; i++)
        if (s[i].read.lanes || s[i].more_readers)
            bytes += (uint64_t)__builtin_popcount(s[i].written);
    blocks_using[bytes]++;
}

uint64_t cpucc_shared_used(void) { return traffic_median(blocks_using, SLOT_BYTES); }
