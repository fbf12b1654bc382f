/*
 * retarget: translates a module that clang made for an NVIDIA GPU into one for the CPU. It changes
 *
 *   data layout, triple, the target's attributes   the CPU's
 *   functions                                      internal, in a section of their own
 *   __shared__ variables (address space 3)         calls of the run time, see shared.c
 *   __device__ and __constant__ (1 and 4)          variables in sections that the run time knows
 *   inline PTX                                     calls of an interpreter, see assembly.c
 *   llvm.nvvm.x.y                                  functions of the run time, cpucc_nvvm_x_y
 *   kernels                                        registered in a table, see kernels.c
 *
 * Pointers of other address spaces become pointers of address space 0 before they are used, see
 * shared.c.
 *
 * What it refuses it reports on standard error, with file, line and name.
 */
#include "compile.h"
#include "module.h"

const char *unit;
static bool failed;

void reject(char *where, char *what)
{
    fprintf(stderr, "%s: error: cpucc: %s\n", where, what);
    failed = true;
}

LLVMValueRef null_pointer(void) { return LLVMConstNull(byte_pointer(0)); }

/* ---- debug metadata ---- */

char *source_line(LLVMValueRef instruction)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    LLVMMetadataRef file = at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
    unsigned n;
    return file ? format("%s:%u", LLVMDIFileGetFilename(file, &n), LLVMDILocationGetLine(at))
                : format("%s", unit);
}

char *subprogram_name(LLVMValueRef f)
{
    enum { NAME = 2 }; /* operands of a DISubprogram: file, scope, name ... */
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    const char *name = string_of(subprogram ? operand_of(subprogram, NAME) : NULL);
    return *name ? format("%s", name) : NULL;
}

/* ---- instructions ---- */

/* Gives an instruction of line 0, which the optimiser merged from several, the last location
 * before it. */
static void place(LLVMValueRef i, LLVMMetadataRef *last)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
    if (at && LLVMDILocationGetLine(at))
        *last = at;
    else if (at && *last)
        LLVMInstructionSetDebugLoc(i, *last);
}

/* Before a call through a pointer, adds a call that checks that the target is device code. */
static void check_call(LLVMValueRef i)
{
    LLVMValueRef callee = LLVMGetCalledValue(i);
    bool number = LLVMIsAConstantExpr(callee) && opcode_of(callee) == LLVMIntToPtr;
    if (!LLVMIsAInstruction(callee) && !LLVMIsAArgument(callee) && !number)
        return;
    build_before(i);
    CALL("cpucc_check_call", ir.nothing, as_bytes(callee));
}

/* Before the allocation of a local array whose length only the run knows, adds a call that checks the
 * length: a negative one would move the stack's end upwards. */
static void check_length(LLVMValueRef i)
{
    LLVMValueRef count = LLVMGetOperand(i, 0);
    if (LLVMIsAConstantInt(count))
        return;
    build_before(i);
    CALL("cpucc_check_local", ir.nothing, LLVMBuildIntCast2(ir.builder, count, ir.i64, 0, ""));
}

/* Before a call of printf, adds a call that tells its arguments' types: a letter for each member of
 * the struct that clang makes of them. */
static void note_arguments(LLVMValueRef i)
{
    long offset = 0;
    char types[64] = "";
    if (!calls_one_of(i, "vprintf cpucc_vprintf") || argument_count(i) != 2)
        return;
    LLVMValueRef buffer = strip_offsets(LLVMGetOperand(i, 1), &offset);
    LLVMTypeRef type = LLVMIsAAllocaInst(buffer) ? LLVMGetAllocatedType(buffer) : NULL;
    bool known = type ? LLVMGetTypeKind(type) == LLVMStructTypeKind : LLVMIsNull(buffer);
    for (unsigned k = 0; known && type && k < LLVMCountStructElementTypes(type); k++) {
        LLVMTypeRef t = LLVMStructGetTypeAtIndex(type, k);
        types[k] = LLVMGetTypeKind(t) == LLVMPointerTypeKind  ? 'p'
                   : LLVMGetTypeKind(t) == LLVMDoubleTypeKind ? 'd'
                   : t == ir.i64                              ? 'l'
                   : t == ir.i32                              ? 'i'
                                                              : '?';
        known = types[k] != '?' && k + 2 < sizeof types;
    }
    if (!known || offset)
        return;
    build_before(i);
    CALL("cpucc_printf_arguments", ir.nothing, text_constant(types));
}

