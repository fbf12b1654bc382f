/* Keeps the different patterns of requests, and boxes of copies, that trace.c meets, by number. */
#include <stdlib.h>
#include <string.h>
#include "trace.h"

enum {
    PATTERNS = 1 << 15, /* the last quarter is for samples, when the run is over */
    BOXES = 256,        /* different boxes kept */
    PIECES = 4096       /* kept per box */
};

static struct trace_pattern *patterns;
static int *pattern_table, pattern_count; /* a hash table of numbers + 1 */
static struct trace_box boxes[BOXES];
static int box_count;

static uint64_t hash(const void *p, size_t n)
{
    uint64_t h = 14695981039346656037u;
    for (const unsigned char *c = p; n--; c++)
        h = (h ^ *c) * 1099511628211u;
    return h ^ h >> 29;
}

const struct trace_pattern *cpucc_trace_pattern(int i) { return i < 0 ? NULL : &patterns[i]; }
const struct trace_box *cpucc_trace_box(int i) { return i < 0 ? NULL : &boxes[i]; }

int cpucc_trace_patterns(void) { return pattern_count; }

void cpucc_forget_patterns(int keep)
{
    unsigned mask = 2 * PATTERNS - 1;
    for (; pattern_count > keep; pattern_count--) {
        unsigned h = (unsigned)hash(&patterns[pattern_count - 1], sizeof *patterns) & mask;
        while (pattern_table[h] != pattern_count)
            h = (h + 1) & mask;
        pattern_table[h] = 0;
    }
}

/* Returns the pattern's number, added if it is new; -1 if `capacity` patterns are known. */
static int number_of(const struct trace_pattern *p, int capacity)
{
    if (!patterns) {
        patterns = cpucc_nonnull(malloc(sizeof *patterns * PATTERNS));
        pattern_table = cpucc_nonnull(calloc(2 * PATTERNS, sizeof *pattern_table));
    }
    unsigned mask = 2 * PATTERNS - 1, h = (unsigned)hash(p, sizeof *p) & mask;
    for (; pattern_table[h]; h = (h + 1) & mask)
        if (!memcmp(&patterns[pattern_table[h] - 1], p, sizeof *p))
            return pattern_table[h] - 1;
    if (pattern_count >= capacity)
        return -1;
    patterns[pattern_count] = *p;
    pattern_table[h] = ++pattern_count;
    return pattern_count - 1;
}

int cpucc_trace_number(const struct trace_pattern *p) { return number_of(p, PATTERNS); }

int cpucc_event_pattern(const struct trace_pattern *p) { return number_of(p, PATTERNS / 4 * 3); }

uintptr_t cpucc_pattern_offsets(struct trace_pattern *p, int side, const uint64_t *address,
                                uint32_t lanes)
{
    uint64_t lowest = ~(uint64_t)0;
    for (uint32_t m = lanes; m; m &= m - 1)
        lowest = address[__builtin_ctz(m)] < lowest ? address[__builtin_ctz(m)] : lowest;
    lowest &= ~(uint64_t)127;
    for (uint32_t m = lanes; m; m &= m - 1)
        p->offset[side][__builtin_ctz(m)] = (int64_t)(address[__builtin_ctz(m)] - lowest);
    return lanes ? (uintptr_t)lowest : 0;
}

int cpucc_box_number(const struct async_copy *c, const struct tensor_map *map)
{
    static struct trace_piece pieces[PIECES];
    struct trace_box box = {.count = c->count < PIECES ? c->count : PIECES, .pieces = pieces};
    if (map) {
        box.rank = map->rank, box.element_bytes = map->element_bytes, box.swizzle = map->swizzle;
        memcpy(box.box, map->box, sizeof box.box);
        memcpy(box.dim, map->dim, sizeof box.dim);
    }
    uintptr_t start = ~(uintptr_t)0;
    for (int i = 0; i < c->count; i++) {
        start = c->pieces[i].shared < start ? c->pieces[i].shared : start;
        box.bytes += c->pieces[i].bytes;
        box.inside += c->pieces[i].global ? c->pieces[i].bytes : 0;
    }
    memset(pieces, 0, sizeof *pieces * (size_t)box.count);
    for (int i = 0; i < box.count; i++) {
        pieces[i].shared = (int32_t)(c->pieces[i].shared - start);
        pieces[i].bytes = (uint16_t)c->pieces[i].bytes;
        pieces[i].inside = c->pieces[i].global != 0;
    }
    for (int i = 0; i < box_count; i++)
        if (boxes[i].bytes == box.bytes && boxes[i].inside == box.inside &&
            boxes[i].count == box.count && boxes[i].rank == box.rank &&
            boxes[i].element_bytes == box.element_bytes && boxes[i].swizzle == box.swizzle &&
            !memcmp(boxes[i].box, box.box, sizeof box.box) &&
            !memcmp(boxes[i].dim, box.dim, sizeof box.dim) &&
            !memcmp(boxes[i].pieces, pieces, sizeof *pieces * (size_t)box.count))
            return i;
    if (box_count == BOXES)
        return -1;
    box.pieces = cpucc_nonnull(malloc(sizeof *pieces * (size_t)(box.count + 1)));
    memcpy(box.pieces, pieces, sizeof *pieces * (size_t)box.count);
    boxes[box_count] = box;
    return box_count++;
}
