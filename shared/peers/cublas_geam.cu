/*
 * Peer (a library's transpose): cublas<t>geam, which a user of cuBLAS calls. t is S for elements of
 * 4 bytes, D or C for 8, Z for 16. geam has no batches, so there is one call per matrix.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I.. cublas_geam.cu -o cublas_geam -lcublas
 *
 * The program has the command line, verification and results of a step program; its step is `peers`.
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
    if (!handle)
        check_cublas(cublasCreate(&handle), "cublasCreate");
}

/* Calls cublas<t>geam for one matrix. cuBLAS is column-major: it sees our input as a cols x rows matrix
 * with columns in_pitch apart, and our output as a rows x cols one. 1 * x + 0 keeps the bits of x. */
#define GEAM(function, type, one, zero)                                                            \
    do {                                                                                           \
        const type a = one, b = zero;                                                              \
        check_cublas(function(handle, CUBLAS_OP_T, CUBLAS_OP_N, p->rows, p->cols, &a,              \
                              (const type *)in, (int)p->in_pitch, &b, (type *)out,                 \
                              (int)p->out_pitch, (type *)out, (int)p->out_pitch),                  \
                     #function);                                                                   \
    } while (0)

template <int COMPLEX>
static void launch_geam(const Problem *p)
{
    const char *in = (const char *)p->in;
    char *out = (char *)p->out;
    for (int b = 0; b < p->batches; b++) {
        if (p->element_bytes == 4)
            GEAM(cublasSgeam, float, 1, 0);
        else if (p->element_bytes == 8 && COMPLEX)
            GEAM(cublasCgeam, cuComplex, make_cuComplex(1, 0), make_cuComplex(0, 0));
        else if (p->element_bytes == 8)
            GEAM(cublasDgeam, double, 1, 0);
        else
            GEAM(cublasZgeam, cuDoubleComplex, make_cuDoubleComplex(1, 0),
                 make_cuDoubleComplex(0, 0));
        in += (size_t)p->rows * p->in_pitch * p->element_bytes;
        out += (size_t)p->cols * p->out_pitch * p->element_bytes;
    }
}

static const char *refuses_small(const Problem *p)
{
    return p->element_bytes < 4 ? "elements of 4, 8 and 16 bytes only" : NULL;
}

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"cublas_geam", NULL, 1, 0, 0, prepare_geam, launch_geam<0>, refuses_small},
        {"cublas_geam_complex", NULL, 1, 0, 0, prepare_geam, launch_geam<1>, refuses_small},
    };
    /* The complex variant is for elements of 8 bytes only. */
    int count = 1;
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--element-bytes") == 0 && strcmp(argv[i + 1], "8") == 0)
            count = 2;
    const Step step = {"peers", TRANSPOSE, variants, count, NULL, NULL, NULL};
    return run_step(&step, argc, argv);
}
