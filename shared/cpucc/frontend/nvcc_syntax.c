/*
 * Rewrites syntax that nvcc accepts and clang does not.
 *
 *   nvcc_syntax FOLDER <ERRORS
 *
 * ERRORS is clang's output for a program. In the source files that it names, nvcc_syntax
 *
 *   - doubles a % of an asm statement that belongs to no operand ("mov.u32 %0, %laneid;"), at the
 *     place that clang names and behind it in the same string;
 *   - adds a missing comma between two operands of an asm statement;
 *   - joins a launch's brackets that have blanks between them (kernel << <1, 32 >> >(x));
 *   - writes #pragma in a macro as _Pragma;
 *   - gives a function's declaration and its definition the __host__ and __device__ of both;
 *   - gives a deduction guide __host__ and __device__, without which clang before 22 uses it in host code only.
 *
 * Nothing else changes, and no line moves. The changed copies are written into FOLDER as 0, 1 and so on, together
 * with FOLDER/names, the files' names, one per line. A further call with the same FOLDER continues from these copies.
 *
 * Exit status: 0 if something was changed, 1 if not, 2 for wrong arguments.
 */
#include "text_buffer.h"
#include <ctype.h>
#include <errno.h>
#include <regex.h>

enum { MAX_FILES = 64 };

static struct {
    char *name, *text;
} files[MAX_FILES];
static int count;
static const char *folder;
static bool changed;
static regex_t message; /* of clang */

static char *copy_name(int number) { return format("%s/%d", folder, number); }

/* Reads the copies of earlier calls. */
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

/* The number of a file, which is read if it is new; -1 if it cannot be read. */
static int file_of(const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(files[i].name, name) == 0)
            return i;
    if (count == MAX_FILES || !(files[count].text = read_file(name)))
        return -1;
    files[count].name = format("%s", name);
    return count++;
}

/* The place at a line and column (both from 1), or NULL if the file has none. */
static char *place_of(int file, long line, long at)
{
    char *p = files[file].text;
    while (--line > 0 && (p = strchr(p, '\n')))
        p++;
    return p && (long)strcspn(p, "\n") >= at ? p + at - 1 : NULL;
}

/* Puts the words in place of the n characters at p. */
static void replace(int file, const char *p, size_t n, const char *words)
{
    struct text out = {0};
    add_bytes(&out, files[file].text, (size_t)(p - files[file].text));
    add(&out, words);
    add(&out, p + n);
    files[file].text = out.p;
    changed = true;
}

/* Doubles the % at `place` or up to three characters before, and single % of words behind it in the
 * same string. */
static void double_percent(int file, const char *place)
{
    const char *text = files[file].text, *percent = place;
    while (percent > text && *percent != '%' && percent > place - 3)
        percent--;
    if (percent == text || *percent != '%' || percent[-1] == '%' ||
        !isalpha((unsigned char)percent[1]))
        return;
    struct text string = {0};
    const char *q = percent;
    for (; *q && *q != '"' && *q != '\n'; q++) {
        bool lone = *q == '%' && q[-1] != '%' && islower((unsigned char)q[1]) &&
                    islower((unsigned char)q[2]);
        add(&string, lone || q == percent ? "%" : "");
        add_bytes(&string, q, 1);
        if (*q == '\\' && q[1])
            add_bytes(&string, ++q, 1);
    }
    replace(file, percent, (size_t)(q - percent), string.p);
}

/* The end of the comment, string or character literal at p; p if none begins there. */
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

/* Adds a comma before the operand ("r"(x)) at `operand`, if it belongs to an asm statement and
 * follows another operand. */
static void add_comma(int file, char *operand)
{
    char *text = files[file].text, *before = operand;
    if (*operand != '"')
        return;
    while (before > text && isspace((unsigned char)before[-1]))
        before--;
    char *inside = operand;
    while (inside > text && strncmp(inside, "asm", 3) != 0)
        inside--;
    while (inside < operand && *inside != ';')
        inside = skip_inert(inside) == inside ? inside + 1 : skip_inert(inside);
    if (before > text && before[-1] == ')' && inside == operand)
        replace(file, operand, 0, ",");
}

