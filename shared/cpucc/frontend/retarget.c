/*
 * retarget: a module that clang made for an NVIDIA GPU, for the CPU. Both in LLVM's textual form,
 * with typed or opaque pointers.
 *
 *     retarget HOST.ll UNIT < device.ll > cpu.ll
 *
 * HOST.ll is any module that the same clang made for the CPU: data layout, triple and the kind of
 * pointers are taken from it. UNIT names the translation unit within the program. What changes:
 *
 *   data layout, triple, the target's attributes   the CPU's
 *   functions                                      internal, instrumented by the thread sanitizer
 *   __shared__ variables (address space 3)         calls of the run time, see shared.c
 *   __device__ and __constant__ (1 and 4)          variables in sections that the run time knows
 *   inline PTX                                     calls of an interpreter, see assembly.c
 *   llvm.nvvm.x.y                                  functions of the run time, cpucc_nvvm_x_y
 *   kernels                                        registered at the start, see kernels.c
 *
 * Exit status: 0, or 1 if something was refused, which is said with file, line and name.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

struct target target;
const char *pointer, *unit;
int failures;

static char **line;
static int lines;
static int texts;   /* constants made by text_constant */
static int callees; /* values made for calls through pointers */
static bool checks_calls;

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

/* Copies a line without address spaces, strings as they are. */
static void add_without_spaces(struct text *to, const char *p)
{
    while (*p) {
        const char *next = strpbrk(p, "\"a");
        if (!next) {
            add(to, p);
            return;
        }
        if (*next == '"') {
            const char *end = skip_string(next);
            add_bytes(to, p, (size_t)(end - p));
            p = end;
        } else if (starts_with(next, "addrspacecast")) {
            add_bytes(to, p, (size_t)(next - p));
            add(to, "bitcast");
            p = next + strlen("addrspacecast");
        } else if (starts_with(next, "addrspace(")) {
            size_t n = (size_t)(next - p);
            while (n && p[n - 1] == ' ')
                n--;
            add_bytes(to, p, n);
            p = strchr(next, ')') + 1;
            if (n && (isalnum((unsigned char)*p) || *p == '%' || *p == '[' || *p == '{'))
                add(to, " ");
        } else {
            add_bytes(to, p, (size_t)(next - p) + 1);
            p = next + 1;
        }
    }
}

static char *without_spaces(struct slice s)
{
    struct text t = {0};
    char *copy = copy_of(s);
    add(&t, "");
    add_without_spaces(&t, copy);
    free(copy);
    return t.p;
}

/* ---- annotations: __cluster_dims__, and where shared variables are declared ---- */

static struct slice global_name(const char *p) /* the first @name in p */
{
    const char *at = strchr(p, '@');
    return at ? (struct slice){at + 1, name_length(at + 1)} : (struct slice){p, 0};
}

static char *definition_of(struct slice name)
{
    for (int i = 0; i < lines; i++)
        if (line[i][0] == '@' && !strncmp(line[i] + 1, name.p, name.n) &&
            line[i][1 + name.n] == ' ')
            return line[i];
    return NULL;
}

struct global {
    char *name, *type, *value; /* value NULL: declared only */
    int space;
    bool constant;
    char align[16];
};
static bool read_global(const char *p, struct global *g);

/* { pointer to what is annotated, to the annotation's text, to the file's name, line, arguments } */
static void read_annotation(struct slice entry)
{
    const char *open = memchr(entry.p, '{', entry.n);
    /* the entry's type precedes its value */
    const char *type_end = open ? closing(open) : NULL;
    open = type_end ? strchr(type_end, '{') : NULL;
    const char *end = open ? closing(open) : NULL;
    if (!end)
        return;
    struct slice part[5];
    if (split((struct slice){open + 1, (size_t)(end - open - 1)}, part, 5) != 5)
        return;
    char *of = copy_of(part[0]), *text = copy_of(part[1]), *arguments = copy_of(part[4]);
    char *name = copy_of(global_name(of)), *kind = definition_of(global_name(text));
    if (kind && strstr(kind, "\"cpucc shared\\00\""))
        note_shared_line(name, atoi(strchr(part[3].p, ' ')));
    struct global g;
    if (kind && strstr(kind, "\"cpucc managed\\00\"")) {
        const char *definition = definition_of(global_name(of));
        note_managed(name);
        if (definition && read_global(definition, &g))
            note_managed_use(name, g.type);
    }
    if (kind && strstr(kind, "\"cpucc cluster\\00\"")) {
        char *values = definition_of(global_name(arguments));
        struct text dimensions = {0};
        const char *p = values ? strrchr(values, '{') : NULL;
        while (p && (p = strstr(p, "i32 "))) {
            p += 4;
            addf(&dimensions, "%s%d", dimensions.n ? "," : "", atoi(p));
        }
        if (dimensions.n)
            note_cluster(name, dimensions.p);
        free(dimensions.p);
    }
    free(of);
    free(text);
    free(arguments);
    free(name);
}

