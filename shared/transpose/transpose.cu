/*
 * transpose.cu: the interface of transpose.h.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I.. -c transpose.cu
 */
#include "transpose/launch.cuh"

static TransposeError transpose_result(cudaError_t error)
{
    return error == cudaSuccess ? TRANSPOSE_OK : (TransposeError)(TRANSPOSE_CUDA + error);
}

TransposeError transpose(const Transpose *t)
{
    TransposeProblem p;
    TransposeDevice device;
    TransposePlan plan;
    int nothing = 0;
    TransposeError refused = transpose_check(t, &p, &nothing);
    if (refused != TRANSPOSE_OK || nothing)
        return refused;
    cudaError_t error = transpose_device(&device);
    if (error != cudaSuccess)
        return transpose_result(error);
    transpose_choose(&p, &device, t->reads, &plan);
    return transpose_result(transpose_run(&p, &plan, t->stream));
}

TransposeError transpose_with_plan(const Transpose *t, const TransposePlan *plan)
{
    TransposeProblem p;
    int nothing = 0;
    TransposeError refused = transpose_check(t, &p, &nothing);
    if (refused != TRANSPOSE_OK || nothing)
        return refused;
    if (!transpose_can(&p, plan->way))
        return TRANSPOSE_BAD_SIZE;
    return transpose_result(transpose_run(&p, plan, t->stream));
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

const char *transpose_error_text(TransposeError error) { return transpose_text(error); }

int transpose_plan_name(const TransposePlan *plan, int element_bytes, char *text, size_t size)
{
    return transpose_name(plan, element_bytes, text, size);
}
