/* Part of unroll. Estimates the size of a loop's body in nvcc's instructions. */
#include <stdlib.h>
#include <string.h>
#include "unroll.h"

static char *behaves; /* for each line of the function: its value's behaviour, see below */
static int first_line, last_line;

/* How a value changes from round to round: not at all (it is computed before the loop), in any way,
 * by a constant step, or as the loop's variable times a value that is not a constant. */
enum { SAME = 0, DIFFERS = 1, GROWS = 3, MULTIPLE = 5 };

enum place leads_to(struct slice pointer, int depth)
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

/* True if the pointer grows by a constant each round. */
static bool grows(struct slice pointer)
{
    int at = line_of(value_in(pointer));
    return at < first_line || behaves[at - first_line] == GROWS;
}

/* The number of instructions that nvcc makes of the line p. *folded: the same, in halves of an
 * instruction, for a copy whose address is another copy's plus a constant. */
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
    if (converts(p, &from)) { /* a conversion of a phi is free: the variable may have 64 bits */
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

/* The number of copies of block b that unrolling of loops inside l makes; *whole: one of these
 * loops is unrolled completely. */
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

/* True if the phi is the variable of a loop that is unrolled completely, so that it is a constant
 * in each copy. */
static bool becomes_number(const char *phi, int b)
{
    long start;
    struct slice next;
    for (int i = 0; i < loop_count; i++)
        if (loops[i].whole && loops[i].head == b)
            return variable(phi, blocks[loops[i].latch].name, &start, &next);
    return false;
}

/* How the value of line p in block b changes from round to round of l. */
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

/* True if block b ends with a branch that is neither a check nor the end of an unrolled loop. */
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

long size_of_loop(const struct loop *l, long *again)
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
            size += (is == GROWS && whole ? 1 : copies) * one; /* GROWS: copies add a constant */
            if (is != GROWS)
                halves += copies * (one ? folded : 0);
        }
        size += decides(b, l) ? copies : 0;
        halves += decides(b, l) ? 2 * copies : 0;
    }
    *again = (halves + 1) / 2 - multiple; /* a sum replaces the product */
    return size;
}

static void find_checks(void)
{
    for (int b = 0; b < block_count; b++)
        for (int i = blocks[b].from; i < blocks[b].last; i++)
            blocks[b].checks |= strstr(line[i], "@cpucc_guard_") && !strstr(line[i], "_aligned(");
}

void measure_function(int from, int to)
{
    find_checks();
    first_line = from, last_line = to;
    behaves = allocate(behaves, (size_t)(to - from));
}
