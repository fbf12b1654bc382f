/* Part of seal. Adds loads, stores, local variables and calls, each behind its guard. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "seal.h"

/* ---- operands ---- */

char *size_of(const char *type, size_t n)
{
    if (opaque)
        return format("ptrtoint (ptr getelementptr (%.*s, ptr null, i32 1) to i64)", (int)n, type);
    return format("ptrtoint (%.*s* getelementptr (%.*s, %.*s* null, i32 1) to i64)", (int)n, type,
                  (int)n, type, (int)n, type);
}

/* Adds the line p behind a guard of its access. `operand`, a part of p, is "T* value"; `bytes` is
 * an i64. The address is frozen first, so that guard and access use the same. */
static void add_guarded(struct text *to, const char *p, struct slice operand, const char *bytes,
                        bool write)
{
    size_t n = type_length(operand.p);
    struct slice type = {operand.p, n};
    struct slice value = trimmed((struct slice){operand.p + n, operand.n - n});
    if (value.n == 0 || (*value.p != '%' && find_word(p, "undef")) || strstr(p, "poison")) {
        refuse("an undefined address", p);
        return;
    }
    char *held = *value.p == '%' ? format("%%seal.%d", number++) : copy_of(value);
    if (*value.p == '%')
        addf(to, "  %s = freeze %.*s %.*s\n", held, (int)type.n, type.p, (int)value.n, value.p);
    addf(to, "  %%seal.%d = ptrtoint %.*s %s to i64\n", number, (int)type.n, type.p, held);
    addf(to, "  call void @cpucc_seal_guard(i64 %%seal.%d, i64 %s, i32 %d)\n", number++, bytes,
         write);
    add_bytes(to, p, (size_t)(value.p - p));
    addf(to, "%s%s\n", held, value.p + value.n);
    free(held);
}

/* Skips "atomic" and "volatile" behind "load " or "store ". */
static const char *behind_words(const char *p)
{
    for (bool more = true; more;) {
        more = false;
        static const char *const words[] = {"atomic ", "volatile ", NULL};
        for (int i = 0; words[i]; i++)
            if (starts_with(p, words[i]))
                p += strlen(words[i]), more = true;
    }
    return p;
}

void add_load(struct text *to, const char *p, const char *what)
{
    struct slice part[4];
    what = behind_words(what + strlen("load "));
    if (split(slice_of(what), part, 4) < 2) {
        refuse("a load", p);
        return;
    }
    char *bytes = size_of(part[0].p, part[0].n);
    add_guarded(to, p, part[1], bytes, false);
    free(bytes);
}

void add_store(struct text *to, const char *p, const char *what)
{
    struct slice part[4];
    what = behind_words(what + strlen("store "));
    if (split(slice_of(what), part, 4) < 2) {
        refuse("a store", p);
        return;
    }
    char *bytes = size_of(part[0].p, type_length(part[0].p));
    add_guarded(to, p, part[1], bytes, true);
    free(bytes);
}

void add_alloca(struct text *to, const char *p, const char *what)
{
    struct slice part[4];
    const char *name = strchr(p, '%'), *count = "i64 1";
    int align = 16, n = split(slice_of(what + strlen("alloca ")), part, 4);
    if (n < 1 || starts_with(part[0].p, "inalloca")) {
        refuse("a variable", p);
        return;
    }
    char *copy = NULL, *bytes = size_of(part[0].p, part[0].n);
    for (int i = 1; i < n; i++)
        if (starts_with(part[i].p, "align "))
            align = atoi(part[i].p + 6);
        else if (*part[i].p == 'i')
            count = copy = copy_of(part[i]);
    if (starts_with(count, "i64 "))
        addf(to, "  %%seal.%d = mul i64 %s, %s\n", number, bytes, count + 4);
    else
        addf(to, "  %%seal.%d.n = zext %s to i64\n  %%seal.%d = mul i64 %s, %%seal.%d.n\n", number,
             count, number, bytes, number);
    addf(to, "  %%seal.%d = call %s @cpucc_seal_local(i64 %%seal.%d, i64 %d)\n", number + 1,
         opaque ? "ptr" : "i8*", number, align);
    addf(to, "  %%%.*s = bitcast %s %%seal.%d to %.*s%s\n", (int)name_length(name + 1), name + 1,
         opaque ? "ptr" : "i8*", number + 1, opaque ? 3 : (int)part[0].n,
         opaque ? "ptr" : part[0].p, opaque ? "" : "*");
    number += 2;
    free(bytes);
    free(copy);
}

/* ---- calls ---- */

