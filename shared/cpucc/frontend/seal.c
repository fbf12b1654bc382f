/*
 * seal: confines sealed, i.e. untrusted, device code to the memory and functions that the run time
 * gives it. `cpucc --sealed` compiles a program that runs such code; execution/sealed.c is the run
 * time's part. Two functions: seal_names checks the module that clang made for the GPU; seal
 * rewrites the instrumented module for the CPU, as the last step before machine code but for
 * sites.c.
 *
 * Claim: machine code of a sealed module reads and writes only constants, the lane's local memory,
 * and ranges that cpucc_access (execution/access.c) has just allowed and counted. It transfers
 * control only to instructions of its own functions and to functions of a list. The argument goes
 * by operands; "refused" means that compiling fails. Unknown constructs are refused.
 *
 * 1. Opcodes. seal_instruction() names every opcode that may remain. Of these, only load, store,
 *    atomics and call touch memory that the module names. alloca is replaced.
 * 2. Load, store and atomics. The address operand is a frozen value. cpucc_seal_guard gets that
 *    value, so both have the same address even if the code computes it from undefined values,
 *    false assumptions or overflow. The guard gets the bytes of the type in memory. The access is
 *    in address space 0 (spaces from 256 on are segments on x86) and has no metadata, such as
 *    !invariant.load, that lets the code generator move it across the guard's call.
 * 3. Local variables. cpucc_seal_local replaces alloca, so no variable lies among return
 *    addresses. Structs passed by value are copied there by cpucc_seal_copy, which checks the
 *    source. What the code generator itself keeps on the machine's stack has addresses that it
 *    computes itself. Each frame is touched page by page ("probe-stack"), so that none skips the
 *    guard page.
 * 4. Calls. The callee operand is a function, never a computed address or assembly. seal_pointers.c
 *    turns a call through a pointer into comparisons of that pointer and calls by name. A function of
 *    the module gets what its type says: types are equal, and neither side keeps attributes (a
 *    zero-extended operand on one side alone would be a false assumption). No call is a tail call
 *    or has a calling convention or bundle of its own. A call cannot end its block ("noreturn" is
 *    removed). Other functions are in the lists of seal_names.c. Those that belong to the run time
 *    check their arguments, but for the last operand of cpucc_shuffle, which the run time writes: it is
 *    guarded here. memcpy, memmove and memset of LLVM, which merge_split.c and instrument.c have replaced
 *    wherever the source leaves the instrumentation on, are refused.
 * 5. Control. Branches and switches have labels of their function as operands. There are no
 *    indirect branches and no addresses of labels. Execution that reaches `unreachable` ends the
 *    launch, so that it cannot run on into the next function, and every switch keeps its check of
 *    the range.
 * 6. Names. A name has a C name's characters, as \01 or others could evade the lists. Nothing is
 *    an alias or ifunc, and there is no assembly. No function or variable has a name of the run
 *    time, of LLVM or of cpucc's own steps ("cpucc."), and only functions of cpucc's headers pass
 *    an address to the run time. Trust is by identity, not by name: the functions that retarget itself has
 *    made in this run (is_caller) are not rewritten; they load a kernel's arguments and call it.
 * 7. Constants have no effect: all operands and initialisers consist of the kinds of constants
 *    that seal_names.c lists.
 * 8. Functions keep only attributes that choose arithmetic, and have no prologue, prefix,
 *    personality or garbage collector. They and the variables are seen in this file alone, in
 *    sections that the run time knows. Constructors are deleted. LLVM's verifier accepts the
 *    module, so that each operand has the type that its opcode needs and intrinsics have their own
 *    types.
 *
 * Claim: no load or store of a sealed kernel goes uncounted. By 2, an access that passes its guard is
 * one of these:
 *
 *   - to the lane's own local variables, which no other lane reaches, or to a constant: neither can
 *     carry an element to another place of a matrix that the lane has not loaded and will not store.
 *     Arrays at places that differ between lanes are counted apart, whether an instruction, a copy, a struct
 *     passed by value or PTX accesses them (cpucc_local_bytes);
 *   - the access that the lane has announced last (cpucc_on_*, inserted by instrument.c in front of
 *     each load and store): execution/access.c counts it, and only then allows its range, once. An
 *     access without an announcement, because the source has switched the instrumentation off, finds
 *     nothing allowed and ends the launch;
 *   - the load and the store of an atomic of at most 16 bytes. Atomics are in no counter, so they are
 *     counted apart (cpucc_heap_atomics, cpucc_other_atomic_bytes), for the host to refuse, and with them
 *     bulk copies within shared memory. A lane that finds a word as it was at its last atomic has learned
 *     nothing: this poll does not count.
 *
 * All other ways into memory are calls, and by 4 and 6 these reach only what checks its arguments:
 * copies and fills (cpucc_memcpy and so on) count as the loads and stores that they make; cp.async,
 * bulk and tensor copies have their counters, and end in the memory that the hardware takes them to;
 * ldmatrix and stmatrix are counted apart (cpucc_matrix_count); printf and assert only print; shuffles,
 * votes and matrix operations exchange registers, and are counted (cpucc_exchanges), as are clocks and mbarriers, which can
 * tell a lane a little of another. A name of the run
 * time's gains nothing: the calls of cpucc's headers can be made with any arguments.
 */
