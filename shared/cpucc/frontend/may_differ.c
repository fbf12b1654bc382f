/*
 * Part of merge. Marks accesses whose counts may differ from the hardware's. Unroll has noted some
 * in the module (!cpucc.may_differ), merge.c marks others, and this file finds the rest. A marked
 * access gets its own entry in the line table; the entry's discriminator says why, and the report
 * reads it.
 *
 * An access is identified by its place (the number of its DILocation) and its kind: a load, a store
 * and a call may share a place.
 */
#include <stdlib.h>
#include <string.h>
#include "merge.h"

enum { LOADS, STORES, CALLS, KINDS };

static unsigned (*marks)[KINDS]; /* for each place and kind: bits 1 << enum may_differ */
static int capacity;
static const char **note; /* note[n] is the line that defines metadata !n, or NULL */
static int notes;
static struct text added;

static int place_on(const char *text)
{
    const char *at = strstr(text, ", !dbg !");
    return at ? atoi(at + strlen(", !dbg !")) : -1;
}

static int kind_of(const char *text)
{
    const char *p = text + strspn(text, " "), *is = *p == '%' ? strstr(p, " = ") : NULL;
    p = is ? is + 3 : p;
    return starts_with(p, "store ")  ? STORES
           : starts_with(p, "load ") ? LOADS
           : find_call(text)         ? CALLS
                                     : -1;
}

static void mark_place(int place, int kind, enum may_differ why)
{
    if (place < 0 || kind < 0)
        return;
    if (place >= capacity) {
        int larger = 2 * place + 256;
        marks = allocate(marks, sizeof *marks * (size_t)larger);
        memset(marks + capacity, 0, sizeof *marks * (size_t)(larger - capacity));
        capacity = larger;
    }
    marks[place][kind] |= 1u << why;
}

void mark_access(const char *instruction, enum may_differ why)
{
    mark_place(place_on(instruction), kind_of(instruction), why);
}

/* ---- metadata ---- */

static const char *metadata(int n) { return n >= 0 && n < notes ? note[n] : NULL; }

static int number_behind(const char *text, const char *key)
{
    const char *at = text ? strstr(text, key) : NULL;
    return at ? atoi(at + strlen(key)) : -1;
}

static void read_metadata(void)
{
    for (int i = 0; i < lines; i++) {
        if (line[i][0] != '!' || line[i][1] < '0' || line[i][1] > '9')
            continue;
        int n = atoi(line[i] + 1);
        if (n >= notes) {
            int larger = 2 * n + 256;
            note = allocate(note, sizeof *note * (size_t)larger);
            memset(note + notes, 0, sizeof *note * (size_t)(larger - notes));
            notes = larger;
        }
        note[n] = line[i];
    }
}

/* Reads a note of unroll, "!9 = !{i32 1, i32 0, !7, !8}": why, kind, places. */
static void read_note(const char *text)
{
    const char *p = text ? strchr(text, '{') : NULL;
    if (!p)
        return;
    int why = number_behind(p, "{i32 "), kind = number_behind(p, ", i32 ");
    for (p = strchr(p, '!'); p && why >= 0 && kind >= 0; p = strchr(p + 1, '!'))
        mark_place(atoi(p + 1), kind, (enum may_differ)why);
}

void read_marks(void)
{
    read_metadata();
    for (int i = 0; i < lines; i++)
        if (starts_with(line[i], "!cpucc.may_differ = ")) {
            for (const char *p = strchr(line[i] + 1, '!'); p; p = strchr(p + 1, '!'))
                if (p[1] >= '0' && p[1] <= '9')
                    read_note(metadata(atoi(p + 1)));
            line[i][0] = 0; /* later steps do not need the line */
        }
}

/* ---- scalars in shared memory ---- */

/* True if line i is a load or store of a shared variable that is one number; *a is its address. */
static bool to_single(int i, struct address *a)
{
    struct slice part[3];
    int kind = kind_of(line[i]);
    const char *p = line[i] + 2, *is = strstr(p, " = ");
    p = (kind == LOADS && is ? is + 3 : p) + (kind == LOADS ? 5 : 6);
    if (kind < 0 || kind == CALLS || split(slice_of(p), part, 3) < 2)
        return false;
    *a = (struct address){.known = true};
    follow(a, part[1], 0);
    return a->known && !a->terms && !a->offset && is_single(a->base);
}

/* Marks accesses of such variables if the function uses two or more (__shared__ int a, b;): nvcc
 * places them in an order that is not known. */
