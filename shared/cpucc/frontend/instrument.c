/*
 * instrument: inserts a call of the run time before each load, store and atomic of device code, and at
 * the two ends of each function.
 *
 *   cpucc_on_read4(p), cpucc_on_write4(p)     an aligned access of 1, 2, 4, 8 or 16 bytes
 *   cpucc_on_speculated(p, bytes)             a load that the source may not make (speculated.c)
 *   cpucc_on_unaligned(p, bytes, operation)   a volatile access that is wider than its alignment
 *   cpucc_on_volatile(p, bytes, operation)    a volatile access
 *   cpucc_atomic_access, cpucc_atomic_compare an atomic, or a load or store with an order
 *   cpucc_on_entry(p), cpucc_on_exit()        p is set by sites.c
 *
 * Copies and fills of memory become calls of cpucc_memmove_pieces and cpucc_memset_pieces, fences calls of
 * cpucc_fence. Left alone are constants, and variables that no other function can reach.
 */
#include "../core/site.h"
#include "compile.h"
#include "ir.h"

/* ---- what needs no call ---- */

/* True if a call may keep the pointer in argument k. */
static bool keeps_argument(LLVMValueRef call, unsigned k)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = callee_name(call);
    return !starts_with(name, "llvm.lifetime.") && !starts_with(name, "llvm.mem") &&
           !attribute_at(call, k + 1, "nocapture") &&
           !(LLVMIsAFunction(callee) && attribute_at(callee, k + 1, "nocapture"));
}

static bool escapes(LLVMValueRef pointer, int depth);

/* True if the user may make the pointer known elsewhere. */
static bool is_leak(LLVMValueRef user, LLVMValueRef pointer, int depth)
{
    switch (opcode_of(user)) {
    case LLVMLoad: return LLVMGetVolatile(user);
    case LLVMStore: return LLVMGetOperand(user, 0) == pointer || LLVMGetVolatile(user);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMPHI:
    case LLVMSelect: return escapes(user, depth + 1);
    case LLVMCall:
        for (unsigned k = 0; k < argument_count(user); k++)
            if (LLVMGetOperand(user, k) == pointer && keeps_argument(user, k))
                return true;
        return false;
    default: return true;
    }
}

/* True if a use may make the pointer known elsewhere. */
static bool escapes(LLVMValueRef pointer, int depth)
{
    EACH_USE(u, pointer)
        if (depth > 8 || is_leak(LLVMGetUser(u), pointer, depth))
            return true;
    return false;
}

/* True if the run time need not know of an access: to a constant or an unreachable variable. */
static bool is_private(LLVMValueRef pointer, bool load)
{
    LLVMValueRef base = base_of(pointer);
    if (LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base))
        return load;
    return LLVMIsAAllocaInst(base) && !escapes(pointer, 0);
}

/* ---- accesses ---- */

/* True if an index on the way from the variable to the pointer steps by no multiple of `align`. */
static bool may_be_misaligned(LLVMValueRef pointer, long align)
{
    for (LLVMValueRef p = pointer; LLVMIsAInstruction(p) && !LLVMIsAAllocaInst(p);
         p = LLVMGetOperand(p, 0)) {
        LLVMTypeRef type = NULL;
        for (int k = 0; opcode_of(p) == LLVMGetElementPtr && k < LLVMGetNumOperands(p) - 1; k++) {
            struct index x = index_of(p, (unsigned)k, &type);
            if ((x.of ? x.stride : x.offset) % align)
                return true;
        }
    }
    return false;
}

/* Adds a check of an access of a local variable in memory, which the hardware aligns to 16 bytes. */
static void check_local(LLVMValueRef i, LLVMValueRef pointer)
{
    LLVMValueRef base = base_of(pointer);
    unsigned align = LLVMGetAlignment(i);
    if (!LLVMIsAAllocaInst(base) || align < 8 || align > 16 || !may_be_misaligned(pointer, align))
        return;
    if (LLVMGetAlignment(base) < 16)
        LLVMSetAlignment(base, 16);
    build_before(i);
    CALL("cpucc_guard_aligned", ir.nothing, LLVMBuildPtrToInt(ir.builder, pointer, ir.i64, ""),
         integer(ir.i64, align - 1));
}

