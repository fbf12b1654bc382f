/*
 * What nvcc takes and clang does not, spelled as clang takes it.
 *
 *   nvcc_syntax FOLDER <ERRORS
 *
 * ERRORS is what clang said of a program. In the source files that it speaks of
 *
 *   a % of an asm statement that is no operand's ("mov.u32 %0, %laneid;") is doubled, at the place that
 *   clang names and behind it in the same string;
 *   a comma that is missing between two operands of an asm statement is put in;
 *   the brackets of a launch that have blanks between them (kernel << <1, 32 >> >(x)) are put together.
 *
 * Nothing else changes, and no line moves. Copies of the files are written into FOLDER, and with them
 * FOLDER/overlay, which makes clang read the copies instead (-ivfsoverlay). Called again with the same
 * FOLDER, it goes on from these copies.
 *
 * Exit status: 0 something was changed; 1 there is nothing to change.
 */
#define _GNU_SOURCE
#include "text.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 64 };

static struct {
    char *name, *text;
} files[MAX_FILES];
static int count;
static const char *folder;
static bool changed;

static char *copy_name(int number) { return format("%s/%d", folder, number); }

/* The files of earlier calls: lines of FOLDER/names. */
static void read_earlier(void)
{
    char *names = read_file(format("%s/names", folder));
    for (char *name = names ? strtok(names, "\n") : NULL; name && count < MAX_FILES;
         name = strtok(NULL, "\n")) {
        files[count].name = name;
        files[count].text = read_file(copy_name(count));
        if (!files[count++].text)
            exit(1);
    }
}

/* The number of a file, or -1 if there is none of that name. */
static int file_of(struct slice name)
{
    char *whole = name.p[0] == '/' ? copy_of(name)
                                   : format("%s/%.*s", get_current_dir_name(), (int)name.n, name.p);
    for (int i = 0; i < count; i++)
        if (strcmp(files[i].name, whole) == 0)
            return i;
    if (count == MAX_FILES || !(files[count].text = read_file(whole)))
        return -1;
    files[count].name = whole;
    return count++;
}

/* Doubles the % that lies at most three characters before column `at` (from 1) of a line, and the
 * words with a lone % behind it in that string. */
static void double_percent(int file, long line, long at)
{
    char *p = files[file].text;
    while (--line > 0 && (p = strchr(p, '\n')))
        p++;
    if (!p || (long)strcspn(p, "\n") < at)
        return;
    const char *percent = p + at - 1;
    while (percent > p && *percent != '%' && percent > p + at - 4)
        percent--;
    if (*percent != '%' || percent[-1] == '%' || !isalpha((unsigned char)percent[1]))
        return;
    struct text out = {0};
    add_bytes(&out, files[file].text, (size_t)(percent - files[file].text));
    add(&out, "%%");
    const char *q = percent + 1;
    for (; *q && *q != '"' && *q != '\n'; q++) {
        bool lone = *q == '%' && q[-1] != '%' && islower((unsigned char)q[1]) &&
                    islower((unsigned char)q[2]);
        add(&out, lone ? "%" : "");
        add_bytes(&out, q, 1);
        if (*q == '\\' && q[1])
            add_bytes(&out, ++q, 1);
    }
    add(&out, q);
    files[file].text = out.p;
    changed = true;
}

/* Behind a comment, a string or a character at p; p if none begins there. */
static char *skip_inert(char *p)
{
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'')
        return p;
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

/* Puts a comma before the operand ("r"(x)) that begins at column `at` (from 1) of a line, if it is one
 * of an asm statement and another operand stands before it. */
static void add_comma(int file, long line, long at)
{
    char *text = files[file].text, *p = text;
    while (--line > 0 && (p = strchr(p, '\n')))
        p++;
    if (!p || (long)strcspn(p, "\n") < at || p[at - 1] != '"')
        return;
    char *operand = p + at - 1, *before = operand;
    while (before > text && isspace((unsigned char)before[-1]))
        before--;
    char *inside = operand;
    while (inside > text && strncmp(inside, "asm", 3) != 0)
        inside--;
    while (inside < operand && *inside != ';')
        inside = skip_inert(inside) == inside ? inside + 1 : skip_inert(inside);
    if (before == text || before[-1] != ')' || inside != operand)
        return;
    struct text out = {0};
    add_bytes(&out, text, (size_t)(operand - text));
    add(&out, ",");
    add(&out, operand);
    files[file].text = out.p;
    changed = true;
}

