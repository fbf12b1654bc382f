/*
 * Part of guard. Adds flags beside local variables and values that may be uninitialised (found by
 * uninitialised.c), and checks of these flags.
 *
 * A variable of a simple type has one flag, an i1. An array or struct has a second variable of the
 * same type as its flags: a byte that was written has all bits set there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "guard.h"

enum {
    DEFINED = 512
}; /* bytes of the largest array or struct that is zeroed, so that no clang exploits undef */

static struct local *tracked(const struct value *v)
{
    return v && v->local >= 0 && locals[v->local].tracked ? &locals[v->local] : NULL;
}

/* The AND of the flags of all values that the text names, NULL if none has a flag. *variable: the
 * variable that one of them comes from. */
static char *flag_of(struct text *to, struct slice s, char **variable)
{
    char *all = NULL, *copy = copy_of(s);
    for (const char *p = copy; (p = strchr(p, '%')); p++) {
        struct value *v = value_of((struct slice){p, 1 + name_length(p + 1)});
        if (!v || !v->flag || (all && !strcmp(all, v->flag)))
            continue;
        *variable = v->variable;
        if (!all) {
            all = v->flag;
            continue;
        }
        char *both = format("%%cpucc.f.%d", guard_numbers++);
        addf(to, "  %s = and i1 %s, %s\n", both, all, v->flag);
        all = both;
    }
    free(copy);
    return all;
}

/* The source's name for "sum.i" or "this.addr.i12": without what inlining and clang append. */
char *plain_name(const char *name)
{
    char *plain = format("%s", name);
    for (size_t n = strlen(plain); n > 1; n = strlen(plain)) {
        size_t digits = n;
        while (digits > 1 && strchr("0123456789", plain[digits - 1]))
            digits--;
        if (digits > 2 && !strncmp(plain + digits - 2, ".i", 2))
            plain[digits - 2] = 0;
        else if (n > 5 && !strcmp(plain + n - 5, ".addr"))
            plain[n - 5] = 0;
        else
            break;
    }
    return plain;
}

/* Adds a check of the flag. `decides` says what the value is used for: 'b' a branch, 'a' an
 * address, else a store of that many bytes at `at`. */
static void check(struct text *to, const char *flag, const char *variable, long decides,
                  const char *at, const char *debug)
{
    const char *bytes = guard_opaque ? "ptr" : "i8*";
    char kind = decides > 16 ? (char)decides : (char)('0' + (decides ? decides : 1));
    char *name = plain_name(variable), *text = format("%c%s", kind, name),
         *what = constant_text(text);
    free(name);
    addf(to, "  call void @cpucc.guard.defined(i1 %s, %s %s, %s %s)%s\n", flag, bytes, what, bytes,
         at ? at : "null", debug);
    free(text);
}

void add_flags_before(struct text *to, const char *line, const struct instruction *x)
{
    struct slice part[4];
    char *variable = NULL, *flag;
    if (!strchr(line, '%'))
        return;
    if (slice_is(x->op, "br") || slice_is(x->op, "switch")) {
        struct slice condition = {x->rest.p, strcspn(x->rest.p, ",")};
        if (!starts_with(x->rest.p, "label") && (flag = flag_of(to, condition, &variable)))
            check(to, flag, variable, 'b', NULL, x->debug);
        return;
    }
    bool load = slice_is(x->op, "load"), store = slice_is(x->op, "store");
    if ((load || store) && split(x->rest, part, 4) >= 2) {
        if ((flag = flag_of(to, part[1], &variable)))
            check(to, flag, variable, 'a', NULL, x->debug);
        return;
    }
    if (slice_is(x->op, "call") && strstr(x->rest.p, "atomic") &&
        (flag = flag_of(to, (struct slice){strchr(x->rest.p, '('), strlen(strchr(x->rest.p, '('))},
                        &variable)))
        check(to, flag, variable, 4, NULL, x->debug);
}

static void fill(struct text *to, const char *type, const char *at, int value)
{
    char *bytes = as_bytes(to, type, at), *pointer = pointer_text(type);
    addf(to,
         "  call void @llvm.memset.%s.i64(%s %s, i8 %d, i64 ptrtoint (%s getelementptr (%s, %s "
         "null, i64 1) to i64), i1 false)\n",
         guard_opaque ? "p0" : "p0i8", guard_opaque ? "ptr" : "i8*", bytes, value, pointer, type,
         pointer);
}

