/*
 * unroll: says which loops are to be unrolled, and how far, as nvcc's compiler does.
 *
 *     unroll < device.ll > marked.ll
 *
 * Works on the optimised module for the GPU, in which only loops with a pragma have been unrolled, and
 * gives loops metadata (llvm.loop.unroll.full or .count) that clang then follows. The decision is made
 * here, so that counts do not depend on which clang is installed. Exit status 3: there is nothing to
 * unroll, and nothing was written.
 *
 * The rules were found by looking at what nvcc 13.0 makes of loops of 2 to 512 rounds with 36 bodies
 * (shared/tests/cpucc/unrolling.sh). The size of a body is the number of its instructions: of addresses
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
#include "merge.h"

enum {
    WHOLE = 400,       /* instructions of a loop that is unrolled as a whole */
    PART = 175,        /* of one that is unrolled in part */
    LARGE_PART = 90,   /* of one that is then looked at again */
    COUNTED = 200,     /* of one whose rounds are counted at run time */
    MOST_ROUNDS = 4096 /* what takes more is not counted */
};

static struct block {
    struct slice name;
    int from, last; /* its first line, and the first of its terminator */
    int *next, nexts;
    int *before, befores;
    int order, dominator; /* place in reverse postorder, -1: never reached */
    bool checks;          /* calls of cpucc_guard_*, which stand for no code of the GPU */
} * blocks;
static int block_count, *ordered, ordered_count;

static struct loop {
    int head, latch, count;
    bool *has;   /* blocks */
    long copies; /* of the body, as decided; all rounds if whole */
    bool whole;
} * loops;
static int loop_count;

static char *behaves; /* by line of the function, see behaviour */
static int first_line, last_line;

static struct text notes; /* the metadata that is added */
static int notes_next, marked;

/* ---- blocks ---- */

static const char *instruction(int i, struct slice *name)
{
    const char *p = line[i] + 2;
    *name = (struct slice){NULL, 0};
    if (*p == '%') {
        size_t n = 1 + name_length(p + 1);
        if (starts_with(p + n, " = ")) {
            *name = (struct slice){p, n};
            return p + n + 3;
        }
    }
    return p;
}

static bool terminates(const char *p)
{
    return starts_with(p, "br ") || starts_with(p, "switch ") || starts_with(p, "ret ") ||
           starts_with(p, "unreachable") || starts_with(p, "indirectbr ");
}

static int block_of(struct slice name)
{
    for (int i = 0; i < block_count; i++)
        if (blocks[i].name.n == name.n && !memcmp(blocks[i].name.p, name.p, name.n))
            return i;
    return -1;
}

static void link_blocks(int a, int b)
{
    struct block *x = &blocks[a], *y = &blocks[b];
    x->next = allocate(x->next, sizeof *x->next * (size_t)(x->nexts + 1));
    x->next[x->nexts++] = b;
    y->before = allocate(y->before, sizeof *y->before * (size_t)(y->befores + 1));
    y->before[y->befores++] = a;
}

static void read_blocks(int from, int to)
{
    block_count = 0;
    for (int i = from; i < to; i++) {
        size_t n = name_length(line[i]);
        bool label = n && line[i][n] == ':';
        if (!label && (block_count || line[i][0] != ' '))
            continue;
        blocks = allocate(blocks, sizeof *blocks * (size_t)(block_count + 1));
        blocks[block_count++] = (struct block){
            .name = {line[i], label ? n : 0}, .from = i + label, .last = to, .order = -1};
    }
    for (int b = 0; b < block_count; b++) {
        int end = b + 1 < block_count ? blocks[b + 1].from - 1 : to;
        bool inside = false;
        for (int i = blocks[b].from; i < end; i++) {
            struct slice name;
            if (!inside && !(line[i][0] == ' ' && terminates(instruction(i, &name))))
                continue;
            if (!inside)
                blocks[b].last = i;
            inside = true; /* a switch goes on in further lines */
            for (const char *p = line[i]; (p = strstr(p, "label %")); p++) {
                int to_block = block_of((struct slice){p + 7, name_length(p + 7)});
                if (to_block >= 0)
                    link_blocks(b, to_block);
            }
        }
    }
}

