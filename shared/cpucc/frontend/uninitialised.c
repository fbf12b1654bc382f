/*
 * Part of guard. Finds local variables that may be read before they are written; flags.c adds the
 * checks.
 *
 * Copying an uninitialised value is harmless: a shuffle, for example, may hand it to lanes that do
 * not use it. It is a fault if the value decides a branch, an address, or what is stored. So a
 * variable that the control flow may read before it writes it gets a flag, which each write sets.
 * Each value computed from the variable gets a flag too, the AND of its operands' flags, and so
 * does each variable that such a value is stored to. If a value decides something, its flag is
 * checked.
 *
 * A variable is not followed if its address escapes, to a function that is not inlined or into a
 * pointer variable that is stored to more than once.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "guard.h"

/* ---- which locals there are, and where their addresses go ---- */

struct value *into_local(struct slice operand_text)
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
                       .escapes = counted || strstr(x->rest.p, "addrspace(") != NULL,
                       .loaded_at = INT_MAX,
                       .number = guard_numbers++};
    if (*type == '%' && type[strlen(type) - 1] == '*')
        locals[local_count].aggregate = false;
    struct value *v = new_value(x->result);
    v->local = local_count++;
    v->element = type;
    v->whole = true;
}

int memory_call(const struct instruction *x, struct slice part[4])
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
    if (slice_is(x->op, "load")) {
        struct value *at = split(x->rest, part, 16) > 1 ? into_local(part[1]) : NULL;
        struct value *from = at && locals[at->local].slot ? value_of(locals[at->local].stored) : 0;
        if (!from || from->local < 0)
            return;
        struct value known = *from, *v = new_value(x->result);
        v->local = known.local, v->cast = known.cast, v->whole = known.whole;
        v->element = known.element, v->outer = NULL;
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

/* True if guard can follow this use of the pointer v. */
static bool followed(const struct instruction *x, const struct value *v)
{
    struct slice part[16];
    int n = split(x->rest, part, 16);
    if (slice_is(x->op, "load") || slice_is(x->op, "store")) {
        bool load = slice_is(x->op, "load");
        struct slice type = {part[0].p, type_length(part[0].p)};
        struct value *to = n >= 2 ? value_of(operand(part[1])) : NULL;
        if (to && to != v && !load && value_of(operand(part[0])) == v)
            return to->local >= 0 && locals[to->local].slot;
        return to == v && value_of(operand(part[0])) != v && type_bytes(type) > 0 &&
               (locals[v->local].aggregate || !v->cast) &&
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

/* ---- which locals may be read before they are written ---- */

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

/* Updates `written` (a byte per local) for one block. If `note`, sets `tracked` of locals that are
 * read before they are written. */
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
            if (v && v->whole &&
                type_bytes((struct slice){part[0].p, type_length(part[0].p)}) >=
                    type_bytes(slice_of(locals[v->local].type)))
                written[v->local] = 1;
        } else if (strstr(line, "@llvm.lifetime.start")) {
            const char *open = strchr(strstr(line, "@llvm.lifetime.start"), '('),
                       *end = closing(open);
            int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 4);
            v = n ? into_local(part[n - 1]) : NULL;
            if (v)
                written[v->local] = 0;
        } else if (memory_call(&x, part)) {
            v = memory_call(&x, part) == 1 ? into_local(part[1]) : NULL;
            if (v && note && !written[v->local])
                locals[v->local].tracked = true;
            v = into_local(part[0]);
            if (v && v->whole &&
                atol(operand(part[2]).p) >= type_bytes(slice_of(locals[v->local].type)))
                written[v->local] = 1;
        }
    }
}

/* Sets `tracked` of each local that some path reads before it is written. */
static void flow(int first, int last)
{
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
    for (int i = 0; i < local_count; i++)
        locals[i].tracked = false;
    for (int b = 0; b < block_count; b++) {
        memcpy(now, in + n * (size_t)b, n);
        follow(&blocks[b], now, true);
        free(blocks[b].next);
    }
    free(in);
    free(now);
}

/* ---- pointers that are only another name for a local variable ---- */

static void look_at_pointer(const struct instruction *x, int at)
{
    struct slice part[4];
    for (const char *p = x->rest.p; p < x->rest.p + x->rest.n && (p = strchr(p, '%')); p++) {
        struct value *v = value_of((struct slice){p, 1 + name_length(p + 1)});
        struct local *l = v && v->local >= 0 ? &locals[v->local] : NULL;
        if (!l || l->aggregate)
            continue;
        bool load = slice_is(x->op, "load"), store = slice_is(x->op, "store");
        bool address = (load || store) && split(x->rest, part, 4) >= 2 && operand(part[1]).p == p &&
                       !starts_with(x->rest.p, "volatile ");
        if (address && store)
            l->stores++, l->stored = operand(part[0]), l->stored_at = at;
        else if (address && at < l->loaded_at)
            l->loaded_at = at;
        else if (slice_is(x->op, "bitcast"))
            v = new_value(x->result), v->local = (int)(l - locals);
        else if (!address && !strstr(x->rest.p, "@llvm.lifetime."))
            l->stores = INT_MIN / 2;
    }
}

