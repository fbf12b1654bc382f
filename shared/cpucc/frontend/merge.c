/*
 * merge: merges neighbouring accesses into one if nvcc's compiler does so.
 *
 *     merge < device.ll > merged.ll
 *
 * It works on each basic block of the optimised module for the GPU, in LLVM's textual form with
 * typed or opaque pointers. Two rules were derived from nvcc 13.0's code for small programs
 * (shared/cpucc/tests/merging.cu):
 *
 *   by declared alignment   Parts of an object that is aligned as a whole, such as the members of a
 *                           float4, become one access of 8 or 16 bytes, in global or shared memory.
 *   by place                Words of shared memory whose addresses differ by constants become pairs
 *                           at multiples of 8 bytes or fours at multiples of 16. The alignment
 *                           follows from the index and the variable's place, which assumes that
 *                           variables lie in the order of their declarations.
 *
 * The merged load stands at the group's first load, the merged store at its last store; nothing
 * between them may touch the accessed memory. Under the second rule nothing between them may write
 * any shared memory (nor read it, for stores), as in nvcc's code. nvcc loads three of four words as
 * four; here they stay three loads, since the fourth word may be uninitialised or out of bounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "merge.h"

enum { PENDING = 512 }; /* most accesses of a block that are considered together */

const char *header;
bool in_kernel;

/* ---- accesses of a block ---- */

static struct access {
    int at; /* line */
    bool store, done;
    struct slice type, pointer, value; /* value: what a store stores, or the name a load defines */
    const char *place;                 /* ", !dbg !5", or NULL */
    long bytes, declared;              /* declared: the instruction's "align", in bytes */
    struct address address;
} pending[PENDING];
static int pending_count, merged;

/* Reads "load T, T* %p, align 4, !dbg !7" or "store T %v, T* %p, align 4"; false if the line is
 * neither. x->bytes is 0 if T is not a number. */
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

bool is_alone(struct slice name)
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

/* True if the accesses certainly touch different bytes. */
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

/* True if access i can move to the place of access k. */
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

static void replace_line(int at, char *by) { line[at] = by; /* slices still point into the old */ }

/* Merges the accesses group[0..n-1], which are in the order of their addresses. */
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
        } else { /* the merged load stands before its first element's extraction */
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

/* True if group[0..n-1] can move to the group's first load or last store. */
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

/* Merges accesses within a row: those of one base, kind and size, in the order of addresses. */
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
            /* nvcc loads three of four words as four. */
            for (int k = 0; k < count && want == 4 && count == 3 && !x->store && by_place; k++)
                mark_access(line[pending[group[k]].at], DIFFERS_BY_NEIGHBOURS);
            if (!x->done && aligned && count == want && can_be_one(group, count, by_place)) {
                make_one(group, count);
                break;
            }
        }
    }
}

/* Replaces a load by an earlier one's value if nothing between them may change the memory. */
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

/* Merges the pending accesses, which have no call or branch between them. */
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

/* True for calls that touch no memory and order nothing. */
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

/* If line i begins a check of guard (a branch around calls that report a fault), the line of the
 * label behind the check; else i. */
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
    const char *before = strstr(line[k], "preds = "); /* must be this block and the calls' block */
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
    /* Metadata lines stand behind all functions. */
    for (int i = lines - 1; i >= 0 && !is && note && line[i][0] != '}'; i--)
        is = line[i][0] == '!' && strstr(line[i], note);
    free(note);
    return is;
}

void begin_function(int from, int to)
{
    header = line[from - 1];
    in_kernel = is_kernel(header);
    read_values(from, to);
}

static void merge_function(int from, int to)
{
    begin_function(from, to);
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

/* ---- the module ---- */

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
    each_function(split_function);
    each_function(narrow_function);
    for (int i = 0; i < lines; i++) {
        checks &= !starts_with(line[i], "declare void @cpucc_guard_aligned(");
        addf(&again, "%s\n", line[i]);
    }
    if (checks)
        add(&again, "declare void @cpucc_guard_aligned(i64, i64)\n");
    read_lines(again.p);
    read_variables();
    read_marks();
    each_function(merge_function);
    struct text merged_text = {0};
    for (int i = 0; i < lines; i++)
        addf(&merged_text, "%s\n", line[i]);
    read_lines(merged_text.p);
    prepare_marks();
    each_function(find_marks);
    const char *places = write_marks();
    for (int i = 0; i < lines; i++)
        if (fputs(line[i], stdout) == EOF || putchar('\n') == EOF)
            return 1;
    if (fputs(places, stdout) == EOF)
        return 1;
    return fflush(stdout) != 0;
}