/* Writes the directive "#pragma words", with which a macro's line ends, as _Pragma("words"). */
static void pragma_operator(int file, const char *p)
{
    const char *word = p + 1 + strspn(p + 1, " \t");
    if (strncmp(word, "pragma", 6) != 0)
        return;
    word += 6 + strspn(word + 6, " \t");
    size_t n = strcspn(word, "\r\n\\\"");
    replace(file, p, (size_t)(word - p) + n, format("_Pragma(\"%.*s\")", (int)n, word));
}

/* The beginning of the declaration that contains p, behind its template parameters. */
static char *declaration_of(char *begin, char *p)
{
    while (p > begin && !strchr(";{}", p[-1]) && !(p[-1] == ':' && p[-2] != ':' && p[0] != ':'))
        p--;
    p += strspn(p, " \t\r\n");
    while (skip_inert(p) != p)
        p = skip_inert(p) + strspn(skip_inert(p), " \t\r\n");
    if (strncmp(p, "template", 8) == 0) {
        int depth = 0;
        do
            depth += (*p == '<') - (*p == '>');
        while (*p++ && (depth || p[-1] != '>'));
        p += strspn(p, " \t\r\n");
    }
    return p;
}

/* The latest function whose definition clang does not recognise, because the declaration has other
 * words __host__ and __device__. */
static struct {
    const char *name, *type; /* type: the class in which clang found no such declaration, or NULL */
    int file;
    long line, column;
} defined;

/* Notes the function that clang's words quote first. */
static void note_definition(const char *words)
{
    const char *name = strchr(words, '\''), *type = strstr(words, "any declaration in '");
    if (!name)
        return;
    type = type ? strchr(type, '\'') + 1 : NULL;
    for (const char *part;
         type && (part = strstr(type, "::")) && part < type + strcspn(type, "'<");)
        type = part + 2;
    defined.name = format("%.*s", (int)strcspn(name + 1, "'< "), name + 1);
    defined.type = type ? format("%.*s", (int)strcspn(type, "'<"), type) : NULL;
}

/* Gives the declaration whose name is at p, and the noted definition, the words __host__ and
 * __device__ of both. */
static void unite(int file, char *p)
{
    char *names[] = {p, place_of(defined.file, defined.line, defined.column)};
    const int in[] = {file, defined.file};
    const char *word[] = {"__host__", "__device__"};
    char *head[2];
    size_t begin[2];
    for (int i = 0; i < 2; i++) {
        if (!names[i] || strncmp(names[i], defined.name, strlen(defined.name)) != 0)
            return;
        char *text = files[in[i]].text, *first = declaration_of(text, names[i]);
        begin[i] = (size_t)(first - text);
        head[i] = format("%.*s", (int)(names[i] - first), first);
    }
    for (int i = 1; i >= 0; i--) /* the definition first: it stands behind the declaration */
        for (int w = 0; w < 2; w++)
            if (!strstr(head[i], word[w]) && strstr(head[!i], word[w]))
                replace(in[i], files[in[i]].text + begin[i], 0, format("%s ", word[w]));
    defined.name = NULL;
}

/* Unites the noted definition, for which clang names no declaration, with the first one of its name in
 * the class that lacks its words. */
static void search_class(void)
{
    char *text = defined.name && defined.type ? files[defined.file].text : NULL;
    for (char *p = text; p && (p = strstr(p, defined.type)); p++) {
        char *body = p + strcspn(p, ";{(<>"), *end = body;
        if (p < text + 6 ||
            (strncmp(p - 6, "class ", 6) != 0 && strncmp(p - 7, "struct ", 7) != 0) || *body != '{')
            continue;
        for (int depth = 0; *end && (depth += (*end == '{') - (*end == '}')); end++)
            ;
        size_t n = strlen(defined.name);
        for (char *q = body; defined.name && (q = strstr(q, defined.name)) && q < end; q += n)
            if (!isalnum((unsigned char)q[-1]) && q[-1] != '_' && q[n + strspn(q + n, " ")] == '(')
                unite(defined.file, q);
        return;
    }
}

