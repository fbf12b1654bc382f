/*
 * rewrite: turns preprocessed CUDA C into C++ that clang compiles for the CPU.
 *
 *     rewrite < preprocessed > rewritten
 *
 * It replaces what C++ has no words for and leaves everything else, every line break included, as
 * it is, so that compiler messages and debug information keep naming the lines of the source:
 *
 *   kernel<<<grid, block>>>(a, b)    cpucc_launch(.., cpucc_configure(grid, block), kernel)(a, b)
 *   cudaLaunchKernelEx(&c, kernel    the same call with the kernel's text in front, likewise
 *                                    cudaLaunchKernel and cudaLaunchCooperativeKernel
 *   __shared__ T x[4];               a reference to memory that the runtime gives to each block
 *   extern __shared__ T x[];         a reference to the block's dynamic shared memory
 *   __device__, __constant__         nothing before functions, a linker section before variables
 *   __global__, __cluster_dims__     nothing; the latter's numbers move to the launches
 *   __noinline__                     an attribute, unless it is inside one: as a macro it would
 *                                    break the C++ library's __attribute__((__noinline__))
 *
 * What cpucc has no counterpart for is refused with file, line and name. Exit status: 0, or 1.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { WORD, NUMBER, STRING, PUNCTUATION, SPACE, MARKER };

struct token {
    enum kind kind;
    int line;
    short file;
    char system;      /* in a header that the compiler counts as its own */
    char in_function; /* inside some function's body */
    char in_kernel;   /* inside the body of a __global__ or __device__ function */
    char *text;       /* what to print; NULL prints nothing */
    char *before;     /* printed before the text, or NULL */
};

static struct token *tokens;
static int count, room;
static char *files[4096];
static int file_count;
static int failed;

static void *grow(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (!p) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(1);
    }
    return p;
}

static char *format(const char *how, ...)
{
    va_list list;
    va_start(list, how);
    int length = vsnprintf(NULL, 0, how, list);
    va_end(list);
    char *text = grow(NULL, (size_t)length + 1);
    va_start(list, how);
    vsnprintf(text, (size_t)length + 1, how, list);
    va_end(list);
    return text;
}

static void refuse(int at, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    fprintf(stderr, "%s:%d: error: cpucc: ", files[tokens[at].file], tokens[at].line);
    vfprintf(stderr, how, list);
    fprintf(stderr, "\n");
    va_end(list);
    failed = 1;
}

/* ---- text to tokens ---- */

static int word_char(int c) { return isalnum(c) || c == '_' || c == '$' || c >= 0x80; }

/* Length of the string or character literal at p, which starts at its quote. */
static size_t literal(const char *p)
{
    size_t n = 1;
    while (p[n] && p[n] != p[0] && p[n] != '\n')
        n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return n + (p[n] == p[0]);
}

static size_t raw_literal(const char *p) /* p at the quote of R"x( ... )x" */
{
    const char *open = strchr(p, '(');
    if (!open)
        return strlen(p);
    size_t length = (size_t)(open - p - 1);
    for (const char *q = open; (q = strchr(q + 1, ')'));)
        if (!strncmp(q + 1, p + 1, length) && q[length + 1] == '"')
            return (size_t)(q - p) + length + 2;
    return strlen(p);
}

/* What `length` characters of a string mean where only \\, \" and octal digits are escaped. */
static char *unescaped(const char *p, size_t length)
{
    char *text = grow(NULL, length + 1), *to = text;
    for (const char *end = p + length; p < end; p++) {
        int value, used;
        if (*p == '\\' && sscanf(p + 1, "%3o%n", (unsigned *)&value, &used) == 1)
            *to++ = (char)value, p += used;
        else
            *to++ = *p == '\\' && p + 1 < end ? *++p : *p;
    }
    *to = 0;
    return text;
}

