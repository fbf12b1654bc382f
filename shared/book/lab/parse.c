/* Turns the tokens of an exercise into nodes, by recursive descent. */
#include "token.h"
#include <stdlib.h>
#include <string.h>

static struct lab_node nodes[LAB_NODES];
static struct lab_symbol symbols[LAB_SYMBOLS];
static int node_count, symbol_count;
static int nesting; /* of expressions and statements */

static struct lab_node *expression(void);
static struct lab_node *assignment(void);
static struct lab_node *statement(void);

/* ---- nodes and symbols ------------------------------------------------------------------- */

static struct lab_node *node(enum lab_kind kind, int op, struct lab_node *a, struct lab_node *b)
{
    if (node_count == LAB_NODES)
        lab_stop(tok.line, "the program is too long for the lab");
    nodes[node_count] = (struct lab_node){.kind = kind, .line = tok.line, .op = op, .a = a, .b = b};
    return &nodes[node_count++];
}

struct lab_symbol *lab_symbol(const char *name)
{
    if (symbol_count == LAB_SYMBOLS)
        lab_stop(tok.line, "there are too many names for the lab");
    struct lab_symbol *symbol = &symbols[symbol_count++];
    *symbol = (struct lab_symbol){.bytes = 8};
    strcpy(symbol->name, name);
    return symbol;
}

static struct lab_symbol *find(const char *name)
{
    for (int i = symbol_count - 1; i >= 0; --i)
        if (!symbols[i].hidden && strcmp(symbols[i].name, name) == 0)
            return &symbols[i];
    return NULL;
}

/* Hides the names declared since there were `outer`. */
static void leave_scope(int outer)
{
    for (int i = outer; i < symbol_count; ++i)
        symbols[i].hidden = true;
}

/* If a type begins here, takes it with its stars: returns the bytes of its values, or of what it points to; else 0. */
static int type(void)
{
    static const struct {
        const char *name;
        int bytes;
    } types[] = {
        {"float", 4},     {"double", 8},   {"char", 1},     {"short", 2},   {"int", 4},
        {"unsigned", 4},  {"size_t", 8},   {"bool", 1},     {"uint8_t", 1}, {"int4", 16},
        {"uint16_t", 2},  {"__half", 2},   {"int64_t", 8},  {"float2", 8},  {"float4", 16},
        {"long", 8},      {"uint32_t", 4}, {"uint64_t", 8}, {"void", 1},    {"double2", 16},
        {"ptrdiff_t", 8}, {"uint4", 16},   {"uint2", 8},    {"int2", 8},    {"uchar4", 4}};
    int bytes = 0;
    for (bool more = true; more;) {
        more = false;
        while (is("const") || is("static") || is("inline") || is("constexpr") || is("__device__") ||
               is("signed") || is("__forceinline__") || is("__restrict__"))
            next();
        for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
            if (tok.sort == NAME && is(types[i].name)) {
                bytes = types[i].bytes;
                more = true;
                next();
                break;
            }
    }
    while (bytes && (is("*") || is("const") || is("__restrict__")))
        next();
    return bytes;
}

/* ---- expressions ------------------------------------------------------------------------- */

static struct lab_node *list(const char *end)
{
    struct lab_node *first = NULL, **last = &first;
    while (!take(end)) {
        *last = assignment();
        last = &(*last)->next;
        if (!is(end))
            need(",");
    }
    return first;
}

static struct lab_node *builtin(void)
{
    static const char names[][10] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    for (int i = 0; i < 4; ++i)
        if (is(names[i])) {
            struct lab_node *made = node(LAB_BUILTIN, 0, NULL, NULL);
            next();
            need(".");
            made->op = 3 * i + tok.text[0] - 'x';
            if (made->op < 3 * i || made->op > 3 * i + 2 || tok.text[1])
                lab_stop(tok.line, "'.%s' is not known", tok.text);
            next();
            return made;
        }
    return NULL;
}

static struct lab_node *primary(void)
{
    struct lab_node *made = builtin();
    if (made)
        return made;
    if (tok.sort == NUMBER) {
        made = node(LAB_NUMBER, 0, NULL, NULL);
        made->value = tok.number;
        next();
    } else if (take("(")) {
        made = expression();
        need(")");
    } else if (take("sizeof")) {
        need("(");
        made = node(LAB_NUMBER, 0, NULL, NULL);
        made->value = type();
        if (!made->value)
            lab_stop(tok.line, "the lab knows sizeof of a type only");
        need(")");
    } else if (tok.sort == NAME) {
        if (strspn(tok.text, "_") == strlen(tok.text))
            lab_stop(tok.line, "a blank is still to be filled in");
        made = node(LAB_NAME, 0, NULL, NULL);
        made->symbol = find(tok.text);
        if (!made->symbol)
            lab_stop(tok.line, "the lab does not know '%s'", tok.text);
        next();
    } else
        lab_stop(tok.line, "an expression is expected before '%s'",
                 tok.sort == END ? "the end" : tok.text);
    return made;
}

