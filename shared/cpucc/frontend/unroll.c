/*
 * unroll: decides which loops to unroll, and how far, as nvcc's compiler does.
 *
 *     unroll < device.ll > marked.ll
 *
 * It reads the optimised module for the GPU, in which only loops with a pragma have been unrolled,
 * and gives loops metadata (llvm.loop.unroll.full or .count) that clang then follows. unroll
 * decides, not clang, so that counts do not depend on the installed clang.
 *
 * Exit status: 0 if loops are to be unrolled. 3: no loops and no notes; the module is unchanged. 4: as
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
#include "unroll.h"

enum {
    WHOLE = 400,     /* most instructions of a loop that is unrolled completely */
    PART = 175,      /* limit for a loop that is unrolled partly */
    LARGE_PART = 90, /* a partly unrolled loop is reconsidered if twice its size exceeds this */
    COUNTED = 200    /* most instructions if the trip count is computed at run time */
};

static bool marked, noted, look_again;

static bool has_pragma(LLVMValueRef branch)
{
    LLVMMetadataRef id = metadata_of(branch, "llvm.loop");
    for (unsigned k = 1; id && k < operand_count(id); k++) {
        LLVMMetadataRef hint = operand_of(id, k);
        if (LLVMGetMetadataKind(hint) == LLVMMDTupleMetadataKind && operand_count(hint) &&
            string_begins(operand_of(hint, 0), "llvm.loop.unroll."))
            return true;
    }
    return false;
}

enum { FULL = 0, AS_IT_IS = -1 };

/* Gives the loop metadata: unroll by `count`, FULL (completely) or AS_IT_IS (not at all). */
static void mark(struct loop *l, int count)
{
    LLVMValueRef branch = blocks[l->latch].end;
    LLVMSetMetadata(branch, metadata_kind("llvm.loop"), NULL);
    if (count > 0)
        add_loop_hint(branch, "llvm.loop.unroll.count", count);
    else
        add_loop_hint(branch, count == FULL ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable",
                      -1);
    l->marked = marked = true;
}

/* True if the phi is a variable that only counts up from a constant >= 0. */
static bool counts_up(LLVMValueRef phi)
{
    bool up = false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, k), of;
        long n;
        if (is_number(in, &n) ? n < 0 : !adds(in, &n, &of) || of != phi || n <= 0)
            return false;
        up |= !is_number(in, &n);
    }
    return up;
}

/*
 * Turns sign extensions of a variable that the loop counts up from a constant >= 0 into zero
 * extensions. For nvcc a signed variable does not overflow, so it is never negative; clang loses
 * that fact if the end is tested unsigned ("i < gridDim.x").
 */
static void never_negative(const struct loop *l)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(blocks[l->head].block);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        if (LLVMTypeOf(phi) != ir.i32 || !counts_up(phi))
            continue;
        EACH_USE(u, phi)
        {
            LLVMValueRef user = LLVMGetUser(u);
            if (!LLVMIsASExtInst(user) || !is_in(l, user))
                continue;
            build_before(user);
            replace_by(user, LLVMBuildZExt(ir.builder, phi, LLVMTypeOf(user), ""));
        }
    }
}

/* True within 10 % of the limit: nvcc's instruction count may differ by a few. */
static bool near_limit(long size, long limit)
{
    return 10 * size > 9 * limit && 10 * size < 11 * limit;
}

/* Decides for a loop whose trip count is computed at run time. */
static void decide_counted(struct loop *l, long size)
{
    LLVMValueRef grown;
    if (2 * size > COUNTED || !can_be_counted(l, &grown))
        return;
    /* For nvcc a signed variable does not overflow, so a loop "i <= n" ends. */
    if (grown && !has_flag(grown, "nsw")) {
        build_before(grown);
        replace_by(grown, LLVMBuildNSWAdd(ir.builder, LLVMGetOperand(grown, 0),
                                          LLVMGetOperand(grown, 1), ""));
    }
    never_negative(l);
    if (lanes_leave_apart(l))
        noted |= mark_loop(l, DIFFERS_BY_LANES, false);
    mark(l, 4 * size <= COUNTED ? 4 : 2);
}

static void decide(struct loop *l)
{
    int rounds = rounds_of(l), part = 1;
    bool innermost = true;
    l->marked = has_pragma(blocks[l->latch].end);
    if (l->marked)
        return;
    long later, size = size_of_loop(l, &later);
    if (sums_in_shared(l))
        noted |= mark_loop(l, DIFFERS_BY_SUM, true);
    for (const struct loop *in = loops; in < l; in++)
        innermost &= !l->has[in->head] || in->whole;
    if (rounds < 1) {
        if (innermost)
            decide_counted(l, size);
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
        noted |= mark_loop(l, DIFFERS_BY_UNROLLING, true);
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

int unroll_loops(void)
{
    marked = noted = look_again = false;
    EACH_FUNCTION(f)
    {
        if (!read_flow(f))
            continue;
        for (int i = 0; i < loop_count; i++)
            decide(&loops[i]);
        decide_later();
    }
    return look_again ? 4 : marked ? 0 : noted ? 5 : 3;
}

static int unroll(int count, char **argument)
{
    (void)argument;
    if (count == 1)
        return unroll_loops();
    fprintf(stderr, "usage: unroll < device.ll > marked.ll\n");
    return 2;
}

int main(int count, char **argument) { return tool_main(count, argument, unroll); }
