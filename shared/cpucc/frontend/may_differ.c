/*
 * Part of merge. Marks accesses whose counts may differ from the hardware's. Unroll has noted some
 * in the module (!cpucc.may_differ), merge.c marks others, and this file finds the rest. A marked
 * access gets metadata (attach_marks), which sites.c writes to its site; the report reads it.
 *
 * An access is identified by its place (its DILocation) and its kind: a load, a store and a call
 * may share a place.
 */
#include "merge.h"

enum { LOADS, STORES, CALLS, KINDS };

static struct map marks[KINDS]; /* for each place: bits 1 << enum may_differ */

static int kind_of(LLVMValueRef i)
{
    return LLVMIsAStoreInst(i)  ? STORES
           : LLVMIsALoadInst(i) ? LOADS
           : LLVMIsACallInst(i) ? CALLS
                                : -1;
}

void mark_access(LLVMValueRef instruction, enum may_differ why)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
    int kind = kind_of(instruction);
    if (place && kind >= 0)
        *map_at(&marks[kind], place) |= 1L << why;
}

/* ---- which accesses of a function may differ ---- */

static bool
    several_singles; /* the function uses two or more shared variables that are one number */
static struct map of_atomics; /* values of the function that come from an atomic */
static struct map givers;     /* functions that return such a value */

/* The shared variable that is one number and that the instruction accesses as a whole, or NULL. */
static LLVMValueRef single(LLVMValueRef i)
{
    struct address a = {.known = false};
    if (accessed(i))
        a = address_of(accessed(i));
    return a.known && !a.terms && !a.offset && is_single(a.base) ? a.base : NULL;
}

/* nvcc places single variables (__shared__ int a, b;) in an order that is not known. */
static bool is_beside_another(LLVMValueRef i) { return several_singles && single(i); }

/* True for atomics, and calls that return an atomic's old value. */
static bool is_atomic(LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           strstr(callee_name(i), "cpucc_atomic") ||
           (LLVMIsACallInst(i) && map_get(&givers, LLVMGetCalledValue(i)));
}

static bool hides_order(LLVMValueRef i) { return LLVMIsAICmpInst(i) || LLVMIsALoadInst(i); }

/* True if the address depends on the order of atomics. */
static bool is_ordered(LLVMValueRef i) { return accessed(i) && map_get(&of_atomics, accessed(i)); }

/* True for a store to a variable that newer clangs load before a loop ("%x.promoted = load ...") and
 * store behind it, since they prove more pointers distinct than nvcc does. */
static bool is_sum(LLVMValueRef i)
{
    bool promoted = false;
    if (!LLVMIsAStoreInst(i))
        return false;
    struct address a = address_of(accessed(i));
    EACH_USE(u, accessed(i)) {
        LLVMValueRef load = LLVMGetUser(u);
        promoted |= LLVMIsALoadInst(load) && strstr(name_of(load), ".promoted") &&
                    function_of(load) == function_of(i);
    }
    return promoted && !a.shared && !is_alone(a.base) && !LLVMIsAAllocaInst(a.base);
}

/* True for a store that clang has moved behind both branches of a condition ("%x.sink = phi ..."). */
static bool is_of_branches(LLVMValueRef i)
{
    bool is = false;
    for (unsigned k = 0; k < 2 && LLVMIsAStoreInst(i); k++)
        is |=
            LLVMIsAPHINode(LLVMGetOperand(i, k)) && strstr(name_of(LLVMGetOperand(i, k)), ".sink");
    return is;
}

/* True if the block has one predecessor, which ends with a conditional branch. */
static bool is_conditional(LLVMBasicBlockRef b)
{
    LLVMValueRef branch = NULL;
    EACH_USE(u, LLVMBasicBlockAsValue(b))
        branch = LLVMGetUser(u);
    return predecessor_count(b) == 1 && LLVMIsABranchInst(branch) &&
           LLVMGetNumSuccessors(branch) == 2;
}

/* True if the instruction was inlined from cuda::memcpy_async, or from what that calls. */
static bool is_of_memcpy_async(LLVMValueRef i)
{
    enum { SCOPE = 1, NAME = 2 }; /* operands of scopes and of subprograms */
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
    for (; place; place = LLVMDILocationGetInlinedAt(place)) {
        LLVMMetadataRef scope = LLVMDILocationGetScope(place);
        while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind)
            scope = operand_of(scope, SCOPE);
        if (scope && starts_with(string_of(operand_of(scope, NAME)), "memcpy_async"))
            return true;
    }
    return false;
}

/* True for a 16-byte cp.async of cuda::memcpy_async in a branch, which nvcc may turn into a
 * predicate. */
static bool is_predicate(LLVMValueRef i)
{
    bool of_16 = false;
    long bytes;
    for (unsigned k = 0; is_call_of(i, "cpucc_cp_async") && k + 1 < argument_count(i); k++)
        of_16 |= constant_integer(LLVMGetOperand(i, k), &bytes) && bytes == 16;
    return of_16 && is_conditional(LLVMGetInstructionParent(i)) && is_of_memcpy_async(i);
}

static const struct {
    enum may_differ why;
    bool (*holds)(LLVMValueRef i);
} rules[] = {{DIFFERS_BY_NEIGHBOURS, is_beside_another},
             {DIFFERS_BY_SUM, is_sum},
             {DIFFERS_BY_BRANCHES, is_of_branches},
             {DIFFERS_BY_PROFILER, is_predicate},
             {DIFFERS_BY_ATOMICS, is_ordered}};

static void look_for_atomics(LLVMValueRef function)
{
    clear_map(&of_atomics);
    add_dependents(&of_atomics, function, is_atomic, hides_order);
    EACH_INSTRUCTION_IN(i, function)
        if (LLVMIsAReturnInst(i) && map_get(&of_atomics, i))
            *map_at(&givers, function) = 1;
}

static void mark_function(LLVMValueRef function)
{
    LLVMValueRef first = NULL;
    in_kernel = is_kernel(function);
    several_singles = false;
    look_for_atomics(function);
    EACH_INSTRUCTION_IN(i, function) {
        first = first ? first : single(i);
        several_singles |= single(i) && single(i) != first;
    }
    EACH_INSTRUCTION_IN(i, function)
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            if (rules[k].holds(i))
                mark_access(i, rules[k].why);
}

/* ---- metadata ---- */

void attach_marks(void)
{
    clear_map(&givers);
    for (size_t before = (size_t)-1; before != givers.count;) {
        before = givers.count;
        EACH_FUNCTION(f)
            look_for_atomics(f);
    }
    EACH_FUNCTION(f)
        mark_function(f);
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f) {
            LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
            long why = place && kind_of(i) >= 0 ? map_get(&marks[kind_of(i)], place) : 0;
            LLVMMetadataRef number = LLVMValueAsMetadata(integer(ir.i32, why));
            if (why)
                set_node(i, "cpucc.may_differ", &number, 1);
        }
}

long may_differ_of(LLVMValueRef instruction)
{
    LLVMMetadataRef m = metadata_of(instruction, "cpucc.may_differ");
    long why = 0;
    if (m) {
        LLVMValueRef number;
        LLVMGetMDNodeOperands(LLVMMetadataAsValue(ir.context, m), &number);
        constant_integer(number, &why);
    }
    return why;
}
