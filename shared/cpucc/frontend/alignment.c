/*
 * Part of guard. Adds alignment checks to accesses and copies whose type demands more alignment
 * than its members, gives loads and stores through casts the alignment of the accessed type, and
 * reports struct copies to the run time, since padding may be uninitialised.
 */
#include "guard.h"

/* Adds a check that the pointer is a multiple of `align`, unless it points into a local. */
static void check_alignment(LLVMValueRef pointer, long align, LLVMValueRef x)
{
    if (!LLVMIsAConstant(pointer) && !into_local(pointer))
        copy_place(
            CALL("cpucc.guard.aligned", ir.nothing, as_bytes(pointer), integer(ir.i64, align - 1)),
            x);
}

void add_alignment(LLVMValueRef x)
{
    LLVMValueRef pointer = accessed(x);
    if (pointer) {
        LLVMTypeRef type = accessed_type(x);
        long align = LLVMGetAlignment(x), bytes = type_bytes(type);
        if (is_plain(x) && bytes && align > bytes && align <= 16 && align >= 8)
            check_alignment(pointer, align, x);
        return;
    }
    bool copy;
    if (!is_copy_or_fill(x, &copy) || !copy)
        return;
    LLVMValueRef from = LLVMGetOperand(x, 1), bytes = LLVMGetOperand(x, 2);
    for (unsigned i = 0; i < 2; i++) {
        long align;
        if (has_attribute(x, i + 1, "align", &align) && align >= 8 && align <= 16 &&
            constant_or_0(bytes) >= align)
            check_alignment(LLVMGetOperand(x, i), align, x);
    }
    if (!LLVMIsAConstant(from) && !into_local(from) && constant_or_0(bytes) > 4)
        copy_place(CALL("cpucc_guard_struct", ir.nothing, as_bytes(from), bytes), x);
}

/* ---- variables read as another type ---- */

static bool has_struct(LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

/* True if the pointer is derived from a global variable and no struct lies on the way to it that is
 * packed or named in a constant expression. */
static bool to_a_variable(LLVMValueRef pointer)
{
    for (; is_derived(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        bool steps = opcode_of(pointer) == LLVMGetElementPtr;
        LLVMTypeRef type = steps ? LLVMGetGEPSourceElementType(pointer) : NULL;
        if (type && (LLVMIsAConstant(pointer) ? has_struct(type) : is_packed(type)))
            return false;
    }
    return LLVMIsAGlobalVariable(pointer);
}

/* Gives a load or store the natural alignment of the accessed type. clang gives
 * *(double *)&tile[i] the alignment of tile's floats and would split it; nvcc does not. */
void natural_alignment(LLVMValueRef x)
{
    LLVMValueRef pointer = accessed(x);
    if (!pointer || LLVMGetOrdering(x) != LLVMAtomicOrderingNotAtomic)
        return;
    LLVMTypeRef type = accessed_type(x);
    bool scalar = !is_compound(type) && LLVMGetTypeKind(type) != LLVMVectorTypeKind;
    long bytes = scalar ? type_bytes(type) : 0;
    if (bytes > LLVMGetAlignment(x) && bytes <= 8 && to_a_variable(pointer))
        LLVMSetAlignment(x, (unsigned)bytes);
}
