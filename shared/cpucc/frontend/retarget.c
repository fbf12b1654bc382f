/*
 * retarget: translates a module that clang made for an NVIDIA GPU into one for the CPU. Both are in
 * LLVM's textual form, with typed or opaque pointers.
 *
 *     retarget HOST.ll UNIT < device.ll > cpu.ll
 *
 * HOST.ll is any module that the same clang made for the CPU; it gives the data layout, the triple
 * and the kind of pointers. UNIT names the translation unit within the program. What changes:
 *
 *   data layout, triple, the target's attributes   the CPU's
 *   functions                                      internal, instrumented by the thread sanitizer
 *   __shared__ variables (address space 3)         calls of the run time, see shared.c
 *   __device__ and __constant__ (1 and 4)          variables in sections that the run time knows
 *   inline PTX                                     calls of an interpreter, see assembly.c
 *   llvm.nvvm.x.y                                  functions of the run time, cpucc_nvvm_x_y
 *   kernels                                        registered in a table, see kernels.c
 *
 * Exit status: 0; 1 if something was refused (standard error has file, line and name); 2 for wrong
 * arguments.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

struct target target;
const char *pointer, *unit;
int failures;

char **module_line;
int module_lines;
static int texts;         /* number of constants defined by text_constant */
static int callees;       /* number of values added for calls through pointers */
static bool checks_calls; /* calls of cpucc_check_call were added */
static bool has_marks;    /* some access is marked, see may_differ.h */

char *pointer_to(const char *type) { return target.opaque ? format("ptr") : format("%s*", type); }

char *text_operand(const char *name, size_t n)
{
    if (target.opaque)
        return format("ptr @%s", name);
    return format("i8* getelementptr ([%zu x i8], [%zu x i8]* @%s, i64 0, i64 0)", n, n, name);
}

char *without_quotes(const char *text)
{
    char *copy = format("%s", text);
    for (char *p = copy; *p; p++)
        if (*p == '"')
            *p = '\'';
    return copy;
}

char *text_constant(struct text *to, const char *text)
{
    size_t n = 1;
    for (const char *p = text; *p; p++, n++)
        if (*p == '\\' && p[1] == '\\')
            p++;
        else if (*p == '\\' && p[1] && p[2])
            p += 2;
    char *name = format("cpucc.text.%d", texts++);
    addf(to, "@%s = private constant [%zu x i8] c\"%s\\00\"\n", name, n, text);
    char *operand = text_operand(name, n);
    free(name);
    return operand;
}

/* ---- reading ---- */

static void read_target(const char *path)
{
    char *text = read_file(path);
    if (!text) {
        fprintf(stderr, "retarget: cannot read %s\n", path);
        exit(1);
    }
    char *layout = strstr(text, "target datalayout = "), *triple = strstr(text, "target triple = ");
    if (!layout || !triple) {
        fprintf(stderr, "retarget: %s is no module\n", path);
        exit(1);
    }
    target.data_layout = copy_of((struct slice){layout, strcspn(layout, "\n")});
    target.triple = copy_of((struct slice){triple, strcspn(triple, "\n")});
    target.opaque = strstr(text, "(ptr ") != NULL;
    pointer = target.opaque ? "ptr" : "i8*";
    free(text);
}

static void read_module(void)
{
    char *text = read_file(NULL);
    int capacity = 0;
    for (char *p = text; p && *p;) {
        if (module_lines == capacity)
            module_line =
                allocate(module_line,
                         sizeof *module_line * (size_t)(capacity = capacity ? 2 * capacity : 4096));
        module_line[module_lines++] = p;
        p += strcspn(p, "\n");
        if (*p)
            *p++ = 0;
    }
}

/* ---- attributes and functions ---- */

static void drop_attribute(char *p, const char *key) /* removes key or key="value" */
{
    char *at = strstr(p, key);
    if (!at)
        return;
    char *end = at + strlen(key);
    end = *end == '=' ? strchr(end + 2, '"') + 1 : end;
    end += *end == ' ';
    memmove(at, end, strlen(end) + 1);
}

static void add_attributes(struct text *to, char *p)
{
    static const char *const drop[] = {"\"target-cpu\"", "\"target-features\"", "\"frame-pointer\"",
                                       "\"uniform-work-group-size\"", NULL};
    for (int i = 0; drop[i]; i++)
        drop_attribute(p, drop[i]);
    const char *open = strchr(p, '{');
    add_bytes(to, p, (size_t)(open - p) + 1);
    if (!strstr(p, "disable_sanitizer_instrumentation"))
        add(to, " sanitize_thread");
    addf(to, "%s\n", open + 1);
}

