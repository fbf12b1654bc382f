/* Parses the PTX of an asm statement, see ptx.h. */
#include "ptx.h"
#include "../core/private_heap.h"
#include "../core/site.h"
#include "text_buffer.h"
#include <ctype.h>

static const struct opcode {
    const char *names, *form;
} opcodes[] = {
#define X(code, names, who, form, ...) {names, form},
    PTX_OPCODES(X)
#undef X
};

static const char *const specials[] = {
#define X(name, value) "%" name,
    PTX_SPECIALS(X)
#undef X
        NULL};

enum { WORD = 160, BRACKETS = 16 };

struct reader {
    struct ptx_program *program;
    const char *at;      /* the text that is not read yet */
    char word[WORD];     /* the word that was read last */
    char open[BRACKETS]; /* the brackets of the instruction that are open */
    int depth;           /* their number */
    int group, groups;   /* the current { }, 0 for none; the number of { } so far */
    bool single;         /* the instruction's inputs are f32 */
    struct {
        char name[WORD];
        bool predicate;
    } declared[PTX_REGISTERS]; /* by the register's number */
};

/* Notes what is wrong, unless something else is. */
__attribute__((format(printf, 2, 3))) static void wrong(struct reader *r, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    if (!r->program->wrong[0])
        vsnprintf(r->program->wrong, sizeof r->program->wrong, how, list);
    va_end(list);
}

/* ---- words ---- */

static const char *skip_blanks(const char *p)
{
    for (p += strspn(p, " \t\r\n"); p[0] == '/' && (p[1] == '/' || p[1] == '*');
         p += strspn(p, " \t\r\n")) {
        const char *end = p[1] == '*' ? strstr(p + 2, "*/") : strchr(p, '\n');
        p = !end ? p + strlen(p) : p[1] == '*' ? end + 2 : end;
    }
    return p;
}

static bool in_address(const struct reader *r) { return r->depth && r->open[r->depth - 1] == '['; }

/* Reads the next word, for which it returns 'w', or one character, which it returns; 0 at the end. */
static char next(struct reader *r)
{
    size_t n = 0;
    const char *start = skip_blanks(r->at), *p = start;
    for (; *p && !strchr(" \t\r\n,;{}[]()|", *p) && !(*p == '+' && in_address(r)); p++) {
        bool colon = *p == ':' && p[1] != ':' && (p == start || p[-1] != ':');
        if (colon || (*p == '/' && (p[1] == '/' || p[1] == '*')))
            break;
        if (n < WORD - 1)
            r->word[n++] = *p;
    }
    r->word[n] = 0;
    r->at = p == start && *p ? p + 1 : p;
    return p == start ? *p : 'w';
}

/* Notes that the bracket c of an instruction opens or closes. */
static void bracket(struct reader *r, char c)
{
    static const char opening[] = "([{", closing[] = ")]}";
    const char *closes = strchr(closing, c);
    r->group = c == '{' ? ++r->groups : c == '}' ? 0 : r->group;
    if (!closes && r->depth < BRACKETS)
        r->open[r->depth++] = c;
    else if (!closes)
        wrong(r, "this asm is no PTX: too many open %c", c);
    else if (r->depth && r->open[r->depth - 1] == opening[closes - closing])
        r->depth--;
    else
        wrong(r, "this asm is no PTX: an unexpected %c", c);
}

/* ---- registers ---- */

/* Declares the registers that the word names, such as p or r<4>. */
static void declare(struct reader *r, bool predicate)
{
    char *range = strchr(r->word, '<');
    int count = range ? atoi(range + 1) : 1, *registers = &r->program->registers;
    for (int k = 0; k < count; k++) {
        if (*registers == PTX_REGISTERS) {
            wrong(r, "this asm has more than 512 registers");
            return;
        }
        char *name = r->declared[*registers].name;
        r->declared[(*registers)++].predicate = predicate;
        snprintf(name, WORD, "%.*s", (int)strcspn(r->word, "<"), r->word);
        if (range)
            snprintf(name + strlen(name), WORD - strlen(name), "%d", k);
    }
}