char *without_byval(const char *p)
{
    struct text t = {0};
    for (const char *at; (at = strstr(p, " byval"));) {
        add_bytes(&t, p, (size_t)(at - p));
        p = at + strlen(" byval");
        const char *end = *p == '(' ? closing(p) : NULL;
        p = end ? end + 1 : p;
        if (starts_with(p, " align ")) {
            p += strlen(" align ");
            while (isdigit((unsigned char)*p))
                p++;
        }
    }
    add(&t, p);
    return t.p;
}

/* The callee of a call, "@name" or "%name"; NULL if it is an expression or assembly. */
static const char *callee_of(const char *p)
{
    p = strstr(p, "call ") + strlen("call ");
    while (*p) {
        if (starts_with(p, "asm ") || starts_with(p, "bitcast ") || starts_with(p, "inttoptr "))
            return NULL;
        if (*p == '@' || *p == '%') {
            size_t n = 1 + name_length(p + 1);
            if (p[n] == '(')
                return p;
            p += n;
        } else if (strchr("([{<", *p)) {
            const char *end = closing(p);
            if (!end)
                return NULL;
            p = end + 1;
        } else {
            p++;
        }
    }
    return NULL;
}

/* Replaces llvm.memcpy(T to, T from, i64 n, i1 volatile), memmove or memset, which could become
 * plain moves, by the run time's function. False if the call is none of these. */
static bool add_memory_call(struct text *to, const char *p, const char *callee)
{
    static const char *const kinds[] = {"memcpy", "memmove", "memset"};
    int kind = 0;
    while (kind < 3 && !(starts_with(callee, "@llvm.") && starts_with(callee + 6, kinds[kind])))
        kind++;
    if (kind == 3)
        return false;
    struct slice part[8];
    const char *open = strchr(callee, '('), *end = closing(open);
    if (split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 8) < 3) {
        refuse("a call", p);
        return true;
    }
    const char *at = opaque ? "ptr" : "i8*";
    struct text arguments = {0};
    for (int i = 0; i < 3; i++) {
        const char *value = part[i].p + part[i].n;
        while (value > part[i].p && value[-1] != ' ')
            value--;
        if (part[i].p[part[i].n - 1] == ')') { /* a constant expression, behind its type */
            value = part[i].p + type_length(part[i].p);
            while (starts_with(value, " noundef") || starts_with(value, " nonnull") ||
                   starts_with(value, " align ") || starts_with(value, " dereferenceable"))
                value += 1 + strcspn(value + 1, starts_with(value, " align ") ? "" : " ");
            while (*value == ' ')
                value++;
        }
        const char *type = i == 2 ? "i64" : i == 1 && kind == 2 ? "i32" : at;
        struct slice v = {value, (size_t)(part[i].p + part[i].n - value)};
        if (i == 1 && kind == 2) {
            addf(to, "  %%seal.%d = zext i8 %.*s to i32\n", number, (int)v.n, v.p);
            addf(&arguments, ", i32 %%seal.%d", number++);
        } else {
            addf(&arguments, "%s%s %.*s", i ? ", " : "", type, (int)v.n, v.p);
        }
    }
    const char *debug = strstr(p, ", !dbg ");
    addf(to, "  %%seal.%d = call %s @cpucc_%s(%s)%s\n", number++, at, kinds[kind], arguments.p,
         debug ? debug : "");
    free(arguments.p);
    return true;
}

void add_call(struct text *to, const char *p)
{
    const char *callee = callee_of(p);
    if (!callee || *callee != '@') {
        refuse(callee ? "a call through a pointer" : "a call", p);
        return;
    }
    if (starts_with(callee, "@llvm.lifetime.") || starts_with(callee, "@llvm.assume(") ||
        starts_with(callee, "@llvm.dbg."))
        return;
    if (add_memory_call(to, p, callee))
        return;
    if (starts_with(callee, "@cpucc_shuffle(")) { /* the run time writes to its last argument */
        struct slice part[8];
        const char *open = strchr(callee, '('), *end = closing(open);
        int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 8);
        struct slice last = part[n - 1];
        if (last.n < 4 || strncmp(last.p + last.n - 4, "null", 4)) {
            const char *value = last.p + type_length(last.p);
            while (starts_with(value, " noundef") || starts_with(value, " nonnull"))
                value += 1 + strcspn(value + 1, " ");
            addf(to, "  %%seal.%d = ptrtoint %.*s%.*s to i64\n", number, (int)type_length(last.p),
                 last.p, (int)(last.p + last.n - value), value);
            addf(to, "  call void @cpucc_seal_guard(i64 %%seal.%d, i64 4, i32 2)\n", number++);
        }
    }
    char *plain = without_byval(p);
    addf(to, "%s\n", plain);
    free(plain);
}
