/*
 * Part of guard. Adds alignment checks to accesses and copies whose type demands more alignment
 * than its members, gives loads and stores through casts the alignment of the accessed type, and
 * reports struct copies to the run time, since padding may be uninitialised.
 */
#include <stdlib.h>
#include <string.h>
#include "guard.h"

/* Adds a check that the pointer is a multiple of `align`, unless it points into a local. */
static void check_alignment(struct text *to, struct slice pointer_operand, long align,
                            const char *debug)
{
    struct slice p = operand(pointer_operand);
    struct value *v = value_of(p);
    if (*p.p != '%' || (v && v->local >= 0))
        return;
    char *type = copy_of((struct slice){pointer_operand.p, type_length(pointer_operand.p)}),
         *name = copy_of(p);
    char *bytes = guard_opaque || !strcmp(type, "i8*") ? format("%s", name) : NULL;
    if (!bytes) {
        bytes = format("%%cpucc.b.%d", guard_numbers++);
        addf(to, "  %s = bitcast %s %s to i8*\n", bytes, type, name);
    }
    addf(to, "  call void @cpucc.guard.aligned(%s %s, i64 %ld)%s\n", BYTES, bytes, align - 1,
         debug);
}

static long align_of(struct slice s)
{
    for (size_t i = 0; i + 6 < s.n; i++)
        if (!strncmp(s.p + i, "align ", 6))
            return atol(s.p + i + 6);
    return 0;
}

void add_alignment(struct text *to, const struct instruction *x)
{
    struct slice part[8];
    if (slice_is(x->op, "load") || slice_is(x->op, "store")) {
        int n = split(x->rest, part, 8);
        if (n < 3 || starts_with(x->rest.p, "volatile ") || starts_with(x->rest.p, "atomic "))
            return;
        long align = align_of(part[2]),
             bytes = type_bytes((struct slice){part[0].p, type_length(part[0].p)});
        if (bytes && align > bytes && align <= 16 && align >= 8)
            check_alignment(to, part[1], align, x->debug);
        return;
    }
    const char *call = strstr(x->rest.p, "@llvm.memcpy.");
    const char *open = call ? strchr(call, '(') : NULL, *end = open ? closing(open) : NULL;
    if (!end || split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 8) < 3)
        return;
    for (int i = 0; i < 2; i++) {
        long align = align_of(part[i]);
        if (align >= 8 && align <= 16 && atol(operand(part[2]).p) >= align)
            check_alignment(to, part[i], align, x->debug);
    }
    struct slice from = operand(part[1]);
    struct value *v = value_of(from);
    if (*from.p == '%' && !(v && v->local >= 0) && atol(operand(part[2]).p) > 4)
        addf(to, "  call void @cpucc_guard_struct(%s %.*s, %.*s)%s\n", BYTES, (int)from.n, from.p,
             (int)part[2].n, part[2].p, x->debug);
}

/* ---- variables read as another type ---- */

/* The line between `first` and `from` that defines a value, or NULL. */
static const char *definition(struct slice name, int from, int first)
{
    for (int i = from - 1; i >= first; i--) {
        const char *p = guard_line[i];
        if (starts_with(p, "  ") && !strncmp(p + 2, name.p, name.n) &&
            starts_with(p + 2 + name.n, " = "))
            return p;
    }
    return NULL;
}

/* True if the pointer is derived from a global variable and no struct lies on the way to it that is
 * packed or named in a constant expression. */
static bool to_a_variable(struct slice pointer, int from, int first)
{
    for (int steps = 0; steps < 16; steps++) {
        struct slice name = operand(pointer), part[2];
        if (*name.p != '%') {
            char *text = copy_of(pointer);
            bool is = strchr(text, '@') && !strstr(text, "<{") && !strstr(text, "%struct") &&
                      !strstr(text, "%class") && !strstr(text, "%union");
            free(text);
            return is;
        }
        const char *line = definition(name, from, first);
        if (!line)
            return false;
        struct instruction x = cut(line);
        if (slice_is(x.op, "getelementptr")) {
            struct slice rest = x.rest;
            if (starts_with(rest.p, "inbounds "))
                rest.p += 9, rest.n -= 9;
            if (split(rest, part, 2) < 2 || is_packed(part[0]))
                return false;
            pointer = part[1];
        } else if (slice_is(x.op, "bitcast") || slice_is(x.op, "addrspacecast")) {
            const char *to = NULL;
            for (const char *p = x.rest.p; (p = strstr(p, " to ")); p++)
                to = p;
            if (!to)
                return false;
            pointer = (struct slice){x.rest.p, (size_t)(to - x.rest.p)};
        } else {
            return false;
        }
    }
    return false;
}

/* The load or store with the natural alignment of the accessed type, or the line as it is. clang
 * gives *(double *)&tile[i] the alignment of tile's floats and would split it; nvcc does not. */
const char *natural_alignment(const char *line, const struct instruction *x, int first)
{
    struct slice part[4];
    bool load = slice_is(x->op, "load");
    if ((!load && !slice_is(x->op, "store")) || split(x->rest, part, 4) < 3 ||
        starts_with(x->rest.p, "atomic "))
        return line;
    struct slice type = part[0];
    if (starts_with(type.p, "volatile "))
        type.p += 9, type.n -= 9;
    char *t = copy_of((struct slice){type.p, type_length(type.p)});
    bool scalar = *t != '%' && *t != '[' && *t != '{' && *t != '<';
    long bytes = scalar ? type_bytes(slice_of(t)) : 0, align = align_of(part[2]);
    free(t);
    if (!align || bytes <= align || bytes > 8)
        return line;
    int at = first;
    while (guard_line[at] != line)
        at++;
    if (!to_a_variable(part[1], at, first))
        return line;
    const char *word = strstr(part[2].p, "align ");
    return format("%.*salign %ld%s", (int)(word - line), line, bytes,
                  word + 6 + strspn(word + 6, "0123456789"));
}
