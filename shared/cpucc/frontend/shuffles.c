/*
 * Part of guard. Finds shuffles whose result may stay unused, as in `up = __shfl_up_sync(m, v, d);
 * if (lane >= d) v += up;`. The value that a lane gets from a lane that does not take part is
 * undefined in CUDA, so such a shuffle is no fault if the result is only used under a condition.
 */
#include "guard.h"

enum { MOST_LINES = 4000 };

static bool uses(LLVMValueRef x, LLVMValueRef pointer)
{
    for (int i = 0; i < LLVMGetNumOperands(x); i++)
        if (LLVMGetOperand(x, (unsigned)i) == pointer)
            return true;
    return false;
}

static bool ends_life(LLVMValueRef x) { return starts_with(callee_name(x), "llvm.lifetime.end"); }

/* True if some path from x does not load the variable before a store or its life's end. `seen` are
 * the blocks that were entered. */
static bool escapes_use(LLVMValueRef x, LLVMValueRef pointer, struct map *seen)
{
    for (; x; x = LLVMGetNextInstruction(x)) {
        int opcode = opcode_of(x);
        if (uses(x, pointer))
            return opcode == LLVMStore || ends_life(x) ||
                   (opcode == LLVMBitCast && ends_life(LLVMGetNextInstruction(x)));
        if (opcode == LLVMRet)
            return true;
        if (opcode != LLVMBr && opcode != LLVMSwitch)
            continue;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(x); k++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(x, k);
            long *entered = map_at(seen, to);
            if (!*entered && (*entered = true) &&
                escapes_use(LLVMGetFirstInstruction(to), pointer, seen))
                return true;
        }
    }
    return false;
}

bool may_be_unused(LLVMValueRef call)
{
    LLVMValueRef store = LLVMGetNextInstruction(call);
    if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != call ||
        !into_local(LLVMGetOperand(store, 1)) || printed_lines(function_of(call)) > MOST_LINES)
        return false;
    struct map seen = {0};
    bool unused = escapes_use(LLVMGetNextInstruction(store), LLVMGetOperand(store, 1), &seen);
    free(seen.entries);
    return unused;
}
