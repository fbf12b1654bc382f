/*
 * header: compiles a precompiled header's functions once, and not again in each program that includes it.
 *
 * share_functions() exports the functions, variables and kernels that are the header's own; use_shared() and
 * use_shared_kernels() remove the same ones from a program, which is linked with the header's objects. A program
 * still has the header's templates, inline functions and device functions.
 */
#include "compile.h"
#include "ir.h"

/* True for what is internal and named by the source, in which C++ allows the name once. */
static bool is_own(LLVMValueRef v)
{
    return LLVMGetLinkage(v) == LLVMInternalLinkage && starts_with(name_of(v), "_Z") &&
           !LLVMIsDeclaration(v);
}

static void export(LLVMValueRef v)
{
    LLVMSetLinkage(v, LLVMExternalLinkage);
    LLVMSetVisibility(v, LLVMHiddenVisibility);
}

/* A call that clang makes to register a kernel: the stub, and the kernel's name. */
static bool is_registration(LLVMValueRef i, LLVMValueRef *stub, const char **kernel)
{
    size_t n;
    if (!is_call_of(i, "__cudaRegisterFunction"))
        return false;
    LLVMValueRef name = global_in(LLVMGetOperand(i, 2));
    *stub = global_in(LLVMGetOperand(i, 1));
    *kernel = LLVMGetAsString(LLVMGetInitializer(name), &n);
    return true;
}

/* True if something runs before main, or is a variable that the device has as well. */
static bool has_state(void)
{
    LLVMValueRef start = LLVMGetNamedGlobal(ir.module, "llvm.global_ctors");
    if (start && LLVMGetNumOperands(LLVMGetInitializer(start)) > 1)
        return true;
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f)
            if (calls_one_of(i, "__cudaRegisterVar __cudaRegisterManagedVar"))
                return true;
    return false;
}

bool has_variables(void)
{
    EACH_GLOBAL(g)
        if (!LLVMIsGlobalConstant(g) && !starts_with(name_of(g), "llvm.") &&
            space_of(g) != SPACE_SHARED)
            return true;
    return false;
}

bool share_functions(const char *path)
{
    static const char *const kept[] = {"llvm.used", "llvm.compiler.used"};
    LLVMValueRef stub;
    const char *kernel;
    FILE *list = has_state() ? NULL : fopen(path, "we");
    if (!list)
        return false;
    for (int k = 0; k < 2; k++)
        if (LLVMGetNamedGlobal(ir.module, kept[k]))
            LLVMDeleteGlobal(LLVMGetNamedGlobal(ir.module, kept[k]));
    EACH_GLOBAL(g)
        if (is_own(g)) {
            export(g);
            fprintf(list, "%s\n", name_of(g));
        }
    EACH_FUNCTION(f) {
        EACH_INSTRUCTION_IN(i, f)
            if (is_registration(i, &stub, &kernel))
                fprintf(list, "%s\n", kernel);
        if (is_own(f)) {
            export(f);
            fprintf(list, "%s\n", name_of(f));
        }
    }
    return !fclose(list);
}

/* ---- programs ---- */

/* Calls `drop` for each name of the list that the module defines. */
static void for_each_shared(const char *path, void (*drop)(LLVMValueRef))
{
    char *list = read_file(path), *rest = NULL;
    for (char *name = strtok_r(list, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest)) {
        LLVMValueRef f = LLVMGetNamedFunction(ir.module, name);
        LLVMValueRef v = f ? f : LLVMGetNamedGlobal(ir.module, name);
        if (v && !LLVMIsDeclaration(v))
            drop(v);
    }
    free(list);
}

static void declare(LLVMValueRef v)
{
    char *name = format("%s", name_of(v));
    LLVMTypeRef type = LLVMGlobalGetValueType(v);
    bool is_function = LLVMIsAFunction(v);
    LLVMValueRef d =
        is_function ? LLVMAddFunction(ir.module, "", type) : LLVMAddGlobal(ir.module, type, "");
    export(d);
    LLVMReplaceAllUsesWith(v, d);
    (is_function ? LLVMDeleteFunction : LLVMDeleteGlobal)(v);
    LLVMSetValueName2(d, name, strlen(name));
    free(name);
}

void use_shared(const char *path)
{
    LLVMValueRef stub, all = LLVMGetNamedFunction(ir.module, "__cuda_register_globals");
    const char *kernel;
    for_each_shared(path, declare);
    if (all)
        EACH_INSTRUCTION_IN(i, all)
            if (is_registration(i, &stub, &kernel) && LLVMIsDeclaration(stub))
                LLVMInstructionEraseFromParent(i);
}

static void drop_kernel(LLVMValueRef f)
{
    if (!is_kernel(f)) /* the list has the host's functions too */
        return;
    LLVMReplaceAllUsesWith(f, LLVMGetUndef(LLVMTypeOf(f)));
    LLVMDeleteFunction(f);
}

void use_shared_kernels(const char *path) { for_each_shared(path, drop_kernel); }
