/*
 * merge: neighbouring accesses become one, where nvcc's compiler makes one of them.
 *
 *     merge < device.ll > merged.ll
 *
 * Works on the optimised module for the GPU, on each basic block, in LLVM's textual form with typed
 * or opaque pointers. Two rules, found by looking at what nvcc 13.0 makes of small programs
 * (shared/tests/cpucc/merging.cu):
 *
 *   by declared alignment   Parts of something that is aligned as a whole, such as the members of a
 *                           float4: 8 or 16 bytes, in global and in shared memory.
 *   by place                Words of shared memory whose addresses differ by constants and whose
 *                           alignment follows from the variable's place and the index: pairs at
 *                           multiples of 8, fours at multiples of 16. A variable's place is where
 *                           declarations in order put it.
 *
 * A load goes to where the first of its group stands, a store to where the last one stands; nothing
 * between them may touch that memory. By place nothing between them may write shared memory at all
 * (nor read it, for stores), as in nvcc's code. Three of four words, which nvcc loads as four, stay
 * three accesses: the fourth need not be written, nor be there.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text.h"

enum {
    TERMS = 8,    /* of an address; what has more is not looked into */
    DEEP = 24,    /* instructions that an address is followed through */
    PENDING = 512 /* accesses of a block that wait for a neighbour */
};

static char **line;
static int lines;

/* ---- values of the function, by name ---- */

static struct value {
    struct slice name;      /* "%x" */
    const char *definition; /* behind " = " */
} * table;
static size_t table_room;

static struct value *place_of(struct slice name)
{
    size_t h = 2166136261u;
    for (size_t i = 0; i < name.n; i++)
        h = (h ^ (unsigned char)name.p[i]) * 16777619u;
    for (h &= table_room - 1; table[h].name.p; h = (h + 1) & (table_room - 1))
        if (table[h].name.n == name.n && !memcmp(table[h].name.p, name.p, name.n))
            break;
    return &table[h];
}

static const char *definition_of(struct slice name)
{
    return name.n && *name.p == '%' ? place_of(name)->definition : NULL;
}

static void read_values(int from, int to)
{
    table_room = 64;
    while (table_room < 2 * (size_t)(to - from))
        table_room *= 2;
    table = allocate(table, table_room * sizeof *table);
    memset(table, 0, table_room * sizeof *table);
    for (int i = from; i < to; i++) {
        const char *p = line[i];
        if (!starts_with(p, "  %"))
            continue;
        struct slice name = {p + 2, 1 + name_length(p + 3)};
        if (starts_with(name.p + name.n, " = "))
            *place_of(name) = (struct value){name, name.p + name.n + 3};
    }
}

/* ---- sizes of types ---- */

struct size {
    long bytes, align; /* bytes -1: not known */
};

static struct size round_up(struct size s)
{
    s.bytes = (s.bytes + s.align - 1) / s.align * s.align;
    return s;
}

static struct size size_of(struct slice type);

static struct size size_of_parts(struct slice inner, bool packed, int which, long *offset)
{
    struct slice part[256];
    int n = split(inner, part, 256);
    struct size all = {0, 1};
    for (int i = 0; i < n; i++) {
        struct size s = size_of(part[i]);
        if (s.bytes < 0)
            return s;
        if (!packed) {
            all.align = s.align > all.align ? s.align : all.align;
            all.bytes = (all.bytes + s.align - 1) / s.align * s.align;
        }
        if (i == which)
            *offset = all.bytes;
        all.bytes += s.bytes;
    }
    return round_up(all);
}

/* What stands between the brackets of a struct type, also of a named one. */
static bool members(struct slice type, struct slice *inner, bool *packed)
{
    const char *p = type.p;
    if (*p == '%') {
        /* Types come first in a module, before variables. */
        for (int i = 0; i < lines && line[i][0] != '@' && p == type.p; i++)
            if (!strncmp(line[i], type.p, type.n) && starts_with(line[i] + type.n, " = type "))
                p = line[i] + type.n + strlen(" = type ");
        if (p == type.p)
            return false;
    }
    *packed = *p == '<';
    p += *packed;
    const char *end = *p == '{' ? closing(p) : NULL;
    if (!end)
        return false;
    *inner = (struct slice){p + 1, (size_t)(end - p - 1)};
    return true;
}

static struct size size_of(struct slice type)
{
    static const struct {
        const char *name;
        long bytes;
    } known[] = {{"i1", 1},    {"i8", 1},     {"i16", 2}, {"half", 2}, {"bfloat", 2}, {"i32", 4},
                 {"float", 4}, {"double", 8}, {"i64", 8}, {"ptr", 8},  {"i128", 16}};
    type = trimmed(type);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(type, known[i].name))
            return (struct size){known[i].bytes, known[i].bytes};
    if (type.n && type.p[type.n - 1] == '*')
        return (struct size){8, 8};
    struct slice inner;
    bool packed;
    if (type.n && (*type.p == '[' || (*type.p == '<' && type.p[1] != '{'))) {
        char *end;
        long n = strtol(type.p + 1, &end, 10);
        const char *close = closing(type.p);
        if (!starts_with(end, " x ") || !close)
            return (struct size){-1, 1};
        struct size s = size_of((struct slice){end + 3, (size_t)(close - end - 3)});
        s.bytes = s.bytes < 0 ? -1 : n * s.bytes;
        for (; *type.p == '<' && s.align < s.bytes;)
            s.align *= 2;
        return s;
    }
    if (members(type, &inner, &packed))
        return size_of_parts(inner, packed, -1, NULL);
    return (struct size){-1, 1};
}