static void tokenize(const char *p)
{
    int line = 1, file = 0, system = 0, line_start = 1;
    files[file_count++] = format("<input>");
    while (*p) {
        enum kind kind;
        size_t n = 1;
        if (*p == '#' && line_start) {
            kind = MARKER;
            n = strcspn(p, "\n");
        } else if (isspace((unsigned char)*p)) {
            kind = SPACE;
            if (*p != '\n')
                while (isspace((unsigned char)p[n]) && p[n] != '\n')
                    n++;
        } else if (*p == '"' || *p == '\'') {
            kind = STRING;
            n = literal(p);
        } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
            kind = NUMBER;
            while (word_char((unsigned char)p[n]) || p[n] == '.' ||
                   (p[n] == '\'' && word_char((unsigned char)p[n + 1])) ||
                   ((p[n] == '+' || p[n] == '-') && strchr("eEpP", p[n - 1]) && p[1] != 'x'))
                n++;
        } else if (word_char((unsigned char)*p)) {
            kind = WORD;
            while (word_char((unsigned char)p[n]))
                n++;
            if (p[n] == '"' && p[n - 1] == 'R' && n <= 3)
                kind = STRING, n += raw_literal(p + n);
            else if ((p[n] == '"' || p[n] == '\'') && n <= 2 && strchr("uUL8", p[n - 1]))
                kind = STRING, n += literal(p + n);
        } else {
            kind = PUNCTUATION;
            if ((p[0] == ':' && p[1] == ':') || (p[0] == '-' && p[1] == '>'))
                n = 2;
        }
        if (count == room)
            tokens = grow(tokens, sizeof *tokens * (size_t)(room = room ? 2 * room : 1 << 16));
        char *text = grow(NULL, n + 1);
        memcpy(text, p, n);
        text[n] = 0;
        tokens[count++] = (struct token){kind, line, (short)file, (char)system, 0, 0, text, NULL};
        if (kind == MARKER) {
            int number, used = 0;
            char *name = text;
            if (sscanf(text, "# %d \"%n", &number, &used) == 1 && used) {
                name += used - 1;
                char *flags = name + literal(name);
                name = unescaped(name + 1, (size_t)(flags - name) - 2);
                line = number - 1;
                system = strchr(flags, '3') != NULL;
                for (file = 0; file < file_count && strcmp(files[file], name); file++)
                    ;
                if (file == file_count && file_count < 4096)
                    files[file_count++] = format("%s", name);
            }
        }
        for (size_t i = 0; i < n; i++)
            if (p[i] == '\n')
                line++;
        line_start = p[n - 1] == '\n' || (line_start && kind == SPACE);
        p += n;
    }
}

static int solid(int i) { return tokens[i].kind != SPACE && tokens[i].kind != MARKER; }

static int next(int i)
{
    do
        i++;
    while (i < count && !solid(i));
    return i;
}

static int previous(int i)
{
    do
        i--;
    while (i >= 0 && !solid(i));
    return i;
}

static int is(int i, const char *text)
{
    return i >= 0 && i < count && tokens[i].text && !strcmp(tokens[i].text, text);
}

static int opens(int i) { return is(i, "(") || is(i, "[") || is(i, "{"); }
static int closes(int i) { return is(i, ")") || is(i, "]") || is(i, "}"); }

/* The bracket that closes (opens) the one at i. */
static int match(int i)
{
    for (int depth = 0; i < count; i = next(i)) {
        depth += opens(i) - closes(i);
        if (depth == 0)
            return i;
    }
    return count - 1;
}

static int match_back(int i)
{
    for (int depth = 0; i >= 0; i = previous(i)) {
        depth += closes(i) - opens(i);
        if (depth == 0)
            return i;
    }
    return 0;
}

/* The > that closes the < at i, or -1 when i is a comparison. */
static int match_angle(int i)
{
    for (int depth = 0; i < count; i = next(i)) {
        if (opens(i))
            i = match(i);
        else if (is(i, ";") || closes(i))
            return -1;
        depth += is(i, "<") - is(i, ">");
        if (depth == 0)
            return i;
    }
    return -1;
}

/* Text of tokens first..last; blanks: keep them as single spaces, else drop them where that joins
 * no two words. */
