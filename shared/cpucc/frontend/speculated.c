/*
 * speculated: loads that the optimiser makes before it is known whether the source reads the variable.
 *
 * `if (skip || shared == 3)` loads `shared` in every case, as nvcc's code does. The load is counted, but only a lane
 * with skip == false reads `shared`. So the load itself is only checked to be within bounds, and calls of
 * cpucc_guard_read check the read where the value is used.
 *
 * mark_reads marks the source's reads with metadata of a kind that LLVM keeps on a load that it moves or merges, and
 * drops from a load that it executes more often than the source: it says something of the source's executions.
 */
#include "compile.h"
#include "ir.h"

static const char read_of_source[] = "llvm.access.group";

void mark_reads(void)
{
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f)
            if (LLVMIsALoadInst(i) || calls_one_of(i, "llvm.memcpy. llvm.memmove."))
                set_node(i, read_of_source, NULL, 0);
}

/* True for a load that LLVM has made from partly redundant ones ("%.pre = load ..."). */
static bool is_redundant(LLVMValueRef load) { return strstr(name_of(load), ".pre"); }

/* True for a load of a variable, or by a reference, that lacks the mark. But LLVM also drops the mark where it moves a
 * load between loops, which keeps its line, or before a loop for a sum ("%x.promoted = load ..."). */
static bool is_speculated(LLVMValueRef load)
{
    long offset = 0;
    if (!LLVMIsALoadInst(load) || metadata_of(load, read_of_source) ||
        strstr(name_of(load), ".promoted") ||
        (is_redundant(load) && LLVMInstructionGetDebugLoc(load)))
        return false;
    LLVMValueRef base = strip_offsets(accessed(load), &offset);
    return LLVMIsAGlobalVariable(base) || (LLVMIsAArgument(base) && !is_kernel(function_of(load)));
}

/* ---- where the value is used ---- */

/* Checks the read before `at`, if the condition (NULL: none) is as `when` says. */
static void add_check(LLVMValueRef load, LLVMValueRef at, LLVMValueRef condition, bool when)
{
    build_before(at);
    LLVMValueRef reads = condition ? condition : integer(ir.i1, when);
    if (!when)
        reads = LLVMBuildICmp(ir.builder, LLVMIntEQ, reads, integer(ir.i1, 0), "");
    CALL("cpucc_guard_read", ir.nothing, as_bytes(accessed(load)),
         integer(ir.i32, bytes_of(LLVMTypeOf(load))), LLVMBuildZExt(ir.builder, reads, ir.i32, ""));
}

/* Checks the read at the end of each block from which the value comes to the phi. */
static void check_edges(LLVMValueRef load, LLVMValueRef value, LLVMValueRef phi)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k));
        bool branches = LLVMIsABranchInst(end) && LLVMGetNumSuccessors(end) == 2;
        if (LLVMGetIncomingValue(phi, k) == value)
            add_check(load, end, branches ? LLVMGetCondition(end) : NULL,
                      !branches || LLVMGetSuccessor(end, 0) == LLVMGetInstructionParent(phi));
    }
}

/* True unless the instruction only computes. */
static bool has_effect(LLVMValueRef i)
{
    return LLVMIsATerminatorInst(i) || accessed(i) || LLVMIsAAtomicRMWInst(i) ||
           LLVMIsAAtomicCmpXchgInst(i) ||
           (LLVMIsACallInst(i) &&
            (!starts_with(callee_name(i), "llvm.") || LLVMTypeOf(i) == ir.nothing));
}

/* Checks the read where `value`, which is computed from the load, is chosen or has an effect. `seen`: what has been
 * followed. */
static void check_uses(LLVMValueRef load, LLVMValueRef value, struct map *seen)
{
    EACH_USE(u, value) {
        LLVMValueRef user = LLVMGetUser(u), first = LLVMGetOperand(user, 0);
        LLVMOpcode what = LLVMGetInstructionOpcode(user);
        if (what == LLVMSelect && first != value && LLVMTypeOf(first) == ir.i1)
            add_check(load, user, first, LLVMGetOperand(user, 1) == value);
        else if (what == LLVMPHI && !is_redundant(load))
            check_edges(load, value, user);
        else if (has_effect(user) && !is_call_of(user, "cpucc_guard_read"))
            add_check(load, user, NULL, true);
        else if (!has_effect(user) && !(*map_at(seen, user))++)
            check_uses(load, user, seen);
    }
}

void check_speculated(void)
{
    struct map seen = {0};
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f)
            if (is_speculated(i)) {
                set_node(i, SPECULATED, NULL, 0);
                clear_map(&seen);
                check_uses(i, i, &seen);
            }
}