/* ---- functions ---- */

/* Gives the run time's functions their names in place of the device's intrinsics and library. */
static void rename_function(LLVMValueRef f)
{
    static const char *const names[][2] = {
        {"vprintf", "cpucc_vprintf"},      {"malloc", "cpucc_device_malloc"},
        {"calloc", "cpucc_device_calloc"}, {"free", "cpucc_device_free"},
        {"clock", "cpucc_device_clock"},   {"__assertfail", "cpucc_assertfail"},
        {"__assert_fail", "cpucc_assert"}, {"__cxa_pure_virtual", "cpucc_trap"},
        {"llvm.trap", "cpucc_trap"},       {"llvm.debugtrap", "cpucc_trap"}};
    static const char theirs[] = "llvm.nvvm.";
    const char *name = name_of(f);
    char *ours = NULL;
    if (starts_with(name, theirs))
        ours = format("cpucc_nvvm_%s", name + strlen(theirs));
    for (char *p = ours; p && *p; p++)
        *p = *p == '.' ? '_' : *p;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(name, names[k][0]))
            ours = format("%s", names[k][1]);
    LLVMValueRef same = ours ? LLVMGetNamedFunction(ir.module, ours) : NULL;
    if (same) {
        LLVMReplaceAllUsesWith(f, LLVMConstBitCast(same, LLVMTypeOf(f)));
        LLVMDeleteFunction(f);
    } else if (ours) {
        set_name(f, ours);
    }
}

static void translate_function(LLVMValueRef f)
{
    LLVMMetadataRef last = NULL;
    LLVMSetComdat(f, NULL);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    if (LLVMGetFunctionCallConv(f) == PTX_KERNEL)
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
    /* Device functions have a section of their own, so that the run time can recognise them. */
    LLVMSetSection(f, "cpucc_text");
    /* A function touches each part of a large frame in order, so that a frame beyond the stack reaches
     * the guard and no other thread's stack. */
    set_text_attribute(f, "probe-stack", "inline-asm");
    set_text_attribute(f, "stack-probe-size", "32768");
    EACH_INSTRUCTION_IN(i, f) {
        place(i, &last);
        if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
            replace_assembly(i);
        else if (LLVMIsACallInst(i)) {
            check_call(i);
            note_arguments(i);
        } else if (LLVMIsAAllocaInst(i)) {
            check_length(i);
        } else if (opcode_of(i) == LLVMUnreachable) {
            build_before(i); /* else the thread would run on into the next function */
            call_named("cpucc_undefined", ir.nothing, NULL, 0);
        }
    }
    replace_shared(f);
}

static void translate_functions(void)
{
    EACH_FUNCTION(f) {
        const char *name = name_of(f);
        set_text_attribute(f, "target-cpu", NULL);
        set_text_attribute(f, "target-features", NULL);
        set_text_attribute(f, "frame-pointer", NULL);
        set_text_attribute(f, "uniform-work-group-size", NULL);
        if (!LLVMIsDeclaration(f))
            translate_function(f);
        else if (starts_with(name, "_Z") && name[2])
            refuse_undefined("device function", f);
        else
            rename_function(f);
    }
}

/* ---- the module ---- */

bool retarget(const char *layout, const char *triple, const char *name)
{
    unit = name;
    LLVMSetDataLayout(ir.module, layout);
    LLVMSetTarget(ir.module, triple);
    note_kernels();
    read_annotations();
    note_shared(false);
    translate_variables();
    note_shared(true);
    translate_functions();
    delete_shared();
    write_registration();
    return !failed;
}
