/*
 * Declares what the files of the PTX interpreter share: a statement, and the functions that run its instructions. The
 * files are ptx.c (statements, memory), ptx_arithmetic.c, ptx_together.c (operations of several lanes, asynchronous
 * copies) and ptx_matrix.c.
 */
#ifndef CPUCC_PTX_RUN_H
#define CPUCC_PTX_RUN_H

#include <string.h>
#include "../execution/execution.h"
#include "ptx.h"

unsigned cpucc_special(int which);
unsigned cpucc_cluster(int which);
void *cpucc_shared_pointer(uint32_t offset);
int cpucc_is_shared(const void *pointer);

/* Runs an instruction: v has its operands' values, r gets its results. */
typedef void ptx_function(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r);

/* An asm statement, written by assembly.c. */
struct asm_site {
    const char *text;
    ptx_function *matrix; /* cpucc_run_matrix if it is needed */
    uint64_t decides;     /* 1: a branch depends on a result */
    struct ptx_program *program;
};

/* Each runs the instructions that PTX_OPCODES assigns to it. */
ptx_function cpucc_ptx_arithmetic, cpucc_ptx_together, cpucc_ptx_copies, cpucc_run_matrix;

/* The operands' values, in PTX_OPCODES. */
#define V(k) v[k]
#define U(k) ((uint32_t)v[k])
#define I(k) ((int)v[k])
#define P(k) ((void *)(uintptr_t)v[k])
/* A row of PTX_OPCODES as a case of a switch. */
#define PTX_RUN(code, names, who, operands, ...)                                                   \
    case PTX_##code: __VA_ARGS__; break;

/* Reports that these operands are not supported, and ends the launch. */
void cpucc_ptx_unsupported(const struct ptx_instruction *n);

static inline uint64_t low_bits(uint64_t v, int bits)
{
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static inline int64_t as_signed(uint64_t v, int bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* The type that the name says, or b32. */
static inline struct ptx_type type_of(const struct ptx_instruction *n)
{
    return n->types ? n->type[0] : (struct ptx_type){'b', 32};
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

#endif