/* The number of the register with this name. */
static int find_register(struct reader *r, const char *name, bool *predicate)
{
    for (int k = 0; k < r->program->registers; k++)
        if (!strcmp(r->declared[k].name, name)) {
            *predicate = r->declared[k].predicate;
            return k;
        }
    wrong(r, "this asm is no PTX: no register is called %.60s", name);
    return 0;
}

/* ---- names of instructions ---- */

/* Reads the opcode, the longest name that the instruction begins with; false if there is none. */
static bool read_code(struct ptx_instruction *n)
{
    size_t length = 0;
    for (int i = 0; i < PTX_CODES; i++)
        for (const char *p = opcodes[i].names; *p; p += strspn(p, " ")) {
            int digit = 0;
            size_t k = 0, end = strcspn(p, " ");
            for (;
                 k < end && (p[k] == n->name[k] || (p[k] == '#' && memchr("12345", n->name[k], 5)));
                 k++)
                if (p[k] == '#')
                    digit = n->name[k] - '0';
            if (k == end && k > length && (n->name[k] == '.' || !n->name[k])) {
                n->code = (enum ptx_code)i, n->form = opcodes[i].form;
                n->vector = digit;
                length = k;
            }
            p += end;
        }
    n->modifiers = n->name + length;
    return length;
}

bool ptx_has(const char *modifiers, const char *part)
{
    size_t n = strlen(part);
    for (const char *p = modifiers; (p = strstr(p, part)); p += n)
        if (p[n] == '.' || p[n] == 0)
            return true;
    return false;
}

/* Reads from the name what it says of a memory access. Without a named order an atomic or volatile access
 * is relaxed, but lacks EXPLICIT_ORDER: the race check trusts a volatile flag more than a load that says
 * relaxed. */
static void read_access(struct ptx_instruction *n)
{
    const char *m = n->modifiers;
    n->strength = ptx_has(m, ".acquire")   ? ACQUIRES
                  : ptx_has(m, ".release") ? RELEASES
                  : ptx_has(m, ".acq_rel") ? ACQUIRES | RELEASES
                  : ptx_has(m, ".relaxed") ? EXPLICIT_ORDER
                                           : 0;
    n->strong = n->strength || ptx_has(m, ".volatile") || ptx_has(m, ".mmio");
    n->strength |= ptx_has(m, ".cta") ? BLOCK_SCOPE : ptx_has(m, ".sys") ? SYSTEM_SCOPE : 0;
    n->cluster = ptx_has(m, ".cluster");
    n->shared = strstr(m, ".shared") != NULL;
    n->local = ptx_has(m, ".local"), n->global = ptx_has(m, ".global");
    n->hinted = strstr(m, ".L2::cache_hint") != NULL;
}

/* The type that a part of a name says; of kind 0 if it says none. */
static struct ptx_type read_type(const char *part)
{
    static const struct {
        const char *name;
        struct ptx_type type;
    } others[] = {{"pred", {'p', 1}},   {"f16", {'h', 16}},    {"bf16", {'e', 16}},
                  {"f16x2", {'h', 32}}, {"bf16x2", {'e', 32}}, {"tf32", {'t', 32}}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strcmp(part, others[k].name))
            return others[k].type;
    char *end;
    long bits = strtol(part + 1, &end, 10);
    if (strchr("busf", part[0]) && !*end && (bits == 8 || bits == 16 || bits == 32 || bits == 64))
        return (struct ptx_type){part[0], (int)bits};
    return (struct ptx_type){0, 0};
}

/* Reads types and vector width from the name. */
static void read_modifiers(struct ptx_instruction *n)
{
    char copy[256];
    read_access(n);
    n->vector = n->vector ? n->vector : 1;
    snprintf(copy, sizeof copy, "%s", n->modifiers);
    for (char *p = strtok(copy, "."); p; p = strtok(NULL, ".")) {
        struct ptx_type t = read_type(p);
        if (t.kind && n->types < 2)
            n->type[n->types++] = t;
        if (strchr("vx", p[0]) && p[1] && strchr("1248", p[1]) && !p[2])
            n->vector = p[1] - '0';
    }
}

