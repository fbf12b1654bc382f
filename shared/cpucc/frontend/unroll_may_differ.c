/*
 * Part of unroll. Finds loops whose counts may differ from the hardware's although unroll's rules
 * were followed, and notes them in the module as !cpucc.may_differ. merge reads the notes after
 * clang has unrolled the loops (may_differ.c).
 */
#include <stdlib.h>
#include <string.h>
#include "unroll.h"

static struct text nodes; /* numbers of the notes, "!7, !8" */

/* ---- which values may differ from lane to lane ---- */

enum answer { UNKNOWN, ASKED, NO, YES };
static char *answers; /* an enum answer for each line of the function */
static int first_line;

void begin_marks(int from, int to)
{
    first_line = from;
    answers = allocate(answers, (size_t)(to - from));
    memset(answers, UNKNOWN, (size_t)(to - from));
}

/* True for "lshr i32 %x, 5" or a division by 32 or more: a thread's number becomes its warp's. */
static bool is_of_a_warp(const char *p)
{
    struct slice part[2];
    long by;
    bool shift = starts_with(p, "lshr ") || starts_with(p, "ashr ");
    if (!shift && !starts_with(p, "udiv ") && !starts_with(p, "sdiv "))
        return false;
    return operands(p, part) >= 2 &&
           number_in((struct slice){part[1].p, strcspn(part[1].p, " ,")}, &by) &&
           by >= (shift ? 5 : 32);
}

/* True if the value is computed from something that differs between lanes. A value that differs
 * only because some lanes took a branch is not recognised. */
static bool differs(struct slice value)
{
    int at = line_of(value);
    if (at < first_line)
        return false;
    char *answer = &answers[at - first_line];
    if (*answer != UNKNOWN)
        return *answer == YES;
    *answer = ASKED;
    const char *p = definition_of(value), *call = find_call(p);
    bool is = starts_with(p, "atomicrmw ") || starts_with(p, "cmpxchg ") ||
              strstr(p, "ptx.sreg.tid.x") || strstr(p, "ptx.sreg.tid.y") ||
              strstr(p, "ptx.sreg.laneid") ||
              (call && call < p + 12 && !strstr(p, "@llvm.") && !strstr(p, "@cpucc_guard_"));
    for (const char *o = is_of_a_warp(p) ? NULL : strchr(p, '%'); o && !is; o = strchr(o + 1, '%'))
        is = differs((struct slice){o, 1 + name_length(o + 1)});
    *answer = is ? YES : NO;
    return is;
}

/* The absolute step of the loop's variable per round, 0 if it is not known. */
static long growth(const struct loop *l, struct slice value)
{
    const char *d = definition_of(value);
    struct slice of;
    long by = 0;
    if (d && starts_with(d, "add ") && step(d, &by, &of))
        return by < 0 ? -by : by;
    for (const char *p = d && starts_with(d, "phi ") ? strchr(d, '[') : NULL; p;
         p = strchr(p + 1, '[')) {
        struct slice in[2];
        const char *end = closing(p);
        if (!end || split((struct slice){p + 1, (size_t)(end - p - 1)}, in, 2) < 2)
            break;
        const char *next = definition_of(in[0]);
        if (in[1].n == blocks[l->latch].name.n + 1 && next && starts_with(next, "add ") &&
            step(next, &by, &of))
            return by < 0 ? -by : by;
    }
    return 0;
}

/* Lanes that start at different values and step by 32 or more to the same end differ at most in the
 * last round, which does not count here. */
bool lanes_leave_apart(const struct loop *l)
{
    struct slice name, part[3], side[2];
    const char *p = instruction(blocks[l->latch].last, &name);
    if (!starts_with(p, "br i1 ") || split(slice_of(p + 3), part, 3) < 3)
        return false;
    const char *test = definition_of(value_in(part[0]));
    if (!test || !starts_with(test, "icmp ") || split(slice_of(test), side, 2) < 2)
        return false;
    bool differ[2];
    for (int i = 0; i < 2; i++) {
        side[i] = value_in(side[i]);
        differ[i] = differs(side[i]);
    }
    for (int i = 0; i < 2; i++)
        if (differ[i] && !differ[1 - i] && growth(l, side[i]) >= 32)
            return false;
    return differ[0] || differ[1];
}

/* ---- sums ---- */