/* A copy of the line that calls the run time in place of the device's intrinsics and library. */
static char *with_our_names(const char *p)
{
    static const struct {
        const char *theirs, *ours;
        bool prefix;
    } names[] = {{"@llvm.nvvm.", "@cpucc_nvvm_", true},
                 {"@vprintf(", "@cpucc_vprintf(", false},
                 {"@malloc(", "@cpucc_device_malloc(", false},
                 {"@calloc(", "@cpucc_device_calloc(", false},
                 {"@free(", "@cpucc_device_free(", false},
                 {"@clock(", "@cpucc_device_clock(", false},
                 {"@__assertfail(", "@cpucc_assertfail(", false}};
    struct text t = {0};
    while (*p) {
        const char *at = strchr(p, '@');
        if (!at)
            break;
        add_bytes(&t, p, (size_t)(at - p));
        p = at;
        for (size_t i = 0; i < sizeof names / sizeof *names && p == at; i++)
            if (starts_with(at, names[i].theirs)) {
                add(&t, names[i].ours);
                p = at + strlen(names[i].theirs);
                for (; names[i].prefix && (isalnum((unsigned char)*p) || *p == '.' || *p == '_');
                     p++)
                    add_bytes(&t, *p == '.' ? "_" : p, 1);
            }
        if (p == at)
            add_bytes(&t, p++, 1);
    }
    add(&t, p);
    return t.p;
}

static const char *skip_linkage(const char *p)
{
    static const char *const words[] = {
        "private",   "internal", "linkonce_odr", "linkonce", "weak_odr",   "weak",       "external",
        "dso_local", "hidden",   "protected",    "default",  "ptx_kernel", "ptx_device", NULL};
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; words[i]; i++)
            more |= take_word(&p, words[i]);
    }
    return p;
}

static void drop_comdat(char *p)
{
    char *at = strstr(p, " comdat");
    if (!at)
        return;
    char *end = at + strlen(" comdat");
    if (*end == '(')
        end = strchr(end, ')') + 1;
    memmove(at, end, strlen(end) + 1);
}

/* Before a call through a pointer, adds a call that checks that the target is device code. */
static void add_call_check(struct text *to, const char *p)
{
    const char *call = find_call(p);
    for (const char *at = call ? strchr(call, '%') : NULL; at; at = strchr(at + 1, '%')) {
        size_t n = name_length(at + 1);
        if (at[1 + n] != '(' || at[-1] != ' ')
            continue;
        if (target.opaque) {
            addf(to, "  call void @cpucc_check_call(ptr %.*s)", (int)n + 1, at);
        } else { /* a typed pointer is cast; its type consists of the result's and the arguments' */
            const char *type = call + strlen("call "), *end = closing(at + 1 + n);
            struct slice argument[64];
            int count =
                split((struct slice){at + 2 + n, (size_t)(end - at - 2 - (long)n)}, argument, 64);
            addf(to, "  %%cpucc.callee.%d = bitcast ", callees);
            while (starts_with(type, "noundef ") || starts_with(type, "zeroext ") ||
                   starts_with(type, "signext ") || starts_with(type, "contract "))
                type = strchr(type, ' ') + 1;
            add_bytes(to, type, type_length(type));
            add(to, " (");
            for (int i = 0; i < count; i++)
                addf(to, "%s%.*s", i ? ", " : "", (int)type_length(argument[i].p), argument[i].p);
            addf(to, ")* %.*s to i8*\n  call void @cpucc_check_call(i8* %%cpucc.callee.%d)",
                 (int)n + 1, at, callees);
            callees++;
        }
        const char *place = strstr(p, ", !dbg !");
        if (place)
            addf(to, ", !dbg !%d", atoi(place + strlen(", !dbg !")));
        add(to, "\n");
        checks_calls = true;
        return;
    }
}

/* Translates the function whose "define" is line i; returns the line of its closing brace. */
static int add_function(struct text *to, int i)
{
    struct text head = {0}, body = {0};
    bool kernel = strstr(module_line[i], " ptx_kernel ") != NULL;
    add_without_spaces(&head, skip_linkage(module_line[i] + strlen("define ")));
    drop_comdat(head.p);
    const char *at = strchr(head.p, '@');
    char *name = copy_of((struct slice){at + 1, name_length(at + 1)});
    const char *open = at + 1 + strlen(name), *close = closing(open);
    const char *define = module_line[i];
    if (kernel)
        note_kernel(name);
    note_definition(name, define, (struct slice){open + 1, (size_t)(close - open - 1)});
    /* Device functions have a section of their own, so that the run time can recognise them. */
    const char *attributes = strstr(close, " #");
    size_t before = attributes ? (size_t)(attributes - head.p) + 2 : 0;
    while (attributes && isdigit((unsigned char)head.p[before]))
        before++;
    if (attributes)
        addf(to, "define internal %.*s section \"cpucc_text\"%s\n", (int)before, head.p,
             head.p + before);
    else
        addf(to, "define internal %s\n", head.p);
    i++;
    if (module_line[i][0] && module_line[i][0] != ' ' &&
        module_line[i][0] != '}') /* the first block's label */
        addf(to, "%s\n", module_line[i++]);
    begin_function();
    int location = 0;
    for (; i < module_lines && strcmp(module_line[i], "}"); i++) {
        module_line[i] = with_a_line(module_line[i], &location);
        struct text t = {0}, u = {0};
        add(&t, "");
        if (!strchr(module_line[i], '@') &&
            !strchr(module_line[i], '(')) { /* nothing to translate but address spaces */
            add_without_spaces(&body, module_line[i]);
            add(&body, "\n");
            continue;
        }
        add_without_spaces(&t, module_line[i]);
        if (is_assembly(t.p))
            add_assembly(&u, t.p);
        else
            add(&u, t.p);
        char *renamed = with_our_names(u.p);
        if (find_call(renamed))
            add_call_check(&body, renamed);
        add_shared_uses(&body, renamed);
        add(&body, "\n");
        free(renamed);
        free(t.p);
        free(u.p);
    }
    add_entry(to, define);
    add(to, body.p ? body.p : "");
    add(to, "}\n");
    free(head.p);
    free(body.p);
    free(name);
    return i;
}

