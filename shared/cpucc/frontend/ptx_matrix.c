/* Part of the PTX interpreter (ptx.c). Runs matrix instructions. Only programs that contain some are linked with
 * it: struct asm_site.matrix. */
#include "../libraries/matrix.h"
#include "ptx_run.h"

static void multiply(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r)
{
    struct mma how;
    if (!cpucc_mma_parse(n->modifiers, &how))
        cpucc_ptx_unsupported(n);
    const uint64_t *a = v + n->results, *b = a + cpucc_mma_registers(&how, 'a');
    cpucc_mma(&how, a, b, b + cpucc_mma_registers(&how, 'b'), r);
}

void cpucc_run_matrix(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r)
{
    switch (n->code) {
        PTX_MATRIX(PTX_RUN)
    default: break;
    }
}
