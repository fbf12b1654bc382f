/* Parses the PTX of an asm statement, see ptx.h. */
#include "ptx.h"
#include "../core/private_heap.h"
#include "../core/site.h"
#include <ctype.h>
#include <stdio.h>

const char *const ptx_names[] = {
#define X(code, name, who, ...) name,
    PTX_OPCODES(X)
#undef X
};

static const char *const specials[] = {
#define X(name, value) "%" name,
    PTX_SPECIALS(X)
#undef X
        NULL};

enum { WORD = 160, LABELS = 32 };

struct reader {
    struct ptx_program *program;
    struct ptx_instruction now; /* the instruction being read */
    bool named, guarded;        /* named: its opcode has been read; guarded: not used */
    char skipped;               /* ignore words up to the next semicolon */
    int group, groups;          /* current { }, 0 for none; number of { } so far */
    bool plus;                  /* the last word was a + */
    bool predicates;            /* the .reg being read declares predicates */
    char name[PTX_REGISTERS][WORD];
    int registers;
    struct {
        char name[WORD];
        int at;
    } label[LABELS];
    int labels;
    struct {
        char name[WORD];
        int instruction;
    } jump[LABELS];
    int jumps;
    char open[LABELS];       /* the brackets that are open */
    int depth, depth_before; /* their number, and the number before the instruction */
    struct {
        char name[WORD];
        int count; /* of name<count>, or -1 */
        bool predicate;
    } declared[PTX_REGISTERS];
    int declarations;
};

static void *must(void *p)
{
    if (!p) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(3);
    }
    return p;
}

static void unknown(struct reader *r, const char *what)
{
    if (!r->program->unknown[0])
        snprintf(r->program->unknown, sizeof r->program->unknown, "%.60s", what);
}

static void malformed(struct reader *r, const char *what, const char *word)
{
    if (!r->program->malformed[0])
        snprintf(r->program->malformed, sizeof r->program->malformed, "%s%.60s", what, word);
}

static void bracket(struct reader *r, char c)
{
    static const char opening[] = "([{", closing[] = ")]}";
    const char text[] = {c, 0};
    if (strchr(opening, c)) {
        if (r->depth < LABELS)
            r->open[r->depth++] = c;
        else
            malformed(r, "too many open ", text);
    } else if (r->depth && r->open[r->depth - 1] == opening[strchr(closing, c) - closing]) {
        r->depth--;
    } else {
        malformed(r, "an unexpected ", text);
    }
}

static void declare(struct reader *r, const char *word)
{
    const char *range = strchr(word, '<');
    if (r->declarations == PTX_REGISTERS) {
        unknown(r, "more than 128 registers");
        return;
    }
    int length = range ? (int)(range - word) : (int)strlen(word);
    snprintf(r->declared[r->declarations].name, WORD, "%.*s", length, word);
    r->declared[r->declarations].predicate = r->predicates;
    r->declared[r->declarations++].count = range ? atoi(range + 1) : -1;
}

static bool is_declared(const struct reader *r, const char *name, bool *predicate)
{
    for (int i = 0; i < r->declarations; i++) {
        size_t n = strlen(r->declared[i].name);
        if (r->declared[i].count < 0
                ? !strcmp(name, r->declared[i].name)
                : !strncmp(name, r->declared[i].name, n) && isdigit((unsigned char)name[n]) &&
                      atoi(name + n) < r->declared[i].count) {
            *predicate = r->declared[i].predicate;
            return true;
        }
    }
    return false;
}

