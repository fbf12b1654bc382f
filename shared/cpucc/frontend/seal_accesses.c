/* Part of seal. Puts loads, stores and calls behind their guards, and replaces local variables. */
#include "seal.h"
#include "../core/site.h"

/* ---- accesses ---- */

/* True for types whose bytes in memory are exactly LLVM's value, without padding bits. */
static bool is_plain_type(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind: return is_plain_type(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned k = 0; k < LLVMCountStructElementTypes(t); k++)
            if (!is_plain_type(LLVMStructGetTypeAtIndex(t, k)))
                return false;
        return true;
    default: return is_scalar(t);
    }
}

/* True for a place in a local variable that is the same whenever the instruction runs. */
static bool is_fixed(LLVMValueRef p)
{
    for (; LLVMIsACastInst(p) || LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0))
        for (unsigned k = 1; LLVMIsAGetElementPtrInst(p) && k < (unsigned)LLVMGetNumOperands(p);
             k++)
            if (!LLVMIsAConstant(LLVMGetOperand(p, k)))
                return false;
    return LLVMIsAAllocaInst(p) ||
           (LLVMIsACallInst(p) && !strcmp(callee_name(p), "cpucc_seal_local"));
}

/* Notes an access of `bytes` bytes, by a call, at operand k if that is a local variable at a place that varies. */
static void note_place(LLVMValueRef call, unsigned k, LLVMValueRef bytes)
{
    LLVMValueRef p = LLVMGetOperand(call, k);
    if (is_fixed(p) || LLVMIsUndef(p) || space_of(p))
        return;
    build_before(call);
    LLVMValueRef held = LLVMBuildFreeze(ir.builder, p, "");
    CALL("cpucc_seal_note", ir.nothing, LLVMBuildPtrToInt(ir.builder, held, ir.i64, ""),
         LLVMBuildIntCast2(ir.builder, bytes, ir.i64, 0, ""));
    LLVMSetOperand(call, k, held);
}

/* Guards operand k of an instruction, an address of that many bytes; `how`: 0 for a load, 1 for a
 * store, 2 for a local variable that the run time writes. */
static void guard(LLVMValueRef i, unsigned k, long bytes, int how)
{
    LLVMValueRef p = LLVMGetOperand(i, k);
    if (LLVMIsUndef(p) || space_of(p)) {
        refuse(space_of(p) ? "another address space" : "an undefined address", i);
        return;
    }
    build_before(i);
    LLVMValueRef held = LLVMBuildFreeze(ir.builder, p, "");
    CALL("cpucc_seal_guard", ir.nothing, LLVMBuildPtrToInt(ir.builder, held, ir.i64, ""),
         integer(ir.i64, bytes), integer(ir.i32, how + (is_fixed(p) ? SEAL_FIXED : 0)));
    LLVMSetOperand(i, k, held);
}

void seal_access(LLVMValueRef access)
{
    bool load = LLVMIsALoadInst(access);
    LLVMTypeRef type = accessed_type(access);
    if (!is_plain_type(type))
        refuse(load ? "a load" : "a store", access);
    else
        guard(access, address_operand(access), bytes_of(type), !load);
}

/* ---- local variables ---- */

void seal_alloca(LLVMValueRef alloca)
{
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    long align = LLVMGetAlignment(alloca) > 16 ? LLVMGetAlignment(alloca) : 16;
    if (!is_plain_type(type) || space_of(alloca)) {
        refuse("a variable", alloca);
        return;
    }
    build_before(alloca);
    LLVMValueRef count = LLVMBuildIntCast2(ir.builder, LLVMGetOperand(alloca, 0), ir.i64, 0, "");
    LLVMValueRef bytes = LLVMBuildMul(ir.builder, integer(ir.i64, bytes_of(type)), count, "");
    LLVMValueRef p = CALL("cpucc_seal_local", byte_pointer(0), bytes, integer(ir.i64, align));
    replace_by(alloca, LLVMBuildBitCast(ir.builder, p, LLVMTypeOf(alloca), ""));
}

void seal_vector(LLVMValueRef i)
{
    LLVMValueRef index = LLVMGetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1);
    LLVMTypeRef vector = LLVMTypeOf(LLVMGetOperand(i, 0));
    if (LLVMIsAConstant(index))
        return;
    build_before(i);
    CALL("cpucc_seal_element", ir.nothing, LLVMBuildIntCast2(ir.builder, index, ir.i64, 0, ""),
         integer(ir.i64, bytes_of(LLVMGetElementType(vector))));
}

void copy_parameter(LLVMValueRef f, unsigned k, LLVMValueRef before)
{
    LLVMValueRef p = LLVMGetParam(f, k);
    LLVMTypeRef type = by_value_type(f, k);
    long align = 16;
    has_attribute(f, k + 1, "align", &align);
    if (!is_plain_type(type) || space_of(p)) {
        refuse("a parameter", f);
        return;
    }
    build_before(before);
    LLVMValueRef copy = CALL("cpucc_seal_copy", byte_pointer(0), LLVMConstNull(byte_pointer(0)),
                             integer(ir.i64, bytes_of(type)), integer(ir.i64, align));
    LLVMReplaceAllUsesWith(p, LLVMBuildBitCast(ir.builder, copy, LLVMTypeOf(p), ""));
    build_before(copy);
    LLVMSetOperand(copy, 0, as_bytes(p));
}