static void read_annotations(const char *p)
{
    p = strstr(p, "] [");
    const char *open = p ? p + 2 : NULL, *end = open ? closing(open) : NULL;
    if (!end)
        return;
    struct slice inner = {open + 1, (size_t)(end - open - 1)};
    struct slice *entry = allocate(NULL, sizeof *entry * (inner.n / 16 + 1));
    int n = split(inner, entry, (int)(inner.n / 16 + 1));
    for (int i = 0; i < n; i++)
        read_annotation(entry[i]);
    free(entry);
}

/* "!3 = !{ptr @kernel, !"kernel", i32 1}" */
static void read_kernel_note(const char *p)
{
    const char *mark = strstr(p, ", !\"kernel\", i32 1");
    if (!mark)
        return;
    const char *at = mark;
    while (at > p && *at != '@')
        at--;
    char *name = copy_of((struct slice){at + 1, (size_t)(mark - at - 1)});
    note_kernel(name);
    free(name);
}

/* ---- globals ---- */

static bool take_word(const char **p, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*p, word, n) || (*p)[n] != ' ')
        return false;
    *p += n + 1;
    return true;
}

static char *readable_name(const char *name)
{
    extern char *__cxa_demangle(const char *, char *, size_t *, int *);
    int status = 1;
    char *s = starts_with(name, "_Z") ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    return s && !status ? s : format("%s", name);
}

/* Where the first line stands that uses the name. */
static char *first_use(const char *name)
{
    char *key = format("@%s", name), *where = NULL;
    for (int i = 0; i < lines && !where; i++) {
        const char *p = line[i][0] == ' ' ? strstr(line[i], key) : NULL;
        if (p && name_length(p + 1) == strlen(name) && strstr(p, "!dbg "))
            where = source_line(line[i]);
    }
    free(key);
    return where ? where : format("%s", unit);
}

static void refuse_undefined(const char *what, const char *name)
{
    char *readable = readable_name(name), *where = first_use(name);
    fprintf(stderr,
            "%s: error: cpucc: the %s '%s' is not defined in this file, and device code of several "
            "files is not linked\n",
            where, what, readable);
    free(readable);
    free(where);
    failures++;
}

static bool read_global(const char *p, struct global *g)
{
    size_t n = name_length(p + 1);
    struct slice name = {p + 1, n};
    p += 1 + n;
    if (!starts_with(p, " = "))
        return false;
    p += 3;
    bool external = false;
    g->space = 0;
    for (;;) {
        static const char *const words[] = {"private",      "internal",
                                            "linkonce_odr", "linkonce",
                                            "weak_odr",     "weak",
                                            "common",       "appending",
                                            "dso_local",    "dso_preemptable",
                                            "hidden",       "protected",
                                            "default",      "local_unnamed_addr",
                                            "unnamed_addr", "externally_initialized",
                                            "thread_local", NULL};
        bool taken = false;
        for (int i = 0; words[i] && !taken; i++)
            taken = take_word(&p, words[i]);
        if (!taken && (take_word(&p, "external") || take_word(&p, "extern_weak")))
            taken = external = true;
        if (!taken && starts_with(p, "addrspace(")) {
            g->space = atoi(p + 10);
            p = strchr(p, ')') + 2;
            taken = true;
        }
        if (!taken)
            break;
    }
    g->constant = take_word(&p, "constant");
    if (!g->constant && !take_word(&p, "global"))
        return false;
    g->name = copy_of(name);
    n = type_length(p);
    if (starts_with(p + n,
                    " addrspace(")) { /* "i32 addrspace(3)*", a pointer to a pointer and so on */
        const char *q = p + n;
        while (starts_with(q, " addrspace(")) {
            q = strchr(q, ')') + 1;
            while (*q == '*')
                q++;
        }
        n = (size_t)(q - p);
    }
    g->type = without_spaces((struct slice){p, n});
    struct slice part[16];
    int parts = split(slice_of(p + n), part, 16);
    g->value = external || !parts ? NULL : without_spaces(part[0]);
    strcpy(g->align, "8");
    for (int i = external ? 0 : 1; i < parts; i++)
        if (starts_with(part[i].p, "align "))
            snprintf(g->align, sizeof g->align, "%d", atoi(part[i].p + 6));
    return true;
}

