/*
 * Works on a module that LLVM has not optimised yet. Where C++ leaves the behaviour undefined, makes
 * the module behave as nvcc's code does; and adds checks of errors that the optimiser would hide.
 *
 *   shifts            by the width or more give 0, or copies of the sign bit (PTX ISA, shl and shr)
 *   division          of integers by 0 does not trap: all ones, and the dividend as remainder
 *   float to integer  saturates (PTX ISA, cvt)
 *   local arrays      an index or a pointer past the end is a fault (guard_checks.c, pointers.c)
 *   shuffles          may read an inactive lane if the result may stay unused (shuffles.c)
 *   local variables   are a fault if an uninitialised one decides a branch, an address or a stored
 *                     value (uninitialised.c, flags.c)
 *   alignment         of accesses and of struct copies is checked (alignment.c)
 *   __grid_constant__ the run time is told which parameters have it
 *   __shared__        unused variables stay if they exceed the limit of a block
 *   __constant__      stores to it stay, as the run time reports them
 *   new and delete    stay even if the memory is unused
 *
 * The checks are functions that are always inlined, so the optimiser drops checks that cannot fail.
 * The functions that they call are declared to touch no memory of the program, so they do not
 * hinder the optimisation of accesses.
 */
#include "guard.h"
#include "compile.h"

/* ---- functions that only compute: the result depends on the one operand alone ---- */

static struct map computing; /* 1 for such a function of the module */

bool only_computes(LLVMValueRef call)
{
    const char *name = callee_name(call);
    LLVMValueRef f = *name ? LLVMGetNamedFunction(ir.module, name) : NULL;
    if (!f || !LLVMIsDeclaration(f))
        return f && map_get(&computing, f);
    return !starts_with(name, "cpucc_") && !starts_with(name, "_Z"); /* of the C library */
}

/* True if the instruction makes a choice, so that the operand may stay unused, or calls a function
 * that does more than compute. */
static bool does_more(LLVMValueRef x)
{
    switch (opcode_of(x)) {
    case LLVMSelect:
    case LLVMSwitch:
    case LLVMPHI: return true;
    case LLVMBr: return LLVMIsConditional(x);
    case LLVMCall: return !only_computes(x);
    default: return false;
    }
}

/* Finds the functions that have at most one operand, make no choice, and call only such functions
 * (so no shuffle and no vote). A function of two operands might ignore one. */
static void find_computing(void)
{
    EACH_FUNCTION(f)
        if (!LLVMIsDeclaration(f))
            *map_at(&computing, f) = LLVMCountParams(f) < 2;
    for (bool changed = true; changed;) {
        changed = false;
        EACH_FUNCTION(f)
            EACH_INSTRUCTION_IN(x, f)
                if (map_get(&computing, f) && does_more(x))
                    *map_at(&computing, f) = false, changed = true;
    }
}

/* ---- parameters and shared variables ---- */

static void read_parameters(LLVMValueRef f)
{
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        if (!by_value_type(f, i))
            continue;
        add_local(LLVMGetParam(f, i), by_value_type(f, i));
        locals[local_count - 1].parameter = true;
    }
}

/* Adds a call that tells the run time the address and size of a parameter that is __grid_constant__,
 * which alone makes the call x of llvm.var.annotation. */
static void add_annotation(LLVMValueRef x)
{
    const struct local *l = local_of(value_of(LLVMGetOperand(x, 0)));
    if (l && l->parameter)
        CALL("cpucc_grid_constant", ir.nothing, as_bytes(LLVMGetOperand(x, 0)),
             LLVMSizeOf(l->type));
}

/* If the function's shared variables exceed 48 KiB, adds calls that keep the optimiser from
 * dropping them, so that the launch fails as with nvcc. */
static void keep_shared(LLVMValueRef f)
{
    enum { MOST = 48 << 10 };
    const char *name = name_of(f);
    char *prefix = starts_with(name, "_Z") ? format("_Z%sE", name + 1)
                                           : format("_ZZ%zu%sE", strlen(name), name);
    LLVMValueRef *found = NULL;
    int count = 0;
    long bytes = 0;
    EACH_GLOBAL(g)
        if (space_of(g) == SPACE_SHARED && !LLVMIsGlobalConstant(g) &&
            starts_with(name_of(g), prefix)) {
            *APPEND(found, count) = g;
            bytes += type_bytes(LLVMGlobalGetValueType(g));
        }
    for (int k = 0; k < count && bytes > MOST; k++)
        CALL("cpucc_keep", ir.nothing, LLVMConstAddrSpaceCast(found[k], byte_pointer(0)));
}

/* In cuda::barrier's destructor, adds a call that ends the mbarrier. */
static void end_barrier(LLVMValueRef f)
{
    const char *name = name_of(f);
    size_t n = strlen(name);
    if (starts_with(name, "_ZN4cuda7barrierI") && !strcmp(name + n - 5, "ED2Ev") &&
        LLVMCountParams(f))
        CALL("cpucc_mbarrier_end", ir.nothing, as_bytes(LLVMGetParam(f, 0)));
}

/* ---- a function ---- */

static LLVMValueRef *replaced; /* instructions that have no users any more */
static int replaced_count;

