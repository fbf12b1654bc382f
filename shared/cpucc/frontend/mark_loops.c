/*
 * mark_loops: inserts calls that tell the run time of a program's loops, and orders its blocks.
 *
 * Lanes of a warp at the same instruction form one request only if they are in the same iteration
 * of every loop around it. The hardware makes lanes meet again at the end of a branch inside a
 * loop, before the next iteration. Behind a block's phi instructions this inserts
 *
 *   cpucc_loop(id, depth)    if the block is a loop's head; depth: number of loops around it
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
#include "compile.h"
#include "ir.h"
#include "loops.h"

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
            CALL("cpucc_loop", ir.nothing, integer(ir.i32, ++id), integer(ir.i32, depth_of(in)));
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
