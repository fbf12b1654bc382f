/*
 * Part of merge. Narrows vector loads of which the program uses some elements only, as nvcc does:
 * three or four used elements stay one load, otherwise each gets its own load; merge.c then joins
 * neighbours.
 */
#include <stdlib.h>
#include <string.h>
#include "merge.h"

static struct wide {
    struct slice name, element, pointer;
    int n;         /* elements */
    unsigned used; /* bit mask of the extracted elements */
    bool whole;    /* also used as a whole */
    int at;
} * wides;
static int wide_count;
bool checks;

static struct wide *wide_of(struct slice name)
{
    for (int i = 0; i < wide_count; i++)
        if (wides[i].name.n == name.n && !memcmp(wides[i].name.p, name.p, name.n))
            return &wides[i];
    return NULL;
}

/* Reads "  %x = load <4 x float>, <4 x float>* %p, align 16"; false if the line is no such load. */
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

/* The element that the line extracts from w ("extractelement <4 x float> %x, i32 2"), or -1. */
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

/* Replaces the load w by one load per used element; %narrow.ID.k is element k. */
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
    /* The vector's alignment is still checked. */
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

void narrow_function(int from, int to)
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