/* Adds all checks around x, which `next` follows. */
static void add_around(LLVMValueRef x, LLVMValueRef next)
{
    bool unused = strstr(callee_name(x), "__shfl_") && may_be_unused(x);
    build_unplaced(x);
    if (unused)
        CALL("cpucc_shuffle_unused", ir.nothing, integer(ir.i32, 1));
    if (starts_with(callee_name(x), "llvm.var.annotation")) {
        add_annotation(x);
        LLVMInstructionEraseFromParent(x);
        return;
    }
    add_walk_check(x);
    add_bounds(x);
    add_flags_before(x);
    add_alignment(x);
    natural_alignment(x);
    LLVMValueRef by = LLVMIsAGetElementPtrInst(x) ? add_index(x) : add_arithmetic(x);
    if (next)
        build_unplaced(next);
    add_walk_step(x);
    add_flags_after(x, by);
    if (unused)
        CALL("cpucc_shuffle_unused", ir.nothing, integer(ir.i32, 0));
    if (by == x)
        return;
    if (value_of(x))
        *new_value(by) = *value_of(x);
    LLVMReplaceAllUsesWith(x, by);
    *APPEND(replaced, replaced_count) = x;
}

static void guard_function(LLVMValueRef f)
{
    forget_values();
    read_parameters(f);
    find_uninitialised(f);
    find_walking(f);
    bool entered = false;
    EACH_INSTRUCTION_IN(x, f) {
        if (!entered && !LLVMIsAAllocaInst(x)) {
            build_unplaced(x);
            keep_shared(f);
            end_barrier(f);
            entered = true;
        }
        add_around(x, x_next);
    }
    while (replaced_count) /* not before, as the addresses of values are their keys */
        LLVMInstructionEraseFromParent(replaced[--replaced_count]);
}

/* ---- the module ---- */

/* Makes each pair of new and delete stay, as with nvcc: changes `builtin` to `nobuiltin`. */
static void keep_allocations(LLVMValueRef call)
{
    if (!attribute_at(call, ON_FUNCTION, "builtin"))
        return;
    LLVMRemoveCallSiteEnumAttribute(call, ON_FUNCTION, attribute_kind("builtin"));
    LLVMAddCallSiteAttribute(call, ON_FUNCTION,
                             LLVMCreateEnumAttribute(ir.context, attribute_kind("nobuiltin"), 0));
}

/* Gives a function that inline.c has kept from early inlining its attribute alwaysinline back. */
static void inline_again(LLVMValueRef f)
{
    if (text_attribute(f, "cpucc-inline"))
        set_attribute(f, "alwaysinline", true);
    set_text_attribute(f, "cpucc-inline", NULL);
}

/* Gives a read of a thread's or block's number the range of all numbers but one. Without a range,
 * clang 19 and newer would add the real one, or take it from the declaration (22), and drop loops that
 * nvcc keeps, so counts would depend on the clang. */
static void widen_range(LLVMValueRef call)
{
    if (!starts_with(callee_name(call), "llvm.nvvm.read.ptx.sreg.") || LLVMTypeOf(call) != ir.i32)
        return;
    unsigned attribute = attribute_kind("range");
    LLVMMetadataRef ends[] = {LLVMValueAsMetadata(integer(ir.i32, INT32_MIN)),
                              LLVMValueAsMetadata(integer(ir.i32, INT32_MAX))};
    if (attribute) {
        LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeReturnIndex, attribute);
        LLVMRemoveEnumAttributeAtIndex(LLVMGetCalledValue(call), LLVMAttributeReturnIndex,
                                       attribute);
    }
    set_node(call, "range", ends, 2);
}

/* Moves a variable of __constant__ to another address space. Newer clangs drop stores to its own space,
 * and to the constant that clang 21 makes of it, as undefined, so no fault would be reported. */
static void hide_constant(LLVMValueRef g)
{
    LLVMValueRef moved =
        LLVMAddGlobalInAddressSpace(ir.module, LLVMGlobalGetValueType(g), "", SPACE_KEPT_CONSTANT);
    if (LLVMGetInitializer(g))
        LLVMSetInitializer(moved, LLVMGetInitializer(g));
    LLVMSetLinkage(moved, LLVMGetLinkage(g));
    LLVMSetVisibility(moved, LLVMGetVisibility(g));
    LLVMSetAlignment(moved, LLVMGetAlignment(g));
    LLVMSetGlobalConstant(moved, LLVMIsGlobalConstant(g) && !LLVMIsExternallyInitialized(g));
    LLVMSetExternallyInitialized(moved, LLVMIsExternallyInitialized(g));
    LLVMSetUnnamedAddress(moved, LLVMGetUnnamedAddress(g));
    LLVMSetComdat(moved, LLVMGetComdat(g));
    replace_global(g, moved);
}

void add_guards(void)
{
    bool opaque = LLVMPointerType(ir.i8, 0) == LLVMPointerType(ir.i32, 0);
    LLVMValueRef last = LLVMGetLastFunction(ir.module);
    EACH_GLOBAL(g)
        if (space_of(g) == SPACE_CONSTANT)
            hide_constant(g);
    EACH_FUNCTION(f) {
        inline_again(f);
        EACH_INSTRUCTION_IN(x, f)
            if (LLVMIsACallInst(x)) {
                keep_allocations(x);
                if (opaque)
                    widen_range(x);
            }
    }
    find_computing();
    bool ours = false;
    EACH_FUNCTION(f) {
        if (!ours && !LLVMIsDeclaration(f))
            guard_function(f);
        ours |= f == last;
    }
    define_checks();
}
