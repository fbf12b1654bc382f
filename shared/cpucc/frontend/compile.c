/*
 * compile: makes the object file of a program's device half from clang's bitcode, by LLVM's C API.
 *
 *     compile HOST.ll UNIT DEVICE.bc PART [sealed]
 *
 * HOST.ll is a function that clang compiled for this machine; it names the machine's properties. UNIT
 * is the translation unit's name. Writes PART.device.o, and PART.gpu.ll, PART.merged.ll, PART.cpu.ll
 * and PART.marked.ll if CPUCC_KEEP is set. `sealed` confines the code to the memory that the host gives
 * it (seal.c).
 *
 * Exit status: 0; 1 the program does not compile.
 */
#include "compile.h"
#include "ir.h"
#include "text_buffer.h"

/* Options of LLVM. The first group keeps each access of the source one access of the program. */
static const char *const options[] = {
    "compile",
    /* "default<O2>" turns the vectorizers on, whatever the options of run_passes say. */
    "-vectorize-slp=false", "-vectorize-loops=false",
    "-disable-vector-combine", /* else a vector load narrows if the program uses one element */
    /* unroll.c decides which loops to unroll; LLVM only executes that. */
    "-unroll-threshold=1", "-unroll-partial-threshold=1", "-unroll-runtime=false",
    "-unroll-allow-peeling=false", "-unroll-max-upperbound=0",
    /* No tail duplication: it gives one access two addresses, which separates lanes in lockstep. No
     * block placement: mark_loops has ordered the blocks. No scheduling: it gains little, because
     * calls stand between accesses. */
    "-enable-misched=false", "-tail-dup-placement=0", "-disable-tail-duplicate",
    "-disable-early-taildup", "-enable-tail-merge=0", "-disable-block-placement"};

static LLVMTargetMachineRef gpu, cpu;
static const char *part;
static LLVMModuleRef host; /* HOST.ll */
static bool failed;

static void fail(const char *what)
{
    fprintf(stderr, "cpucc: %s\n", what);
    exit(1);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
    (void)data;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    fprintf(stderr, "error: %s\n", text);
    LLVMDisposeMessage(text);
    failed = true;
}

/* The module in a file, as text or bitcode. */
static LLVMModuleRef read_module(const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef m;
    LLVMContextRef context = LLVMGetGlobalContext();
    char *why = NULL;
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, NULL);
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why) ||
        LLVMParseIRInContext(context, buffer, &m, &why))
        fail(why);
    return m;
}

static void write_module(const char *suffix)
{
    char *why = NULL, *path = format("%s.%s", part, suffix);
    if (LLVMPrintModuleToFile(ir.module, path, &why))
        fail(why);
    free(path);
}

static void keep(const char *suffix)
{
    if (getenv("CPUCC_KEEP"))
        write_module(suffix);
}

/* Runs a pipeline of the optimiser, with the options that clang sets. */
static void run_passes(const char *passes, LLVMTargetMachineRef machine)
{
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopInterleaving(o, 1);
    LLVMPassBuilderOptionsSetLoopUnrolling(o, 1);
    LLVMErrorRef e = LLVMRunPasses(ir.module, passes, machine, o);
    if (e)
        fail(LLVMGetErrorMessage(e));
    LLVMDisposePassBuilderOptions(o);
    if (failed)
        exit(1);
}

/* ---- the two machines ---- */

static LLVMTargetMachineRef machine(const char *triple, const char *name, const char *features)
{
    LLVMTargetRef target;
    char *why = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &why))
        fail(why);
    return LLVMCreateTargetMachine(target, triple, name, features, LLVMCodeGenLevelDefault,
                                   LLVMRelocPIC, LLVMCodeModelDefault);
}

/* The value of a string attribute of the function, or "". */
static const char *attribute(LLVMValueRef f, const char *name)
{
    unsigned n;
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    return a ? LLVMGetStringAttributeValue(a, &n) : "";
}

