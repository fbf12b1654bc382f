/* Part of unroll. Finds the trip counts of loops. */
#include "unroll.h"

enum {
    MOST_ROUNDS = 4096, /* larger trip counts count as unknown */
    DEEP = 8            /* most operations that compute a variable's next value */
};

bool is_number(LLVMValueRef v, long *n)
{
    return constant_integer(v, n) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 1;
}

bool adds(LLVMValueRef v, long *by, LLVMValueRef *of)
{
    if (opcode_of(v) != LLVMAdd || !is_number(LLVMGetOperand(v, 1), by))
        return false;
    *of = LLVMGetOperand(v, 0);
    return true;
}

LLVMValueRef next_of(LLVMValueRef phi, const struct loop *l)
{
    for (unsigned k = 0; LLVMIsAPHINode(phi) && k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == l->latch)
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

LLVMValueRef start_of(LLVMValueRef phi, const struct loop *l)
{
    unsigned k = LLVMGetIncomingBlock(phi, 0) == l->latch;
    return LLVMCountIncoming(phi) == 2 && next_of(phi, l) ? LLVMGetIncomingValue(phi, k) : NULL;
}

LLVMValueRef test_of(LLVMBasicBlockRef b)
{
    LLVMValueRef end = end_of(b);
    LLVMValueRef test =
        LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
    return test && LLVMIsAInstruction(test) ? test : NULL;
}

/* ---- constant trip counts ---- */

static struct map now; /* the constants that the phis of the loop's head are in a round */

/* The constant that the value is in that round; NULL if it is not known. */
static LLVMValueRef in_round(LLVMValueRef v, int depth)
{
    bool compares = LLVMIsAICmpInst(v);
    if (LLVMIsAPHINode(v))
        return (LLVMValueRef)map_get(&now, v);
    if ((compares || LLVMIsABinaryOperator(v)) && depth < DEEP) {
        LLVMValueRef x = in_round(LLVMGetOperand(v, 0), depth + 1);
        LLVMValueRef y = x ? in_round(LLVMGetOperand(v, 1), depth + 1) : NULL;
        if (!y)
            return NULL;
        v = compares ? LLVMBuildICmp(ir.builder, LLVMGetICmpPredicate(v), x, y, "")
                     : LLVMBuildBinOp(ir.builder, LLVMGetInstructionOpcode(v), x, y, "");
    }
    return LLVMIsAConstantInt(v) ? v : NULL; /* not of a shift by too much */
}

/* Sets `now` for the first round, or for the round behind that of `now`. */
static void begin_round(const struct loop *l, bool first)
{
    static struct map later;
    clear_map(&later);
    LLVMValueRef phi = LLVMGetFirstInstruction(l->head);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef v = first ? start_of(phi, l) : next_of(phi, l);
        *map_at(&later, phi) = v && (!first || LLVMIsAConstant(v)) ? (long)in_round(v, 0) : 0;
    }
    struct map old = now;
    now = later;
    later = old;
}

LLVMBasicBlockRef exit_of(const struct loop *l)
{
    return successor(l->latch, 1) ? l->latch : l->head;
}

int rounds_of(const struct loop *l)
{
    LLVMBasicBlockRef at = exit_of(l);
    LLVMValueRef test = test_of(at), holds;
    begin_round(l, true);
    for (int rounds = 1; test && rounds <= MOST_ROUNDS; rounds++) {
        if (!(holds = in_round(test, 0)))
            return 0;
        if (LLVMConstIntGetZExtValue(holds) != has_block(l, successor(at, 0)))
            return at == l->latch ? rounds : rounds - 1;
        begin_round(l, false);
    }
    return 0;
}

bool is_fixed_in(const struct loop *l, LLVMValueRef v)
{
    long n;
    return is_number(v, &n) || LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && !is_in(l, v));
}

bool can_be_counted(const struct loop *l, LLVMValueRef *grown)
{
    EACH_BLOCK_OF(b, l)
        for (unsigned k = 0; b != l->latch && successor(b, k); k++)
            if (!has_block(l, successor(b, k)))
                return false;
    LLVMValueRef test = test_of(l->latch), of;
    if (!test || !LLVMIsAICmpInst(test))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef d = LLVMGetOperand(test, i);
        long by;
        if (!LLVMIsAInstruction(d) || !is_fixed_in(l, LLVMGetOperand(test, 1 - i)))
            continue;
        if (adds(d, &by, &of))
            d = of;
        LLVMValueRef next = next_of(d, l);
        if (next && adds(next, &by, &of) && of == d && by) {
            *grown = LLVMGetICmpPredicate(test) >= LLVMIntSGT ? next : NULL; /* signed */
            return (labs(by) & (labs(by) - 1)) == 0;
        }
    }
    return false;
}
