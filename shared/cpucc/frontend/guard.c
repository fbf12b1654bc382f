/*
 * guard: takes a module that clang has not optimised yet. Where C++ leaves the behaviour undefined,
 * guard makes the module behave as nvcc's code does; and it adds checks of errors that the
 * optimiser would hide.
 *
 *     guard HOST.ll < raw.ll > guarded.ll
 *
 * HOST.ll is any module of the same clang; it shows whether pointers are typed.
 *
 *   shifts            by the width or more give 0, or copies of the sign bit (PTX ISA, shl and shr)
 *   division          of integers by 0 does not trap: all ones, and the dividend as remainder
 *   float to integer  saturates (PTX ISA, cvt)
 *   local arrays      an index or a pointer past the end is a fault (guard_checks.c, pointers.c)
 *   shuffles          may read an inactive lane if the result may stay unused (shuffles.c)
 *   local variables   are a fault if an uninitialised one decides a branch, an address or a stored
 *                     value (uninitialised.c, flags.c)
 *   alignment         of accesses and of struct copies is checked (alignment.c)
 *   __grid_constant__ the run time is told which parameters have it
 *   __shared__        unused variables stay if they exceed the limit of a block
 *   __constant__      stores to it stay, as the run time reports them
 *   new and delete    stay even if the memory is unused
 *
 * The checks are functions that are always inlined, so the optimiser drops checks that cannot fail.
 * The functions that they call are declared to touch no memory of the program, so they do not
 * hinder the optimisation of accesses.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "guard.h"

char **guard_line;
int guard_lines, guard_numbers;
bool guard_opaque;
struct local *locals;
int local_count;

/* ---- functions that only compute: the result depends on the one operand alone ---- */

static struct function {
    struct slice name;
    int first, last;
    bool computes;
} * functions;
static int function_count;

static struct slice callee(const char *call)
{
    const char *p = find_call(call), *at = p ? strchr(p, '@') : NULL;
    return at ? (struct slice){at + 1, name_length(at + 1)} : (struct slice){call, 0};
}

bool only_computes(const char *call)
{
    struct slice name = callee(call);
    if (!name.n || strstr(call, " asm "))
        return false;
    for (int i = 0; i < function_count; i++)
        if (name.n == functions[i].name.n && !strncmp(name.p, functions[i].name.p, name.n))
            return functions[i].computes;
    return !starts_with(name.p, "cpucc_") && !starts_with(name.p, "_Z"); /* of the C library */
}

/* True for a line that makes a choice, so that the operand may stay unused. */
static bool chooses(const char *line)
{
    return strstr(line, " br i1 ") || strstr(line, " select ") || strstr(line, " switch ") ||
           strstr(line, " phi ");
}

/* Finds the functions that have at most one operand, make no choice, and call only such functions
 * (so no shuffle and no vote). A function of two operands might ignore one. */
static void find_computing(void)
{
    for (int i = 0; i < guard_lines; i++) {
        if (!starts_with(guard_line[i], "define "))
            continue;
        const char *at = strchr(guard_line[i], '@') + 1;
        functions = allocate(functions, sizeof *functions * (size_t)(function_count + 1));
        struct function *f = &functions[function_count++];
        *f = (struct function){{at, name_length(at)}, i + 1, i + 1, true};
        const char *operands = at + f->name.n, *end = strchr(operands, '{');
        for (const char *p = operands; p < end && *p; p++)
            if (*p == ',')
                f->computes = false;
        while (f->last < guard_lines && strcmp(guard_line[f->last], "}"))
            f->last++;
        i = f->last;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (struct function *f = functions; f < functions + function_count; f++)
            for (int l = f->first; l < f->last && f->computes; l++)
                if (chooses(guard_line[l]) ||
                    (find_call(guard_line[l]) && !only_computes(guard_line[l])))
                    f->computes = false, changed = true;
    }
}