/* True if the stored value is computed from the last round's: from a variable of the loop or a load
 * of the place. */
static bool goes_on(const struct loop *l, struct slice value, struct slice place)
{
    const char *d = definition_of(value);
    struct slice part[2] = {{0}}, from[3];
    if (!d || operands(d, part) < 2)
        return false;
    part[0] = value_in(part[0]), part[1] = value_in(part[1]);
    for (int i = 0; i < 2; i++) {
        int at = line_of(part[i]);
        const char *o = definition_of(part[i]);
        if (o && starts_with(o, "phi ") && at >= blocks[l->head].from && at < blocks[l->head].last)
            return true;
        if (o && starts_with(o, "load ") && split(slice_of(o), from, 3) >= 2 &&
            value_in(from[1]).n == place.n && !memcmp(value_in(from[1]).p, place.p, place.n))
            return true;
    }
    return false;
}

/* True if a pointer leads to dynamic shared memory, or to no known variable. */
static bool is_dynamic(struct slice pointer, int depth)
{
    const char *at = memchr(pointer.p, '@', pointer.n), *d = definition_of(value_in(pointer));
    if (at) {
        size_t n = 1 + name_length(at + 1);
        for (int i = 0; i < lines && !starts_with(line[i], "define "); i++)
            if (!strncmp(line[i], at, n) && starts_with(line[i] + n, " = "))
                return strstr(line[i], " external ") != NULL;
        return true;
    }
    if (!d || depth > 4 || starts_with(d, "phi "))
        return true;
    at = strchr(d, '@');
    const char *next = strchr(d, '%');
    return at     ? is_dynamic(slice_of(at), depth)
           : next ? is_dynamic((struct slice){next, 1 + name_length(next + 1)}, depth + 1)
                  : true;
}

bool sums_in_shared(const struct loop *l)
{
    struct slice sum = {NULL, 0};
    bool sums = false;
    for (int b = 0; b < block_count; b++)
        for (int i = blocks[b].from; l->has[b] && i < blocks[b].last; i++) {
            struct slice name, part[3];
            const char *p = line[i][0] == ' ' ? instruction(i, &name) : "";
            const char *call = find_call(p);
            bool store = starts_with(p, "store ");
            if ((call && call < p + 12 && !strstr(p, "@llvm.") && !strstr(p, "@cpucc_guard_")) ||
                starts_with(p, "atomicrmw ") || starts_with(p, "cmpxchg ") ||
                starts_with(p, "store volatile "))
                return false;
            if ((!store && !starts_with(p, "load ")) || split(slice_of(p), part, 3) < 2 ||
                leads_to(part[1], 0) != IN_SHARED)
                continue;
            struct slice place = value_in(part[1]);
            if (sum.n && (sum.n != place.n || memcmp(sum.p, place.p, place.n)))
                return false; /* a second place in shared memory: nvcc cannot tell them apart */
            sum = place;
            sums |= store && is_fixed_in(l, place) && !is_dynamic(part[1], 0) &&
                    goes_on(l, value_in(part[0]), place);
        }
    return sums;
}

/* ---- notes ---- */

void mark_loop(const struct loop *l, enum may_differ why, bool shared_only, int *next_number)
{
    for (int store = 0; store < 2; store++) {
        struct text places = {0};
        for (int b = 0; b < block_count; b++)
            for (int i = blocks[b].from; l->has[b] && i < blocks[b].last; i++) {
                struct slice name, part[3];
                const char *p = line[i][0] == ' ' ? instruction(i, &name) : "";
                const char *place = strstr(p, ", !dbg !");
                if (!starts_with(p, store ? "store " : "load ") || !place ||
                    split(slice_of(p), part, 3) < 2)
                    continue;
                enum place at = leads_to(part[1], 0);
                if (at == LOCAL || (shared_only && at != IN_SHARED))
                    continue;
                addf(&places, ", !%d", atoi(place + strlen(", !dbg !")));
            }
        if (places.p) {
            addf(&notes, "!%d = !{i32 %d, i32 %d%s}\n", *next_number, why, store, places.p);
            addf(&nodes, "%s!%d", nodes.p ? ", " : "", (*next_number)++);
        }
        free(places.p);
    }
}

bool note_marks(void)
{
    if (nodes.p)
        addf(&notes, "!cpucc.may_differ = !{%s}\n", nodes.p);
    return nodes.p != NULL;
}