static struct lab_node *postfix(void)
{
    struct lab_node *made = primary();
    for (;;) {
        if (is("[")) {
            struct lab_node **last;
            made = node(LAB_INDEX, 0, made, NULL);
            last = &made->b;
            while (take("[")) {
                *last = expression();
                last = &(*last)->next;
                need("]");
            }
        } else if (made->kind == LAB_NAME && take("(")) {
            made->kind = LAB_CALL;
            made->a = list(")");
        } else if (is("++") || is("--")) {
            made = node(LAB_STEP, 1, made, NULL);
            made->value = tok.text[0] == '+' ? 1 : -1;
            next();
        } else if (is(".") || is("->"))
            lab_stop(tok.line, "the lab does not know members of structures");
        else
            return made;
    }
}

/* Stops where expressions or statements are nested too deeply. */
static void deeper(void)
{
    if (++nesting > 200)
        lab_stop(tok.line, "this is nested too deeply for the lab");
}

static struct lab_node *unary(void);

static struct lab_node *one_operand(void)
{
    struct lab_node *made;
    if (is("-") || is("!") || is("~") || is("+")) {
        made = node(LAB_UNARY, tok.text[0], NULL, NULL);
        next();
        made->a = unary();
        return made;
    }
    if (is("++") || is("--")) {
        made = node(LAB_STEP, 0, NULL, NULL);
        made->value = tok.text[0] == '+' ? 1 : -1;
        next();
        made->a = unary();
        return made;
    }
    if (is("*") || is("&"))
        lab_stop(tok.line, "the lab knows p[i], not *p and &p");
    if (is("(")) { /* a cast changes nothing here, unless it is one of a pointer */
        const char *back = tok.at;
        const int back_line = tok.line;
        next();
        if (type()) {
            for (const char *c = back; c < tok.at; ++c)
                if (*c == '*')
                    lab_stop(tok.line, "the lab does not know casts of pointers");
            need(")");
            return unary();
        }
        tok.at = back;
        tok.line = back_line;
        strcpy(tok.text, "(");
        tok.sort = SIGN;
    }
    return postfix();
}

static struct lab_node *unary(void)
{
    deeper();
    struct lab_node *made = one_operand();
    --nesting;
    return made;
}