/* ---- writing ---- */

char *pointer_text(const char *type) { return guard_opaque ? format("ptr") : format("%s*", type); }

char *as_bytes(struct text *to, const char *type, const char *pointer)
{
    if (guard_opaque)
        return format("%s", pointer);
    char *name = format("%%cpucc.b.%d", guard_numbers++);
    addf(to, "  %s = bitcast %s* %s to i8*\n", name, type, pointer);
    return name;
}

static struct text constants;
static int constant_count;

char *constant_text(const char *text)
{
    size_t n = strlen(text) + 1;
    addf(&constants, "@cpucc.guarded.%d = private constant [%zu x i8] c\"%s\\00\"\n",
         constant_count, n, text);
    int i = constant_count++;
    return guard_opaque
               ? format("@cpucc.guarded.%d", i)
               : format("getelementptr ([%zu x i8], [%zu x i8]* @cpucc.guarded.%d, i64 0, i64 0)",
                        n, n, i);
}

/* ---- parameters and shared variables ---- */

/* Replaces "call void @llvm.var.annotation(i8* %1, i8* text, ...)", which only __grid_constant__
 * makes, by a call that tells the run time the parameter's address and size. */
static void add_annotation(struct text *to, const char *line)
{
    const char *open = strchr(strstr(line, "@llvm.var.annotation"), '('), *end = closing(open);
    struct slice part[8];
    split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 8);
    struct value *v = value_of(operand(part[0]));
    if (!v || v->local < 0 || !locals[v->local].parameter)
        return;
    const char *type = locals[v->local].type;
    char *at = pointer_text(type);
    addf(to,
         "  call void @cpucc_grid_constant(%.*s, i64 ptrtoint (%s getelementptr (%s, %s null, i64 "
         "1) to i64))\n",
         (int)part[0].n, part[0].p, at, type, at);
}

static void read_parameters(const char *define)
{
    const char *open = strchr(strchr(define, '@'), '('), *end = closing(open);
    static struct slice part[1024];
    int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 1024);
    for (int i = 0; i < n; i++) {
        char *p = copy_of(part[i]), *by_value = strstr(p, "byval(");
        const char *close = by_value ? closing(by_value + 5) : NULL;
        struct slice name = operand(slice_of(p));
        if (!close || *name.p != '%')
            continue;
        locals = allocate(locals, sizeof *locals * (size_t)(local_count + 1));
        locals[local_count] = (struct local){
            .name = copy_of((struct slice){name.p + 1, name.n - 1}),
            .type = copy_of((struct slice){by_value + 6, (size_t)(close - by_value - 6)}),
            .parameter = true};
        struct value *v = new_value(name);
        v->local = local_count++;
        v->element = format("%s", locals[v->local].type);
    }
}

static int *shared_line, shared_lines; /* the lines that define shared variables */

static void find_shared(void)
{
    shared_line = allocate(NULL, sizeof *shared_line * (size_t)guard_lines);
    for (int i = 0; i < guard_lines; i++)
        if (guard_line[i][0] == '@' && strstr(guard_line[i], "addrspace(3) global "))
            shared_line[shared_lines++] = i;
}

/* If the function's shared variables exceed 48 KiB, adds calls that keep the optimiser from
 * dropping them, so that the launch fails as with nvcc. */
