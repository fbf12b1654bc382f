/* Part of the PTX interpreter (ptx.c). Runs matrix instructions. Only programs that contain some are linked with
 * it: struct asm_site.matrix. */
#include "../libraries/matrix.h"
#include "ptx_run.h"

void cpucc_run_matrix(struct state *s, const struct ptx_instruction *n)
{
    uint64_t a[8] = {0}, b[8] = {0}, c[8] = {0}, d[8] = {0};
    int count = has(n, ".x4") ? 4 : has(n, ".x2") ? 2 : 1;
    bool transposed = has(n, ".trans");
    struct mma how;
    switch (n->code) {
    case PTX_LDMATRIX:
        cpucc_ldmatrix(address(s, n, count, n->shared), count, transposed, d);
        for (int i = 0; i < count; i++)
            put(s, &n->operand[i], d[i]);
        return;
    case PTX_STMATRIX:
        for (int i = 0; i < count; i++)
            d[i] = number(s, n, i + 1);
        cpucc_stmatrix(address(s, n, 0, n->shared), count, transposed, d);
        return;
    case PTX_MOVMATRIX: put(s, &n->operand[0], cpucc_movmatrix(number(s, n, 1))); return;
    default: break;
    }
    if (!cpucc_mma_parse(n->modifiers, &how))
        cpucc_ptx_unsupported(n);
    int sums = cpucc_mma_registers(&how, 'd'), at = sums;
    for (int i = 0; i < cpucc_mma_registers(&how, 'a'); i++)
        a[i] = number(s, n, at++);
    for (int i = 0; i < cpucc_mma_registers(&how, 'b'); i++)
        b[i] = number(s, n, at++);
    for (int i = 0; i < sums; i++)
        c[i] = number(s, n, at++);
    cpucc_mma(&how, a, b, c, d);
    for (int i = 0; i < sums; i++)
        put(s, &n->operand[i], d[i]);
}
