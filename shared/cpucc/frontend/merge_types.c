/* Part of unroll. Reads a module's lines, values, operands and sizes of types. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "merge_types.h"

/* ---- the module ---- */

char **line;
int lines;

void read_lines(char *text)
{
    int capacity = 0;
    line = NULL, lines = 0;
    for (char *p = text; *p;) {
        if (lines == capacity)
            line =
                allocate(line, sizeof *line * (size_t)(capacity = capacity ? 2 * capacity : 4096));
        line[lines++] = p;
        p += strcspn(p, "\n");
        if (*p)
            *p++ = 0;
    }
}

void each_function(void (*what)(int from, int to))
{
    for (int i = 0; i < lines; i++) {
        if (!starts_with(line[i], "define "))
            continue;
        int from = i + 1;
        while (i < lines && strcmp(line[i], "}"))
            i++;
        what(from, i);
    }
}

/* ---- values of the function, by name ---- */

static struct value {
    struct slice name;      /* "%x" */
    const char *definition; /* behind " = " */
    int at;                 /* line */
} * table;
static size_t table_room;

static struct value *place_of(struct slice name)
{
    size_t h = 2166136261u;
    for (size_t i = 0; i < name.n; i++)
        h = (h ^ (unsigned char)name.p[i]) * 16777619u;
    for (h &= table_room - 1; table[h].name.p; h = (h + 1) & (table_room - 1))
        if (table[h].name.n == name.n && !memcmp(table[h].name.p, name.p, name.n))
            break;
    return &table[h];
}

const char *definition_of(struct slice name)
{
    return name.n && *name.p == '%' ? place_of(name)->definition : NULL;
}

int line_of(struct slice name)
{
    const struct value *v = name.n && *name.p == '%' ? place_of(name) : NULL;
    return v && v->name.p ? v->at : -1;
}

void read_values(int from, int to)
{
    table_room = 64;
    while (table_room < 2 * (size_t)(to - from))
        table_room *= 2;
    table = allocate(table, table_room * sizeof *table);
    memset(table, 0, table_room * sizeof *table);
    for (int i = from; i < to; i++) {
        const char *p = line[i];
        if (!starts_with(p, "  %"))
            continue;
        struct slice name = {p + 2, 1 + name_length(p + 3)};
        if (starts_with(name.p + name.n, " = "))
            *place_of(name) = (struct value){name, name.p + name.n + 3, i};
    }
}

/* ---- operands ---- */

struct slice value_in(struct slice operand)
{
    const char *end = operand.p + operand.n, *p = end;
    while (p > operand.p && p[-1] != ' ')
        p--;
    return (struct slice){p, (size_t)(end - p)};
}

bool number_in(struct slice value, long *number)
{
    char *end;
    if (!value.n || !(isdigit((unsigned char)*value.p) || *value.p == '-'))
        return false;
    *number = strtol(value.p, &end, 10);
    return end == value.p + value.n;
}

int operands(const char *p, struct slice part[2])
{
    for (p += strcspn(p, " ");; p += strcspn(p, " ")) {
        while (*p == ' ')
            p++;
        if (!starts_with(p, "nuw ") && !starts_with(p, "nsw ") && !starts_with(p, "nneg ") &&
            !starts_with(p, "exact ") && !starts_with(p, "disjoint ") &&
            !starts_with(p, "inbounds "))
            break;
    }
    struct slice all[8];
    int n = split((struct slice){p, strcspn(p, "\n")}, all, 8);
    for (int i = 0; i < n && i < 2; i++)
        part[i] = all[i];
    return n;
}

bool converts(const char *definition, struct slice *from)
{
    if (!starts_with(definition, "sext ") && !starts_with(definition, "zext ") &&
        !starts_with(definition, "trunc "))
        return false;
    struct slice part[2];
    operands(definition, part);
    const char *to = find_word(part[0].p, " to ");
    *from = value_in((struct slice){part[0].p, to ? (size_t)(to - part[0].p) : 0});
    return to != NULL;
}

/* ---- sizes of types ---- */

struct size round_up(struct size s)
{
    s.bytes = (s.bytes + s.align - 1) / s.align * s.align;
    return s;
}

struct size size_of_parts(struct slice inner, bool packed, int which, long *offset)
{
    struct slice part[256];
    int n = split(inner, part, 256);
    struct size all = {0, 1};
    for (int i = 0; i < n; i++) {
        struct size s = size_of(part[i]);
        if (s.bytes < 0)
            return s;
        if (!packed) {
            all.align = s.align > all.align ? s.align : all.align;
            all.bytes = (all.bytes + s.align - 1) / s.align * s.align;
        }
        if (i == which)
            *offset = all.bytes;
        all.bytes += s.bytes;
    }
    return round_up(all);
}

bool members(struct slice type, struct slice *inner, bool *packed)
{
    const char *p = type.p;
    if (*p == '%') {
        /* Types come first in a module, before variables. */
        for (int i = 0; i < lines && line[i][0] != '@' && p == type.p; i++)
            if (!strncmp(line[i], type.p, type.n) && starts_with(line[i] + type.n, " = type "))
                p = line[i] + type.n + strlen(" = type ");
        if (p == type.p)
            return false;
    }
    *packed = *p == '<';
    p += *packed;
    const char *end = *p == '{' ? closing(p) : NULL;
    if (!end)
        return false;
    *inner = (struct slice){p + 1, (size_t)(end - p - 1)};
    return true;
}

struct size size_of(struct slice type)
{
    static const struct {
        const char *name;
        long bytes;
    } known[] = {{"i1", 1},    {"i8", 1},     {"i16", 2}, {"half", 2}, {"bfloat", 2}, {"i32", 4},
                 {"float", 4}, {"double", 8}, {"i64", 8}, {"ptr", 8},  {"i128", 16}};
    type = trimmed(type);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(type, known[i].name))
            return (struct size){known[i].bytes, known[i].bytes};
    if (type.n && type.p[type.n - 1] == '*')
        return (struct size){8, 8};
    struct slice inner;
    bool packed;
    if (type.n && (*type.p == '[' || (*type.p == '<' && type.p[1] != '{'))) {
        char *end;
        long n = strtol(type.p + 1, &end, 10);
        const char *close = closing(type.p);
        if (!starts_with(end, " x ") || !close)
            return (struct size){-1, 1};
        struct size s = size_of((struct slice){end + 3, (size_t)(close - end - 3)});
        s.bytes = s.bytes < 0 ? -1 : n * s.bytes;
        for (; *type.p == '<' && s.align < s.bytes;)
            s.align *= 2;
        return s;
    }
    if (members(type, &inner, &packed))
        return size_of_parts(inner, packed, -1, NULL);
    return (struct size){-1, 1};
}
