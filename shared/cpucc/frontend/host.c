/* host: tells whether a program's host half needs good machine code and what its assembly can do, and watches its
 * loads. */
#include <ctype.h>
#include "compile.h"
#include "ir.h"
#include "loops.h"

/* True for lines that only make names global: <iostream> of GCC 13 and newer has one. */
static bool is_all_globl(const char *assembly)
{
    static const char GLOBL[] = ".globl ";
    while (starts_with(assembly, GLOBL)) {
        assembly += strlen(GLOBL);
        while (isalnum((unsigned char)*assembly) || *assembly == '_')
            assembly++;
        if (*assembly == '\n')
            assembly++;
    }
    return !*assembly;
}

bool has_directives(void)
{
    size_t n = 0;
    const char *outside = LLVMGetModuleInlineAsm(ir.module, &n);
    bool has = outside && strchr(outside, '.') && !is_all_globl(outside);
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f) {
            if (!LLVMIsACallInst(i) || !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
                continue;
            char *text = LLVMPrintValueToString(LLVMGetCalledValue(i));
            const char *quoted = strchr(text, '"'); /* types that stand before may have dots */
            has |= quoted && strchr(quoted, '.');
            LLVMDisposeMessage(text);
        }
    return has;
}

/* The value without conversions of numbers. */
static LLVMValueRef unconverted(LLVMValueRef v)
{
    while (LLVMIsACastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

/* True for a product of two values that the block loads. */
static bool is_product(LLVMValueRef i)
{
    if (opcode_of(i) != LLVMMul && opcode_of(i) != LLVMFMul &&
        !starts_with(callee_name(i), "llvm.fmuladd."))
        return false;
    LLVMValueRef a = unconverted(LLVMGetOperand(i, 0)), b = unconverted(LLVMGetOperand(i, 1));
    return LLVMIsALoadInst(a) && LLVMIsALoadInst(b);
}

static bool has_product(LLVMBasicBlockRef b)
{
    EACH_INSTRUCTION(i, b)
        if (is_product(i))
            return true;
    return false;
}

bool has_long_loops(void)
{
    bool has = false;
    EACH_FUNCTION(f) {
        if (LLVMIsDeclaration(f))
            continue;
        find_loops(f, has_product);
        EACH_LOOP(l)
            has |= depth_of(l) >= 2;
    }
    return has;
}

/* True for a load that may read what cudaMemcpy has written: no pointer, and no variable of its own. */
static bool is_watched(LLVMValueRef i)
{
    long offset = 0;
    if (!LLVMIsALoadInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind)
        return false;
    LLVMValueRef base = strip_offsets(LLVMGetOperand(i, 0), &offset);
    return !LLVMIsAAllocaInst(base) && !LLVMIsAGlobalVariable(base);
}

bool watch_loads(void)
{
    LLVMValueRef watch = LLVMGetNamedFunction(ir.module, "cpucc_host_load");
    bool any = false;
    if (!watch)
        return false;
    EACH_FUNCTION(f)
        if (f != watch)
            EACH_BLOCK(b, f)
                EACH_INSTRUCTION(i, b)
                    if (is_watched(i) && !has_product(b)) {
                        build_before(i);
                        CALL("cpucc_host_load", ir.nothing, as_bytes(LLVMGetOperand(i, 0)),
                             integer(ir.i64, bytes_of(LLVMTypeOf(i))));
                        any = true;
                    }
    return any;
}