static void visit(int b)
{
    blocks[b].order = 0;
    for (int i = 0; i < blocks[b].nexts; i++)
        if (blocks[blocks[b].next[i]].order < 0)
            visit(blocks[b].next[i]);
    ordered[ordered_count++] = b;
}

static int common(int a, int b)
{
    while (a != b) {
        while (blocks[a].order > blocks[b].order)
            a = blocks[a].dominator;
        while (blocks[b].order > blocks[a].order)
            b = blocks[b].dominator;
    }
    return a;
}

static void find_dominators(void)
{
    ordered = allocate(ordered, sizeof *ordered * (size_t)block_count);
    ordered_count = 0;
    visit(0);
    for (int i = 0; i < ordered_count / 2; i++) {
        int swap = ordered[i];
        ordered[i] = ordered[ordered_count - 1 - i], ordered[ordered_count - 1 - i] = swap;
    }
    for (int i = 0; i < ordered_count; i++)
        blocks[ordered[i]].order = i, blocks[ordered[i]].dominator = -1;
    blocks[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 1; i < ordered_count; i++) {
            struct block *x = &blocks[ordered[i]];
            int by = -1;
            for (int k = 0; k < x->befores; k++) {
                int p = x->before[k];
                if (blocks[p].order >= 0 && blocks[p].dominator >= 0)
                    by = by < 0 ? p : common(p, by);
            }
            changed |= by != x->dominator;
            x->dominator = by;
        }
    }
}

static bool dominates(int a, int b)
{
    while (blocks[b].order > blocks[a].order)
        b = blocks[b].dominator;
    return a == b;
}

/* ---- loops ---- */

static void spread(struct loop *l, int b)
{
    if (l->has[b])
        return;
    l->has[b] = true;
    l->count++;
    for (int i = 0; i < blocks[b].befores; i++)
        if (blocks[blocks[b].before[i]].order >= 0)
            spread(l, blocks[b].before[i]);
}

static int by_count(const void *a, const void *b)
{
    const struct loop *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? -1 : 1) : x->head - y->head;
}

/* Loops with one way back; inner ones first. */
static void find_loops(void)
{
    for (int i = 0; i < loop_count; i++)
        free(loops[i].has);
    loop_count = 0;
    for (int h = 0; h < block_count; h++) {
        int latch = -1, ways = 0;
        for (int i = 0; i < blocks[h].befores && blocks[h].order >= 0; i++) {
            int b = blocks[h].before[i];
            if (blocks[b].order >= 0 && dominates(h, b))
                latch = b, ways++;
        }
        if (ways != 1)
            continue;
        loops = allocate(loops, sizeof *loops * (size_t)(loop_count + 1));
        struct loop *l = &loops[loop_count++];
        *l = (struct loop){h, latch, 1, allocate(NULL, sizeof(bool) * (size_t)block_count),
                           1, false};
        memset(l->has, 0, sizeof(bool) * (size_t)block_count);
        l->has[h] = true;
        spread(l, latch);
    }
    if (loop_count)
        qsort(loops, (size_t)loop_count, sizeof *loops, by_count);
}

/* ---- how often ---- */

/* "add nuw nsw i32 %x, 4": the value of x after it. */
static bool step(const char *d, long *x, struct slice *of)
{
    struct slice part[2];
    long n;
    if (!d || operands(d, part) < 2 || !number_in(part[1], &n))
        return false;
    *of = value_in(part[0]);
    if (starts_with(d, "add "))
        *x += n;
    else if (starts_with(d, "sub "))
        *x -= n;
    else if (starts_with(d, "mul "))
        *x *= n;
    else if (starts_with(d, "shl ") && n >= 0 && n < 63)
        *x = (long)((unsigned long)*x << n);
    else if ((starts_with(d, "lshr ") || starts_with(d, "ashr ")) && n >= 0 && n < 63)
        *x >>= n;
    else
        return false;
    return true;
}

static long cut(long x, int bits, bool is_signed)
{
    if (bits >= 64)
        return x;
    unsigned long u = (unsigned long)x & ((1ul << bits) - 1);
    return is_signed && u >> (bits - 1) & 1 ? (long)u - (1l << bits) : (long)u;
}

