/* Part of retarget. Translates the module's variables and reads annotations. */
#include "module.h"

/* ---- names ---- */

char *type_text(LLVMTypeRef type)
{
    char *printed = LLVMPrintTypeToString(type), *body = strstr(printed, " = type "), *to = printed;
    if (body) /* of a struct */
        *body = 0;
    for (const char *p = printed; *p; p++)
        if (starts_with(p, " addrspace("))
            p = strchr(p, ')');
        else
            *to++ = *p == '"' ? '\'' : *p;
    *to = 0;
    return printed;
}

static char *readable_name(const char *name)
{
    extern char *__cxa_demangle(const char *, char *, size_t *, int *);
    int status = 1;
    char *s = starts_with(name, "_Z") ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    return s && !status ? s : format("%s", name);
}

char *variable_name(const char *name)
{
    static const char unnamed[] = "(anonymous namespace)::";
    char *s = readable_name(name);
    for (char *p; (p = strstr(s, unnamed));)
        memmove(p, p + sizeof unnamed - 1, strlen(p + sizeof unnamed - 1) + 1);
    for (char *p; starts_with(name, "_ZZ") && (p = strstr(s, "::"));)
        s = p + 2;                     /* of a function's variable, only its own name */
    char *appended = strstr(s, " (."); /* clang's suffix of a copied variable, demangled */
    return format("%.*s", (int)(appended ? (size_t)(appended - s) : strcspn(s, ".")), s);
}

/* ---- refusals ---- */

static bool mentions(LLVMValueRef user, LLVMValueRef v)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++) {
        LLVMValueRef operand = LLVMGetOperand(user, k);
        if (operand == v ||
            ((LLVMIsAConstantExpr(operand) || is_aggregate(operand)) && mentions(operand, v)))
            return true;
    }
    return false;
}

/* The source line of the first instruction that uses v; the unit's name if there is none. */
static char *first_use(LLVMValueRef v)
{
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f)
            if (LLVMInstructionGetDebugLoc(i) && mentions(i, v))
                return source_line(i);
    return format("%s", unit);
}

void refuse_undefined(const char *what, LLVMValueRef v)
{
    reject(first_use(v), format("the %s '%s' is not defined in this file, and device code of "
                                "several files is not linked",
                                what, readable_name(name_of(v))));
}

/* ---- annotations: __cluster_dims__, __launch_bounds__, __managed__, __constant__, lines of shared variables ---- */

static struct map constants; /* the variables of __constant__ */

/* The string that c points to, or "". */
static const char *text_at(LLVMValueRef c)
{
    size_t n;
    LLVMValueRef global = global_in(c);
    LLVMValueRef value =
        global && LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
    return value && LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value)
               ? LLVMGetAsString(value, &n)
               : "";
}

/* Notes one annotation of cpucc: { pointer to the annotated global, pointer to the annotation's
 * text, pointer to the file's name, line, pointer to the arguments }. */
static void read_annotation(LLVMValueRef entry)
{
    if (LLVMGetNumOperands(entry) != 5)
        return;
    LLVMValueRef of = global_in(LLVMGetOperand(entry, 0));
    LLVMValueRef arguments = global_in(LLVMGetOperand(entry, 4));
    LLVMValueRef values = arguments ? LLVMGetInitializer(arguments) : NULL;
    const char *text = text_at(LLVMGetOperand(entry, 1));
    struct text dimensions = {0};
    long n = 0;
    if (!of)
        return;
    if (!strcmp(text, "cpucc shared") && constant_integer(LLVMGetOperand(entry, 3), &n))
        note_shared_line(of, n);
    if (!strcmp(text, "cpucc managed"))
        note_managed(of);
    if (!strcmp(text, "cpucc constant"))
        *map_at(&constants, of) = 1;
    if (!values)
        return;
    if (!strcmp(text, "cpucc threads") && constant_integer(LLVMGetOperand(values, 0), &n))
        note_threads(of, n);
    if (strcmp(text, "cpucc cluster"))
        return;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(values); k++)
        if (constant_integer(LLVMGetOperand(values, k), &n))
            addf(&dimensions, "%s%ld", k ? "," : "", n);
    note_cluster(of, text_of(&dimensions));
}

