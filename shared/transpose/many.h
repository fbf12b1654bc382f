/*
 * many.h: transposes a matrix that is spread over the devices of one process, at close to the speed of
 * a copy between them. Plain C; link with many.cu and transpose.cu, or with the shared library.
 *
 *     TransposeMany t = {.devices = 4, .out = out, .in = in, .rows = 1000, .cols = 777, .element_bytes = 4};
 *     TransposeError error = transpose_many(&t);
 */
#ifndef TRANSPOSE_MANY_H
#define TRANSPOSE_MANY_H

#include "transpose/transpose.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRANSPOSE_MOST_DEVICES = 16 };

/*
 * What to transpose. Part g of the input has its rows from transpose_many_first(rows, g, devices) up to
 * those of part g + 1; part g of the output has the rows that are such columns of the input. Parts are
 * packed, row-major, and may be empty. All but the first six fields may be left 0.
 *
 *   devices          1 to TRANSPOSE_MOST_DEVICES
 *   out, in          out[g], in[g]: memory of device g, aligned to an element; they may not overlap
 *   rows, cols       of the whole input, below 2^31 each
 *   element_bytes    1, 2, 4, 8 or 16
 *   device           device[g]: CUDA's number of device g, which may serve several parts; NULL: g
 *   stream           stream[g]: a cudaStream_t of device g; NULL: the default streams
 *   staging          staging[g]: memory of device g, staging_bytes each. With it, copy engines carry large
 *                    blocks, and devices without peer access are possible. NULL: kernels store to the
 *                    other devices directly
 *   staging_bytes    1 GB lets the copy engines reach their full speed
 */
typedef struct {
    int devices;
    void *const *out;
    const void *const *in;
    int64_t rows, cols;
    int element_bytes;
    const int *device;
    struct CUstream_st *const *stream;
    void *const *staging;
    size_t staging_bytes;
} TransposeMany;

/* Returns the first of `length` rows that belongs to part g of `devices`; `length` if g is `devices`. */
static inline int64_t transpose_many_first(int64_t length, int g, int devices)
{
    return length / devices * g + length % devices * g / devices;
}

/* Starts the transposition after the work that the streams of all devices hold, and returns at once. Later
 * work in any of the streams begins when all parts are complete. Enables peer access between the devices and
 * leaves it enabled: from the second call on compute-sanitizer reports that it was enabled already, unless run
 * with --report-api-errors no. Not for graphs. Returns TRANSPOSE_OK; why the problem is refused, with nothing launched (TRANSPOSE_NO_PEERS:
 * two devices have no peer access and there is no staging memory); or TRANSPOSE_CUDA plus CUDA's error. */
TransposeError transpose_many(const TransposeMany *problem);

#ifdef __cplusplus
}
#endif
#endif
