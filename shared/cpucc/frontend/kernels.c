/*
 * Part of retarget. Registers kernels and variables. The host's half of the program identifies them
 * by the address of a stub (kernel) or shadow (variable) and registers these addresses with the
 * device's names (clang's __cudaRegisterFunction). This file writes the device's half: for each
 * kernel a function that takes the arguments' addresses and calls it, and a table of all kernels
 * and variables with the name of their translation unit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

struct kernel {
    char *name, *cluster, *readable;
    struct slice *parameter; /* as written in its definition */
    int parameters;
    bool defined;
};

static struct kernel *kernels;
static int kernel_count;
static struct {
    char *name, *type;
} * variables;
static int variable_count;

static struct kernel *find(const char *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernels[i].name, name))
            return &kernels[i];
    return NULL;
}

void note_kernel(const char *name)
{
    if (find(name))
        return;
    kernels = allocate(kernels, sizeof *kernels * (size_t)(kernel_count + 1));
    kernels[kernel_count++] = (struct kernel){.name = format("%s", name)};
}

void note_cluster(const char *name, const char *dimensions)
{
    struct kernel *k = find(name);
    if (k)
        k->cluster = format("%s", dimensions);
}

void note_definition(const char *name, const char *define, struct slice parameters)
{
    struct kernel *k = find(name);
    if (!k)
        return;
    struct slice part[1024];
    k->parameters = split(slice_of(copy_of(parameters)), part, 1024);
    k->parameter = allocate(NULL, sizeof *part * (size_t)(k->parameters + 1));
    memcpy(k->parameter, part, sizeof *part * (size_t)k->parameters);
    k->readable = subprogram_name(define);
    k->defined = true;
}

static char **managed; /* names of __managed__ variables */
static int managed_count;

void note_managed(const char *name)
{
    managed = allocate(managed, sizeof *managed * (size_t)(managed_count + 1));
    managed[managed_count++] = format("%s", name);
}

static bool is_managed(const char *name)
{
    for (int i = 0; i < managed_count; i++)
        if (!strcmp(managed[i], name))
            return true;
    return false;
}

void note_variable(const char *name, const char *type)
{
    variables = allocate(variables, sizeof *variables * (size_t)(variable_count + 1));
    variables[variable_count].name = format("%s", name);
    variables[variable_count++].type = format("%s", type);
}

/* Adds the load of parameter i through the array of argument pointers, and the argument to `call`.
 * A struct passed by value is passed on as a pointer to the caller's copy; the call copies it. */
static void add_argument(struct text *to, struct text *call, struct slice parameter, int i)
{
    char *p = copy_of(parameter), *type = copy_of((struct slice){p, type_length(p)});
    char *type_at = pointer_to(type), *pointer_at = pointer_to(pointer);
    char *by_value = strstr(p, "byval("), *align = strstr(p, " align ");
    addf(to, "  %%s%d = getelementptr %s, %s %%arguments, i64 %d\n", i, pointer, pointer_at, i);
    addf(to, "  %%p%d = load %s, %s %%s%d\n", i, pointer, pointer_at, i);
    if (i)
        add(call, ", ");
    if (by_value) {
        const char *open = by_value + strlen("byval"), *close = closing(open);
        if (!target.opaque)
            addf(to, "  %%c%d = bitcast i8* %%p%d to %s\n", i, i, type);
        addf(call, "%s byval(%.*s) align %d %%%s%d", type, (int)(close - open - 1), open + 1,
             align ? atoi(align + 7) : 8, target.opaque ? "p" : "c", i);
    } else {
        if (!target.opaque)
            addf(to, "  %%c%d = bitcast i8* %%p%d to %s\n", i, i, type_at);
        addf(to, "  %%v%d = load %s, %s %%%s%d\n", i, type, type_at, target.opaque ? "p" : "c", i);
        addf(call, "%s%s %%v%d", type,
             strstr(p, " zeroext")   ? " zeroext"
             : strstr(p, " signext") ? " signext"
                                     : "",
             i);
    }
    free(p);
    free(type);
    free(type_at);
    free(pointer_at);
}

static void write_caller(struct text *to, int number)
{
    struct kernel *k = &kernels[number];
    struct text call = {0};
    char *pointer_at = pointer_to(pointer);
    addf(to, "define internal void @cpucc.call.%d(%s %%arguments) nounwind {\n", number,
         pointer_at);
    for (int i = 0; i < k->parameters; i++)
        add_argument(to, &call, k->parameter[i], i);
    addf(to, "  call void @%s(%s)\n  ret void\n}\n", k->name, call.p ? call.p : "");
    free(call.p);
    free(pointer_at);
}

/* Defines a constant array with the bytes of each parameter and a final 0; returns its operand. */
static char *write_sizes(struct text *to, int number)
{
    struct kernel *k = &kernels[number];
    int n = k->parameters + 1;
    addf(to, "@cpucc.bytes.%d = private constant [%d x i64] [", number, n);
    for (int i = 0; i < k->parameters; i++) {
        char *p = copy_of(k->parameter[i]), *by_value = strstr(p, "byval("),
             *type = copy_of((struct slice){p, type_length(p)});
        if (by_value) {
            const char *open = by_value + strlen("byval");
            free(type);
            type = copy_of((struct slice){open + 1, (size_t)(closing(open) - open - 1)});
        }
        char *at = pointer_to(type);
        addf(to, "i64 ptrtoint (%s getelementptr (%s, %s null, i64 1) to i64), ", at, type, at);
        free(at);
        free(type);
        free(p);
    }
    addf(to, "i64 0]\n");
    return target.opaque ? format("ptr @cpucc.bytes.%d", number)
                         : format("i8* bitcast ([%d x i64]* @cpucc.bytes.%d to i8*)", n, number);
}

