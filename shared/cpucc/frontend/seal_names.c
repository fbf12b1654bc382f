/* Part of seal. Lists the names that a sealed module may define, declare and call. */
#include <ctype.h>
#include "seal.h"

/* The lists are words between blanks; "x*" stands for all names that begin with x, "x?" for x and xf. */

/* Functions that device code may call: LLVM's arithmetic, C's mathematics without pointers, and
 * functions of the run time that implement CUDA's own and check their arguments. */
static const char callable[] =
    "llvm.dbg.* llvm.lifetime.* llvm.fma.* llvm.fmuladd.* llvm.sqrt.* llvm.fabs.* llvm.floor.* "
    "llvm.ceil.* llvm.trunc.* llvm.rint.* llvm.nearbyint.* llvm.round.* llvm.roundeven.* "
    "llvm.copysign.* llvm.minnum.* llvm.maxnum.* llvm.minimum.* llvm.maximum.* llvm.exp.* "
    "llvm.exp2.* llvm.log.* llvm.log2.* llvm.log10.* llvm.pow.* llvm.powi.* llvm.sin.* "
    "llvm.cos.* llvm.fptosi.sat.* llvm.fptoui.sat.* llvm.ctpop.* llvm.ctlz.* llvm.cttz.* "
    "llvm.bswap.* llvm.bitreverse.* llvm.fshl.* llvm.fshr.* llvm.smax.* llvm.smin.* "
    "llvm.umax.* llvm.umin.* llvm.abs.* llvm.sadd.* llvm.uadd.* llvm.ssub.* llvm.usub.* "
    "llvm.smul.* llvm.umul.* llvm.sshl.* llvm.ushl.* llvm.vector.reduce.* llvm.assume "
    "llvm.expect.* llvm.experimental.noalias.scope.decl llvm.is.constant.* llvm.objectsize.* "
    "llvm.donothing llvm.trap llvm.convert.* llvm.memcpy.* llvm.memmove.* llvm.memset.* "
    "llvm.nvvm.* llvm.var.annotation* llvm.tan.* llvm.asin.* llvm.acos.* llvm.atan.* "
    "llvm.atan2.* llvm.sinh.* llvm.cosh.* llvm.tanh.* llvm.exp10.* llvm.ldexp.* llvm.lrint.* "
    "llvm.llrint.* llvm.lround.* llvm.llround.* "
    "fabs? fmin? fmax? floor? ceil? sqrt? round? rint? nearbyint? trunc? sin? cos? tan? exp? "
    "exp2? log? log2? log10? pow? fma? fmod? ldexp? tanh? rsqrt? lround? llround? cbrt? hypot? "
    "asin? acos? atan? atan2? sinh? cosh? asinh? acosh? atanh? exp10? expm1? log1p? remainder? "
    "fdim? scalbn? scalbln? erf? erfc? tgamma? ilogb? logb? lrint? llrint? nextafter? "
    "copysign? "
    "abs labs llabs memcpy memmove memset vprintf clock __assertfail __assert_fail "
    "__cxa_pure_virtual cpucc_lane_number cpucc_in_kernel cpucc_syncwarp cpucc_shuffle "
    "cpucc_vote cpucc_activemask cpucc_fence cpucc_atomic_access cpucc_atomic_compare "
    "cpucc_wait_a_while cpucc_trap cpucc_undefined cpucc_clock cpucc_timer cpucc_is_shared "
    "cpucc_shared_offset cpucc_shared_pointer cpucc_prefetch cpucc_special cpucc_syncthreads "
    "cpucc_syncthreads_count cpucc_syncthreads_and cpucc_syncthreads_or cpucc_grid_sync "
    "cpucc_cluster_sync cpucc_cluster_arrive cpucc_cluster_wait cpucc_cluster cpucc_map_shared "
    "cpucc_dynamic_shared cpucc_cp_async cpucc_cp_async_commit cpucc_cp_async_wait "
    "cpucc_cp_async_arrive cpucc_barrier_sync cpucc_mbarrier_init cpucc_mbarrier_end "
    "cpucc_mbarrier_arrive cpucc_mbarrier_expect cpucc_mbarrier_shown cpucc_library_may_differ "
    "cpucc_mbarrier_drop cpucc_mbarrier_wait cpucc_mbarrier_wait_phase cpucc_mbarrier_try "
    "cpucc_fence_mbarrier_init cpucc_fence_proxy_async cpucc_bulk_load cpucc_bulk_store "
    "cpucc_tensor_load cpucc_tensor_store cpucc_bulk_commit cpucc_bulk_wait";

/* Functions whose calls cpucc's own steps have added by the last step. */
static const char inserted[] =
    "cpucc_on_* cpucc_memcpy_pieces cpucc_memmove_pieces cpucc_memset_pieces cpucc_memcpy "
    "cpucc_memmove cpucc_memset cpucc_nvvm_* cpucc_asm cpucc_run_matrix cpucc_shared "
    "cpucc_loop cpucc_flush_deferred cpucc_unloop cpucc_vprintf cpucc_printf_arguments "
    "cpucc_check_local cpucc_device_clock cpucc_assertfail cpucc_assert cpucc_check_call "
    "cpucc_guard_* cpucc_shuffle_unused cpucc_grid_constant cpucc_keep";

/* Names of functions that device code may not define, and of variables. */
static const char reserved[] =
    "cpucc_* llvm.* memcpy memmove memset __assertfail __assert_fail vprintf cpucc.*";
static const char reserved_variables[] = "cpucc_* cpucc.*";

/* ---- names ---- */

