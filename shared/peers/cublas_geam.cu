/*
 * Peer: cublasSgeam, the transpose that a user of cuBLAS calls.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I.. cublas_geam.cu -o cublas_geam -lcublas
 *
 * The same command line, verification and results as a step program; its step is `peers`.
 */
#include "harness/harness.h"
#include <cublas_v2.h>

static void check_cublas(cublasStatus_t status, const char *call)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s: cuBLAS status %d\n", call, (int)status);
    exit(EXIT_FAULT);
}

static cublasHandle_t handle;

static void prepare_geam(const float *, float *, int, int)
{
    check_cublas(cublasCreate(&handle), "cublasCreate");
}

/* cuBLAS is column-major: to it our input is a cols x rows matrix with columns `cols` apart, and
 * our output a rows x cols one with columns `rows` apart. 1 * x + 0 keeps the bits of x. */
static void launch_geam(const float *in, float *out, int rows, int cols)
{
    const float one = 1, zero = 0;
    check_cublas(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, in, cols, &zero,
                             out, rows, out, rows),
                 "cublasSgeam");
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"cublas_geam", launch_geam, 1, 0, 0, prepare_geam},
    };
    static const Step step = {"peers", TRANSPOSE, variants, COUNT_OF(variants), NULL, NULL, NULL};
    return run_step(&step, argc, argv);
}