/* The parameters' names in the source, "pin,pout,irows". The letter in front of each name is its
 * kind: p a pointer, i an integer, o other. A name that clang has dropped is "?". */
static char *parameter_names(const struct kernel *k)
{
    struct text t = {0};
    add(&t, "");
    for (int i = 0; i < k->parameters; i++) {
        char *p = copy_of(k->parameter[i]), *type = copy_of((struct slice){p, type_length(p)});
        const char *name = strrchr(p, '%');
        size_t length = name ? strspn(name + 1, "abcdefghijklmnopqrstuvwxyz"
                                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
                             : 0;
        bool is_pointer =
            (!strcmp(type, "ptr") || type[strlen(type) - 1] == '*') && !strstr(p, "byval(");
        addf(&t, "%s%c%.*s", i ? "," : "",
             is_pointer       ? 'p'
             : type[0] == 'i' ? 'i'
                              : 'o',
             length ? (int)length : 1, length ? name + 1 : "?");
        free(type);
        free(p);
    }
    return t.p;
}

static char *joined(const char *name) /* a copy without blanks */
{
    struct text t = {0};
    add(&t, "");
    for (; *name; name++)
        if (*name != ' ')
            add_bytes(&t, name, 1);
    return t.p;
}

/* Writes one entry of the table: a struct device_part (core/launch_state.h), in the section in which the
 * linker collects the entries. Names may be NULL; `type` is a variable's LLVM type. */
static void write_part(struct text *to, struct text *used, int number, const char *unit_text,
                       const char *name, const char *readable, const char *cluster,
                       const char *address, const char *bytes, const char *source, const char *type)
{
    char *plain = type ? without_quotes(type) : NULL;
    const char *p = pointer, *names[5] = {name, readable, cluster, source, plain};
    char *part[5],
        *none = format("%s null", p), *at = type ? pointer_to(type) : NULL,
        *shape = format("{ %s, %s, %s, %s, %s, %s, %s, %s, i64 }", p, p, p, p, p, p, p, p);
    for (int i = 0; i < 5; i++)
        part[i] = names[i] ? text_constant(to, names[i]) : format("%s", none);
    addf(to, "@cpucc.part.%d = internal global %s { %s, %s, %s, %s, %s, %s, %s, %s, i64 ", number,
         shape, unit_text, part[0], part[1], part[2], address, bytes ? bytes : none, part[3],
         part[4]);
    if (type)
        addf(to, "ptrtoint (%s getelementptr (%s, %s null, i64 1) to i64)", at, type, at);
    else
        add(to, "0");
    add(to, " }, section \"cpucc_parts\", align 8\n");
    if (target.opaque)
        addf(used, "%sptr @cpucc.part.%d", number ? ", " : "", number);
    else
        addf(used, "%si8* bitcast (%s* @cpucc.part.%d to i8*)", number ? ", " : "", shape, number);
    for (int i = 0; i < 5; i++)
        free(part[i]);
    free(none);
    free(at);
    free(shape);
    free(plain);
}

/* Separates variables, so that an overrun of one does not hit the next. */
#define GAP "[1024 x i8]"

void write_gap(struct text *to, const char *section)
{
    addf(to, "@cpucc.gap.%d = internal global " GAP " zeroinitializer, section \"%s\", align 4\n",
         variable_count - 1, section);
}

void write_registration(struct text *to)
{
    struct text used = {0};
    int number = 0;
    char *unit_text = text_constant(to, unit);
    for (int i = 0; i < kernel_count; i++) {
        struct kernel *k = &kernels[i];
        if (!k->defined)
            continue;
        write_caller(to, i);
        char *readable = joined(k->readable ? k->readable : k->name);
        char *address = target.opaque
                            ? format("ptr @cpucc.call.%d", i)
                            : format("i8* bitcast (void (i8**)* @cpucc.call.%d to i8*)", i);
        char *bytes = write_sizes(to, i);
        char *names = parameter_names(k);
        write_part(to, &used, number++, unit_text, k->name, readable, k->cluster, address, bytes,
                   names, NULL);
        free(names);
        free(bytes);
        free(readable);
        free(address);
    }
    for (int i = 0; i < variable_count; i++) {
        char *address = target.opaque ? format("ptr @%s", variables[i].name)
                                      : format("i8* bitcast (%s* @%s to i8*)", variables[i].type,
                                               variables[i].name);
        char *source = variable_name(variables[i].name);
        write_part(to, &used, number++, unit_text, variables[i].name, NULL,
                   is_managed(variables[i].name) ? "managed" : NULL, address, NULL, source,
                   variables[i].type);
        free(source);
        free(address);
        address = target.opaque ? format("ptr @cpucc.gap.%d", i)
                                : format("i8* getelementptr (" GAP ", " GAP "* @cpucc.gap.%d, i64 "
                                         "0, i64 0)",
                                         i);
        write_part(to, &used, number++, unit_text, "", NULL, NULL, address, NULL, "", GAP);
        free(address);
    }
    if (number)
        addf(to, "@llvm.used = appending global [%d x %s] [%s], section \"llvm.metadata\"\n",
             number, pointer, used.p);
    free(used.p);
    free(unit_text);
}