static bool holds(const char *relation, long x, long y, int bits)
{
    bool is_signed = *relation == 's';
    x = cut(x, bits, is_signed), y = cut(y, bits, is_signed);
    if (starts_with(relation, "eq "))
        return x == y;
    if (starts_with(relation, "ne "))
        return x != y;
    int order = is_signed || bits < 64
                    ? (x > y) - (x < y)
                    : ((unsigned long)x > (unsigned long)y) - ((unsigned long)x < (unsigned long)y);
    return relation[1] == 'l' ? order < (relation[2] == 'e') : order > -(relation[2] == 'e');
}

/* What the variable "%i = phi i32 [ 0, %entry ], [ %next, %latch ]" begins with and becomes. */
static bool variable(const char *d, struct slice latch, long *start, struct slice *next)
{
    int found = 0;
    for (const char *p = d ? strchr(d, '[') : NULL; p && found < 3; p = strchr(p + 1, '[')) {
        const char *end = closing(p);
        struct slice part[2];
        if (!end || split((struct slice){p + 1, (size_t)(end - p - 1)}, part, 2) < 2)
            return false;
        if (part[1].n == latch.n + 1 && !memcmp(part[1].p + 1, latch.p, latch.n))
            *next = part[0], found |= 1;
        else if (number_in(part[0], start))
            found = found & 2 ? 4 : found | 2;
        else
            return false;
        p = end;
    }
    return found == 3;
}

/* How many rounds the loop makes, if that is known and the block `at` decides; else 0. */
static int rounds_by(const struct loop *l, int at)
{
    struct slice name, part[3], side[2], next, of;
    const char *p = instruction(blocks[at].last, &name);
    if (!starts_with(p, "br i1 ") || split(slice_of(p + 3), part, 3) < 3)
        return 0;
    struct slice stays = value_in(part[1]);
    stays.p++, stays.n--;
    int into = block_of(stays);
    bool while_true = into >= 0 && l->has[into];
    const char *test = definition_of(value_in(part[0])), *phi;
    if (test && starts_with(test, "phi i1 [ ")) { /* the test of a loop of two rounds */
        char *again = format("[ %s, %%%.*s ]", while_true ? "false" : "true",
                             (int)blocks[l->latch].name.n, blocks[l->latch].name.p);
        bool two = at == l->latch && strstr(test, again) &&
                   strstr(test, while_true ? "[ true, " : "[ false, ");
        free(again);
        return two ? 2 : 0;
    }
    if (!test || !starts_with(test, "icmp "))
        return 0;
    test += strlen("icmp ");
    if (starts_with(test, "samesign "))
        test += strlen("samesign ");
    const char *type = strchr(test, ' ') + 1;
    long bound, start = 0, unused = 0;
    int bits = *type == 'i' ? atoi(type + 1) : 0;
    if (bits < 8 || bits > 64 || split(slice_of(strchr(type, ' ') + 1), side, 2) < 2 ||
        !number_in((struct slice){side[1].p, strcspn(side[1].p, " ,")}, &bound))
        return 0;
    /* What is tested: the variable, or what it becomes. */
    phi = definition_of(side[0]);
    bool after = phi && !starts_with(phi, "phi ");
    if (after) {
        if (!step(phi, &unused, &of))
            return 0;
        phi = definition_of(of);
    }
    if (!phi || !starts_with(phi, "phi ") || !variable(phi, blocks[l->latch].name, &start, &next))
        return 0;
    const char *grows = definition_of(next), *tested = definition_of(side[0]);
    long x = start;
    for (int rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
        long seen = x;
        if (after)
            step(tested, &seen, &of);
        if (holds(test, seen, bound, bits) != while_true)
            return at == l->latch ? rounds : rounds - 1;
        if (!step(grows, &x, &of) || definition_of(of) != phi)
            return 0;
        x = cut(x, bits, true);
    }
    return 0;
}

static int rounds_of(const struct loop *l)
{
    int rounds = blocks[l->latch].nexts == 2 ? rounds_by(l, l->latch) : 0;
    return rounds || l->head == l->latch || blocks[l->latch].nexts != 1 ? rounds
                                                                        : rounds_by(l, l->head);
}

