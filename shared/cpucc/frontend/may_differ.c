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

/* ---- scalars in shared memory ---- */

/* Marks accesses of shared variables that are one number if the function uses two or more
 * (__shared__ int a, b;): nvcc places them in an order that is not known. */
static void mark_singles(LLVMValueRef function)
{
    LLVMValueRef first = NULL;
    bool several = false;
    for (int pass = 0; pass < 2; pass++)
        EACH_INSTRUCTION_IN(i, function) {
            struct address a = {.known = false};
            if (accessed(i))
                a = address_of(accessed(i));
            if (!a.known || a.terms || a.offset || !is_single(a.base))
                continue;
            first = first ? first : a.base;
            several |= a.base != first;
            if (pass && several)
                mark_access(i, DIFFERS_BY_NEIGHBOURS);
        }
}

/* ---- addresses that depend on the order of atomics ---- */

static struct map ordered; /* 1 for values of the function that come from an atomic */
static struct map givers;  /* 1 for functions that return such a value */

static bool uses_ordered(LLVMValueRef i)
{
    for (int k = 0; ordered.count && k < LLVMGetNumOperands(i); k++)
        if (map_get(&ordered, LLVMGetOperand(i, (unsigned)k)))
            return true;
    return false;
}

/* True for atomics, and calls that return an atomic's old value. */
static bool is_atomic(LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           strstr(callee_name(i), "cpucc_atomic") ||
           (LLVMIsACallInst(i) && map_get(&givers, LLVMGetCalledValue(i)));
}

static void follow_atomics(LLVMValueRef function)
{
    clear_map(&ordered);
    EACH_INSTRUCTION_IN(i, function) {
        bool result = LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
        if (LLVMIsAReturnInst(i) && uses_ordered(i))
            *map_at(&givers, function) = 1;
        if (result && !LLVMIsAICmpInst(i) && !LLVMIsALoadInst(i) &&
            (is_atomic(i) || uses_ordered(i)))
            *map_at(&ordered, i) = 1;
    }
}

static void mark_atomics(LLVMValueRef function)
{
    follow_atomics(function);
    EACH_INSTRUCTION_IN(i, function)
        if (ordered.count && accessed(i) && map_get(&ordered, accessed(i)))
            mark_access(i, DIFFERS_BY_ATOMICS);
}

/* ---- sums in memory ---- */

/* Marks variables that newer clangs load before a loop ("%x.promoted = load ...") and store behind
 * it, since they prove more pointers distinct than nvcc does. */
static void mark_sums(LLVMValueRef function)
{
    EACH_INSTRUCTION_IN(i, function) {
        if (!LLVMIsALoadInst(i) || !strstr(name_of(i), ".promoted"))
            continue;
        struct address a = address_of(accessed(i));
        if (a.shared || is_alone(a.base) || LLVMIsAAllocaInst(a.base))
            continue;
        EACH_USE(u, accessed(i)) {
            LLVMValueRef store = LLVMGetUser(u);
            if (LLVMIsAStoreInst(store) && accessed(store) == accessed(i) &&
                function_of(store) == function)
                mark_access(store, DIFFERS_BY_SUM);
        }
    }
}

/* ---- stores of two branches ---- */

/* Marks stores that clang has moved behind both branches of a condition ("%x.sink = phi ..."). */
static void mark_branches(LLVMValueRef function)
{
    EACH_INSTRUCTION_IN(i, function)
        for (unsigned k = 0; k < 2 && LLVMIsAStoreInst(i); k++) {
            LLVMValueRef part = LLVMGetOperand(i, k);
            if (LLVMIsAPHINode(part) && strstr(name_of(part), ".sink"))
                mark_access(i, DIFFERS_BY_BRANCHES);
        }
}

/* ---- copies under a condition ---- */

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

/* Marks 16-byte cp.async of cuda::memcpy_async in a branch, which nvcc may turn into a
 * predicate. */
static void mark_predicates(LLVMValueRef function)
{
    EACH_BLOCK(b, function)
        EACH_INSTRUCTION(i, b) {
            bool of_16 = false;
            if (!is_call_of(i, "cpucc_cp_async"))
                continue;
            for (unsigned k = 0; k + 1 < argument_count(i); k++) {
                long bytes;
                of_16 |= constant_integer(LLVMGetOperand(i, k), &bytes) && bytes == 16;
            }
            if (of_16 && is_conditional(b) && is_of_memcpy_async(i))
                mark_access(i, DIFFERS_BY_PROFILER);
        }
}

/* ---- metadata ---- */

void attach_marks(void)
{
    clear_map(&givers);
    for (size_t before = (size_t)-1; before != givers.count;) {
        before = givers.count;
        EACH_FUNCTION(f)
            follow_atomics(f);
    }
    EACH_FUNCTION(f) {
        in_kernel = is_kernel(f);
        mark_singles(f);
        mark_sums(f);
        mark_branches(f);
        mark_predicates(f);
        mark_atomics(f);
    }
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
