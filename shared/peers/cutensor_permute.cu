/*
 * Peer (a library's transpose): cutensorPermute, the permutation of dimensions that a user of cuTENSOR
 * calls, for elements of 2, 4, 8 and 16 bytes; batches are a third dimension.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I.. cutensor_permute.cu -o cutensor_permute -lcutensor
 *
 * The program has the command line, verification and results of a step program; its step is `peers`.
 */
#include "harness/harness.h"
#include <cutensor.h>

static void check_cutensor(cutensorStatus_t status, const char *call)
{
    if (status == CUTENSOR_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", call, cutensorGetErrorString(status));
    exit(EXIT_FAULT);
}
#define CUTENSOR_CHECK(call) check_cutensor((call), #call)

static cutensorHandle_t handle;
static cutensorPlan_t plan; /* for the only problem of this process */

/* Returns the largest power of two up to 256 that divides the address. */
static uint32_t alignment_of(const void *pointer)
{
    uint32_t alignment = 1;
    while (alignment < 256 && (uintptr_t)pointer % (2 * alignment) == 0)
        alignment *= 2;
    return alignment;
}

/* Sets `plan`. Dimension 'b' is the matrix, 'r' the row and 'c' the column of the input. */
static void make_plan(const Problem *p)
{
    cudaDataType_t type = p->element_bytes == 2   ? CUDA_R_16BF
                          : p->element_bytes == 4 ? CUDA_R_32F
                          : p->element_bytes == 8 ? CUDA_R_64F
                                                  : CUDA_C_64F;
    cutensorComputeDescriptor_t precision =
        p->element_bytes <= 4 ? CUTENSOR_COMPUTE_DESC_32F : CUTENSOR_COMPUTE_DESC_64F;
    const int64_t in_extents[] = {p->cols, p->rows, p->batches};
    const int64_t out_extents[] = {p->rows, p->cols, p->batches};
    const int64_t in_strides[] = {1, p->in_pitch, p->rows * p->in_pitch};
    const int64_t out_strides[] = {1, p->out_pitch, p->cols * p->out_pitch};
    const int32_t in_modes[] = {'c', 'r', 'b'}, out_modes[] = {'r', 'c', 'b'};
    cutensorTensorDescriptor_t in, out;
    cutensorOperationDescriptor_t permutation;
    cutensorPlanPreference_t preference;
    CUTENSOR_CHECK(cutensorCreate(&handle));
    CUTENSOR_CHECK(cutensorCreateTensorDescriptor(handle, &in, 3, in_extents, in_strides, type,
                                                  alignment_of(p->in)));
    CUTENSOR_CHECK(cutensorCreateTensorDescriptor(handle, &out, 3, out_extents, out_strides, type,
                                                  alignment_of(p->out)));
    CUTENSOR_CHECK(cutensorCreatePermutation(handle, &permutation, in, in_modes,
                                             CUTENSOR_OP_IDENTITY, out, out_modes, precision));
    CUTENSOR_CHECK(cutensorCreatePlanPreference(handle, &preference, CUTENSOR_ALGO_DEFAULT,
                                                CUTENSOR_JIT_MODE_NONE));
    CUTENSOR_CHECK(cutensorCreatePlan(handle, &plan, permutation, preference, 0));
}

static void launch_permute(const Problem *p)
{
    static const float one[] = {1, 0};
    static const double one_double[] = {1, 0};
    if (!plan) /* true only at the verified launch, which is not timed */
        make_plan(p);
    const void *alpha = p->element_bytes <= 4 ? (const void *)one : (const void *)one_double;
    CUTENSOR_CHECK(cutensorPermute(handle, plan, alpha, p->in, p->out, 0));
}

static const char *refuses_bytes(const Problem *p)
{
    return p->element_bytes == 1 ? "elements of 2, 4, 8 and 16 bytes only" : NULL;
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"cutensor_permute", NULL, 1, 0, 0, NULL, launch_permute, refuses_bytes},
    };
    static const Step step = {
        "peers", TRANSPOSE, variants, COUNT_OF(variants), NULL, NULL, NULL,
    };
    return run_step(&step, argc, argv);
}