/* The opcode with the longest name that the instruction begins with, or -1. */
static int find_code(const char *instruction)
{
    int best = -1;
    size_t length = 0;
    for (int i = 0; i < PTX_CODES; i++) {
        size_t n = strlen(ptx_names[i]);
        if (n > length && !strncmp(instruction, ptx_names[i], n) &&
            (instruction[n] == '.' || instruction[n] == 0))
            best = i, length = n;
    }
    return best;
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
static void read_modifiers(struct reader *r)
{
    struct ptx_instruction *n = &r->now;
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

static int find_register(struct reader *r, const char *name, bool *predicate)
{
    bool known = is_declared(r, name, predicate);
    for (int i = 0; i < r->registers; i++)
        if (!strcmp(r->name[i], name))
            return i;
    if (!known)
        malformed(r, "no register is called ", name);
    if (r->registers == PTX_REGISTERS) {
        unknown(r, "more than 128 registers");
        return 0;
    }
    snprintf(r->name[r->registers], WORD, "%s", name);
    return r->registers++;
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
    if (n->code == PTX_BRA) {
        n->operands++;
        if (r->jumps < LABELS) {
            snprintf(r->jump[r->jumps].name, WORD, "%s", w);
            r->jump[r->jumps++].instruction = r->program->count;
        }
        return;
    }
    if (n->operands == PTX_OPERANDS) {
        unknown(r, "more than 24 operands");
        return;
    }
    n->operand[n->operands++] = read_operand(r, w);
}

static void take_word(struct reader *r, char *w)
{
    if (r->skipped) {
        if (r->skipped == 'r' && w[0] != '.')
            declare(r, w);
        else if (r->skipped == 'r')
            r->predicates = !strcmp(w, ".pred");
        return;
    }
    if (w[0] == '@' && !r->named) {
        r->now.guard_operand = read_operand(r, w + 1);
        r->now.guard = 1;
        return;
    }
    if (!r->named) {
        int code = find_code(w);
        if (!strcmp(w, ".reg") || !strcmp(w, ".loc")) {
            r->skipped = w[1];
            return;
        }
        r->named = true;
        r->now.code = code < 0 ? PTX_CODES : (enum ptx_code)code;
        if (code < 0) {
            unknown(r, w);
            r->skipped = 1;
            return;
        }
        r->now.modifiers = must(strdup(w + strlen(ptx_names[code])));
        read_modifiers(r);
        return;
    }
    struct ptx_instruction *n = &r->now;
    if (w[0] == '+' || r->plus) { /* [a + 16] */
        if (w[0] == '+' && !w[1]) {
            r->plus = true;
            return;
        }
        if (n->operands)
            n->operand[n->operands - 1].offset = strtoll(w + (w[0] == '+'), NULL, 0);
        r->plus = false;
        return;
    }
    char *plus = strchr(w + 1, '+'), *bar = strchr(w, '|');
    if (plus)
        *plus = 0;
    if (bar)
        *bar = 0;
    if (*w)
        add_operand(r, w);
    if (plus && n->operands)
        n->operand[n->operands - 1].offset = strtoll(plus + 1, NULL, 0);
    if (bar && bar[1]) {
        add_operand(r, bar + 1);
        n->operand[n->operands - 1].second = true;
    }
}

static void end_statement(struct reader *r)
{
    if (r->named && r->now.code != PTX_CODES) {
        struct ptx_program *p = r->program;
        p->list = must(realloc(p->list, sizeof *p->list * (size_t)(p->count + 1)));
        p->list[p->count++] = r->now;
    }
    if (r->depth != r->depth_before)
        malformed(r, "brackets that are not closed", "");
    memset(&r->now, 0, sizeof r->now);
    r->now.guard = -1;
    r->named = r->skipped = r->plus = false;
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

static bool word_char(const char *p, const char *start)
{
    if (*p == '/' && (p[1] == '/' || p[1] == '*'))
        return false;
    if (*p == ':' && p[1] != ':' && (p == start || p[-1] != ':'))
        return false;
    return *p && !strchr(" \t\r\n,;{}[]()", *p);
}

static void read_statements(struct reader *r, const char *p)
{
    while (*p) {
        const char *behind = skip_comment(p);
        if (behind != p) {
            p = behind;
            continue;
        }
        if (p[0] == '$' && p[1] && strchr("()|", p[1])) { /* LLVM's for { } | */
            p += 2;
            continue;
        }
        char word[WORD];
        size_t n = 0;
        for (const char *start = p; word_char(p, start); p++) {
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
        p++;
    }
    if (r->named || r->skipped)
        malformed(r, "no ; at the end", "");
    if (r->depth)
        malformed(r, "brackets that are not closed", "");
    end_statement(r);
}

/* Sets `waits` of each try_wait in a loop "again: mbarrier.try_wait p, ...; @!p bra again;" or
 * "again: mbarrier.try_wait p, ...; @p bra done; bra again; done:". */
static void find_waits(struct ptx_program *p)
{
    for (int i = 0; i + 1 < p->count; i++) {
        struct ptx_instruction *n = &p->list[i], *next = n + 1;
        if (n->code != PTX_MB_TRY && n->code != PTX_MB_TRY_PARITY)
            continue;
        if (next->code != PTX_BRA)
            continue;
        if (next->guard < 0 || next->guard_operand.index != n->operand[0].index ||
            next->guard_operand.kind != n->operand[0].kind)
            continue;
        int to = next->operand[0].index;
        if (next->guard_operand.negated)
            n->waits = to == i;
        else if (i + 2 < p->count && to == i + 3 && next[1].guard < 0)
            n->waits = next[1].code == PTX_BRA && next[1].operand[0].index == i;
    }
}

struct ptx_program *ptx_parse(const char *text)
{
    struct reader *r = must(calloc(1, sizeof *r));
    struct ptx_program *program = must(calloc(1, sizeof *program));
    r->program = program;
    r->now.guard = -1;
    read_statements(r, text);
    for (int j = 0; j < r->jumps; j++) {
        struct ptx_instruction *n = &program->list[r->jump[j].instruction];
        int at = -1;
        for (int i = 0; i < r->labels; i++)
            if (!strcmp(r->label[i].name, r->jump[j].name))
                at = r->label[i].at;
        if (at < 0)
            unknown(r, "bra to a label outside of the statement");
        n->operand[0] = (struct ptx_operand){.kind = PTX_LABEL, .index = at};
        n->operands = 1;
    }
    find_waits(program);
    program->registers = r->registers;
    free(r);
    return program;
}

void ptx_free(struct ptx_program *p)
{
    for (int i = 0; i < p->count; i++)
        free(p->list[i].modifiers);
    free(p->list);
    free(p);
}