static void set_all(struct text *to, const struct local *l, int value)
{
    if (!l->aggregate) {
        addf(to, "  store i1 %d, %s %%cpucc.i.%d\n", value, guard_opaque ? "ptr" : "i1*",
             l->number);
        return;
    }
    char *name = format("%%cpucc.i.%d", l->number);
    fill(to, l->type, name, -value);
    free(name);
}

/* Repeats an address computation into a local on the local's flags. */
static void add_mirror(struct text *to, const char *line, const struct instruction *x)
{
    struct value *v = value_of(x->result);
    struct local *l = tracked(v);
    if (!l || !l->aggregate)
        return;
    const char *p = strchr(x->rest.p, '%');
    while (p && !value_of((struct slice){p, 1 + name_length(p + 1)}))
        p = strchr(p + 1, '%');
    for (; p; p = strchr(p + 1, '%')) {
        struct value *base = value_of((struct slice){p, 1 + name_length(p + 1)});
        if (base && base->local == v->local && base->mirror)
            break;
    }
    if (!p)
        return;
    struct slice base = {p, 1 + name_length(p + 1)};
    char *mirror = format("%%cpucc.m.%d", guard_numbers++);
    addf(to, "  %s = %.*s %.*s%s%.*s\n", mirror, (int)x->op.n, x->op.p, (int)(base.p - x->rest.p),
         x->rest.p, value_of(base)->mirror,
         (int)(x->rest.n - (size_t)(base.p + base.n - x->rest.p)), base.p + base.n);
    v->mirror = mirror;
    (void)line;
}

/* The operand "i32* %p" for the flags of a value of that type; *bits is the value's width. */
static char *flags_at(struct text *to, struct slice type, const char *mirror, long *bits)
{
    *bits = 8 * type_bytes(type);
    if (guard_opaque)
        return format("ptr %s", mirror);
    int n = guard_numbers++;
    addf(to, "  %%cpucc.w.%d = bitcast %.*s* %s to i%ld*\n", n, (int)type.n, type.p, mirror, *bits);
    return format("i%ld* %%cpucc.w.%d", *bits, n);
}

static bool is_struct(struct slice type)
{
    return type.n && type.p[type.n - 1] != '*' && strchr("[{%", *type.p);
}

/* Sets the flags for a store of operand `what` at v, in the local l. */
static void set_one(struct text *to, const struct value *v, const struct local *l,
                    struct slice what)
{
    char *variable = NULL, *flag = flag_of(to, what, &variable), *value = "-1";
    struct slice type = {what.p, type_length(what.p)};
    if (!l->aggregate) {
        addf(to, "  store i1 %s, %s %%cpucc.i.%d\n", flag ? flag : "true",
             guard_opaque ? "ptr" : "i1*", l->number);
        return;
    }
    if (!v->mirror)
        return;
    if (is_struct(type)) {
        struct value *copied = value_of(operand(what));
        char *t = copy_of(type), *at = pointer_text(t);
        if (copied && copied->copy)
            addf(to, "  store %s %s, %s %s, align 1\n", t, copied->copy, at, v->mirror);
        else
            fill(to, t, v->mirror, -1);
        return;
    }
    long bits;
    char *at = flags_at(to, type, v->mirror, &bits);
    if (flag) {
        value = format("%%cpucc.z.%d", guard_numbers++);
        addf(to, "  %s = sext i1 %s to i%ld\n", value, flag, bits);
    }
    addf(to, "  store i%ld %s, %s, align 1\n", bits, value, at);
}

/* Gives `result`, loaded from v in the local l, its flag or its copy of the flags. */
static void flag_in(struct text *to, const struct value *v, const struct local *l,
                    struct slice type, struct slice result)
{
    int n = guard_numbers++;
    struct value from = *v;
    if (!l->aggregate) {
        addf(to, "  %%cpucc.f.%d = load i1, %s %%cpucc.i.%d\n", n, guard_opaque ? "ptr" : "i1*",
             l->number);
    } else if (!from.mirror) {
        return;
    } else if (is_struct(type)) {
        char *t = copy_of(type), *at = pointer_text(t);
        addf(to, "  %%cpucc.s.%d = load %s, %s %s, align 1\n", n, t, at, from.mirror);
        struct value *r = new_value(result);
        r->copy = format("%%cpucc.s.%d", n), r->variable = l->from;
        return;
    } else {
        long bits;
        char *at = flags_at(to, type, from.mirror, &bits);
        addf(to, "  %%cpucc.g.%d = load i%ld, %s, align 1\n", n, bits, at);
        addf(to, "  %%cpucc.f.%d = icmp eq i%ld %%cpucc.g.%d, -1\n", n, bits, n);
    }
    struct value *r = new_value(result);
    r->flag = format("%%cpucc.f.%d", n), r->variable = l->from;
}

