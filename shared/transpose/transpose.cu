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

TransposeError transpose_plan(const Transpose *t, const TransposeDevice *device,
                              TransposePlan *plan)
{
    TransposeProblem p;
    int nothing = 0;
    memset(plan, 0, sizeof *plan);
    TransposeError refused = transpose_check(t, &p, &nothing);
    if (refused == TRANSPOSE_OK && !nothing)
        transpose_choose(&p, device, t->reads, plan);
    return refused;
}

const char *transpose_error_text(TransposeError error)
{
    switch (error) { /* those of many.h; transpose_text() has the others */
    case TRANSPOSE_BAD_DEVICES: return "devices is not 1 to 16";
    case TRANSPOSE_NO_PEERS:
        return "two devices have no peer access, and there is no or too little staging memory";
    default: return transpose_text(error);
    }
}

int transpose_plan_name(const TransposePlan *plan, int element_bytes, char *text, size_t size)
{
    return transpose_name(plan, element_bytes, text, size);
}
