/*
 * seal: device code that can reach nothing but what the run time gives it, whatever it tries.
 *
 *     seal names < gpu.ll              refuses what no kernel may declare or define
 *     seal < marked.ll > sealed.ll     the last step before machine code
 *
 * A program compiled with `cpucc --sealed` runs code of people whom one need not trust. The first
 * form looks at the module as clang made it for the GPU: which names it declares, since a kernel
 * could call a function of the run time that is none of CUDA's. The second rewrites the instrumented
 * module for the CPU, after which, attributes and pragmas notwithstanding,
 *
 *   loads, stores    are each preceded by cpucc_seal_guard(address, bytes, write), which lets pass
 *                    what cpucc_access has just allowed and counted, local variables and constants
 *   alloca           is memory apart from the machine's stack with its return addresses
 *   byval            a struct passed by value is copied to such memory too
 *   memcpy and kin   are the run time's, which count
 *   unreachable      ends the launch, so that no code runs on into the next function
 *   calls            go to functions of the module or of a list; never through pointers
 *
 * Anything that it does not know is refused. sealed.c is the run time's part. Exit status: 0, or 1
 * with what was refused.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text.h"

static char **line;
static int lines, number;
static bool opaque;
static int refusals;

static void refuse(const char *what, const char *text)
{
    size_t n = strcspn(text, "\n");
    fprintf(stderr, "cpucc: sealed: %s: %.*s\n", what, (int)(n < 200 ? n : 200), text);
    refusals++;
}

static void read_lines(void)
{
    char *text = read_file(NULL);
    int room = 0;
    for (char *p = text; p && *p;) {
        if (lines == room)
            line = allocate(line, sizeof *line * (size_t)(room = room ? 2 * room : 4096));
        line[lines++] = p;
        p += strcspn(p, "\n");
        if (*p)
            *p++ = 0;
    }
}

/* ---- names ---- */

static bool in_list(const char *const *list, const char *name)
{
    for (; *list; list++) {
        size_t n = strlen(*list);
        if ((*list)[n - 1] == '*' ? !strncmp(*list, name, n - 1) : !strcmp(*list, name))
            return true;
    }
    return false;
}

/* What device code may call: LLVM's arithmetic, C's mathematics without pointers, and those
 * functions of the run time that CUDA's own names stand for and that check what they are given. */
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

/* What cpucc's own steps have put in by the end. */
static const char *const inserted[] = {
    "__tsan_*",      "llvm.returnaddress",  "cpucc_nvvm_*",     "cpucc_asm",
    "cpucc_shared",  "cpucc_loop",          "cpucc_settle",     "cpucc_unloop",
    "cpucc_vprintf", "cpucc_device_clock",  "cpucc_assertfail", "cpucc_check_call",
    "cpucc_guard_*", "cpucc_grid_constant", "cpucc_keep",       NULL};

static const char *const reserved[] = {"__tsan_*", "cpucc_*",      "llvm.*",  "memcpy", "memmove",
                                       "memset",   "__assertfail", "vprintf", NULL};

/* Whether every name of a line that defines or declares something is one of C's, with letters of any
 * script. What an assembly label can be besides ("\01name" is `name` once it is machine code) would
 * not be recognised. */
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

static void check_line_of_module(const char *p, bool is_final)
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

/* ---- operands ---- */

static char *size_of(const char *type, size_t n)
{
    if (opaque)
        return format("ptrtoint (ptr getelementptr (%.*s, ptr null, i32 1) to i64)", (int)n, type);
    return format("ptrtoint (%.*s* getelementptr (%.*s, %.*s* null, i32 1) to i64)", (int)n, type,
                  (int)n, type, (int)n, type);
}

/* Guards the access of a line: `operand` (in it) is "T* value", `bytes` an i64. What it adds in
 * front of the line holds the address fast, so that what is checked is what is used. */
static void add_guarded(struct text *to, const char *p, struct slice operand, const char *bytes,
                        bool write)
{
    size_t n = type_length(operand.p);
    struct slice type = {operand.p, n};
    struct slice value = trimmed((struct slice){operand.p + n, operand.n - n});
    if (value.n == 0 || (*value.p != '%' && find_word(p, "undef")) || strstr(p, "poison")) {
        refuse("an undefined address", p);
        return;
    }
    char *held = *value.p == '%' ? format("%%seal.%d", number++) : copy_of(value);
    if (*value.p == '%')
        addf(to, "  %s = freeze %.*s %.*s\n", held, (int)type.n, type.p, (int)value.n, value.p);
    addf(to, "  %%seal.%d = ptrtoint %.*s %s to i64\n", number, (int)type.n, type.p, held);
    addf(to, "  call void @cpucc_seal_guard(i64 %%seal.%d, i64 %s, i32 %d)\n", number++, bytes,
         write);
    add_bytes(to, p, (size_t)(value.p - p));
    addf(to, "%s%s\n", held, value.p + value.n);
    free(held);
}

