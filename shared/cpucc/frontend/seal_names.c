/* Part of seal. Lists the names that a sealed module may define, declare and call. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "seal.h"

/* True if the list has the name; an entry "x*" matches names that begin with x. */
static bool in_list(const char *const *list, const char *name)
{
    for (; *list; list++) {
        size_t n = strlen(*list);
        if ((*list)[n - 1] == '*' ? !strncmp(*list, name, n - 1) : !strcmp(*list, name))
            return true;
    }
    return false;
}

/* Functions that device code may call: LLVM's arithmetic, C's mathematics without pointers, and
 * functions of the run time that implement CUDA's own and check their arguments. */
static const char *const callable[] = {"llvm.dbg.*",
                                       "llvm.lifetime.*",
                                       "llvm.fma.*",
                                       "llvm.fmuladd.*",
                                       "llvm.sqrt.*",
                                       "llvm.fabs.*",
                                       "llvm.floor.*",
                                       "llvm.ceil.*",
                                       "llvm.trunc.*",
                                       "llvm.rint.*",
                                       "llvm.nearbyint.*",
                                       "llvm.round.*",
                                       "llvm.roundeven.*",
                                       "llvm.copysign.*",
                                       "llvm.minnum.*",
                                       "llvm.maxnum.*",
                                       "llvm.minimum.*",
                                       "llvm.maximum.*",
                                       "llvm.exp.*",
                                       "llvm.exp2.*",
                                       "llvm.log.*",
                                       "llvm.log2.*",
                                       "llvm.log10.*",
                                       "llvm.pow.*",
                                       "llvm.powi.*",
                                       "llvm.sin.*",
                                       "llvm.cos.*",
                                       "llvm.fptosi.sat.*",
                                       "llvm.fptoui.sat.*",
                                       "llvm.ctpop.*",
                                       "llvm.ctlz.*",
                                       "llvm.cttz.*",
                                       "llvm.bswap.*",
                                       "llvm.bitreverse.*",
                                       "llvm.fshl.*",
                                       "llvm.fshr.*",
                                       "llvm.smax.*",
                                       "llvm.smin.*",
                                       "llvm.umax.*",
                                       "llvm.umin.*",
                                       "llvm.abs.*",
                                       "llvm.sadd.*",
                                       "llvm.uadd.*",
                                       "llvm.ssub.*",
                                       "llvm.usub.*",
                                       "llvm.smul.*",
                                       "llvm.umul.*",
                                       "llvm.sshl.*",
                                       "llvm.ushl.*",
                                       "llvm.vector.reduce.*",
                                       "llvm.assume",
                                       "llvm.expect.*",
                                       "llvm.experimental.noalias.scope.decl",
                                       "llvm.is.constant.*",
                                       "llvm.objectsize.*",
                                       "llvm.donothing",
                                       "llvm.trap",
                                       "llvm.convert.*",
                                       "llvm.memcpy.*",
                                       "llvm.memmove.*",
                                       "llvm.memset.*",
                                       "llvm.nvvm.*",
                                       "llvm.var.annotation*",
                                       "fabs",
                                       "fabsf",
                                       "fmin",
                                       "fminf",
                                       "fmax",
                                       "fmaxf",
                                       "floor",
                                       "floorf",
                                       "ceil",
                                       "ceilf",
                                       "sqrt",
                                       "sqrtf",
                                       "round",
                                       "roundf",
                                       "rint",
                                       "rintf",
                                       "nearbyint",
                                       "nearbyintf",
                                       "trunc",
                                       "truncf",
                                       "sin",
                                       "sinf",
                                       "cos",
                                       "cosf",
                                       "tan",
                                       "tanf",
                                       "exp",
                                       "expf",
                                       "exp2",
                                       "exp2f",
                                       "log",
                                       "logf",
                                       "log2",
                                       "log2f",
                                       "log10",
                                       "log10f",
                                       "pow",
                                       "powf",
                                       "fma",
                                       "fmaf",
                                       "fmod",
                                       "fmodf",
                                       "ldexp",
                                       "ldexpf",
                                       "tanh",
                                       "tanhf",
                                       "rsqrtf",
                                       "rsqrt",
                                       "lround",
                                       "lroundf",
                                       "llround",
                                       "llroundf",
                                       "abs",
                                       "labs",
                                       "llabs",
                                       "cbrt",
                                       "cbrtf",
                                       "hypot",
                                       "hypotf",
                                       "asin",
                                       "asinf",
                                       "acos",
                                       "acosf",
                                       "atan",
                                       "atanf",
                                       "atan2",
                                       "atan2f",
                                       "sinh",
                                       "sinhf",
                                       "cosh",
                                       "coshf",
                                       "asinh",
                                       "asinhf",
                                       "acosh",
                                       "acoshf",
                                       "atanh",
                                       "atanhf",
                                       "exp10",
                                       "exp10f",
                                       "expm1",
                                       "expm1f",
                                       "log1p",
                                       "log1pf",
                                       "remainder",
                                       "remainderf",
                                       "fdim",
                                       "fdimf",
                                       "scalbn",
                                       "scalbnf",
                                       "scalbln",
                                       "scalblnf",
                                       "erf",
                                       "erff",
                                       "erfc",
                                       "erfcf",
                                       "tgamma",
                                       "tgammaf",
                                       "ilogb",
                                       "ilogbf",
                                       "logb",
                                       "logbf",
                                       "lrint",
                                       "lrintf",
                                       "llrint",
                                       "llrintf",
                                       "nextafter",
                                       "nextafterf",
                                       "copysign",
                                       "copysignf",
                                       "llvm.tan.*",
                                       "llvm.asin.*",
                                       "llvm.acos.*",
                                       "llvm.atan.*",
                                       "llvm.atan2.*",
                                       "llvm.sinh.*",
                                       "llvm.cosh.*",
                                       "llvm.tanh.*",
                                       "llvm.exp10.*",
                                       "llvm.ldexp.*",
                                       "llvm.lrint.*",
                                       "llvm.llrint.*",
                                       "llvm.lround.*",
                                       "llvm.llround.*",
                                       "memcpy",
                                       "memmove",
                                       "memset",
                                       "vprintf",
                                       "clock",
                                       "__assertfail",
                                       "cpucc_lane_number",
                                       "cpucc_in_kernel",
                                       "cpucc_syncwarp",
                                       "cpucc_shuffle",
                                       "cpucc_vote",
                                       "cpucc_activemask",
                                       "cpucc_fence",
                                       "cpucc_atomic_access",
                                       "cpucc_wait_a_while",
                                       "cpucc_trap",
                                       "cpucc_clock",
                                       "cpucc_timer",
                                       "cpucc_is_shared",
                                       "cpucc_shared_offset",
                                       "cpucc_shared_pointer",
                                       "cpucc_prefetch",
                                       "cpucc_special",
                                       "cpucc_syncthreads",
                                       "cpucc_syncthreads_count",
                                       "cpucc_syncthreads_and",
                                       "cpucc_syncthreads_or",
                                       "cpucc_grid_sync",
                                       "cpucc_cluster_sync",
                                       "cpucc_cluster_arrive",
                                       "cpucc_cluster_wait",
                                       "cpucc_cluster",
                                       "cpucc_map_shared",
                                       "cpucc_dynamic_shared",
                                       "cpucc_cp_async",
                                       "cpucc_cp_async_commit",
                                       "cpucc_cp_async_wait",
                                       "cpucc_mbarrier_init",
                                       "cpucc_mbarrier_end",
                                       "cpucc_mbarrier_arrive",
                                       "cpucc_mbarrier_expect",
                                       "cpucc_mbarrier_shown",
                                       "cpucc_library_may_differ",
                                       "cpucc_mbarrier_drop",
                                       "cpucc_mbarrier_wait",
                                       "cpucc_mbarrier_wait_phase",
                                       "cpucc_mbarrier_try",
                                       "cpucc_fence_mbarrier_init",
                                       "cpucc_fence_proxy_async",
                                       "cpucc_bulk_load",
                                       "cpucc_bulk_store",
                                       "cpucc_tensor_load",
                                       "cpucc_tensor_store",
                                       "cpucc_bulk_commit",
                                       "cpucc_bulk_wait",
                                       NULL};

