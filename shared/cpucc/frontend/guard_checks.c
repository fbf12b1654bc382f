/*
 * Part of guard. Replaces arithmetic that C++ leaves undefined by what nvcc's code does, and adds
 * checks of indices of local arrays.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "guard.h"

/* ---- arithmetic ---- */

static bool is_number(struct slice s)
{
    return s.n && (isdigit((unsigned char)*s.p) || *s.p == '-');
}

/* Cuts "nsw i32 %a, %b" into type, a and b; false if the type is no integer. */
static bool two_operands(struct slice rest, struct slice *type, struct slice *a, struct slice *b)
{
    static const char *const flags[] = {"nuw ", "nsw ", "exact ", "disjoint ", NULL};
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; flags[i]; i++)
            if (starts_with(rest.p, flags[i])) {
                rest.p += strlen(flags[i]), rest.n -= strlen(flags[i]);
                more = true;
            }
    }
    struct slice part[2];
    if (split(rest, part, 2) != 2 || part[0].p[0] != 'i')
        return false;
    *type = (struct slice){part[0].p, type_length(part[0].p)};
    *a = operand(part[0]);
    *b = trimmed(part[1]);
    return true;
}

static bool add_shift(struct text *to, const struct instruction *x)
{
    struct slice type, a, b;
    if (!two_operands(x->rest, &type, &a, &b))
        return false;
    int width = atoi(type.p + 1), n = guard_numbers++;
    if (is_number(b) && (unsigned long)atol(b.p) < (unsigned long)width)
        return false;
    bool sign = slice_is(x->op, "ashr");
    char *t = copy_of(type), *r = copy_of(x->result), *v = copy_of(a), *by = copy_of(b),
         *op = copy_of(x->op);
    addf(to, "  %%cpucc.t.%d = icmp ult %s %s, %d\n", n, t, by, width);
    addf(to, "  %%cpucc.u.%d = select i1 %%cpucc.t.%d, %s %s, %s %d\n", n, n, t, by, t,
         sign ? width - 1 : 0);
    if (sign)
        addf(to, "  %s = ashr %s %s, %%cpucc.u.%d%s\n", r, t, v, n, x->debug);
    else
        addf(to,
             "  %%cpucc.v.%d = %s %s %s, %%cpucc.u.%d\n  %s = select i1 %%cpucc.t.%d, %s "
             "%%cpucc.v.%d, %s 0\n",
             n, op, t, v, n, r, n, t, n, t);
    return true;
}

static bool add_division(struct text *to, const struct instruction *x)
{
    struct slice type, a, b;
    if (!two_operands(x->rest, &type, &a, &b) ||
        (is_number(b) && atol(b.p) != 0 && atol(b.p) != -1))
        return false;
    bool is_signed = *x->op.p == 's', remainder = strstr(x->op.p, "rem") == x->op.p + 1;
    int width = atoi(type.p + 1), n = guard_numbers++;
    char *t = copy_of(type), *r = copy_of(x->result), *v = copy_of(a), *by = copy_of(b),
         *op = copy_of(x->op);
    addf(to, "  %%cpucc.z.%d = icmp eq %s %s, 0\n", n, t, by);
    addf(to, "  %%cpucc.y.%d = select i1 %%cpucc.z.%d, %s 1, %s %s\n", n, n, t, t, by);
    if (is_signed) { /* INT_MIN / -1 overflows: divide by 1 instead */
        addf(to, "  %%cpucc.t.%d = icmp eq %s %%cpucc.y.%d, -1\n", n, t, n);
        addf(to, "  %%cpucc.u.%d = icmp eq %s %s, %s\n", n, t, v,
             width == 64   ? "-9223372036854775808"
             : width == 32 ? "-2147483648"
             : width == 16 ? "-32768"
                           : "-128");
        addf(to, "  %%cpucc.v.%d = and i1 %%cpucc.t.%d, %%cpucc.u.%d\n", n, n, n);
        addf(to, "  %%cpucc.d.%d = select i1 %%cpucc.v.%d, %s 1, %s %%cpucc.y.%d\n", n, n, t, t, n);
    } else
        addf(to, "  %%cpucc.d.%d = add %s %%cpucc.y.%d, 0\n", n, t, n);
    addf(to, "  %%cpucc.q.%d = %s %s %s, %%cpucc.d.%d%s\n", n, op, t, v, n, x->debug);
    if (remainder)
        addf(to, "  %s = select i1 %%cpucc.z.%d, %s %s, %s %%cpucc.q.%d\n", r, n, t, v, t, n);
    else
        addf(to, "  %s = select i1 %%cpucc.z.%d, %s -1, %s %%cpucc.q.%d\n", r, n, t, t, n);
    return true;
}

