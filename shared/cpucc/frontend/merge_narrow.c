/*
 * Part of merge. Narrows vector loads to the elements that the program uses, as nvcc does:
 * three or four used elements stay one load, otherwise each gets its own load; merge.c then joins
 * neighbours.
 */
#include "merge.h"

enum { MOST = 4 }; /* elements of a vector */

/* The bits of the elements that are extracted from the vector of n elements; 0 if it is also used
 * in another way. */
static unsigned used_elements(LLVMValueRef vector, unsigned n)
{
    unsigned used = 0;
    EACH_USE(u, vector) {
        LLVMValueRef user = LLVMGetUser(u);
        long k;
        if (!LLVMIsAExtractElementInst(user) || !constant_integer(LLVMGetOperand(user, 1), &k) ||
            k < 0 || k >= (long)n)
            return 0;
        used |= 1u << k;
    }
    return used;
}

/* Replaces a vector load, whose elements have so many bytes, by a load per used element. Returns the instruction
 * that follows them. */
static LLVMValueRef narrow(LLVMValueRef load, unsigned n, unsigned used, long bytes)
{
    LLVMValueRef pointer = accessed(load), part[MOST] = {NULL};
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(load));
    build_unplaced(load);
    LLVMValueRef address = LLVMBuildPtrToInt(ir.builder, pointer, ir.i64, "");
    /* The vector's alignment is still checked. */
    copy_place(CALL("cpucc_guard_aligned", ir.nothing, address, integer(ir.i64, n * bytes - 1)),
               load);
    pointer = pointer_to(element, pointer);
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef index = integer(ir.i64, k);
        if (!(used >> k & 1))
            continue;
        part[k] = LLVMBuildLoad2(ir.builder, element,
                                 LLVMBuildGEP2(ir.builder, element, pointer, &index, 1, ""), "");
        LLVMSetAlignment(part[k], (unsigned)((k ? k & -k : n) * (unsigned)bytes));
        copy_place(part[k], load);
    }
    EACH_USE(u, load) {
        long k = 0;
        constant_integer(LLVMGetOperand(LLVMGetUser(u), 1), &k);
        replace_by(LLVMGetUser(u), part[k]);
    }
    LLVMValueRef next = LLVMGetNextInstruction(load);
    LLVMInstructionEraseFromParent(load);
    return next;
}

void narrow_function(LLVMValueRef function)
{
    EACH_INSTRUCTION_IN(i, function) {
        LLVMTypeRef type = LLVMTypeOf(i);
        if (!LLVMIsALoadInst(i) || LLVMGetTypeKind(type) != LLVMVectorTypeKind || !is_plain(i))
            continue;
        unsigned n = LLVMGetVectorSize(type), used = n <= MOST ? used_elements(i, n) : 0;
        long bytes = bytes_of(LLVMGetElementType(type));
        int count = __builtin_popcount(used);
        if ((n == 2 || n == 4) && (bytes == 4 || bytes == 8) && LLVMGetAlignment(i) == n * bytes &&
            count && count != (int)n && count != 3)
            i_next = narrow(i, n, used, bytes);
    }
}