static bool in_list(const char *list, const char *name)
{
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, " *?");
        if (!strncmp(p, name, n) &&
            (!name[n] || p[n] == '*' || (p[n] == '?' && !strcmp(name + n, "f"))))
            return true;
        p += n + strspn(p + n, " *?");
    }
    return false;
}

/* True for a name with a C name's characters, with letters of any script, and . $ - as clang adds
 * them. Other names are refused since they could evade the lists: "\01name" becomes the symbol
 * `name` in machine code. */
static bool is_plain_name(const char *name)
{
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("._$-", *name) &&
            !((unsigned char)*name & 0x80))
            return false;
    return true;
}

/* ---- constants ---- */

/* Values without operands to look at, and constants that consist of their operands. seal_call refuses assembly. */
static const unsigned char plain[] = {
    LLVMArgumentValueKind,           LLVMBasicBlockValueKind,
    LLVMInstructionValueKind,        LLVMMetadataAsValueValueKind,
    LLVMInlineAsmValueKind,          LLVMFunctionValueKind,
    LLVMGlobalVariableValueKind,     LLVMUndefValueValueKind,
    LLVMPoisonValueValueKind,        LLVMConstantAggregateZeroValueKind,
    LLVMConstantDataArrayValueKind,  LLVMConstantDataVectorValueKind,
    LLVMConstantIntValueKind,        LLVMConstantFPValueKind,
    LLVMConstantPointerNullValueKind};
static const unsigned char composed[] = {LLVMConstantExprValueKind, LLVMConstantArrayValueKind,
                                         LLVMConstantStructValueKind, LLVMConstantVectorValueKind};

/* True if the value is no constant, or a constant without effects, of parts that are such. */
static bool is_plain_constant(LLVMValueRef c)
{
    int kind = (int)LLVMGetValueKind(c);
    bool fine = memchr(composed, kind, sizeof composed) && !casts_segment(c);
    for (int k = 0; fine && k < LLVMGetNumOperands(c); k++)
        fine = is_plain_constant(LLVMGetOperand(c, (unsigned)k));
    return fine || memchr(plain, kind, sizeof plain);
}

/* True if the source of a function, by what its debug information says, is a header of cpucc or of
 * the harness. Untrusted code can say so too, to no avail: what may be called checks its arguments. */
static bool is_of_header(LLVMValueRef f)
{
    const char *file = file_of(LLVMGetSubprogram(f)), *dot = strrchr(file, '.');
    return strstr(file, "/include/") || (dot && !strcmp(dot, ".h"));
}

static bool takes_address(LLVMValueRef call)
{
    for (unsigned k = 0; k < argument_count(call); k++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) == LLVMPointerTypeKind)
            return true;
    return false;
}

static void check_instructions(LLVMValueRef f, bool is_final)
{
    bool may_call = is_final || is_of_header(f);
    EACH_INSTRUCTION_IN(i, f) {
        if (!may_call && LLVMIsACallInst(i) && starts_with(callee_name(i), "cpucc_") &&
            takes_address(i))
            refuse("a kernel cannot call", LLVMGetCalledValue(i));
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            if (!is_plain_constant(LLVMGetOperand(i, k)))
                refuse("the address of a label, or another such constant", i);
    }
}

/* ---- the module ---- */

static void check_function(LLVMValueRef f, bool is_final)
{
    const char *name = name_of(f);
    if (!*name)
        refuse("a function without a name", f);
    else if (!is_plain_name(name))
        refuse("a name that is none of C", f);
    else if (LLVMIsDeclaration(f) && !in_list(callable, name) &&
             !(is_final && in_list(inserted, name)))
        refuse("a kernel cannot call", f);
    else if (!LLVMIsDeclaration(f) && !is_final && in_list(reserved, name))
        refuse("a name that is the run time's", f);
    if (is_final && !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMInternalLinkage)
        refuse("a function that other files see", f);
    /* Operands of a function: personality, prologue, prefix. */
    if (LLVMGetNumOperands(f) || LLVMGetGC(f) || attribute_at(f, ON_FUNCTION, "naked") ||
        attribute_at(f, ON_FUNCTION, "returns_twice"))
        refuse("a function of this kind", f);
    check_instructions(f, is_final);
}

/* True if only this file sees a variable, and the linker puts it where the run time expects it. */
static bool is_own(LLVMValueRef v)
{
    LLVMLinkage linkage = LLVMGetLinkage(v);
    const char *section = LLVMGetSection(v);
    return !strcmp(name_of(v), "llvm.used") ||
           ((linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) &&
            (!section || !*section || starts_with(section, "cpucc_")));
}

void check_module(bool is_final)
{
    size_t n = 0;
    LLVMGetModuleInlineAsm(ir.module, &n);
    if (n)
        refuse("assembly outside of functions", NULL);
    if (LLVMGetFirstGlobalAlias(ir.module))
        refuse("another name for something", LLVMGetFirstGlobalAlias(ir.module));
    if (LLVMGetFirstGlobalIFunc(ir.module))
        refuse("another name for something", LLVMGetFirstGlobalIFunc(ir.module));
    EACH_GLOBAL(g) {
        LLVMValueRef value = LLVMGetInitializer(g);
        if (!is_plain_name(name_of(g)))
            refuse("a name that is none of C", g);
        else if (!is_final && value && in_list(reserved_variables, name_of(g)))
            refuse("a name that is the run time's", g);
        if (is_final && value && !is_own(g))
            refuse("a variable that other files see, or in a section of its own", g);
        if (value && !is_plain_constant(value))
            refuse("the address of a label, or another such constant", g);
    }
    EACH_FUNCTION(f)
        check_function(f, is_final);
}