bool guard_saturates[2][2][3];

static bool add_conversion(struct text *to, const struct instruction *x)
{
    static const char *const from_name[] = {"half", "float", "double"}, *const from_short[] = {
                                                                            "f16", "f32", "f64"};
    bool is_signed = slice_is(x->op, "fptosi");
    size_t n = type_length(x->rest.p);
    struct slice from = {x->rest.p, n};
    int f = 0, number = guard_numbers++;
    while (f < 3 && !slice_is(from, from_name[f]))
        f++;
    char *rest = copy_of(x->rest), *into = strstr(rest, " to ");
    if (f == 3 || !into || into[4] != 'i')
        return false;
    int width = atoi(into + 5), wide = width > 32 ? 64 : 32;
    char *v = copy_of(trimmed((struct slice){rest + n, (size_t)(into - rest) - n})),
         *r = copy_of(x->result);
    if (width != 1 && width != 8 && width != 16 && width != 32 && width != 64)
        return false;
    guard_saturates[is_signed][wide == 64][f] = true;
    bool special = f == 2 || wide == 64; /* NaN gives the smallest signed number instead of 0 */
    addf(to, "  %%cpucc.s.%d = call i%d @llvm.fpto%ci.sat.i%d.%s(%s %s)%s\n", number, wide,
         is_signed ? 's' : 'u', wide, from_short[f], from_name[f], v, x->debug);
    addf(to, "  %%cpucc.n.%d = fcmp uno %s %s, %s\n", number, from_name[f], v, v);
    addf(to, "  %%cpucc.w.%d = select i1 %%cpucc.n.%d, i%d %s, i%d %%cpucc.s.%d\n", number, number,
         wide,
         !special     ? "0"
         : wide == 64 ? "-9223372036854775808"
                      : "-2147483648",
         wide, number);
    if (width < 32)
        addf(to, "  %s = trunc i32 %%cpucc.w.%d to i%d\n", r, number, width);
    else
        addf(to, "  %s = add i%d %%cpucc.w.%d, 0\n", r, wide, number);
    return true;
}

bool add_arithmetic(struct text *to, const struct instruction *x)
{
    if (!x->result.n)
        return false;
    if (slice_is(x->op, "shl") || slice_is(x->op, "lshr") || slice_is(x->op, "ashr"))
        return add_shift(to, x);
    if (slice_is(x->op, "sdiv") || slice_is(x->op, "udiv") || slice_is(x->op, "srem") ||
        slice_is(x->op, "urem"))
        return add_division(to, x);
    if (slice_is(x->op, "fptosi") || slice_is(x->op, "fptoui"))
        return add_conversion(to, x);
    return false;
}

/* ---- local arrays ---- */

/* True if the pointer is used only as the address of loads, stores and further getelementptrs. */
static bool only_accessed(int first, int last, struct slice name)
{
    char *key = copy_of(name);
    bool fine = true;
    for (int i = first; i < last && fine; i++)
        for (const char *p = guard_line[i]; fine && (p = strstr(p, key)); p += name.n) {
            if (name_length(p + 1) != name.n - 1)
                continue;
            struct instruction x = cut(guard_line[i]);
            if (x.result.p == p)
                continue;
            struct slice part[3];
            int n = split(x.rest, part, 3);
            int at = slice_is(x.op, "load") || slice_is(x.op, "store") ? 1 : -1;
            if (slice_is(x.op, "getelementptr"))
                at = 1;
            fine = at > 0 && at < n && operand(part[at]).p == p;
        }
    free(key);
    return fine;
}

