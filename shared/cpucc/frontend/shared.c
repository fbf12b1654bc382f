/*
 * Part of retarget. Translates __shared__ variables. In the device's module they are globals in
 * address space 3. On the CPU each block has its own copy, so a function asks the run time for
 * their addresses when it is entered:
 *
 *   %cpucc.shared.0 = call ptr @cpucc_shared(ptr @cpucc.site.0, i64 4224, i64 4)
 *
 * Constant expressions with the global's address become instructions. __managed__ variables are
 * translated in the same way: the run time gives their address in the host's half.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

struct variable {
    char *name, *type, *align;
    bool dynamic; /* extern __shared__ T x[] */
    bool managed; /* a __managed__ variable, not a shared one */
    int line;     /* line of its declaration, or 0 */
    int used_in;  /* number of the last function that used it */
};

static struct variable *variables;
static int count, capacity;
static int *table; /* hash table by name: index in `variables` + 1 */
static int table_size;

static int function, expressions; /* number of the current function; values added to it so far */
static struct text entry;         /* instructions for its entry, which its phi instructions need */

static unsigned hash(struct slice s)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 16777619u;
    return h;
}

static int find(struct slice name)
{
    if (!count)
        return -1;
    unsigned i = hash(name) % (unsigned)table_size;
    for (; table[i]; i = (i + 1) % (unsigned)table_size)
        if (slice_is(name, variables[table[i] - 1].name))
            return table[i] - 1;
    return -1;
}

static void enter(int v)
{
    unsigned i = hash(slice_of(variables[v].name)) % (unsigned)table_size;
    while (table[i])
        i = (i + 1) % (unsigned)table_size;
    table[i] = v + 1;
}

void note_shared(const char *name, const char *type, const char *align, bool dynamic)
{
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        variables = allocate(variables, sizeof *variables * (size_t)capacity);
        free(table);
        table_size = 4 * capacity + 1;
        table = calloc((size_t)table_size, sizeof *table);
        if (!table)
            exit(1);
        for (int v = 0; v < count; v++)
            enter(v);
    }
    variables[count] = (struct variable){
        format("%s", name), format("%s", type), format("%s", align), dynamic, false, 0, 0};
    enter(count++);
}

void note_shared_line(const char *name, int line)
{
    int v = find(slice_of(name));
    if (v >= 0)
        variables[v].line = line;
}

void note_managed_use(const char *name, const char *type)
{
    note_shared(name, type, "1", false);
    variables[count - 1].managed = true;
}

void begin_function(void)
{
    function++;
    expressions = 0;
    clear(&entry);
}

/* ---- constant expressions ---- */

static const char *const operations[] = {
    "getelementptr", "bitcast", "ptrtoint", "inttoptr", "add",   "sub",  "mul",  "and",  "or",
    "xor",           "shl",     "lshr",     "ashr",     "trunc", "zext", "sext", "icmp", "select",
    "udiv",          "sdiv",    "urem",     "srem",     NULL};

/* The start of the constant expression whose parenthesis opens at `bracket`, or NULL if it is
 * another parenthesis. `start` is the start of the line. */
static const char *expression_start(const char *start, const char *bracket)
{
    const char *p = bracket;
    for (int words = 0; words < 4; words++) {
        while (p > start && p[-1] == ' ')
            p--;
        const char *end = p;
        while (p > start && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
            p--;
        if (p == end)
            return NULL;
        struct slice word = {p, (size_t)(end - p)};
        for (int i = 0; operations[i]; i++)
            if (slice_is(word, operations[i]))
                return p > start && (p[-1] == '%' || p[-1] == '@' || p[-1] == '.') ? NULL : p;
        static const char *const flags[] = {"inbounds", "nuw", "nsw", "exact", "nusw", "inrange",
                                            "eq",       "ne",  "ult", "ugt",   "ule",  "uge",
                                            "slt",      "sgt", "sle", "sge",   NULL};
        int known = 0;
        for (int i = 0; flags[i]; i++)
            known |= slice_is(word, flags[i]);
        if (!known)
            return NULL;
    }
    return NULL;
}

static void replace(struct text *to, struct slice in, struct text *before);

/* Turns the constant expression from `from` to its closing parenthesis `end` into an instruction in
 * `before`; adds the name of its value to `out`. */
static void unfold(struct text *out, const char *from, const char *bracket, const char *end,
                   struct text *before)
{
    struct text inner = {0};
    struct slice head = trimmed((struct slice){from, (size_t)(bracket - from)});
    replace(&inner, (struct slice){bracket + 1, (size_t)(end - bracket - 1)}, before);
    int number = expressions++;
    addf(before, "  %%cpucc.value.%d = ", number);
    add_slice(before, head);
    add(before, " ");
    /* Unlike an expression, an instruction names the type of arithmetic operands only once. */
    bool one_type = !starts_with(head.p, "getelementptr") && !starts_with(head.p, "select") &&
                    !strstr(inner.p, " to ");
    struct slice part[64];
    int n = split(slice_of(inner.p), part, 64);
    for (int i = 0; i < n; i++) {
        struct slice p = part[i];
        if (starts_with(p.p, "inrange "))
            p.p += 8, p.n -= 8;
        if (one_type && i > 0) {
            size_t t = type_length(p.p);
            p.p += t, p.n -= t;
            p = trimmed(p);
        }
        if (i)
            add(before, ", ");
        add_slice(before, p);
    }
    add(before, "\n");
    addf(out, "%%cpucc.value.%d", number);
    free(inner.p);
}

/* Copies `in` to `to`, with shared variables replaced by values; instructions go to `before`. */
static void replace(struct text *to, struct slice in, struct text *before)
{
    enum { DEPTH = 256 };
    const char *open[DEPTH],
        *begin[DEPTH]; /* the parentheses around p, and the starts of their expressions */
    int depth = 0;
    const char *done = in.p, *end = in.p + in.n;
    for (const char *p = in.p; p < end;) {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == '(') {
            if (depth < DEPTH)
                open[depth] = p, begin[depth] = expression_start(done, p);
            depth++;
        } else if (*p == ')') {
            depth--;
        } else if (*p == '@') {
            struct slice name = {p + 1, name_length(p + 1)};
            int v = find(name);
            if (v >= 0) {
                variables[v].used_in = function;
                int d = 0;
                while (d < depth && d < DEPTH && !begin[d])
                    d++;
                const char *close = d < depth && d < DEPTH ? closing(open[d]) : NULL;
                if (close) {
                    add_bytes(to, done, (size_t)(begin[d] - done));
                    unfold(to, begin[d], open[d], close, before);
                    p = done = close + 1;
                    depth = d;
                } else {
                    add_bytes(to, done, (size_t)(p - done));
                    addf(to, "%%cpucc.shared.%d", v);
                    p = done = name.p + name.n;
                }
                continue;
            }
            p += name.n;
        }
        p++;
    }
    add_bytes(to, done, (size_t)(end - done));
}

