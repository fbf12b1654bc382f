/*
 * Part of merge. clang copies a struct by accesses that may be wider than their alignment; nvcc
 * makes one access per aligned piece. A struct of 4 chars takes 4 loads, and so does one of 4 ints.
 * This file splits clang's accesses in the same way.
 */
#include "merge.h"

enum { LARGEST_COPY = 128 }; /* bytes; a larger copy stays a call of the run time */

/* Loads or stores (value) an element of the type and of so many bytes. */
static LLVMValueRef access_element(LLVMTypeRef type, LLVMValueRef value, LLVMValueRef pointer,
                                   long bytes, LLVMValueRef place)
{
    LLVMValueRef access = value ? LLVMBuildStore(ir.builder, value, pointer)
                                : LLVMBuildLoad2(ir.builder, type, pointer, "");
    LLVMSetAlignment(access, (unsigned)bytes);
    copy_place(access, place);
    return access;
}

static LLVMValueRef element(LLVMTypeRef type, LLVMValueRef array, long k)
{
    LLVMValueRef index = integer(ir.i64, k);
    return LLVMBuildGEP2(ir.builder, type, array, &index, 1, "");
}

static void split_access(LLVMValueRef i)
{
    LLVMValueRef pointer = accessed(i), all = NULL, at[8];
    bool store = LLVMIsAStoreInst(i) != NULL;
    LLVMTypeRef type = accessed_type(i);
    unsigned align = LLVMGetAlignment(i); /* 0: NULL's, which is 2^32 */
    if (!align || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || !is_plain(i) ||
        LLVMIsAConstantExpr(pointer))
        return;
    unsigned bits = LLVMGetIntTypeWidth(type);
    if ((bits != 16 && bits != 32 && bits != 64) || 8 * align >= bits)
        return;
    LLVMTypeRef small = LLVMIntTypeInContext(ir.context, 8 * align);
    build_unplaced(i);
    pointer = pointer_to(small, pointer);
    for (unsigned k = 0; k < bits / 8 / align; k++)
        at[k] = element(small, pointer, k);
    for (unsigned k = 0; k < bits / 8 / align; k++) {
        LLVMValueRef shift = integer(type, 8 * align * k), part;
        if (store) {
            part = LLVMBuildLShr(ir.builder, LLVMGetOperand(i, 0), shift, "");
            part = LLVMBuildTrunc(ir.builder, part, small, "");
            access_element(small, part, at[k], align, i);
        } else {
            part = access_element(small, NULL, at[k], align, i);
            at[k] = LLVMBuildShl(ir.builder, LLVMBuildZExt(ir.builder, part, type, ""), shift, "");
        }
    }
    for (unsigned k = 0; k < bits / 8 / align && !store; k++)
        all = all ? LLVMBuildOr(ir.builder, all, at[k], "") : at[k];
    if (all)
        LLVMReplaceAllUsesWith(i, all);
    LLVMInstructionEraseFromParent(i);
}

static void split_copy(LLVMValueRef call)
{
    long bytes, is_volatile, align[2] = {1, 1}, piece = 16;
    LLVMValueRef side[2] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)}, value[LARGEST_COPY];
    if (!constant_integer(LLVMGetOperand(call, 2), &bytes) ||
        !constant_integer(LLVMGetOperand(call, 3), &is_volatile) || is_volatile ||
        LLVMIsAConstantExpr(side[0]) || LLVMIsAConstantExpr(side[1]) || bytes < 1 ||
        bytes > LARGEST_COPY)
        return;
    for (unsigned k = 0; k < 2; k++)
        has_attribute(call, k + 1, "align", &align[k]);
    while (piece > align[0] || piece > align[1] || bytes % piece)
        piece /= 2;
    LLVMTypeRef type = piece == 16 ? LLVMVectorType(ir.i32, 4)
                                   : LLVMIntTypeInContext(ir.context, (unsigned)(8 * piece));
    build_unplaced(call);
    for (int k = 1; k >= 0; k--) {
        LLVMValueRef array = pointer_to(type, side[k]);
        for (long n = 0; n < bytes / piece; n++) {
            LLVMValueRef at = element(type, array, n);
            value[n] = access_element(type, k ? NULL : value[n], at, piece, call);
        }
    }
    LLVMInstructionEraseFromParent(call);
}

void split_function(LLVMValueRef function)
{
    EACH_INSTRUCTION_IN(i, function)
        if (accessed(i))
            split_access(i);
        else if (starts_with(callee_name(i), "llvm.memcpy."))
            split_copy(i);
}