/* Behind "load " or "store " and the words that may follow. */
static const char *behind_words(const char *p)
{
    for (bool more = true; more;) {
        more = false;
        static const char *const words[] = {"atomic ", "volatile ", NULL};
        for (int i = 0; words[i]; i++)
            if (starts_with(p, words[i]))
                p += strlen(words[i]), more = true;
    }
    return p;
}

static void add_load(struct text *to, const char *p, const char *what)
{
    struct slice part[4];
    what = behind_words(what + strlen("load "));
    if (split(slice_of(what), part, 4) < 2) {
        refuse("a load", p);
        return;
    }
    char *bytes = size_of(part[0].p, part[0].n);
    add_guarded(to, p, part[1], bytes, false);
    free(bytes);
}

static void add_store(struct text *to, const char *p, const char *what)
{
    struct slice part[4];
    what = behind_words(what + strlen("store "));
    if (split(slice_of(what), part, 4) < 2) {
        refuse("a store", p);
        return;
    }
    char *bytes = size_of(part[0].p, type_length(part[0].p));
    add_guarded(to, p, part[1], bytes, true);
    free(bytes);
}

static void add_alloca(struct text *to, const char *p, const char *what)
{
    struct slice part[4];
    const char *name = strchr(p, '%'), *count = "i64 1";
    int align = 16, n = split(slice_of(what + strlen("alloca ")), part, 4);
    if (n < 1 || starts_with(part[0].p, "inalloca")) {
        refuse("a variable", p);
        return;
    }
    char *copy = NULL, *bytes = size_of(part[0].p, part[0].n);
    for (int i = 1; i < n; i++)
        if (starts_with(part[i].p, "align "))
            align = atoi(part[i].p + 6);
        else if (*part[i].p == 'i')
            count = copy = copy_of(part[i]);
    if (starts_with(count, "i64 "))
        addf(to, "  %%seal.%d = mul i64 %s, %s\n", number, bytes, count + 4);
    else
        addf(to, "  %%seal.%d.n = zext %s to i64\n  %%seal.%d = mul i64 %s, %%seal.%d.n\n", number,
             count, number, bytes, number);
    addf(to, "  %%seal.%d = call %s @cpucc_seal_local(i64 %%seal.%d, i64 %d)\n", number + 1,
         opaque ? "ptr" : "i8*", number, align);
    addf(to, "  %%%.*s = bitcast %s %%seal.%d to %.*s%s\n", (int)name_length(name + 1), name + 1,
         opaque ? "ptr" : "i8*", number + 1, opaque ? 3 : (int)part[0].n,
         opaque ? "ptr" : part[0].p, opaque ? "" : "*");
    number += 2;
    free(bytes);
    free(copy);
}

/* ---- calls ---- */

/* The line without its "byval(T) align N" words. */
static char *without_byval(const char *p)
{
    struct text t = {0};
    for (const char *at; (at = strstr(p, " byval"));) {
        add_bytes(&t, p, (size_t)(at - p));
        p = at + strlen(" byval");
        const char *end = *p == '(' ? closing(p) : NULL;
        p = end ? end + 1 : p;
        if (starts_with(p, " align ")) {
            p += strlen(" align ");
            while (isdigit((unsigned char)*p))
                p++;
        }
    }
    add(&t, p);
    return t.p;
}

/* The name that a call calls, as "@name" or "%name"; NULL if it cannot be told. */
static const char *callee_of(const char *p)
{
    p = strstr(p, "call ") + strlen("call ");
    while (*p) {
        if (starts_with(p, "asm ") || starts_with(p, "bitcast ") || starts_with(p, "inttoptr "))
            return NULL;
        if (*p == '@' || *p == '%') {
            size_t n = 1 + name_length(p + 1);
            if (p[n] == '(')
                return p;
            p += n;
        } else if (strchr("([{<", *p)) {
            const char *end = closing(p);
            if (!end)
                return NULL;
            p = end + 1;
        } else {
            p++;
        }
    }
    return NULL;
}

