/*
 * inline: marks device functions that clang shall inline before guard runs: those that a caller
 * hands the address of one of its local variables, such as members of a class and functions that
 * fill an array, and those that return a struct. guard can then follow uses of the variable
 * (uninitialised.c).
 *
 *     inline < raw.ll > marked.ll
 *
 * Functions of library headers are not marked. An alwaysinline that is there already is renamed, so
 * that it takes effect only after guard, which restores it. Exit status 3: there is nothing to
 * mark, and nothing was written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text.h"

enum { MOST_LINES = 400, PARAMETERS = 32 };

static char **line;
static int lines;

static struct function {
    struct slice name;
    int first, last;      /* lines of its body */
    bool possible;        /* short enough to be inlined */
    bool fed[PARAMETERS]; /* the parameter may be the address of a caller's local variable */
    bool chosen;          /* is to be marked */
} * functions;
static int function_count;

/* ---- where a pointer comes from ---- */

enum { NOWHERE = 0, LOCAL = 1, PARAMETER = 2 }; /* PARAMETER + i: parameter number i */

static struct origin {
    struct slice name;
    int from;
} * table;
static size_t capacity, used;

static struct origin *place_of(struct slice name)
{
    size_t h = 5381;
    for (size_t i = 0; i < name.n; i++)
        h = h * 33 + (unsigned char)name.p[i];
    for (h %= capacity;
         table[h].name.n && (table[h].name.n != name.n || memcmp(table[h].name.p, name.p, name.n));
         h = (h + 1) % capacity)
        ;
    return &table[h];
}

static void come_from(struct slice name, int from)
{
    if (2 * used + 2 > capacity) {
        struct origin *old = table;
        size_t n = capacity;
        capacity = capacity ? 2 * capacity : 1024;
        table = calloc(capacity, sizeof *table);
        if (!table)
            exit(1);
        for (size_t i = 0; i < n; i++)
            if (old[i].name.n)
                *place_of(old[i].name) = old[i];
        free(old);
    }
    struct origin *at = place_of(name);
    used += !at->name.n;
    *at = (struct origin){name, from};
}

static struct slice operand(struct slice s)
{
    s = trimmed(s);
    for (size_t i = s.n; i > 0; i--)
        if (s.p[i - 1] == ' ')
            return (struct slice){s.p + i, s.n - i};
    return s;
}

static int origin_of(struct slice argument)
{
    struct slice name = operand(argument);
    return capacity && name.n && *name.p == '%' ? place_of(name)->from : NOWHERE;
}

static struct function *function_of(struct slice name)
{
    for (int i = 0; i < function_count; i++)
        if (functions[i].name.n == name.n && !memcmp(functions[i].name.p, name.p, name.n))
            return &functions[i];
    return NULL;
}

static struct slice callee(const char *text)
{
    const char *call = find_call(text), *at = call ? strchr(call, '@') : NULL;
    return at ? (struct slice){at + 1, name_length(at + 1)} : (struct slice){text, 0};
}

/* Notes in the called function which parameters are addresses of locals; true if one is new. */
static bool feed(const struct function *caller, const char *text)
{
    struct slice name = callee(text), part[PARAMETERS];
    struct function *f = name.n ? function_of(name) : NULL;
    const char *open = f ? strchr(name.p + name.n, '(') : NULL, *end = open ? closing(open) : NULL;
    if (!end || f == caller)
        return false;
    int n = split((struct slice){open + 1, (size_t)(end - open - 1)}, part, PARAMETERS);
    bool changed = false;
    for (int i = 0; i < n && i < PARAMETERS; i++) {
        int from = origin_of(part[i]);
        bool local = from == LOCAL || (from >= PARAMETER && caller->fed[from - PARAMETER]);
        if (local && !f->fed[i])
            f->fed[i] = changed = true, f->chosen = f->possible;
    }
    return changed;
}

static bool look_at(struct function *f)
{
    bool changed = false;
    struct slice part[PARAMETERS];
    if (capacity)
        memset(table, 0, sizeof *table * capacity);
    used = 0;
    const char *open = strchr(f->name.p + f->name.n, '('), *end = open ? closing(open) : NULL;
    int n = end ? split((struct slice){open + 1, (size_t)(end - open - 1)}, part, PARAMETERS) : 0;
    for (int i = 0; i < n && i < PARAMETERS; i++)
        if (operand(part[i]).n && *operand(part[i]).p == '%')
            come_from(operand(part[i]), PARAMETER + i);
    for (int l = f->first; l < f->last; l++) {
        const char *p = line[l];
        while (*p == ' ')
            p++;
        struct slice result = {p, 0};
        if (*p == '%') {
            result.n = 1 + name_length(p + 1);
            if (!starts_with(p + result.n, " = "))
                continue;
            p += result.n + 3;
        }
        size_t length = strlen(p);
        if (starts_with(p, "alloca ")) {
            bool pointer = starts_with(p + 7, "ptr") || p[7 + type_length(p + 7) - 1] == '*';
            come_from(result, pointer ? NOWHERE : LOCAL);
        } else if (starts_with(p, "getelementptr ") || starts_with(p, "load ")) {
            n = split((struct slice){p, length}, part, 3);
            if (n > 1 && origin_of(part[1]))
                come_from(result,
                          *p == 'g' || origin_of(part[1]) != LOCAL ? origin_of(part[1]) : NOWHERE);
        } else if (starts_with(p, "bitcast ")) {
            const char *to = strstr(p, " to ");
            if (to && origin_of((struct slice){p, (size_t)(to - p)}))
                come_from(result, origin_of((struct slice){p, (size_t)(to - p)}));
        } else if (starts_with(p, "store ")) { /* for example a parameter's, into its alloca */
            n = split((struct slice){p, length}, part, 3);
            if (n > 1 && origin_of(part[0]) && origin_of(part[1]) == NOWHERE)
                come_from(operand(part[1]), origin_of(part[0]));
        } else if (find_call(line[l]))
            changed |= feed(f, line[l]);
    }
    return changed;
}