/* ---- addresses ---- */

/* base + offset + the terms. */
struct address {
    struct slice base;
    int terms;
    struct {
        struct slice of;
        long times;
    } term[TERMS];
    long offset;
    bool known, shared;
    bool elsewhere; /* certainly not in shared memory */
};

static void add_term(struct address *a, struct slice of, long times)
{
    int i = 0;
    while (i < a->terms && (a->term[i].of.n != of.n || memcmp(a->term[i].of.p, of.p, of.n)))
        i++;
    if (i == TERMS) {
        a->known = false;
        return;
    }
    if (i == a->terms)
        a->term[a->terms++].of = of, a->term[i].times = 0;
    a->term[i].times += times;
    if (!a->term[i].times)
        a->term[i] = a->term[--a->terms];
}

/* The value of an operand "i32 %x" or "%x": what stands last in it. */
static struct slice value_in(struct slice operand)
{
    const char *end = operand.p + operand.n, *p = end;
    while (p > operand.p && p[-1] != ' ')
        p--;
    return (struct slice){p, (size_t)(end - p)};
}

static bool number_in(struct slice value, long *number)
{
    char *end;
    if (!value.n || !(isdigit((unsigned char)*value.p) || *value.p == '-'))
        return false;
    *number = strtol(value.p, &end, 10);
    return end == value.p + value.n;
}

/* The operands of an instruction, behind its first word and its flags. */
static int operands(const char *p, struct slice part[2])
{
    for (p += strcspn(p, " ");; p += strcspn(p, " ")) {
        while (*p == ' ')
            p++;
        if (!starts_with(p, "nuw ") && !starts_with(p, "nsw ") && !starts_with(p, "nneg ") &&
            !starts_with(p, "exact ") && !starts_with(p, "disjoint ") &&
            !starts_with(p, "inbounds "))
            break;
    }
    struct slice all[8];
    int n = split((struct slice){p, strcspn(p, "\n")}, all, 8);
    for (int i = 0; i < n && i < 2; i++)
        part[i] = all[i];
    return n;
}

static bool converts(const char *definition, struct slice *from)
{
    if (!starts_with(definition, "sext ") && !starts_with(definition, "zext ") &&
        !starts_with(definition, "trunc "))
        return false;
    struct slice part[2];
    operands(definition, part);
    const char *to = find_word(part[0].p, " to ");
    *from = value_in((struct slice){part[0].p, to ? (size_t)(to - part[0].p) : 0});
    return to != NULL;
}

/* How many of the lowest bits are certainly 0. */
static int zeros(struct slice value, int depth)
{
    long n;
    if (number_in(value, &n))
        return n ? __builtin_ctzl((unsigned long)n) : 16;
    const char *bits = memchr(value.p, '|', value.n); /* see add_index */
    if (bits) {
        int z = zeros((struct slice){value.p, (size_t)(bits - value.p)}, depth + 1);
        int bit = __builtin_ctzl((unsigned long)atol(bits + 1));
        return z < bit ? z : bit;
    }
    const char *d = definition_of(value);
    struct slice part[2] = {{0}}, from;
    if (!d || depth > DEEP)
        return 0;
    if (converts(d, &from))
        return zeros(from, depth + 1);
    if (starts_with(d, "phi ")) { /* a loop's variable: where it begins, and by what it grows */
        int least = 16;
        const char *p = strchr(d, '[');
        while (p && least) {
            const char *end = closing(p), *of = strchr(p, ',');
            struct slice in = trimmed((struct slice){p + 1, of && end ? (size_t)(of - p - 1) : 0});
            const char *step = definition_of(in);
            int z;
            if (step && starts_with(step, "add ") && operands(step, part) >= 2 &&
                value_in(part[0]).n && definition_of(value_in(part[0])) == d)
                z = zeros(value_in(part[1]), depth + 1);
            else
                z = zeros(in, depth + DEEP / 3);
            least = z < least ? z : least;
            p = end ? strchr(end, '[') : NULL;
            if (p && memchr(end, '!', (size_t)(p - end)))
                break;
        }
        return least;
    }
    if (operands(d, part) < 2)
        return 0;
    struct slice a = value_in(part[0]), b = part[1];
    int x = zeros(a, depth + 1), y = zeros(b, depth + 1);
    if (starts_with(d, "add ") || starts_with(d, "sub ") || starts_with(d, "or ") ||
        starts_with(d, "xor "))
        return x < y ? x : y;
    if (starts_with(d, "mul "))
        return x + y < 16 ? x + y : 16;
    if (starts_with(d, "and "))
        return x > y ? x : y;
    if (starts_with(d, "shl ") && number_in(b, &n) && n >= 0)
        return x + n < 16 ? x + (int)n : 16;
    return 0;
}