/* llvm.memcpy(T to, T from, i64 n, i1 volatile) and its kin, which could become plain moves. */
static bool add_memory_call(struct text *to, const char *p, const char *callee)
{
    static const char *const kinds[] = {"memcpy", "memmove", "memset"};
    int kind = 0;
    while (kind < 3 && !(starts_with(callee, "@llvm.") && starts_with(callee + 6, kinds[kind])))
        kind++;
    if (kind == 3)
        return false;
    struct slice part[8];
    const char *open = strchr(callee, '('), *end = closing(open);
    if (split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 8) < 3) {
        refuse("a call", p);
        return true;
    }
    const char *at = opaque ? "ptr" : "i8*";
    struct text arguments = {0};
    for (int i = 0; i < 3; i++) {
        const char *value = part[i].p + part[i].n;
        while (value > part[i].p && value[-1] != ' ')
            value--;
        if (part[i].p[part[i].n - 1] == ')') { /* a constant expression: behind the type's blank */
            value = part[i].p + type_length(part[i].p);
            while (starts_with(value, " noundef") || starts_with(value, " nonnull") ||
                   starts_with(value, " align ") || starts_with(value, " dereferenceable"))
                value += 1 + strcspn(value + 1, starts_with(value, " align ") ? "" : " ");
            while (*value == ' ')
                value++;
        }
        const char *type = i == 2 ? "i64" : i == 1 && kind == 2 ? "i32" : at;
        struct slice v = {value, (size_t)(part[i].p + part[i].n - value)};
        if (i == 1 && kind == 2) {
            addf(to, "  %%seal.%d = zext i8 %.*s to i32\n", number, (int)v.n, v.p);
            addf(&arguments, ", i32 %%seal.%d", number++);
        } else {
            addf(&arguments, "%s%s %.*s", i ? ", " : "", type, (int)v.n, v.p);
        }
    }
    const char *debug = strstr(p, ", !dbg ");
    addf(to, "  %%seal.%d = call %s @cpucc_%s(%s)%s\n", number++, at, kinds[kind], arguments.p,
         debug ? debug : "");
    free(arguments.p);
    return true;
}

static void add_call(struct text *to, const char *p)
{
    const char *callee = callee_of(p);
    if (!callee || *callee != '@') {
        refuse(callee ? "a call through a pointer" : "a call", p);
        return;
    }
    if (starts_with(callee, "@llvm.lifetime.") || starts_with(callee, "@llvm.assume(") ||
        starts_with(callee, "@llvm.dbg."))
        return;
    if (add_memory_call(to, p, callee))
        return;
    if (starts_with(callee, "@cpucc_shuffle(")) { /* its last argument is written by the run time */
        struct slice part[8];
        const char *open = strchr(callee, '('), *end = closing(open);
        int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 8);
        struct slice last = part[n - 1];
        if (last.n < 4 || strncmp(last.p + last.n - 4, "null", 4)) {
            const char *value = last.p + type_length(last.p);
            while (starts_with(value, " noundef") || starts_with(value, " nonnull"))
                value += 1 + strcspn(value + 1, " ");
            addf(to, "  %%seal.%d = ptrtoint %.*s%.*s to i64\n", number, (int)type_length(last.p),
                 last.p, (int)(last.p + last.n - value), value);
            addf(to, "  call void @cpucc_seal_guard(i64 %%seal.%d, i64 4, i32 2)\n", number++);
        }
    }
    char *plain = without_byval(p);
    addf(to, "%s\n", plain);
    free(plain);
}

/* ---- functions ---- */

struct by_value { /* a parameter passed by value: its copy takes its place in the body */
    char *name, *copy;
};

/* Adds p with every parameter passed by value replaced by its copy; to be freed. */
static char *with_copies(const char *p, const struct by_value *values, int count)
{
    struct text t = {0};
    add(&t, "");
    while (*p) {
        const char *at = strchr(p, '%');
        if (!at)
            break;
        size_t n = name_length(at + 1);
        add_bytes(&t, p, (size_t)(at - p));
        const char *replaced = NULL;
        for (int i = 0; i < count && !replaced; i++)
            if (strlen(values[i].name) == n && !strncmp(values[i].name, at + 1, n))
                replaced = values[i].copy;
        if (replaced)
            add(&t, replaced);
        else
            add_bytes(&t, at, n + 1);
        p = at + 1 + n;
    }
    add(&t, p);
    return t.p;
}