/* ---- which functions may be inlined: the program's own that are not noinline ---- */

static bool of_a_library(const char *define)
{
    const char *debug = strstr(define, "!dbg !"), *file = NULL;
    if (!debug)
        return true;
    char *id = format("!%d = ", atoi(debug + 6));
    for (int i = lines - 1; i >= 0 && !file; i--)
        if (starts_with(line[i], id))
            file = strstr(line[i], "file: !");
    free(id);
    if (!file)
        return true;
    id = format("!%d = ", atoi(file + 7));
    bool library = true;
    for (int i = lines - 1; i >= 0; i--)
        if (starts_with(line[i], id)) {
            library = strstr(line[i], "/cpucc/include/") || strstr(line[i], "\"/usr/") ||
                      strstr(line[i], "/cccl/");
            break;
        }
    free(id);
    return library;
}

static bool attribute(const char *define, const char *word)
{
    const char *number = strrchr(define, '#');
    if (!number)
        return false;
    char *group = format("attributes #%d = {", atoi(number + 1));
    bool has = false;
    for (int i = lines - 1; i >= 0; i--)
        if (starts_with(line[i], group)) {
            has = strstr(line[i], word) != NULL;
            break;
        }
    free(group);
    return has;
}

/* True if the function returns a struct ("define dso_local %struct.S @f("). */
static bool gives_struct(const char *define)
{
    const char *at = strchr(define, '@');
    for (const char *p = define; p < at; p++)
        if (*p == '%')
            return p[1 + name_length(p + 1)] == ' ';
    return false;
}

static void find_functions(void)
{
    for (int i = 0; i < lines; i++) {
        if (!starts_with(line[i], "define "))
            continue;
        const char *at = strchr(line[i], '@') + 1;
        functions = allocate(functions, sizeof *functions * (size_t)(function_count + 1));
        struct function *f = &functions[function_count++];
        *f = (struct function){.name = {at, name_length(at)}, .first = i + 1, .last = i + 1};
        while (f->last < lines && strcmp(line[f->last], "}"))
            f->last++;
        f->possible = f->last - f->first <= MOST_LINES;
        f->chosen = f->possible && gives_struct(line[i]);
        i = f->last;
    }
}

/* Prints a line; renames alwaysinline to "cpucc-inline", to take effect only after guard. */
static void write_line(const char *text)
{
    static const char word[] = " alwaysinline";
    const char *at = starts_with(text, "attributes #") ? strstr(text, word) : NULL;
    if (at)
        printf("%.*s%s \"cpucc-inline\" }\n", (int)(at - text), text,
               format("%.*s", (int)(strlen(at + sizeof word - 1) - 2), at + sizeof word - 1));
    else
        printf("%s\n", text);
}

int main(void)
{
    char *module = read_file(NULL);
    int space = 0;
    if (!module)
        return 1;
    for (char *p = module; *p;) {
        if (lines == space)
            line = allocate(line, sizeof *line * (size_t)(space = 2 * space + 4096));
        line[lines++] = p;
        p += strcspn(p, "\n");
        if (*p)
            *p++ = 0;
    }
    find_functions();
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < function_count; i++)
            changed |= look_at(&functions[i]);
    }
    bool any = false;
    for (struct function *f = functions; f < functions + function_count; f++) {
        const char *define = line[f->first - 1];
        if (f->chosen)
            f->chosen = !of_a_library(define) && !attribute(define, " noinline");
        any |= f->chosen;
    }
    if (!any)
        return 3;
    for (int i = 0, f = 0; i < lines; i++) {
        while (f < function_count && functions[f].first - 1 < i)
            f++;
        const char *number = strrchr(line[i], '#');
        if (f < function_count && functions[f].first - 1 == i && functions[f].chosen && number)
            printf("%.*salwaysinline %s\n", (int)(number - line[i]), line[i], number);
        else
            write_line(line[i]);
    }
    return fflush(stdout) != 0;
}
