/*
 * problem.h: checks a problem and brings it into its simplest form; what errors mean. Plain C (and C++)
 * without CUDA.
 */
#ifndef TRANSPOSE_PROBLEM_H
#define TRANSPOSE_PROBLEM_H

#include <limits.h>
#include <string.h>

#include "transpose/transpose.h"

/* A problem that was checked, in its simplest form: sizes in elements, pitches and strides in
 * bytes, batch dimensions of length 1 dropped and adjacent ones joined. A matrix whose input and
 * output are the same run of memory has one row, and elements as large as alignment allows. */
typedef struct {
    int nothing;             /* 1: there are no elements, and the rest means nothing */
    const char *in, *in_end; /* in_end: just past the last element of the last matrix */
    char *out;
    int bytes; /* of an element */
    long long rows, cols, in_pitch, out_pitch;
    int dims, batch[3], batches;
    long long in_stride[3], out_stride[3];
    int run;                           /* a matrix's input and output are the same run of memory */
    int interleaved;                   /* input and output lie between each other's rows */
    int packed_in, packed_out, packed; /* rows without gaps; all matrices without gaps */
    long long in_bits, out_bits; /* pointer and strides, or-ed: how all matrices are aligned */
    int aligned; /* pointers, pitches, strides, rows and cols are whole vectors of 16 bytes */
    int sectors; /* all output rows begin at sectors of 32 bytes */
    int shifted; /* some input row begins inside a vector of 16 bytes */
} TransposeProblem;

/* Returns a * b, or -1 if that or a factor is negative or too large for an address. */
static inline long long transpose_product(long long a, long long b)
{
    return a < 0 || b < 0 || (b > 0 && a > LLONG_MAX / 16 / b) ? -1 : a * b;
}

/* Returns whether no two elements of the output share an address: in the order of its stride, each
 * dimension steps over all of what the dimensions within it reach. */
static inline int transpose_injective(const TransposeProblem *p)
{
    long long stride[] = {p->out_pitch, p->out_stride[0], p->out_stride[1], p->out_stride[2]};
    const long long length[] = {p->cols, p->batch[0], p->batch[1], p->batch[2]};
    long long reach = p->rows * p->bytes;
    for (int round = 0; round < 4; round++) {
        int least = 0;
        for (int d = 1; d < 4; d++)
            least = stride[d] < stride[least] ? d : least;
        if (length[least] > 1 && stride[least] < reach)
            return 0;
        reach += (length[least] - 1) * stride[least];
        stride[least] = LLONG_MAX;
    }
    return 1;
}

/* Joins batch dimensions that are one, and makes a matrix that is a run of memory one row. */
static inline void transpose_simplify(TransposeProblem *p)
{
    p->run = (p->rows == 1 && (p->cols == 1 || p->out_pitch == p->bytes)) ||
             (p->cols == 1 && p->in_pitch == p->bytes);
    if (p->run)
        p->in_pitch = p->cols * p->rows * p->bytes; /* all of the run */
    int dims = 0;
    for (int d = 0; d < p->dims; d++) {
        const long long in_stride = p->in_stride[d], out_stride = p->out_stride[d];
        const int count = p->batch[d], last = dims - 1;
        if (count == 1)
            continue;
        if (dims > 0 && in_stride == p->batch[last] * p->in_stride[last] &&
            out_stride == p->batch[last] * p->out_stride[last]) {
            p->batch[last] *= count;
        } else if (p->run && dims == 0 && in_stride == p->in_pitch && out_stride == p->in_pitch) {
            p->in_pitch *= count;
            p->batches /= count;
        } else {
            p->batch[dims] = count;
            p->in_stride[dims] = in_stride;
            p->out_stride[dims++] = out_stride;
        }
    }
    p->dims = dims;
    for (int d = dims; d < 3; d++)
        p->batch[d] = 1;
}

/* Notes how pointers, pitches and strides are aligned, and makes a run's elements as large as that allows. */
static inline void transpose_note_alignment(TransposeProblem *p)
{
    p->in_bits = (long long)(uintptr_t)p->in;
    p->out_bits = (long long)(uintptr_t)p->out;
    for (int d = 0; d < p->dims; d++) {
        p->in_bits |= p->in_stride[d];
        p->out_bits |= p->out_stride[d];
    }
    if (p->run) {
        while (p->bytes < 16 && (p->in_bits | p->out_bits | p->in_pitch) % (2 * p->bytes) == 0)
            p->bytes *= 2;
        p->rows = 1;
        p->cols = p->in_pitch / p->bytes;
        p->out_pitch = p->bytes;
    }
    const long long row = p->cols * p->bytes, out_row = p->rows * p->bytes, size = p->rows * row;
    const long long in = p->in_bits | p->in_pitch, out = p->out_bits | p->out_pitch;
    p->sectors = out % 32 == 0;
    p->shifted = in % 16 != 0;
    p->aligned = (in | out | row | out_row) % 16 == 0;
    p->packed_in = p->in_pitch == row;
    p->packed_out = p->out_pitch == out_row;
    p->packed =
        p->packed_in && p->packed_out &&
        (p->dims == 0 || (p->dims == 1 && p->in_stride[0] == size && p->out_stride[0] == size));
}