static void add_instruction(struct text *to, const char *p, bool has_mark)
{
    static const char *const known[] = {"br ",
                                        "switch ",
                                        "phi ",
                                        "select ",
                                        "freeze ",
                                        "icmp ",
                                        "fcmp ",
                                        "add ",
                                        "sub ",
                                        "mul ",
                                        "udiv ",
                                        "sdiv ",
                                        "urem ",
                                        "srem ",
                                        "shl ",
                                        "lshr ",
                                        "ashr ",
                                        "and ",
                                        "or ",
                                        "xor ",
                                        "fadd ",
                                        "fsub ",
                                        "fmul ",
                                        "fdiv ",
                                        "frem ",
                                        "fneg ",
                                        "trunc ",
                                        "zext ",
                                        "sext ",
                                        "fptrunc ",
                                        "fpext ",
                                        "fptoui ",
                                        "fptosi ",
                                        "uitofp ",
                                        "sitofp ",
                                        "ptrtoint ",
                                        "inttoptr ",
                                        "bitcast ",
                                        "fence ",
                                        "getelementptr ",
                                        "extractelement ",
                                        "insertelement ",
                                        "shufflevector ",
                                        "extractvalue ",
                                        "insertvalue ",
                                        NULL};
    const char *what = p + strspn(p, " ");
    if (*what == '%') {
        what += 1 + name_length(what + 1);
        if (!starts_with(what, " = ")) {
            refuse("an instruction", p);
            return;
        }
        what += 3;
    }
    if (starts_with(what, "ret ")) {
        if (has_mark)
            add(to, "  call void @cpucc_seal_release(i64 %seal.mark)\n");
        addf(to, "%s\n", p);
    } else if (starts_with(what, "unreachable")) {
        add(to, "  call void @cpucc_seal_stop()\n  unreachable\n");
    } else if (starts_with(what, "load ")) {
        add_load(to, p, what);
    } else if (starts_with(what, "store ")) {
        add_store(to, p, what);
    } else if (starts_with(what, "alloca ")) {
        add_alloca(to, p, what);
    } else if (starts_with(what, "call ") || starts_with(what, "tail call ") ||
               starts_with(what, "notail call ") || starts_with(what, "musttail call ")) {
        add_call(to, p);
    } else {
        for (int i = 0; known[i]; i++)
            if (starts_with(what, known[i])) {
                addf(to, "%s\n", p);
                return;
            }
        refuse("an instruction", p);
    }
}

/* Whether a line of a function is an instruction, and not a label, a comment or a part of a
 * switch. */
static bool is_instruction(const char *p)
{
    const char *q = p + strspn(p, " ");
    if (p == q || !*q || *q == ';' || *q == ']')
        return false;
    if (*q == 'i' && isdigit((unsigned char)q[1])) /* "    i32 1, label %62" */
        return false;
    return true;
}

static int add_function(struct text *to, int first)
{
    int last = first;
    bool has_mark = false, trusted = strstr(line[first], "@cpucc.call.") != NULL;
    while (strcmp(line[last], "}")) {
        has_mark |= strstr(line[last], " alloca ") != NULL;
        last++;
    }
    has_mark |= strstr(line[first], " byval") != NULL;
    char *head = without_byval(line[first]);
    addf(to, "%s\n", head);
    free(head);
    int i = first + 1;
    if (trusted) { /* loads a kernel's arguments and calls it */
        for (; i <= last; i++) {
            char *plain = without_byval(line[i]);
            addf(to, "%s\n", plain);
            free(plain);
        }
        return last;
    }
    if (line[i][0] && line[i][0] != ' ') /* the first block's label */
        addf(to, "%s\n", line[i++]);
    struct by_value values[64];
    int count = 0;
    if (has_mark)
        add(to, "  %seal.mark = call i64 @cpucc_seal_mark()\n");
    const char *open = strchr(strchr(line[first], '@'), '('), *end = closing(open);
    struct slice parameter[128];
    int parameters = split((struct slice){open + 1, (size_t)(end - open - 1)}, parameter, 128);
    for (int k = 0; k < parameters; k++) {
        char *text = copy_of(parameter[k]), *by_value = strstr(text, "byval("),
             *name = strrchr(text, '%');
        if (by_value && count < 64) {
            const char *inner = by_value + strlen("byval("), *align = strstr(text, " align ");
            size_t n = (size_t)(closing(inner - 1) - inner);
            char *bytes = size_of(inner, n);
            const char *at = opaque ? "ptr" : "i8*";
            addf(to, "  %%seal.%d = bitcast %.*s %s to %s\n", number, (int)type_length(text), text,
                 name, at);
            addf(to, "  %%seal.%d = call %s @cpucc_seal_copy(%s %%seal.%d, i64 %s, i64 %d)\n",
                 number + 1, at, at, number, bytes, align ? atoi(align + 7) : 16);
            addf(to, "  %%seal.%d = bitcast %s %%seal.%d to %.*s\n", number + 2, at, number + 1,
                 (int)type_length(text), text);
            values[count].name = format("%s", name + 1);
            values[count++].copy = format("%%seal.%d", number + 2);
            number += 3;
            free(bytes);
        }
        free(text);
    }
    for (; i < last; i++) {
        char *p = count ? with_copies(line[i], values, count) : line[i];
        if (is_instruction(p))
            add_instruction(to, p, has_mark);
        else
            addf(to, "%s\n", p);
        if (count)
            free(p);
    }
    addf(to, "}\n");
    return last;
}

