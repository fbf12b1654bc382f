/*
 * compile: makes the object files of a program's halves from clang's bitcode, by LLVM's C API.
 *
 *     compile HOST.ll UNIT PART [sealed | share LIST | use LIST]
 *
 * HOST.ll is a function that clang compiled for this machine; it names the machine's properties. UNIT
 * is the translation unit's name. Reads PART.host.bc and PART.device.bc, which clang has not optimised.
 * Writes PART.host.o and PART.device.o, and PART.gpu.ll, PART.merged.ll, PART.cpu.ll and PART.marked.ll
 * if CPUCC_KEEP is set. `sealed` confines the device half to the memory that the host gives it (seal.c). `share`
 * writes to LIST what a header defines for its programs; `use` leaves that out of a program (header.c).
 *
 * Exit status: 0; 1 the program does not compile.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "compile.h"
#include "ir.h"

/* Options of LLVM for the host half. Simple machine code suffices, since it takes little of a run's time. */
static const char *const host_options[] = {"compile", "-inline-threshold=25",
                                           "-inlinehint-threshold=25", "-fast-isel",
                                           "-enable-misched=false"};

/* Options for the device half. The first group keeps each access of the source one access of the program. */
static const char *const device_options[] = {
    "compile",
    /* "default<O2>" turns the vectorizers on, whatever the options of run_passes say. */
    "-vectorize-slp=false", "-vectorize-loops=false",
    "-disable-vector-combine", /* else a vector load narrows if the program uses one element */
    /* unroll.c decides which loops to unroll; LLVM only executes that. */
    "-unroll-threshold=1", "-unroll-partial-threshold=1", "-unroll-runtime=false",
    "-unroll-allow-peeling=false", "-unroll-max-upperbound=0",
    /* Passes that take a tenth of the time to compile and gain little, because calls stand between accesses. */
    "-enable-misched=false", "-disable-lsr", "-tail-dup-placement=0", "-disable-tail-duplicate",
    "-disable-early-taildup", "-enable-tail-merge=0", "-disable-block-placement"};

static const char *part;
static bool sealed;
static const char *shares, *uses; /* LIST, or NULL */
static LLVMModuleRef host;        /* HOST.ll */
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

/* The module in a file, as text or bitcode; frees the file's name. */
static LLVMModuleRef read_module(char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef m = NULL;
    LLVMContextRef context = LLVMGetGlobalContext();
    char *why = NULL;
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, NULL);
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why) ||
        LLVMParseIRInContext(context, buffer, &m, &why))
        fail(why);
    free(path);
    return m;
}

static void keep(const char *suffix)
{
    char *why = NULL, *path = format("%s.%s", part, suffix);
    if (getenv("CPUCC_KEEP") && LLVMPrintModuleToFile(ir.module, path, &why))
        fail(why);
    free(path);
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

static LLVMTargetMachineRef machine(const char *triple, const char *name, const char *features,
                                    LLVMCodeGenOptLevel level)
{
    LLVMTargetRef target;
    char *why = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &why))
        fail(why);
    return LLVMCreateTargetMachine(target, triple, name ? name : "", features ? features : "",
                                   level, LLVMRelocPIC, LLVMCodeModelDefault);
}

static LLVMTargetMachineRef this_machine(LLVMCodeGenOptLevel level)
{
#define HOST(name)                                                                                 \
    LLVMInitialize##name##TargetInfo();                                                            \
    LLVMInitialize##name##Target();                                                                \
    LLVMInitialize##name##TargetMC();                                                              \
    LLVMInitialize##name##AsmParser();                                                             \
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
    LLVMValueRef f = LLVMGetFirstFunction(host);
    return machine(LLVMGetTarget(host), text_attribute(f, "target-cpu"),
                   text_attribute(f, "target-features"), level);
}

