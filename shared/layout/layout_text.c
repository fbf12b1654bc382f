/* Parses and prints CuTe's notation. The grammar is in layout.h. */
#include "layout_internal.h"

#include <stdio.h>
#include <string.h>

struct parser {
    const char *text, *at;
    struct layout_error *error;
};

/* Fills the error with the position `at` and a message; returns false. */
static bool reject(struct parser *p, const char *at, const char *what)
{
    layout_fail(p->error, 0, -1, "%s", what);
    if (p->error)
        p->error->offset = (int)(at - p->text);
    return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Skips blanks and returns the next symbol. */
static char peek(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        ++p->at;
    return *p->at;
}

static bool accept(struct parser *p, char symbol)
{
    if (peek(p) != symbol)
        return false;
    ++p->at;
    return true;
}

static bool accept_word(struct parser *p, const char *word)
{
    size_t length = strlen(word);

    peek(p);
    if (strncmp(p->at, word, length) != 0)
        return false;
    p->at += length;
    return true;
}

/* Parses decimal digits as an integer up to LAYOUT_MAX_INT. */
static bool parse_integer(struct parser *p, int64_t *value)
{
    const char *start;
    int64_t number = 0;

    if (peek(p) == '-')
        return reject(p, p->at, "negative integers are not allowed here");
    start = p->at;
    if (*p->at == '_' && is_digit(p->at[1])) /* CuTe prints a compile-time 8 as _8 */
        ++p->at;
    if (!is_digit(*p->at))
        return reject(p, start,
                      *start ? "expected an integer or '('"
                             : "the text ends where an integer or '(' is expected");
    for (; is_digit(*p->at); ++p->at)
        if (!layout_multiply(number, 10, &number) || !layout_add(number, *p->at - '0', &number))
            return reject(p, start, "overflow: the integer exceeds 2^62");
    *value = number;
    return true;
}

/* Appends a node to a tuple. */
static bool add_node(struct parser *p, struct int_tuple *tuple, const char *at, int64_t value)
{
    if (tuple->nodes == LAYOUT_MAX_NODES)
        return reject(p, at, "too many integers and parentheses for one tuple (64 at most)");
    tuple->rank[tuple->nodes] = 0;
    tuple->value[tuple->nodes++] = value;
    return true;
}

static bool parse_tuple(struct parser *p, struct int_tuple *tuple, int depth, bool with_all)
{
    int64_t value = 0;
    const char *start;
    int node = tuple->nodes;

    peek(p);
    start = p->at;
    if (with_all && *start == '_' && !is_digit(start[1])) {
        ++p->at;
        return add_node(p, tuple, start, LAYOUT_ALL);
    }
    if (!accept(p, '('))
        return parse_integer(p, &value) && add_node(p, tuple, start, value);
    if (depth == LAYOUT_MAX_DEPTH)
        return reject(p, start, "parentheses nest too deep (16 at most)");
    if (!add_node(p, tuple, start, 0))
        return false;
    if (peek(p) == ')')
        return reject(p, p->at, "empty parentheses");
    do {
        if (!parse_tuple(p, tuple, depth + 1, with_all))
            return false;
        ++tuple->rank[node];
    } while (accept(p, ','));
    if (!accept(p, ')'))
        return reject(p, p->at, *p->at ? "expected ',' or ')'" : "the text ends before a ')'");
    return true;
}

/* Parses tuple [ ":" tuple ] as a checked layout. Sets *strided to true if the text has a stride. */
static bool parse_plain(struct parser *p, struct layout *layout, bool *strided)
{
    struct int_tuple shape, stride;
    struct layout_error why;
    const char *start, *second;

    memset(&shape, 0, sizeof shape);
    memset(&stride, 0, sizeof stride);
    peek(p);
    start = second = p->at;
    if (!parse_tuple(p, &shape, 0, false))
        return false;
    *strided = accept(p, ':');
    if (*strided) {
        peek(p);
        second = p->at;
        if (!parse_tuple(p, &stride, 0, false))
            return false;
        if (layout_make(&shape, &stride, layout, &why))
            return true;
    } else if (layout_column_major(&shape, layout, &why)) {
        return true;
    }
    /* Point at the symbol of the failing node: nodes correspond to '(' and integers in order. Point
     * at the stride if the error is about a stride. */
    if (strstr(why.message, "stride") || strstr(why.message, "offset"))
        start = second;
    for (int node = 0; node < why.node; ++node) {
        start += is_digit(*start) || *start == '_' ? strspn(start, "_0123456789") : 1;
        start += strcspn(start, "(0123456789_");
    }
    return reject(p, start, why.message);
}

static bool parse_small(struct parser *p, int *value)
{
    bool negative = accept(p, '-');
    int64_t number;

    if (!parse_integer(p, &number))
        return false;
    if (number > 62)
        return reject(p, p->at - 1, "a swizzle reaches beyond bit 61");
    *value = negative ? -(int)number : (int)number;
    return true;
}

static bool parse_swizzle(struct parser *p, struct swizzle *swizzle)
{
    static const struct layout unit = {.shape = {.nodes = 1, .value = {1}}, .stride = {.nodes = 1}};
    struct layout_error why;
    struct layout checked;
    const char *start;

    peek(p);
    start = p->at;
    if (!accept_word(p, "Swizzle") && !accept_word(p, "Sw"))
        return reject(p, p->at, "expected Sw<bits,base,shift>");
    if (!accept(p, '<'))
        return reject(p, p->at, "expected '<'");
    if (!parse_small(p, &swizzle->bits))
        return false;
    if (!accept(p, ','))
        return reject(p, p->at, "expected ','");
    if (!parse_small(p, &swizzle->base))
        return false;
    if (!accept(p, ','))
        return reject(p, p->at, "expected ','");
    if (!parse_small(p, &swizzle->shift))
        return false;
    if (!accept(p, '>'))
        return reject(p, p->at, "expected '>'");
    if (!layout_swizzle(*swizzle, &unit, &checked, &why))
        return reject(p, start, why.message);
    *swizzle = checked.swizzle; /* all zero if bits is 0 */
    return true;
}

static bool at_end(struct parser *p)
{
    if (peek(p))
        return reject(p, p->at, "unexpected text after the end");
    return true;
}

bool layout_parse(const char *text, struct layout *result, struct layout_error *error)
{
    struct parser p = {text, text, error};
    struct swizzle swizzle = {0, 0, 0};
    struct layout made;
    int64_t offset = 0;
    bool strided;

    if (peek(&p) == 'S') {
        if (!parse_swizzle(&p, &swizzle))
            return false;
        if (!accept(&p, 'o') || !parse_integer(&p, &offset) || !accept(&p, 'o'))
            return reject(&p, p.at, "expected `o OFFSET o LAYOUT` after a swizzle");
    }
    if (!parse_plain(&p, &made, &strided) || !at_end(&p))
        return false;
    made.swizzle = swizzle;
    made.offset = offset;
    if (!layout_finish(&made, error)) {
        if (error)
            error->offset = 0;
        return false;
    }
    *result = made;
    return true;
}

bool layout_parse_swizzle(const char *text, struct swizzle *result, struct layout_error *error)
{
    struct parser p = {text, text, error};
    struct swizzle made;

    if (!parse_swizzle(&p, &made) || !at_end(&p))
        return false;
    *result = made;
    return true;
}

bool layout_parse_coordinate(const char *text, struct int_tuple *result, struct layout_error *error)
{
    struct parser p = {text, text, error};
    struct int_tuple made;

    memset(&made, 0, sizeof made);
    if (!parse_tuple(&p, &made, 0, true) || !at_end(&p))
        return false;
    *result = made;
    return true;
}

/* ---- tilers ------------------------------------------------------------------------------ */

/* Appends the nodes of `from`, all of one kind. */
static bool append(struct parser *p, struct tiler *tiler, const struct layout *from,
                   enum tiler_kind kind, const char *at)
{
    int first = tiler->layout.shape.nodes;

    if (!layout_put_tree(&tiler->layout, from, 0, NULL))
        return reject(p, at, "too many integers and parentheses for one tiler (64 at most)");
    for (int i = first; i < tiler->layout.shape.nodes; ++i)
        tiler->kind[i] = (unsigned char)kind;
    return true;
}

static bool parse_tiler(struct parser *p, struct tiler *tiler, int depth);

/* Parses the elements of a by-mode tiler, behind its opening symbol, and the closing symbol. */
static bool parse_modes(struct parser *p, struct tiler *tiler, int depth, char closing)
{
    int node = tiler->layout.shape.nodes;

    if (depth == LAYOUT_MAX_DEPTH)
        return reject(p, p->at - 1, "parentheses nest too deep (16 at most)");
    if (!layout_put_tuple(&tiler->layout, 0, NULL))
        return reject(p, p->at - 1, "too many integers and parentheses for one tiler");
    tiler->kind[node] = TILER_BY_MODE;
    if (peek(p) == closing)
        return reject(p, p->at, "empty parentheses");
    do {
        if (!parse_tiler(p, tiler, depth + 1))
            return false;
        ++tiler->layout.shape.rank[node];
        ++tiler->layout.stride.rank[node];
    } while (accept(p, ','));
    if (!accept(p, closing))
        return reject(p, p->at, closing == '>' ? "expected ',' or '>'" : "expected ',' or ')'");
    return true;
}

static bool parse_tiler(struct parser *p, struct tiler *tiler, int depth)
{
    struct layout plain;
    struct parser ahead;
    const char *start;
    bool strided;

    peek(p);
    start = p->at;
    if (*start == '_' && !is_digit(start[1])) {
        ++p->at;
        layout_begin(&plain);
        layout_put_mode(&plain, 1, 0, NULL);
        return append(p, tiler, &plain, TILER_SKIP, start);
    }
    if (accept(p, '<'))
        return parse_modes(p, tiler, depth, '>');
    /* A tuple followed by ':' is a layout; any other tuple (which can contain `_`) is a tiler by mode. */
    if (*start == '(') {
        struct int_tuple skipped;
        ahead = *p;
        ahead.error = NULL;
        memset(&skipped, 0, sizeof skipped);
        if (parse_tuple(&ahead, &skipped, depth, true) && peek(&ahead) != ':') {
            ++p->at;
            return parse_modes(p, tiler, depth, ')');
        }
    }
    if (!parse_plain(p, &plain, &strided))
        return false;
    return append(p, tiler, &plain, TILER_LAYOUT, start);
}

bool layout_parse_tiler(const char *text, struct tiler *result, struct layout_error *error)
{
    struct parser p = {text, text, error};
    struct tiler made;

    memset(&made, 0, sizeof made);
    if (!parse_tiler(&p, &made, 0) || !at_end(&p))
        return false;
    if (!layout_finish(&made.layout, error)) {
        if (error)
            error->offset = 0;
        return false;
    }
    *result = made;
    return true;
}

void layout_as_tiler(const struct layout *layout, struct tiler *result)
{
    struct tiler made;

    memset(&made, 0, sizeof made);
    made.layout = *layout;
    *result = made;
}

/* ---- printing ---------------------------------------------------------------------------- */

/* A buffer that is written like snprintf's: `length` also counts the characters that did not fit. */
struct writer {
    char *text;
    size_t size;
    int length;
};

static void write_text(struct writer *w, const char *piece)
{
    for (; *piece; ++piece, ++w->length)
        if ((size_t)w->length + 1 < w->size)
            w->text[w->length] = *piece;
}

static void write_integer(struct writer *w, int64_t value)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%lld", (long long)value);
    write_text(w, digits);
}