#include "seal.h"
#include "compile.h"

static int refusals;

void refuse(const char *what, LLVMValueRef v)
{
    const char *shown = v && LLVMIsAInstruction(v) ? LLVMPrintValueToString(v) : name_of(v);
    size_t n = strcspn(shown, "\n");
    fprintf(stderr, "cpucc: sealed: %s: %.*s\n", what, (int)(n < 200 ? n : 200), shown);
    refusals++;
}

/* ---- instructions ---- */

bool casts_segment(LLVMValueRef v)
{
    return opcode_of(v) == LLVMAddrSpaceCast &&
           (space_of(v) >= 256 || space_of(LLVMGetOperand(v, 0)) >= 256);
}

/* Removes all metadata but the place and the reason why counts may differ. */
static void clear_metadata(LLVMValueRef i)
{
    size_t n;
    LLVMValueMetadataEntry *entry = LLVMInstructionGetAllMetadataOtherThanDebugLoc(i, &n);
    for (unsigned k = 0; k < n; k++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(entry, k);
        if (kind != metadata_kind("dbg") && /* which some versions give in spite of the name */
            kind != metadata_kind("cpucc.may_differ"))
            LLVMSetMetadata(i, kind, NULL);
    }
    LLVMDisposeValueMetadataEntries(entry);
}

/* Opcodes that touch no memory and go nowhere but to labels of their function. */
/* clang-format off */
static const unsigned char harmless[] = {
    LLVMBr, LLVMSwitch, LLVMPHI, LLVMSelect, LLVMFreeze, LLVMICmp, LLVMFCmp, LLVMAdd, LLVMFAdd, LLVMSub, LLVMFSub,
    LLVMMul, LLVMFMul, LLVMUDiv, LLVMSDiv, LLVMFDiv, LLVMURem, LLVMSRem, LLVMFRem, LLVMFNeg, LLVMShl, LLVMLShr,
    LLVMAShr, LLVMAnd, LLVMOr, LLVMXor, LLVMTrunc, LLVMZExt, LLVMSExt, LLVMFPToUI, LLVMFPToSI, LLVMUIToFP,
    LLVMSIToFP, LLVMFPTrunc, LLVMFPExt, LLVMPtrToInt, LLVMIntToPtr, LLVMBitCast, LLVMFence, LLVMGetElementPtr,
    LLVMShuffleVector, LLVMExtractValue, LLVMInsertValue};
/* clang-format on */

/* Seals an instruction; mark is the function's local memory at its entry, or NULL. */
static void seal_instruction(LLVMValueRef i, LLVMValueRef mark)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: seal_access(i); break;
    case LLVMAlloca: seal_alloca(i); break;
    case LLVMExtractElement:
    case LLVMInsertElement: seal_vector(i); break;
    case LLVMCall: seal_call(i); break;
    case LLVMRet:
        build_before(i);
        if (mark)
            CALL("cpucc_seal_release", ir.nothing, mark);
        break;
    case LLVMUnreachable:
        build_before(i);
        call_named("cpucc_seal_stop", ir.nothing, NULL, 0);
        break;
    case LLVMAddrSpaceCast:
        if (casts_segment(i))
            refuse("another address space", i);
        break;
    default:
        if (!memchr(harmless, opcode_of(i), sizeof harmless))
            refuse("an instruction", i);
    }
}

/* ---- functions ---- */

/* True if the function has local variables, or parameters that become some. */
static bool has_locals(LLVMValueRef f)
{
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
        if (by_value_type(f, k))
            return true;
    EACH_INSTRUCTION_IN(i, f)
        if (LLVMIsAAllocaInst(i))
            return true;
    return false;
}

static void seal_function(LLVMValueRef f)
{
    bool trusted = is_caller(f);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)), mark = NULL;
    build_before(first);
    if (!trusted && has_locals(f))
        mark = call_named("cpucc_seal_mark", ir.i64, NULL, 0);
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
        if (by_value_type(f, k))
            copy_parameter(f, k, first);
    EACH_INSTRUCTION_IN(i, f) {
        clear_metadata(i);
        if (!trusted)
            seal_instruction(i, mark);
        else if (LLVMIsACallInst(i))
            clear_call(i);
    }
}

static bool is_sound(void)
{
    char *why = NULL;
    if (!refusals && LLVMVerifyModule(ir.module, LLVMReturnStatusAction, &why)) {
        fprintf(stderr, "cpucc: sealed: code that LLVM refuses: %.*s\n", (int)strcspn(why, "\n"),
                why);
        refusals++;
    }
    return !refusals;
}

bool seal_names(void)
{
    check_module(false);
    name_callees();
    return is_sound();
}

bool seal(void)
{
    LLVMValueRef constructors = LLVMGetNamedGlobal(ir.module, "llvm.global_ctors");
    if (constructors)
        LLVMDeleteGlobal(constructors);
    check_module(true);
    EACH_FUNCTION(f)
        if (!LLVMIsDeclaration(f))
            seal_function(f);
    EACH_FUNCTION(f)
        clear_function(f);
    return is_sound();
}