/* Functions whose calls cpucc's own steps have added by the last step. */
static const char *const inserted[] = {"cpucc_on_*",
                                       "llvm.returnaddress",
                                       "cpucc_nvvm_*",
                                       "cpucc_asm",
                                       "cpucc_shared",
                                       "cpucc_loop",
                                       "cpucc_flush_deferred",
                                       "cpucc_unloop",
                                       "cpucc_vprintf",
                                       "cpucc_device_clock",
                                       "cpucc_assertfail",
                                       "cpucc_check_call",
                                       "cpucc_guard_*",
                                       "cpucc_shuffle_unused",
                                       "cpucc_grid_constant",
                                       "cpucc_keep",
                                       NULL};

static const char *const reserved[] = {"cpucc_on_*", "cpucc_*",      "llvm.*",  "memcpy", "memmove",
                                       "memset",   "__assertfail", "vprintf", NULL};

/* True if every name in the line is a C name, with letters of any script. Other names are refused
 * since they could evade the lists: "\01name" becomes the symbol `name` in machine code. */
static bool has_plain_names(const char *p)
{
    for (; (p = strchr(p, '@')); p++) {
        if (p[1] != '"')
            continue;
        size_t n = name_length(p + 1);
        for (const char *c = p + 2; c + 1 < p + 1 + n; c++)
            if (*c == '\\' && strchr("89ABCDEF", c[1]) && isxdigit((unsigned char)c[2]))
                c += 2;
            else if (!isalnum((unsigned char)*c) && !strchr("._$", *c))
                return false;
    }
    return true;
}

/* The name of the function that a line declares or defines. */
static char *function_name(const char *p)
{
    const char *at = p;
    while ((at = strchr(at, '@'))) {
        size_t n = name_length(at + 1);
        if (at[1 + n] == '(')
            return copy_of((struct slice){at + 1, n});
        at++;
    }
    return NULL;
}

void check_line_of_module(const char *p, bool is_final)
{
    bool declares = starts_with(p, "declare "), defines = starts_with(p, "define ");
    if (starts_with(p, "module asm"))
        refuse("assembly outside of functions", p);
    if (p[0] == '@' && (find_word(p, " alias ") || find_word(p, " ifunc ")))
        refuse("another name for something", p);
    if ((p[0] == '@' || declares || defines) && !has_plain_names(p))
        refuse("a name that is none of C", p);
    if (strstr(p, "blockaddress(") && find_word(p, "blockaddress("))
        refuse("the address of a label", p);
    if (!declares && !defines)
        return;
    char *name = function_name(p);
    if (!name)
        refuse("a function without a name", p);
    else if (declares && !in_list(callable, name) && !(is_final && in_list(inserted, name)))
        refuse("a kernel cannot call", name);
    else if (defines && !is_final && in_list(reserved, name))
        refuse("a name that is the run time's", name);
    if (defines && (find_word(p, " personality ") || find_word(p, " prologue ") ||
                    find_word(p, " prefix ") || find_word(p, " gc ") || find_word(p, " naked")))
        refuse("a function of this kind", p);
    free(name);
}
