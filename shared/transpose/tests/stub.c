/* stub.c: a library with transpose.h's transpose() that works on host memory, and the three functions
 * of the CUDA runtime that the users' programs call. With it they run where there is no GPU. */
#include <stdlib.h>

#include "reference.h"
#include "transpose/rule.h"

TransposeError transpose(const Transpose *t)
{
    TransposeProblem p;
    TransposeError refused = transpose_check(t, &p);
    if (refused == TRANSPOSE_OK && !p.nothing)
        reference_transpose(t, (char *)t->out, (const char *)t->in);
    return refused;
}

const char *transpose_error_text(TransposeError error) { return transpose_text(error); }

int cudaMallocManaged(void **memory, size_t bytes, unsigned flags);
int cudaMallocManaged(void **memory, size_t bytes, unsigned flags)
{
    return (*memory = malloc(bytes)) == NULL || flags != 1;
}

int cudaDeviceSynchronize(void);
int cudaDeviceSynchronize(void) { return 0; }

int cudaFree(void *memory);
int cudaFree(void *memory)
{
    free(memory);
    return 0;
}
