/*
 * transpose.h: transposes matrices of any shape, element size, pitch and alignment on a GPU, at
 * close to the speed of a copy. Plain C; link with transpose.cu, or with the shared library.
 *
 *     Transpose t = {.out = out, .in = in, .rows = 1000, .cols = 777, .element_bytes = 4};
 *     TransposeError error = transpose(&t);
 */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether L2 keeps what is read longer than what is written (evict_last). That makes large
 * transpositions 1 to 6 % faster; a following kernel that lives in L2 can be slower. */
typedef enum {
    TRANSPOSE_READS_BY_SIZE,  /* if input and output are many times as large as L2 */
    TRANSPOSE_READS_ORDINARY, /* never: L2 is left as a copy would leave it */
    TRANSPOSE_READS_KEPT      /* always */
} TransposeReads;

/* One dimension of a batch: `count` matrices, strides in elements from one to the next. A stride
 * of 0 stands for matrices that follow each other: the pitch times rows (out: times cols), or, of
 * the second and third dimension, the inner dimension's count times its stride. */
typedef struct {
    int64_t count, in_stride, out_stride;
} TransposeBatch;

/*
 * What to transpose: out[b][c][r] = in[b][r][c] for all matrices b of a batch. All sizes, pitches
 * and strides are in elements. Fields left 0 mean: packed rows, no batch, the default stream.
 *
 *   out, in             device memory of the current device, aligned to an element; they may not
 *                       overlap (two disjoint rectangles of one larger matrix do not)
 *   rows, cols          of the input, below 2^31 each; the output has cols rows of `rows` elements
 *   in_pitch, out_pitch from one row to the next, at least cols and at least rows
 *   element_bytes       1, 2, 4, 8 or 16; bits are moved as they are
 *   batch_dims, batch   up to three dimensions, the innermost first. Any two dimensions of a tensor
 *                       are swapped so: the later one is cols, the earlier one rows, and each other
 *                       dimension a batch. If the last dimension stays the last, matrices have one
 *                       row (that dimension) and out_pitch 1, and all others are batches
 *   stream              a cudaStream_t of the current device
 *
 * What lies between the rows of the output stays as it is. What lies between the rows of the
 * input, from its first to its last element, may be read and is not used.
 */
typedef struct {
    void *out;
    const void *in;
    int64_t rows, cols, in_pitch, out_pitch;
    int element_bytes;
    int batch_dims;
    TransposeBatch batch[3];
    TransposeReads reads;
    struct CUstream_st *stream;
} Transpose;

typedef enum {
    TRANSPOSE_OK,
    TRANSPOSE_NULL_POINTER,
    TRANSPOSE_BAD_ELEMENT,
    TRANSPOSE_BAD_SIZE,
    TRANSPOSE_BAD_BATCH,
    TRANSPOSE_PITCH_TOO_SMALL,
    TRANSPOSE_MISALIGNED,
    TRANSPOSE_OVERLAP,
    TRANSPOSE_TOO_LARGE,
    TRANSPOSE_CUDA = 1000 /* plus the cudaError_t of a failed call */
} TransposeError;

/* Launches the transposition on the stream and returns at once. Allocates nothing, can be captured
 * in a graph, and may be called from any number of threads. Returns TRANSPOSE_OK, also if a size or
 * count is 0; why the problem is refused, with nothing launched; or TRANSPOSE_CUDA plus the error
 * of the launch. Errors of the caller's earlier CUDA calls are neither returned nor cleared. */
TransposeError transpose(const Transpose *problem);

/* Returns what an error means, as one line that is never freed. */
const char *transpose_error_text(TransposeError error);

/* How a problem is transposed: the fields' values are in rule.h. */
typedef struct {
    int way, hints, band_rows, fronts;
} TransposePlan;

/* What the rule asks of a device: SMs, bytes of L2, and GB/s of memory. */
typedef struct {
    int sms;
    double l2_bytes, gb_per_s;
} TransposeDevice;

/* Returns what transpose() would return short of CUDA's errors, and fills in the plan that it would
 * use on such a device. Needs no GPU. */
TransposeError transpose_plan(const Transpose *problem, const TransposeDevice *device,
                              TransposePlan *plan);

/* Writes a plan's name, such as "windows 64x64, keep, lines", as snprintf() would. */
int transpose_plan_name(const TransposePlan *plan, int element_bytes, char *text, size_t size);

/* Launches with a plan of the caller's. Returns also TRANSPOSE_BAD_SIZE if the plan cannot do it. */
TransposeError transpose_with_plan(const Transpose *problem, const TransposePlan *plan);

#ifdef __cplusplus
}
#endif
#endif