static void mark_singles(int from, int to)
{
    struct address first = {.known = false}, a;
    bool several = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = from; i < to; i++) {
            if (line[i][0] != ' ' || !to_single(i, &a))
                continue;
            if (!first.known)
                first = a;
            several |= !same_base(&first, &a);
            if (pass && several)
                mark_access(line[i], DIFFERS_BY_NEIGHBOURS);
        }
}

/* ---- addresses that depend on the order of atomics ---- */

static bool *ordered; /* for each line of the function: its value comes from an atomic */
static int ordered_from, ordered_count;
static struct slice *givers; /* functions that return such a value, "@name" */
static int giver_count;

static bool is_among(struct slice name, const struct slice *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i].n == name.n && !memcmp(list[i].p, name.p, name.n))
            return true;
    return false;
}

static void add_to(struct slice **list, int *count, struct slice name)
{
    if (is_among(name, *list, *count))
        return;
    *list = allocate(*list, sizeof **list * (size_t)(*count + 1));
    (*list)[(*count)++] = name;
}

static bool is_ordered(struct slice name)
{
    int at = line_of(name);
    return at >= ordered_from && ordered[at - ordered_from];
}

static bool uses_ordered(const char *p)
{
    for (const char *o = strchr(p, '%'); ordered_count && o; o = strchr(o + 1, '%'))
        if (is_ordered((struct slice){o, 1 + name_length(o + 1)}))
            return true;
    return false;
}

/* True for "atomicrmw ...", "cmpxchg ..." and calls that return an atomic's old value. */
static bool is_atomic(const char *definition)
{
    const char *call = find_call(definition), *at = call ? strchr(call, '@') : NULL;
    if (starts_with(definition, "atomicrmw ") || starts_with(definition, "cmpxchg "))
        return true;
    if (!at)
        return false;
    struct slice callee = {at, 1 + name_length(at + 1)};
    const char *ours = strstr(at, "cpucc_atomic");
    return (ours && ours < at + callee.n) || is_among(callee, givers, giver_count);
}

static void follow_atomics(int from, int to)
{
    read_values(from, to);
    ordered = allocate(ordered, sizeof *ordered * (size_t)(to - from + 1));
    memset(ordered, 0, sizeof *ordered * (size_t)(to - from));
    ordered_from = from, ordered_count = 0;
    for (int i = from; i < to; i++) {
        const char *p = line[i], *is = starts_with(p, "  %") ? strstr(p, " = ") : NULL;
        if (starts_with(p, "  ret ") && uses_ordered(p)) {
            const char *at = strchr(line[from - 1], '@');
            add_to(&givers, &giver_count, (struct slice){at, 1 + name_length(at + 1)});
        }
        if (is && !starts_with(is + 3, "icmp ") && !starts_with(is + 3, "load ") &&
            (is_atomic(is + 3) || uses_ordered(is + 3)))
            ordered[i - from] = true, ordered_count++;
    }
}

static void mark_atomics(int from, int to)
{
    follow_atomics(from, to);
    for (int i = from; i < to && ordered_count; i++) {
        int kind = starts_with(line[i], "  ") ? kind_of(line[i]) : -1;
        const char *is = kind == LOADS ? strstr(line[i], " = ") : NULL;
        const char *p = kind == STORES ? line[i] + strlen("  store ") : is ? is + 8 : NULL;
        struct slice part[3];
        if (p && split(slice_of(p), part, 3) >= 2 && is_ordered(value_in(part[1])))
            mark_access(line[i], DIFFERS_BY_ATOMICS);
    }
}

/* ---- sums in memory ---- */

/* Marks variables that newer clangs load before a loop ("%x.promoted = load ...") and store behind
 * it, since they prove more pointers distinct than nvcc does. */
static void mark_sums(int from, int to)
{
    for (int i = from; i < to; i++) {
        const char *is = starts_with(line[i], "  %") ? strstr(line[i], ".promoted") : NULL;
        const char *p = is ? strstr(is, " = load ") : NULL;
        struct slice part[3];
        if (!p || p > is + 16 || split(slice_of(p + strlen(" = load ")), part, 3) < 2)
            continue;
        struct address a = {.known = true};
        follow(&a, part[1], 0);
        const char *base = definition_of(a.base);
        if (a.shared || is_alone(a.base) || (base && starts_with(base, "alloca ")))
            continue;
        struct slice place = value_in(part[1]);
        for (int k = from; k < to; k++)
            if (starts_with(line[k], "  store ") &&
                split(slice_of(line[k] + strlen("  store ")), part, 3) >= 2 &&
                value_in(part[1]).n == place.n && !memcmp(value_in(part[1]).p, place.p, place.n))
                mark_access(line[k], DIFFERS_BY_SUM);
    }
}