/* Whether value does not change in the loop. */
static bool is_fixed_in(const struct loop *l, struct slice value)
{
    long n;
    int at = line_of(value);
    if (number_in(value, &n))
        return true;
    for (int b = 0; b < block_count && at >= 0; b++)
        if (l->has[b] && at >= blocks[b].from && at < blocks[b].last)
            return false;
    return *value.p == '%';
}

/* Whether the number of rounds is known before the loop, without a division: its end is the only way
 * out, and a variable that grows by a power of two is compared with what does not change. *grown: the
 * line where it grows, if it is a signed number, or -1. */
static bool can_be_counted(const struct loop *l, int *grown)
{
    struct slice name, part[3], side[2], of;
    const char *p = instruction(blocks[l->latch].last, &name);
    for (int b = 0; b < block_count; b++)
        for (int i = 0; l->has[b] && b != l->latch && i < blocks[b].nexts; i++)
            if (!l->has[blocks[b].next[i]])
                return false;
    if (!starts_with(p, "br i1 ") || split(slice_of(p + 3), part, 3) < 3)
        return false;
    const char *test = definition_of(value_in(part[0]));
    if (!test || !starts_with(test, "icmp ") || split(slice_of(test), side, 2) < 2)
        return false;
    bool is_signed = test[strlen("icmp ")] == 's';
    side[0] = value_in(side[0]);
    for (int i = 0; i < 2; i++) {
        const char *d = definition_of(side[i]);
        long step_by = 0;
        if (!d || !is_fixed_in(l, side[1 - i]))
            continue;
        if (starts_with(d, "add ") && step(d, &step_by, &of))
            d = definition_of(of);
        if (!d || !starts_with(d, "phi ") || line_of(side[i]) < 0)
            continue;
        const char *from = strstr(d, "[");
        for (; from; from = strchr(from + 1, '[')) {
            struct slice in[2];
            const char *end = closing(from);
            if (!end || split((struct slice){from + 1, (size_t)(end - from - 1)}, in, 2) < 2)
                break;
            const char *grows = definition_of(in[0]);
            step_by = 0;
            if (in[1].n == blocks[l->latch].name.n + 1 &&
                !memcmp(in[1].p + 1, blocks[l->latch].name.p, in[1].n - 1) && grows &&
                starts_with(grows, "add ") && step(grows, &step_by, &of) &&
                definition_of(of) == d && step_by) {
                step_by = step_by < 0 ? -step_by : step_by;
                *grown = is_signed ? line_of(in[0]) : -1;
                return (step_by & (step_by - 1)) == 0;
            }
        }
    }
    return false;
}

/* ---- how large ---- */

/* What is known of a value from round to round of the loop: it may differ; it grows by a number each round;
 * it is a multiple of the loop's variable by what is no number. In copies what does not differ is
 * computed before the loop, or is a number. */
enum { SAME = 0, DIFFERS = 1, GROWS = 3, MULTIPLE = 5 };

enum place { SOMEWHERE, LOCAL, IN_SHARED };

/* Whether a pointer leads to an array in local memory, or into shared memory. */
static enum place leads_to(struct slice pointer, int depth)
{
    const char *d = definition_of(value_in(pointer));
    struct slice part[3];
    if (find_word(pointer.p, "addrspace(3)") &&
        find_word(pointer.p, "addrspace(3)") < pointer.p + pointer.n)
        return IN_SHARED;
    if (!d || depth > 8)
        return SOMEWHERE;
    if (starts_with(d, "alloca "))
        return LOCAL;
    if (starts_with(d, "bitcast ") || starts_with(d, "addrspacecast ")) {
        const char *to = find_word(d, " to ");
        return to ? leads_to((struct slice){d, (size_t)(to - d)}, depth + 1) : SOMEWHERE;
    }
    return starts_with(d, "getelementptr ") && split(slice_of(d), part, 3) >= 2
               ? leads_to(part[1], depth + 1)
               : SOMEWHERE;
}

static bool is_check(struct slice name)
{
    int b = block_of(name);
    return b >= 0 && blocks[b].checks;
}

/* Whether a pointer grows by a number each round. */
static bool grows(struct slice pointer)
{
    int at = line_of(value_in(pointer));
    return at < first_line || behaves[at - first_line] == GROWS;
}

