/* reference.h: what transpose() must do, on the host and element by element. Plain C. */
#include <stdint.h>
#include <string.h>

#include "transpose/transpose.h"

/* Sets the pitches, counts and strides that were left 0 to what they stand for. */
static inline Transpose reference_resolved(const Transpose *t)
{
    Transpose r = *t;
    r.in_pitch = r.in_pitch ? r.in_pitch : r.cols;
    r.out_pitch = r.out_pitch ? r.out_pitch : r.rows;
    int64_t in_next = r.in_pitch * r.rows, out_next = r.out_pitch * r.cols;
    for (int d = 0; d < 3; d++) {
        TransposeBatch *b = &r.batch[d];
        if (d >= r.batch_dims)
            b->count = 1;
        b->in_stride = d < r.batch_dims && b->in_stride ? b->in_stride : in_next;
        b->out_stride = d < r.batch_dims && b->out_stride ? b->out_stride : out_next;
        in_next = b->in_stride * b->count;
        out_next = b->out_stride * b->count;
    }
    return r;
}

/* Returns how many elements lie from the first to the last of the input, or of the output. */
static inline int64_t reference_reach(const Transpose *t, int out)
{
    const Transpose r = reference_resolved(t);
    int64_t reach = out ? (r.cols - 1) * r.out_pitch + r.rows : (r.rows - 1) * r.in_pitch + r.cols;
    for (int d = 0; d < 3; d++)
        reach += (r.batch[d].count - 1) * (out ? r.batch[d].out_stride : r.batch[d].in_stride);
    return reach;
}

/* Transposes from one place in host memory to another. */
static inline void reference_transpose(const Transpose *t, char *out, const char *in)
{
    const Transpose r = reference_resolved(t);
    const TransposeBatch *b = r.batch;
    const size_t e = (size_t)r.element_bytes;
    for (int64_t z = 0; z < b[2].count; z++)
        for (int64_t y = 0; y < b[1].count; y++)
            for (int64_t x = 0; x < b[0].count; x++)
                for (int64_t row = 0; row < r.rows; row++)
                    for (int64_t col = 0; col < r.cols; col++)
                        memcpy(out + e * (z * b[2].out_stride + y * b[1].out_stride +
                                          x * b[0].out_stride + col * r.out_pitch + row),
                               in + e * (z * b[2].in_stride + y * b[1].in_stride +
                                         x * b[0].in_stride + row * r.in_pitch + col),
                               e);
}