/* Gives a struct's member ("extractvalue %struct.S %s, 2") its flags; false if there are none. */
static bool add_member(struct text *to, const struct instruction *x)
{
    struct slice part[8];
    int n = split(x->rest, part, 8), number = guard_numbers++;
    struct value *whole = n > 1 ? value_of(operand(part[0])) : NULL;
    if (!whole || !whole->copy)
        return false;
    struct value known = *whole;
    char *type = copy_of((struct slice){part[0].p, type_length(part[0].p)}),
         *member = element_type(type, part, n);
    long bits = member ? 8 * type_bytes(slice_of(member)) : 0;
    if (!bits)
        return false;
    addf(to, "  %%cpucc.e.%d = extractvalue %s %s, %.*s\n", number, type, known.copy,
         (int)(x->rest.p + x->rest.n - part[1].p), part[1].p);
    struct value *v = new_value(x->result);
    if (is_struct(slice_of(member))) {
        v->copy = format("%%cpucc.e.%d", number);
        return true;
    }
    bool pointer = !strcmp(member, "ptr") || member[strlen(member) - 1] == '*';
    addf(to, "  %%cpucc.c.%d = %s %s %%cpucc.e.%d to i%ld\n", number,
         pointer ? "ptrtoint" : "bitcast", member, number, bits);
    addf(to, "  %%cpucc.f.%d = icmp eq i%ld %%cpucc.c.%d, -1\n", number, bits, number);
    v->flag = format("%%cpucc.f.%d", number), v->variable = known.variable;
    return true;
}

static void add_choice(struct text *to, const struct instruction *x)
{
    struct slice part[3];
    if (split(x->rest, part, 3) != 3)
        return;
    char *variable = NULL, *condition = flag_of(to, part[0], &variable),
         *yes = flag_of(to, part[1], &variable), *no = flag_of(to, part[2], &variable),
         *flag = NULL;
    if (!condition && !yes && !no)
        return;
    if (yes || no) {
        flag = format("%%cpucc.f.%d", guard_numbers++);
        addf(to, "  %s = select %.*s, i1 %s, i1 %s\n", flag, (int)part[0].n, part[0].p,
             yes ? yes : "true", no ? no : "true");
    }
    if (condition && flag) {
        char *both = format("%%cpucc.f.%d", guard_numbers++);
        addf(to, "  %s = and i1 %s, %s\n", both, condition, flag);
        flag = both;
    }
    struct value *v = new_value(x->result);
    v->flag = flag ? flag : condition, v->variable = variable;
}

static void add_phi(struct text *to, const struct instruction *x)
{
    struct text phi = {0};
    char *variable = NULL;
    bool any = false;
    const char *p = strchr(x->rest.p, '[');
    if (*x->rest.p == '[')
        p = strchr(x->rest.p + type_length(x->rest.p), '[');
    for (const char *end; p && (end = closing(p)); p = strchr(end, '[')) {
        struct slice part[2];
        if (split((struct slice){p + 1, (size_t)(end - p - 1)}, part, 2) != 2)
            return;
        struct value *v = value_of(operand(part[0]));
        if (v && v->flag)
            any = true, variable = v->variable;
        addf(&phi, "%s [ %s, %.*s ]", phi.n ? "," : "", v && v->flag ? v->flag : "true",
             (int)part[1].n, part[1].p);
    }
    if (!any)
        return;
    char *flag = format("%%cpucc.f.%d", guard_numbers++);
    addf(to, "  %s = phi i1%s\n", flag, phi.p);
    struct value *v = new_value(x->result);
    v->flag = flag, v->variable = variable;
    free(phi.p);
}

