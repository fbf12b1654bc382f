/* matrix.c: the matrix instructions of a warp, for the interpreter of PTX and for mma.h. */
#ifndef CPUCC_MATRIX_H
#define CPUCC_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum matrix_type { M_F16, M_BF16, M_TF32, M_F32, M_F64, M_S8, M_U8, M_S32, M_NONE };

/* mma.sync of m x n x k. Operands are registers as in PTX (64 bits for f64, else 32). */
struct mma {
    int m, n, k;
    enum matrix_type a, b, d; /* c has d's type */
    bool saturate;
};
/* frontend/ptx_mma.c: parses what follows mma.sync.aligned; false if cpucc lacks that form. */
bool cpucc_mma_parse(const char *modifiers, struct mma *how);
int cpucc_matrix_bits(enum matrix_type type);
/* Returns how many registers operand 'a', 'b', 'c' or 'd' takes. */
int cpucc_mma_registers(const struct mma *how, char operand);
void cpucc_mma(const struct mma *how, const uint64_t *a, const uint64_t *b, const uint64_t *c,
               uint64_t *d);

/* ldmatrix, stmatrix: `count` (1, 2, 4) matrices of 8 x 8 16-bit elements; each lane gives the
 * address of a row of 16 bytes. movmatrix: transposes one matrix in registers. */
void cpucc_ldmatrix(const void *row, int count, bool transposed, uint64_t *registers);
void cpucc_stmatrix(void *row, int count, bool transposed, const uint64_t *registers);
uint64_t cpucc_movmatrix(uint64_t value);

#endif