static void add_index(struct address *a, struct slice value, long times, int depth)
{
    long n;
    if (number_in(value, &n)) {
        a->offset += n * times;
        return;
    }
    const char *d = definition_of(value);
    struct slice part[2] = {{0}}, from;
    /* Addresses of shared memory have 32 bits: there all arithmetic is linear. */
    if (d && a->shared && depth < DEEP) {
        if (converts(d, &from)) {
            add_index(a, from, times, depth + 1);
            return;
        }
        bool adds = starts_with(d, "add "), subtracts = starts_with(d, "sub "),
             joins = starts_with(d, "or "), scales = starts_with(d, "mul "),
             shifts = starts_with(d, "shl ");
        if ((adds || subtracts || joins || scales || shifts) && operands(d, part) >= 2) {
            struct slice x = value_in(part[0]), y = part[1];
            bool fixed = number_in(y, &n);
            if (joins && fixed && n > 0) {
                long low = n & ((1L << zeros(x, 0)) - 1); /* bits that are added */
                a->offset += low * times;
                if (n == low)
                    add_index(a, x, times, depth + 1);
                else
                    add_term(a, slice_of(format("%.*s|%ld", (int)x.n, x.p, n - low)), times);
                return;
            }
            if (adds || subtracts) {
                add_index(a, x, times, depth + 1);
                add_index(a, y, subtracts ? -times : times, depth + 1);
                return;
            }
            if (fixed && (scales || (shifts && n >= 0 && n < 32))) {
                add_index(a, x, scales ? times * n : times << n, depth + 1);
                return;
            }
        }
    }
    add_term(a, value, times);
}

static bool is_shared(struct slice name);
static bool in_kernel;
static const char *header; /* the function's "define" */
static void follow(struct address *a, struct slice pointer, int depth);

/* "T, pointer, index...", of a getelementptr. */
static void follow_element(struct address *a, struct slice inside, int depth)
{
    struct slice part[16], type, inner;
    int n = split(inside, part, 16);
    while (n && starts_with(part[n - 1].p, "!"))
        n--;
    if (n < 2) {
        a->known = false;
        return;
    }
    type = part[0];
    follow(a, part[1], depth);
    for (int i = 2; i < n && a->known; i++) {
        struct slice index = value_in(part[i]);
        bool packed;
        long which, offset = 0;
        if (i > 2 && *type.p == '[') {
            const char *x = strstr(type.p, " x "), *end = closing(type.p);
            type = (struct slice){x + 3, (size_t)(end - x - 3)};
        } else if (i > 2 && members(type, &inner, &packed) && number_in(index, &which)) {
            struct slice member[256];
            int count = split(inner, member, 256);
            a->known = which < count && size_of_parts(inner, packed, (int)which, &offset).bytes > 0;
            a->offset += offset;
            type = which < count ? member[which] : type;
            continue;
        } else if (i > 2) {
            a->known = false;
            return;
        }
        struct size s = size_of(type);
        a->known = s.bytes >= 0;
        add_index(a, index, round_up(s).bytes, 0);
    }
}

/* Where a pointer points to: "float* %x", "ptr @x", or a constant expression. */
static void follow(struct address *a, struct slice pointer, int depth)
{
    static const char *const casts[] = {"bitcast ", "addrspacecast ", NULL};
    const char *p = pointer.p, *end = pointer.p + pointer.n, *d;
    if (depth > DEEP || !pointer.n) {
        a->known = false;
        return;
    }
    if (end[-1] == ')') { /* a constant expression */
        const char *element = find_word(p, "getelementptr "), *open;
        for (int i = 0; casts[i]; i++) {
            const char *cast = find_word(p, casts[i]);
            const char *to = cast && (!element || cast < element) ? strchr(cast, '(') : NULL;
            if (!to)
                continue;
            const char *close = closing(to), *word = NULL;
            for (const char *w = to; w && w < close; w = find_word(w + 1, " to "))
                word = w;
            follow(a, trimmed((struct slice){to + 1, (size_t)(word - to - 1)}), depth + 1);
            return;
        }
        open = element ? strchr(element, '(') : NULL;
        end = open ? closing(open) : NULL;
        if (!end)
            a->known = false;
        else
            follow_element(a, (struct slice){open + 1, (size_t)(end - open - 1)}, depth + 1);
        return;
    }
    struct slice value = value_in(pointer);
    d = definition_of(value);
    for (int i = 0; d && casts[i]; i++) {
        const char *to = starts_with(d, casts[i]) ? find_word(d, " to ") : NULL;
        if (to) {
            d += strlen(casts[i]);
            follow(a, (struct slice){d, (size_t)(to - d)}, depth + 1);
            return;
        }
    }
    if (d && starts_with(d, "getelementptr ")) {
        d += strlen("getelementptr ");
        while (starts_with(d, "inbounds ") || starts_with(d, "nuw ") || starts_with(d, "nusw "))
            d += strcspn(d, " ") + 1;
        follow_element(a, slice_of(d), depth + 1);
        return;
    }
    a->base = value;
    a->shared = is_shared(value);
    a->elsewhere = *value.p == '@'   ? !a->shared
                   : *value.p != '%' ? false
                   : d               ? starts_with(d, "alloca ")
                                     : in_kernel; /* its parameter */
}