/* Frames are touched page by page, so that none jumps over the page below the stack. */
static void add_attributes(struct text *to, const char *p)
{
    if (find_word(p, " naked") || find_word(p, " returns_twice"))
        refuse("a function of this kind", p);
    const char *open = strchr(p, '{');
    add_bytes(to, p, (size_t)(open - p) + 1);
    addf(to, " \"probe-stack\"=\"inline-asm\"%s\n", open + 1);
}

static void add_declarations(struct text *to)
{
    const char *at = opaque ? "ptr" : "i8*";
    addf(to,
         "declare void @cpucc_seal_guard(i64, i64, i32)\n"
         "declare %s @cpucc_seal_local(i64, i64)\n"
         "declare %s @cpucc_seal_copy(%s, i64, i64)\n"
         "declare i64 @cpucc_seal_mark()\n"
         "declare void @cpucc_seal_release(i64)\n"
         "declare void @cpucc_seal_stop() noreturn\n",
         at, at, at);
    static const char *const kinds[] = {"memcpy", "memmove", "memset"};
    for (int k = 0; k < 3; k++) {
        bool there = false;
        char *name = format("@cpucc_%s(", kinds[k]);
        for (int i = 0; i < lines; i++)
            there |= starts_with(line[i], "declare ") && strstr(line[i], name);
        if (!there)
            addf(to, "declare %s %s%s, %s, i64)\n", at, name, at, k == 2 ? "i32" : at);
        free(name);
    }
}

int main(int argc, char **argv)
{
    read_lines();
    bool only_names = argc > 1 && !strcmp(argv[1], "names");
    struct text out = {0};
    for (int i = 0; i < lines; i++)
        opaque |= strstr(line[i], "(ptr ") || strstr(line[i], " ptr,") || strstr(line[i], "ptr @");
    for (int i = 0; i < lines; i++) {
        check_line_of_module(line[i], !only_names);
        if (only_names)
            continue;
        if (starts_with(line[i], "define ") && !strstr(line[i], "@tsan.module_ctor"))
            i = add_function(&out, i);
        else if (starts_with(line[i], "define "))
            while (strcmp(line[i], "}"))
                i++;
        else if (starts_with(line[i], "@llvm.global_ctors"))
            continue;
        else if (starts_with(line[i], "@llvm.used") && strstr(line[i], "@tsan.module_ctor")) {
            const char *drop = strstr(line[i], ", i8* bitcast (void ()* @tsan.module_ctor to i8*)");
            drop = drop ? drop : strstr(line[i], ", ptr @tsan.module_ctor");
            const char *count = strchr(line[i], '[');
            if (drop) {
                addf(&out, "%.*s[%d%.*s", (int)(count - line[i]), line[i], atoi(count + 1) - 1,
                     (int)(drop - count - 1 - (long)strspn(count + 1, "0123456789")),
                     count + 1 + strspn(count + 1, "0123456789"));
                addf(&out, "], section \"llvm.metadata\"\n");
            }
        } else if (starts_with(line[i], "attributes "))
            add_attributes(&out, line[i]);
        else
            addf(&out, "%s\n", line[i]);
    }
    if (!only_names) {
        add_declarations(&out);
        fputs(out.p, stdout);
    }
    return refusals || fflush(stdout) || ferror(stdout) ? 1 : 0;
}
