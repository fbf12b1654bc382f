/*
 * unroll: decides which loops to unroll, and how far, as nvcc's compiler does.
 *
 *     unroll < device.ll > marked.ll
 *
 * It reads the optimised module for the GPU, in which only loops with a pragma have been unrolled,
 * and gives loops metadata (llvm.loop.unroll.full or .count) that clang then follows. unroll
 * decides, not clang, so that counts do not depend on the installed clang.
 *
 * Exit status: 0 if loops are to be unrolled. 3: no loops and no notes; nothing was written. 4: as
 * 0, but run unroll again on clang's result, since loops inside unrolled ones may now have a known
 * trip count. 5: no loops, but notes were written. 1: cannot write. 2: wrong arguments.
 *
 * The rules were derived from nvcc 13.0's code for loops of 2 to 512 rounds with 36 different
 * bodies (shared/cpucc/tests/unrolling.sh). The size of a body is the number of its instructions:
 * one address per access, loads and stores, arithmetic, and the step of the loop's variable,
 * without the test of its end. Accesses of arrays in local memory are free: they become registers.
 *
 *   completely  if trip count x size is at most 400
 *   partly      by the largest power of two that divides the trip count and keeps the copies' size
 *               below 175; only innermost loops
 *   completely  after partial unrolling, if trip count x size of a copy is now at most 400, since a
 *               copy's addresses are another copy's plus a constant
 *   by 4 or 2   if the trip count is computed before the loop, the step is a power of two, and the
 *               copies' size is at most 200; a second loop does the remaining rounds
 *
 * A loop's size includes the copies of the loops that it contains, without instructions that become
 * constant or loop invariant in these copies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "unroll.h"

enum {
    WHOLE = 400,     /* most instructions of a loop that is unrolled completely */
    PART = 175,      /* limit for a loop that is unrolled partly */
    LARGE_PART = 90, /* a partly unrolled loop is reconsidered if twice its size exceeds this */
    COUNTED = 200    /* most instructions if the trip count is computed at run time */
};

struct text notes;
static int notes_next, marked;
static bool look_again;

static bool has_pragma(int i)
{
    const char *note = strstr(line[i], "!llvm.loop !");
    if (!note)
        return false;
    char *begins = format("!%d = ", atoi(note + strlen("!llvm.loop !")));
    bool has = false;
    for (int k = lines - 1; k >= 0 && line[k][0] != '}' && !has; k--) {
        if (!starts_with(line[k], begins))
            continue;
        for (const char *p = strchr(line[k] + strlen(begins), '!'); p; p = strchr(p + 1, '!')) {
            char *part = format("!%d = !{!\"llvm.loop.unroll.", atoi(p + 1));
            for (int m = lines - 1; m >= 0 && line[m][0] != '}' && !has; m--)
                has = starts_with(line[m], part);
            free(part);
        }
    }
    free(begins);
    return has;
}

enum { FULL = 0, AS_IT_IS = -1 };

/* Gives the loop metadata: unroll by `count`, FULL (completely) or AS_IT_IS (not at all). */
static void mark(struct loop *l, int count)
{
    int i = blocks[l->latch].last;
    char *note = strstr(line[i], ", !llvm.loop !");
    int n = notes_next;
    notes_next += 2;
    line[i] = format("%.*s, !llvm.loop !%d",
                     (int)(note ? (size_t)(note - line[i]) : strlen(line[i])), line[i], n);
    if (count > 0)
        addf(&notes, "!%d = distinct !{!%d, !%d}\n!%d = !{!\"llvm.loop.unroll.count\", i32 %d}\n",
             n, n, n + 1, n + 1, count);
    else
        addf(&notes, "!%d = distinct !{!%d, !%d}\n!%d = !{!\"llvm.loop.unroll.%s\"}\n", n, n, n + 1,
             n + 1, count == FULL ? "full" : "disable");
    l->marked = true;
    marked++;
}

/*
 * Turns sign extensions of a variable that the loop counts up from a constant >= 0 into zero
 * extensions. For nvcc a signed variable does not overflow, so it is never negative; clang loses
 * that fact if the end is tested unsigned ("i < gridDim.x").
 */
