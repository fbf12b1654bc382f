/* Parses the PTX of an asm statement, see ptx.h. */
#include "ptx.h"
#include "../core/private_heap.h"
#include "../core/site.h"
#include "text_buffer.h"
#include <ctype.h>

static const char *const names[] = {
#define X(code, name, who, ...) name,
    PTX_OPCODES(X)
#undef X
};

static const char *const specials[] = {
#define X(name, value) "%" name,
    PTX_SPECIALS(X)
#undef X
        NULL};

enum { WORD = 160, LABELS = 32, DECLARATIONS = 128 };

struct reader {
    struct ptx_program *program;
    struct ptx_instruction now; /* the instruction being read */
    bool named;                 /* its opcode has been read */
    char skipped;      /* ignore words up to the next semicolon; 'r': the words of a .reg */
    int group, groups; /* current { }, 0 for none; number of { } so far */
    bool plus, bar;    /* the last word was a + or | */
    bool predicates;   /* the .reg being read declares predicates */
    struct {
        char name[WORD];
        int at;
    } label[LABELS];
    int labels;
    char open[LABELS];       /* the brackets that are open */
    int depth, depth_before; /* their number, and the number before the instruction */
    struct declared {
        char name[WORD];
        int first, count; /* number of its first register; count: of name<count>, or -1 */
        bool predicate;
    } declared[DECLARATIONS];
    int declarations;
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

static void bracket(struct reader *r, char c)
{
    static const char opening[] = "([{", closing[] = ")]}";
    if (strchr(opening, c)) {
        if (r->depth < LABELS)
            r->open[r->depth++] = c;
        else
            wrong(r, "this asm is no PTX: too many open %c", c);
    } else if (r->depth && r->open[r->depth - 1] == opening[strchr(closing, c) - closing]) {
        r->depth--;
    } else {
        wrong(r, "this asm is no PTX: an unexpected %c", c);
    }
}

static void declare(struct reader *r, const char *word)
{
    const char *range = strchr(word, '<');
    struct declared *d = &r->declared[r->declarations];
    int length = range ? (int)(range - word) : (int)strlen(word),
        count = range ? atoi(range + 1) : -1, registers = count < 0 ? 1 : count;
    if (r->declarations == DECLARATIONS || registers > PTX_REGISTERS - r->program->registers) {
        wrong(r, "this asm has more than 512 registers");
        return;
    }
    *d = (struct declared){.first = r->program->registers, .count = count};
    snprintf(d->name, WORD, "%.*s", length, word);
    d->predicate = r->predicates;
    r->program->registers += registers;
    r->declarations++;
}

/* The number of the register with this name. */
static int find_register(struct reader *r, const char *name, bool *predicate)
{
    for (const struct declared *d = r->declared; d < r->declared + r->declarations; d++) {
        size_t n = strlen(d->name);
        if (strncmp(name, d->name, n) != 0)
            continue;
        int k = d->count < 0 ? 0 : atoi(name + n);
        if (d->count < 0 ? !name[n] : isdigit((unsigned char)name[n]) && k < d->count) {
            *predicate = d->predicate;
            return d->first + k;
        }
    }
    wrong(r, "this asm is no PTX: no register is called %.60s", name);
    return 0;
}

/* Reads the opcode, the longest name that the instruction begins with; false if there is none. */
static bool read_code(struct ptx_instruction *n)
{
    size_t length = 0;
    for (int i = 0; i < PTX_CODES; i++)
        for (const char *p = names[i]; *p; p += strspn(p, " ")) {
            size_t k = strcspn(p, " ");
            if (k > length && !strncmp(n->name, p, k) && (n->name[k] == '.' || !n->name[k]))
                n->code = (enum ptx_code)i, length = k;
            p += k;
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

/* Reads types and vector width from the name. */
static void read_modifiers(struct ptx_instruction *n)
{
    read_access(n);
    if (n->code == PTX_MMA) /* matrix.h reads its types */
        return;
    n->vector = ptx_has(n->modifiers, ".v2")   ? 2
                : ptx_has(n->modifiers, ".v4") ? 4
                : ptx_has(n->modifiers, ".v8") ? 8
                                               : 1;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", n->modifiers);
    for (char *p = strtok(copy, "."); p; p = strtok(NULL, ".")) {
        char *end;
        long bits = strtol(p + 1, &end, 10);
        struct ptx_type t = {0, 0};
        if (!strcmp(p, "pred"))
            t = (struct ptx_type){'p', 1};
        else if (!strcmp(p, "f16") || !strcmp(p, "bf16"))
            t = (struct ptx_type){p[0] == 'f' ? 'h' : 'e', 16};
        else if (!strcmp(p, "f16x2") || !strcmp(p, "bf16x2"))
            t = (struct ptx_type){p[0] == 'f' ? 'h' : 'e', 32};
        else if (!strcmp(p, "tf32"))
            t = (struct ptx_type){'t', 32};
        else if (strchr("busf", p[0]) && p[1] && !*end &&
                 (bits == 8 || bits == 16 || bits == 32 || bits == 64))
            t = (struct ptx_type){p[0], (int)bits};
        if (t.kind && n->types < 2)
            n->type[n->types++] = t;
    }
}

static bool read_number(const char *w, uint64_t *value)
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
        memcpy(value, &d, 8); /* a double's bits; as_float narrows them, see read_operand */
        return !*end;
    }
    *value = w[0] == '-' ? (uint64_t)strtoll(w, &end, 0) : strtoull(w, &end, 0);
    while (*end == 'U' || *end == 'u')
        end++;
    return !*end;
}

static struct ptx_operand read_operand(struct reader *r, const char *w)
{
    struct ptx_operand o = {.kind = PTX_REGISTER,
                            .group = r->group,
                            .address = r->depth && r->open[r->depth - 1] == '['};
    if (*w == '!')
        o.negated = true, w++;
    if (*w == '$') {
        o.kind = PTX_ARGUMENT;
        o.index = atoi(w + 1);
    } else if (!strcmp(w, "_")) {
        o.kind = PTX_SINK;
    } else if (read_number(w, &o.value)) {
        o.kind = PTX_NUMBER;
        o.offset = strchr(w, '.') ? 1 : 0; /* 1 marks a decimal fraction, held as a double */
    } else {
        for (int i = 0; specials[i]; i++)
            if (!strcmp(w, specials[i])) {
                o.kind = PTX_SPECIAL;
                o.index = i;
                return o;
            }
        o.index = find_register(r, w, &o.predicate);
    }
    return o;
}

static void add_operand(struct reader *r, const char *w)
{
    struct ptx_instruction *n = &r->now;
    if (n->operands == PTX_OPERANDS) {
        wrong(r, "a PTX instruction in this asm has more than 24 operands");
    } else if (n->code == PTX_BRA && !n->target) {
        n->target = format("%s", w);
        n->operands++;
    } else {
        n->operand[n->operands] = read_operand(r, w);
        n->operand[n->operands++].second = r->bar;
    }
    r->bar = false;
}

static void take_word(struct reader *r, const char *w)
{
    struct ptx_instruction *n = &r->now;
    if (r->skipped) {
        if (r->skipped == 'r' && w[0] != '.')
            declare(r, w);
        else if (r->skipped == 'r')
            r->predicates = !strcmp(w, ".pred");
    } else if (w[0] == '@' && !r->named) {
        n->guard_operand = read_operand(r, w + 1);
        n->guard = 1;
    } else if (!r->named && (!strcmp(w, ".reg") || !strcmp(w, ".loc"))) {
        r->skipped = w[1];
    } else if (!r->named) {
        r->named = true;
        n->name = format("%s", w);
        if (read_code(n)) {
            read_modifiers(n);
        } else {
            wrong(r, "the PTX instruction '%.60s' in this asm is not supported", w);
            r->skipped = 1;
        }
    } else if (r->plus) { /* [a + 16] */
        if (n->operands)
            n->operand[n->operands - 1].offset = strtoll(w, NULL, 0);
        r->plus = false;
    } else {
        add_operand(r, w);
    }
}

static void end_statement(struct reader *r)
{
    if (r->named)
        *APPEND(r->program->list, r->program->count) = r->now;
    if (r->depth != r->depth_before)
        wrong(r, "this asm is no PTX: brackets that are not closed");
    memset(&r->now, 0, sizeof r->now);
    r->now.guard = -1;
    r->named = r->plus = r->bar = false;
    r->skipped = 0;
    r->group = 0;
}

static const char *skip_comment(const char *p)
{
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    return p;
}

static bool word_char(const struct reader *r, const char *p, const char *start)
{
    if (*p == '+' && r->depth && r->open[r->depth - 1] == '[')
        return false;
    if (*p == '/' && (p[1] == '/' || p[1] == '*'))
        return false;
    if (*p == ':' && p[1] != ':' && (p == start || p[-1] != ':'))
        return false;
    return *p && !strchr(" \t\r\n,;{}[]()|", *p);
}

static void read_statements(struct reader *r, const char *p)
{
    while (*p) {
        const char *behind = skip_comment(p);
        if (behind != p) {
            p = behind;
            continue;
        }
        char word[WORD];
        size_t n = 0;
        for (const char *start = p; word_char(r, p, start); p++) {
            if (p[0] == '$' && p[1] == '$')
                p++;
            if (n < WORD - 1)
                word[n++] = *p;
        }
        word[n] = 0;
        if (n && *p == ':' && !r->named) { /* a label */
            if (r->labels < LABELS) {
                snprintf(r->label[r->labels].name, WORD, "%s", word);
                r->label[r->labels++].at = r->program->count;
            }
            p++;
            continue;
        }
        if (n) {
            take_word(r, word);
            continue;
        }
        if (strchr("()[]{}", *p))
            bracket(r, *p);
        if (strchr("{}", *p) && !r->named)
            r->depth_before = r->depth;
        if (*p == ';')
            end_statement(r);
        else if (*p == '{' && r->named)
            r->group = ++r->groups;
        else if (*p == '}' && r->named)
            r->group = 0;
        r->plus |= *p == '+';
        r->bar |= *p == '|';
        p++;
    }
    if (r->named || r->skipped)
        wrong(r, "this asm is no PTX: no ; at the end");
    r->depth_before = 0;
    end_statement(r);
}

/* Sets `waits` of each try_wait in a loop "again: mbarrier.try_wait p, ...; @!p bra again;" or
 * "again: mbarrier.try_wait p, ...; @p bra done; bra again; done:". */
static void find_waits(struct ptx_program *p)
{
    for (int i = 0; i + 1 < p->count; i++) {
        struct ptx_instruction *n = &p->list[i], *next = n + 1;
        if ((n->code != PTX_MB_TRY && n->code != PTX_MB_TRY_PARITY) || next->code != PTX_BRA ||
            next->guard < 0 || next->guard_operand.index != n->operand[0].index ||
            next->guard_operand.kind != n->operand[0].kind)
            continue;
        int to = next->operand[0].index;
        if (next->guard_operand.negated)
            n->waits = to == i;
        else if (i + 2 < p->count && to == i + 3 && next[1].guard < 0)
            n->waits = next[1].code == PTX_BRA && next[1].operand[0].index == i;
    }
}

/* Replaces the jumps' labels by numbers of instructions. */
static void find_targets(struct reader *r)
{
    for (int k = 0; k < r->program->count; k++) {
        struct ptx_instruction *n = &r->program->list[k];
        int at = -1;
        for (int i = 0; n->target && i < r->labels; i++)
            if (!strcmp(r->label[i].name, n->target))
                at = r->label[i].at;
        if (n->target && at < 0)
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
    r->now.guard = -1;
    read_statements(r, text);
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