static bool same_base(const struct address *a, const struct address *b)
{
    if (a->base.n != b->base.n || memcmp(a->base.p, b->base.p, a->base.n) || a->terms != b->terms)
        return false;
    for (int i = 0; i < a->terms; i++) {
        int k = 0;
        while (k < b->terms && (a->term[i].of.n != b->term[k].of.n ||
                                memcmp(a->term[i].of.p, b->term[k].of.p, a->term[i].of.n) ||
                                a->term[i].times != b->term[k].times))
            k++;
        if (k == b->terms)
            return false;
    }
    return true;
}

/* ---- shared variables ---- */

static struct variable {
    struct slice name; /* "@x" */
    long bytes, declared, align;
    bool dynamic, used;
} * variables;
static int variable_count;

static struct variable *variable_of(struct slice name)
{
    for (int i = 0; i < variable_count; i++)
        if (variables[i].name.n == name.n && !memcmp(variables[i].name.p, name.p, name.n))
            return &variables[i];
    return NULL;
}

static bool is_shared(struct slice name) { return *name.p == '@' && variable_of(name); }

static void read_variables(void)
{
    for (int i = 0; i < lines; i++) {
        const char *space = line[i][0] == '@' ? strstr(line[i], " addrspace(3) ") : NULL;
        const char *kind = space ? strstr(space, "global ") : NULL;
        if (!kind)
            continue;
        struct slice type = {kind + strlen("global "), 0};
        type.n = type_length(type.p);
        const char *align = strstr(type.p, ", align ");
        variables = allocate(variables, sizeof *variables * (size_t)(variable_count + 1));
        variables[variable_count++] =
            (struct variable){{line[i], 1 + name_length(line[i] + 1)},      size_of(type).bytes,
                              align ? atol(align + strlen(", align ")) : 1, 1,
                              strstr(line[i], " external ") != NULL,        false};
    }
}

/* Where the variables of the function lie: one behind the other, in the order of declaration. */
static void place_variables(int from, int to)
{
    long at = 0;
    for (int i = 0; i < variable_count; i++)
        variables[i].used = false;
    for (int i = from; i < to && variable_count; i++)
        for (const char *p = strchr(line[i], '@'); p; p = strchr(p + 1, '@')) {
            struct variable *v = variable_of((struct slice){p, 1 + name_length(p + 1)});
            if (v)
                v->used = true;
        }
    for (int i = 0; i < variable_count; i++) {
        struct variable *v = &variables[i];
        if (!v->used)
            continue;
        long least = v->declared > 16 ? 16 : v->declared;
        at = (at + least - 1) / least * least;
        v->align = v->dynamic ? 16 : at ? at & -at : 16;
        v->align = v->align > 16 ? 16 : v->align;
        at += v->bytes > 0 ? v->bytes : 0;
    }
}

/* What the address without its offset is certainly a multiple of, up to 16. The variable of a loop
 * that is unrolled in part counts for half if there are other terms: nvcc's pointer then stands in
 * the middle of what one round reads. */
static long alignment(const struct address *a)
{
    const struct variable *v = variable_of(a->base);
    long align = v ? v->align : 1;
    for (int i = 0; i < a->terms; i++) {
        const char *d = definition_of(a->term[i].of);
        int z = zeros(a->term[i].of, 0) + __builtin_ctzl((unsigned long)a->term[i].times);
        z -= a->terms > 1 && z > 0 && d && starts_with(d, "phi ");
        align = z < 4 && 1L << z < align ? 1L << z : align;
    }
    return align;
}

/* ---- accesses of a block ---- */

static struct access {
    int at; /* line */
    bool store, done;
    struct slice type, pointer, value; /* value: what a store stores, or the name a load defines */
    const char *place;                 /* ", !dbg !5", or NULL */
    long bytes, declared;              /* declared: the alignment that the instruction says */
    struct address address;
} pending[PENDING];
static int pending_count, merged;

/* "load T, T* %p, align 4, !dbg !7" or "store T %v, T* %p, align 4": false if it is not of these,
 * x->bytes is 0 for other types than numbers. */
static bool read_access(int at, struct access *x)
{
    const char *p = line[at] + 2, *is = *p == '%' ? strstr(p, " = ") : NULL;
    struct slice part[8];
    *x = (struct access){.at = at};
    if (is)
        x->value = (struct slice){p, (size_t)(is - p)}, p = is + 3;
    x->store = starts_with(p, "store ");
    if (!x->store && !starts_with(p, "load "))
        return false;
    p += x->store ? 6 : 5;
    if (starts_with(p, "volatile ") || starts_with(p, "atomic "))
        return false;
    int n = split(slice_of(p), part, 8);
    if (n < 3 || !starts_with(part[2].p, "align "))
        return false;
    x->type = (struct slice){part[0].p, x->store ? type_length(part[0].p) : part[0].n};
    if (x->store)
        x->value = trimmed((struct slice){part[0].p + x->type.n, part[0].n - x->type.n});
    x->pointer = part[1];
    x->declared = atol(part[2].p + 6);
    x->place = strstr(p, ", !dbg !");
    static const struct {
        const char *type;
        long bytes;
    } known[] = {{"i8", 1},  {"i16", 2},   {"half", 2},  {"i32", 4},
                 {"i64", 8}, {"float", 4}, {"double", 8}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(x->type, known[i].type))
            x->bytes = known[i].bytes;
    x->address.known = true;
    follow(&x->address, x->pointer, 0);
    return true;
}