/* True if the deduction guide NAME(...) -> NAME<...> begins at p; n: length of NAME. */
static bool is_guide(const char *p, size_t n)
{
    const char *const blanks = " \t\r\n", *end = p + n;
    int depth = 0;
    end += strspn(end, blanks);
    if (*end != '(')
        return false;
    do
        depth += (*end == '(') - (*end == ')');
    while (*end && (end++, depth));
    end += strspn(end, blanks);
    if (strncmp(end, "->", 2) != 0)
        return false;
    end += 2 + strspn(end + 2, blanks);
    return strncmp(end, p, n) == 0 && end[n + strspn(end + n, blanks)] == '<';
}

/* Gives both words to all guides of the class whose guide is at p, so that clang chooses among the same ones as nvcc. */
static void widen_guides(int file, char *p)
{
    static const char both[] = "__host__ __device__ ";
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    if (!n || !is_guide(p, n))
        return;
    const char *name = format("%.*s", (int)n, p);
    for (p = files[file].text; (p = strstr(p, name)); p += n) {
        size_t at = (size_t)(p - files[file].text);
        if (!at || isalnum((unsigned char)p[-1]) || p[-1] == '_' || !is_guide(p, n))
            continue;
        replace(file, p, 0, both);
        p = files[file].text + at + sizeof both - 1;
    }
}

/* Moves the blanks between three brackets c at p, if a launch may have them, behind them. */
static void join(char *p, char c)
{
    char *end = p;
    for (int i = 0; i < 3; i++) {
        end += i ? strspn(end, " \t") : 0;
        if (*end++ != c)
            return;
    }
    if (c == '>' && end[strspn(end, " \t\r\n")] != '(')
        return;
    changed |= end - p > 3;
    memset(p, c, 3);
    memset(p + 3, ' ', (size_t)(end - p - 3));
}

/* Joins the brackets of launches. Three that close templates become >>> as well, which clang takes as three. */
static void join_launches(char *p)
{
    for (char *behind; *p; p = behind == p ? p + 1 : behind) {
        behind = skip_inert(p);
        if (behind == p)
            join(p, '<'), join(p, '>');
    }
}

/* Handles one line of clang's output, FILE:LINE:COLUMN: error: MESSAGE, or a note. */
static void look_at(char *said)
{
    regmatch_t
        part[6]; /* the line, FILE, LINE, COLUMN, "error: " or a note, the note of a declaration */
    if (regexec(&message, said, 6, part, 0))
        return;
    said[part[1].rm_eo] = 0;
    int file = file_of(said);
    long line = atol(said + part[2].rm_so), column = atol(said + part[3].rm_so);
    char *place = file < 0 ? NULL : place_of(file, line, column);
    const char *words = said + part[4].rm_so;
    bool declares = part[5].rm_so >= 0, expands = !declares && *words == 'n';
    if (!place)
        return;
    if (strstr(words, "out-of-line definition of ") || strstr(words, " cannot overload ")) {
        note_definition(words);
        defined.file = file, defined.line = line, defined.column = column;
    } else if (declares && defined.name) {
        unite(file, place);
    } else if (strstr(words, "candidate f")) {
        widen_guides(file, place);
    } else if (expands && *place == '#') {
        pragma_operator(file, place);
    } else if (expands || strstr(words, "in inline as")) {
        double_percent(file, place);
    } else if (strstr(words, "expected ')'")) {
        add_comma(file, place);
    } else {
        join_launches(files[file].text);
    }
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) {
        fprintf(stderr, "cpucc: cannot write %s: %s\n", name, strerror(errno));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: nvcc_syntax FOLDER <ERRORS\n");
        return 2;
    }
    folder = argv[1];
    read_earlier();
    if (regcomp(
            &message,
            "^(.*):([0-9]+):([0-9]+): (error: |note: expanded from macro|note: (member declaration "
            "nearly matches|previous declaration is here)|note: candidate function not viable: "
            "call to "
            "__host__ )",
            REG_EXTENDED))
        return 2;
    char *said = NULL;
    size_t capacity = 0;
    while (getline(&said, &capacity, stdin) > 0) {
        if (strstr(said, ": error: "))
            search_class();
        look_at(said);
    }
    search_class();
    if (!changed)
        return 1;
    struct text names = {0};
    for (int i = 0; i < count; i++) {
        write_file(copy_name(i), files[i].text);
        addf(&names, "%s\n", files[i].name);
    }
    write_file(format("%s/names", folder), names.p);
    return 0;
}
