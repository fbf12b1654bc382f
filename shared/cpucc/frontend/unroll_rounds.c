/* Part of unroll. Finds the trip counts of loops. */
#include "unroll.h"

enum { MOST_ROUNDS = 4096 }; /* larger trip counts count as unknown */

bool is_number(LLVMValueRef v, long *n)
{
    return constant_integer(v, n) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 1;
}

bool step(LLVMValueRef v, long *x, LLVMValueRef *of)
{
    long n;
    if (!v || !LLVMIsABinaryOperator(v) || !is_number(LLVMGetOperand(v, 1), &n))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    *of = LLVMGetOperand(v, 0);
    if (op == LLVMAdd)
        *x += n;
    else if (op == LLVMSub)
        *x -= n;
    else if (op == LLVMMul)
        *x *= n;
    else if (op == LLVMShl && n >= 0 && n < 63)
        *x = (long)((unsigned long)*x << n);
    else if ((op == LLVMLShr || op == LLVMAShr) && n >= 0 && n < 63)
        *x >>= n;
    else
        return false;
    return true;
}

bool adds(LLVMValueRef v, long *by, LLVMValueRef *of)
{
    *by = 0;
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAdd && step(v, by, of);
}

static long cut(long x, unsigned bits, bool is_signed)
{
    if (bits >= 64)
        return x;
    unsigned long u = (unsigned long)x & ((1ul << bits) - 1);
    return is_signed && u >> (bits - 1) & 1 ? (long)u - (1l << bits) : (long)u;
}

static bool is_signed(LLVMIntPredicate p) { return p >= LLVMIntSGT; }

static bool holds(LLVMIntPredicate p, long x, long y, unsigned bits)
{
    x = cut(x, bits, is_signed(p)), y = cut(y, bits, is_signed(p));
    unsigned long u = (unsigned long)x, w = (unsigned long)y;
    bool less = is_signed(p) ? x < y : u < w;
    switch (p) {
    case LLVMIntEQ: return x == y;
    case LLVMIntNE: return x != y;
    case LLVMIntULT:
    case LLVMIntSLT: return less;
    case LLVMIntULE:
    case LLVMIntSLE: return less || x == y;
    case LLVMIntUGT:
    case LLVMIntSGT: return !less && x != y;
    default: return !less;
    }
}

bool variable(LLVMValueRef phi, const struct candidate *l, long *start, LLVMValueRef *next)
{
    int found = 0;
    for (unsigned k = 0; k < LLVMCountIncoming(phi) && found < 3; k++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, k);
        if (LLVMGetIncomingBlock(phi, k) == block(l->latch))
            *next = in, found |= 1;
        else if (is_number(in, start))
            found = found & 2 ? 4 : found | 2;
        else
            return false;
    }
    return found == 3;
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
    LLVMValueRef test = test_of(at), next, of, grows = NULL;
    long bound, start = 0, unused = 0;
    if (!test)
        return 0;
    bool while_true = l->has[flow.node[at].successor[0]];
    if (LLVMIsAPHINode(test))
        return at == l->latch && is_of_two(test, l, while_true) ? 2 : 0;
    if (!LLVMIsAICmpInst(test) || !is_number(LLVMGetOperand(test, 1), &bound))
        return 0;
    LLVMIntPredicate relation = LLVMGetICmpPredicate(test);
    LLVMValueRef tested = LLVMGetOperand(test, 0), phi = tested;
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(tested));
    /* The test reads the loop's variable, or the variable's next value (after). */
    bool after = LLVMIsAInstruction(phi) && !LLVMIsAPHINode(phi);
    if (bits < 8 || (after && !step(phi, &unused, &phi)))
        return 0;
    if (!LLVMIsAPHINode(phi) || !variable(phi, l, &start, &next))
        return 0;
    grows = next;
    long x = start;
    for (int rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
        long seen = x;
        if (after)
            step(tested, &seen, &of);
        if (holds(relation, seen, bound, bits) != while_true)
            return at == l->latch ? rounds : rounds - 1;
        if (!step(grows, &x, &of) || of != phi)
            return 0;
        x = cut(x, bits, true);
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
        for (unsigned k = 0; LLVMIsAPHINode(d) && k < LLVMCountIncoming(d); k++) {
            LLVMValueRef next = LLVMGetIncomingValue(d, k);
            if (LLVMGetIncomingBlock(d, k) == block(l->latch) && adds(next, &by, &of) && of == d &&
                by) {
                by = by < 0 ? -by : by;
                *grown = is_signed(LLVMGetICmpPredicate(test)) ? next : NULL;
                return (by & (by - 1)) == 0;
            }
        }
    }
    return false;
}
