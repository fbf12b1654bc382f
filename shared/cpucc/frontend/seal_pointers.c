/* Part of seal. Turns calls through pointers into calls of functions by their names. */
#include "seal.h"

/* True if the types are equal, or pointers to equal address spaces. */
static bool alike(LLVMTypeRef a, LLVMTypeRef b)
{
    return a == b || (LLVMGetTypeKind(a) == LLVMPointerTypeKind &&
                      LLVMGetTypeKind(b) == LLVMPointerTypeKind &&
                      LLVMGetPointerAddressSpace(a) == LLVMGetPointerAddressSpace(b));
}

static LLVMTypeRef result_of(LLVMValueRef f)
{
    return LLVMGetReturnType(LLVMGlobalGetValueType(f));
}

/* True if the pointer that build_choice's function gets, with f's arguments behind it, can be f, whose address is
 * taken. */
static bool is_target(LLVMValueRef f, LLVMValueRef choice)
{
    unsigned n = LLVMCountParams(f);
    if (f == choice || LLVMIsDeclaration(f) || is_kernel(f) ||
        LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) || n + 1 != LLVMCountParams(choice) ||
        !alike(result_of(f), result_of(choice)))
        return false;
    for (unsigned k = 0; k < n; k++)
        if (!alike(LLVMTypeOf(LLVMGetParam(f, k)), LLVMTypeOf(LLVMGetParam(choice, k + 1))))
            return false;
    return has_pointers(f);
}

/* Calls f with the arguments of build_choice's function, which is being built, and returns from that. */
static void call_and_return(LLVMValueRef f, LLVMValueRef choice)
{
    unsigned n = LLVMCountParams(f);
    LLVMTypeRef result = result_of(choice);
    LLVMValueRef *given = allocate(NULL, sizeof *given * n);
    for (unsigned k = 0; k < n; k++)
        given[k] = LLVMBuildBitCast(ir.builder, LLVMGetParam(choice, k + 1),
                                    LLVMTypeOf(LLVMGetParam(f, k)), "");
    LLVMValueRef value = LLVMBuildCall2(ir.builder, LLVMGlobalGetValueType(f), f, given, n, "");
    if (result == ir.nothing)
        LLVMBuildRetVoid(ir.builder);
    else
        LLVMBuildRet(ir.builder, LLVMBuildBitCast(ir.builder, value, result, ""));
}

/* Builds a function that takes a pointer and the arguments of a call through it. It compares the pointer
 * with each function that it can be, and calls that function; other pointers end the launch. */
static LLVMValueRef build_choice(LLVMValueRef call)
{
    static int number;
    LLVMValueRef caller = function_of(call);
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *parameter = allocate(NULL, sizeof *parameter * (n + 1));
    parameter[0] = LLVMTypeOf(LLVMGetCalledValue(call));
    LLVMGetParamTypes(type, parameter + 1);
    LLVMValueRef choice =
        LLVMAddFunction(ir.module, format("cpucc.choice.%d", number++),
                        LLVMFunctionType(LLVMGetReturnType(type), parameter, n + 1, 0));
    LLVMSetLinkage(choice, LLVMInternalLinkage);
    set_attribute(choice, "convergent", true);
    set_text_attribute(choice, "target-cpu", text_attribute(caller, "target-cpu"));
    set_text_attribute(choice, "target-features", text_attribute(caller, "target-features"));
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(ir.context, choice, "");
    EACH_FUNCTION(f) {
        if (!is_target(f, choice))
            continue;
        LLVMBasicBlockRef calls = LLVMAppendBasicBlockInContext(ir.context, choice, ""),
                          next = LLVMAppendBasicBlockInContext(ir.context, choice, "");
        LLVMPositionBuilderAtEnd(ir.builder, block);
        LLVMValueRef same = LLVMBuildICmp(ir.builder, LLVMIntEQ, LLVMGetParam(choice, 0),
                                          LLVMConstBitCast(f, parameter[0]), "");
        LLVMBuildCondBr(ir.builder, same, calls, next);
        LLVMPositionBuilderAtEnd(ir.builder, calls);
        call_and_return(f, choice);
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
            LLVMValueRef choice = build_choice(i), *given = allocate(NULL, sizeof *given * (n + 1));
            given[0] = LLVMGetCalledValue(i);
            for (unsigned k = 0; k < n; k++)
                given[k + 1] = LLVMGetOperand(i, k);
            build_before(i);
            replace_by(i, LLVMBuildCall2(ir.builder, LLVMGlobalGetValueType(choice), choice, given,
                                         n + 1, ""));
        }
}
