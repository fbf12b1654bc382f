/*
 * Part of unroll. Finds loops whose counts may differ from the hardware's although unroll's rules
 * were followed, and marks their accesses. The places that are marked (may_differ.c) are those of the copies
 * too.
 */
#include "merge.h"
#include "unroll.h"

/* ---- which values may differ from lane to lane ---- */

/* True for "lshr i32 %x, 5" or a division by 32 or more: a thread's number becomes its warp's. */
static bool is_of_a_warp(LLVMValueRef v)
{
    int op = opcode_of(v);
    bool shift = op == LLVMLShr || op == LLVMAShr;
    long by;
    return (shift || op == LLVMUDiv || op == LLVMSDiv) && is_number(LLVMGetOperand(v, 1), &by) &&
           by >= (shift ? 5 : 32);
}

/* True for what gives lanes different values: their numbers, atomics, calls. */
static bool is_of_a_lane(LLVMValueRef v)
{
    const char *callee = callee_name(v);
    return LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) || calls_program(v) ||
           strstr(callee, "ptx.sreg.tid.x") || strstr(callee, "ptx.sreg.tid.y") ||
           strstr(callee, "ptx.sreg.laneid");
}

static struct map of_lanes; /* without values that differ only because some lanes took a branch */

/* The absolute step of the loop's variable per round, 0 if it is not known. */
static long growth(const struct loop *l, LLVMValueRef v)
{
    LLVMValueRef of, next = next_of(v, l);
    long by;
    return adds(next ? next : v, &by, &of) ? labs(by) : 0;
}

/* Lanes that start at different values and step by 32 or more to the same end differ at most in the
 * last round, which does not count here. */
bool lanes_leave_apart(const struct loop *l)
{
    LLVMValueRef test = test_of(l->latch);
    if (!test || !LLVMIsAICmpInst(test))
        return false;
    clear_map(&of_lanes);
    add_dependents(&of_lanes, function_of(test), is_of_a_lane, is_of_a_warp);
    LLVMValueRef side[2] = {LLVMGetOperand(test, 0), LLVMGetOperand(test, 1)};
    bool differ[2] = {map_get(&of_lanes, side[0]), map_get(&of_lanes, side[1])};
    for (int i = 0; i < 2; i++)
        if (differ[i] && !differ[1 - i] && growth(l, side[i]) >= 32)
            return false;
    return differ[0] || differ[1];
}

/* ---- sums ---- */

/* True if the stored value is computed from the last round's: from a variable of the loop or a load
 * of the place. */
static bool goes_on(const struct loop *l, LLVMValueRef value, LLVMValueRef place)
{
    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || LLVMIsACallInst(value) ||
        LLVMIsACastInst(value))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(value) && k < 2; k++) {
        LLVMValueRef o = LLVMGetOperand(value, (unsigned)k);
        if (LLVMIsAPHINode(o) && LLVMGetInstructionParent(o) == l->head)
            return true;
        if (LLVMIsALoadInst(o) && accessed(o) == place)
            return true;
    }
    return false;
}

/* True if a pointer leads to dynamic shared memory, or to no known variable. */
static bool is_dynamic(LLVMValueRef pointer)
{
    LLVMValueRef base = base_of(pointer);
    return !LLVMIsAGlobalVariable(base) || LLVMIsDeclaration(base);
}

bool sums_in_shared(const struct loop *l)
{
    LLVMValueRef sum = NULL;
    bool sums = false;
    EACH_BLOCK_OF(b, l)
        EACH_INSTRUCTION(i, b) {
            LLVMValueRef place = accessed(i);
            if (calls_program(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
                (LLVMIsAStoreInst(i) && LLVMGetVolatile(i)))
                return false;
            if (!place || leads_to(place) != IN_SHARED)
                continue;
            if (sum && sum != place)
                return false; /* a second place in shared memory: nvcc cannot tell them apart */
            sum = place;
            sums |= LLVMIsAStoreInst(i) && is_fixed_in(l, place) && !is_dynamic(place) &&
                    goes_on(l, LLVMGetOperand(i, 0), place);
        }
    return sums;
}

/* ---- marks ---- */

void mark_loop(const struct loop *l, enum may_differ why, bool shared_only)
{
    EACH_BLOCK_OF(b, l)
        EACH_INSTRUCTION(i, b) {
            enum place at = accessed(i) ? leads_to(accessed(i)) : LOCAL;
            if (at != LOCAL && (!shared_only || at == IN_SHARED))
                mark_access(i, why);
        }
}
