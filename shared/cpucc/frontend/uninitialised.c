/*
 * Local variables that are read before they are written.
 *
 * Passing such a value on is harmless: a shuffle hands it to lanes that do not use it. It is a fault
 * where it decides a branch, an address, or what is stored. So a variable that may be read before
 * it is written (by the control flow) has a flag beside it, which is set where it is written. Each
 * value computed from it has a flag too, the AND of its operands'; where the value decides
 * something, its flag is looked at. Variables that are always written first have none.
 *
 * A variable whose address goes elsewhere (to a function, into another pointer) is not followed.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "guard.h"

enum { LARGEST = 4096 }; /* bytes of a local whose elements are followed */

/* ---- which locals there are, and where their addresses go ---- */

static struct value *into_local(struct slice operand_text)
{
    struct value *v = value_of(operand(operand_text));
    return v && v->local >= 0 ? v : NULL;
}

static void add_local(const struct instruction *x)
{
    char *type = copy_of((struct slice){x->rest.p, type_length(x->rest.p)});
    struct slice part[4];
    int n = split(x->rest, part, 4);
    bool counted = n > 1 && !starts_with(part[1].p, "align ");
    locals = allocate(locals, sizeof *locals * (size_t)(local_count + 1));
    locals[local_count] =
        (struct local){.name = copy_of((struct slice){x->result.p + 1, x->result.n - 1}),
                       .type = type,
                       .aggregate = *type == '[' || *type == '{' || *type == '%',
                       .escapes = counted || starts_with(type, "%union") ||
                                  strstr(x->rest.p, "addrspace(") != NULL,
                       .number = guard_numbers++};
    if (*type == '%' && type[strlen(type) - 1] == '*')
        locals[local_count].aggregate = false;
    struct value *v = new_value(x->result);
    v->local = local_count++;
    v->element = type;
    v->whole = true;
}

static int memory_call(const struct instruction *x, struct slice part[4]) /* 1 copies, 2 sets */
{
    const char *set = strstr(x->rest.p, "@llvm.memset."),
               *copy = strstr(x->rest.p, "@llvm.memcpy.");
    const char *call = set ? set : copy, *open = call ? strchr(call, '(') : NULL,
               *end = open ? closing(open) : NULL;
    if (!end || split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 4) < 3)
        return 0;
    return set ? 2 : 1;
}

static void derive(const struct instruction *x)
{
    struct slice part[16];
    const char *p = x->rest.p;
    if (slice_is(x->op, "bitcast")) {
        const char *to = strstr(p, " to ");
        struct value *from = to ? into_local((struct slice){p, (size_t)(to - p)}) : NULL;
        if (!from)
            return;
        struct value known = *from, *v = new_value(x->result);
        v->local = known.local, v->cast = true, v->whole = known.whole;
        return;
    }
    while (starts_with(p, "inbounds ") || starts_with(p, "nuw ") || starts_with(p, "nusw "))
        p = strchr(p, ' ') + 1;
    int n = split((struct slice){p, x->rest.n - (size_t)(p - x->rest.p)}, part, 16);
    struct value *from = n > 2 ? into_local(part[1]) : NULL;
    if (!from)
        return;
    struct value known = *from, *v = new_value(x->result);
    char *type = copy_of(part[0]);
    v->local = known.local;
    v->element = element_type(type, part + 2, n - 2);
    v->cast = known.cast || !v->element;
    free(type);
}

/* Whether this use of the pointer is one that can be followed. */
static bool followed(const struct instruction *x, const struct value *v)
{
    struct slice part[16];
    int n = split(x->rest, part, 16);
    if (slice_is(x->op, "load") || slice_is(x->op, "store")) {
        bool load = slice_is(x->op, "load");
        struct slice type = {part[0].p, type_length(part[0].p)};
        return n >= 2 && value_of(operand(part[1])) == v && !v->cast && v->element &&
               slice_is(type, v->element) && value_of(operand(part[0])) != v &&
               !(load && starts_with(x->result.p, "%bf."));
    }
    if (slice_is(x->op, "getelementptr") || slice_is(x->op, "bitcast"))
        return true;
    return strstr(x->rest.p, "@llvm.lifetime.") || strstr(x->rest.p, "@llvm.memset.") ||
           strstr(x->rest.p, "@llvm.memcpy.");
}

static void look_at_uses(const char *line, const struct instruction *x)
{
    for (const char *p = x->rest.p; (p = strchr(p, '%')); p++) {
        struct slice name = {p, 1 + name_length(p + 1)};
        struct value *v = value_of(name);
        if (v && v->local >= 0 && !followed(x, v))
            locals[v->local].escapes = true;
    }
    (void)line;
}

