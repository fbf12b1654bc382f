/*
 * Runs inline PTX. assembly.c turns an asm statement into a call of cpucc_asm, once per CUDA
 * thread. Every instruction makes the same calls of the run time as the CUDA C function of the same
 * purpose; its place in the program is the statement's (lane.asm_pc). ptx.h has the table of
 * instructions.
 */
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

static uint64_t atomic(const struct ptx_instruction *n, struct ptx_type t, void *p, uint64_t given,
                       uint64_t desired)
{
    size_t bytes = (size_t)t.bits / 8;
    uint64_t old = 0;
    if (n->vector != 1)
        cpucc_ptx_unsupported(n);
    check_place(n, p, bytes);
    bool compares = has(n, ".cas") || has(n, ".min") || has(n, ".max");
    bool counts = given && (has(n, ".add") || has(n, ".inc")) && t.kind != 'f' && !n->strength;
    unsigned kind = compares ? COMPARES : has(n, ".exch") ? EXCHANGES : counts ? COUNTING : 0;
    cpucc_access((uintptr_t)p, (uint32_t)bytes, ATOMIC, strength_of(n) | kind,
                 has(n, ".cas") ? &given : NULL, cpucc_current->asm_pc);
    memcpy(&old, p, bytes);
    uint64_t v = changed(n, t, old, given, desired);
    memcpy(p, &v, bytes);
    return old;
}

/* Checks and counts a load or store of a vector, at most 16 bytes at a time. */
static void access_plainly(const struct ptx_instruction *n, struct ptx_type t, const void *p,
                           enum operation operation)
{
    uint32_t bytes = (uint32_t)(t.bits / 8 * n->vector), piece = bytes > 16 ? 16 : bytes;
    check_place(n, p, bytes);
    if (has(n, ".nc"))
        cpucc_on_read_only((void *)(uintptr_t)p, (int)bytes);
    for (uint32_t at = 0; at < bytes; at += piece)
        cpucc_access((uintptr_t)p + at, piece, operation, strength_of(n), NULL,
                     cpucc_current->asm_pc);
}

static void load(const struct ptx_instruction *n, struct ptx_type t, const char *p, uint64_t *r)
{
    access_plainly(n, t, p, n->strong ? VOLATILE_READ : READ);
    for (int i = 0; i < n->vector; i++) {
        memcpy(&r[i], p + i * t.bits / 8, (size_t)t.bits / 8);
        if (t.kind == 's')
            r[i] = (uint64_t)as_signed(r[i], t.bits);
    }
}

static void store(const struct ptx_instruction *n, struct ptx_type t, char *p, const uint64_t *v)
{
    access_plainly(n, t, p, n->strong ? VOLATILE_WRITE : WRITE);
    for (int i = 0; i < n->vector; i++)
        memcpy(p + i * t.bits / 8, &v[i], (size_t)t.bits / 8);
}

static void cpucc_ptx_memory(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r)
{
    struct ptx_type t = type_of(n);
    switch (n->code) {
        PTX_MEMORY(PTX_RUN)
    default: break;
    }
}

/* ---- operands ---- */

index3 cpucc_thread_index(void);
index3 cpucc_block_index(void);
index3 cpucc_block_dim(void);
index3 cpucc_grid_dim(void);
uint64_t cpucc_clock(void);
uint64_t cpucc_timer(void);

struct state { /* of an asm statement that a CUDA thread runs */
    uint64_t *arguments, *registers;
};

/* The value of special register number `which`. */
static uint64_t special(int which)
{
    unsigned lane = cpucc_special(2);
    int number = 0;
#define X(name, value)                                                                             \
    if (which == number++)                                                                         \
        return value;
    PTX_SPECIALS(X)
#undef X
    return 0;
}

/* The value of an operand; of an address the host address. An offset in the block's shared memory may be a
 * generic address of it as well, which the hardware takes too. */
static uint64_t get(const struct state *s, const struct ptx_operand *o)
{
    uint64_t v = o->kind == PTX_ARGUMENT   ? s->arguments[o->index]
                 : o->kind == PTX_REGISTER ? s->registers[o->index]
                 : o->kind == PTX_SPECIAL  ? special(o->index)
                                           : o->value;
    v = (o->negated ? !v : v) + (uint64_t)o->offset;
    bool generic = o->place != 's' || (v >> 32 && cpucc_is_shared((void *)(uintptr_t)v));
    return generic ? v : (uintptr_t)cpucc_shared_pointer((uint32_t)v);
}

static void put(const struct state *s, const struct ptx_operand *o, uint64_t v)
{
    if (o->kind == PTX_ARGUMENT)
        s->arguments[o->index] = v;
    else if (o->kind == PTX_REGISTER)
        s->registers[o->index] = v;
}

/* ---- statements ---- */

/* Not all programs have it: the statement's `matrix` is the function. */
#define cpucc_ptx_matrix NULL
#define cpucc_ptx_nothing NULL
static ptx_function *const runs[] = {
#define X(code, names, who, ...) cpucc_ptx_##who,
    PTX_OPCODES(X)
#undef X
};

/* True for barriers and fences that order less than the run time takes them to. */
static bool orders_less(const struct ptx_instruction *n)
{
    bool fence = n->code == PTX_FENCE && (has(n, ".acquire") || has(n, ".release"));
    bool always = n->code == PTX_MB_EXPECT_TX; /* is relaxed, said or not */
    return fence || (has(n, ".relaxed") && !always && runs[n->code] != cpucc_ptx_memory);
}

static void run(const struct asm_site *site, const struct state *s, const struct ptx_instruction *n)
{
    uint64_t v[PTX_OPERANDS] = {0}, r[PTX_OPERANDS + 1] = {0};
    if (cpucc_sealed && orders_less(n))
        cpucc_ptx_unsupported(n);
    for (int k = 0; k < n->operands; k++)
        v[k] = get(s, &n->operand[k]);
    (runs[n->code] ? runs[n->code] : site->matrix)(n, v, r);
    for (int k = 0; k < n->results; k++)
        put(s, &n->operand[k], r[k]);
    put(s, &n->second, r[SECOND]);
}

/* Parses a statement. Its strong loads are of flags if a branch depends on a result, or within the statement. */
static struct ptx_program *prepare(const struct asm_site *site)
{
    struct ptx_program *p = ptx_parse(site->text);
    bool decides = site->decides;
    for (int i = 0; i < p->count; i++)
        decides |= p->list[i].guard.kind != PTX_SINK;
    for (int i = 0; i < p->count; i++)
        if (decides && p->list[i].code == PTX_LD)
            p->list[i].strength |= DECIDES;
    return p;
}

/* Runs a statement. Its arguments are 8 bytes each, outputs first. An input may give an output its first value. */
void cpucc_asm(struct asm_site *site, uint64_t *arguments)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    if (!site->program)
        site->program = prepare(site);
    const struct ptx_program *p = site->program;
    uint64_t registers[p->registers + 1];
    struct state s = {arguments, registers};
    memset(registers, 0, sizeof registers);
    uintptr_t pc = SITE;
    for (int i = 0; i < p->count; i++) {
        const struct ptx_instruction *n = &p->list[i];
        if (n->code == PTX_NOTHING || (n->guard.kind && !(get(&s, &n->guard) & 1)))
            continue;
        if (n->code == PTX_BRA) {
            i = n->operand[0].index - 1;
            continue;
        }
        l->asm_pc = pc;
        run(site, &s, n);
        l->asm_pc = 0;
    }
}
