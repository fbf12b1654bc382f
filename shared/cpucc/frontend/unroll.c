/*
 * unroll: says which loops are to be unrolled, and how far, as nvcc's compiler does.
 *
 *     unroll < device.ll > marked.ll
 *
 * Works on the optimised module for the GPU, in which only loops with a pragma have been unrolled, and
 * gives loops metadata (llvm.loop.unroll.full or .count) that clang then follows. The decision is made
 * here, so that counts do not depend on which clang is installed. Exit status 3: there is nothing to
 * unroll, and nothing was written. 5: nothing to unroll, but there are notes. 4: to be called once more with what clang has made of it, since
 * loops inside of unrolled ones may have got a known number of rounds.
 *
 * The rules were found by looking at what nvcc 13.0 makes of loops of 2 to 512 rounds with 36 bodies
 * (shared/cpucc/tests/unrolling.sh). The size of a body is the number of its instructions: of addresses
 * (one for each access), loads and stores, arithmetic, and the step of the loop's variable, not of the
 * test of its end. Accesses of arrays in local memory are free: they become registers.
 *
 *   whole     if rounds x size is at most 400
 *   in part   the largest power of two that divides the rounds, by which the size stays below 175; for
 *             loops that contain no others
 *   then whole  if copies' addresses, now sums of one and a number, make that at most 400
 *
 *   by 4 or 2   if the rounds are known before the loop at run time, by a power of two a round, and copies are
 *           at most 200; the rounds that are left over have a loop of their own
 *
 * A loop's size counts the copies of those that it contains, without what is a number in them or stays the
 * same from round to round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "unroll.h"

enum {
    WHOLE = 400,     /* instructions of a loop that is unrolled as a whole */
    PART = 175,      /* of one that is unrolled in part */
    LARGE_PART = 90, /* of one that is then looked at again */
    COUNTED = 200    /* of one whose rounds are counted at run time */
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

/* The loop is to be unrolled so often, or one of the above. */
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
 * For nvcc a signed variable does not overflow, so one that a loop counts up from a number is never
 * negative. Where the end is tested without sign ("i < gridDim.x"), clang forgets that; without it, what
 * the variable is an index of could be anything.
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

/* Sizes are counted in instructions, of which nvcc may have a few more or less. */
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
        /* For nvcc a signed variable does not overflow, so that "i <= n" ends. */
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
 * In the copies of a loop that is unrolled as a whole, an inner one that ends where the outer variable
 * says ends after a known number of rounds. Then this is to be decided too, and what was decided stays.
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