static void find_machines(const char *host_path)
{
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
#define HOST(name)                                                                                 \
    LLVMInitialize##name##TargetInfo();                                                            \
    LLVMInitialize##name##Target();                                                                \
    LLVMInitialize##name##TargetMC();                                                              \
    LLVMInitialize##name##AsmPrinter()
#if defined __x86_64__
    HOST(X86);
#elif defined __aarch64__
    HOST(AArch64);
#elif defined __riscv
    HOST(RISCV);
#elif defined __powerpc64__
    HOST(PowerPC);
#else
#error "cpucc: not ported to this processor"
#endif
    host = read_module(host_path);
    LLVMValueRef f = LLVMGetFirstFunction(host);
    cpu = machine(LLVMGetTarget(host), attribute(f, "target-cpu"), attribute(f, "target-features"));
    gpu = machine("nvptx64-nvidia-cuda", "sm_80", "+ptx72");
}

/* ---- the end ---- */

/* Moves the functions of llvm.global_ctors to .init_array; LLVM's C API would write the section .ctors,
 * which some linkers ignore. */
static void start_by_array(void)
{
    LLVMValueRef all = LLVMGetNamedGlobal(ir.module, "llvm.global_ctors");
    LLVMValueRef list = all ? LLVMGetInitializer(all) : NULL;
    for (int k = 0; list && k < LLVMGetNumOperands(list); k++) {
        LLVMValueRef entry = LLVMGetOperand(list, (unsigned)k), f = LLVMGetOperand(entry, 1);
        long priority = 0;
        constant_integer(LLVMGetOperand(entry, 0), &priority);
        char *section =
            priority == 65535 ? format(".init_array") : format(".init_array.%ld", priority);
        LLVMValueRef pointer = LLVMAddGlobal(ir.module, LLVMTypeOf(f), "cpucc.start");
        LLVMSetInitializer(pointer, f);
        LLVMSetLinkage(pointer, LLVMInternalLinkage);
        LLVMSetSection(pointer, section);
        free(section);
    }
    if (all)
        LLVMDeleteGlobal(all);
}

static void write_object(void)
{
    char *why = NULL, *path = format("%s.device.o", part);
    start_by_array();
    if (LLVMTargetMachineEmitToFile(cpu, ir.module, path, LLVMObjectFile, &why))
        fail(why);
    if (failed)
        exit(1);
}

/* Unrolls loops; up to three times, for loops inside unrolled loops. */
static void unroll(void)
{
    enum unrolling next = UNROLL_AGAIN;
    for (int k = 0; k < 3 && next == UNROLL_AGAIN; k++) {
        next = unroll_loops();
        if (next != NO_UNROLLING)
            run_passes("default<O2>", gpu);
    }
}

int main(int count, char **argument)
{
    if (count < 5) {
        fprintf(stderr, "usage: compile HOST.ll UNIT DEVICE.bc PART [sealed]\n");
        return 2;
    }
    const char *unit = argument[2];
    bool sealed = count > 5;
    part = argument[4];
    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, "");
    find_machines(argument[1]);
    open_module(read_module(argument[3]));
    if (sealed && !seal_names())
        exit(1);
    /* Inlines functions that get a local variable's address, so that guard can follow the address. */
    if (mark_inlined())
        run_passes("default<O0>", gpu);
    add_guards(); /* before the optimiser removes the accesses that they check */
    run_passes("default<O2>", gpu);
    unroll();
    keep("gpu.ll");
    merge_accesses();
    keep("merged.ll");
    if (!retarget(LLVMGetDataLayoutStr(host), LLVMGetTarget(host), unit))
        exit(1);
    keep("cpu.ll");
    instrument_accesses();
    mark_loops();
    if (sealed && !seal())
        exit(1);
    add_sites();
    keep("marked.ll");
    write_object();
    return 0;
}