/* ---- which may be read before they are written ---- */

struct block {
    int first, last;
    int *next, count;
};
static struct block *blocks;
static int block_count;

static bool is_label(const char *p) { return *p && *p != ' ' && *p != '}' && *p != ';'; }

static void find_blocks(int first, int last)
{
    block_count = 0;
    for (int i = first; i < last; i++) {
        if (i == first || is_label(guard_line[i])) {
            blocks = allocate(blocks, sizeof *blocks * (size_t)(block_count + 1));
            blocks[block_count++] = (struct block){.first = i};
        }
        if (is_label(guard_line[i])) {
            const char *p = guard_line[i];
            size_t n = *p == '"' ? strcspn(p + 1, "\"") + 2 : strcspn(p, ":");
            char *name = format("%%%.*s", (int)n, p);
            new_value(slice_of(name))->block = block_count;
        }
        blocks[block_count - 1].last = i + 1;
    }
    for (int b = 0; b < block_count; b++)
        for (int i = blocks[b].first; i < blocks[b].last; i++)
            for (const char *p = guard_line[i]; (p = strstr(p, "label %")); p += 7) {
                struct value *v = value_of((struct slice){p + 6, 1 + name_length(p + 7)});
                if (!v || !v->block)
                    continue;
                blocks[b].next =
                    allocate(blocks[b].next, sizeof(int) * (size_t)(blocks[b].count + 1));
                blocks[b].next[blocks[b].count++] = v->block - 1;
            }
}

/* Follows one block: `written` has a byte for each local. Notes those that are read too early. */
static void follow(const struct block *b, char *written, bool note)
{
    for (int i = b->first; i < b->last; i++) {
        const char *line = guard_line[i];
        if (*line != ' ' || !strchr(line, '%'))
            continue;
        struct instruction x = cut(line);
        struct slice part[4];
        struct value *v;
        if (slice_is(x.op, "load")) {
            v = split(x.rest, part, 4) >= 2 ? into_local(part[1]) : NULL;
            if (v && note && !written[v->local])
                locals[v->local].tracked = true;
        } else if (slice_is(x.op, "store")) {
            v = split(x.rest, part, 4) >= 2 ? into_local(part[1]) : NULL;
            if (v && v->whole)
                written[v->local] = 1;
        } else if (strstr(line, "@llvm.lifetime.start")) {
            const char *open = strchr(strstr(line, "@llvm.lifetime.start"), '('),
                       *end = closing(open);
            int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 4);
            v = n ? into_local(part[n - 1]) : NULL;
            if (v)
                written[v->local] = 0;
        } else if (memory_call(&x, part)) {
            v = into_local(part[0]);
            if (v && v->whole &&
                atol(operand(part[2]).p) >= type_bytes(slice_of(locals[v->local].type)))
                written[v->local] = 1;
        }
    }
}

void find_uninitialised(int first, int last)
{
    for (int i = first; i < last; i++) {
        if (guard_line[i][0] != ' ')
            continue;
        struct instruction x = cut(guard_line[i]);
        if (slice_is(x.op, "alloca"))
            add_local(&x);
        else if (slice_is(x.op, "getelementptr") || slice_is(x.op, "bitcast"))
            derive(&x);
        look_at_uses(guard_line[i], &x);
    }
    if (!local_count)
        return;
    find_blocks(first, last);
    size_t n = (size_t)local_count;
    char *in = allocate(NULL, n * (size_t)block_count), *now = allocate(NULL, n);
    memset(in, 1, n * (size_t)block_count);
    memset(in, 0, n);
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = 0; b < block_count; b++) {
            memcpy(now, in + n * (size_t)b, n);
            follow(&blocks[b], now, false);
            for (int k = 0; k < blocks[b].count; k++) {
                char *to = in + n * (size_t)blocks[b].next[k];
                for (size_t i = 0; i < n; i++)
                    if (to[i] && !now[i])
                        to[i] = 0, changed = true;
            }
        }
    }
    for (int b = 0; b < block_count; b++) {
        memcpy(now, in + n * (size_t)b, n);
        follow(&blocks[b], now, true);
        free(blocks[b].next);
    }
    for (int i = 0; i < local_count; i++) {
        struct local *l = &locals[i];
        if (l->escapes || l->parameter || (l->aggregate && type_bytes(slice_of(l->type)) > LARGEST))
            l->tracked = false;
    }
    free(in);
    free(now);
}

/* ---- flags ---- */

static struct local *tracked(const struct value *v)
{
    return v && v->local >= 0 && locals[v->local].tracked ? &locals[v->local] : NULL;
}