/* Reads a number; a decimal fraction as the bits of a float if `single`, else of a double. */
static bool read_number(const char *w, bool single, uint64_t *value)
{
    char *end;
    if (w[0] == '0' && (w[1] == 'f' || w[1] == 'F' || w[1] == 'd' || w[1] == 'D')) {
        *value = strtoull(w + 2, &end, 16); /* a float's or double's bits */
        return !*end && end > w + 2;
    }
    if (!isdigit((unsigned char)w[0]) && !(w[0] == '-' && isdigit((unsigned char)w[1])))
        return false;
    if (strchr(w, '.')) {
        double d = strtod(w, &end);
        float f = (float)d;
        memcpy(value, single ? (void *)&f : (void *)&d, single ? sizeof f : sizeof d);
        return !*end;
    }
    *value = w[0] == '-' ? (uint64_t)strtoll(w, &end, 0) : strtoull(w, &end, 0);
    while (*end == 'U' || *end == 'u')
        end++;
    return !*end;
}

/* ---- operands ---- */

static struct ptx_operand read_operand(struct reader *r, const char *w)
{
    struct ptx_operand o = {.negated = *w == '!', .address = in_address(r)};
    w += o.negated;
    if (!strcmp(w, "_"))
        return o;
    if (*w == '$' && isdigit((unsigned char)w[1])) {
        o.kind = PTX_ARGUMENT;
        o.index = atoi(w + 1);
    } else if (read_number(w, r->single, &o.value)) {
        o.kind = PTX_NUMBER;
    } else {
        for (o.kind = PTX_SPECIAL; specials[o.index] && strcmp(w, specials[o.index]); o.index++)
            ;
        if (!specials[o.index]) {
            o.kind = PTX_REGISTER;
            o.index = find_register(r, w, &o.predicate);
        }
    }
    return o;
}

static void add_operand(struct reader *r, struct ptx_instruction *n, bool second)
{
    if (n->operands == PTX_OPERANDS) {
        wrong(r, "a PTX instruction in this asm has more than 24 operands");
    } else if (n->code == PTX_BRA && !n->target) {
        n->target = format("%s", r->word);
        n->operands++;
    } else if (second && n->operands == 1 && !n->has_second) {
        n->second = read_operand(r, r->word);
        n->has_second = true;
    } else {
        n->operand[n->operands] = read_operand(r, r->word);
        n->operand[n->operands++].group = r->group;
    }
}

/* Reads what follows a name, up to the semicolon: an instruction's operands; for n = NULL a directive's words, of
 * which `declares` declares registers. */
static void read_rest(struct reader *r, struct ptx_instruction *n, bool declares)
{
    bool predicate = false;
    r->depth = r->group = 0;
    for (char c, before = 0; (c = next(r)) != ';'; before = c) {
        if (!c) {
            wrong(r, "this asm is no PTX: no ; at the end");
            return;
        }
        if (c != 'w' && strchr("()[]{}", c))
            bracket(r, c);
        else if (c == 'w' && n && before != '+')
            add_operand(r, n, before == '|');
        else if (c == 'w' && n && n->operands)
            n->operand[n->operands - 1].offset = strtoll(r->word, NULL, 0);
        else if (c == 'w' && r->word[0] == '.')
            predicate = !strcmp(r->word, ".pred");
        else if (c == 'w' && declares)
            declare(r, predicate);
    }
    if (r->depth)
        wrong(r, "this asm is no PTX: brackets that are not closed");
}

/* Says of the operands what their form does: how many there may be, and which are results and addresses. */
static void apply_form(struct ptx_instruction *n)
{
    bool optional = false;
    int k = 0;
    n->most = n->hinted;
    for (const char *c = n->form; *c; c++) {
        int times = c > n->form && c[-1] == '*' ? n->vector : strchr("=nmsg&", *c) ? 1 : 0;
        optional |= *c == '?';
        n->least += optional ? 0 : times;
        n->most += *c == '|' ? n->has_second : times;
        n->takes_address |= strchr("msg", *c) != NULL;
        if (*c == '=')
            n->results = times;
        for (; *c != '&' && times && k < n->operands; times--)
            n->operand[k++].place = *c == 's' || (*c == 'm' && n->shared) ? 's' : 'g';
    }
    while (n->results && n->results < n->operands && n->operand[0].group &&
           n->operand[n->results].group == n->operand[0].group)
        n->results++; /* {a, b} */
}

