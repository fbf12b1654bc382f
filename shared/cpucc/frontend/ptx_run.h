/*
 * Declares what the files of the PTX interpreter share: the state of a running asm statement and
 * the values of operands. The files are ptx.c (statements, memory), ptx_arithmetic.c, and
 * ptx_together.c (operations of several lanes, asynchronous copies).
 */
#ifndef CPUCC_PTX_RUN_H
#define CPUCC_PTX_RUN_H

#include <string.h>
#include "../execution/execution.h"
#include "ptx.h"

index3 cpucc_thread_index(void);
index3 cpucc_block_index(void);
index3 cpucc_block_dim(void);
index3 cpucc_grid_dim(void);
unsigned cpucc_special(int which);
unsigned cpucc_cluster(int which);
uint64_t cpucc_clock(void);
uint64_t cpucc_timer(void);
void *cpucc_shared_pointer(uint32_t offset);
int cpucc_is_shared(const void *pointer);

struct state;

/* An asm statement, written by assembly.c. sizes: each operand's bytes as a digit, outputs
 * first. */
struct asm_site {
    const char *text, *constraints, *sizes;
    void (*matrix)(struct state *,
                   const struct ptx_instruction *); /* cpucc_run_matrix if it is needed */
    struct asm_program {
        struct ptx_program *ptx;
        int outputs;
        signed char tied[32]; /* for each output: the input that initialises it ("+r"), or -1 */
    } * program;
};

struct state { /* of an asm statement that a CUDA thread runs */
    const struct asm_site *site;
    const uint64_t *in;
    uint64_t *out;
    int outputs;
    uint64_t *registers;
};

/* Each runs the instructions that PTX_OPCODES assigns to it. */
void cpucc_ptx_arithmetic(struct state *s, const struct ptx_instruction *n);
void cpucc_ptx_together(struct state *s, const struct ptx_instruction *n);
void cpucc_ptx_copies(struct state *s, const struct ptx_instruction *n);

/* Reports that these operands are not supported, and ends the launch. */
void cpucc_ptx_unsupported(const struct ptx_instruction *n);

static inline uint64_t low_bits(uint64_t v, int bits)
{
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* The value of special register number `which`. */
static inline uint64_t special(int which)
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

static inline uint64_t raw(const struct state *s, const struct ptx_operand *o)
{
    uint64_t v = 0;
    switch (o->kind) {
    case PTX_ARGUMENT: {
        int size = s->site->sizes[o->index] - '0';
        v = o->index < s->outputs ? s->out[o->index] : s->in[o->index - s->outputs];
        v = size > 0 ? low_bits(v, 8 * size) : v;
        break;
    }
    case PTX_REGISTER: v = s->registers[o->index]; break;
    case PTX_NUMBER: v = o->value; break;
    case PTX_SPECIAL: v = special(o->index); break;
    default: break;
    }
    return o->negated ? !v : v;
}

static inline uint64_t number(const struct state *s, const struct ptx_instruction *n, int k)
{
    return k < n->operands ? raw(s, &n->operand[k]) : 0;
}

static inline void put(struct state *s, const struct ptx_operand *o, uint64_t v)
{
    if (o->kind == PTX_ARGUMENT)
        s->out[o->index] = v;
    else if (o->kind == PTX_REGISTER)
        s->registers[o->index] = v;
}

static inline int64_t as_signed(uint64_t v, int bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static inline double as_float(const struct ptx_operand *o, uint64_t v, int bits)
{
    float f;
    double d;
    memcpy(&d, &v, 8);
    memcpy(&f, &v, 4);
    bool is_fraction = o->kind == PTX_NUMBER && o->offset; /* written as 1.5 */
    return is_fraction || bits == 64 ? d : f;
}

static inline uint64_t float_bits(double d, int bits)
{
    uint64_t v = 0;
    float f = (float)d;
    memcpy(&v, bits == 64 ? (void *)&d : (void *)&f, (size_t)bits / 8);
    return v;
}

/* True if the instruction's name has this whole part, for example ".wide". */
static inline bool has(const struct ptx_instruction *n, const char *part)
{
    return ptx_has(n->modifiers, part);
}

/* The operation of an atomic or a reduction, by its number in struct reduction; -1 if the name has none. */
static inline int reduction_of(const struct ptx_instruction *n)
{
    static const char *const names[] = {".add", ".min", ".max", ".inc",
                                        ".dec", ".and", ".or",  ".xor"};
    for (int k = 0; k < 8; k++)
        if (has(n, names[k]))
            return k;
    return -1;
}

/* The host address of operand k. If `shared`, the operand is an offset in the block's shared memory, or
 * a generic address of it, which the hardware takes too. */
static inline void *address(const struct state *s, const struct ptx_instruction *n, int k,
                            bool shared)
{
    uint64_t v = number(s, n, k) + (uint64_t)(k < n->operands ? n->operand[k].offset : 0);
    bool generic = !shared || (v >> 32 && cpucc_is_shared((void *)(uintptr_t)v));
    return generic ? (void *)(uintptr_t)v : cpucc_shared_pointer((uint32_t)v);
}

#endif