void read_annotations(void)
{
    LLVMValueRef all = LLVMGetNamedGlobal(ir.module, "llvm.global.annotations");
    LLVMValueRef entries = all ? LLVMGetInitializer(all) : NULL;
    for (unsigned k = 0; entries && k < (unsigned)LLVMGetNumOperands(entries); k++)
        read_annotation(LLVMGetOperand(entries, k));
}

/* ---- variables ---- */

enum { DEVICE_ALIGNMENT = 256 }; /* as CUDA's allocations, so that a variable has whole sectors */

/* Separates variables, so that an overrun of one does not hit the next. */
static LLVMValueRef new_gap(const char *section)
{
    LLVMValueRef gap = new_global("cpucc.gap", LLVMConstNull(LLVMArrayType(ir.i8, 1024)));
    LLVMSetSection(gap, section);
    LLVMSetAlignment(gap, 4);
    return gap;
}

/* Refuses variables that are too large for a program's file, which contains them, or for constant memory. */
static void check_size(LLVMValueRef v, bool constant)
{
    static uint64_t totals[2];
    uint64_t most = constant ? 64 << 10 : 512 << 20, total = totals[constant];
    uint64_t bytes = (uint64_t)bytes_of(LLVMGlobalGetValueType(v));
    if (total <= most && bytes > most - total)
        reject(first_use(v), format("with '%s' of %llu bytes the device's variables exceed %s; "
                                    "allocate it by cudaMalloc",
                                    readable_name(name_of(v)), (unsigned long long)bytes,
                                    constant ? "the 64 KB of __constant__" : "512 MB"));
    totals[constant] = bytes > most - total ? most + 1 : total + bytes;
}

/* Puts a variable into a section that the run time knows. A __device__ or __constant__ variable is
 * defined anew in address space 0, with a gap behind it. nvcc also keeps const arrays in global memory,
 * but not local arrays, which clang makes private. */
static void translate_variable(LLVMValueRef v)
{
    unsigned space = space_of(v), align = LLVMGetAlignment(v) ? LLVMGetAlignment(v) : 8;
    bool constant = LLVMIsGlobalConstant(v) && (!space || LLVMGetLinkage(v) == LLVMPrivateLinkage);
    space = space == SPACE_KEPT_CONSTANT && !map_get(&constants, v) ? SPACE_GLOBAL : space;
    const char *section = constant                       ? "cpucc_readonly"
                          : space == SPACE_KEPT_CONSTANT ? "cpucc_constant"
                                                         : "cpucc_device";
    LLVMValueRef value = LLVMGetInitializer(v), made = v;
    if (!value) {
        if (space)
            refuse_undefined("variable", v);
        return;
    }
    check_size(v, space == SPACE_KEPT_CONSTANT);
    if (space) {
        bool is = is_managed(v);
        made = new_global("", value);
        replace_global(v, made);
        note_variable(made, is, new_gap(section));
        if (is)
            note_given(made);
    }
    LLVMSetGlobalConstant(made, constant);
    LLVMSetComdat(made, NULL);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    LLVMSetUnnamedAddress(made, LLVMNoUnnamedAddr);
    LLVMSetThreadLocal(made, 0);
    LLVMSetSection(made, section);
    LLVMSetAlignment(made, space && align < DEVICE_ALIGNMENT ? DEVICE_ALIGNMENT : align);
}

void translate_variables(void)
{
    LLVMValueRef *all = NULL; /* translate_variable adds globals */
    int n = 0;
    EACH_GLOBAL(g) {
        if (starts_with(name_of(g), "llvm.")) /* llvm.used and llvm.global.annotations */
            LLVMDeleteGlobal(g);
        else if (space_of(g) != SPACE_SHARED)
            *APPEND(all, n) = g;
    }
    for (int k = 0; k < n; k++)
        translate_variable(all[k]);
}