static LLVMTargetMachineRef gpu(void)
{
    static LLVMTargetMachineRef is;
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    if (!is)
        is = machine("nvptx64-nvidia-cuda", "sm_80", "+ptx72", LLVMCodeGenLevelDefault);
    return is;
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

static void write_object(LLVMTargetMachineRef cpu, const char *suffix)
{
    char *why = NULL, *path = format("%s.%s", part, suffix);
    start_by_array();
    if (LLVMTargetMachineEmitToFile(cpu, ir.module, path, LLVMObjectFile, &why))
        fail(why);
    if (failed)
        exit(1);
}

/* Optimises in few passes; more of them, and better machine code, if loops can take long. */
static void compile_host(void)
{
    LLVMParseCommandLineOptions(sizeof host_options / sizeof *host_options, host_options, "");
    open_module(read_module(format("%s.host.bc", part)));
    if (shares && !share_functions(shares))
        fail("a header with state");
    if (uses)
        use_shared(uses);
    if (sealed && has_directives())
        fail("sealed: assembly with directives in host code");
    run_passes("always-inline,cgscc(inline,function(sroa,early-cse,simplifycfg)),globaldce", NULL);
    bool loops = has_long_loops();
    if (watch_loads())
        run_passes("always-inline", NULL);
    if (loops)
        run_passes("function(loop-mssa(loop-rotate,licm),simplifycfg)", NULL);
    write_object(this_machine(loops ? LLVMCodeGenLevelLess : LLVMCodeGenLevelNone), "host.o");
}

/* Unrolls loops; up to three times, for loops inside unrolled loops. */
static void unroll(void)
{
    enum unrolling next = UNROLL_AGAIN;
    for (int k = 0; k < 3 && next == UNROLL_AGAIN; k++) {
        next = unroll_loops();
        let_kernels_rest(true);
        if (next != NO_UNROLLING)
            run_passes("default<O2>", gpu());
        let_kernels_rest(false);
    }
}

/* True if the function can overflow a thread's stack: it may recur, or has more than a page of local variables. */
static bool may_overflow(LLVMValueRef f)
{
    long n, bytes = 0;
    bool recurs = !attribute_at(f, ON_FUNCTION, "norecurse");
    EACH_INSTRUCTION_IN(i, f) {
        LLVMValueRef callee = LLVMGetNamedFunction(ir.module, callee_name(i));
        if (recurs && callee && !LLVMIsDeclaration(callee) && !is_caller(f))
            return true;
        if (LLVMIsAAllocaInst(i) && constant_integer(LLVMGetOperand(i, 0), &n))
            bytes += n * bytes_of(LLVMGetAllocatedType(i));
        else if (LLVMIsAAllocaInst(i))
            return true;
    }
    return bytes > 4096;
}

/* Sites name the lines of device code. Line tables only tell debuggers, and where a stack overflows. */
static void drop_line_tables(void)
{
    if (getenv("CPUCC_DEBUG"))
        return;
    EACH_FUNCTION(f)
        if (may_overflow(f))
            return;
    LLVMStripModuleDebugInfo(ir.module);
}

static void compile_device(const char *unit)
{
    LLVMParseCommandLineOptions(sizeof device_options / sizeof *device_options, device_options, "");
    open_module(read_module(format("%s.device.bc", part)));
    if (shares && has_variables())
        fail("a header with variables of the device");
    if (uses) {
        use_shared_kernels(uses);
        run_passes("globaldce", NULL);
    }
    if (sealed && !seal_names())
        exit(1);
    /* Inlines functions that get a local variable's address, so that guard can follow the address. */
    if (mark_inlined())
        run_passes("default<O0>", gpu());
    add_guards(); /* before the optimiser removes the accesses that they check */
    name_copies();
    mark_reads();
    /* Before LLVM joins the copies of two branches whose assumed alignments differ. */
    if (LLVMGetNamedFunction(ir.module, "llvm.assume"))
        run_passes("function(sroa,alignment-from-assumptions)", NULL);
    run_passes("default<O2>", gpu());
    unroll();
    check_speculated();
    keep("gpu.ll");
    merge_accesses();
    keep("merged.ll");
    if (!retarget(LLVMGetDataLayoutStr(host), LLVMGetTarget(host), unit))
        exit(1);
    keep("cpu.ll");
    instrument_accesses();
    mark_loops(sealed);
    if (sealed && !seal())
        exit(1);
    add_sites();
    keep("marked.ll");
    drop_line_tables();
    write_object(this_machine(LLVMCodeGenLevelLess), "device.o");
}

int main(int count, char **argument)
{
    int status = 1;
    if (count < 4) {
        fprintf(stderr, "usage: compile HOST.ll UNIT PART [sealed | share LIST | use LIST]\n");
        return 2;
    }
    part = argument[3];
    sealed = count == 5;
    if (count == 6)
        *(argument[4][0] == 's' ? &shares : &uses) = argument[5];
    host = read_module(format("%s", argument[1]));
    pid_t child = fork();
    if (child < 0)
        fail("cannot start a process");
    if (!child) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* a signal to this program ends both halves */
        compile_device(argument[2]);
        return 0;
    }
    compile_host();
    if (waitpid(child, &status, 0) >= 0 && WIFSIGNALED(status))
        raise(WTERMSIG(status));
    return status != 0;
}