/* The operators of one character stand for themselves; the longer ones: L << R >> l <= g >= e == n != a && o ||. */
static int binary(int *strength)
{
    static const struct {
        const char *sign;
        int op, strength;
    } all[] = {{"*", '*', 10}, {"/", '/', 10}, {"%", '%', 10}, {"+", '+', 9}, {"-", '-', 9},
               {"<<", 'L', 8}, {">>", 'R', 8}, {"<", '<', 7},  {">", '>', 7}, {"<=", 'l', 7},
               {">=", 'g', 7}, {"==", 'e', 6}, {"!=", 'n', 6}, {"&", '&', 5}, {"^", '^', 4},
               {"|", '|', 3},  {"&&", 'a', 2}, {"||", 'o', 1}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (is(all[i].sign)) {
            *strength = all[i].strength;
            return all[i].op;
        }
    return 0;
}

static struct lab_node *operation(int least)
{
    struct lab_node *left = unary();
    for (;;) {
        int strength = 0;
        const int op = binary(&strength);
        if (!op || strength < least)
            return left;
        next();
        left = node(LAB_BINARY, op, left, NULL);
        left->b = operation(strength + 1);
    }
}

static struct lab_node *assignment(void)
{
    struct lab_node *left = operation(1);
    if (take("?")) {
        left = node(LAB_CHOICE, 0, left, NULL);
        left->b = assignment();
        need(":");
        left->c = assignment();
        return left;
    }
    const size_t length = strlen(tok.text);
    if (tok.sort == SIGN && tok.text[length - 1] == '=' && !is("==") && !is("<=") && !is(">=") &&
        !is("!=")) {
        const int op = length == 1   ? 0
                       : length == 3 ? (tok.text[0] == '<' ? 'L' : 'R')
                                     : tok.text[0];
        next();
        left = node(LAB_ASSIGN, op, left, NULL);
        left->b = assignment();
    }
    return left;
}

static struct lab_node *expression(void)
{
    struct lab_node *made = assignment();
    while (take(","))
        made = node(LAB_BINARY, ',', made, assignment());
    return made;
}

/* ---- declarations and statements --------------------------------------------------------- */

/* Declares a name of this type; takes its subscripts. */
static struct lab_symbol *declare(int bytes, int how)
{
    struct lab_symbol *symbol;
    if (tok.sort != NAME)
        lab_stop(tok.line, "a name is expected before '%s'", tok.text);
    symbol = lab_symbol(tok.text);
    symbol->sort = how;
    symbol->bytes = bytes;
    next();
    while (take("[")) {
        if (symbol->rank == 3)
            lab_stop(tok.line, "the array has too many dimensions");
        symbol->size[symbol->rank++] = expression();
        need("]");
    }
    return symbol;
}

static struct lab_node *declarations(int bytes, int how)
{
    struct lab_node *first = NULL, **last = &first;
    do {
        while (take("*"))
            ;
        *last = node(LAB_DECLARE, 0, NULL, NULL);
        (*last)->symbol = declare(bytes, how);
        if (how == LAB_GRID) {
            need("(");
            (*last)->a = list(")");
        } else if (take("="))
            (*last)->a = assignment();
        last = &(*last)->next;
    } while (take(","));
    need(";");
    struct lab_node *made = node(LAB_BLOCK, 0, first, NULL);
    return made;
}

static struct lab_node *block(void)
{
    struct lab_node *made = node(LAB_BLOCK, 0, NULL, NULL), **last = &made->a;
    const int outer = symbol_count;
    deeper();
    while (!take("}")) {
        if (tok.sort == END)
            lab_stop(tok.line, "a '}' is missing");
        *last = statement();
        last = &(*last)->next;
    }
    leave_scope(outer);
    --nesting;
    return made;
}

static struct lab_node *launch(struct lab_node *made)
{
    made->kind = LAB_LAUNCH;
    made->a = assignment();
    need(",");
    made->b = assignment();
    while (take(",")) { /* dynamic shared memory, stream */
        made->d = assignment();
        if (made->d->kind != LAB_NUMBER || made->d->value)
            lab_stop(tok.line, "the lab does not know dynamic shared memory");
    }
    need(">>>");
    need("(");
    made->c = list(")");
    return made;
}

static struct lab_node *statement(void)
{
    struct lab_node *made;
    int bytes;
    if (take("{"))
        return block();
    if (take(";"))
        return node(LAB_EMPTY, 0, NULL, NULL);
    if (is("if")) {
        made = node(LAB_IF, 0, NULL, NULL);
        next();
        need("(");
        made->a = expression();
        need(")");
        made->b = statement();
        if (take("else"))
            made->c = statement();
        return made;
    }
    if (is("for") || is("while")) {
        const bool counted = is("for");
        const int outer = symbol_count;
        made = node(LAB_FOR, 0, NULL, NULL);
        next();
        need("(");
        if (counted) {
            made->a = statement();
            made->b = is(";") ? NULL : expression();
            need(";");
            made->c = is(")") ? NULL : expression();
        } else
            made->b = expression();
        need(")");
        made->d = statement();
        leave_scope(outer);
        return made;
    }
    if (take("return")) {
        made = node(LAB_RETURN, 0, is(";") ? NULL : expression(), NULL);
        need(";");
        return made;
    }
    if (take("__shared__")) {
        if (!(bytes = type()))
            lab_stop(tok.line, "the lab does not know the type '%s'", tok.text);
        return declarations(bytes, LAB_SHARED);
    }
    if (take("dim3"))
        return declarations(4, LAB_GRID);
    if ((bytes = type()))
        return declarations(bytes, LAB_LOCAL);
    made = expression();
    if (made->kind == LAB_NAME && take("<<<"))
        made = launch(made);
    need(";");
    return made;
}

static void function(struct lab_symbol *made)
{
    const int outer = symbol_count;
    while (!take(")")) {
        const int bytes = type();
        if (!bytes || made->parameters == 8)
            lab_stop(tok.line, "the lab does not know the parameter '%s'", tok.text);
        made->parameter[made->parameters++] = declare(bytes, LAB_LOCAL);
        if (!is(")"))
            need(",");
    }
    need("{");
    made->body = block();
    leave_scope(outer);
}

struct lab_symbol *lab_parse(const char *source)
{
    static const char *const known[] = {"tiles", "row_major",     "swizzle",   "min",
                                        "max",   "__syncthreads", "__syncwarp"};
    struct lab_symbol *entry = NULL;
    node_count = symbol_count = nesting = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        struct lab_symbol *symbol = lab_symbol(known[i]);
        symbol->sort = LAB_FUNCTION;
        symbol->slot = (int)i;
    }
    tok.at = source;
    tok.line = 1;
    for (next(); tok.sort != END;) {
        if (take("EXERCISE")) {
            need("(");
            entry = find(tok.text);
            next();
            need(")");
            continue;
        }
        if (take("static_assert")) {
            while (tok.sort != END && !take(";"))
                next();
            continue;
        }
        while (is("static") || is("inline"))
            next();
        const bool kernel = take("__global__"), constant = is("constexpr") || is("const");
        const int bytes = type();
        if (!bytes || tok.sort != NAME)
            lab_stop(tok.line, "the lab does not know '%s'", tok.text);
        struct lab_symbol *made = declare(bytes, kernel     ? LAB_KERNEL
                                                 : constant ? LAB_CONSTANT
                                                            : LAB_FUNCTION);
        if (take("(")) {
            made->sort = kernel ? LAB_KERNEL : LAB_FUNCTION;
            made->slot = -1;
            function(made);
            continue;
        }
        if (!constant)
            lab_stop(tok.line, "the lab does not know '%s' here", tok.text);
        need("=");
        made->value = assignment();
        while (take(",")) {
            made = declare(bytes, LAB_CONSTANT);
            need("=");
            made->value = assignment();
        }
        need(";");
    }
    if (!entry || !entry->body)
        lab_stop(tok.line, "EXERCISE(function) is missing");
    return entry;
}
