/*
 * Translates inline PTX. Each distinct asm statement becomes a function that is always inlined, so
 * that its call of the interpreter (ptx.c) has the statement's source line:
 *
 *   define internal i32 @cpucc.asm.0(i32 %a0) alwaysinline {
 *     operands to an array of 8 bytes each, call @cpucc_asm(site, in, out), result from an array
 *   }
 *
 * An instruction that the interpreter does not support is refused with the statement's line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"
#include "ptx.h"

struct statement {
    char *key; /* text, constraints and types */
    char *text, *constraints, *result;
    char **type;
    int types;
};

static struct statement *statements;
static int count;

bool is_assembly(const char *line)
{
    const char *p = find_word(line, " asm ");
    return p && (find_call(line) || strstr(line, "invoke "));
}

/* The size of an operand in bytes, as a digit; '0' if it is not known. */
static char size_of(const char *type)
{
    if (strchr(type, '*') || !strcmp(type, "ptr") || !strcmp(type, "i64") ||
        !strcmp(type, "double"))
        return '8';
    if (!strcmp(type, "i32") || !strcmp(type, "float"))
        return '4';
    if (!strcmp(type, "i16") || !strcmp(type, "half") || !strcmp(type, "bfloat"))
        return '2';
    return !strcmp(type, "i1") || !strcmp(type, "i8") ? '1' : '0';
}

/* Replaces %= (in LLVM ${:uid}, a number that makes labels unique) by 0: here each statement has
 * its own labels. */
static void replace_unique_numbers(char *text)
{
    static const char unique[] = "${:uid}";
    for (char *p = text; (p = strstr(p, unique));) {
        *p++ = '0';
        memmove(p, p + sizeof unique - 2, strlen(p + sizeof unique - 2) + 1);
    }
}

/* A copy with LLVM's escapes (\0A, \22) replaced by characters. */
static char *plain(const char *p)
{
    struct text t = {0};
    add(&t, "");
    for (; *p; p++) {
        char c = *p;
        if (c == '\\' && p[1] == '\\') {
            p++;
        } else if (c == '\\' && p[1] && p[2]) {
            char hex[3] = {p[1], p[2], 0};
            c = (char)strtol(hex, NULL, 16);
            p += 2;
        }
        add_bytes(&t, &c, 1);
    }
    return t.p;
}

/* The number of the statement with these texts and types; a new one is checked and noted. */
static int number_of(const char *text, const char *constraints, const char *result,
                     struct slice *argument, int arguments, const char *line)
{
    struct text key = {0};
    addf(&key, "%s|%s|%s", text, constraints, result);
    for (int i = 0; i < arguments; i++) {
        add(&key, "|");
        add_bytes(&key, argument[i].p, type_length(argument[i].p));
    }
    for (int i = 0; i < count; i++)
        if (!strcmp(statements[i].key, key.p)) {
            free(key.p);
            return i;
        }
    statements = allocate(statements, sizeof *statements * (size_t)(count + 1));
    struct statement *s = &statements[count];
    *s = (struct statement){.key = key.p,
                            .text = format("%s", text),
                            .constraints = format("%s", constraints),
                            .result = format("%s", result),
                            .types = arguments};
    s->type = allocate(NULL, sizeof *s->type * (size_t)(arguments + 1));
    for (int i = 0; i < arguments; i++)
        s->type[i] = copy_of((struct slice){argument[i].p, type_length(argument[i].p)});
    char *readable = plain(text), unknown[128];
    if (ptx_unknown(readable, unknown, sizeof unknown)) {
        char *where = source_line(line);
        fprintf(stderr, "%s: error: cpucc: the PTX instruction '%s' in this asm is not supported\n",
                where, unknown);
        free(where);
        failures++;
    }
    free(readable);
    return count++;
}

/* Turns a line such as "  %3 = tail call i32 asm sideeffect "mov $0, $1;", "=r,r"(i32 %2) #1, !dbg
 * !5" into a call of the statement's function. */
void add_assembly(struct text *to, const char *line)
{
    const char *at = find_word(line, " asm ");
    const char *text = strchr(at, '"'), *text_end = skip_string(text);
    const char *constraints = strchr(text_end, '"'), *constraints_end = skip_string(constraints);
    const char *open = strchr(constraints_end, '('), *close = open ? closing(open) : NULL;
    const char *call = find_call(line);
    if (!close || !call)
        return add(to, line);
    call += strlen("call ");
    /* The result's type stands behind flags of arithmetic and attributes. */
    const char *result = call;
    static const char *const words[] = {"contract ", "fast ",    "nnan ",    "ninf ", "nsz ",
                                        "arcp ",     "afn ",     "reassoc ", NULL,    "noundef ",
                                        "nonnull ",  "zeroext ", "signext ", NULL};
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (words[i] && starts_with(result, words[i])) {
                result += strlen(words[i]);
                more = true;
            }
    }
    struct slice argument[64];
    int n = split((struct slice){open + 1, (size_t)(close - open - 1)}, argument, 64);
    char *t = copy_of((struct slice){text + 1, (size_t)(text_end - text - 2)});
    replace_unique_numbers(t);
    char *c = copy_of((struct slice){constraints + 1, (size_t)(constraints_end - constraints - 2)});
    char *r = copy_of((struct slice){result, type_length(result)});
    int number = number_of(t, c, r, argument, n, line);
    add_bytes(to, line, (size_t)(call - line));
    addf(to, "%s @cpucc.asm.%d", r, number);
    add(to, open);
    free(t);
    free(c);
    free(r);
}

