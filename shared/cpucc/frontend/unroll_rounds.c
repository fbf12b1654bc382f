/* Part of unroll. Finds the trip counts of loops. */
#include "unroll.h"

enum { MOST_ROUNDS = 4096 }; /* larger trip counts count as unknown */

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

/* True for an operation by a constant, "add i32 %x, 4". */
static bool is_step(LLVMValueRef v)
{
    int op = opcode_of(v);
    long n;
    return (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMLShr ||
            op == LLVMAShr) &&
           is_number(LLVMGetOperand(v, 1), &n);
}

/* The result of such an operation for the constant x; NULL if it has none. */
static LLVMValueRef step(LLVMValueRef v, LLVMValueRef x)
{
    x = LLVMBuildBinOp(ir.builder, LLVMGetInstructionOpcode(v), x, LLVMGetOperand(v, 1), "");
    return LLVMIsAConstantInt(x) ? x : NULL; /* not of a shift by too much */
}

LLVMValueRef next_of(LLVMValueRef phi, const struct candidate *l)
{
    for (unsigned k = 0; LLVMIsAPHINode(phi) && k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == block(l->latch))
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

bool variable(LLVMValueRef phi, const struct candidate *l, long *start, LLVMValueRef *next)
{
    *next = next_of(phi, l);
    if (!*next || LLVMCountIncoming(phi) != 2)
        return false;
    unsigned k = LLVMGetIncomingBlock(phi, 0) == block(l->latch);
    return LLVMGetIncomingBlock(phi, k) != block(l->latch) &&
           is_number(LLVMGetIncomingValue(phi, k), start);
}

LLVMValueRef test_of(int b)
{
    LLVMValueRef end = end_of(b);
    LLVMValueRef test =
        LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
    return test && LLVMIsAInstruction(test) ? test : NULL;
}

/* True if the phi is true in the first round and false in the second, or, unless `goes_on`, the
 * reverse: so clang tests the end of two rounds. */
static bool is_of_two(LLVMValueRef phi, const struct candidate *l, bool goes_on)
{
    bool ends = false, begins = false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, k);
        if (!LLVMIsAConstantInt(in))
            continue;
        bool is = LLVMConstIntGetZExtValue(in) != 0;
        begins |= is == goes_on;
        ends |= is != goes_on && LLVMGetIncomingBlock(phi, k) == block(l->latch);
    }
    return begins && ends;
}

/* The trip count if the block `at` decides whether the loop goes on, or 0 if it is not known. */
static int rounds_by(const struct candidate *l, int at)
{
    LLVMValueRef test = test_of(at), next;
    long bound, start = 0;
    if (!test)
        return 0;
    bool while_true = l->has[flow.node[at].successor[0]];
    if (LLVMIsAPHINode(test))
        return at == l->latch && is_of_two(test, l, while_true) ? 2 : 0;
    if (!LLVMIsAICmpInst(test) || !is_number(LLVMGetOperand(test, 1), &bound))
        return 0;
    LLVMValueRef tested = LLVMGetOperand(test, 0);
    LLVMTypeRef type = LLVMTypeOf(tested);
    /* The test reads the loop's variable, or the variable's next value (after). */
    bool after = is_step(tested);
    LLVMValueRef phi = after ? LLVMGetOperand(tested, 0) : tested;
    if (LLVMGetIntTypeWidth(type) < 8 || !LLVMIsAPHINode(phi) || !variable(phi, l, &start, &next))
        return 0;
    bool steps = is_step(next) && LLVMGetOperand(next, 0) == phi;
    LLVMValueRef x = integer(type, start);
    for (int rounds = 1; x && rounds <= MOST_ROUNDS; rounds++) {
        LLVMValueRef seen = after ? step(tested, x) : x;
        LLVMValueRef holds = seen ? LLVMBuildICmp(ir.builder, LLVMGetICmpPredicate(test), seen,
                                                  LLVMGetOperand(test, 1), "")
                                  : NULL;
        if (!holds)
            return 0;
        if (LLVMConstIntGetZExtValue(holds) != while_true)
            return at == l->latch ? rounds : rounds - 1;
        x = steps ? step(next, x) : NULL;
    }
    return 0;
}

int rounds_of(const struct candidate *l)
{
    int ways = flow.node[l->latch].successors, rounds = ways == 2 ? rounds_by(l, l->latch) : 0;
    return rounds || l->head == l->latch || ways != 1 ? rounds : rounds_by(l, l->head);
}

bool is_fixed_in(const struct candidate *l, LLVMValueRef v)
{
    long n;
    return is_number(v, &n) || LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && !is_in(l, v));
}

bool can_be_counted(const struct candidate *l, LLVMValueRef *grown)
{
    EACH_BLOCK_OF(b, l)
        for (int k = 0; b != l->latch && k < flow.node[b].successors; k++)
            if (!l->has[flow.node[b].successor[k]])
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
