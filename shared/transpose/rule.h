/*
 * rule.h: what a problem is, which ways to transpose it there are, and which is taken. Plain C (and
 * C++) without CUDA: everything here can be tested without a GPU.
 */
#ifndef TRANSPOSE_RULE_H
#define TRANSPOSE_RULE_H

#include <limits.h>
#include <stdio.h>
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

/* ---- ways ---- */

enum {                 /* a way is a kernel and its tiles; see core.cuh, narrow.cuh */
       TRANSPOSE_COPY, /* one row: cudaMemcpy, or transpose_copies */
       TRANSPOSE_ELEMENTS,
       TRANSPOSE_WINDOWS,
       TRANSPOSE_WINDOWS_SMALL,
       TRANSPOSE_WINDOWS_WIDE,
       TRANSPOSE_REGISTERS,
       TRANSPOSE_REGISTERS_SMALL,
       TRANSPOSE_REGISTERS_FLAT,
       TRANSPOSE_REGISTERS_TALL,
       TRANSPOSE_COLUMNS, /* transpose_windows over runs of a few columns */
       TRANSPOSE_ROWS,    /* transpose_rows, or transpose_turned */
       TRANSPOSE_VECTORS,
       TRANSPOSE_GROUPS,
       TRANSPOSE_WAYS
};

enum { TRANSPOSE_KEEP = 1, TRANSPOSE_LINES = 2 }; /* hints; LINES only with KEEP */

enum { TRANSPOSE_NARROW = 64, TRANSPOSE_GROUPS_BYTES = 8192, TRANSPOSE_VECTORS_MOST = 4 };

/* Rows, columns and threads of tiles, by way from TRANSPOSE_WINDOWS on and by element size (1, 2, 4,
 * 8, 16 bytes); 0: there are none. Pieces of rows of large tiles have 256 bytes, for DRAM's sake. */
#ifdef __cplusplus
static constexpr
#else
static const
#endif
    short transpose_tile_table[7][5][3] = {
        {{128, 128, 256}, {128, 64, 256}, {64, 64, 512}, {64, 32, 512}, {32, 16, 256}},
        {{0}, {64, 64, 128}, {32, 32, 128}, {16, 16, 128}, {8, 16, 64}},
        {{0}, {0}, {64, 128, 512}, {0}, {0}},
        {{128, 256, 512}, {128, 128, 512}, {64, 64, 512}, {64, 32, 512}, {32, 16, 256}},
        {{128, 64, 128}, {64, 64, 128}, {32, 32, 128}, {16, 32, 128}, {16, 16, 128}},
        {{0}, {0}, {32, 64, 256}, {0}, {0}},
        {{256, 64, 256}, {128, 64, 256}, {128, 32, 256}, {0}, {0}},
};

/* Returns the row of a table that has one per element size. */
#ifdef __cplusplus
constexpr
#endif
    static inline int
    transpose_size_index(int bytes)
{
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4;
}

static inline const short *transpose_tiles(int way, int bytes)
{
    return transpose_tile_table[way - TRANSPOSE_WINDOWS][transpose_size_index(bytes)];
}

/* Returns whether a way can do a problem. */
static inline int transpose_can(const TransposeProblem *p, int way)
{
    const int run = p->rows == 1 && (p->cols == 1 || p->out_pitch == p->bytes);
    if (way < 0 || way >= TRANSPOSE_WAYS)
        return 0;
    if (way == TRANSPOSE_COPY || run)
        return way == TRANSPOSE_COPY && run;
    if (way == TRANSPOSE_ELEMENTS || p->interleaved)
        return way == TRANSPOSE_ELEMENTS;
    switch (way) {
    case TRANSPOSE_COLUMNS: return p->packed_in && p->cols > 1 && p->cols <= TRANSPOSE_NARROW;
    case TRANSPOSE_ROWS: return p->packed_out && p->rows > 1 && p->rows <= TRANSPOSE_NARROW;
    case TRANSPOSE_VECTORS: {
        const int cols = p->packed_in && p->cols <= p->rows;
        const long long few = cols ? p->cols : p->rows, along = cols ? p->rows : p->cols;
        return (cols ? p->bytes <= 4 : p->packed_out && p->bytes <= 2) && few > 1 &&
               few <= TRANSPOSE_VECTORS_MOST && p->in_vectors && p->out_vectors &&
               ((cols ? p->out_pitch : p->in_pitch) | along * p->bytes) % 16 == 0;
    }
    case TRANSPOSE_GROUPS:
        return p->packed && p->batches > 1 && p->rows > 1 && p->cols > 1 &&
               p->rows * p->cols * p->bytes <= TRANSPOSE_GROUPS_BYTES;
    default:
        return transpose_tiles(way, p->bytes)[0] > 0 && (way < TRANSPOSE_REGISTERS || p->aligned);
    }
}