/* *folded: in half instructions, where the address is one of a copy before and a number. */
static long size_of_instruction(const char *p, long *folded)
{
    static const char *const free_ones[] = {
        "phi ",           "bitcast ", "addrspacecast ",  "ptrtoint ",      "inttoptr ", "alloca ",
        "getelementptr ", "trunc ",   "extractvalue ",   "insertvalue ",   "freeze ",   "fence ",
        "icmp ",          "#dbg_",    "extractelement ", "insertelement ", NULL};
    struct slice part[3], from;
    *folded = 0;
    for (int i = 0; free_ones[i]; i++)
        if (starts_with(p, free_ones[i]))
            return 0;
    *folded = 2;
    if (converts(p, &from)) { /* of an index; a variable may have 64 bits from the start */
        const char *d = definition_of(from);
        return d && !starts_with(d, "phi ");
    }
    if (starts_with(p, "load ") || starts_with(p, "store ")) {
        enum place at = split(slice_of(p), part, 3) >= 2 ? leads_to(part[1], 0) : SOMEWHERE;
        *folded = at == LOCAL ? 0 : !grows(part[1]) ? 4 : at == IN_SHARED ? 3 : 5;
        return at == LOCAL ? 0 : 2;
    }
    const char *call = find_call(p);
    if (call && call < p + 12)
        return !strstr(p, "@cpucc_guard_") && !strstr(p, "@llvm.dbg.") &&
               !strstr(p, "@llvm.lifetime.") && !strstr(p, "@llvm.nvvm.read.") &&
               !strstr(p, "@llvm.assume") && !strstr(p, "@llvm.experimental.noalias");
    return 1;
}

/* How often block b is copied by what is decided about loops inside of l; *whole: one of them is
 * unrolled as a whole. */
static long copies_in(const struct loop *l, int b, bool *whole)
{
    long copies = 1;
    *whole = false;
    for (const struct loop *in = loops; in < l; in++)
        if (in->copies > 1 && in->has[b] && l->has[in->head]) {
            copies *= in->copies;
            *whole |= in->whole;
        }
    return copies;
}

/* Whether the phi of line i is the variable of a loop that is unrolled as a whole, so that copies have
 * numbers in its place. */
static bool becomes_number(const char *phi, int b)
{
    long start;
    struct slice next;
    for (int i = 0; i < loop_count; i++)
        if (loops[i].whole && loops[i].head == b)
            return variable(phi, blocks[loops[i].latch].name, &start, &next);
    return false;
}

static int behaviour(const char *p, int b, const struct loop *l)
{
    static const char *const linear[] = {
        "add ",   "sub ",           "or ",      "mul ",           "shl ", "zext ", "sext ",
        "trunc ", "getelementptr ", "bitcast ", "addrspacecast ", NULL};
    long start;
    struct slice next;
    bool is_linear = false, is_fixed = true;
    int all = SAME, seen = 0;
    if (starts_with(p, "phi ")) {
        if (b == l->head)
            return variable(p, blocks[l->latch].name, &start, &next) ? GROWS : DIFFERS;
        return becomes_number(p, b) ? SAME : DIFFERS;
    }
    if (starts_with(p, "load ") || (find_call(p) && find_call(p) < p + 12) ||
        starts_with(p, "atomicrmw ") || starts_with(p, "cmpxchg "))
        return DIFFERS;
    for (int i = 0; linear[i]; i++)
        is_linear |= starts_with(p, linear[i]);
    bool multiplies = starts_with(p, "mul ") || starts_with(p, "shl ");
    for (const char *o = strchr(p, '%'); o; o = strchr(o + 1, '%')) {
        int at = line_of((struct slice){o, 1 + name_length(o + 1)});
        int is = at >= 0 ? behaves[at - first_line] : SAME;
        is_linear &= is == SAME || is == GROWS;
        all |= is;
        seen++;
    }
    if (all == SAME)
        return SAME;
    is_fixed = !multiplies || seen == 1;
    return !is_linear ? DIFFERS : is_fixed ? GROWS : MULTIPLE;
}

