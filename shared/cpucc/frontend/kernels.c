/*
 * Kernels and variables. The host's half of the program knows them by the address of a stub or a
 * shadow variable, and registers that with the name that the device's half has for it (clang's
 * __cudaRegisterFunction). This writes the device's half of the bargain: a function that takes a
 * kernel's arguments by their addresses and calls it, and a constructor that registers all of them
 * under the name of the translation unit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

struct kernel {
    char *name, *cluster, *readable;
    struct slice *parameter; /* as its definition has them */
    int parameters;
    bool defined;
};

static struct kernel *kernels;
static int kernel_count;
static struct {
    char *name, *type;
} *variables;
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

void note_variable(const char *name, const char *type)
{
    variables = allocate(variables, sizeof *variables * (size_t)(variable_count + 1));
    variables[variable_count].name = format("%s", name);
    variables[variable_count++].type = format("%s", type);
}

/* One parameter: load its value through the pointer in the array of arguments. A struct passed by
 * value is passed on as the pointer to the caller's copy, which the call copies. */
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
             strstr(p, " zeroext") ? " zeroext" : strstr(p, " signext") ? " signext" : "", i);
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
    addf(to, "define internal void @cpucc.call.%d(%s %%arguments) nounwind {\n", number, pointer_at);
    for (int i = 0; i < k->parameters; i++)
        add_argument(to, &call, k->parameter[i], i);
    addf(to, "  call void @%s(%s)\n  ret void\n}\n", k->name, call.p ? call.p : "");
    free(call.p);
    free(pointer_at);
}

static char *joined(const char *name) /* without the blanks */
{
    struct text t = {0};
    add(&t, "");
    for (; *name; name++)
        if (*name != ' ')
            add_bytes(&t, name, 1);
    return t.p;
}

void write_registration(struct text *to)
{
    struct text body = {0};
    char *of_unit = text_constant(to, unit);
    for (int i = 0; i < kernel_count; i++) {
        struct kernel *k = &kernels[i];
        if (!k->defined)
            continue;
        write_caller(to, i);
        char *readable = joined(k->readable ? k->readable : k->name);
        char *a = text_constant(to, k->name), *b = text_constant(to, readable),
             *c = text_constant(to, k->cluster ? k->cluster : "1,1,1");
        addf(&body, "  call void @cpucc_register_kernel(%s, %s, %s, %s, ", of_unit, a, b, c);
        if (target.opaque)
            addf(&body, "ptr @cpucc.call.%d)\n", i);
        else
            addf(&body, "i8* bitcast (void (i8**)* @cpucc.call.%d to i8*))\n", i);
        free(readable);
        free(a);
        free(b);
        free(c);
    }
    for (int i = 0; i < variable_count; i++) {
        char *a = text_constant(to, variables[i].name);
        addf(&body, "  call void @cpucc_register_variable(%s, %s, ", of_unit, a);
        if (target.opaque)
            addf(&body, "ptr @%s)\n", variables[i].name);
        else
            addf(&body, "i8* bitcast (%s* @%s to i8*))\n", variables[i].type, variables[i].name);
        free(a);
    }
    free(of_unit);
    addf(to, "declare void @cpucc_register_kernel(%s, %s, %s, %s, %s)\n", pointer, pointer, pointer,
         pointer, pointer);
    addf(to, "declare void @cpucc_register_variable(%s, %s, %s)\n", pointer, pointer, pointer);
    addf(to, "define internal void @cpucc.register() nounwind {\n%s  ret void\n}\n",
         body.p ? body.p : "");
    /* Before the host's own constructors, which may launch kernels. */
    const char *type = target.opaque ? "{ i32, ptr, ptr }" : "{ i32, void ()*, i8* }";
    addf(to,
         "@llvm.global_ctors = appending global [1 x %s] [%s { i32 200, %s @cpucc.register, %s null "
         "}]\n",
         type, type, target.opaque ? "ptr" : "void ()*", pointer);
    free(body.p);
}