static int write_tuple(struct writer *w, const struct int_tuple *tuple, int node)
{
    int elements = tuple->rank[node];

    if (!elements) {
        if (tuple->value[node] == LAYOUT_ALL)
            write_text(w, "_");
        else
            write_integer(w, tuple->value[node]);
        return node + 1;
    }
    ++node;
    for (int i = 0; i < elements; ++i) {
        write_text(w, i ? "," : "(");
        node = write_tuple(w, tuple, node);
    }
    write_text(w, ")");
    return node;
}

static int finish(struct writer *w)
{
    if (w->size)
        w->text[(size_t)w->length < w->size ? (size_t)w->length : w->size - 1] = '\0';
    return w->length;
}

int int_tuple_print(const struct int_tuple *tuple, char *text, size_t size)
{
    struct writer w = {text, size, 0};

    write_tuple(&w, tuple, 0);
    return finish(&w);
}

int layout_print(const struct layout *layout, char *text, size_t size)
{
    struct writer w = {text, size, 0};

    if (!layout_is_plain(layout)) {
        const int *numbers[] = {&layout->swizzle.bits, &layout->swizzle.base,
                                &layout->swizzle.shift};
        for (int i = 0; i < 3; ++i) {
            write_text(&w, i ? "," : "Sw<");
            write_integer(&w, *numbers[i]);
        }
        write_text(&w, "> o ");
        write_integer(&w, layout->offset);
        write_text(&w, " o ");
    }
    write_tuple(&w, &layout->shape, 0);
    write_text(&w, ":");
    write_tuple(&w, &layout->stride, 0);
    return finish(&w);
}
