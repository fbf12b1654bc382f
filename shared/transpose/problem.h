/*
 * problem.h: checks a problem and brings it into its simplest form. Plain C (and C++) without CUDA.
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
    const char *in, *in_end; /* in_end: just past the last element of the last matrix */
    char *out;
    int bytes; /* of an element */
    long long rows, cols, in_pitch, out_pitch;
    int dims, batch[3], batches;
    long long in_stride[3], out_stride[3];
    int interleaved;                   /* input and output lie between each other's rows */
    int packed_in, packed_out, packed; /* rows without gaps; all matrices without gaps */
    int aligned; /* pointers, pitches, strides, rows and cols are whole vectors of 16 bytes */
    int sectors; /* all output rows begin at sectors of 32 bytes */
    int in_vectors, out_vectors; /* all matrices begin at vectors of 16 bytes */
    int shifted;                 /* some input row begins inside a vector */
} TransposeProblem;

/* Returns a * b, or -1 if that or a factor is negative or too large for an address. */
static inline long long transpose_product(long long a, long long b)
{
    return a < 0 || b < 0 || (b > 0 && a > LLONG_MAX / 16 / b) ? -1 : a * b;
}

/* Returns whether no two elements of the output share an address: sorted by stride, each dimension
 * steps over all of what the dimensions within it reach. */
static inline int transpose_injective(const TransposeProblem *p)
{
    long long stride[4] = {p->out_pitch}, length[4] = {p->cols}, reach = p->rows * p->bytes;
    int count = 1, used[4] = {0};
    for (int d = 0; d < p->dims; d++, count++) {
        stride[count] = p->out_stride[d];
        length[count] = p->batch[d];
    }
    for (int round = 0; round < count; round++) {
        int least = -1;
        for (int d = 0; d < count; d++)
            if (!used[d] && (least < 0 || stride[d] < stride[least]))
                least = d;
        used[least] = 1;
        if (length[least] > 1 && stride[least] < reach)
            return 0;
        reach += (length[least] - 1) * stride[least];
    }
    return 1;
}

/* Joins batch dimensions that are one, and makes a matrix that is a run of memory one row. */
static inline void transpose_simplify(TransposeProblem *p)
{
    int run = (p->rows == 1 && (p->cols == 1 || p->out_pitch == p->bytes)) ||
              (p->cols == 1 && p->in_pitch == p->bytes);
    if (run) {
        p->cols *= p->rows;
        p->rows = 1;
        p->in_pitch = p->cols * p->bytes;
        p->out_pitch = p->bytes;
    }
    int dims = 0;
    for (int d = 0; d < p->dims; d++) {
        if (p->batch[d] == 1)
            continue;
        if (run && dims == 0 && p->in_stride[d] == p->in_pitch && p->out_stride[d] == p->in_pitch) {
            p->cols *= p->batch[d];
            p->in_pitch *= p->batch[d];
            p->batches /= p->batch[d];
        } else if (dims > 0 && p->in_stride[d] == p->batch[dims - 1] * p->in_stride[dims - 1] &&
                   p->out_stride[d] == p->batch[dims - 1] * p->out_stride[dims - 1]) {
            p->batch[dims - 1] *= p->batch[d];
        } else {
            p->batch[dims] = p->batch[d];
            p->in_stride[dims] = p->in_stride[d];
            p->out_stride[dims++] = p->out_stride[d];
        }
    }
    p->dims = dims;
    for (int d = dims; d < 3; d++)
        p->batch[d] = 1;
    if (run) {
        uintptr_t all = (uintptr_t)p->in | (uintptr_t)p->out | (uintptr_t)p->in_pitch;
        for (int d = 0; d < dims; d++)
            all |= (uintptr_t)(p->in_stride[d] | p->out_stride[d]);
        int bytes = p->bytes;
        while (bytes < 16 && all % (2 * (unsigned)bytes) == 0)
            bytes *= 2;
        p->cols = p->in_pitch / bytes;
        p->bytes = bytes;
        p->out_pitch = bytes;
    }
}

/* Notes how pointers, pitches and strides are aligned. */
static inline void transpose_note_alignment(TransposeProblem *p)
{
    long long in = (long long)(uintptr_t)p->in, out = (long long)(uintptr_t)p->out;
    for (int d = 0; d < p->dims; d++) {
        in |= p->in_stride[d];
        out |= p->out_stride[d];
    }
    p->in_vectors = in % 16 == 0;
    p->out_vectors = out % 16 == 0;
    p->sectors = (out | p->out_pitch) % 32 == 0;
    p->shifted = (in | p->in_pitch) % 16 != 0;
    p->aligned =
        !p->shifted && (out | p->out_pitch | p->rows * p->bytes | p->cols * p->bytes) % 16 == 0;
    p->packed_in = p->in_pitch == p->cols * p->bytes;
    p->packed_out = p->out_pitch == p->rows * p->bytes;
    long long size = p->rows * p->cols * p->bytes;
    p->packed = p->packed_in && p->packed_out && p->dims <= 1 &&
                (p->dims == 0 || (p->in_stride[0] == size && p->out_stride[0] == size));
}

/* Checks a problem and fills in its simplest form. *nothing is 1 if there is nothing to do. */
static inline TransposeError transpose_check(const Transpose *t, TransposeProblem *p, int *nothing)
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
    *nothing = t->rows == 0 || t->cols == 0;
    long long in_next = transpose_product(p->in_pitch, t->rows);
    long long out_next = transpose_product(p->out_pitch, t->cols), batches = 1;
    long long in_all = in_next - p->in_pitch + t->cols * e; /* to just past the last element */
    long long out_all = out_next - p->out_pitch + t->rows * e;
    if (p->in_pitch < 0 || p->out_pitch < 0 || in_next < 0 || out_next < 0)
        return TRANSPOSE_TOO_LARGE;
    for (int d = 0; d < t->batch_dims; d++) {
        const TransposeBatch *b = &t->batch[d];
        if (b->count < 0 || b->in_stride < 0 || b->out_stride < 0)
            return TRANSPOSE_BAD_BATCH;
        *nothing |= b->count == 0;
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
    for (int d = t->batch_dims; d < 3; d++)
        p->batch[d] = 1;
    if (*nothing)
        return TRANSPOSE_OK;
    p->in = (const char *)t->in;
    p->out = (char *)t->out;
    p->bytes = e;
    p->rows = t->rows;
    p->cols = t->cols;
    p->dims = t->batch_dims;
    p->batches = (int)batches;
    if (!t->in || !t->out)
        return TRANSPOSE_NULL_POINTER;
    const uintptr_t in = (uintptr_t)t->in, out = (uintptr_t)t->out;
    if (in % e != 0 || out % e != 0)
        return TRANSPOSE_MISALIGNED;
    if (in_all > LLONG_MAX / 8 || out_all > LLONG_MAX / 8 || in + in_all < in ||
        out + out_all < out)
        return TRANSPOSE_TOO_LARGE;
    p->in_end = p->in + in_all;
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
    } else {
        transpose_simplify(p);
    }
    if (p->rows > INT_MAX || (p->cols > INT_MAX && (p->rows > 1 || p->dims > 0)))
        return TRANSPOSE_TOO_LARGE;
    transpose_note_alignment(p);
    return TRANSPOSE_OK;
}

#endif