void add_flags_after(struct text *to, const char *line, const struct instruction *x)
{
    struct slice part[4];
    struct local *l;
    if (!strchr(line, '%'))
        return;
    if (slice_is(x->op, "alloca")) {
        struct value *v = value_of(x->result);
        if (!(l = tracked(v)))
            return;
        if (l->aggregate) {
            addf(to, "  %%cpucc.i.%d = alloca %s, align 16\n", l->number, l->type);
            v->mirror = format("%%cpucc.i.%d", l->number);
            char *variable = format("%%%s", l->name);
            if (type_bytes(slice_of(l->type)) <= DEFINED)
                fill(to, l->type, variable, 0);
            free(variable);
        } else { /* zeroed, so that the optimiser sees no undefined value */
            char *at = pointer_text(l->type);
            addf(to, "  %%cpucc.i.%d = alloca i1\n  store %s zeroinitializer, %s %%%s\n", l->number,
                 l->type, at, l->name);
        }
        set_all(to, l, 0);
        return;
    }
    if (strstr(line, "@llvm.lifetime.start")) {
        const char *open = strchr(strstr(line, "@llvm.lifetime.start"), '('), *end = closing(open);
        int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 4);
        if (n && (l = tracked(into_local(part[n - 1]))))
            set_all(to, l, 0);
        return;
    }
    if (slice_is(x->op, "store")) {
        char *variable = NULL;
        struct value *v = split(x->rest, part, 4) >= 2 ? into_local(part[1]) : NULL;
        char *flag = v ? NULL : flag_of(to, part[0], &variable);
        if (v && (l = tracked(v)))
            set_one(to, v, l, part[0]);
        else if (!v && flag) { /* the run time marks the stored bytes as uninitialised */
            struct slice p = operand(part[1]), stored = {part[0].p, type_length(part[0].p)};
            char *type = copy_of(stored), *name = copy_of(p);
            char *at = *name == '%' ? as_bytes(to, type, name) : NULL;
            check(to, flag, variable, type_bytes(stored), at, x->debug);
        }
        return;
    }
    if (slice_is(x->op, "call") && memory_call(x, part)) {
        struct value *v = into_local(part[0]),
                     *from = memory_call(x, part) == 1 ? into_local(part[1]) : NULL;
        const char *bytes = guard_opaque ? "ptr" : "i8*", *space = guard_opaque ? "p0" : "p0i8";
        struct slice to_type = {part[0].p, type_length(part[0].p)};
        if (!v && from && tracked(from) && from->mirror && slice_is(to_type, bytes)) {
            struct slice p = operand(part[0]);
            addf(to, "  %%cpucc.a.%d = ptrtoint %s %.*s to i64\n", guard_numbers, bytes, (int)p.n,
                 p.p);
            addf(to, "  call void @cpucc_guard_copied(i64 %%cpucc.a.%d, %s %s, %.*s)%s\n",
                 guard_numbers++, bytes, from->mirror, (int)part[2].n, part[2].p, x->debug);
        }
        if (!(l = tracked(v)))
            return;
        if (!l->aggregate || !v->mirror) {
            set_all(to, l, 1);
        } else if (from && tracked(from) && from->mirror) {
            addf(to, "  call void @llvm.memcpy.%s.%s.i64(%s %s, %s %s, %.*s, i1 false)\n", space,
                 space, bytes, v->mirror, bytes, from->mirror, (int)part[2].n, part[2].p);
        } else {
            addf(to, "  call void @llvm.memset.%s.i64(%s %s, i8 -1, %.*s, i1 false)\n", space,
                 bytes, v->mirror, (int)part[2].n, part[2].p);
        }
        return;
    }
    if (!x->result.n)
        return;
    if (slice_is(x->op, "load")) {
        struct value *v = split(x->rest, part, 4) >= 2 ? into_local(part[1]) : NULL;
        if (v && locals[v->local].slot) {
            struct value *stored = value_of(locals[v->local].stored);
            if (stored && stored->local >= 0) {
                struct value known = *stored, *r = new_value(x->result);
                r->mirror = known.mirror, r->count = known.count;
            }
        } else if ((l = tracked(v))) {
            struct slice type = {part[0].p, type_length(part[0].p)};
            flag_in(to, v, l, type, x->result);
        }
        return;
    }
    if (slice_is(x->op, "getelementptr") || slice_is(x->op, "bitcast"))
        add_mirror(to, line, x);
    if (slice_is(x->op, "phi")) {
        add_phi(to, x);
        return;
    }
    if (slice_is(x->op, "extractvalue") && add_member(to, x))
        return;
    if (slice_is(x->op, "select")) {
        add_choice(to, x);
        return;
    }
    bool call = strstr(x->rest.p, "(") && (slice_is(x->op, "call") || slice_is(x->op, "tail"));
    if ((call && !only_computes(line)) || slice_is(x->op, "invoke") ||
        slice_is(x->op, "atomicrmw") || slice_is(x->op, "cmpxchg"))
        return;
    char *variable = NULL, *flag = flag_of(to, x->rest, &variable);
    if (flag) {
        struct value *v = new_value(x->result);
        v->flag = flag, v->variable = variable;
    }
}