/* A branch that decides something, and not only whether a loop goes on that is unrolled. */
static bool decides(int b, const struct loop *l)
{
    struct slice part[3];
    const char *p = line[blocks[b].last];
    if (!starts_with(p, "  br i1 ") || split(slice_of(p + 5), part, 3) < 3)
        return false;
    struct slice yes = value_in(part[1]), no = value_in(part[2]);
    yes.p++, yes.n--, no.p++, no.n--;
    if (is_check(yes) || is_check(no))
        return false;
    for (const struct loop *in = loops; in <= l; in++)
        if ((in == l || in->copies > 1) &&
            b == (blocks[in->latch].nexts == 2 ? in->latch : in->head))
            return false;
    return true;
}

/* The instructions of a loop's body; *again: once it is unrolled in part. */
static long size_of_loop(const struct loop *l, long *again)
{
    long size = 0, halves = 0, folded;
    bool multiple = false;
    memset(behaves, 0, (size_t)(last_line - first_line));
    for (int k = 0; k < ordered_count; k++) {
        int b = ordered[k];
        if (!l->has[b])
            continue;
        bool whole;
        long copies = copies_in(l, b, &whole);
        for (int i = blocks[b].from; i < blocks[b].last; i++) {
            struct slice name;
            if (line[i][0] != ' ')
                continue;
            const char *p = instruction(i, &name);
            int is = behaviour(p, b, l);
            behaves[i - first_line] = (char)is;
            multiple |= is == MULTIPLE;
            if (is == SAME && whole && !starts_with(p, "store "))
                continue;
            long one = size_of_instruction(p, &folded);
            size += (is == GROWS && whole ? 1 : copies) * one; /* copies differ by numbers */
            if (is != GROWS)
                halves += copies * (one ? folded : 0);
        }
        size += decides(b, l) ? copies : 0;
        halves += decides(b, l) ? 2 * copies : 0;
    }
    *again = (halves + 1) / 2 - multiple; /* a sum takes the product's place */
    return size;
}

static void find_checks(void)
{
    for (int b = 0; b < block_count; b++)
        for (int i = blocks[b].from; i < blocks[b].last; i++)
            blocks[b].checks |= strstr(line[i], "@cpucc_guard_") && !strstr(line[i], "_aligned(");
}

/* ---- decisions ---- */

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

static void mark(int i, int count)
{
    char *note = strstr(line[i], ", !llvm.loop !");
    int n = notes_next;
    notes_next += 2;
    line[i] = format("%.*s, !llvm.loop !%d",
                     (int)(note ? (size_t)(note - line[i]) : strlen(line[i])), line[i], n);
    if (count)
        addf(&notes, "!%d = distinct !{!%d, !%d}\n!%d = !{!\"llvm.loop.unroll.count\", i32 %d}\n",
             n, n, n + 1, n + 1, count);
    else
        addf(&notes, "!%d = distinct !{!%d, !%d}\n!%d = !{!\"llvm.loop.unroll.full\"}\n", n, n,
             n + 1, n + 1);
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

static void decide(struct loop *l)
{
    int rounds = rounds_of(l), part = 1;
    bool innermost = true;
    if (has_pragma(blocks[l->latch].last))
        return;
    long later, size = size_of_loop(l, &later);
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
        mark(blocks[l->latch].last, 4 * size <= COUNTED ? 4 : 2);
        return;
    }
    while (rounds % (2 * part) == 0 && 2 * part * size < PART)
        part *= 2;
    bool again = 2 * part * size > LARGE_PART && part > 1 && rounds * later <= WHOLE;
    if (rounds * size <= WHOLE || again)
        l->copies = rounds, l->whole = true;
    else if (innermost)
        l->copies = part;
    if (l->copies > 1 || l->whole)
        mark(blocks[l->latch].last, l->whole ? 0 : part);
}

static void unroll_function(int from, int to)
{
    for (int i = 0; i < block_count; i++) {
        free(blocks[i].next);
        free(blocks[i].before);
    }
    read_values(from, to);
    read_blocks(from, to);
    if (!block_count)
        return;
    find_dominators();
    find_loops();
    if (!loop_count)
        return;
    find_checks();
    first_line = from, last_line = to;
    behaves = allocate(behaves, (size_t)(to - from));
    for (int i = 0; i < loop_count; i++)
        decide(&loops[i]);
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
    if (!marked)
        return 3;
    for (int i = 0; i < lines; i++)
        puts(line[i]);
    if (notes.p)
        fputs(notes.p, stdout);
    return fflush(stdout) != 0;
}