static void add_declaration(struct text *to, const char *p)
{
    struct slice name = global_name(p);
    if (name.n > 2 && starts_with(name.p, "_Z")) {
        char *n = copy_of(name);
        refuse_undefined("device function", n);
        free(n);
        return;
    }
    struct text t = {0};
    add_without_spaces(&t, p);
    char *renamed = with_our_names(t.p);
    addf(to, "%s\n", renamed);
    free(renamed);
    free(t.p);
}

/* ---- the module ---- */

static void survey(void)
{
    for (int i = 0; i < module_lines; i++) {
        struct global g;
        const char *p = module_line[i];
        if (p[0] == '!' && isdigit((unsigned char)p[1])) {
            note_metadata(p);
            read_kernel_note(p);
        } else if (p[0] == '@' && strstr(p, " addrspace(3) ") && read_global(p, &g)) {
            if (g.space == 3)
                note_shared(g.name, g.type, g.align, !g.value);
        }
    }
    for (int i = 0; i < module_lines; i++) {
        if (starts_with(module_line[i], "define ") && strstr(module_line[i], " ptx_kernel ")) {
            char *name = copy_of(global_name(module_line[i]));
            note_kernel(name);
            free(name);
        }
        if (starts_with(module_line[i], "@llvm.global.annotations = "))
            read_annotations(module_line[i]);
    }
}

static void translate(struct text *to)
{
    for (int i = 0; i < module_lines; i++) {
        char *p = module_line[i];
        if (starts_with(p, "target datalayout"))
            addf(to, "%s\n", target.data_layout);
        else if (starts_with(p, "target triple"))
            addf(to, "%s\n", target.triple);
        else if (p[0] == '$' || starts_with(p, "!nvvm.annotations"))
            continue;
        else if (p[0] == '@')
            add_global(to, p);
        else if (starts_with(p, "attributes #"))
            add_attributes(to, p);
        else if (starts_with(p, "define "))
            i = add_function(to, i);
        else if (starts_with(p, "declare "))
            add_declaration(to, p);
        else if (p[0] == '!' && strstr(p, "emissionKind: DebugDirectivesOnly")) {
            char *kind = strstr(p, "DebugDirectivesOnly");
            addf(to, "%.*sLineTablesOnly%s\n", (int)(kind - p), p,
                 kind + strlen("DebugDirectivesOnly"));
        } else if (p[0] == '!' && strchr(p, '@')) {
            addf(to, "%.*s = !{}\n", (int)strcspn(p, " "), p); /* only the device's code needs it */
        } else if (p[0] == '!' && strstr(p, "!\"Dwarf Version\", i32 2}")) {
            char *version = strstr(p, "i32 2}"); /* DWARF 2 has no discriminators */
            addf(to, "%.*si32 4}\n", (int)(version - p), p);
        } else if (p[0] && p[0] != ';') {
            has_marks |= p[0] == '!' && strstr(p, " discriminator: ");
            addf(to, "%s\n", p);
        }
    }
    if (checks_calls)
        addf(to, "declare void @cpucc_check_call(%s)\n", pointer);
    if (has_marks)
        add(to, "@cpucc_has_may_differ = weak constant i8 1\n");
    write_shared(to);
    write_assembly(to);
    write_registration(to);
    write_locations(to);
}

int main(int count, char **argument)
{
    struct text out = {0};
    if (count != 3) {
        fprintf(stderr, "usage: retarget HOST.ll UNIT < device.ll > cpu.ll\n");
        return 2;
    }
    read_target(argument[1]);
    unit = argument[2];
    read_module();
    survey();
    translate(&out);
    if (failures)
        return 1;
    return fwrite(out.p, 1, out.n, stdout) != out.n || fflush(stdout);
}