static void keep_shared(struct text *to, const char *define)
{
    enum { MOST = 48 << 10 };
    if (!shared_lines)
        return;
    const char *at = strchr(define, '@') + 1;
    char *name = copy_of((struct slice){at, name_length(at)});
    char *prefix = starts_with(name, "_Z") ? format("@_Z%sE", name + 1)
                                           : format("@_ZZ%zu%sE", strlen(name), name);
    for (int pass = 0; pass < 2; pass++) {
        long bytes = 0;
        for (int i = 0; i < shared_lines; i++) {
            const char *p = guard_line[shared_line[i]];
            if (!starts_with(p, prefix))
                continue;
            const char *type = strstr(p, "addrspace(3) global ") + strlen("addrspace(3) global ");
            struct slice t = {type, type_length(type)};
            bytes += type_bytes(t);
            if (!pass)
                continue;
            char *tt = copy_of(t), *variable = copy_of((struct slice){p, 1 + name_length(p + 1)});
            if (guard_opaque)
                addf(to,
                     "  call void @cpucc_keep(ptr addrspacecast (ptr addrspace(3) %s to ptr))\n",
                     variable);
            else
                addf(to,
                     "  call void @cpucc_keep(i8* addrspacecast (i8 addrspace(3)* bitcast (%s "
                     "addrspace(3)* %s to i8 addrspace(3)*) to i8*))\n",
                     tt, variable);
        }
        if (bytes <= MOST)
            break;
    }
}

static bool ends_barriers;

/* In cuda::barrier's destructor, adds a call that ends the mbarrier. */
static void end_barrier(struct text *to, const char *define)
{
    const char *name = strchr(define, '@'), *open = strchr(name, '(');
    struct slice part[1];
    if (!starts_with(name, "@_ZN4cuda7barrierI") || strncmp(open - 5, "ED2Ev", 5) ||
        split((struct slice){open + 1, (size_t)(closing(open) - open - 1)}, part, 1) < 1)
        return;
    struct slice this = operand(part[0]);
    size_t n = type_length(part[0].p);
    char *type = copy_of((struct slice){part[0].p, guard_opaque ? n : n - 1}), *p = copy_of(this);
    addf(to, "  call void @cpucc_mbarrier_end(%s %s)\n", BYTES, as_bytes(to, type, p));
    ends_barriers = true;
}

/* ---- the module ---- */

static void add_instruction(struct text *to, const char *line, int first, int last)
{
    struct instruction x = cut(line);
    if (strstr(line, "@llvm.var.annotation")) {
        add_annotation(to, line);
        return;
    }
    const char *checked = add_walk_check(to, line, &x);
    if (checked != line)
        x = cut(line = checked);
    add_flags_before(to, line, &x);
    add_alignment(to, &x);
    line = natural_alignment(line, &x, first);
    bool done =
        slice_is(x.op, "getelementptr") ? add_index(to, &x, first, last) : add_arithmetic(to, &x);
    if (!done)
        addf(to, "%s\n", line);
    add_walk_step(to, &x);
    add_flags_after(to, line, &x);
}

static int add_function(struct text *to, int i)
{
    int first = i + 1, last = first;
    while (last < guard_lines && strcmp(guard_line[last], "}"))
        last++;
    forget_values();
    local_count = 0;
    read_parameters(guard_line[i]);
    find_uninitialised(first, last);
    find_walking(first, last);
    addf(to, "%s\n", guard_line[i]);
    bool entered = false;
    for (int l = first; l < last; l++) {
        const char *p = guard_line[l];
        if (*p != ' ' || p[1] != ' ' || p[2] == ' ' || p[2] == ']') { /* labels, switch cases */
            addf(to, "%s\n", p);
            continue;
        }
        if (!entered && !strstr(p, " = alloca ")) {
            keep_shared(to, guard_line[i]);
            end_barrier(to, guard_line[i]);
            entered = true;
        }
        bool unused = strstr(p, "__shfl_") && may_be_unused(l, first, last);
        if (unused)
            add(to, "  call void @cpucc_shuffle_unused(i32 1)\n");
        add_instruction(to, p, first, last);
        if (unused)
            add(to, "  call void @cpucc_shuffle_unused(i32 0)\n");
    }
    add(to, "}\n");
    return last;
}