/* Sets `slot` of each pointer variable that is stored to once, before every load of it. */
static void find_slots(int first, int last)
{
    bool any = false;
    for (int i = first; i < last; i++)
        if (guard_line[i][0] == ' ' && strchr(guard_line[i], '%')) {
            struct instruction x = cut(guard_line[i]);
            if (!slice_is(x.op, "alloca"))
                look_at_pointer(&x, i);
        }
    for (int i = 0; i < local_count; i++) {
        struct local *l = &locals[i];
        size_t n = strlen(l->type);
        l->slot = !l->parameter && !l->escapes &&
                  (l->type[n - 1] == '*' || !strcmp(l->type, "ptr")) && l->stores == 1 &&
                  l->stored_at < l->loaded_at && *l->stored.p == '%';
        any |= l->slot;
    }
    if (!any)
        return;
    flow(first, last);
    for (int i = 0; i < local_count; i++)
        locals[i].slot &= !locals[i].tracked;
}

/* ---- variables that get a value that may be uninitialised ---- */

/* The variable that makes one of the values in s uninitialised, or NULL. */
static char *tainted(struct slice s)
{
    for (const char *p = s.p; p < s.p + s.n && (p = strchr(p, '%')) && p < s.p + s.n; p++) {
        struct value *v = value_of((struct slice){p, 1 + name_length(p + 1)});
        if (v && v->tainted)
            return v->tainted;
    }
    return NULL;
}

static bool may_have_flags(const struct local *l)
{
    return !l->escapes && !l->parameter && !l->slot &&
           !(l->aggregate && type_bytes(slice_of(l->type)) > LARGEST);
}

static bool spread(const struct instruction *x, const char *line)
{
    struct slice part[4];
    struct value *v;
    if (slice_is(x->op, "store")) {
        v = split(x->rest, part, 4) >= 2 ? into_local(part[1]) : NULL;
        struct local *l = v ? &locals[v->local] : NULL;
        if (!l || l->tracked || !may_have_flags(l) || !tainted(part[0]))
            return false;
        l->from = tainted(part[0]);
        return l->tracked = true;
    }
    if (slice_is(x->op, "call") && memory_call(x, part) == 1) {
        struct value *from = into_local(part[1]);
        v = into_local(part[0]);
        struct local *l = v ? &locals[v->local] : NULL;
        if (!l || l->tracked || !may_have_flags(l) || !from || !locals[from->local].tracked)
            return false;
        l->from = locals[from->local].from;
        return l->tracked = true;
    }
    if (!x->result.n || ((v = value_of(x->result)) && (v->tainted || v->local >= 0)))
        return false;
    char *from = NULL;
    if (slice_is(x->op, "load")) {
        v = split(x->rest, part, 4) >= 2 ? into_local(part[1]) : NULL;
        if (v && locals[v->local].tracked)
            from = locals[v->local].from;
    } else {
        bool call = slice_is(x->op, "call") || slice_is(x->op, "tail");
        if (!call || only_computes(line))
            from = tainted(x->rest);
    }
    return from && (new_value(x->result)->tainted = from);
}

void find_uninitialised(int first, int last)
{
    for (int i = first; i < last; i++) {
        struct instruction x = cut(guard_line[i]);
        if (guard_line[i][0] == ' ' && slice_is(x.op, "alloca"))
            add_local(&x);
    }
    if (!local_count)
        return;
    find_slots(first, last);
    for (int i = first; i < last; i++) {
        if (guard_line[i][0] != ' ')
            continue;
        struct instruction x = cut(guard_line[i]);
        if (slice_is(x.op, "getelementptr") || slice_is(x.op, "bitcast") || slice_is(x.op, "load"))
            derive(&x);
        look_at_uses(guard_line[i], &x);
    }
    flow(first, last);
    bool any = false;
    for (int i = 0; i < local_count; i++) {
        locals[i].from = locals[i].name;
        any |= locals[i].tracked = locals[i].tracked && may_have_flags(&locals[i]);
    }
    for (bool changed = any; changed;) {
        changed = false;
        for (int i = first; i < last; i++)
            if (guard_line[i][0] == ' ' && strchr(guard_line[i], '%')) {
                struct instruction x = cut(guard_line[i]);
                changed |= spread(&x, guard_line[i]);
            }
    }
}
