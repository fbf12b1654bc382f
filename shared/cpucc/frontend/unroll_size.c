/* Part of unroll. Estimates the size of a loop's body in nvcc's instructions. */
#include "unroll.h"

/* How a value changes from round to round: not at all (it is computed before the loop), in any way,
 * by a constant step, or as the loop's variable times a value that is not a constant. */
enum { SAME = 0, DIFFERS = 1, GROWS = 3, MULTIPLE = 5 };

static struct map behaves; /* for each instruction of the loop one of these */

enum place leads_to(LLVMValueRef pointer)
{
    LLVMValueRef base = base_of(pointer);
    if (space_of(pointer) == SPACE_SHARED || space_of(base) == SPACE_SHARED)
        return IN_SHARED;
    return LLVMIsAAllocaInst(base) ? LOCAL : SOMEWHERE;
}

/* True for a check of guard, which the GPU's code lacks. */
static bool is_check(LLVMValueRef v)
{
    const char *callee = callee_name(v);
    return starts_with(callee, "cpucc_guard_") && strcmp(callee, "cpucc_guard_aligned") != 0;
}

static bool has_checks(LLVMBasicBlockRef b)
{
    EACH_INSTRUCTION(i, b)
        if (is_check(i))
            return true;
    return false;
}

bool calls_program(LLVMValueRef v)
{
    return LLVMIsACallInst(v) && !starts_with(callee_name(v), "llvm.") &&
           !starts_with(callee_name(v), "cpucc_guard_");
}

/* ---- instructions ---- */

/* True if the pointer grows by a constant each round. */
static bool grows(LLVMValueRef pointer)
{
    return !LLVMIsAInstruction(pointer) || map_get(&behaves, pointer) == GROWS;
}

/* Instructions for which nvcc emits no code. */
static const LLVMOpcode free_ones[] = {
    LLVMPHI,          LLVMBitCast,        LLVMAddrSpaceCast, LLVMPtrToInt,
    LLVMIntToPtr,     LLVMAlloca,         LLVMGetElementPtr, LLVMTrunc,
    LLVMExtractValue, LLVMInsertValue,    LLVMFreeze,        LLVMFence,
    LLVMICmp,         LLVMExtractElement, LLVMInsertElement, 0};
/* Instructions whose result grows by a constant if their operands do, products only with a constant. */
static const LLVMOpcode linear_ones[] = {
    LLVMMul,   LLVMShl,           LLVMAdd,     LLVMSub,           LLVMOr, LLVMZExt, LLVMSExt,
    LLVMTrunc, LLVMGetElementPtr, LLVMBitCast, LLVMAddrSpaceCast, 0};

static bool is_one_of(const LLVMOpcode *list, LLVMValueRef i)
{
    while (*list && *list != LLVMGetInstructionOpcode(i))
        list++;
    return *list;
}

static bool is_free_call(LLVMValueRef call)
{
    return calls_one_of(call, "cpucc_guard_ llvm.dbg. llvm.lifetime. llvm.nvvm.read. llvm.assume "
                              "llvm.experimental.noalias");
}

/* The number of instructions that nvcc makes of one. *folded: the same, in halves of an
 * instruction, for a copy whose address is another copy's plus a constant. */
static long size_of_instruction(LLVMValueRef i, long *folded)
{
    *folded = is_one_of(free_ones, i) ? 0 : 2;
    if (!*folded)
        return 0;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMSExt:
    case LLVMZExt: { /* a conversion of a phi is free: the variable may have 64 bits */
        LLVMValueRef from = LLVMGetOperand(i, 0);
        return LLVMIsAInstruction(from) && !LLVMIsAPHINode(from);
    }
    case LLVMLoad:
    case LLVMStore: {
        enum place at = leads_to(accessed(i));
        *folded = at == LOCAL ? 0 : !grows(accessed(i)) ? 4 : at == IN_SHARED ? 3 : 5;
        return at == LOCAL ? 0 : 2;
    }
    case LLVMCall: return !is_free_call(i);
    default: return 1;
    }
}

/* ---- loops ---- */

/* The number of copies of block b that unrolling of loops inside l makes; *whole: one of these
 * loops is unrolled completely. */
static long copies_in(const struct loop *l, LLVMBasicBlockRef b, bool *whole)
{
    long copies = 1;
    *whole = false;
    EACH_LOOP(in)
        if (in->copies > 1 && has_block(in, b) && contains(l, in)) {
            copies *= in->copies;
            *whole |= in->whole;
        }
    return copies;
}

/* True for a phi of the loop's head that begins with a constant. */
static bool is_variable(LLVMValueRef phi, const struct loop *l)
{
    long start;
    return is_number(start_of(phi, l), &start);
}

/* True if the phi is the variable of a loop that is unrolled completely, so that it is a constant
 * in each copy. */
static bool becomes_number(LLVMValueRef phi, LLVMBasicBlockRef b)
{
    EACH_LOOP(l)
        if (l->whole && l->head == b)
            return is_variable(phi, l);
    return false;
}

/* How the value of an instruction in block b changes from round to round of l. */
static long behaviour(LLVMValueRef i, LLVMBasicBlockRef b, const struct loop *l)
{
    long all = SAME;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool is_linear = is_one_of(linear_ones, i), multiplies = op == LLVMMul || op == LLVMShl;
    int seen = 0;
    if (op == LLVMPHI && b == l->head)
        return is_variable(i, l) ? GROWS : DIFFERS;
    if (op == LLVMPHI)
        return becomes_number(i, b) ? SAME : DIFFERS;
    if (op == LLVMLoad || op == LLVMCall || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg)
        return DIFFERS;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        long is = LLVMIsAInstruction(o) ? map_get(&behaves, o) : SAME;
        is_linear &= is == SAME || is == GROWS;
        all |= is;
        seen += LLVMIsAInstruction(o) || LLVMIsAArgument(o);
    }
    return all == SAME ? SAME : !is_linear ? DIFFERS : !multiplies || seen == 1 ? GROWS : MULTIPLE;
}

/* True if block b ends with a branch that is neither a check nor the end of an unrolled loop. */
static bool decides(LLVMBasicBlockRef b, const struct loop *l)
{
    if (!LLVMIsABranchInst(end_of(b)) || !successor(b, 1) || has_checks(successor(b, 0)) ||
        has_checks(successor(b, 1)))
        return false;
    for (const struct loop *in = flow.loop; in <= l; in++)
        if ((in == l || in->copies > 1) && b == exit_of(in))
            return false;
    return true;
}

long size_of_loop(const struct loop *l, long *again)
{
    long size = 0, halves = 0, folded;
    bool multiple = false, whole;
    clear_map(&behaves);
    EACH_BLOCK_OF(b, l) {
        long copies = copies_in(l, b, &whole);
        EACH_INSTRUCTION(i, b) {
            if (i == end_of(b))
                continue;
            long is = behaviour(i, b, l);
            if (is != SAME)
                *map_at(&behaves, i) = is;
            multiple |= is == MULTIPLE;
            if (is == SAME && whole && !LLVMIsAStoreInst(i))
                continue;
            long one = size_of_instruction(i, &folded);
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