static void write_functions(struct text *to, const char *module)
{
    const char *b = BYTES;
    addf(to,
         "define internal i64 @cpucc.guard.index(i64 %%i, i64 %%n, i64 %%index, i64 %%before, %s "
         "%%what) alwaysinline nounwind {\n"
         "entry:\n  %%fine = icmp ult i64 %%i, %%n\n"
         "  br i1 %%fine, label %%end, label %%bad\n"
         "bad:\n  call void @cpucc_guard_index(i64 %%i, i64 %%n, %s %%what)\n"
         "  %%safe = sub i64 0, %%before\n  br label %%end\n"
         "end:\n  %%r = phi i64 [ %%index, %%entry ], [ %%safe, %%bad ]\n  ret i64 %%r\n}\n",
         b, b);
    addf(to,
         "define internal void @cpucc.guard.aligned(%s %%p, i64 %%mask) alwaysinline nounwind {\n"
         "entry:\n  %%a = ptrtoint %s %%p to i64\n  %%m = and i64 %%a, %%mask\n"
         "  %%fine = icmp eq i64 %%m, 0\n  br i1 %%fine, label %%end, label %%bad\n"
         "bad:\n  call void @cpucc_guard_aligned(i64 %%a, i64 %%mask)\n  br label %%end\n"
         "end:\n  ret void\n}\n",
         b, b);
    addf(to,
         "define internal void @cpucc.guard.defined(i1 %%fine, %s %%what, %s %%at) alwaysinline "
         "nounwind {\n"
         "entry:\n  br i1 %%fine, label %%end, label %%bad\n"
         "bad:\n  call void @cpucc_guard_undefined(%s %%what, %s %%at)\n  br label %%end\n"
         "end:\n  ret void\n}\n",
         b, b, b, b);
    write_walk_check(to);
    addf(to, "declare void @cpucc_shuffle_unused(i32) nounwind willreturn\n");
    static const char quiet[] = "inaccessiblememonly nounwind willreturn cold";
    addf(to, "declare void @cpucc_guard_index(i64, i64, %s) %s\n", b, quiet);
    addf(to, "declare void @cpucc_guard_aligned(i64, i64) %s\n", quiet);
    addf(
        to,
        "declare void @cpucc_guard_struct(%s nocapture readonly, i64) inaccessiblememonly nounwind "
        "willreturn\n",
        b);
    addf(to,
         "declare void @cpucc_guard_copied(i64, %s nocapture readonly, i64) "
         "inaccessiblemem_or_argmemonly nounwind willreturn\n",
         b);
    addf(to, "declare void @cpucc_guard_undefined(%s, %s) %s\n", b, b, quiet);
    addf(to,
         "declare void @cpucc_grid_constant(%s nocapture readonly, i64) inaccessiblememonly "
         "nounwind willreturn\n",
         b);
    addf(to, "declare void @cpucc_keep(%s)\n", b);
    if (ends_barriers && !strstr(module, " @cpucc_mbarrier_end("))
        addf(to, "declare void @cpucc_mbarrier_end(%s)\n", b);
    if (!strstr(module, guard_opaque ? "@llvm.memset.p0.i64(ptr" : "@llvm.memset.p0i8.i64(i8* n"))
        addf(to, "declare void @llvm.memset.%s.i64(%s nocapture writeonly, i8, i64, i1 immarg)\n",
             guard_opaque ? "p0" : "p0i8", b);
    static const char *const from_name[] = {"half", "float", "double"}, *const from_short[] = {
                                                                            "f16", "f32", "f64"};
    for (int s = 0; s < 2; s++)
        for (int w = 0; w < 2; w++)
            for (int f = 0; f < 3; f++)
                if (guard_saturates[s][w][f])
                    addf(to, "declare i%d @llvm.fpto%ci.sat.i%d.%s(%s)\n", w ? 64 : 32,
                         s ? 's' : 'u', w ? 64 : 32, from_short[f], from_name[f]);
    add(to, constants.p ? constants.p : "");
}

