/*
 * Part of merge. Takes addresses apart into a base, terms and an offset, computes their alignment,
 * and places shared variables.
 */
#include <stdlib.h>
#include <string.h>
#include "merge.h"

enum { DEEP = 24 }; /* most instructions that an address is followed through */

/* ---- shared variables ---- */

static struct variable {
    struct slice name; /* "@x" */
    long bytes, declared, align;
    bool dynamic, single, used; /* single: a number, no array or struct */
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

bool is_single(struct slice name)
{
    const struct variable *v = name.n && *name.p == '@' ? variable_of(name) : NULL;
    return v && v->single && !v->dynamic;
}

void read_variables(void)
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
            (struct variable){{line[i], 1 + name_length(line[i] + 1)},
                              size_of(type).bytes,
                              align ? atol(align + strlen(", align ")) : 1,
                              1,
                              strstr(line[i], " external ") != NULL,
                              strchr("[{<%", *type.p) == NULL,
                              false};
    }
}

/* Places the variables that the function uses one behind the other, in the order of declaration. */
void place_variables(int from, int to)
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

/* ---- addresses ---- */

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

/* How many of the value's lowest bits are certainly 0, up to 16. */
static int zeros(struct slice value, int depth)
{
    long n;
    if (number_in(value, &n))
        return n ? __builtin_ctzl((unsigned long)n) : 16;
    const char *mask = memchr(value.p, '&', value.n); /* a term "%x&-8" or "%x|8" of add_index */
    if (mask) {
        int z = zeros((struct slice){value.p, (size_t)(mask - value.p)}, depth + 1);
        int low = __builtin_ctzl((unsigned long)atol(mask + 1));
        return z > low ? z : low < 16 ? low : 16;
    }
    const char *bits = memchr(value.p, '|', value.n);
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
    if (starts_with(d, "phi ")) { /* a loop's variable: the minimum of its start and its step */
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

/* True if the mask clears only x's lowest bits; *mask is then extended to all upper bits. The given
 * mask may lack upper bits that x cannot have: shared addresses have 24, threads' numbers 11. */
static bool without_low_bits(struct slice x, long *mask)
{
    const char *d = definition_of(x);
    long low = *mask & -*mask, bits = d && strstr(d, "@llvm.nvvm.read.ptx.sreg.tid.") ? 9 : 24;
    if (*mask >= 0 && (*mask < 1L << bits || ((*mask + low) & *mask) != 0))
        return false;
    if (*mask < 0 && low != -*mask)
        return false;
    *mask = -low;
    return true;
}

/* Adds value * times to the address. In shared memory the value's definition is expanded. */
static void add_index(struct address *a, struct slice value, long times, int depth)
{
    long n;
    if (number_in(value, &n)) {
        a->offset += n * times;
        return;
    }
    const char *d = definition_of(value);
    struct slice part[2] = {{0}}, from;
    /* Shared addresses have 32 bits, so sign extensions do not matter: all arithmetic is linear. */
    if (d && a->shared && depth < DEEP) {
        if (converts(d, &from)) {
            add_index(a, from, times, depth + 1);
            return;
        }
        bool adds = starts_with(d, "add "), subtracts = starts_with(d, "sub "),
             joins = starts_with(d, "or "), scales = starts_with(d, "mul "),
             shifts = starts_with(d, "shl ");
        if (starts_with(d, "and ") && operands(d, part) >= 2 && number_in(part[1], &n) &&
            without_low_bits(value_in(part[0]), &n)) {
            struct slice x = value_in(part[0]);
            add_term(a, slice_of(format("%.*s&%ld", (int)x.n, x.p, n)), times);
            return;
        }
        if ((adds || subtracts || joins || scales || shifts) && operands(d, part) >= 2) {
            struct slice x = value_in(part[0]), y = part[1];
            bool fixed = number_in(y, &n);
            if (joins && fixed && n > 0) {
                long low = n & ((1L << zeros(x, 0)) - 1); /* bits that x certainly lacks */
                const char *scaled = definition_of(x);
                long shift = 0;
                if (scaled && starts_with(scaled, "shl ") && operands(scaled, part) >= 2 &&
                    (!number_in(part[1], &shift) || shift < 0 || shift > 16))
                    shift = 0;
                long above = n >> shift;
                if (low != n && (above & (above + 1)) == 0) { /* all low bits are set */
                    x = shift ? value_in(part[0]) : x;
                    a->offset += n * times;
                    add_term(a, slice_of(format("%.*s&%ld", (int)x.n, x.p, ~above)),
                             times << shift);
                    return;
                }
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

/* Follows a getelementptr's operands, "T, pointer, index...". */
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

void follow(struct address *a, struct slice pointer, int depth)
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

bool same_base(const struct address *a, const struct address *b)
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

/* The alignment is at most 8 if the address has other terms besides a partly unrolled loop's
 * variable that steps by 16 bytes: nvcc's pointer then stands in the middle of a round's four
 * words. */
long alignment(const struct address *a)
{
    const struct variable *v = variable_of(a->base);
    long align = v ? v->align : 1;
    for (int i = 0; i < a->terms; i++) {
        const char *d = definition_of(a->term[i].of);
        int z = zeros(a->term[i].of, 0) + __builtin_ctzl((unsigned long)a->term[i].times);
        z -= a->terms > 1 && z == 4 && d && starts_with(d, "phi ");
        align = z < 4 && 1L << z < align ? 1L << z : align;
    }
    return align;
}
