/*
 * Exercises with "// operation: layout": the learner writes a layout in the notation of
 * shared/layout, in a line "// answer: LAYOUT". Goals, one per line:
 *
 *   // goal: layout shape SHAPE          the answer has this shape, in the same notation
 *   // goal: layout places N             it maps its elements one to one to the offsets 0 to N - 1
 *   // goal: layout free OPTIONS         `layout banks` with these options finds no conflict
 *   // goal: layout same LAYOUT          it gives every element the offset that LAYOUT gives it
 *   // goal: layout after A same LAYOUT  the answer followed by A does so (A maps the answer's offset)
 */
#include "checker.h"

/* Runs the program `layout` (shared/layout). */
static Outcome ask(const char *work, char *const arguments[])
{
    static const char *const environment[] = {"LC_ALL=C", NULL};
    return run_limited(arguments, environment, work, 10, 500, 1 << 20);
}

/* Sets offset[i] to the offset of element at[i] (of element i if `at` is NULL) for i < n; false if the
 * layout lacks one of these elements. */
static bool offsets_at(const char *work, const char *layout, const long *at, int n, long *offset)
{
    char **arguments = allocate(NULL, ((size_t)n + 4) * sizeof *arguments), *line;
    arguments[0] = format("%s/layout", settings.tools);
    arguments[1] = "map";
    arguments[2] = (char *)layout;
    for (int i = 0; i < n; i++)
        arguments[3 + i] = format("%ld", at ? at[i] : i);
    arguments[3 + n] = NULL;
    Outcome o = ask(work, arguments);
    int found = 0;
    for (const char *p = text_of(&o.output); found < n && (line = next_line(&p)); free(line))
        offset[found++] = atol(line);
    free(arguments);
    return o.how == ENDED && o.code == 0 && found == n;
}

/* Sets the offsets of the elements 0 to n - 1; false if the layout has fewer. */
static bool offsets(const char *work, const char *layout, int n, long *offset)
{
    return offsets_at(work, layout, NULL, n, offset);
}

static bool is_of_shape(const char *shown_as, const char *shape, Verdict *v)
{
    const char *line = shown_as, *next = shown_as;
    char *p;
    while ((p = next_line(&next)))
        line = p;
    char *copy = format("%s", line), *mark;
    while ((mark = strstr(copy, " o ")))
        copy = mark + 3;
    copy[strcspn(copy, ":")] = 0;
    if (!strcmp(copy, shape))
        return true;
    decide(v, UNSOLVED, "goals", "your layout has the shape %s; %s is asked for", copy, shape);
    return false;
}

static bool has_places(const char *work, const char *answer, int n, Verdict *v)
{
    long *offset = calloc((size_t)n + 1, sizeof *offset);
    char *taken = calloc((size_t)n + 1, 1);
    int different = 0;
    if (!offset || !taken)
        stop(1, "out of memory");
    if (!offsets(work, answer, n, offset)) {
        decide(v, UNSOLVED, "goals", "your layout has fewer than %d elements", n);
        return false;
    }
    for (int i = 0; i < n; i++)
        if (offset[i] >= 0 && offset[i] < n && !taken[offset[i]])
            taken[offset[i]] = 1, different++;
    if (different < n)
        decide(
            v, UNSOLVED, "goals",
            "your layout puts its elements into %d different places below %d; %d are needed, one "
            "for each",
            different, n, n);
    return different == n;
}

static bool is_free(const char *work, const char *answer, const char *options, Verdict *v)
{
    char *arguments[32] = {format("%s/layout", settings.tools), "banks", (char *)answer}, *line;
    int n = 3, follow = 0;
    for (char *p = strtok(format("%s", options), " "); p && n < 31; p = strtok(NULL, " "))
        arguments[n++] = p;
    Outcome o = ask(work, arguments);
    struct text conflicts = {NULL, 0, 0};
    if (o.how == ENDED && o.code == 2) { /* for example, it splits a vector */
        decide(v, UNSOLVED, "goals", "no access is possible with `layout banks %s`:\n%.300s",
               options, text_of(&o.output));
        return false;
    }
    if (o.how != ENDED || o.code)
        stop(1, "layout banks failed: %s", text_of(&o.output));
    for (const char *p = text_of(&o.output); (line = next_line(&p)); free(line)) {
        bool access = starts_with(line, "access");
        if (access && !matches(line, "with conflicts 0$"))
            follow = 2;
        if (follow-- > 0)
            addf(&conflicts, "\n    %.120s", line);
    }
    if (conflicts.n)
        decide(v, UNSOLVED, "goals", "your layout leaves bank conflicts:%s", conflicts.p);
    return !conflicts.n;
}