/* Changes `builtin` to `nobuiltin`, so that clang, as nvcc, keeps each pair of new and delete. */
static char *keep_allocations(char *line)
{
    char *at = starts_with(line, "attributes #") ? strstr(line, " builtin ") : NULL;
    return at ? format("%.*s no%s", (int)(at - line), line, at + 1) : line;
}

/* Gives functions that inline.c has kept from early inlining their attribute alwaysinline back. */
static char *inline_again(char *line)
{
    static const char word[] = " \"cpucc-inline\"";
    char *at = starts_with(line, "attributes #") ? strstr(line, word) : NULL, *open;
    if (!at || !(open = strchr(line, '{')))
        return line;
    return format("%.*s alwaysinline%.*s%s", (int)(open + 1 - line), line, (int)(at - open - 1),
                  open + 1, at + sizeof word - 1);
}

/* Renumbers the address space of __constant__ (4 becomes CONSTANT_SPACE, which retarget knows):
 * newer clangs drop stores to space 4 as undefined, so no fault would be reported. */
static void hide_constant_space(char *p)
{
    static const char constant[] = "addrspace(4)";
    bool text = false;
    for (; *p; p++) {
        if (*p == '"')
            text = !text;
        else if (!text && starts_with(p, constant))
            p[sizeof constant - 3] += CONSTANT_SPACE - 4;
    }
}

/* The line; a read of a thread's or block's number gets a range of all numbers but one. Without a
 * range, clang 19 and newer would add the real one and drop loops that nvcc keeps, so counts would
 * depend on the clang. */
static char *without_range(char *line)
{
    char *sreg = strstr(line, "i32 @llvm.nvvm.read.ptx.sreg."), *call = strstr(line, " = call ");
    char *end = sreg && call ? strstr(sreg, "()") : NULL;
    if (!end)
        return line;
    end += strcspn(end, ",");
    return format("%.*s = call %.*s, !range !{i32 -2147483648, i32 2147483647}%s",
                  (int)(call - line), line, (int)(end - sreg), sreg, end);
}

int main(int count, char **argument)
{
    char *host = count == 2 ? read_file(argument[1]) : NULL,
         *module = host ? read_file(NULL) : NULL;
    struct text out = {0}, end = {0};
    int capacity = 0;
    if (!module)
        return 1;
    guard_opaque = strstr(host, "(ptr ") != NULL;
    char *copy = format("%s", module);
    for (char *p = copy; *p;) {
        if (guard_lines == capacity)
            guard_line =
                allocate(guard_line, sizeof *guard_line * (size_t)(capacity = 2 * capacity + 4096));
        guard_line[guard_lines++] = p;
        p += strcspn(p, "\n");
        if (*p)
            *p++ = 0;
    }
    for (int i = 0; i < guard_lines; i++) {
        if (guard_line[i][0] == '%')
            field_types(guard_line[i]);
        if (guard_opaque)
            guard_line[i] = without_range(guard_line[i]);
    }
    find_computing();
    find_shared();
    bool written = false;
    for (int i = 0; i < guard_lines; i++) {
        if (starts_with(guard_line[i], "define "))
            i = add_function(&out, i);
        else if (starts_with(guard_line[i], "declare ") && strstr(guard_line[i], "@llvm.var.annot"))
            continue;
        else {
            guard_line[i] = inline_again(keep_allocations(guard_line[i]));
            if (!written && starts_with(guard_line[i], "attributes #"))
                addf(&out, "@@"), written = true;
            addf(&out, "%s\n", guard_line[i]);
        }
    }
    write_functions(&end, module);
    hide_constant_space(out.p);
    const char *mark = written ? strstr(out.p, "@@attributes #") : out.p + out.n;
    size_t before = (size_t)(mark - out.p);
    fwrite(out.p, 1, before, stdout);
    fwrite(end.p, 1, end.n, stdout);
    fputs(mark + (written ? 2 : 0), stdout);
    return fflush(stdout) != 0;
}