static char *text_of(int first, int last, int blanks)
{
    size_t size = 1;
    for (int i = first; i <= last; i++)
        size += (tokens[i].text ? strlen(tokens[i].text) : 0) + 1;
    char *text = grow(NULL, size), *to = text;
    for (int i = first; i <= last; i++)
        if (solid(i) && tokens[i].text) {
            if (to > text && !solid(i - 1) &&
                (blanks ||
                 (word_char((unsigned char)to[-1]) && word_char((unsigned char)tokens[i].text[0]))))
                *to++ = ' ';
            to = stpcpy(to, tokens[i].text);
        }
    *to = 0;
    return text;
}

/* The text as a string literal. */
static char *quoted(const char *text)
{
    char *result = grow(NULL, 2 * strlen(text) + 3), *to = result;
    *to++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = *text;
    }
    strcpy(to, "\"");
    return result;
}

static void put_before(int i, char *text)
{
    tokens[i].before = tokens[i].before ? format("%s%s", tokens[i].before, text) : text;
}

/* Print nothing for these tokens except their line breaks. */
static void erase(int first, int last)
{
    for (int i = first; i <= last; i++)
        if (solid(i)) {
            tokens[i].text = NULL;
            tokens[i].before = NULL;
        }
}

/* ---- scopes: which tokens lie in a function's body, and in device code ---- */

static void find_scopes(void)
{
    char stack[4096] = {0}; /* bit 0: function, bit 1: device code */
    int depth = 0, device = 0;
    for (int i = 0; i < count; i++) {
        tokens[i].in_function = stack[depth] & 1;
        tokens[i].in_kernel = stack[depth] >> 1 & 1;
        if (!solid(i))
            continue;
        if (is(i, "__global__") || is(i, "__device__"))
            device = is(i, "__global__") || !is(previous(i), "__host__");
        else if (is(i, ";") && depth < 4095 && !(stack[depth] & 1))
            device = 0;
        if (is(i, "{") && depth < 4094) {
            int p = previous(i);
            int body = is(p, ")") || is(p, "const") || is(p, "noexcept") || is(p, "override") ||
                       is(p, "mutable") || (stack[depth] & 1);
            stack[depth + 1] = (char)(body | (stack[depth] & 2) | (body && device ? 2 : 0));
            depth++;
            device = 0;
        } else if (is(i, "}") && depth > 0) {
            depth--;
        }
    }
}

/* ---- kernels that the source defines ---- */

struct kernel {
    char *name;
    int parameters; /* of its template, 0 without one */
    int overloads;
    char *cluster; /* text of __cluster_dims__, or NULL */
};

static struct kernel kernels[4096];
static int kernel_count;

static struct kernel *find_kernel(const char *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernels[i].name, name))
            return &kernels[i];
    return NULL;
}

static int statement_start(int i)
{
    for (int p = previous(i); p >= 0; p = previous(p)) {
        if (is(p, ";") || is(p, "{") || is(p, "}"))
            break;
        if (is(p, ")"))
            p = match_back(p);
        i = p;
    }
    return i;
}

static int top_level_commas(int first, int last)
{
    int commas = 0, angles = 0;
    for (int i = first; i <= last; i = next(i)) {
        if (opens(i))
            i = match(i);
        angles += is(i, "<") - is(i, ">");
        commas += is(i, ",") && angles == 0;
    }
    return commas;
}

static void note_kernel(int at)
{
    char *cluster = NULL;
    int start = statement_start(at), i = start, name = -1, parameters = 0;
    if (is(i, "template") && is(next(i), "<")) {
        int end = match_angle(next(i));
        if (end > 0) {
            parameters =
                next(next(i)) == end ? 0 : 1 + top_level_commas(next(next(i)), previous(end));
            i = next(end);
        }
    }
    for (; i < count && !is(i, "{") && !is(i, ";"); i = next(i)) {
        if (is(i, "__cluster_dims__") && is(next(i), "(")) {
            int open = next(i), close = match(open);
            cluster = text_of(next(open), previous(close), 1);
            if (top_level_commas(next(open), previous(close)) < 2)
                cluster = format("%s%s", cluster,
                                 top_level_commas(next(open), previous(close)) ? ", 1" : ", 1, 1");
            erase(i, close);
            i = close;
        } else if (is(i, "__attribute__") || is(i, "alignas")) {
            i = match(next(i));
        } else if (is(i, "(")) {
            name = previous(i);
            break;
        }
    }
    if (name < 0 || tokens[name].kind != WORD || kernel_count == 4096)
        return;
    struct kernel *k = find_kernel(tokens[name].text);
    if (k) {
        k->overloads += k->parameters != parameters;
        k->cluster = cluster ? cluster : k->cluster;
        return;
    }
    kernels[kernel_count++] = (struct kernel){tokens[name].text, parameters, 0, cluster};
}

