/*
 * Part of guard. Checks accesses through pointers that walk through a local array: `char *p = text;
 * *p++ = c;`. (guard_checks.c checks indices of the array itself.)
 *
 * A pointer variable is followed if every pointer stored there points into the same local variable
 * and its own address does not escape. guard adds a second variable beside it, which holds the
 * pointer's offset in bytes from the array's start. Each pointer derived from it has such an offset
 * too, and each access checks that the offset lies inside the array. Forming a pointer outside is
 * no fault.
 */
#include <stdlib.h>
#include <string.h>
#include "guard.h"

enum { NONE = -2, NOT_YET = -1 };

static bool any_walks;

static bool is_pointer(const char *type)
{
    return type[strlen(type) - 1] == '*' || !strcmp(type, "ptr");
}

/* The pointer variable that the operand names, or NULL. */
static struct local *variable(struct slice operand_text)
{
    struct slice name = operand(operand_text);
    struct value *v = value_of(name);
    if (!v || v->local < 0 || !locals[v->local].may_walk)
        return NULL;
    return slice_is((struct slice){name.p + 1, name.n - 1}, locals[v->local].name)
               ? &locals[v->local]
               : NULL;
}

/* The local that a pointer points into, by its index in `locals`; or NONE or NOT_YET. */
static int root_of(struct slice name)
{
    const struct value *v = value_of(name);
    if (!v)
        return NONE;
    if (v->local >= 0)
        return locals[v->local].may_walk ? NONE : v->local;
    return v->walks;
}

/* The pointer operand of a getelementptr or a bitcast. */
static struct slice base_of(const struct instruction *x)
{
    struct slice part[3];
    const char *p = x->rest.p, *to = strstr(p, " to ");
    if (slice_is(x->op, "bitcast"))
        return to ? operand((struct slice){p, (size_t)(to - p)}) : (struct slice){p, 0};
    return split(x->rest, part, 3) > 1 ? operand(part[1]) : (struct slice){p, 0};
}

static bool join(struct local *l, int root)
{
    int now = l->walks == NOT_YET ? root : root == NOT_YET || root == l->walks ? l->walks : NONE;
    bool changed = now != l->walks;
    l->walks = now;
    return changed;
}

/* Propagates where pointers point through one instruction; true if that changed something. */
static bool spread(const struct instruction *x)
{
    struct slice part[4];
    struct local *l;
    if (slice_is(x->op, "store"))
        return split(x->rest, part, 4) > 1 && (l = variable(part[1])) &&
               join(l, root_of(operand(part[0])));
    int root = NONE;
    if (slice_is(x->op, "load"))
        root = split(x->rest, part, 4) > 1 && (l = variable(part[1])) ? l->walks : NONE;
    else if (slice_is(x->op, "getelementptr") || slice_is(x->op, "bitcast"))
        root = root_of(base_of(x));
    if (root == NONE || !x->result.n)
        return false;
    struct value *v = new_value(x->result);
    bool changed = v->walks != root;
    v->walks = root;
    return changed;
}

void find_walking(int first, int last)
{
    any_walks = false;
    for (int i = 0; i < local_count; i++) {
        struct local *l = &locals[i];
        l->walks = NOT_YET;
        l->may_walk = !l->parameter && !l->escapes && !l->slot && is_pointer(l->type);
        any_walks |= l->may_walk;
    }
    for (bool changed = any_walks; changed;) {
        changed = false;
        for (int i = first; i < last; i++)
            if (guard_line[i][0] == ' ' && strchr(guard_line[i], '%')) {
                struct instruction x = cut(guard_line[i]);
                changed |= spread(&x);
            }
    }
    any_walks = false;
    for (int i = 0; i < local_count; i++)
        if (locals[i].may_walk && locals[i].walks >= 0)
            any_walks = locals[locals[i].walks].walked = true;
}

static const char *offset_of(struct slice name)
{
    const struct value *v = value_of(name);
    return v && v->offset ? v->offset : "0";
}

static bool walked(struct slice name)
{
    int root = root_of(name);
    return root >= 0 && locals[root].walked;
}

/* Adds the offset of a pointer that x derives from another one. */
static void add_step(struct text *to, const struct instruction *x)
{
    struct slice base = base_of(x);
    const char *before = offset_of(base), *p = x->rest.p;
    struct value known = *value_of(base), *v = new_value(x->result);
    v->through = known.through || (known.local < 0 && known.walks >= 0);
    if (slice_is(x->op, "bitcast")) {
        v->offset = format("%s", before);
        return;
    }
    while (starts_with(p, "inbounds ") || starts_with(p, "nuw ") || starts_with(p, "nusw "))
        p = strchr(p, ' ') + 1;
    struct slice part[16];
    int count = split((struct slice){p, x->rest.n - (size_t)(p - x->rest.p)}, part, 16),
        n = guard_numbers++;
    const char *rest = base.p + base.n;
    char *type = copy_of(part[0]), *element = element_type(type, part + 2, count - 2),
         *pointer = pointer_text(type);
    addf(to, "  %%cpucc.j.%d = getelementptr %s, %s null%.*s\n", n, type, pointer,
         (int)(x->rest.p + x->rest.n - rest), rest);
    addf(to, "  %%cpucc.k.%d = ptrtoint %s %%cpucc.j.%d to i64\n", n, pointer_text(element), n);
    addf(to, "  %%cpucc.h.%d = add i64 %s, %%cpucc.k.%d\n", n, before, n);
    v->offset = format("%%cpucc.h.%d", n);
}

