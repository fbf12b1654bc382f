/*
 * Part of retarget. Registers kernels and variables. The host's half of the program identifies them
 * by the address of a stub (kernel) or shadow (variable) and registers these addresses with the
 * device's names (clang's __cudaRegisterFunction). This file writes the device's half: for each
 * kernel a function that takes the arguments' addresses and calls it, and a table of all kernels
 * and variables with the name of their translation unit.
 */
#include "module.h"

static LLVMValueRef *kernels;
static struct variable {
    LLVMValueRef global, gap;
    bool managed;
} * variables;
static int kernel_count, variable_count;
static struct map clusters, threads; /* by kernel: the annotation's text, a number */
static struct map managed, callers;  /* sets of variables, and of functions */

void note_kernels(void)
{
    EACH_FUNCTION(f)
        if (is_kernel(f))
            *APPEND(kernels, kernel_count) = f;
}

void note_cluster(LLVMValueRef f, const char *dimensions)
{
    *map_at(&clusters, f) = (long)format("%s", dimensions);
}

void note_threads(LLVMValueRef f, long most) { *map_at(&threads, f) = most; }

void note_managed(LLVMValueRef v) { *map_at(&managed, v) = true; }

bool is_managed(LLVMValueRef v) { return map_get(&managed, v); }

void note_variable(LLVMValueRef v, bool is, LLVMValueRef gap)
{
    *APPEND(variables, variable_count) = (struct variable){v, gap, is};
}

/* ---- kernels ---- */

/* Gives a call the attributes that decide how parameter k of f is passed. */
static void pass_alike(LLVMValueRef call, LLVMValueRef f, unsigned k)
{
    static const char *const names[] = {"byval", "align", "zeroext", "signext"};
    bool by_value = attribute_at(f, k + 1, "byval") != NULL;
    for (unsigned j = by_value ? 0 : 2; j < (by_value ? 2 : 4); j++) {
        LLVMAttributeRef a = attribute_at(f, k + 1, names[j]);
        if (!a && j == 1)
            a = LLVMCreateEnumAttribute(ir.context, attribute_kind("align"), 8);
        if (a)
            LLVMAddCallSiteAttribute(call, k + 1, a);
    }
}

bool is_caller(LLVMValueRef f) { return map_get(&callers, f); }

/* Defines a function that takes the addresses of f's arguments and calls f. It passes a struct by
 * value as a pointer to the caller's copy; the call copies it. */
static LLVMValueRef new_caller(LLVMValueRef f)
{
    LLVMTypeRef pointer = byte_pointer(0), take = LLVMPointerType(pointer, 0);
    LLVMValueRef caller =
        LLVMAddFunction(ir.module, "cpucc.call", LLVMFunctionType(ir.nothing, &take, 1, 0));
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *argument = allocate(NULL, sizeof *argument * n);
    LLVMSetLinkage(caller, LLVMInternalLinkage);
    set_attribute(caller, "nounwind", true);
    LLVMPositionBuilderAtEnd(ir.builder, LLVMAppendBasicBlockInContext(ir.context, caller, ""));
    LLVMSetCurrentDebugLocation2(ir.builder, NULL);
    for (unsigned k = 0; k < n; k++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, k));
        LLVMValueRef at = integer(ir.i64, k);
        LLVMValueRef slot = LLVMBuildGEP2(ir.builder, pointer, LLVMGetParam(caller, 0), &at, 1, "");
        LLVMValueRef from = LLVMBuildLoad2(ir.builder, pointer, slot, "");
        argument[k] = attribute_at(f, k + 1, "byval")
                          ? LLVMBuildBitCast(ir.builder, from, type, "")
                          : LLVMBuildLoad2(ir.builder, type, pointer_to(type, from), "");
    }
    LLVMValueRef call = LLVMBuildCall2(ir.builder, LLVMGlobalGetValueType(f), f, argument, n, "");
    for (unsigned k = 0; k < n; k++)
        pass_alike(call, f, k);
    LLVMBuildRetVoid(ir.builder);
    free(argument);
    *map_at(&callers, caller) = true;
    return generic(caller);
}

/* The address of a constant array with the bytes of each parameter (of a struct passed by value the struct's) and a
 * final 0. */
static LLVMValueRef new_sizes(LLVMValueRef f)
{
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *bytes = allocate(NULL, sizeof *bytes * (n + 1));
    for (unsigned k = 0; k < n; k++) {
        LLVMAttributeRef by_value = attribute_at(f, k + 1, "byval");
        bytes[k] = integer(ir.i64, bytes_of(by_value ? LLVMGetTypeAttributeValue(by_value)
                                                     : LLVMTypeOf(LLVMGetParam(f, k))));
    }
    bytes[n] = integer(ir.i64, 0);
    LLVMValueRef sizes = LLVMConstArray(ir.i64, bytes, n + 1);
    free(bytes);
    return generic(new_global("cpucc.bytes", sizes));
}