/* ---- launches ---- */

/* First token of the expression that ends at i: a name with template arguments, scopes, members
 * and subscripts. */
static int expression_start(int i)
{
    for (;;) {
        if (is(i, ")") || is(i, "]")) {
            int open = match_back(i);
            if (is(i, ")") && !(solid(previous(open)) && tokens[previous(open)].kind == WORD))
                i = open;
            else {
                i = previous(open);
                continue;
            }
        } else if (is(i, ">")) {
            int depth = 0;
            for (; i >= 0; i = previous(i)) {
                if (closes(i))
                    i = match_back(i);
                depth += is(i, ">") - is(i, "<");
                if (depth == 0)
                    break;
            }
            i = previous(i);
            continue;
        }
        int p = previous(i);
        if (is(p, "::") || is(p, ".") || is(p, "->")) {
            int q = previous(p);
            if (is(p, "::") && !(tokens[q].kind == WORD || is(q, ">")))
                return p; /* leading :: */
            if (is(p, "::") && is(q, "return"))
                return p;
            i = q;
        } else if (is(p, "template")) {
            i = previous(p);
        } else {
            return i;
        }
    }
}

/* Whether the expression names one function: not an overloaded one, nor a template some of whose
 * arguments follow from the call. */
static int names_one_function(int first, int last)
{
    int given = -1, end = last;
    if (is(last, ">")) {
        int open = first;
        while (open < last && !is(open, "<"))
            open = next(open);
        given = next(open) == last ? 0 : 1 + top_level_commas(next(open), previous(last));
        end = previous(open);
    }
    struct kernel *k = find_kernel(tokens[end].text);
    return !k || !(k->overloads || (given < 0 ? k->parameters > 0 : given < k->parameters));
}

static void rewrite_launch(int open) /* at the first < of <<< */
{
    int last = previous(open), first = expression_start(last);
    int config = next(open + 2), close = config;
    if (tokens[open].in_kernel)
        refuse(open, "a launch from device code (dynamic parallelism) is not supported");
    for (; close < count; close = next(close)) {
        if (opens(close))
            close = match(close);
        else if (is(close, ">") && is(close + 1, ">") && is(close + 2, ">") &&
                 is(next(close + 2), "("))
            break;
        else if (is(close, ";"))
            close = count;
    }
    if (close >= count) {
        refuse(open, "cannot read this launch: no >>> follows");
        return;
    }
    int arguments = next(close + 2), end = match(arguments);
    char *text = text_of(first, last, 1), *name = quoted(text_of(first, last, 0));
    int one = names_one_function(first, last);
    int base = last;
    if (is(last, ">"))
        for (base = first; base < last && !is(next(base), "<"); base = next(base))
            ;
    struct kernel *k = find_kernel(tokens[base].text ? tokens[base].text : "");
    const char *cluster = k && k->cluster ? k->cluster : "1, 1, 1";
    erase(first, last);
    erase(open, open + 2);
    erase(close, close + 2);
    put_before(first, format("cpucc_launch%s(%s, %s, cpucc_configure(", one ? "" : "_deduced", name,
                             cluster));
    /* What goes between the configuration and the arguments replaces their opening bracket. */
    tokens[arguments].text = one ? format("), %s)(", text)
                                 : format("), [&](auto &...cpucc_a) { %s(cpucc_a...); }%s", text,
                                          next(arguments) == end ? "" : ", ");
}

