/* Part of unroll. Finds the trip counts of loops. */
#include <stdlib.h>
#include <string.h>
#include "unroll.h"

enum { MOST_ROUNDS = 4096 }; /* larger trip counts count as unknown */

bool step(const char *d, long *x, struct slice *of)
{
    struct slice part[2];
    long n;
    if (!d || operands(d, part) < 2 || !number_in(part[1], &n))
        return false;
    *of = value_in(part[0]);
    if (starts_with(d, "add "))
        *x += n;
    else if (starts_with(d, "sub "))
        *x -= n;
    else if (starts_with(d, "mul "))
        *x *= n;
    else if (starts_with(d, "shl ") && n >= 0 && n < 63)
        *x = (long)((unsigned long)*x << n);
    else if ((starts_with(d, "lshr ") || starts_with(d, "ashr ")) && n >= 0 && n < 63)
        *x >>= n;
    else
        return false;
    return true;
}

static long cut(long x, int bits, bool is_signed)
{
    if (bits >= 64)
        return x;
    unsigned long u = (unsigned long)x & ((1ul << bits) - 1);
    return is_signed && u >> (bits - 1) & 1 ? (long)u - (1l << bits) : (long)u;
}

static bool holds(const char *relation, long x, long y, int bits)
{
    bool is_signed = *relation == 's';
    x = cut(x, bits, is_signed), y = cut(y, bits, is_signed);
    if (starts_with(relation, "eq "))
        return x == y;
    if (starts_with(relation, "ne "))
        return x != y;
    int order = is_signed || bits < 64
                    ? (x > y) - (x < y)
                    : ((unsigned long)x > (unsigned long)y) - ((unsigned long)x < (unsigned long)y);
    return relation[1] == 'l' ? order < (relation[2] == 'e') : order > -(relation[2] == 'e');
}

bool variable(const char *d, struct slice latch, long *start, struct slice *next)
{
    int found = 0;
    for (const char *p = d ? strchr(d, '[') : NULL; p && found < 3; p = strchr(p + 1, '[')) {
        const char *end = closing(p);
        struct slice part[2];
        if (!end || split((struct slice){p + 1, (size_t)(end - p - 1)}, part, 2) < 2)
            return false;
        if (part[1].n == latch.n + 1 && !memcmp(part[1].p + 1, latch.p, latch.n))
            *next = part[0], found |= 1;
        else if (number_in(part[0], start))
            found = found & 2 ? 4 : found | 2;
        else
            return false;
        p = end;
    }
    return found == 3;
}

/* The trip count if the block `at` decides whether the loop goes on, or 0 if it is not known. */
static int rounds_by(const struct loop *l, int at)
{
    struct slice name, part[3], side[2], next, of;
    const char *p = instruction(blocks[at].last, &name);
    if (!starts_with(p, "br i1 ") || split(slice_of(p + 3), part, 3) < 3)
        return 0;
    struct slice stays = value_in(part[1]);
    stays.p++, stays.n--;
    int into = block_of(stays);
    bool while_true = into >= 0 && l->has[into];
    const char *test = definition_of(value_in(part[0])), *phi;
    if (test && starts_with(test, "phi i1 [ ")) { /* so clang tests the end of two rounds */
        char *again = format("[ %s, %%%.*s ]", while_true ? "false" : "true",
                             (int)blocks[l->latch].name.n, blocks[l->latch].name.p);
        bool two = at == l->latch && strstr(test, again) &&
                   strstr(test, while_true ? "[ true, " : "[ false, ");
        free(again);
        return two ? 2 : 0;
    }
    if (!test || !starts_with(test, "icmp "))
        return 0;
    test += strlen("icmp ");
    if (starts_with(test, "samesign "))
        test += strlen("samesign ");
    const char *type = strchr(test, ' ') + 1;
    long bound, start = 0, unused = 0;
    int bits = *type == 'i' ? atoi(type + 1) : 0;
    if (bits < 8 || bits > 64 || split(slice_of(strchr(type, ' ') + 1), side, 2) < 2 ||
        !number_in((struct slice){side[1].p, strcspn(side[1].p, " ,")}, &bound))
        return 0;
    /* The test reads the loop's variable, or the variable's next value (after). */
    phi = definition_of(side[0]);
    bool after = phi && !starts_with(phi, "phi ");
    if (after) {
        if (!step(phi, &unused, &of))
            return 0;
        phi = definition_of(of);
    }
    if (!phi || !starts_with(phi, "phi ") || !variable(phi, blocks[l->latch].name, &start, &next))
        return 0;
    const char *grows = definition_of(next), *tested = definition_of(side[0]);
    long x = start;
    for (int rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
        long seen = x;
        if (after)
            step(tested, &seen, &of);
        if (holds(test, seen, bound, bits) != while_true)
            return at == l->latch ? rounds : rounds - 1;
        if (!step(grows, &x, &of) || definition_of(of) != phi)
            return 0;
        x = cut(x, bits, true);
    }
    return 0;
}

int rounds_of(const struct loop *l)
{
    int rounds = blocks[l->latch].nexts == 2 ? rounds_by(l, l->latch) : 0;
    return rounds || l->head == l->latch || blocks[l->latch].nexts != 1 ? rounds
                                                                        : rounds_by(l, l->head);
}

bool is_fixed_in(const struct loop *l, struct slice value)
{
    long n;
    int at = line_of(value);
    if (number_in(value, &n))
        return true;
    for (int b = 0; b < block_count && at >= 0; b++)
        if (l->has[b] && at >= blocks[b].from && at < blocks[b].last)
            return false;
    return *value.p == '%';
}

bool can_be_counted(const struct loop *l, int *grown)
{
    struct slice name, part[3], side[2], of;
    const char *p = instruction(blocks[l->latch].last, &name);
    for (int b = 0; b < block_count; b++)
        for (int i = 0; l->has[b] && b != l->latch && i < blocks[b].nexts; i++)
            if (!l->has[blocks[b].next[i]])
                return false;
    if (!starts_with(p, "br i1 ") || split(slice_of(p + 3), part, 3) < 3)
        return false;
    const char *test = definition_of(value_in(part[0]));
    if (!test || !starts_with(test, "icmp ") || split(slice_of(test), side, 2) < 2)
        return false;
    bool is_signed = test[strlen("icmp ")] == 's';
    side[0] = value_in(side[0]);
    for (int i = 0; i < 2; i++) {
        const char *d = definition_of(side[i]);
        long step_by = 0;
        if (!d || !is_fixed_in(l, side[1 - i]))
            continue;
        if (starts_with(d, "add ") && step(d, &step_by, &of))
            d = definition_of(of);
        if (!d || !starts_with(d, "phi ") || line_of(side[i]) < 0)
            continue;
        const char *from = strstr(d, "[");
        for (; from; from = strchr(from + 1, '[')) {
            struct slice in[2];
            const char *end = closing(from);
            if (!end || split((struct slice){from + 1, (size_t)(end - from - 1)}, in, 2) < 2)
                break;
            const char *grows = definition_of(in[0]);
            step_by = 0;
            if (in[1].n == blocks[l->latch].name.n + 1 &&
                !memcmp(in[1].p + 1, blocks[l->latch].name.p, in[1].n - 1) && grows &&
                starts_with(grows, "add ") && step(grows, &step_by, &of) &&
                definition_of(of) == d && step_by) {
                step_by = step_by < 0 ? -step_by : step_by;
                *grown = is_signed ? line_of(in[0]) : -1;
                return (step_by & (step_by - 1)) == 0;
            }
        }
    }
    return false;
}
