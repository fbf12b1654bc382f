/* Part of guard. Keeps facts about a function's values, cuts instructions apart, sizes types. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "guard.h"

/* ---- values ---- */

static struct value *values;
static int value_count, value_room, *table, table_size;

static unsigned hash(struct slice s)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 16777619u;
    return h;
}

void forget_values(void)
{
    value_count = 0;
    if (table)
        memset(table, 0, sizeof *table * (size_t)table_size);
}

struct value *value_of(struct slice name)
{
    if (!table_size)
        return NULL;
    for (unsigned i = hash(name) % (unsigned)table_size; table[i];
         i = (i + 1) % (unsigned)table_size)
        if (slice_is(name, values[table[i] - 1].name))
            return &values[table[i] - 1];
    return NULL;
}

static void enter(int v)
{
    unsigned i = hash(slice_of(values[v].name)) % (unsigned)table_size;
    while (table[i])
        i = (i + 1) % (unsigned)table_size;
    table[i] = v + 1;
}

struct value *new_value(struct slice name)
{
    struct value *known = value_of(name);
    if (known)
        return known;
    if (value_count == value_room) {
        value_room = value_room ? 2 * value_room : 1024;
        values = allocate(values, sizeof *values * (size_t)value_room);
        table_size = 3 * value_room;
        free(table);
        table = calloc((size_t)table_size, sizeof *table);
        if (!table)
            exit(1);
        for (int v = 0; v < value_count; v++)
            enter(v);
    }
    values[value_count] = (struct value){.name = copy_of(name), .local = -1, .walks = -2};
    enter(value_count);
    return &values[value_count++];
}

/* ---- reading ---- */

struct instruction cut(const char *p)
{
    struct instruction x = {{p, 0}, {p, 0}, {p, 0}, ""};
    while (*p == ' ')
        p++;
    if (*p == '%') {
        size_t n = 1 + name_length(p + 1);
        if (starts_with(p + n, " = ")) {
            x.result = (struct slice){p, n};
            p += n + 3;
        }
    }
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    x.op = (struct slice){p, n};
    p += n;
    while (*p == ' ')
        p++;
    const char *debug = strstr(p, ", !dbg !");
    size_t length = strlen(p);
    for (const char *m = p; (m = strstr(m, ", !")); m++)
        if (length > (size_t)(m - p)) {
            length = (size_t)(m - p);
            break;
        }
    x.rest = (struct slice){p, length};
    if (debug)
        x.debug = format(", !dbg !%d", atoi(debug + 8));
    return x;
}

struct slice operand(struct slice s)
{
    s = trimmed(s);
    for (size_t i = s.n; i > 0; i--)
        if (s.p[i - 1] == ' ')
            return (struct slice){s.p + i, s.n - i};
    return s;
}

struct fields {
    char *name, *body;
};
static struct fields *structs;
static int struct_count;

void field_types(const char *line)
{
    const char *is = strstr(line, " = type ");
    if (!is)
        return;
    structs = allocate(structs, sizeof *structs * (size_t)(struct_count + 1));
    structs[struct_count++] =
        (struct fields){copy_of((struct slice){line, (size_t)(is - line)}), format("%s", is + 8)};
}

static const char *body_of(struct slice name)
{
    for (int i = 0; i < struct_count; i++)
        if (slice_is(name, structs[i].name))
            return structs[i].body;
    return NULL;
}

bool is_packed(struct slice type)
{
    const char *body = type.n && *type.p == '%' ? body_of(type) : NULL;
    return body && *body == '<';
}

/* The type of a struct's field or of an array's elements, NULL if there is none. */
static char *part_type(const char *type, struct slice index)
{
    if (*type == '[') {
        const char *x = strstr(type, " x ");
        const char *end = closing(type);
        return x && end ? copy_of((struct slice){x + 3, (size_t)(end - x - 3)}) : NULL;
    }
    const char *body = *type == '%' ? body_of(slice_of(type)) : type;
    if (body && *body == '<') /* packed */
        body++;
    if (!body || *body != '{')
        return NULL;
    struct slice part[256];
    const char *end = closing(body);
    int n = split((struct slice){body + 1, (size_t)(end - body - 1)}, part, 256);
    int i = atoi(operand(index).p);
    return i < n ? copy_of(trimmed(part[i])) : NULL;
}

char *element_type(const char *type, struct slice *index, int count)
{
    char *t = format("%s", type);
    for (int i = 1; i < count && t; i++) /* index 0 steps over whole objects */
        t = part_type(t, index[i]);
    return t;
}

long type_bytes(struct slice type)
{
    static const struct {
        const char *name;
        long bytes;
    } known[] = {{"i1", 1},    {"i8", 1},  {"i16", 2},    {"half", 2}, {"bfloat", 2}, {"i32", 4},
                 {"float", 4}, {"i64", 8}, {"double", 8}, {"ptr", 8},  {"i128", 16}};
    type = trimmed(type);
    if (type.n && type.p[type.n - 1] == '*')
        return 8;
    if (type.n > 4 && *type.p == '<' && type.p[1] != '{') { /* <4 x float> */
        const char *x = strstr(type.p, " x ");
        return x ? atol(type.p + 1) *
                       type_bytes((struct slice){x + 3, type.n - (size_t)(x + 3 - type.p) - 1})
                 : 0;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(type, known[i].name))
            return known[i].bytes;
    char *t = copy_of(type);
    long bytes = 0;
    if (*t == '[') {
        char *inner = part_type(t, (struct slice){"0", 1});
        bytes = inner ? atol(t + 1) * type_bytes(slice_of(inner)) : 0;
    } else if (strchr("{%<", *t)) {
        for (int i = 0; i < 256; i++) {
            char number[16];
            snprintf(number, sizeof number, "%d", i);
            char *part = part_type(t, slice_of(number));
            if (!part)
                break;
            bytes += type_bytes(slice_of(part));
        }
    }
    free(t);
    return bytes;
}