static void rewrite_launch_call(int at, int position)
{
    int open = next(at), first = next(open), last;
    if (!is(open, "(") || is(previous(at), "::"))
        return;
    for (int i = first; position > 0; i = next(i)) {
        if (opens(i))
            i = match(i);
        if (is(i, ",")) {
            position--;
            first = next(i);
        }
    }
    int skip = first;
    if (is(skip, "(")) { /* (void *)kernel, (const void *)kernel */
        int close = match(skip);
        if (is(previous(close), "*") && (is(next(skip), "void") || is(next(skip), "const"))) {
            erase(skip, close);
            skip = next(close);
        }
    } else if (is(skip, "reinterpret_cast") || is(skip, "static_cast")) {
        int close = match_angle(next(skip));
        if (close > 0) {
            erase(skip, close);
            skip = next(close);
        }
    }
    int angles = 0;
    for (last = skip; last < count; last = next(last)) {
        if (opens(last))
            last = match(last);
        int after = next(last);
        angles += is(last, "<") - is(last, ">");
        if (closes(after) || (is(after, ",") && angles == 0))
            break;
    }
    char *name = quoted(text_of(is(skip, "&") ? next(skip) : skip, last, 0));
    tokens[at].text = format("cpucc_%s", tokens[at].text);
    tokens[open].text = format("(%s, ", name);
}

/* ---- variables ---- */

static void rewrite_shared(int at)
{
    int start = statement_start(at), end = at, external = 0;
    while (end < count && !is(end, ";")) {
        if (opens(end))
            end = match(end);
        end = next(end);
    }
    /* Take the specifiers apart: alignment, base type, declarators. */
    char *align = format(""), *base = format("");
    int name = -1, angles = 0;
    int i = start;
    for (; i < end; i = next(i)) {
        int n = next(i);
        if (is(i, "alignas") || is(i, "__attribute__") || is(i, "__attribute")) {
            align = format("%s %s", align, text_of(i, match(n), 1));
            i = match(n);
        } else if (is(i, "static") || is(i, "__shared__") || is(i, "extern")) {
            external |= is(i, "extern");
        } else if (angles == 0 && tokens[i].kind == WORD &&
                   (is(n, "[") || is(n, ",") || is(n, ";") || is(n, "=") || is(n, "(") ||
                    is(n, "{")) &&
                   base[0] && !is(i, "struct") && !is(i, "union") && !is(i, "class") &&
                   !is(i, "decltype") && !is(i, "typeof") && !is(i, "__typeof__")) {
            name = i;
            break;
        } else if (opens(i)) {
            base = format("%s %s", base, text_of(i, match(i), 1));
            i = match(i);
        } else {
            angles += is(i, "<") - is(i, ">");
            base = format("%s %s", base, tokens[i].text);
        }
    }
    if (name < 0) {
        refuse(at, "cannot read this __shared__ declaration");
        return;
    }
    if (!tokens[at].in_function && !external) {
        refuse(at, "the __shared__ variable '%s' outside a function is not supported",
               tokens[name].text);
        return;
    }
    char *result = format("");
    for (i = name; i < end;) {
        const char *id = tokens[i].text;
        int dims = next(i), after = dims;
        while (is(after, "["))
            after = next(match(after));
        char *shape = dims == after ? format("") : text_of(dims, previous(after), 1);
        if (is(after, "=") || is(after, "{") || is(after, "(")) {
            refuse(i, "the __shared__ variable '%s' must not have an initializer", id);
            return;
        }
        if (!tokens[at].in_function)
            result = format("%sstatic const cpucc_dynamic_array<%s> %s;", result, base, id);
        else if (external)
            result = format("%s%s (&%s)%s = *(%s (*)%s)cpucc_dynamic_shared();", result, base, id,
                            shape, base, shape);
        else
            result = format("%sstruct%s cpucc_A_%s { char c; }; typedef%s cpucc_T_%s%s; "
                            "static cpucc_site cpucc_S_%s = {\"%s\", 0, 0}; "
                            "cpucc_T_%s &%s = *(cpucc_T_%s *)cpucc_shared(&cpucc_S_%s, "
                            "sizeof(cpucc_T_%s), alignof(cpucc_A_%s) > alignof(cpucc_T_%s) ? "
                            "alignof(cpucc_A_%s) : alignof(cpucc_T_%s));",
                            result, align, id, base, id, shape, id, id, id, id, id, id, id, id, id,
                            id, id);
        if (!is(after, ","))
            break;
        i = next(after);
        while (is(i, "*"))
            i = next(i);
    }
    /* __attribute__((unused)) keeps compilers quiet about what only sizeof uses */
    erase(start, previous(end));
    put_before(start, result);
}