static void plain_access(LLVMValueRef i)
{
    bool load = LLVMIsALoadInst(i);
    LLVMValueRef pointer = accessed(i);
    long bytes = (long)LLVMStoreSizeOfType(ir.layout, accessed_type(i));
    if (is_private(pointer, load)) {
        check_local(i, pointer);
        return;
    }
    if (bytes > 16 || (bytes & (bytes - 1)))
        return;
    build_before(i);
    LLVMValueRef at = as_bytes(pointer), size = integer(ir.i32, bytes);
    long align = LLVMGetAlignment(i), is_volatile = LLVMGetVolatile(i);
    if (align < 8 && align % bytes) {
        CALL("cpucc_on_unaligned", ir.nothing, at, size,
             integer(ir.i32, !load + 2 * is_volatile + 4 * align));
    } else if (is_volatile) {
        CALL("cpucc_on_volatile", ir.nothing, at, size,
             integer(ir.i32, !load + 4 * (load && decides_branch(i, 0) ? DECIDES : 0)));
    } else {
        if (load && metadata_of(i, "nontemporal")) /* __ldg */
            CALL("cpucc_on_read_only", ir.nothing, at, size);
        if (load && metadata_of(i, SPECULATED))
            CALL("cpucc_on_speculated", ir.nothing, at, size);
        else
            CALL(format("cpucc_on_%s%ld", load ? "read" : "write", bytes), ir.nothing, at);
    }
}

static long strength_of(LLVMAtomicOrdering order)
{
    return order == LLVMAtomicOrderingAcquire   ? ACQUIRES
           : order == LLVMAtomicOrderingRelease ? RELEASES
           : order < LLVMAtomicOrderingAcquire  ? EXPLICIT_ORDER
                                                : ACQUIRES | RELEASES;
}

/* A local variable that holds the value. */
static LLVMValueRef in_variable(LLVMValueRef value, LLVMValueRef before)
{
    LLVMValueRef variable = new_local(before, LLVMTypeOf(value));
    build_before(before);
    LLVMBuildStore(ir.builder, value, variable);
    return variable;
}

static void atomic_access(LLVMValueRef i)
{
    enum { READS, WRITES, CHANGES };
    LLVMOpcode what = LLVMGetInstructionOpcode(i);
    LLVMValueRef pointer = LLVMGetOperand(i, address_operand(i));
    long bytes = bytes_of(accessed_type(i));
    build_before(i);
    if (what == LLVMAtomicCmpXchg) {
        LLVMValueRef expected = in_variable(LLVMGetOperand(i, 1), i);
        long strength = strength_of(LLVMGetCmpXchgSuccessOrdering(i)) | COMPARES;
        CALL("cpucc_atomic_compare", ir.nothing, as_bytes(pointer), integer(ir.i32, bytes),
             as_bytes(expected), integer(ir.i32, CHANGES + 4 * strength));
        return;
    }
    long strength = strength_of(LLVMGetOrdering(i));
    int kind = what == LLVMLoad ? READS : what == LLVMStore ? WRITES : CHANGES;
    if (kind == CHANGES && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg)
        strength |= EXCHANGES;
    if (decides_branch(i, 0))
        strength |= DECIDES;
    CALL("cpucc_atomic_access", ir.nothing, as_bytes(pointer), integer(ir.i32, bytes),
         integer(ir.i32, kind + 4 * strength));
}

/* Adds DECIDES to a header's call of cpucc_atomic_access, if that holds for the atomic after it. */
static void mark_decisive(LLVMValueRef call)
{
    LLVMValueRef i = LLVMGetNextInstruction(call), kind = LLVMGetOperand(call, 2);
    while (i && (!LLVMIsACallInst(i) || starts_with(callee_name(i), "llvm.")))
        i = LLVMGetNextInstruction(i);
    if (i && decides_branch(i, 0) && LLVMIsAConstantInt(kind))
        LLVMSetOperand(call, 2,
                       integer(ir.i32, (long)LLVMConstIntGetZExtValue(kind) | 4 * DECIDES));
}