/* ---- attributes ---- */

/* Removes the attributes of a function or call at one index, but not those of a function that choose arithmetic,
 * or keep machine code small. */
static void clear_attributes(LLVMValueRef of, LLVMAttributeIndex index)
{
    bool call = !LLVMIsAFunction(of), own = index == ON_FUNCTION;
    unsigned n = (call ? LLVMGetCallSiteAttributeCount : LLVMGetAttributeCountAtIndex)(of, index);
    LLVMAttributeRef *all = allocate(NULL, sizeof *all * n);
    (call ? LLVMGetCallSiteAttributes : LLVMGetAttributesAtIndex)(of, index, all);
    for (unsigned k = 0; k < n; k++) {
        if (LLVMIsStringAttribute(all[k])) {
            unsigned length;
            const char *name = LLVMGetStringAttributeKind(all[k], &length);
            if (!own || !(strstr(name, "fp-math") || strstr(name, "fpmad") ||
                          strstr(name, "trapping-math") || strstr(name, "disable-tail-calls")))
                (call ? LLVMRemoveCallSiteStringAttribute
                      : LLVMRemoveStringAttributeAtIndex)(of, index, name, length);
        } else if (!own || LLVMGetEnumAttributeKind(all[k]) != attribute_kind("nounwind")) {
            (call ? LLVMRemoveCallSiteEnumAttribute
                  : LLVMRemoveEnumAttributeAtIndex)(of, index, LLVMGetEnumAttributeKind(all[k]));
        }
    }
}

void clear_function(LLVMValueRef f)
{
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
    if (LLVMIsDeclaration(f)) { /* LLVM's own declarations need theirs */
        set_attribute(f, "noreturn", false);
        return;
    }
    clear_attributes(f, ON_FUNCTION);
    for (unsigned k = 0; k <= LLVMCountParams(f); k++)
        clear_attributes(f, k);
    /* A large frame is touched page by page, so that it cannot skip the guard page. */
    set_text_attribute(f, "probe-stack", "inline-asm");
}

void clear_call(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool own = LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee);
    LLVMSetTailCall(call, 0);
    LLVMSetInstructionCallConv(call, LLVMCCallConv);
    clear_attributes(call, ON_FUNCTION);
    for (unsigned k = 0; k <= argument_count(call); k++)
        if (own)
            clear_attributes(call, k);
        else
            LLVMRemoveCallSiteEnumAttribute(call, k, attribute_kind("byval"));
}

/* ---- calls ---- */

/* Notes what a copy or a fill does to local variables. */
static void note_copy(LLVMValueRef call)
{
    bool set = strstr(callee_name(call), "memset") != NULL;
    for (unsigned k = 0; k < (set ? 1 : 2); k++)
        note_place(call, k, LLVMGetOperand(call, 2));
}

static bool is_number(LLVMTypeRef t) /* an integer that is passed in one register */
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64;
}

/* Guards the last operand of cpucc_shuffle, an int that the run time writes, or a null pointer. The
 * run time must find that operand where this file does, so all others must be integers. */
static void guard_shuffle(LLVMValueRef call)
{
    enum { LAST = 5 };
    bool good = argument_count(call) == LAST + 1 && is_number(LLVMTypeOf(call));
    for (unsigned k = 0; good && k < LAST; k++)
        good = is_number(LLVMTypeOf(LLVMGetOperand(call, k)));
    LLVMValueRef p = good ? LLVMGetOperand(call, LAST) : NULL;
    if (!p || LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind)
        refuse("a call", call);
    else if (!LLVMIsNull(p))
        guard(call, LAST, 4, 2);
}

void seal_call(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = name_of(callee);
    if (!LLVMIsAFunction(callee)) {
        refuse(LLVMIsAInlineAsm(callee)
                   ? "a call"
                   : "a call through a pointer that passes a struct by value (pass "
                     "its address, or call the function by its name)",
               call);
    } else if (calls_one_of(call, "llvm.lifetime. llvm.assume llvm.dbg.")) {
        LLVMInstructionEraseFromParent(call);
    } else if (starts_with(name,
                           "llvm.mem") || /* of code that has switched the instrumentation off */
               LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee) ||
               (unsigned)LLVMGetNumOperands(call) != argument_count(call) + 1) {
        refuse("a call", call); /* of another type, or with bundles */
    } else {
        if (!strcmp(name, "cpucc_shuffle"))
            guard_shuffle(call);
        else if (starts_with(name, "cpucc_mem"))
            note_copy(call);
        for (unsigned k = 0; k < argument_count(call); k++)
            if (by_value_type(callee, k))
                note_place(call, k, integer(ir.i64, bytes_of(by_value_type(callee, k))));
        clear_call(call);
    }
}
