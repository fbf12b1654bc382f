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
 * and strides are in elements. Pitches, strides, batch_dims, reads and stream may be left 0: packed
 * rows, matrices that follow each other, no batch, reads by size, the default stream.
 *
 *   out, in             device memory of the current device, aligned to an element; they may not
 *                       overlap (two disjoint rectangles of one larger matrix do not)
 *   rows, cols          of the input, below 2^31 each; the output has cols rows of `rows` elements
 *   in_pitch, out_pitch from one row to the next; at least cols, and at least rows
 *   element_bytes       1, 2, 4, 8 or 16; bits are moved as they are
 *   batch_dims, batch   up to three dimensions in any order; the order matters for strides of 0
 *   stream              a cudaStream_t of the current device
 *
 * What lies between rows or matrices of the output stays as it is. What lies between those of the
 * input may be read and is not used. A transposition in place is not possible.
 *
 * Any two dimensions of a tensor can be swapped: the later one is cols, the earlier one rows, each
 * other dimension a batch. Images of N x HW x C to N x C x HW:
 *     {.rows = HW, .cols = C, .batch_dims = 1, .batch = {{N}}, ...}
 * If the last dimension stays the last, it is a matrix of one row, and all others are batches.
 * B x T x H x 64 to B x H x T x 64:
 *     {.rows = 1, .cols = 64, .out_pitch = 1, .batch_dims = 3, ...
 *      .batch = {{H, 64, T * 64}, {T, H * 64, 64}, {B, T * H * 64, H * T * 64}}}
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
    TRANSPOSE_BAD_DEVICES, /* this one and the next are of many.h */
    TRANSPOSE_NO_PEERS,
    TRANSPOSE_BAD_PLAN,
    TRANSPOSE_CUDA = 1000,         /* plus the cudaError_t of a failed call */
    TRANSPOSE_ERROR_MOST = 1 << 20 /* so that every such sum is a value of this type */
} TransposeError;

/* Launches one kernel or copy on the stream (several for huge problems) and returns at once.
 * Allocates nothing, can be captured in a graph, and may be called from any number of threads.
 * Returns TRANSPOSE_OK, also if a size or count is 0; why the problem is refused, with nothing
 * launched; or TRANSPOSE_CUDA plus the error of the launch. Errors of the caller's earlier CUDA
 * calls are neither returned nor cleared. */
TransposeError transpose(const Transpose *problem);

/* Returns what an error means, as one line that is never freed. */
const char *transpose_error_text(TransposeError error);

/* How a problem is transposed. way, hints: see rule.h. band_rows: blocks walk down so many rows of
 * each column of tiles at a time; 0: all rows. fronts: 1, blocks walk down two columns at a time. */
typedef struct {
    int way, hints, band_rows, fronts;
} TransposePlan;

/* Returns what transpose() would return short of CUDA's errors, and fills in the plan that it would
 * use on a device with so many bytes of L2. Needs no GPU. */
TransposeError transpose_plan(const Transpose *problem, double l2_bytes, TransposePlan *plan);

/* Writes a plan's name, such as "windows 64x64, keep, lines", as snprintf() would. */
int transpose_plan_name(const TransposePlan *plan, int element_bytes, char *text, size_t size);

/* Launches with a plan of the caller's. Returns also TRANSPOSE_BAD_PLAN if the plan cannot do it. */
TransposeError transpose_with_plan(const Transpose *problem, const TransposePlan *plan);

#ifdef __cplusplus
}
#endif
#endif