void add_shared_uses(struct text *body, const char *line)
{
    if (!count || !strchr(line, '@')) {
        add(body, line);
        return;
    }
    struct text out = {0}, before = {0};
    bool phi = strstr(line, " = phi ") != NULL;
    replace(&out, slice_of(line), phi ? &entry : &before);
    if (before.n)
        add(body, before.p);
    add(body, out.p);
    free(out.p);
    free(before.p);
}

void add_entry(struct text *to, const char *define)
{
    for (int i = 0; i < 2 * count; i++) { /* dynamic variables last: they lie behind the others */
        int v = i % count;
        struct variable *x = &variables[v];
        if (x->used_in != function || x->dynamic != (i >= count))
            continue;
        int scope = scope_of(define);
        addf(to, "  %%cpucc.%s.%d = call %s ", target.opaque ? "shared" : "raw", v, pointer);
        if (x->dynamic)
            addf(to, "@cpucc_dynamic_shared(i64 %s)", x->align);
        else if (x->managed && target.opaque)
            addf(to, "@cpucc_managed(ptr @%s)", x->name);
        else if (x->managed)
            addf(to, "@cpucc_managed(i8* bitcast (%s* @%s to i8*))", x->type, x->name);
        else if (target.opaque)
            addf(to,
                 "@cpucc_shared(ptr @cpucc.site.%d, i64 ptrtoint (ptr getelementptr (%s, ptr null, "
                 "i64 1) to i64), i64 %s)",
                 v, x->type, x->align);
        else
            addf(to,
                 "@cpucc_shared(i8* bitcast ({ i8*, i32, i32, i8*, i8*, i64 }* @cpucc.site.%d to "
                 "i8*), i64 "
                 "ptrtoint (%s* getelementptr (%s, %s* null, i64 1) to i64), i64 %s)",
                 v, x->type, x->type, x->type, x->align);
        if (x->line && scope >= 0)
            addf(to, ", !dbg !%d", new_location(x->line, scope));
        add(to, "\n");
        if (!target.opaque)
            addf(to, "  %%cpucc.shared.%d = bitcast i8* %%cpucc.raw.%d to %s*\n", v, v, x->type);
    }
    if (entry.n)
        add(to, entry.p);
}

/* The source's name: "tile", the last part of _ZZ6kernelPfE4tile, without the number of a copy. */
char *source_name(const char *name)
{
    if (!starts_with(name, "_Z"))
        return format("%s", name);
    for (const char *e = name + strlen(name); e > name; e--) {
        if (!isdigit((unsigned char)*e) || isdigit((unsigned char)e[-1]))
            continue;
        int n = atoi(e);
        const char *id = e;
        while (isdigit((unsigned char)*id))
            id++;
        size_t left = strlen(id);
        if (n > 0 && (size_t)n <= left && (left == (size_t)n || id[n] == '_' || id[n] == '.') &&
            !isdigit((unsigned char)*id))
            return format("%.*s", n, id);
    }
    return format("%s", name);
}

void write_shared(struct text *to)
{
    bool fixed = false, dynamic = false, managed = false;
    for (int v = 0; v < count; v++) {
        if (!variables[v].used_in)
            continue;
        if (variables[v].managed) {
            managed = true;
            continue;
        }
        if (variables[v].dynamic) {
            dynamic = true;
            continue;
        }
        fixed = true;
        char *name = source_name(variables[v].name), *operand = text_constant(to, name),
             *plain = without_quotes(variables[v].type), *type = text_constant(to, plain);
        const char *p = pointer;
        addf(to,
             "@cpucc.site.%d = internal global { %s, i32, i32, %s, %s, i64 } { %s, i32 -1, i32 0, "
             "%s, %s null, i64 0 }\n",
             v, p, p, p, operand, type, p);
        free(name);
        free(operand);
        free(type);
        free(plain);
    }
    if (fixed)
        addf(to, "declare %s @cpucc_shared(%s, i64, i64)\n", pointer, pointer);
    if (managed)
        addf(to, "declare %s @cpucc_managed(%s)\n", pointer, pointer);
    if (dynamic)
        addf(to, "declare %s @cpucc_dynamic_shared(i64)\n", pointer);
}