enum { MOST = 65536 };

/* Returns the number of elements of a layout, at most MOST. */
static int size_of(const char *work, const char *layout)
{
    static long offset[MOST];
    int n = 1;
    while (n <= MOST / 2 && offsets(work, layout, 2 * n, offset))
        n *= 2;
    for (int step = n / 2; step; step /= 2)
        if (n + step <= MOST && offsets(work, layout, n + step, offset))
            n += step;
    return n;
}

/* Sets the offsets of an answer; returns false and sets *v unless it has exactly n elements. */
static bool answered(const char *work, const char *answer, int n, long *offset, Verdict *v)
{
    static long more[MOST + 1];
    bool long_enough = offsets(work, answer, n, offset);
    if (long_enough && !offsets(work, answer, n + 1, more))
        return true;
    decide(v, UNSOLVED, "goals", "your layout has %s than the %d elements that are asked for",
           long_enough ? "more" : "fewer", n);
    return false;
}

static bool is_same(const char *work, const char *answer, const char *other, Verdict *v)
{
    static long a[MOST], b[MOST];
    int n = size_of(work, other);
    offsets(work, other, n, b);
    if (!answered(work, answer, n, a, v))
        return false;
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) {
            decide(v, UNSOLVED, "goals",
                   "your layout puts element %d at offset %ld; it belongs at %ld", i, a[i], b[i]);
            return false;
        }
    return true;
}

/* Checks the goal "after A same LAYOUT"; `goal` is the text behind "after". */
static bool is_after(const char *work, const char *answer, const char *goal, Verdict *v)
{
    static long number[MOST], a[MOST], b[MOST];
    const char *same = strstr(goal, " same ");
    if (!same)
        stop(1, "a goal that cannot be read: layout after %s", goal);
    char *first = format("%.*s", (int)(same - goal), goal);
    const char *other = same + strlen(" same ");
    int n = size_of(work, other), elements = size_of(work, first);
    offsets(work, other, n, b);
    if (!answered(work, answer, n, number, v))
        return false;
    for (int i = 0; i < n; i++)
        if (number[i] < 0 || number[i] >= elements) {
            decide(v, UNSOLVED, "goals",
                   "your layout takes %d to element %ld of %s, which has elements 0 to %d", i,
                   number[i], first, elements - 1);
            return false;
        }
    offsets_at(work, first, number, n, a);
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) {
            decide(v, UNSOLVED, "goals",
                   "your layout takes %d to element %ld of %s, which lies at offset %ld; offset "
                   "%ld is asked for",
                   i, number[i], first, a[i], b[i]);
            return false;
        }
    return true;
}

void check_layout(const Assignment *assignment, const char *answer, const char *name,
                  const char *work, Verdict *v)
{
    char *line, *layout = NULL;
    for (const char *p = answer; !layout && (line = next_line(&p)); free(line))
        if (starts_with(line, "// answer:"))
            layout = format("%s", line + 10 + strspn(line + 10, " "));
    if (layout && strstr(layout, "//"))
        *strstr(layout, "//") = 0;
    if (!layout || !*layout) {
        decide(
            v, UNSOLVED, "no_answer",
            "the line \"// answer: ...\" is missing; ./run_all.sh --exercises --reset %s brings it "
            "back",
            name);
        return;
    }
    char *arguments[] = {format("%s/layout", settings.tools), "show", layout, NULL};
    Outcome o = ask(work, arguments);
    if (*layout == '-' || o.how != ENDED || o.code) {
        decide(v, UNSOLVED, "bad_answer",
               "the layout program does not understand the answer:\n%.300s", text_of(&o.output));
        return;
    }
    for (const char *p = text_of(&assignment->goals); (line = next_line(&p)); free(line)) {
        char *goal = strstr(line, "goal: layout ");
        if (!goal)
            continue;
        goal += strlen("goal: layout ");
        char *rest = goal + strcspn(goal, " ");
        rest += strspn(rest, " ");
        bool good = starts_with(goal, "shape ")    ? is_of_shape(text_of(&o.output), rest, v)
                    : starts_with(goal, "places ") ? has_places(work, layout, atoi(rest), v)
                    : starts_with(goal, "free ")   ? is_free(work, layout, rest, v)
                    : starts_with(goal, "same ")   ? is_same(work, layout, rest, v)
                    : starts_with(goal, "after ")  ? is_after(work, layout, rest, v)
                                                   : (stop(1, "unknown goal: %s", line), false);
        if (!good)
            return;
    }
    decide(v, SOLVED, "solved", "%s", "");
}