/* The parameters' names in the source, "pin,pout,irows". The letter in front of each name is its
 * kind: p a pointer, i an integer, o other. A parameter without a name has a number. */
static char *parameter_names(LLVMValueRef f)
{
    struct text t = {0};
    int unnamed = 0;
    add(&t, "");
    for (unsigned k = 0; k < LLVMCountParams(f); k++) {
        const char *name = name_of(LLVMGetParam(f, k));
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, k)));
        size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        bool is_pointer = kind == LLVMPointerTypeKind && !attribute_at(f, k + 1, "byval");
        addf(&t, "%s%c", k ? "," : "", is_pointer ? 'p' : kind == LLVMIntegerTypeKind ? 'i' : 'o');
        if (*name)
            addf(&t, "%.*s", n ? (int)n : 1, n ? name : "?");
        else
            addf(&t, "%d", unnamed++);
    }
    return t.p;
}

/* ---- the table ---- */

enum { NAME = 1, READABLE, CLUSTER, ADDRESS, SIZES, SOURCE, TYPE, BYTES, FIELDS };

static LLVMValueRef *parts;
static unsigned part_count;

/* Puts a constant into a section in which the linker collects such constants. */
static void collect(LLVMValueRef g, const char *section)
{
    LLVMSetSection(g, section);
    LLVMSetAlignment(g, 8);
    *APPEND(parts, part_count) = generic(g);
}

/* Adds an entry to the table: a struct device_part (launch_state.h). Fields that are NULL are null
 * pointers. */
static void add_part(LLVMValueRef unit_text, LLVMValueRef *field)
{
    field[0] = unit_text;
    for (int k = 0; k < BYTES; k++)
        field[k] = field[k] ? field[k] : null_pointer();
    field[BYTES] = field[BYTES] ? field[BYTES] : integer(ir.i64, 0);
    collect(new_global("cpucc.part", LLVMConstStructInContext(ir.context, field, FIELDS, 0)),
            "cpucc_parts");
}

bool has_pointers(LLVMValueRef f)
{
    EACH_USE(u, f) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return true;
        for (unsigned k = 0; k < argument_count(user); k++)
            if (LLVMGetOperand(user, k) == f)
                return true;
    }
    return false;
}

/* Lists the functions that device code may call through pointers. */
static void register_functions(void)
{
    EACH_FUNCTION(f)
        if (!LLVMIsDeclaration(f) && !is_caller(f) && has_pointers(f))
            collect(new_global("cpucc.function", LLVMConstBitCast(f, byte_pointer(0))),
                    "cpucc_functions");
}

static void register_kernel(LLVMValueRef unit_text, LLVMValueRef f)
{
    const char *cluster = (const char *)map_get(&clusters, f);
    char *readable = subprogram_name(f), *names = parameter_names(f);
    readable = readable ? readable : format("%s", name_of(f));
    char *to = readable;
    for (const char *p = readable; *p; p++) /* without blanks */
        if (*p != ' ')
            *to++ = *p;
    *to = 0;
    add_part(unit_text, (LLVMValueRef[FIELDS]){
                            [NAME] = text_constant(name_of(f)),
                            [READABLE] = text_constant(readable),
                            [CLUSTER] = cluster ? text_constant(cluster) : NULL,
                            [ADDRESS] = new_caller(f),
                            [SIZES] = new_sizes(f),
                            [SOURCE] = text_constant(names),
                            [BYTES] = integer(ir.i64, map_get(&threads, f)),
                        });
    free(readable);
    free(names);
}

/* Registers a variable, or the gap behind one, under its name and the name in the source, which it frees. */
static void register_variable(LLVMValueRef unit_text, LLVMValueRef v, const char *name,
                              char *source, bool as_managed)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(v);
    char *text = type_text(type);
    add_part(unit_text, (LLVMValueRef[FIELDS]){
                            [NAME] = text_constant(name),
                            [CLUSTER] = as_managed ? text_constant("managed") : NULL,
                            [ADDRESS] = generic(v),
                            [SOURCE] = text_constant(source),
                            [TYPE] = text_constant(text),
                            [BYTES] = integer(ir.i64, bytes_of(type)),
                        });
    free(source);
    free(text);
}

void write_registration(void)
{
    LLVMValueRef unit_text = text_constant(unit);
    for (int k = 0; k < kernel_count; k++)
        if (!LLVMIsDeclaration(kernels[k]))
            register_kernel(unit_text, kernels[k]);
    for (struct variable *x = variables; x < variables + variable_count; x++) {
        const char *name = name_of(x->global);
        register_variable(unit_text, x->global, name, variable_name(name), x->managed);
        register_variable(unit_text, x->gap, "", format("%s", ""), false);
    }
    register_functions();
    if (!part_count)
        return;
    LLVMValueRef used = new_global("llvm.used", LLVMConstArray(byte_pointer(0), parts, part_count));
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
}
