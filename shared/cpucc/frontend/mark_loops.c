/*
 * mark_loops: inserts calls that tell the run time of a program's loops, and orders its blocks.
 *
 * Lanes of a warp at the same instruction form one request only if they are in the same iteration
 * of every loop around it. The hardware makes lanes meet again at the end of a branch inside a
 * loop, before the next iteration. Behind a block's phi instructions this inserts
 *
 *   cpucc_loop(id, depth)    if the block is a loop's head; depth: number of loops around it;
 *                            id: below 0 if the loop ends whatever memory holds, so that it cannot be a wait
 *   cpucc_unloop(depth)      if a branch to the block leaves a loop
 *
 * Loops without a call stay as they are, because a lane cannot stop in them; but those of sealed code with an
 * access stay told apart, for cpucc_local_bytes. Before calls of the
 * run time that involve other lanes it inserts
 *
 *   cpucc_flush_deferred()   checks and counts the lane's deferred accesses
 *
 * It also orders the blocks: those of a loop stand together, before the code that follows the loop.
 * The run time takes the lane at the lower place to be behind the others, and clang may put a
 * loop's end before its body.
 */
#include "unroll.h"

static bool seals; /* local accesses will call cpucc_seal_guard */

/* True if a lane may stop in the block, because it calls a function of the program or run time. */
static bool may_stop(LLVMBasicBlockRef block)
{
    EACH_INSTRUCTION(i, block) {
        const char *name = callee_name(i);
        if (seals &&
            (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAExtractElementInst(i) ||
             LLVMGetInstructionOpcode(i) == LLVMInsertElement || starts_with(name, "llvm.mem")))
            return true;
        if (LLVMIsAInvokeInst(i) || (LLVMIsACallInst(i) && !starts_with(name, "llvm.") &&
                                     !starts_with(name, "cpucc_guard_")))
            return true;
    }
    return false;
}

/* True if a branch to the block leaves a loop. */
static bool is_behind_loop(LLVMBasicBlockRef b)
{
    EACH_USE(u, LLVMBasicBlockAsValue(b)) {
        LLVMValueRef from = LLVMGetUser(u);
        const struct loop *l =
            LLVMIsATerminatorInst(from) ? innermost_around(LLVMGetInstructionParent(from)) : NULL;
        if (l && !has_block(l, b))
            return true;
    }
    return false;
}

/* True if the phi of a loop's head changes in each round by a constant. */
static bool steps(LLVMValueRef phi, const struct loop *l)
{
    LLVMValueRef next = next_of(phi, l);
    LLVMOpcode op = opcode_of(next);
    long n;
    return (op == LLVMAdd || op == LLVMLShr || op == LLVMAShr || op == LLVMGetElementPtr) &&
           LLVMGetOperand(next, 0) == phi && is_number(LLVMGetOperand(next, 1), &n);
}

/* True if the value follows from such phis, which sets `counts`, and from what stays as it is in the loop. */
static bool is_counted(LLVMValueRef v, const struct loop *l, int depth, bool *counts)
{
    enum { DEEP = 8 };
    if (!LLVMIsAInstruction(v) || !is_in(l, v))
        return true;
    if (LLVMIsAPHINode(v))
        return *counts = steps(v, l);
    if (depth > DEEP || (!LLVMIsAICmpInst(v) && !LLVMIsABinaryOperator(v) && !LLVMIsACastInst(v) &&
                         opcode_of(v) != LLVMSelect && opcode_of(v) != LLVMGetElementPtr))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (!is_counted(LLVMGetOperand(v, k), l, depth + 1, counts))
            return false;
    return true;
}

/* True if only what the loop itself counts decides whether it goes on. */
static bool ends_by_itself(const struct loop *l)
{
    bool counts = false;
    EACH_BLOCK_OF(b, l)
        for (unsigned k = 0; successor(b, k); k++)
            if (!has_block(l, successor(b, k)) &&
                !is_counted(LLVMGetOperand(end_of(b), 0), l, 0, &counts))
                return false;
    return counts;
}

/* Marks the loops of a function and orders its blocks. */
static void mark_function(LLVMValueRef function)
{
    static long id;
    find_loops(function, may_stop);
    for (int k = flow.blocks; k-- > 0;) {
        LLVMBasicBlockRef b = flow.block[k];
        const struct loop *in = innermost_around(b);
        LLVMValueRef at = first_after_phis(b);
        if (k + 1 < flow.blocks)
            LLVMMoveBasicBlockAfter(b, flow.block[k + 1]);
        if (LLVMIsALandingPadInst(at))
            continue;
        build_unplaced(at);
        if (in && in->head == b)
            CALL("cpucc_loop", ir.nothing, integer(ir.i32, ends_by_itself(in) ? -++id : ++id),
                 integer(ir.i32, depth_of(in)));
        else if (is_behind_loop(b))
            CALL("cpucc_unloop", ir.nothing, integer(ir.i32, in ? depth_of(in) + 1 : 0));
    }
}

/* True if deferred accesses must be flushed before the instruction: it calls a function that neither
 * flushes them itself nor only computes. */
static bool must_flush(LLVMValueRef i)
{
    return LLVMIsACallInst(i) &&
           !calls_one_of(i, "llvm. cpucc_on_ cpucc_nvvm_read_ptx_sreg_ cpucc_guard_ cpucc_shared "
                            "cpucc_flush_deferred cpucc_unloop cpucc_loop cpucc_syncthreads");
}

/* True for a check of the harness, which is neither instrumented nor noinline. Its accesses are not
 * recorded, so its lanes need no lockstep. The functions of cpucc_device.h that are noinline need it. */
static bool is_unwatched(LLVMValueRef function)
{
    return attribute_at(function, ON_FUNCTION, "disable_sanitizer_instrumentation") &&
           !attribute_at(function, ON_FUNCTION, "noinline");
}

void mark_loops(bool sealed)
{
    seals = sealed;
    EACH_FUNCTION(function) {
        if (LLVMIsDeclaration(function))
            continue;
        if (!is_unwatched(function))
            mark_function(function);
        EACH_INSTRUCTION_IN(i, function)
            if (must_flush(i)) {
                build_unplaced(i);
                call_named("cpucc_flush_deferred", ir.nothing, NULL, 0);
            }
    }
}