/* Returns why a problem is refused, or TRANSPOSE_OK with its simplest form filled in. */
static inline TransposeError transpose_check(const Transpose *t, TransposeProblem *p)
{
    const int e = t->element_bytes;
    memset(p, 0, sizeof *p);
    if (e != 1 && e != 2 && e != 4 && e != 8 && e != 16)
        return TRANSPOSE_BAD_ELEMENT;
    if (t->rows < 0 || t->cols < 0)
        return TRANSPOSE_BAD_SIZE;
    if (t->batch_dims < 0 || t->batch_dims > 3)
        return TRANSPOSE_BAD_BATCH;
    if ((t->in_pitch != 0 && t->in_pitch < t->cols) ||
        (t->out_pitch != 0 && t->out_pitch < t->rows))
        return TRANSPOSE_PITCH_TOO_SMALL;
    p->in_pitch = transpose_product(t->in_pitch ? t->in_pitch : t->cols, e);
    p->out_pitch = transpose_product(t->out_pitch ? t->out_pitch : t->rows, e);
    p->nothing = t->rows == 0 || t->cols == 0;
    long long in_next = transpose_product(p->in_pitch, t->rows);
    long long out_next = transpose_product(p->out_pitch, t->cols), batches = 1;
    long long in_all = in_next - p->in_pitch + t->cols * e; /* to just past the last element */
    long long out_all = out_next - p->out_pitch + t->rows * e;
    if (in_next < 0 || out_next < 0) /* a pitch as well */
        return TRANSPOSE_TOO_LARGE;
    for (int d = 0; d < t->batch_dims; d++) {
        const TransposeBatch *b = &t->batch[d];
        if (b->count < 0 || b->in_stride < 0 || b->out_stride < 0)
            return TRANSPOSE_BAD_BATCH;
        p->nothing |= b->count == 0;
        p->in_stride[d] = b->in_stride ? transpose_product(b->in_stride, e) : in_next;
        p->out_stride[d] = b->out_stride ? transpose_product(b->out_stride, e) : out_next;
        in_next = transpose_product(p->in_stride[d], b->count);
        out_next = transpose_product(p->out_stride[d], b->count);
        batches = transpose_product(batches, b->count);
        if (in_next < 0 || out_next < 0 || batches < 0 || batches > INT_MAX)
            return TRANSPOSE_TOO_LARGE;
        in_all += in_next - p->in_stride[d];
        out_all += out_next - p->out_stride[d];
        p->batch[d] = (int)b->count;
    }
    if (p->nothing)
        return TRANSPOSE_OK;
    if (!t->in || !t->out)
        return TRANSPOSE_NULL_POINTER;
    const uintptr_t in = (uintptr_t)t->in, out = (uintptr_t)t->out;
    if (in % e != 0 || out % e != 0)
        return TRANSPOSE_MISALIGNED;
    if (in_all > LLONG_MAX / 8 || out_all > LLONG_MAX / 8 || in + in_all < in ||
        out + out_all < out)
        return TRANSPOSE_TOO_LARGE;
    p->in = (const char *)t->in;
    p->in_end = p->in + in_all;
    p->out = (char *)t->out;
    p->bytes = e;
    p->rows = t->rows;
    p->cols = t->cols;
    p->dims = t->batch_dims;
    p->batches = (int)batches;
    if (!transpose_injective(p))
        return TRANSPOSE_OVERLAP;
    if (in < out + out_all && out < in + in_all) {
        /* Two rectangles with the same pitch are disjoint if their columns are. */
        long long pitch = p->in_pitch, apart = (long long)(out - in) % pitch;
        apart += apart < 0 ? pitch : 0;
        if (batches > 1 || p->out_pitch != pitch || apart < t->cols * e ||
            apart + t->rows * e > pitch)
            return TRANSPOSE_OVERLAP;
        p->interleaved = 1;
    }
    transpose_simplify(p);
    transpose_note_alignment(p);
    if (p->rows > INT_MAX || (p->cols > INT_MAX && (p->rows > 1 || p->dims > 0)))
        return TRANSPOSE_TOO_LARGE;
    return TRANSPOSE_OK;
}

/* Returns what an error means; those of many.h stand here too. */
static inline const char *transpose_text(int error)
{
    static const char *const texts[] = {
        "no error",
        "out or in is a null pointer",
        "element_bytes is not 1, 2, 4, 8 or 16, or not the size that the template was called for",
        "rows or cols is negative",
        "batch_dims is not 0 to 3, or a count or stride is negative",
        "in_pitch is less than cols, or out_pitch less than rows",
        "out or in is not aligned to an element",
        "out overlaps in, or itself",
        "too large: rows, cols, the number of matrices or an address overflows",
        "devices is not 1 to 16",
        "two devices have no peer access, and there is no or too little staging memory",
        "the plan cannot do this problem",
    };
    return error >= 0 && error < (int)(sizeof texts / sizeof *texts)
               ? texts[error]
               : "a CUDA call failed: ask cudaGetErrorString() for the error less TRANSPOSE_CUDA";
}

#endif
