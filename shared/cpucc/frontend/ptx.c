/*
 * Runs inline PTX. assembly.c turns an asm statement into a call of cpucc_asm, once per CUDA
 * thread. Every instruction makes the same calls of the run time as the CUDA C function of the same
 * purpose; its place in the program is the statement's (lane.asm_pc). ptx.h has the table of
 * instructions.
 */
#include <stdlib.h>
#include "../execution/async.h"
#include "ptx_run.h"

void cpucc_prefetch(const void *address);
void cpucc_on_read_only(void *p, int bytes);

void cpucc_ptx_unsupported(const struct ptx_instruction *n)
{
    END_LAUNCH(cudaErrorNotSupported, cpucc_current, cpucc_current->asm_pc, TRAP,
               "the PTX instruction %s with these operands is not supported", n->name);
}

/* ---- memory ---- */

/* A block without others in its cluster is the whole scope .cluster. */
static unsigned strength_of(const struct ptx_instruction *n)
{
    return n->strength | (n->cluster && cpucc_cluster(1) == 1 ? BLOCK_SCOPE : 0);
}

/* The value that an atomic stores; `desired` is the new value of .cas. */
static uint64_t changed(const struct ptx_instruction *n, struct ptx_type t, uint64_t old,
                        uint64_t v, uint64_t desired)
{
    const struct reduction how = {true, reduction_of(n), t.kind, t.bits / 8};
    if (has(n, ".cas"))
        return old == low_bits(v, t.bits) ? desired : old;
    if (has(n, ".exch"))
        return v;
    if (how.operation < 0)
        cpucc_ptx_unsupported(n);
    cpucc_reduce(&how, &old, &v, (size_t)how.bytes);
    return old;
}

/* Ends the launch if the instruction names other memory than its address lies in, or is an atomic of a
 * local variable. Notes an access of a local variable. */
static void check_place(const struct ptx_instruction *n, const void *p, size_t bytes)
{
    struct lane *l = cpucc_current;
    bool local = cpucc_is_local(l, (uintptr_t)p),
         atomic = n->code == PTX_ATOM || n->code == PTX_RED;
    if ((n->local && !local) || ((n->global || atomic) && local) ||
        (n->global && cpucc_space(l, (uintptr_t)p) == SHARED))
        END_LAUNCH(cudaErrorIllegalAddress, l, l->asm_pc, OUT_OF_BOUNDS, "%s is not in %s memory",
                   local ? "a local variable" : cpucc_describe_address((uintptr_t)p),
                   n->local ? "local" : "global");
    if (local)
        cpucc_seal_local_range(p, bytes, l->asm_pc);
    cpucc_seal_note((uintptr_t)p, bytes);
}

static void atomic(struct state *s, const struct ptx_instruction *n, struct ptx_type t)
{
    int first = n->code == PTX_ATOM; /* the address's operand: red has no result before it */
    size_t bytes = (size_t)t.bits / 8;
    char *p = address(s, n, first, n->shared);
    uint64_t given = number(s, n, first + 1), old = 0;
    check_place(n, p, bytes);
    bool compares = has(n, ".cas") || has(n, ".min") || has(n, ".max");
    bool counts = given && (has(n, ".add") || has(n, ".inc")) && t.kind != 'f' && !n->strength;
    unsigned kind = compares ? COMPARES : has(n, ".exch") ? EXCHANGES : counts ? COUNTING : 0;
    cpucc_access((uintptr_t)p, (uint32_t)bytes, ATOMIC, strength_of(n) | kind,
                 has(n, ".cas") ? &given : NULL, cpucc_current->asm_pc);
    memcpy(&old, p, bytes);
    uint64_t v = changed(n, t, old, given, number(s, n, first + 2));
    memcpy(p, &v, bytes);
    if (first)
        put(s, &n->operand[0], old);
}

/* Checks and counts a load or store, at most 16 bytes at a time. */
static void access_plainly(const struct ptx_instruction *n, const void *p, uint32_t bytes,
                           enum operation operation)
{
    uint32_t piece = bytes > 16 ? 16 : bytes;
    for (uint32_t at = 0; at < bytes; at += piece)
        cpucc_access((uintptr_t)p + at, piece, operation, strength_of(n), NULL,
                     cpucc_current->asm_pc);
}