/* Three times c at p, blanks between them or not: the length of it all, or 0. */
static size_t three(const char *p, char c)
{
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        while (i && isspace((unsigned char)p[n]))
            n++;
        if (p[n++] != c)
            return 0;
    }
    return n;
}

/* Moves the brackets at p, which with their blanks take n characters, to the front. */
static void together(char *p, size_t n, char c)
{
    size_t brackets = 3;
    char was[64];
    if (n == 3 || n > sizeof was)
        return;
    memcpy(was, p, n);
    memset(p, c, brackets);
    for (size_t i = 0; i < n; i++)
        if (was[i] != c)
            p[brackets++] = was[i];
    changed = true;
}

/* The end of a launch's brackets whose inside begins at p, as `three` finds it before a parenthesis. */
static char *launch_end(char *p, size_t *length)
{
    int depth = 0;
    while (*p && *p != ';' && depth >= 0) {
        char *behind = skip_inert(p);
        if (behind != p) {
            p = behind;
            continue;
        }
        depth += strchr("([{", *p) != NULL;
        depth -= strchr(")]}", *p) != NULL;
        *length = depth ? 0 : three(p, '>');
        if (*length && p[*length + strspn(p + *length, " \t\r\n")] == '(')
            return p;
        p++;
    }
    return NULL;
}

static void join_launches(char *p)
{
    while (*p) {
        char *behind = skip_inert(p);
        size_t opening = behind == p ? three(p, '<') : 0, closing = 0;
        char *end = opening ? launch_end(p + opening, &closing) : NULL;
        if (end) {
            together(p, opening, '<');
            together(end, closing, '>');
            p = end + closing;
        } else {
            p = behind == p ? p + 1 : behind;
        }
    }
}

/* One line of clang's: FILE:LINE:COLUMN: error: MESSAGE, or the note on a macro below it. */
static void look_at(char *said)
{
    char *error = strstr(said, ": error: "), *note = strstr(said, ": note: expanded from macro");
    char *end = error ? error : note;
    if (!end)
        return;
    *end = 0;
    char *column = strrchr(said, ':');
    if (!column)
        return;
    *column = 0;
    char *line = strrchr(said, ':');
    int file = line ? file_of((struct slice){said, (size_t)(line - said)}) : -1;
    if (file < 0)
        return;
    if (note || strstr(end + 1, "in inline as"))
        double_percent(file, atol(line + 1), atol(column + 1));
    else if (strstr(end + 1, "expected ')'"))
        add_comma(file, atol(line + 1), atol(column + 1));
    else
        join_launches(files[file].text);
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) {
        fprintf(stderr, "cpucc: cannot write %s: %s\n", name, strerror(errno));
        exit(1);
    }
}

/* A name as JSON has it. */
static void add_quoted(struct text *to, const char *name)
{
    add(to, "\"");
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            add(to, "\\");
        add_bytes(to, name, 1);
    }
    add(to, "\"");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: nvcc_syntax FOLDER <ERRORS\n");
        return 2;
    }
    folder = argv[1];
    read_earlier();
    char *said = NULL;
    size_t capacity = 0;
    while (getline(&said, &capacity, stdin) > 0)
        look_at(said);
    if (!changed)
        return 1;
    struct text names = {0}, overlay = {0};
    add(&overlay, "{\"version\": 0, \"use-external-names\": false, \"roots\": [");
    for (int i = 0; i < count; i++) {
        write_file(copy_name(i), files[i].text);
        addf(&names, "%s\n", files[i].name);
        add(&overlay, i ? ", {\"type\": \"file\", \"name\": " : "{\"type\": \"file\", \"name\": ");
        add_quoted(&overlay, files[i].name);
        add(&overlay, ", \"external-contents\": ");
        add_quoted(&overlay, copy_name(i));
        add(&overlay, "}");
    }
    add(&overlay, "]}\n");
    write_file(format("%s/names", folder), names.p);
    write_file(format("%s/overlay", folder), overlay.p);
    return 0;
}