/* True if other threads of the device see the order of an atomic or fence. */
static bool is_ordered(LLVMValueRef i)
{
    if (accessed(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic)
        return false;
    return !strstr(LLVMPrintValueToString(i), "syncscope(\"singlethread\")");
}

/* ---- copies and fills ---- */

/* Replaces a call of llvm.memcpy, memmove or memset by the run time's function, which gets the alignment. */
static void replace_copy(LLVMValueRef call)
{
    bool fills = starts_with(callee_name(call), "llvm.memset.");
    build_before(call);
    LLVMValueRef second = LLVMGetOperand(call, 1);
    CALL(fills ? "cpucc_memset_pieces" : "cpucc_memmove_pieces", byte_pointer(0),
         as_bytes(LLVMGetOperand(call, 0)),
         fills ? LLVMBuildIntCast2(ir.builder, second, ir.i32, 0, "") : as_bytes(second),
         LLVMBuildIntCast2(ir.builder, LLVMGetOperand(call, 2), ir.i64, 0, ""),
         integer(ir.i64, copy_alignment(call)));
    LLVMInstructionEraseFromParent(call);
}

/* ---- functions ---- */

/* Instruments one instruction, which may be erased. */
static void instrument(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore: (is_ordered(i) ? atomic_access : plain_access)(i); break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (is_ordered(i))
            atomic_access(i);
        break;
    case LLVMFence:
        build_before(i);
        if (is_ordered(i))
            CALL("cpucc_fence", ir.nothing, integer(ir.i32, 1)); /* the scope */
        LLVMInstructionEraseFromParent(i);
        break;
    case LLVMCall:
        if (calls_one_of(i, "llvm.memcpy. llvm.memmove. llvm.memset."))
            replace_copy(i);
        else if (is_call_of(i, "cpucc_atomic_access"))
            mark_decisive(i);
        break;
    default: break;
    }
}

/* Adds the calls at a function's ends. */
static void mark_ends(LLVMValueRef function)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    build_unplaced(first);
    while (first && !LLVMInstructionGetDebugLoc(first))
        first = LLVMGetNextInstruction(first);
    if (first)
        LLVMSetCurrentDebugLocation2(ir.builder, LLVMInstructionGetDebugLoc(first));
    CALL("cpucc_on_entry", ir.nothing, LLVMConstNull(byte_pointer(0)));
    EACH_BLOCK(b, function) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(end))
            continue;
        build_before(end);
        call_named("cpucc_on_exit", ir.nothing, NULL, 0);
    }
}

static void instrument_function(LLVMValueRef function)
{
    bool stops = false; /* the function has a call or an access */
    EACH_INSTRUCTION_IN(i, function)
        instrument(i);
    EACH_INSTRUCTION_IN(i, function)
        stops |= LLVMIsACallInst(i) != NULL;
    if (stops)
        mark_ends(function);
}

/* True for a function of the program that is not a check of the harness. */
static bool is_device_code(LLVMValueRef function)
{
    const char *section = LLVMIsDeclaration(function) ? NULL : LLVMGetSection(function);
    return section && !strcmp(section, "cpucc_text") &&
           !attribute_at(function, ON_FUNCTION, "disable_sanitizer_instrumentation");
}

void instrument_accesses(void)
{
    static const char *const copies[] = {"memcpy", "memmove", "memset"};
    EACH_FUNCTION(f)
        if (is_device_code(f))
            instrument_function(f);
    for (int k = 0; k < 3; k++) { /* calls of memmove, and by pointers */
        LLVMValueRef f = LLVMGetNamedFunction(ir.module, copies[k]);
        if (f)
            set_name(f, format("cpucc_%s", copies[k]));
    }
}
