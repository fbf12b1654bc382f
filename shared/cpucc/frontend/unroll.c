/*
 * Decides which loops to unroll, and how far, as nvcc's compiler does.
 *
 * It reads the optimised module for the GPU, in which only loops with a pragma have been unrolled,
 * and gives loops metadata (llvm.loop.unroll.full or .count) that the optimiser then follows. unroll
 * decides, not the optimiser, so that counts do not depend on the installed clang.
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
#include "unroll.h"

enum {
    WHOLE = 400,     /* most instructions of a loop that is unrolled completely */
    PART = 175,      /* limit for a loop that is unrolled partly */
    LARGE_PART = 90, /* a partly unrolled loop is reconsidered if twice its size exceeds this */
    COUNTED = 200    /* most instructions if the trip count is computed at run time */
};

static struct map with_marks; /* functions in which a loop is marked */
static bool marked, look_again;

LLVMValueRef end_of(LLVMBasicBlockRef b) { return LLVMGetBasicBlockTerminator(b); }

bool is_in(const struct loop *l, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && has_block(l, LLVMGetInstructionParent(v));
}

/* ---- decisions ---- */

static bool has_pragma(LLVMValueRef branch)
{
    LLVMMetadataRef id = metadata_of(branch, "llvm.loop");
    for (unsigned k = 1; id && k < operand_count(id); k++) {
        LLVMMetadataRef hint = operand_of(id, k);
        if (LLVMGetMetadataKind(hint) == LLVMMDTupleMetadataKind && operand_count(hint) &&
            starts_with(string_of(operand_of(hint, 0)), "llvm.loop.unroll."))
            return true;
    }
    return false;
}

enum { FULL = 0, AS_IT_IS = -1 };

/* Gives the loop metadata: unroll by `count`, FULL (completely) or AS_IT_IS (not at all). */
static void mark(struct loop *l, int count)
{
    const char *name = count > 0       ? "llvm.loop.unroll.count"
                       : count == FULL ? "llvm.loop.unroll.full"
                                       : "llvm.loop.unroll.disable";
    LLVMMetadataRef number = LLVMValueAsMetadata(integer(ir.i32, count));
    LLVMMetadataRef hint[2] = {LLVMMDStringInContext2(ir.context, name, strlen(name)), number};
    LLVMMetadataRef self = LLVMTemporaryMDNode(ir.context, NULL, 0);
    LLVMMetadataRef part[2] = {self, LLVMMDNodeInContext2(ir.context, hint, count > 0 ? 2 : 1)};
    LLVMMetadataRef id = LLVMMDNodeInContext2(ir.context, part, 2);
    LLVMMetadataReplaceAllUsesWith(self, id);
    LLVMSetMetadata(end_of(l->latch), metadata_kind("llvm.loop"),
                    LLVMMetadataAsValue(ir.context, id));
    l->marked = marked = true;
}

/* True if the phi is a variable that counts up from a constant >= 0. */
static bool counts_up(LLVMValueRef phi, const struct loop *l)
{
    LLVMValueRef of;
    long start, by;
    return is_number(start_of(phi, l), &start) && start >= 0 && adds(next_of(phi, l), &by, &of) &&
           of == phi && by > 0;
}

/*
 * Turns sign extensions of a variable that the loop counts up from a constant >= 0 into zero
 * extensions. For nvcc a signed variable does not overflow, so it is never negative; clang loses
 * that fact if the end is tested unsigned ("i < gridDim.x").
 */
static void never_negative(const struct loop *l)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(l->head);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        if (LLVMTypeOf(phi) != ir.i32 || !counts_up(phi, l))
            continue;
        EACH_USE(u, phi) {
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
    if (grown) {
        build_before(grown);
        replace_by(grown, LLVMBuildNSWAdd(ir.builder, LLVMGetOperand(grown, 0),
                                          LLVMGetOperand(grown, 1), ""));
    }
    never_negative(l);
    if (lanes_leave_apart(l))
        mark_loop(l, DIFFERS_BY_LANES, false);
    mark(l, 4 * size <= COUNTED ? 4 : 2);
}

static void decide(struct loop *l)
{
    int rounds = rounds_of(l), part = 1;
    bool innermost = true;
    l->marked = has_pragma(end_of(l->latch));
    if (l->marked)
        return;
    long later, size = size_of_loop(l, &later);
    if (sums_in_shared(l))
        mark_loop(l, DIFFERS_BY_SUM, true);
    EACH_LOOP(in)
        innermost &= !contains(l, in) || in->whole;
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
        mark_loop(l, DIFFERS_BY_UNROLLING, true);
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
    EACH_LOOP(l)
        EACH_LOOP(in)
            later |= l->whole && contains(l, in) && !in->marked;
    EACH_LOOP(l)
        if (later && !l->marked && rounds_of(l) > 0)
            mark(l, AS_IT_IS);
    look_again |= later;
}

void let_kernels_rest(bool rest)
{
    EACH_FUNCTION(f)
        if (is_kernel(f) && !LLVMIsDeclaration(f) && !map_get(&with_marks, f)) {
            set_attribute(f, "noinline", rest);
            set_attribute(f, "optnone", rest);
        }
}

enum unrolling unroll_loops(void)
{
    look_again = false;
    bool any = false;
    clear_map(&with_marks);
    EACH_FUNCTION(f) {
        if (LLVMIsDeclaration(f))
            continue;
        marked = false;
        find_loops(f, NULL);
        int kept = 0;
        EACH_LOOP(l)
            if (l->latch)
                flow.loop[kept++] = *l;
        flow.loops = kept;
        EACH_LOOP(l)
            decide(l);
        decide_later();
        if (marked)
            *map_at(&with_marks, f) = any = true;
    }
    return look_again ? UNROLL_AGAIN : any ? UNROLL : NO_UNROLLING;
}