/* The AND of the flags of all values that the text names; NULL if all are initialised. */
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

/* `decides`: 'b' a branch, 'a' an address, else the bytes of what is stored at `at`. */
static void check(struct text *to, const char *flag, const char *variable, long decides,
                  const char *at, const char *debug)
{
    const char *bytes = guard_opaque ? "ptr" : "i8*";
    char kind = decides > 16 ? (char)decides : (char)('0' + (decides ? decides : 1));
    char *text = format("%c%s", kind, variable), *what = constant_text(text);
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

static void set_all(struct text *to, const struct local *l, int value)
{
    if (!l->aggregate) {
        addf(to, "  store i1 %d, %s %%cpucc.i.%d\n", value, guard_opaque ? "ptr" : "i1*",
             l->number);
        return;
    }
    char *name = format("%%cpucc.i.%d", l->number), *bytes = as_bytes(to, l->type, name),
         *at = pointer_text(l->type);
    addf(to,
         "  call void @llvm.memset.%s.i64(%s %s, i8 %d, i64 ptrtoint (%s getelementptr (%s, %s "
         "null, i64 1) to i64), i1 false)\n",
         guard_opaque ? "p0" : "p0i8", guard_opaque ? "ptr" : "i8*", bytes, value, at, l->type, at);
}

/* Beside a pointer into a local, the pointer to its flags. */
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

static void set_one(struct text *to, const struct value *v, const struct local *l, const char *flag)
{
    if (!l->aggregate) {
        addf(to, "  store i1 %s, %s %%cpucc.i.%d\n", flag ? flag : "true",
             guard_opaque ? "ptr" : "i1*", l->number);
        return;
    }
    if (!v->mirror)
        return;
    char *at = as_bytes(to, v->element, v->mirror), *value = format("1");
    if (flag) {
        value = format("%%cpucc.z.%d", guard_numbers++);
        addf(to, "  %s = zext i1 %s to i8\n", value, flag);
    }
    addf(to, "  store i8 %s, %s %s\n", value, guard_opaque ? "ptr" : "i8*", at);
}

static char *flag_in(struct text *to, const struct value *v, const struct local *l)
{
    int n = guard_numbers++;
    if (!l->aggregate) {
        addf(to, "  %%cpucc.f.%d = load i1, %s %%cpucc.i.%d\n", n, guard_opaque ? "ptr" : "i1*",
             l->number);
    } else {
        if (!v->mirror)
            return NULL;
        char *at = as_bytes(to, v->element, v->mirror);
        addf(to, "  %%cpucc.g.%d = load i8, %s %s\n", n, guard_opaque ? "ptr" : "i8*", at);
        addf(to, "  %%cpucc.f.%d = icmp ne i8 %%cpucc.g.%d, 0\n", n, n);
    }
    return format("%%cpucc.f.%d", n);
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
        } else { /* a value, if any, that the optimiser does not make anything of */
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
        char *flag = v && !(l = tracked(v)) ? NULL : flag_of(to, part[0], &variable);
        if (v && (l = tracked(v)))
            set_one(to, v, l, flag);
        else if (!v && flag) { /* behind the store: what it wrote is unwritten again */
            struct slice p = operand(part[1]), stored = {part[0].p, type_length(part[0].p)};
            char *type = copy_of(stored), *name = copy_of(p);
            char *at = *name == '%' ? as_bytes(to, type, name) : NULL;
            check(to, flag, variable, type_bytes(stored), at, x->debug);
        }
        return;
    }
    if (slice_is(x->op, "call") && memory_call(x, part)) {
        struct value *v = into_local(part[0]);
        if (!(l = tracked(v)))
            return;
        if (!l->aggregate || !v->mirror)
            set_all(to, l, 1);
        else
            addf(to, "  call void @llvm.memset.%s.i64(%s %s, i8 1, %.*s, i1 false)\n",
                 guard_opaque ? "p0" : "p0i8", guard_opaque ? "ptr" : "i8*", v->mirror,
                 (int)part[2].n, part[2].p);
        return;
    }
    if (!x->result.n)
        return;
    if (slice_is(x->op, "load")) {
        struct value *v = split(x->rest, part, 4) >= 2 ? into_local(part[1]) : NULL;
        char *flag = (l = tracked(v)) ? flag_in(to, v, l) : NULL;
        if (flag) {
            struct value *r = new_value(x->result);
            r->flag = flag, r->variable = l->name;
        }
        return;
    }
    if (slice_is(x->op, "getelementptr") || slice_is(x->op, "bitcast"))
        add_mirror(to, line, x);
    if (slice_is(x->op, "phi")) {
        add_phi(to, x);
        return;
    }
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
