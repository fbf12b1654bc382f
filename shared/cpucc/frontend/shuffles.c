/*
 * Part of guard. Finds shuffles whose result may stay unused, as in `up = __shfl_up_sync(m, v, d);
 * if (lane >= d) v += up;`. The value that a lane gets from a lane that does not take part is
 * undefined in CUDA, so such a shuffle is no fault if the result is only used under a condition.
 */
#include <stdlib.h>
#include <string.h>
#include "guard.h"

enum { MOST_LINES = 4000 };

/* The line of the label that "%if.end" names, or `last`. */
static int label_line(struct slice name, int first, int last)
{
    for (int i = first; i < last; i++)
        if (!strncmp(guard_line[i], name.p + 1, name.n - 1) && guard_line[i][name.n - 1] == ':')
            return i;
    return last;
}

/* True if some path from line i does not load the variable before a store or its life's end. */
static bool escapes_use(int i, int first, int last, const char *pointer, char *seen)
{
    size_t n = strlen(pointer);
    for (; i < last; i++) {
        if (seen[i - first])
            return false;
        seen[i - first] = 1;
        const char *line = guard_line[i], *p = strstr(line, pointer);
        while (p && 1 + name_length(p + 1) != n)
            p = strstr(p + 1, pointer);
        struct instruction x = cut(line);
        if (p && slice_is(x.op, "store"))
            return true;
        if (p && slice_is(x.op, "bitcast") && i + 1 < last &&
            strstr(guard_line[i + 1], "@llvm.lifetime.end"))
            return true;
        if (p && strstr(line, "@llvm.lifetime.end"))
            return true;
        if (p)
            return false;
        if (slice_is(x.op, "ret"))
            return true;
        if (slice_is(x.op, "unreachable"))
            return false;
        bool switches = slice_is(x.op, "switch");
        if (!slice_is(x.op, "br") && !switches)
            continue;
        for (int k = i; k < last; k++) {
            for (p = guard_line[k]; (p = strstr(p, "label %")); p += 7) {
                struct slice to = {p + 6, 1 + name_length(p + 7)};
                if (escapes_use(label_line(to, first, last), first, last, pointer, seen))
                    return true;
            }
            if (!switches || strchr(guard_line[k], ']'))
                break;
        }
        return false;
    }
    return false;
}

bool may_be_unused(int line, int first, int last)
{
    struct instruction call = cut(guard_line[line]), store;
    struct slice part[4];
    if (!slice_is(call.op, "call") || !call.result.n || line + 1 >= last ||
        last - first > MOST_LINES)
        return false;
    store = cut(guard_line[line + 1]);
    if (!slice_is(store.op, "store") || split(store.rest, part, 4) < 2 ||
        operand(part[0]).n != call.result.n ||
        strncmp(operand(part[0]).p, call.result.p, call.result.n) || !into_local(part[1]))
        return false;
    char *pointer = copy_of(operand(part[1])), *seen = calloc((size_t)(last - first), 1);
    if (!seen)
        exit(1);
    bool unused = escapes_use(line + 2, first, last, pointer, seen);
    free(seen);
    free(pointer);
    return unused;
}