/* Adds the check before a load or store through such a pointer. Returns the line with the checked
 * pointer in place of the original, or the line itself. */
const char *add_walk_check(struct text *to, const char *line, const struct instruction *x)
{
    struct slice part[4];
    bool load = slice_is(x->op, "load");
    if (!any_walks || (!load && !slice_is(x->op, "store")) || split(x->rest, part, 4) < 2)
        return line;
    struct slice name = operand(part[1]);
    const struct value *v = value_of(name);
    struct slice type = {part[0].p, type_length(part[0].p)};
    long bytes = type_bytes(type);
    if (!v || !v->through || !v->offset || v->walks < 0 || bytes <= 0)
        return line;
    const struct local *array = &locals[v->walks];
    char *t = copy_of(type), *given = copy_of(name), *whole = pointer_text(array->type),
         *what = constant_text(plain_name(array->name)), *place = format("%%%s", array->name),
         *offset = v->offset;
    int n = guard_numbers++;
    char *at = as_bytes(to, t, given), *safe = as_bytes(to, array->type, place);
    addf(
        to,
        "  %%cpucc.y.%d.s = sub i64 ptrtoint (%s getelementptr (%s, %s null, i64 1) to i64), %ld\n",
        n, whole, array->type, whole, bytes);
    addf(to,
         "  %%cpucc.y.%d = call %s @cpucc.guard.walked(i64 %s, i64 %%cpucc.y.%d.s, i64 %ld, %s %s, "
         "%s %s, %s %s)%s\n",
         n, BYTES, offset, n, bytes, BYTES, at, BYTES, safe, BYTES, what, x->debug);
    if (!guard_opaque)
        addf(to, "  %%cpucc.y.%d.p = bitcast i8* %%cpucc.y.%d to %s*\n", n, n, t);
    return format("%.*s%%cpucc.y.%d%s%s", (int)(name.p - line), line, n, guard_opaque ? "" : ".p",
                  name.p + name.n);
}

void add_walk_step(struct text *to, const struct instruction *x)
{
    struct slice part[4];
    struct local *l;
    if (!any_walks)
        return;
    if (slice_is(x->op, "alloca")) {
        struct value *v = value_of(x->result);
        l = v && v->local >= 0 ? &locals[v->local] : NULL;
        if (l && l->may_walk && l->walks >= 0)
            addf(to, "  %%cpucc.n.at.%d = alloca i64\n", l->number);
        return;
    }
    bool load = slice_is(x->op, "load"), store = slice_is(x->op, "store");
    if ((load || store) && split(x->rest, part, 4) > 1 && (l = variable(part[1])) &&
        l->walks >= 0) {
        const char *pointer = guard_opaque ? "ptr" : "i64*";
        if (store) {
            addf(to, "  store i64 %s, %s %%cpucc.n.at.%d\n", offset_of(operand(part[0])), pointer,
                 l->number);
            return;
        }
        int n = guard_numbers++;
        addf(to, "  %%cpucc.h.%d = load i64, %s %%cpucc.n.at.%d\n", n, pointer, l->number);
        struct value *v = new_value(x->result);
        v->offset = format("%%cpucc.h.%d", n);
        v->through = true;
        return;
    }
    if (load && split(x->rest, part, 4) > 1) { /* of a pointer that is stored only once */
        struct value *at = into_local(part[1]);
        struct value *from = at && locals[at->local].slot ? value_of(locals[at->local].stored) : 0;
        if (from && from->offset)
            new_value(x->result)->offset = value_of(locals[at->local].stored)->offset;
        return;
    }
    if ((slice_is(x->op, "getelementptr") || slice_is(x->op, "bitcast")) && walked(base_of(x)))
        add_step(to, x);
}

void write_walk_check(struct text *to)
{
    const char *b = BYTES;
    addf(to,
         "define internal %s @cpucc.guard.walked(i64 %%at, i64 %%most, i64 %%bytes, %s %%p, %s "
         "%%safe, %s %%what) alwaysinline nounwind {\n"
         "entry:\n  %%fine = icmp ule i64 %%at, %%most\n"
         "  br i1 %%fine, label %%end, label %%bad\n"
         "bad:\n  %%i = sdiv i64 %%at, %%bytes\n  %%all = add i64 %%most, %%bytes\n"
         "  %%n = udiv i64 %%all, %%bytes\n"
         "  call void @cpucc_guard_index(i64 %%i, i64 %%n, %s %%what)\n  br label %%end\n"
         "end:\n  %%r = phi %s [ %%p, %%entry ], [ %%safe, %%bad ]\n  ret %s %%r\n}\n",
         b, b, b, b, b, b, b);
}
