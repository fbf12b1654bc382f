/* matrix.c: the matrix instructions of a warp, for inline PTX and for mma.h. The functions must be
 * called by all lanes of the warp. */
#ifndef CPUCC_MATRIX_H
#define CPUCC_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum matrix_type { /* include/mma.h has the first numbers */
                   M_F16,
                   M_BF16,
                   M_TF32,
                   M_F32,
                   M_F64,
                   M_S8,
                   M_U8,
                   M_S32,
                   M_S4,
                   M_U4,
                   M_E4M3,
                   M_E5M2,
                   M_NONE
};

/* mma.sync of m x n x k. Operands are registers as in PTX (64 bits for f64, else 32). */
struct mma {
    int m, n, k;
    enum matrix_type a, b, d; /* c has d's type */
    bool saturate;
};
/* frontend/ptx_mma.c: parses the modifiers of mma.sync.aligned; false if cpucc lacks the form. */
bool cpucc_mma_parse(const char *modifiers, struct mma *how);

/* Returns the bits of an element. */
static inline int cpucc_matrix_bits(enum matrix_type t)
{
    static const char bits[] = {16, 16, 32, 32, 64, 8, 8, 32, 4, 4, 8, 8};
    return bits[t];
}

/* Returns the number of registers per lane of operand 'a', 'b', 'c' or 'd'. */
static inline int cpucc_mma_registers(const struct mma *h, char operand)
{
    int bits = operand == 'a'   ? h->m * h->k * cpucc_matrix_bits(h->a)
               : operand == 'b' ? h->k * h->n * cpucc_matrix_bits(h->b)
                                : h->m * h->n * cpucc_matrix_bits(h->d);
    int size = (operand == 'a' || operand == 'b' ? h->a : h->d) == M_F64 ? 64 : 32;
    return bits / 32 / size;
}

/* Computes the lane's registers of d = a * b + c. */
void cpucc_mma(const struct mma *how, const uint64_t *a, const uint64_t *b, const uint64_t *c,
               uint64_t *d);

/* Loads or stores `count` (1, 2 or 4) matrices of 8 x 8 16-bit elements. Each lane passes the
 * address of one row of 16 bytes. */
void cpucc_ldmatrix(const void *row, int count, bool transposed, uint64_t *registers);
void cpucc_stmatrix(void *row, int count, bool transposed, const uint64_t *registers);
uint64_t cpucc_movmatrix(uint64_t value); /* transposes one matrix in registers */

#endif