/* __device__, __constant__ and __managed__: variables go to a section that the runtime knows. */
static void rewrite_space(int at)
{
    int i = next(at), angles = 0, constant = 0;
    for (int p = previous(at); p >= 0 && tokens[p].kind == WORD; p = previous(p))
        constant |= is(p, "const") || is(p, "constexpr");
    for (; i < count; i = next(i)) {
        if (is(i, "__attribute__") || is(i, "alignas") || is(i, "decltype") || is(i, "noexcept") ||
            is(i, "__launch_bounds__")) {
            i = match(next(i));
            continue;
        }
        if (is(i, "(") || is(i, "operator"))
            break; /* a function */
        constant |= (is(i, "const") && !is(next(i), "*")) || is(i, "constexpr");
        if (is(i, "*"))
            constant = 0;
        if (is(i, "__shared__") || is(i, "__device__"))
            break;
        angles += is(i, "<") - is(i, ">");
        if (angles <= 0 && (is(i, ";") || is(i, "=") || is(i, "[") || is(i, "{"))) {
            if (constant) /* the compiler puts it where nothing writes */
                tokens[at].text = NULL;
            else
                tokens[at].text =
                    format("__attribute__((used, section(\"%s\")))",
                           is(at, "__constant__") ? "cpucc_constant" : "cpucc_device");
            return;
        }
    }
    tokens[at].text = NULL;
}

static const char *const unsupported[] = {
    "asm", "__asm__", "__asm", "texture", "surface", "__nv_tex_surf_handler", NULL};

static void rewrite(void)
{
    for (int i = 0; i < count; i++)
        if (tokens[i].kind == WORD && is(i, "__global__"))
            note_kernel(i);
    for (int i = 0; i < count; i++) {
        if (!solid(i) || !tokens[i].text)
            continue;
        if (is(i, "<") && is(i + 1, "<") && is(i + 2, "<"))
            rewrite_launch(i);
        if (tokens[i].kind != WORD)
            continue;
        if (is(i, "__global__"))
            tokens[i].text = format("__attribute__((noinline))");
        else if (is(i, "__noinline__") && !is(previous(i), "(") && !is(previous(i), ","))
            tokens[i].text = format("__attribute__((noinline))");
        else if (is(i, "__shared__"))
            rewrite_shared(i);
        else if (is(i, "__device__") || is(i, "__constant__") || is(i, "__managed__"))
            rewrite_space(i);
        else if (is(i, "cudaLaunchKernelEx"))
            rewrite_launch_call(i, 1);
        else if (is(i, "cudaLaunchKernel") || is(i, "cudaLaunchCooperativeKernel"))
            rewrite_launch_call(i, 0);
        else if (!tokens[i].system)
            for (const char *const *u = unsupported; *u; u++)
                if (is(i, *u) && (is(next(i), "(") || is(next(i), "volatile") || is(next(i), "<")))
                    refuse(i, "'%s' is not supported%s", *u,
                           strstr(*u, "asm") ? ": inline PTX has no meaning on a CPU" : "");
    }
}

int main(void)
{
    size_t size = 0, room_for = 1 << 20, n;
    char *text = grow(NULL, room_for + 1);
    while ((n = fread(text + size, 1, room_for - size, stdin)) > 0) {
        size += n;
        if (size == room_for)
            text = grow(text, (room_for *= 2) + 1);
    }
    text[size] = 0;
    tokenize(text);
    find_scopes();
    rewrite();
    if (failed)
        return 1;
    for (int i = 0; i < count; i++) {
        if (tokens[i].before)
            fputs(tokens[i].before, stdout);
        if (tokens[i].text)
            fputs(tokens[i].text, stdout);
    }
    return fflush(stdout) || ferror(stdout);
}
