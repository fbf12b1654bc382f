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

/* ---- the order of the blocks ---- */

/* True if all predecessors of b, except for branches back to it, have been placed. */
static bool is_ready(const struct flow *f, int b, const bool *placed)
{
    for (int p = 0; p < f->node[b].predecessors; p++) {
        int from = f->node[b].predecessor[p];
        if (f->node[from].order >= 0 && !placed[from] && !dominates(f, b, from))
            return false;
    }
    return true;
}

/* Returns the block to place after `last`: the first ready block of the innermost loop around
 * `last` that has a ready block; -1 if all blocks are placed. */
static int next_block(const struct flow *f, int last, const bool *placed)
{
    for (int l = f->node[last].loop;; l = f->loop[l].parent) {
        for (int b = 0; b < f->blocks; b++)
            if (!placed[b] && f->node[b].order >= 0 && (l < 0 || f->loop[l].has[b]) &&
                is_ready(f, b, placed))
                return b;
        if (l < 0)
            break;
    }
    for (int b = 0; b < f->blocks; b++) /* a loop with several entries, or unreachable blocks */
        if (!placed[b])
            return b;
    return -1;
}

static void order_blocks(const struct flow *f)
{
    bool *placed = allocate(NULL, (size_t)f->blocks);
    memset(placed, 0, (size_t)f->blocks);
    placed[0] = true;
    for (int last = 0, b; (b = next_block(f, last, placed)) >= 0; last = b) {
        placed[b] = true;
        LLVMMoveBasicBlockAfter(f->node[b].block, f->node[last].block);
    }
    free(placed);
}

/* Marks the loops of a function and orders its blocks. */
static void mark_function(LLVMValueRef function)
{
    static long id;
    struct flow f = find_flow(function, may_stop);
    for (int b = 0; b < f.blocks && f.loops; b++) {
        int in = f.node[b].loop;
        bool leaves = false;
        LLVMValueRef at = first_after_phis(f.node[b].block);
        if (f.node[b].order < 0 || LLVMIsALandingPadInst(at))
            continue;
        for (int p = 0; p < f.node[b].predecessors; p++) {
            int from = f.node[f.node[b].predecessor[p]].loop;
            leaves |= from >= 0 && !f.loop[from].has[b];
        }
        build_unplaced(at);
        if (in >= 0 && f.loop[in].head == b)
            CALL("cpucc_loop", ir.nothing, integer(ir.i32, id + in + 1),
                 integer(ir.i32, f.loop[in].depth));
        else if (leaves)
            CALL("cpucc_unloop", ir.nothing, integer(ir.i32, in < 0 ? 0 : f.loop[in].depth + 1));
    }
    id += f.loops;
    order_blocks(&f);
    free_flow(&f);
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