/* ---- copies under a condition ---- */

/* True if the block of this label has one predecessor, which ends with a conditional branch. */
static bool is_conditional(int label, int from)
{
    const char *before = strstr(line[label], "; preds = %");
    if (!before || strchr(before, ','))
        return false;
    before += strlen("; preds = %");
    size_t n = name_length(before);
    int i = from; /* the first block may have no label */
    for (int k = from; k < label; k++)
        if (line[k][0] != ' ' && !strncmp(line[k], before, n) && line[k][n] == ':')
            i = k + 1;
    while (i < label && (line[i][0] == ' ' || i == from) && !starts_with(line[i], "  br "))
        i++;
    return starts_with(line[i], "  br i1 ");
}

/* True if the instruction was inlined from cuda::memcpy_async. */
static bool is_of_memcpy_async(const char *instruction)
{
    int n = place_on(instruction);
    for (int steps = 0; steps < 100 && metadata(n); steps++) {
        if (strstr(metadata(n), "!DISubprogram("))
            return strstr(metadata(n), "(name: \"memcpy_async") != NULL;
        n = number_behind(metadata(n), "scope: !");
    }
    return false;
}

/* Marks 16-byte cp.async of cuda::memcpy_async in a branch, which nvcc may turn into a
 * predicate. */
static void mark_predicates(int from, int to)
{
    bool conditional = false;
    for (int i = from; i < to; i++)
        if (line[i][0] && line[i][0] != ' ')
            conditional = is_conditional(i, from);
        else if (conditional && strstr(line[i], "@cpucc_cp_async(") && strstr(line[i], "i32 16,") &&
                 is_of_memcpy_async(line[i]))
            mark_access(line[i], DIFFERS_BY_PROFILER);
}

void find_marks(int from, int to)
{
    begin_function(from, to);
    mark_singles(from, to);
    mark_sums(from, to);
    mark_predicates(from, to);
    mark_atomics(from, to);
}

/* ---- places with a discriminator ---- */

static int new_number(void) { return notes++; }

/* The number of the file of a scope or of its nearest parent that names one; -1 if none does. */
static int file_of(int scope)
{
    for (int steps = 0; steps < 100 && metadata(scope); steps++) {
        int file = number_behind(metadata(scope), "file: !");
        if (file >= 0)
            return file;
        scope = number_behind(metadata(scope), "scope: !");
    }
    return -1;
}

/* The number of a copy of the place with the discriminator `why`. */
static int marked_place(int place, unsigned why)
{
    static struct {
        int place, number;
        unsigned why;
    } * known;
    static int count;
    for (int i = 0; i < count; i++)
        if (known[i].place == place && known[i].why == why)
            return known[i].number;
    const char *text = metadata(place), *scope_at = text ? strstr(text, "scope: !") : NULL;
    int scope = number_behind(text, "scope: !"), file = file_of(scope);
    if (!scope_at || file < 0)
        return place;
    int block = new_number(), number = new_number();
    const char *fields = strchr(text, '='), *behind = scope_at + strlen("scope: !");
    behind += strspn(behind, "0123456789");
    addf(&added, "!%d = !DILexicalBlockFile(scope: !%d, file: !%d, discriminator: %u)\n", block,
         scope, file, why);
    addf(&added, "!%d %.*s!%d%s\n", number, (int)(scope_at + strlen("scope: ") - fields), fields,
         block, behind);
    known = allocate(known, sizeof *known * (size_t)(count + 1));
    known[count].place = place, known[count].why = why, known[count].number = number;
    count++;
    return number;
}

static void mark_function(int from, int to)
{
    int last = -1;
    for (int i = from; i < to; i++) {
        int place = place_on(line[i]), kind = kind_of(line[i]);
        if (place < 0)
            continue;
        unsigned why = place < capacity && kind >= 0 ? marks[place][kind] : 0;
        /* Line 0 means merged from several lines: use the previous location, as retarget does. */
        bool none = metadata(place) && strstr(metadata(place), "(line: 0, ");
        if (!none)
            last = place;
        if (!why || last < 0)
            continue;
        int marked = marked_place(none ? last : place, why);
        const char *at = strstr(line[i], ", !dbg !") + strlen(", !dbg !");
        line[i] =
            format("%.*s%d%s", (int)(at - line[i]), line[i], marked, at + strspn(at, "0123456789"));
    }
}

void prepare_marks(void)
{
    for (int before = -1; before < giver_count;) {
        before = giver_count;
        each_function(follow_atomics);
    }
}

const char *write_marks(void)
{
    read_metadata();
    each_function(mark_function);
    return added.p ? added.p : "";
}