/* Whether it is a parameter of this kernel with __restrict__. */
static bool is_alone(struct slice name)
{
    const char *open = strchr(strchr(header, '@'), '('), *end = closing(open);
    if (*name.p != '%' || definition_of(name))
        return false;
    struct slice part[256];
    int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 256);
    for (int i = 0; i < n; i++) {
        struct slice v = value_in(part[i]);
        char *text = v.n == name.n && !memcmp(v.p, name.p, v.n) ? copy_of(part[i]) : NULL;
        bool alone = text && strstr(text, " noalias ");
        free(text);
        if (alone)
            return true;
    }
    return false;
}

/* Whether they touch different bytes, as far as anybody can tell who does not know the pointers. */
static bool apart(const struct access *a, const struct access *b)
{
    const struct address *x = &a->address, *y = &b->address;
    if (!x->known || !y->known)
        return false;
    if (same_base(x, y))
        return a->bytes && b->bytes &&
               (x->offset + a->bytes <= y->offset || y->offset + b->bytes <= x->offset);
    if ((x->shared && y->elsewhere) || (y->shared && x->elsewhere))
        return true;
    bool same = x->base.n == y->base.n && !memcmp(x->base.p, y->base.p, x->base.n);
    return !same && in_kernel && (is_alone(x->base) || is_alone(y->base));
}

