/*
 * transpose.cu: the interface of transpose.h.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I.. -c transpose.cu
 */
#include "transpose/launch.cuh"

TransposeError transpose(const Transpose *t) { return transpose_call<0>(t, NULL); }

TransposeError transpose_with_plan(const Transpose *t, const TransposePlan *plan)
{
    return transpose_call<0>(t, plan);
}

TransposeError transpose_plan(const Transpose *t, double l2_bytes, TransposePlan *plan)
{
    TransposeProblem p;
    const TransposeError refused = transpose_check(t, &p);
    memset(plan, 0, sizeof *plan);
    if (refused == TRANSPOSE_OK && !p.nothing)
        transpose_choose(&p, l2_bytes, t->reads, plan);
    return refused;
}

const char *transpose_error_text(TransposeError error) { return transpose_text(error); }

int transpose_plan_name(const TransposePlan *plan, int element_bytes, char *text, size_t size)
{
    return transpose_name(plan, element_bytes, text, size);
}
