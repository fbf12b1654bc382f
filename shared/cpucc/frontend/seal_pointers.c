/* Part of seal. Turns calls through pointers into calls of functions by their names. */
#include "seal.h"

/* True if the types are equal, or pointers to equal address spaces. */
static bool alike(LLVMTypeRef a, LLVMTypeRef b)
{
    return a == b || (LLVMGetTypeKind(a) == LLVMPointerTypeKind &&
                      LLVMGetTypeKind(b) == LLVMPointerTypeKind &&
                      LLVMGetPointerAddressSpace(a) == LLVMGetPointerAddressSpace(b));
}

/* True if the pointer of a call of this type can be the function, whose address is taken. */
static bool is_target(LLVMValueRef f, LLVMTypeRef type)
{
    LLVMTypeRef own = LLVMGlobalGetValueType(f);
    if (LLVMIsDeclaration(f) || is_kernel(f) || LLVMIsFunctionVarArg(own) ||
        LLVMCountParams(f) != LLVMCountParamTypes(type) ||
        !alike(LLVMGetReturnType(own), LLVMGetReturnType(type)))
        return false;
    LLVMTypeRef *wanted = allocate(NULL, sizeof *wanted * (LLVMCountParams(f) + 1));
    bool same = true;
    LLVMGetParamTypes(type, wanted);
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
        same &= alike(LLVMTypeOf(LLVMGetParam(f, k)), wanted[k]);
    return same && has_pointers(f);
}

/* Calls f with the arguments and returns from the function that is being built. */
static void call_and_return(LLVMValueRef f, LLVMValueRef *given, LLVMTypeRef result)
{
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *own = allocate(NULL, sizeof *own * (n + 1));
    for (unsigned k = 0; k < n; k++)
        own[k] = LLVMBuildBitCast(ir.builder, given[k], LLVMTypeOf(LLVMGetParam(f, k)), "");
    LLVMValueRef value = LLVMBuildCall2(ir.builder, LLVMGlobalGetValueType(f), f, own, n, "");
    if (result == ir.nothing)
        LLVMBuildRetVoid(ir.builder);
    else
        LLVMBuildRet(ir.builder, LLVMBuildBitCast(ir.builder, value, result, ""));
}

/* Builds a function that takes a pointer and the arguments of a call through it. It compares the pointer
 * with each function that it can be, and calls that function; other pointers end the launch. */
static LLVMValueRef build_choice(LLVMValueRef call, LLVMTypeRef type, LLVMTypeRef pointer)
{
    static int number;
    LLVMValueRef caller = function_of(call);
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *parameter = allocate(NULL, sizeof *parameter * (n + 1)),
                result = LLVMGetReturnType(type);
    LLVMValueRef *given = allocate(NULL, sizeof *given * (n + 1));
    parameter[0] = pointer;
    LLVMGetParamTypes(type, parameter + 1);
    LLVMValueRef choice = LLVMAddFunction(ir.module, format("cpucc.choice.%d", number++),
                                          LLVMFunctionType(result, parameter, n + 1, 0));
    LLVMSetLinkage(choice, LLVMInternalLinkage);
    set_attribute(choice, "convergent", true);
    set_text_attribute(choice, "target-cpu", text_attribute(caller, "target-cpu"));
    set_text_attribute(choice, "target-features", text_attribute(caller, "target-features"));
    LLVMGetParams(choice, given);
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(ir.context, choice, "");
    EACH_FUNCTION(f) {
        if (f == choice || !is_target(f, type))
            continue;
        LLVMBasicBlockRef calls = LLVMAppendBasicBlockInContext(ir.context, choice, ""),
                          next = LLVMAppendBasicBlockInContext(ir.context, choice, "");
        LLVMPositionBuilderAtEnd(ir.builder, block);
        LLVMBuildCondBr(
            ir.builder,
            LLVMBuildICmp(ir.builder, LLVMIntEQ, given[0], LLVMConstBitCast(f, pointer), ""), calls,
            next);
        LLVMPositionBuilderAtEnd(ir.builder, calls);
        call_and_return(f, given + 1, result);
        block = next;
    }
    LLVMPositionBuilderAtEnd(ir.builder, block);
    call_named("llvm.trap", ir.nothing, NULL, 0);
    LLVMBuildUnreachable(ir.builder);
    return choice;
}

/* True for a call through a pointer that passes no struct by value. */
static bool is_through_pointer(LLVMValueRef i)
{
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!callee || LLVMIsAFunction(callee) || LLVMIsAInlineAsm(callee) || LLVMIsAConstant(callee) ||
        LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i)) ||
        (unsigned)LLVMGetNumOperands(i) != argument_count(i) + 1)
        return false;
    for (unsigned k = 0; k < argument_count(i); k++)
        if (by_value_type(i, k))
            return false;
    return true;
}

void name_callees(void)
{
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f) {
            if (!is_through_pointer(i))
                continue;
            unsigned n = argument_count(i);
            LLVMValueRef callee = LLVMGetCalledValue(i),
                         *given = allocate(NULL, sizeof *given * (n + 1));
            LLVMValueRef choice = build_choice(i, LLVMGetCalledFunctionType(i), LLVMTypeOf(callee));
            given[0] = callee;
            for (unsigned k = 0; k < n; k++)
                given[k + 1] = LLVMGetOperand(i, k);
            build_before(i);
            replace_by(i, LLVMBuildCall2(ir.builder, LLVMGlobalGetValueType(choice), choice, given,
                                         n + 1, ""));
        }
}