/* Replaces "getelementptr inbounds [8 x float], ptr %a, i64 0, i64 %i" into a local array by one
 * whose index is checked: the check reports an index outside the array and then uses element 0. */
bool add_index(struct text *to, const struct instruction *x, int first, int last)
{
    const char *p = x->rest.p;
    while (starts_with(p, "inbounds ") || starts_with(p, "nuw ") || starts_with(p, "nusw "))
        p = strchr(p, ' ') + 1;
    struct slice part[16];
    int n = split((struct slice){p, x->rest.n - (size_t)(p - x->rest.p)}, part, 16);
    if (n < 2)
        return false;
    struct value *base = value_of(operand(part[1]));
    if (!base || base->local < 0)
        return false;
    struct value known = *base, *v = new_value(x->result);
    char *type = copy_of(part[0]);
    v->local = known.local;
    v->cast = known.cast;
    v->element = element_type(type, part + 2, n - 2);
    v->outer = NULL;
    v->count = 0;
    /* An index behind the first element. With opaque pointers a cast is invisible, so the types of
     * the elements must agree. */
    if (n == 3 && known.count && known.element && !strcmp(type, known.element) &&
        !is_number(operand(part[2])) && only_accessed(first, last, x->result)) {
        char *what = constant_text(plain_name(locals[known.local].name)),
             *i = copy_of(operand(part[2])), *t = copy_of(part[0]), *r = copy_of(x->result);
        int number = guard_numbers++;
        addf(to,
             "  %%cpucc.x.%d = call i64 @cpucc.guard.index(i64 %s, i64 %ld, i64 %s, i64 0, %s "
             "%s)%s\n",
             number, i, known.count, i, BYTES, what, x->debug);
        addf(to, "  %s = getelementptr %s, %.*s, i64 %%cpucc.x.%d%s\n", r, t, (int)part[1].n,
             part[1].p, number, x->debug);
        return true;
    }
    if (n != 4 || *type != '[' || !slice_is(operand(part[2]), "0"))
        return false;
    long count = atol(type + 1);
    struct slice index = operand(part[3]);
    int number = guard_numbers++;
    char *i = copy_of(index), *line = NULL, *before = NULL;
    bool row = v->element && v->element[0] == '[';
    if (!row && !known.outer && slice_is(index, "0"))
        v->count = count;
    if (starts_with(part[3].p, "i32 ") && !is_number(index)) {
        addf(to, "  %%cpucc.o.%d = sext i32 %s to i64\n", number, i);
        i = format("%%cpucc.o.%d", number);
    }
    if (known.outer) { /* the element's index in the whole two-dimensional array */
        before = format("%%cpucc.p.%d", number), line = format("%%cpucc.l.%d", number);
        addf(to, "  %s = mul i64 %s, %ld\n  %s = add i64 %s, %s\n", before, known.outer, count,
             line, before, i);
        count *= known.rows;
    } else
        line = i, before = format("0");
    if (row) {
        v->outer = line, v->rows = count;
        return false;
    }
    if ((!known.outer && is_number(index) && atol(index.p) >= 0 && atol(index.p) < count) ||
        !only_accessed(first, last, x->result) || count == 0)
        return false;
    char *what = constant_text(plain_name(locals[known.local].name));
    addf(to,
         "  %%cpucc.x.%d = call i64 @cpucc.guard.index(i64 %s, i64 %ld, i64 %s, i64 %s, %s %s)%s\n",
         number, line, count, i, before, BYTES, what, x->debug);
    char *r = copy_of(x->result);
    addf(to, "  %s = getelementptr %s, %.*s, i64 0, i64 %%cpucc.x.%d%s\n", r, type, (int)part[1].n,
         part[1].p, number, x->debug);
    return true;
}