static void never_negative(const struct loop *l)
{
    for (int i = blocks[l->head].from; i < blocks[l->head].last; i++) {
        struct slice name, in[2], of;
        const char *phi = instruction(i, &name);
        bool up = false, from_number = true;
        if (!starts_with(phi, "phi i32 "))
            continue;
        for (const char *from = strchr(phi, '['); from; from = strchr(from + 1, '[')) {
            const char *end = closing(from), *grows;
            long number = -1, by = 0;
            if (!end || split((struct slice){from + 1, (size_t)(end - from - 1)}, in, 2) < 2)
                break;
            if (number_in(in[0], &number))
                from_number &= number >= 0;
            else if ((grows = definition_of(in[0])) && starts_with(grows, "add ") &&
                     step(grows, &by, &of) && definition_of(of) == definition_of(name) && by > 0)
                up = true;
            else
                from_number = false;
        }
        if (!up || !from_number)
            continue;
        char *signs = format("sext i32 %.*s to ", (int)name.n, name.p);
        for (int b = 0; b < block_count; b++)
            for (int k = blocks[b].from; l->has[b] && k < blocks[b].last; k++) {
                char *found = strstr(line[k], signs);
                if (found)
                    *found = 'z';
            }
        free(signs);
    }
}

/* True within 10 % of the limit: nvcc's instruction count may differ by a few. */
static bool near_limit(long size, long limit)
{
    return 10 * size > 9 * limit && 10 * size < 11 * limit;
}

static void decide(struct loop *l)
{
    int rounds = rounds_of(l), part = 1;
    bool innermost = true;
    l->marked = has_pragma(blocks[l->latch].last);
    if (l->marked)
        return;
    long later, size = size_of_loop(l, &later);
    if (sums_in_shared(l))
        mark_loop(l, DIFFERS_BY_SUM, true, &notes_next);
    for (const struct loop *in = loops; in < l; in++)
        innermost &= !l->has[in->head] || in->whole;
    if (rounds < 1) {
        int grown;
        if (!innermost || 2 * size > COUNTED || !can_be_counted(l, &grown))
            return;
        /* For nvcc a signed variable does not overflow, so a loop "i <= n" ends. */
        char *sum = grown >= 0 ? strstr(line[grown], " = add ") : NULL;
        if (sum && !strstr(sum, "nsw "))
            line[grown] =
                format("%.*s = add nsw %s", (int)(sum - line[grown]), line[grown],
                       sum + strlen(starts_with(sum + 7, "nuw ") ? " = add nuw " : " = add "));
        never_negative(l);
        if (lanes_leave_apart(l))
            mark_loop(l, DIFFERS_BY_LANES, false, &notes_next);
        mark(l, 4 * size <= COUNTED ? 4 : 2);
        return;
    }
    while (rounds % (2 * part) == 0 && 2 * part * size < PART)
        part *= 2;
    bool again = 2 * part * size > LARGE_PART && part > 1 && rounds * later <= WHOLE;
    if (rounds * size <= WHOLE || again)
        l->copies = rounds, l->whole = true;
    else if (innermost)
        l->copies = part;
    if (near_limit(rounds * size, WHOLE) && !again)
        mark_loop(l, DIFFERS_BY_UNROLLING, true, &notes_next);
    if (l->copies > 1 || l->whole)
        mark(l, l->whole ? FULL : part);
}

/*
 * Once a loop is unrolled completely, an inner loop whose end depends on the outer variable has a
 * known trip count in each copy, so unroll must run again. Loops that this run leaves are marked as
 * final.
 */
static void decide_later(void)
{
    bool later = false;
    for (int i = 0; i < loop_count; i++)
        for (const struct loop *in = loops; loops[i].whole && in < &loops[i]; in++)
            later |= loops[i].has[in->head] && !in->marked;
    for (int i = 0; later && i < loop_count; i++)
        if (!loops[i].marked && rounds_of(&loops[i]) > 0)
            mark(&loops[i], AS_IT_IS);
    look_again |= later;
}

static void unroll_function(int from, int to)
{
    read_values(from, to);
    if (!read_flow(from, to))
        return;
    measure_function(from, to);
    begin_marks(from, to);
    for (int i = 0; i < loop_count; i++)
        decide(&loops[i]);
    decide_later();
}

int main(int count, char **argument)
{
    char *text = read_file(NULL);
    (void)argument;
    if (count != 1 || !text) {
        fprintf(stderr, "usage: unroll < device.ll > marked.ll\n");
        return 2;
    }
    read_lines(text);
    for (int i = lines - 1; i >= 0 && line[i][0] != '}'; i--)
        if (line[i][0] == '!' && atoi(line[i] + 1) >= notes_next)
            notes_next = atoi(line[i] + 1) + 1;
    each_function(unroll_function);
    bool marks = note_marks();
    if (!marked && !marks)
        return 3;
    for (int i = 0; i < lines; i++)
        puts(line[i]);
    if (notes.p)
        fputs(notes.p, stdout);
    return fflush(stdout) ? 1 : look_again ? 4 : marked ? 0 : 5;
}