static void add_global(struct text *to, const char *p)
{
    struct global g;
    if (starts_with(p, "@llvm."))
        return; /* lists of what must be kept, annotations */
    if (!read_global(p, &g)) {
        addf(to, "%s\n", p);
        return;
    }
    if (g.space == 3)
        return;
    if (!g.value && g.space) {
        refuse_undefined("variable", g.name);
    } else if (!g.value) {
        addf(to, "@%s = external %s %s\n", g.name, g.constant ? "constant" : "global", g.type);
    } else {
        const char *section = g.constant                  ? "cpucc_readonly"
                              : g.space == CONSTANT_SPACE ? "cpucc_constant"
                                                          : "cpucc_device";
        addf(to, "@%s = internal %s %s %s, section \"%s\", align %s\n", g.name,
             g.constant ? "constant" : "global", g.type, g.value, section, g.align);
        if (g.space) {
            note_variable(g.name, g.type);
            write_gap(to, section);
        }
    }
    free(g.name);
    free(g.type);
    free(g.value);
}

/* ---- attributes and functions ---- */

static void drop_attribute(char *p, const char *key) /* "key"="value" */
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

/* Calls of the device's intrinsics and library become calls of the run time. */
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

/* A call through a pointer: the run time looks whether it is a function of the device. */
static void add_call_check(struct text *to, const char *p)
{
    const char *call = find_call(p);
    for (const char *at = call ? strchr(call, '%') : NULL; at; at = strchr(at + 1, '%')) {
        size_t n = name_length(at + 1);
        if (at[1 + n] != '(' || at[-1] != ' ')
            continue;
        if (target.opaque) {
            addf(to, "  call void @cpucc_check_call(ptr %.*s)", (int)n + 1, at);
        } else { /* the pointer's type: the result's and the arguments' */
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

/* The function whose "define" is line i; returns the line of its closing brace. */
static int add_function(struct text *to, int i)
{
    struct text head = {0}, body = {0};
    bool kernel = strstr(line[i], " ptx_kernel ") != NULL;
    add_without_spaces(&head, skip_linkage(line[i] + strlen("define ")));
    drop_comdat(head.p);
    const char *at = strchr(head.p, '@');
    char *name = copy_of((struct slice){at + 1, name_length(at + 1)});
    const char *open = at + 1 + strlen(name), *close = closing(open);
    const char *define = line[i];
    if (kernel)
        note_kernel(name);
    note_definition(name, define, (struct slice){open + 1, (size_t)(close - open - 1)});
    /* In a section of their own, so that the run time can tell the device's functions. */
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
    if (line[i][0] && line[i][0] != ' ' && line[i][0] != '}') /* the first block's label */
        addf(to, "%s\n", line[i++]);
    begin_function();
    int location = 0;
    for (; i < lines && strcmp(line[i], "}"); i++) {
        line[i] = with_a_line(line[i], &location);
        struct text t = {0}, u = {0};
        add(&t, "");
        if (!strchr(line[i], '@') && !strchr(line[i], '(')) { /* nothing to translate but spaces */
            add_without_spaces(&body, line[i]);
            add(&body, "\n");
            continue;
        }
        add_without_spaces(&t, line[i]);
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
    for (int i = 0; i < lines; i++) {
        struct global g;
        const char *p = line[i];
        if (p[0] == '!' && isdigit((unsigned char)p[1])) {
            note_metadata(p);
            read_kernel_note(p);
        } else if (p[0] == '@' && strstr(p, " addrspace(3) ") && read_global(p, &g)) {
            if (g.space == 3)
                note_shared(g.name, g.type, g.align, !g.value);
        }
    }
    for (int i = 0; i < lines; i++) {
        if (starts_with(line[i], "define ") && strstr(line[i], " ptx_kernel ")) {
            char *name = copy_of(global_name(line[i]));
            note_kernel(name);
            free(name);
        }
        if (starts_with(line[i], "@llvm.global.annotations = "))
            read_annotations(line[i]);
    }
}

static void translate(struct text *to)
{
    for (int i = 0; i < lines; i++) {
        char *p = line[i];
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
            addf(to, "%.*s = !{}\n", (int)strcspn(p, " "), p); /* of the device's alone */
        } else if (p[0] && p[0] != ';') {
            addf(to, "%s\n", p);
        }
    }
    if (checks_calls)
        addf(to, "declare void @cpucc_check_call(%s)\n", pointer);
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