/* Adds instructions that set %name to the address of element i of an array of n operands, as a
 * pointer to `type`. */
static void add_slot(struct text *to, const char *name, const char *array, int i, int n,
                     const char *type)
{
    if (target.opaque) {
        addf(to, "  %%%s = getelementptr [%d x i64], ptr %%%s, i64 0, i64 %d\n", name, n, array, i);
        return;
    }
    addf(to, "  %%%s.slot = getelementptr [%d x i64], [%d x i64]* %%%s, i64 0, i64 %d\n", name, n,
         n, array, i);
    addf(to, "  %%%s = bitcast i64* %%%s.slot to %s*\n", name, name, type);
}

static void write_statement(struct text *to, int number)
{
    struct statement *s = &statements[number];
    struct slice part[32];
    char *result[32], sizes[128];
    int results = 0, used = 0;
    if (s->result[0] == '{') {
        char *end = s->result + strlen(s->result) - 1;
        results = split((struct slice){s->result + 1, (size_t)(end - s->result - 1)}, part, 32);
        for (int i = 0; i < results; i++)
            result[i] = copy_of(part[i]);
    } else if (strcmp(s->result, "void")) {
        result[results++] = s->result;
    }
    for (int i = 0; i < results && used < 126; i++)
        sizes[used++] = size_of(result[i]);
    for (int i = 0; i < s->types && used < 126; i++)
        sizes[used++] = size_of(s->type[i]);
    sizes[used] = 0;
    int ins = s->types ? s->types : 1, outs = results ? results : 1;

    char *a = text_constant(to, s->text), *b = text_constant(to, s->constraints),
         *c = text_constant(to, sizes);
    const char *p = pointer;
    addf(to, "@cpucc.asm.site.%d = internal global { %s, %s, %s, %s } { %s, %s, %s, %s null }\n",
         number, p, p, p, p, a, b, c, p);
    addf(to, "define internal %s @cpucc.asm.%d(", s->result, number);
    for (int i = 0; i < s->types; i++)
        addf(to, "%s%s %%a%d", i ? ", " : "", s->type[i], i);
    addf(to, ") alwaysinline {\n  %%in = alloca [%d x i64]\n  %%out = alloca [%d x i64]\n", ins,
         outs);
    for (int i = 0; i < s->types; i++) {
        char *name = format("i%d", i), *at = pointer_to(s->type[i]);
        add_slot(to, name, "in", i, ins, s->type[i]);
        addf(to, "  store %s %%a%d, %s %%%s\n", s->type[i], i, at, name);
        free(name);
        free(at);
    }
    if (target.opaque)
        addf(to, "  call void @cpucc_asm(ptr @cpucc.asm.site.%d, ptr %%in, ptr %%out)\n", number);
    else
        addf(to,
             "  %%in.0 = bitcast [%d x i64]* %%in to i8*\n  %%out.0 = bitcast [%d x i64]* %%out to "
             "i8*\n  call void @cpucc_asm(i8* bitcast ({ i8*, i8*, i8*, i8* }* @cpucc.asm.site.%d "
             "to i8*), i8* %%in.0, i8* %%out.0)\n",
             ins, outs, number);
    for (int i = 0; i < results; i++) {
        char *name = format("o%d", i), *at = pointer_to(result[i]);
        add_slot(to, name, "out", i, outs, result[i]);
        addf(to, "  %%v%d = load %s, %s %%%s\n", i, result[i], at, name);
        free(name);
        free(at);
    }
    if (s->result[0] == '{') {
        for (int i = 0; i < results; i++) {
            addf(to, "  %%s%d = insertvalue %s ", i, s->result);
            if (i)
                addf(to, "%%s%d", i - 1);
            else
                add(to, "undef");
            addf(to, ", %s %%v%d, %d\n", result[i], i, i);
        }
        addf(to, "  ret %s %%s%d\n}\n", s->result, results - 1);
    } else if (results) {
        addf(to, "  ret %s %%v0\n}\n", s->result);
    } else {
        add(to, "  ret void\n}\n");
    }
    free(a);
    free(b);
    free(c);
}

void write_assembly(struct text *to)
{
    for (int i = 0; i < count; i++)
        write_statement(to, i);
    if (count)
        addf(to, "declare void @cpucc_asm(%s, %s, %s)\n", pointer, pointer, pointer);
}
