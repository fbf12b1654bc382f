/*
 * Marks device functions that LLVM shall inline before guard.c runs: those that a caller hands the
 * address of one of its local variables, such as members of a class and functions that fill an array,
 * and those that return a struct. guard.c can then follow uses of the variable (uninitialised.c).
 *
 * Functions of library headers are not marked. An alwaysinline of the program becomes the attribute
 * "cpucc-inline", so that it takes effect only after guard.c, which restores it.
 */
#include "compile.h"
#include "ir.h"

enum { MOST_LINES = 400, PARAMETERS = 32 };

struct function {
    LLVMValueRef is;
    bool possible;        /* short enough to be inlined */
    bool fed[PARAMETERS]; /* the parameter may be the address of a caller's local variable */
    bool chosen;          /* is to be inlined */
};
static struct function *functions;
static int function_count;
static struct map numbers; /* of a function: its place in `functions`, + 1 */

/* ---- where a pointer comes from ---- */

enum { NOWHERE = 0, LOCAL = 1, PARAMETER = 2 }; /* PARAMETER + i: parameter number i */

static struct map origins; /* of the values of one function */

static long origin_of(LLVMValueRef v) { return map_get(&origins, v); }

static void come_from(LLVMValueRef v, long from)
{
    if (!LLVMIsAConstant(v))
        *map_at(&origins, v) = from;
}

/* Notes in the called function which parameters are addresses of locals; true if one is new. */
static bool feed(const struct function *caller, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetNamedFunction(ir.module, callee_name(call));
    long number = callee ? map_get(&numbers, callee) : 0;
    struct function *f = number ? &functions[number - 1] : NULL;
    bool changed = false;
    if (!f || f == caller)
        return false;
    for (unsigned i = 0; i < argument_count(call) && i < PARAMETERS; i++) {
        long from = origin_of(LLVMGetOperand(call, i));
        bool local = from == LOCAL || (from >= PARAMETER && caller->fed[from - PARAMETER]);
        if (local && !f->fed[i])
            f->fed[i] = changed = true, f->chosen = f->possible;
    }
    return changed;
}

static bool look_at(struct function *f)
{
    bool changed = false;
    clear_map(&origins);
    for (unsigned i = 0; i < LLVMCountParams(f->is) && i < PARAMETERS; i++)
        come_from(LLVMGetParam(f->is, i), PARAMETER + (long)i);
    EACH_INSTRUCTION_IN(i, f->is) {
        int opcode = opcode_of(i);
        long from = LLVMGetNumOperands(i) ? origin_of(LLVMGetOperand(i, 0)) : NOWHERE;
        if (opcode == LLVMAlloca) {
            if (LLVMGetTypeKind(LLVMGetAllocatedType(i)) != LLVMPointerTypeKind)
                come_from(i, LOCAL);
        } else if (opcode == LLVMCall) {
            changed |= feed(f, i);
        } else if (from && (opcode == LLVMGetElementPtr || opcode == LLVMBitCast)) {
            come_from(i, from);
        } else if (from > LOCAL && opcode == LLVMLoad) {
            come_from(i, from);
        } else if (from && opcode == LLVMStore) { /* for example a parameter's, into its alloca */
            if (origin_of(LLVMGetOperand(i, 1)) == NOWHERE)
                come_from(LLVMGetOperand(i, 1), from);
        }
    }
    return changed;
}

/* ---- which functions may be inlined: the program's own that are not noinline ---- */

static bool of_a_library(LLVMValueRef f)
{
    const char *file = file_of(LLVMGetSubprogram(f));
    return !*file || strstr(file, "/cpucc/include/") || starts_with(file, "/usr/") ||
           strstr(file, "/cccl/");
}

/* True if the function returns a struct that has a name. */
static bool gives_struct(LLVMValueRef f)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(f));
    return LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMGetStructName(type);
}

static void find_functions(void)
{
    EACH_FUNCTION(f) {
        if (LLVMIsDeclaration(f))
            continue;
        bool possible = printed_lines(f) <= MOST_LINES;
        *APPEND(functions, function_count) =
            (struct function){.is = f, .possible = possible, .chosen = possible && gives_struct(f)};
        *map_at(&numbers, f) = function_count;
    }
}

/* Gives the chosen functions, and no others, the attribute alwaysinline. */
static void mark_chosen(void)
{
    static const char word[] = "alwaysinline";
    EACH_FUNCTION(f) {
        if (!attribute_at(f, ON_FUNCTION, word))
            continue;
        set_attribute(f, word, false);
        set_text_attribute(f, "cpucc-inline", "");
    }
    for (int i = 0; i < function_count; i++)
        if (functions[i].chosen)
            set_attribute(functions[i].is, word, true);
}

bool mark_inlined(void)
{
    bool any = false;
    find_functions();
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < function_count; i++)
            changed |= look_at(&functions[i]);
    }
    for (int i = 0; i < function_count; i++) {
        struct function *f = &functions[i];
        f->chosen =
            f->chosen && !of_a_library(f->is) && !attribute_at(f->is, ON_FUNCTION, "noinline");
        any |= f->chosen;
    }
    if (any)
        mark_chosen();
    return any;
}