static void cpucc_ptx_memory(struct state *s, const struct ptx_instruction *n)
{
    struct ptx_type t = n->types ? n->type[0] : (struct ptx_type){'b', 32};
    size_t bytes = (size_t)t.bits / 8;
    uint32_t all = (uint32_t)bytes * (uint32_t)n->vector;
    switch (n->code) {
    case PTX_LD: {
        const char *p = address(s, n, n->vector, n->shared);
        check_place(n, p, all);
        if (has(n, ".nc"))
            cpucc_on_read_only((void *)(uintptr_t)p, (int)all);
        access_plainly(n, p, all, n->strong ? VOLATILE_READ : READ);
        uint64_t value[8] = {0};
        for (int i = 0; i < n->vector; i++) {
            memcpy(&value[i], p + (size_t)i * bytes, bytes);
            if (t.kind == 's')
                value[i] = (uint64_t)as_signed(value[i], t.bits);
        }
        for (int i = 0; i < n->vector; i++)
            put(s, &n->operand[i], value[i]);
        return;
    }
    case PTX_ST: {
        char *p = address(s, n, 0, n->shared);
        check_place(n, p, all);
        access_plainly(n, p, all, n->strong ? VOLATILE_WRITE : WRITE);
        for (int i = 0; i < n->vector; i++) {
            uint64_t v = number(s, n, i + 1);
            memcpy(p + (size_t)i * bytes, &v, bytes);
        }
        return;
    }
    case PTX_ATOM:
    case PTX_RED:
        if (n->vector != 1)
            cpucc_ptx_unsupported(n);
        atomic(s, n, t);
        return;
    default: cpucc_prefetch(address(s, n, 0, n->shared));
    }
}

static void cpucc_ptx_matrix(struct state *s, const struct ptx_instruction *n)
{
    s->site->matrix(s, n);
}

static void cpucc_ptx_nothing(struct state *s, const struct ptx_instruction *n)
{
    (void)s, (void)n;
}

/* ---- statements ---- */

static void (*const runs[])(struct state *, const struct ptx_instruction *) = {
#define X(code, name, who, ...) cpucc_ptx_##who,
    PTX_OPCODES(X)
#undef X
};

/* Parses a statement and its constraints: outputs first; the input "0" initialises output 0. */
static struct asm_program *prepare(const struct asm_site *site)
{
    struct asm_program *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    memset(p->tied, -1, sizeof p->tied);
    p->ptx = ptx_parse(site->text);
    int input = 0;
    for (const char *c = site->constraints; c && *c; c = strchr(c, ','), c = c ? c + 1 : NULL) {
        if (*c == '=') {
            p->outputs++;
        } else if (*c != '~') {
            if (*c >= '0' && *c <= '9' && atoi(c) < 32)
                p->tied[atoi(c)] = (signed char)input;
            input++;
        }
    }
    return p;
}

/* True for barriers and fences that order less than the run time takes them to. */
static bool orders_less(const struct ptx_instruction *n)
{
    bool fence = n->code == PTX_FENCE && (has(n, ".acquire") || has(n, ".release"));
    bool always = n->code == PTX_MB_EXPECT_TX; /* is relaxed, said or not */
    return fence || (has(n, ".relaxed") && !always && runs[n->code] != cpucc_ptx_memory);
}

void cpucc_asm(struct asm_site *site, const uint64_t *in, uint64_t *out)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    if (!site->program)
        site->program = prepare(site);
    const struct asm_program *p = site->program;
    uint64_t registers[p->ptx->registers + 1];
    struct state s = {site, in, out, p->outputs, registers};
    memset(registers, 0, sizeof registers);
    for (int i = 0; i < p->outputs && i < 32; i++)
        out[i] = p->tied[i] >= 0 ? in[p->tied[i]] : 0;
    uintptr_t pc = SITE;
    for (int i = 0; i < p->ptx->count; i++) {
        const struct ptx_instruction *n = &p->ptx->list[i];
        if (n->guard > 0 && !(raw(&s, &n->guard_operand) & 1))
            continue;
        if (n->code == PTX_BRA) {
            i = n->operand[0].index - 1;
            continue;
        }
        l->asm_pc = pc;
        if (cpucc_sealed && orders_less(n))
            cpucc_ptx_unsupported(n);
        runs[n->code](&s, n);
        l->asm_pc = 0;
    }
}