/* ---- statements ---- */

static void read_instruction(struct reader *r)
{
    struct ptx_instruction n = {.name = format("%s", r->word)};
    if (*r->at == ':') { /* a label is an instruction that does nothing */
        n.code = PTX_NOTHING, n.form = "~", n.modifiers = "";
        r->at++;
    } else if (read_code(&n)) {
        read_modifiers(&n);
        r->single = n.type[n.types > 1].kind == 'f' && n.type[n.types > 1].bits == 32;
        read_rest(r, &n, false);
        apply_form(&n);
    } else {
        wrong(r, "the PTX instruction '%.60s' in this asm is not supported", r->word);
        read_rest(r, NULL, false);
    }
    *APPEND(r->program->list, r->program->count) = n;
}

static void read_statements(struct reader *r)
{
    struct ptx_operand guard = {0};
    int depth = 0;
    for (char c; (c = next(r));)
        if (c == 'w' && r->word[0] == '@') {
            guard = read_operand(r, r->word + 1);
        } else if (c == 'w' && (!strcmp(r->word, ".reg") || !strcmp(r->word, ".loc"))) {
            read_rest(r, NULL, r->word[1] == 'r');
        } else if (c == 'w') {
            read_instruction(r);
            r->program->list[r->program->count - 1].guard = guard;
            guard.kind = PTX_SINK;
        } else if (c == '{' || (c == '}' && depth)) {
            depth += c == '{' ? 1 : -1;
        } else if (c != ';') {
            wrong(r, "this asm is no PTX: an unexpected %c", c);
        }
    if (depth)
        wrong(r, "this asm is no PTX: brackets that are not closed");
    if (guard.kind)
        wrong(r, "this asm is no PTX: @ without an instruction");
}

/* Sets `waits` of each try_wait in a loop "again: mbarrier.try_wait p, ...; @!p bra again;" or
 * "again: mbarrier.try_wait p, ...; @p bra done; bra again; done:". */
static void find_waits(struct ptx_program *p)
{
    for (int i = 0; i + 1 < p->count; i++) {
        struct ptx_instruction *n = &p->list[i], *next = n + 1;
        if (n->code != PTX_MB_TRY || next->code != PTX_BRA ||
            next->guard.index != n->operand[0].index || next->guard.kind != n->operand[0].kind)
            continue;
        int to = next->operand[0].index;
        if (next->guard.negated)
            n->waits = to == i - 1;
        else if (i + 2 < p->count && to == i + 3 && !next[1].guard.kind)
            n->waits = next[1].code == PTX_BRA && next[1].operand[0].index == i - 1;
    }
}

/* Replaces the jumps' labels by numbers of instructions. */
static void find_targets(struct reader *r)
{
    for (int k = 0; k < r->program->count; k++) {
        struct ptx_instruction *n = &r->program->list[k];
        int at = r->program->count - 1;
        while (n->target && at >= 0 && strcmp(r->program->list[at].name, n->target) != 0)
            at--;
        if (at < 0)
            wrong(r, "this asm jumps to a label that it lacks");
        if (n->target)
            n->operand[0] = (struct ptx_operand){.kind = PTX_LABEL, .index = at};
    }
}

struct ptx_program *ptx_parse(const char *text)
{
    struct reader *r = allocate(NULL, sizeof *r);
    struct ptx_program *program = allocate(NULL, sizeof *program);
    memset(r, 0, sizeof *r);
    memset(program, 0, sizeof *program);
    r->program = program;
    r->at = text;
    read_statements(r);
    find_targets(r);
    find_waits(program);
    free(r);
    return program;
}

void ptx_free(struct ptx_program *p)
{
    for (int i = 0; i < p->count; i++)
        free(p->list[i].name), free(p->list[i].target);
    free(p->list);
    free(p);
}
