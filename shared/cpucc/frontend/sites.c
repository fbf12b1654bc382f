/*
 * sites: gives each call in device code a site, which is its place in the program.
 *
 * Stores the address of a record (struct cpucc_site, core/site.h) to the run time's variable cpucc_at
 * before each call. The run time identifies accesses, barriers and calls by that address. Records lie in
 * the order of the code: of two lanes in one function, the one at the lower site is behind.
 *
 * A record names the source line that the report shows. Code inlined from a wrapper, which is one of
 * cpucc's own headers, belongs to the line that calls it; so does code of a library, if the program
 * calls it. Code that several lines share has no line, and gets that of the code before it.
 */
#include "compile.h"
#include "merge.h"

struct place { /* a source line; file NULL: none */
    const char *file;
    unsigned line;
    bool library;
};

struct called { /* a call and its place */
    LLVMValueRef call;
    struct place place;
    long may_differ;
};

static struct called *calls;
static int call_count;

/* ---- places ---- */

static bool is_wrapper(const char *file)
{
    return strstr(file, "/cpucc/include/") || strstr(file, "/cpucc/harness/") ||
           strstr(file, "/harness/ptx.h") || strstr(file, "/include/cuda_wrappers/");
}

static bool is_library(const char *file)
{
    return strstr(file, "/include/c++/") || strstr(file, "/include/cccl/") ||
           starts_with(file, "/usr/include/");
}

/* The path of a location's file, in memory that stays. */
static const char *path_of(LLVMMetadataRef location)
{
    static struct map known; /* a text for each file */
    LLVMMetadataRef scope = LLVMDILocationGetScope(location), file = LLVMDIScopeGetFile(scope);
    long *path = file ? map_at(&known, file) : NULL;
    if (path && !*path)
        *path = (long)file_of(scope);
    return path ? (const char *)*path : "?";
}

/* The line that the report shows for an instruction. */
static struct place place_of(LLVMValueRef instruction)
{
    struct place p = {0};
    LLVMMetadataRef l = LLVMInstructionGetDebugLoc(instruction);
    for (; l && (!p.file || p.library); l = LLVMDILocationGetInlinedAt(l)) {
        const char *file = path_of(l);
        bool library = is_library(file);
        if (!is_wrapper(file) && (!p.file || !library))
            p = (struct place){file, LLVMDILocationGetLine(l), library};
    }
    return p;
}

/* The place of the nearest instruction, before (or after) this one in its function, that has a line
 * of the program outside libraries; file NULL if there is none. */
static struct place neighbour(LLVMValueRef i, bool after)
{
    LLVMBasicBlockRef b = LLVMGetInstructionParent(i);
    for (int steps = 0; steps < 16; steps++) {
        i = after ? LLVMGetNextInstruction(i) : LLVMGetPreviousInstruction(i);
        while (!i && (b = after ? LLVMGetNextBasicBlock(b) : LLVMGetPreviousBasicBlock(b)))
            i = after ? LLVMGetFirstInstruction(b) : LLVMGetLastInstruction(b);
        if (!i)
            break;
        struct place p = place_of(i);
        if (p.line && !p.library)
            return p;
    }
    return (struct place){0};
}

/* ---- calls ---- */

/* True if the run time asks for the place of the call. */
static bool needs_site(LLVMValueRef i)
{
    return LLVMIsACallInst(i) &&
           !calls_one_of(i, "llvm. cpucc_nvvm_read_ptx_sreg_ cpucc_loop cpucc_unloop "
                            "cpucc_flush_deferred cpucc_on_exit");
}

/* The load or store that follows a call before it; the call itself if it is another call. */
static LLVMValueRef access_of(LLVMValueRef call)
{
    LLVMValueRef i = call;
    if (starts_with(callee_name(call), "cpucc_on_"))
        while (i && !LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
            i = LLVMGetNextInstruction(i);
    return i ? i : call;
}

/* The line that the report shows for a call. */
static struct place shown_place(LLVMValueRef call)
{
    struct place p = place_of(call), other = {0};
    if (p.line && !p.library)
        return p;
    if (!p.file) /* LLVM has moved a load: the line that uses the value */
        EACH_USE(u, access_of(call)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsAInstruction(user) && !other.line)
                other = place_of(user);
        }
    if (!other.line || other.library)
        other = neighbour(call, p.line);
    return other.file ? other : p;
}

static void add_call(LLVMValueRef i)
{
    *APPEND(calls, call_count) = (struct called){i, shown_place(i), may_differ_of(access_of(i))};
}

/* Finds the calls of a function that need sites, and the branches back of loops without such calls, which
 * may be endless. */
static void find_calls(LLVMValueRef function)
{
    struct map before = {0}; /* by block: 1 + the number of calls before it */
    bool entered = true;     /* a call before cpucc_on_entry must leave the caller's site */
    EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(function))
        entered &= !is_call_of(i, "cpucc_on_entry");
    EACH_BLOCK(b, function) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        *map_at(&before, b) = 1 + call_count;
        EACH_INSTRUCTION(i, b) {
            entered |= is_call_of(i, "cpucc_on_entry");
            if (entered && needs_site(i))
                add_call(i);
        }
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            if (map_get(&before, LLVMGetSuccessor(end, k)) == 1 + call_count) {
                add_call(end);
                break;
            }
    }
}

/* ---- records ---- */

/* The path as a constant. One constant for each path that path_of has returned. */
static LLVMValueRef path_constant(const char *path)
{
    static struct map known;
    long *is = map_at(&known, path);
    if (!*is)
        *is = (long)text_constant(path);
    return (LLVMValueRef)*is;
}

/* The array of all records. */
static LLVMValueRef add_records(void)
{
    LLVMTypeRef field[3] = {byte_pointer(0), ir.i32, ir.i32};
    LLVMTypeRef record = LLVMStructTypeInContext(ir.context, field, 3, 0);
    LLVMValueRef *value = allocate(NULL, sizeof *value * (size_t)call_count);
    for (int k = 0; k < call_count; k++) {
        const struct place *p = &calls[k].place;
        LLVMValueRef part[3] = {path_constant(p->file ? p->file : "?"), integer(ir.i32, p->line),
                                integer(ir.i32, calls[k].may_differ)};
        value[k] = LLVMConstStructInContext(ir.context, part, 3, 0);
    }
    LLVMValueRef all = LLVMConstArray(record, value, (unsigned)call_count);
    LLVMValueRef g = new_global("cpucc.sites", all);
    LLVMSetSection(g, "cpucc_sites");
    LLVMSetAlignment(g, 16);
    return g;
}

void add_sites(void)
{
    EACH_FUNCTION(f)
        if (!LLVMIsDeclaration(f))
            find_calls(f);
    if (!call_count)
        return;
    LLVMValueRef records = add_records();
    LLVMTypeRef array = LLVMGlobalGetValueType(records);
    LLVMValueRef at = LLVMAddGlobal(ir.module, byte_pointer(0), "cpucc_at");
    LLVMSetVisibility(at, LLVMHiddenVisibility);
    for (int k = 0; k < call_count; k++) {
        LLVMValueRef call = calls[k].call, index[2] = {integer(ir.i64, 0), integer(ir.i64, k)};
        LLVMValueRef site =
            LLVMConstBitCast(LLVMConstInBoundsGEP2(array, records, index, 2), byte_pointer(0));
        build_before(call);
        if (is_call_of(call, "cpucc_on_entry"))
            LLVMSetOperand(call, 0, site); /* cpucc_at is the caller's site */
        else
            LLVMBuildStore(ir.builder, site, at);
    }
}
