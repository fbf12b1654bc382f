/*
 * Part of merge. clang copies a struct by accesses that may be wider than their alignment; nvcc
 * makes one access per aligned piece. A struct of 4 chars takes 4 loads, and so does one of 4 ints.
 * This file splits clang's accesses in the same way.
 */
#include <stdlib.h>
#include <string.h>
#include "merge.h"

enum { LARGEST_COPY = 128 }; /* bytes; a larger copy stays a call of the run time */

static int made;

/* ", !dbg !7" of an instruction, or "". */
static char *location(const char *text)
{
    const char *at = strstr(text, ", !dbg !");
    return at ? format(", !dbg !%d", atoi(at + strlen(", !dbg !"))) : format("%s", "");
}

/* " addrspace(3)" of an operand, or "". */
static char *space_of(struct slice operand)
{
    const char *at = find_word(operand.p, "addrspace(");
    return at && at < operand.p + operand.n ? format(" addrspace(%d)", atoi(at + 10))
                                            : format("%s", "");
}

static char *pointer_type(const char *to, const char *space, bool opaque)
{
    return opaque ? format("ptr%s", space) : format("%s%s*", to, space);
}

static bool is_constant(struct slice operand)
{
    return operand.n && operand.p[operand.n - 1] == ')';
}

static void split_access(int i)
{
    const char *p = line[i] + 2, *is = *p == '%' ? strstr(p, " = ") : NULL;
    struct slice part[8], name = {p, is ? (size_t)(is - p) : 0};
    p = is ? is + 3 : p;
    bool store = starts_with(p, "store i");
    if (!store && !starts_with(p, "load i"))
        return;
    p += store ? 6 : 5;
    int bits = atoi(p + 1);
    if (split(slice_of(p), part, 8) < 3 || !starts_with(part[2].p, "align ") ||
        is_constant(part[1]))
        return;
    int piece = atoi(part[2].p + 6) * 8;
    if ((bits != 16 && bits != 32 && bits != 64) || piece < 8 || piece >= bits)
        return;
    int n = made++;
    bool opaque = starts_with(part[1].p, "ptr");
    char *place = location(line[i]), *space = space_of(part[1]), *small = format("i%d", piece);
    char *to = pointer_type(small, space, opaque);
    struct text t = {0};
    addf(&t, "  %%split.%d.p = bitcast %.*s to %s\n", n, (int)part[1].n, part[1].p, to);
    for (int k = 0; k < bits / piece; k++)
        addf(&t, "  %%split.%d.q%d = getelementptr %s, %s %%split.%d.p, i64 %d\n", n, k, small, to,
             n, k);
    struct slice value = value_in(part[0]);
    for (int k = 0; k < bits / piece; k++)
        if (store)
            addf(&t,
                 "  %%split.%d.s%d = lshr i%d %.*s, %d\n"
                 "  %%split.%d.c%d = trunc i%d %%split.%d.s%d to %s\n"
                 "  store %s %%split.%d.c%d, %s %%split.%d.q%d, align %d%s%s",
                 n, k, bits, (int)value.n, value.p, k * piece, n, k, bits, n, k, small, small, n, k,
                 to, n, k, piece / 8, place, k + 1 < bits / piece ? "\n" : "");
        else
            addf(&t,
                 "  %%split.%d.l%d = load %s, %s %%split.%d.q%d, align %d%s\n"
                 "  %%split.%d.z%d = zext %s %%split.%d.l%d to i%d\n"
                 "  %%split.%d.s%d = shl i%d %%split.%d.z%d, %d\n",
                 n, k, small, to, n, k, piece / 8, place, n, k, small, n, k, bits, n, k, bits, n, k,
                 k * piece);
    for (int k = 1; k < bits / piece && !store; k++) {
        bool last = k + 1 == bits / piece;
        char *sum = last ? copy_of(name) : format("%%split.%d.o%d", n, k);
        addf(&t, "  %s = or i%d %%split.%d.%c%d, %%split.%d.s%d%s", sum, bits, n, k > 1 ? 'o' : 's',
             k - 1, n, k, last ? "" : "\n");
        free(sum);
    }
    line[i] = t.p;
    free(place);
    free(space);
    free(small);
    free(to);
}

/* The alignment in an operand: 4 for "i8* noundef align 4 %x"; 1 if it has none. */
static long alignment_in(struct slice operand)
{
    const char *at = find_word(operand.p, " align ");
    return at && at < operand.p + operand.n ? atol(at + 7) : 1;
}

static void split_copy(int i)
{
    const char *call = strstr(line[i], "call void @llvm.memcpy.");
    const char *open = call ? strchr(call, '(') : NULL, *end = open ? closing(open) : NULL;
    struct slice part[4];
    long bytes;
    if (!end || split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 4) < 4 ||
        !number_in(value_in(part[2]), &bytes) || !slice_is(part[3], "i1 false") ||
        is_constant(part[0]) || is_constant(part[1]) || bytes < 1 || bytes > LARGEST_COPY)
        return;
    long piece = 16, a = alignment_in(part[0]), b = alignment_in(part[1]);
    while (piece > a || piece > b || bytes % piece)
        piece /= 2;
    int n = made++;
    char *place = location(line[i]);
    char *type = piece == 16 ? format("<4 x i32>") : format("i%ld", 8 * piece);
    struct text t = {0};
    for (int side = 1; side >= 0; side--) {
        bool opaque = starts_with(part[side].p, "ptr");
        struct slice value = value_in(part[side]);
        char *space = space_of(part[side]), *from = pointer_type("i8", space, opaque),
             *to = pointer_type(type, space, opaque);
        char c = "ds"[side];
        addf(&t, "  %%copy.%d.%c = bitcast %s %.*s to %s\n", n, c, from, (int)value.n, value.p, to);
        for (long k = 0; k < bytes / piece; k++) {
            addf(&t, "  %%copy.%d.%c%ld = getelementptr %s, %s %%copy.%d.%c, i64 %ld\n", n, c, k,
                 type, to, n, c, k);
            if (side)
                addf(&t, "  %%copy.%d.v%ld = load %s, %s %%copy.%d.s%ld, align %ld%s\n", n, k, type,
                     to, n, k, piece, place);
            else
                addf(&t, "  store %s %%copy.%d.v%ld, %s %%copy.%d.d%ld, align %ld%s%s", type, n, k,
                     to, n, k, piece, place, k + 1 < bytes / piece ? "\n" : "");
        }
        free(space);
        free(from);
        free(to);
    }
    line[i] = t.p;
    free(place);
    free(type);
}

void split_function(int from, int to)
{
    for (int i = from; i < to; i++) {
        if (!starts_with(line[i], "  "))
            continue;
        split_access(i);
        split_copy(i);
    }
}