/* ---- the rule ---- */

/* Fills in the plan for a problem on a device. */
static inline void transpose_choose(const TransposeProblem *p, const TransposeDevice *device,
                                    TransposeReads reads, TransposePlan *plan)
{
    double traffic = 2.0 * p->rows * p->cols * p->bytes * p->batches / device->l2_bytes;
    int narrow = transpose_can(p, TRANSPOSE_COLUMNS) || transpose_can(p, TRANSPOSE_ROWS);
    memset(plan, 0, sizeof *plan);
    if (reads == TRANSPOSE_READS_KEPT ||
        (reads == TRANSPOSE_READS_BY_SIZE && traffic >= (narrow || p->batches > 1 ? 4 : 8)))
        plan->hints = TRANSPOSE_KEEP;
    if (transpose_can(p, TRANSPOSE_COPY))
        plan->way = TRANSPOSE_COPY;
    else if (p->interleaved)
        plan->way = TRANSPOSE_ELEMENTS;
    else if (transpose_can(p, TRANSPOSE_VECTORS))
        plan->way = TRANSPOSE_VECTORS;
    else if (transpose_can(p, TRANSPOSE_GROUPS))
        plan->way = TRANSPOSE_GROUPS;
    else if (transpose_can(p, TRANSPOSE_COLUMNS))
        plan->way = TRANSPOSE_COLUMNS;
    else if (transpose_can(p, TRANSPOSE_ROWS))
        plan->way = TRANSPOSE_ROWS;
    else
        plan->way = p->aligned ? TRANSPOSE_REGISTERS : TRANSPOSE_WINDOWS;
    if (plan->hints && plan->way <= TRANSPOSE_REGISTERS_TALL &&
        ((uintptr_t)p->in | p->in_pitch) % 128 != 0)
        plan->hints |= TRANSPOSE_LINES;
}

/* Writes a plan's name as snprintf() would. */
static inline int transpose_name(const TransposePlan *plan, int bytes, char *text, size_t size)
{
    static const char *const names[] = {
        "copy",      "elements",  "windows", "windows", "windows", "registers", "registers",
        "registers", "registers", "columns", "rows",    "vectors", "groups"};
    char tiles[32] = "", band[32] = "";
    if (plan->way >= TRANSPOSE_WINDOWS && plan->way <= TRANSPOSE_REGISTERS_TALL) {
        const short *t = transpose_tiles(plan->way, bytes);
        snprintf(tiles, sizeof tiles, " %dx%d", t[0], t[1]);
    }
    if (plan->band_rows > 0)
        snprintf(band, sizeof band, ", bands of %d rows", plan->band_rows);
    return snprintf(text, size, "%s%s%s%s%s%s", names[plan->way], tiles,
                    plan->hints & TRANSPOSE_KEEP ? ", keep" : "",
                    plan->hints & TRANSPOSE_LINES ? ", lines" : "", band,
                    plan->fronts ? ", two fronts" : "");
}

static inline const char *transpose_text(int error)
{
    switch (error) {
    case TRANSPOSE_OK: return "no error";
    case TRANSPOSE_NULL_POINTER: return "out or in is a null pointer";
    case TRANSPOSE_BAD_ELEMENT: return "element_bytes is not 1, 2, 4, 8 or 16";
    case TRANSPOSE_BAD_SIZE: return "rows or cols is negative, or the plan cannot do this problem";
    case TRANSPOSE_BAD_BATCH: return "batch_dims is not 0 to 3, or a count or stride is negative";
    case TRANSPOSE_PITCH_TOO_SMALL:
        return "in_pitch is less than cols, or out_pitch less than rows";
    case TRANSPOSE_MISALIGNED: return "out or in is not aligned to an element";
    case TRANSPOSE_OVERLAP: return "out overlaps in, or itself";
    case TRANSPOSE_TOO_LARGE: return "too large: rows, cols, the number of matrices or an address overflows";
    default: return "a CUDA call failed: the error less TRANSPOSE_CUDA is its cudaError_t";
    }
}

#endif
