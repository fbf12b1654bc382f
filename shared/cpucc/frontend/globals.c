/* Part of retarget. Translates the module's variables and reads annotations. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

/* Adds a line without its address spaces; strings stay as they are. */
void add_without_spaces(struct text *to, const char *p)
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

struct slice global_name(const char *p)
{
    const char *at = strchr(p, '@');
    return at ? (struct slice){at + 1, name_length(at + 1)} : (struct slice){p, 0};
}

static char *definition_of(struct slice name)
{
    for (int i = 0; i < module_lines; i++)
        if (module_line[i][0] == '@' && !strncmp(module_line[i] + 1, name.p, name.n) &&
            module_line[i][1 + name.n] == ' ')
            return module_line[i];
    return NULL;
}

/* Notes one annotation of cpucc. The entry is { pointer to the annotated global, pointer to the
 * annotation's text, pointer to the file's name, line, arguments }. */
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

void read_annotations(const char *p)
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

void read_kernel_note(const char *p)
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

bool take_word(const char **p, const char *word)
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

/* The name of a __device__ or __constant__ variable in the source, with its namespaces. */
char *variable_name(const char *name)
{
    static const char unnamed[] = "(anonymous namespace)::";
    char *s = starts_with(name, "_ZZ") ? source_name(name) : readable_name(name);
    for (char *p; (p = strstr(s, unnamed));)
        memmove(p, p + sizeof unnamed - 1, strlen(p + sizeof unnamed - 1) + 1);
    char *appended = strstr(s, " (."); /* clang's suffix of a copied variable, demangled */
    s[appended ? (size_t)(appended - s) : strcspn(s, ".")] = 0;
    return starts_with(s, "_Z") ? source_name(name) : s;
}

/* The source line of the first instruction that uses the name; the unit's name if there is none. */
static char *first_use(const char *name)
{
    char *key = format("@%s", name), *where = NULL;
    for (int i = 0; i < module_lines && !where; i++) {
        const char *p = module_line[i][0] == ' ' ? strstr(module_line[i], key) : NULL;
        if (p && name_length(p + 1) == strlen(name) && strstr(p, "!dbg "))
            where = source_line(module_line[i]);
    }
    free(key);
    return where ? where : format("%s", unit);
}

void refuse_undefined(const char *what, const char *name)
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

bool read_global(const char *p, struct global *g)
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

void add_global(struct text *to, const char *p)
{
    struct global g;
    if (starts_with(p, "@llvm."))
        return; /* llvm.used and llvm.global.annotations */
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