/* Whether access i can be made where k stands. */
static bool movable(int i, int k, bool by_place)
{
    int step = i < k ? 1 : -1;
    for (int m = i + step;; m += step) {
        const struct access *x = &pending[m];
        bool between = m != k;
        if ((x->store || pending[i].store) && between) {
            if (by_place && !x->address.elsewhere &&
                !(x->store && pending[i].store && same_base(&x->address, &pending[i].address) &&
                  apart(x, &pending[i])))
                return false;
            if (!by_place && !apart(x, &pending[i]))
                return false;
        }
        if (!between)
            return true;
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct access *x = &pending[*(const int *)a], *y = &pending[*(const int *)b];
    return x->address.offset != y->address.offset ? x->address.offset < y->address.offset ? -1 : 1
                                                  : x->at - y->at;
}

static void replace_line(int at, char *by) { line[at] = by; /* the old one is still pointed to */ }

/* The accesses group[0..n-1], in the order of their addresses, become one. */
static void make_one(const int *group, int n)
{
    const struct access *low = &pending[group[0]], *here = low;
    for (int i = 1; i < n; i++) {
        const struct access *x = &pending[group[i]];
        if (x->store ? x->at > here->at : x->at < here->at)
            here = x;
    }
    struct text t = {0};
    int id = merged++;
    long back = here->address.offset - low->address.offset;
    const char *bits = low->bytes == 1   ? "i8"
                       : low->bytes == 2 ? "i16"
                       : low->bytes == 4 ? "i32"
                                         : "i64";
    char *type = format("<%d x %s>", n, bits),
         *place = format("%s", here->place ? here->place : "");
    place[strcspn(place + (*place != 0), ",") + (*place != 0)] = 0;
    struct slice value = value_in(here->pointer);
    const char *space = strstr(here->pointer.p, "addrspace(");
    bool opaque = starts_with(here->pointer.p, "ptr");
    char *in =
        space && space < value.p ? format(" addrspace(%d)", atoi(space + 10)) : format("%s", "");
    if (here->pointer.p[here->pointer.n - 1] == ')') /* a constant: its type goes before it */
        value = (struct slice){here->pointer.p + strcspn(here->pointer.p, "*") + 2, 0},
        value.n = (size_t)(here->pointer.p + here->pointer.n - value.p);
    char *byte = opaque ? format("ptr%s", in) : format("i8%s*", in);
    char *wide = opaque ? format("ptr%s", in) : format("%s%s*", type, in);
    if (here->pointer.p[here->pointer.n - 1] == ')' && opaque)
        value =
            (struct slice){here->pointer.p + strlen(byte) + 1, here->pointer.n - strlen(byte) - 1};
    addf(&t, "  %%merged.%d.p = bitcast %.*s to %s\n", id, (int)here->pointer.n, here->pointer.p,
         byte);
    addf(&t, "  %%merged.%d.q = getelementptr i8, %s %%merged.%d.p, i64 %ld\n", id, byte, id,
         -back);
    addf(&t, "  %%merged.%d.r = bitcast %s %%merged.%d.q to %s\n", id, byte, id, wide);
    if (!here->store)
        addf(&t, "  %%merged.%d = load %s, %s %%merged.%d.r, align %ld%s", id, type, wide, id,
             n * low->bytes, place);
    for (int i = 0; i < n; i++) {
        struct access *x = &pending[group[i]];
        bool same = slice_is(x->type, bits);
        struct text own = {0};
        x->done = true;
        if (x->store) {
            if (!same)
                addf(&t, "  %%merged.%d.b%d = bitcast %.*s %.*s to %s\n", id, i, (int)x->type.n,
                     x->type.p, (int)x->value.n, x->value.p, bits);
            addf(&t, "  %%merged.%d.v%d = insertelement %s ", id, i, type);
            if (i)
                addf(&t, "%%merged.%d.v%d", id, i - 1);
            else
                add(&t, "undef");
            if (same)
                addf(&t, ", %s %.*s, i32 %d\n", bits, (int)x->value.n, x->value.p, i);
            else
                addf(&t, ", %s %%merged.%d.b%d, i32 %d\n", bits, id, i, i);
            add(&own, "");
        } else {
            if (!same)
                addf(&own,
                     "  %%merged.%d.b%d = extractelement %s %%merged.%d, i32 %d\n  %.*s = "
                     "bitcast %s %%merged.%d.b%d to %.*s",
                     id, i, type, id, i, (int)x->value.n, x->value.p, bits, id, i, (int)x->type.n,
                     x->type.p);
            else
                addf(&own, "  %.*s = extractelement %s %%merged.%d, i32 %d", (int)x->value.n,
                     x->value.p, type, id, i);
        }
        if (x != here || x->store) {
            replace_line(x->at, own.p);
        } else { /* the load itself stands before what is taken out of it */
            addf(&t, "\n%s", own.p);
            free(own.p);
        }
    }
    if (here->store)
        addf(&t, "  store %s %%merged.%d.v%d, %s %%merged.%d.r, align %ld%s", type, id, n - 1, wide,
             id, n * low->bytes, place);
    replace_line(here->at, t.p);
    free(type);
    free(place);
    free(in);
    free(byte);
    free(wide);
}

/* Whether group[0..n-1] can be made where the first load or the last store stands. */
static bool can_be_one(const int *group, int n, bool by_place)
{
    int here = group[0];
    for (int i = 1; i < n; i++)
        here = (pending[group[i]].store ? group[i] > here : group[i] < here) ? group[i] : here;
    for (int i = 0; i < n; i++)
        if (group[i] != here && !movable(group[i], here, by_place))
            return false;
    return true;
}

/* Accesses of one base, one kind and one size, in the order of their addresses. */
static void merge_row(const int *row, int n, bool by_place)
{
    const struct access *first = &pending[row[0]];
    long base = by_place ? alignment(&first->address) : 0;
    for (int i = 0; i < n; i++) {
        const struct access *x = &pending[row[i]];
        long at = x->address.offset;
        for (long bytes = 16; bytes > x->bytes; bytes /= 2) {
            int group[16], count = 0, want = (int)(bytes / x->bytes);
            bool aligned =
                by_place ? x->bytes >= 4 && base >= bytes && at % bytes == 0 : x->declared >= bytes;
            for (int k = i; aligned && k < n && count < want; k++) {
                const struct access *y = &pending[row[k]];
                if (!y->done && y->address.offset == at + count * x->bytes)
                    group[count++] = row[k];
            }
            if (!x->done && aligned && count == want && can_be_one(group, count, by_place)) {
                make_one(group, count);
                break;
            }
        }
    }
}

/* A load of what an earlier one has loaded, with nothing between that may change it. */
static void drop_repeats(void)
{
    for (int i = 1; i < pending_count; i++) {
        struct access *x = &pending[i];
        for (int k = 0; k < i && !x->store && !x->done && x->bytes && x->address.known; k++) {
            const struct access *y = &pending[k];
            if (y->store || y->done || !y->address.known || y->bytes != x->bytes ||
                y->address.offset != x->address.offset || !same_base(&x->address, &y->address) ||
                y->type.n != x->type.n || memcmp(y->type.p, x->type.p, x->type.n) ||
                !movable(i, k, false))
                continue;
            replace_line(x->at, format("  %.*s = bitcast %.*s %.*s to %.*s", (int)x->value.n,
                                       x->value.p, (int)x->type.n, x->type.p, (int)y->value.n,
                                       y->value.p, (int)x->type.n, x->type.p));
            x->done = true;
        }
    }
}

/* What is pending belongs to one piece of code without calls and branches. */
static void merge_pending(void)
{
    drop_repeats();
    for (int by_place = 0; by_place < 2; by_place++)
        for (int i = 0; i < pending_count; i++) {
            const struct access *x = &pending[i];
            int row[PENDING], n = 0;
            if (!x->bytes || !x->address.known || x->done || (by_place && !x->address.shared))
                continue;
            bool begins = true;
            for (int k = 0; k < pending_count; k++) {
                const struct access *y = &pending[k];
                if (y->done || y->store != x->store || y->bytes != x->bytes || !y->address.known ||
                    !same_base(&x->address, &y->address))
                    continue;
                begins &= k >= i;
                row[n++] = k;
            }
            if (!begins || n < 2)
                continue;
            qsort(row, (size_t)n, sizeof *row, by_offset);
            merge_row(row, n, by_place);
        }
    pending_count = 0;
}

/* Calls that touch no memory and order nothing. */
static bool harmless(const char *call)
{
    static const char *const names[] = {
        "@llvm.nvvm.read.", "@llvm.fma",  "@llvm.fmuladd", "@llvm.sqrt",     "@llvm.fabs",
        "@llvm.umin",       "@llvm.umax", "@llvm.smin",    "@llvm.smax",     "@llvm.minnum",
        "@llvm.maxnum",     "@llvm.dbg.", "@cpucc_guard_", "@cpucc_shuffle", NULL};
    for (int i = 0; names[i]; i++)
        if (strstr(call, names[i]))
            return true;
    return false;
}

static int next_line(int i)
{
    do
        i++;
    while (i < lines && !*line[i]);
    return i;
}

static bool is_label(int i, struct slice name)
{
    return i < lines && !strncmp(line[i], name.p, name.n) && line[i][name.n] == ':';
}

/* A check that guard.c has put in: line i branches around calls that say what is wrong. The line of
 * the label behind it, or i. */
static int behind_check(int i)
{
    struct slice part[3];
    if (!starts_with(line[i], "  br i1 ") || split(slice_of(line[i] + 5), part, 3) < 3)
        return i;
    struct slice fine = value_in(part[1]), bad = value_in(part[2]);
    fine.p++, fine.n--, bad.p++, bad.n--;
    int k = next_line(i);
    if (!is_label(k, bad))
        return i;
    for (k++; k < lines && strstr(line[k], "@cpucc_guard_"); k++)
        ;
    if (k >= lines || !starts_with(line[k], "  br label "))
        return i;
    k = next_line(k);
    if (!is_label(k, fine))
        return i;
    const char *before = strstr(line[k], "preds = "); /* this block and that of the calls alone */
    int blocks = 0;
    for (const char *p = before; p && (p = strchr(p, '%')); p++)
        blocks++;
    return blocks == 2 ? k : i;
}

static bool is_kernel(const char *define)
{
    const char *at = strchr(define, '@');
    char *note = at ? format("%.*s, !\"kernel\"", (int)(1 + name_length(at + 1)), at) : NULL;
    bool is = strstr(define, " ptx_kernel ") != NULL;
    /* Notes come last, behind all functions. */
    for (int i = lines - 1; i >= 0 && !is && note && line[i][0] != '}'; i--)
        is = line[i][0] == '!' && strstr(line[i], note);
    free(note);
    return is;
}

static void merge_function(int from, int to)
{
    header = line[from - 1];
    in_kernel = is_kernel(header);
    read_values(from, to);
    place_variables(from, to);
    pending_count = 0;
    for (int i = from; i < to; i++) {
        const char *p = line[i], *call;
        if (*p != ' ') { /* a label */
            merge_pending();
            continue;
        }
        if (read_access(i, &pending[pending_count])) {
            if (++pending_count == PENDING)
                merge_pending();
            continue;
        }
        int behind = behind_check(i);
        if (behind != i) {
            i = behind;
            continue;
        }
        p += 2;
        const char *is = *p == '%' ? strstr(p, " = ") : NULL;
        const char *word = is ? is + 3 : p;
        call = find_call(line[i]);
        if ((call && !harmless(call)) || starts_with(word, "br ") || starts_with(word, "switch ") ||
            starts_with(word, "ret ") || starts_with(word, "atomicrmw ") ||
            starts_with(word, "cmpxchg ") || starts_with(word, "fence ") ||
            starts_with(word, "store ") || starts_with(word, "load ") ||
            starts_with(word, "unreachable"))
            merge_pending();
    }
    merge_pending();
}

/* ---- parts of vectors ---- */

/*
 * Of a float4 of which not all members are used nvcc loads those that are: three or four by one
 * load, two neighbours by one of their size, otherwise each by its own.
 */
static struct wide {
    struct slice name, element, pointer;
    int n;         /* elements */
    unsigned used; /* a mask */
    bool whole;    /* used as a whole, too */
    int at;
} * wides;
static int wide_count;
static bool checks; /* cpucc_guard_aligned is called */

static struct wide *wide_of(struct slice name)
{
    for (int i = 0; i < wide_count; i++)
        if (wides[i].name.n == name.n && !memcmp(wides[i].name.p, name.p, name.n))
            return &wides[i];
    return NULL;
}

/* "  %x = load <4 x float>, <4 x float>* %p, align 16" */
static bool read_wide(int at, struct wide *w)
{
    const char *is = starts_with(line[at], "  %") ? strstr(line[at], " = load <") : NULL;
    struct slice part[8];
    if (!is || split(slice_of(is + strlen(" = load ")), part, 8) < 3)
        return false;
    char *end;
    *w = (struct wide){.at = at, .pointer = part[1]};
    w->name = (struct slice){line[at] + 2, (size_t)(is - line[at] - 2)};
    w->n = (int)strtol(part[0].p + 1, &end, 10);
    w->element = (struct slice){end + 3, (size_t)(part[0].p + part[0].n - end - 4)};
    long bytes = size_of(w->element).bytes;
    return starts_with(end, " x ") && (w->n == 2 || w->n == 4) && (bytes == 4 || bytes == 8) &&
           starts_with(part[2].p, "align ") && atol(part[2].p + 6) == w->n * bytes;
}

/* "extractelement <4 x float> %x, i32 2": its last operand, or -1. */
static int extracted(const char *text, const struct wide *w)
{
    const char *p = strstr(text, " = extractelement ");
    long n;
    struct slice part[4];
    if (!p || split(slice_of(p + 18), part, 4) < 2 || !number_in(value_in(part[1]), &n))
        return -1;
    struct slice of = value_in(part[0]);
    return of.n == w->name.n && !memcmp(of.p, w->name.p, of.n) && n >= 0 && n < w->n ? (int)n : -1;
}

static void find_uses(int from, int to)
{
    for (int i = from; i < to; i++)
        for (const char *p = strchr(line[i], '%'); p; p = strchr(p + 1, '%')) {
            struct wide *w = wide_of((struct slice){p, 1 + name_length(p + 1)});
            int element = !w || i == w->at ? -1 : extracted(line[i], w);
            if (element >= 0)
                w->used |= 1u << element;
            else if (w && i != w->at)
                w->whole = true;
        }
}

/* The loads that w becomes; parts[k] is what element k is extracted from. */
static void narrow(int id, const struct wide *w)
{
    struct text t = {0};
    bool opaque = starts_with(w->pointer.p, "ptr");
    const char *space = strstr(w->pointer.p, "addrspace("),
               *place = strstr(line[w->at], ", !dbg !");
    char *in = space && space < w->pointer.p + w->pointer.n
                   ? format(" addrspace(%d)", atoi(space + 10))
                   : format("%s", "");
    char *element = copy_of(w->element);
    char *to = opaque ? format("ptr%s", in) : format("%s%s*", element, in);
    long bytes = size_of(w->element).bytes;
    /* The whole's alignment is still asked for. */
    checks = true;
    addf(&t,
         "  %%narrow.%d.a = ptrtoint %.*s to i64\n"
         "  call void @cpucc_guard_aligned(i64 %%narrow.%d.a, i64 %ld)%s\n",
         id, (int)w->pointer.n, w->pointer.p, id, w->n * bytes - 1, place ? place : "");
    addf(&t, "  %%narrow.%d = bitcast %.*s to %s", id, (int)w->pointer.n, w->pointer.p, to);
    for (int k = 0; k < w->n; k++)
        if (w->used >> k & 1)
            addf(&t,
                 "\n  %%narrow.%d.p%d = getelementptr %s, %s %%narrow.%d, i64 %d\n"
                 "  %%narrow.%d.%d = load %s, %s %%narrow.%d.p%d, align %ld%s",
                 id, k, element, to, id, k, id, k, element, to, id, k,
                 k ? (k & -k) * bytes : w->n * bytes, place ? place : "");
    line[w->at] = t.p;
    free(in);
    free(element);
    free(to);
}

static void narrow_function(int from, int to)
{
    static int made;
    wide_count = 0;
    for (int i = from; i < to; i++) {
        struct wide w;
        if (!read_wide(i, &w))
            continue;
        wides = allocate(wides, sizeof *wides * (size_t)(wide_count + 1));
        wides[wide_count++] = w;
    }
    if (!wide_count)
        return;
    find_uses(from, to);
    for (int x = 0; x < wide_count; x++) {
        const struct wide *w = &wides[x];
        int used = __builtin_popcount(w->used);
        if (w->whole || !used || used == w->n || used == 3)
            continue;
        int id = made++;
        for (int i = from; i < to; i++) {
            int k = extracted(line[i], w);
            const char *is = k < 0 ? NULL : strstr(line[i], " = ");
            if (is)
                line[i] = format("%.*s = bitcast %.*s %%narrow.%d.%d to %.*s", (int)(is - line[i]),
                                 line[i], (int)w->element.n, w->element.p, id, k, (int)w->element.n,
                                 w->element.p);
        }
        narrow(id, w);
    }
}

/* ---- the module ---- */

static void read_lines(char *text)
{
    int room = 0;
    line = NULL, lines = 0;
    for (char *p = text; *p;) {
        if (lines == room)
            line = allocate(line, sizeof *line * (size_t)(room = room ? 2 * room : 4096));
        line[lines++] = p;
        p += strcspn(p, "\n");
        if (*p)
            *p++ = 0;
    }
}

static void each_function(void (*what)(int from, int to))
{
    for (int i = 0; i < lines; i++) {
        if (!starts_with(line[i], "define "))
            continue;
        int from = i + 1;
        while (i < lines && strcmp(line[i], "}"))
            i++;
        what(from, i);
    }
}

int main(int count, char **argument)
{
    char *text = read_file(NULL);
    struct text again = {0};
    (void)argument;
    if (count != 1 || !text) {
        fprintf(stderr, "usage: merge < device.ll > merged.ll\n");
        return 2;
    }
    read_lines(text);
    each_function(narrow_function);
    for (int i = 0; i < lines; i++) {
        checks &= !starts_with(line[i], "declare void @cpucc_guard_aligned(");
        addf(&again, "%s\n", line[i]);
    }
    if (checks)
        add(&again, "declare void @cpucc_guard_aligned(i64, i64)\n");
    read_lines(again.p);
    read_variables();
    each_function(merge_function);
    for (int i = 0; i < lines; i++)
        if (fputs(line[i], stdout) == EOF || putchar('\n') == EOF)
            return 1;
    return fflush(stdout) != 0;
}
