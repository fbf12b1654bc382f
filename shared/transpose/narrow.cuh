/*
 * narrow.cuh: the kernels for matrices of few rows or columns, for small ones in batches, and for
 * copies.
 *
 *   transpose_columns   few columns: the input is one run of memory
 *   transpose_gather    2 to 8 rows or columns of larger elements, straight from L1
 *   transpose_rows      few rows whose output is one run of memory, elements of 4 bytes or more
 *   transpose_groups    batches of small packed matrices: input and output are runs of memory
 *   transpose_copies    matrices of one row: rows of a strided copy
 */
#ifndef TRANSPOSE_NARROW_CUH
#define TRANSPOSE_NARROW_CUH

#include "transpose/small.cuh"

/*
 * A few columns, the input packed: a block reads the run of tile_rows rows, and of `before` more
 * for the sake of the windows, and writes one window of each output row. A line is a group of as
 * many rows as a vector has elements: cols vectors (and one more if the input begins inside a
 * vector), an odd number from group to group, so that eight lanes meet different banks.
 */
template <int BYTES>
static __global__ void __launch_bounds__(512) transpose_columns(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES, SIDE = BYTES < 4 ? 4 / BYTES : 1;

    TransposeTile at = transpose_tile(job);
    const int first = at.row * job.tile_rows, cols = job.cols, step = (int)job.in_pitch;
    const char *begin = at.in + (first - job.before) * job.in_pitch;
    uint32_t *turned = (uint32_t *)(transpose_shared + job.high);
    if (BYTES < 4) { /* padding that is read, though not used */
        for (int n = threadIdx.x; n < job.lines && job.group_pitch > job.width; n += blockDim.x)
            transpose_shared[n * job.group_pitch + job.width] = make_uint4(0, 0, 0, 0);
        for (int n = threadIdx.x; n < cols; n += blockDim.x)
            turned[n * job.turned + (job.tile_rows + job.before) / SIDE] = 0;
        if (threadIdx.x == 0)
            transpose_shared[job.high - 1] = make_uint4(0, 0, 0, 0);
    }
    transpose_fetch<BYTES>(transpose_shared, job, begin, cols * 16, cols * 16);

    const int group_step = job.group_pitch * 16, jump = group_step - V * step;
    const unsigned shift = transpose_past(begin, 16);
    char *out = at.out + (long long)first * BYTES;
    if constexpr (BYTES < 4) {
        /* Squares: a thread turns some side by side, and neighbours those of the next rows. */
        const unsigned height = (job.tile_rows + job.before) / SIDE;
        const unsigned across = (cols + SIDE - 1) / SIDE;
#pragma unroll 1
        for (unsigned i = threadIdx.x;; i += blockDim.x) {
            unsigned part = transpose_divide(i, job.by_count), down = i - part * height;
            unsigned x = part * job.count, end = min(x + job.count, across);
            if (x >= across)
                break;
            unsigned place = down / 4 * group_step + down % 4 * SIDE * step + shift;
            const uint32_t *from[SIDE];
            uint32_t low[SIDE], bits[SIDE], *to = turned + x * SIDE * job.turned + down;
#pragma unroll
            for (int k = 0; k < SIDE; k++, place += step) {
                from[k] = (const uint32_t *)((const char *)transpose_shared + (place & ~3u)) + x;
                bits[k] = place * 8; /* mod 32 */
                low[k] = *from[k];
            }
            for (; x < end; x++) {
                uint32_t square[SIDE];
#pragma unroll
                for (int k = 0; k < SIDE; k++) {
                    uint32_t high = *++from[k];
                    square[k] = __funnelshift_r(low[k], high, bits[k]);
                    low[k] = high;
                }
                transpose_square<BYTES>(square);
#pragma unroll
                for (int k = 0; k < SIDE; k++, to += job.turned)
                    *to = square[k];
            }
        }
        __syncthreads();
    }

    /* Eight lanes along an output row; small elements: and up to four lines of it per thread. */
    const char *shared = (const char *)transpose_shared + shift;
    const int each = BYTES < 4 ? job.each : 1, vectors = job.tile_rows / V / each * cols;
#pragma unroll 2
    for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
        int part = transpose_divide(i / 8, job.by_cols), col = i / 8 - part * cols;
        char *to = out + col * job.out_pitch;
        int row = (part * each * 8 + i % 8) * V - transpose_past(to, 32) / BYTES;
        unsigned r = job.before + row; /* of the tile */
        to += row * BYTES;
        row += first;
        const uint32_t *words = turned + col * job.turned + r * BYTES / 4;
        const char *from = shared + r / V * group_step + r % V * step + col * BYTES;
#pragma unroll
        for (int k = 0; k < (BYTES < 4 ? 4 : 1); k++, row += 8 * V, to += 128, words += 32) {
            if (k >= each)
                break;
            __align__(16) Element vector[V];
            if (BYTES < 4) {
#pragma unroll
                for (int j = 0; j < 4; j++)
                    ((uint32_t *)vector)[j] =
                        __funnelshift_r(words[j], words[j + 1], r * BYTES * 8);
            } else {
#pragma unroll
                for (int j = 0; j < V; j++)
                    vector[j] = *(const Element *)(from + j * step + (r % V + j < V ? 0 : jump));
            }
            transpose_put<BYTES>(to, vector, row, 0, job.rows);
        }
    }
}

/* 2 to 8 rows with a packed output, or columns with a packed input, without shared memory: L1 holds
 * what lanes leave of a sector until the next element asks for it. A thread puts one vector of the
 * output together. Elements of 4 bytes or more; smaller ones are too many loads. */
template <int BYTES, int COLS>
static __global__ void __launch_bounds__(128) transpose_gather(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES;

    TransposeTile at = transpose_tile(job);
    const unsigned i = at.row * 128 + threadIdx.x;
    unsigned eight = COLS ? transpose_divide(i / 8, job.by_count) : 0;
    int col = COLS ? i / 8 - eight * job.cols : 0, all = COLS ? job.rows : job.rows * job.cols;
    char *to = at.out + col * job.out_pitch; /* of the output row, or of the whole output */
    int start = (COLS ? eight * 8 + i % 8 : i) * V - transpose_past(to, 16) / BYTES;
    int row = max(start, 0);
    if (row >= all)
        return;
    if (!COLS) {
        col = transpose_divide(row, job.by_count);
        row -= col * job.rows;
    }
    const char *from = at.in + row * job.in_pitch + (long long)col * BYTES;
    to += (long long)start * BYTES;
    __align__(16) Element vector[V];
#pragma unroll
    for (int j = 0; j < V; j++)
        if (start + j >= 0 && start + j < all) {
            vector[j] = *(const Element *)from;
            from += job.in_pitch;
            if (!COLS && ++row == job.rows) {
                row = 0;
                from -= job.rows * job.in_pitch - BYTES;
            }
        }
    transpose_put<BYTES>(to, vector, start, 0, all);
}

/* A few rows, the output packed. A block reads a piece of tile_rows columns of each row, and
 * `before` more, and writes one window of the output. One vector of padding after V rows lets lanes
 * that read every V-th row meet different banks. */
template <int BYTES>
static __global__ void __launch_bounds__(512) transpose_rows(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES;

    TransposeTile at = transpose_tile(job);
    const int first = at.row * job.tile_rows, rows = job.rows;
    const char *corner = at.in + (long long)(first - job.before) * BYTES;
    const int bytes = min(job.tile_rows, job.cols - first) * BYTES + job.before * BYTES;
    transpose_fetch<BYTES>(transpose_shared, job, corner, bytes,
                           (job.tile_rows + job.before) * BYTES);

    char *to = at.out + (long long)first * rows * BYTES;
    const char *shared = (const char *)transpose_shared;
    const int back = transpose_past(to, 32) / BYTES, shift = transpose_past(corner, 16);
    const int shift_step = (int)(job.in_pitch & 15), row_step = job.line_pitch * 16;
    const long long before = (long long)first * rows, after = (long long)rows * job.cols - before;
#pragma unroll 1
    for (int i = threadIdx.x; i < job.tile_rows / V * rows; i += blockDim.x) {
        int start = i * V - back, n = job.before * rows + start;
        int col = transpose_divide(n, job.by_count), row = n - col * rows;
        __align__(16) Element vector[V];
#pragma unroll
        for (int j = 0; j < V; j++) {
            vector[j] = *(const Element *)(shared + row * row_step + row / V * 16 + col * BYTES +
                                           ((shift + row * shift_step) & 15));
            if (++row == rows) {
                row = 0;
                col++;
            }
        }
        transpose_put<BYTES>(to + start * BYTES, vector, start, -before, after);
    }
}

/* Small packed matrices: a block reads a run of tile_rows of them and writes one. `count` elements,
 * as many matrices as are a whole number of stores, make a group. What a thread moves lies at the
 * same place of every group, so the thread computes that place once. Elements of 1 and 2 bytes are
 * stored four bytes at a time. */
template <int BYTES>
static __global__ void __launch_bounds__(256) transpose_groups(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int UNIT = BYTES <= 2 ? 4 : 16, IN_UNIT = UNIT / BYTES, THREADS = 256;
    typedef TransposeElement<UNIT> Unit;

    transpose_wait();
    const int first = blockIdx.x * job.tile_rows, size = job.rows * job.cols, group = job.count;
    const int length = min(job.tile_rows, job.batches - first) * size;
    const char *begin = job.in + (long long)first * size * BYTES;
    const int line = (job.padded ? group : length) * BYTES;
    transpose_fetch<BYTES>(transpose_shared, job, begin, line,
                           (job.padded ? group : job.tile_rows * size) * BYTES);
    const int group_step = job.padded ? job.group_pitch * 16 : group * BYTES; /* in shared memory */

    /* Units begin at a multiple of UNIT bytes of memory: the first may begin before the run. */
    char *to = job.out + (long long)first * size * BYTES;
    const int shift = transpose_past(begin, 16), back = transpose_past(to, UNIT) / BYTES;
    const int units = group / IN_UNIT, across = min(units, THREADS), at_a_time = THREADS / across;
    const int mine = threadIdx.x / across;
    if (mine >= at_a_time)
        return;
    for (int unit = threadIdx.x - mine * across; unit < units; unit += across) {
        int places[IN_UNIT];
#pragma unroll
        for (int j = 0; j < IN_UNIT; j++) {
            int n = unit * IN_UNIT - back + j, earlier = n < 0 ? group : 0;
            int matrix = transpose_divide(n + earlier, job.by_count);
            int in_matrix = n + earlier - matrix * size;
            int col = transpose_divide(in_matrix, job.by_cols), row = in_matrix - col * job.rows;
            int place = shift + (matrix * size + row * job.cols + col) * BYTES;
            places[j] = place + place / 128 * 16 * job.padded - (earlier ? group_step : 0);
            asm volatile("" : "+r"(places[j])); /* else it is computed again for each matrix */
        }
        const char *run = (const char *)transpose_shared + mine * group_step;
        for (int start = mine * group + unit * IN_UNIT - back; start < length;
             start += at_a_time * group, run += at_a_time * group_step) {
            if (start >= 0 && start + IN_UNIT <= length) {
                __align__(16) Element piece[IN_UNIT];
#pragma unroll
                for (int j = 0; j < IN_UNIT; j++)
                    piece[j] = *(const Element *)(run + places[j]);
                *(Unit *)(to + start * BYTES) = *(const Unit *)piece;
            } else {
#pragma unroll
                for (int j = 0; j < IN_UNIT; j++)
                    if (start + j >= 0 && start + j < length)
                        ((Element *)to)[start + j] = *(const Element *)(run + places[j]);
            }
        }
    }
}

/* Matrices of one row, or one column next to each other in memory: `count` threads copy a row,
 * rows of 256 threads and more take several blocks. An element has 2^line_shift bytes. */
template <int WORD>
static __global__ void __launch_bounds__(256) transpose_copies(const TransposeJob job)
{
    transpose_wait();
    int in_block = transpose_divide(threadIdx.x, job.by_count);
    int n = threadIdx.x - in_block * job.count + ((int)blockIdx.y + job.first_across) * 256;
    long long matrix = (long long)blockIdx.x * job.tile_rows + in_block;
    if (in_block >= job.tile_rows || matrix >= job.batches || n >= job.cols)
        return;
    const char *from = job.in + ((long long)n << job.line_shift);
    char *to = job.out + ((long long)n << job.line_shift);
    int left = (int)matrix;
#pragma unroll
    for (int d = 0; d < 3; d++) {
        int outer = job.batch[d] > 1 ? transpose_divide(left, job.by_batch[d]) : left;
        int here = job.batch[d] > 1 ? left - outer * job.batch[d] : 0;
        from += here * job.in_stride[d];
        to += here * job.out_stride[d];
        left = outer;
    }
    switch (job.line_shift) {
    case 0: *to = *from; break;
    case 1: *(uint16_t *)to = *(const uint16_t *)from; break;
    case 2: *(uint32_t *)to = *(const uint32_t *)from; break;
    case 3: *(uint2 *)to = *(const uint2 *)from; break;
    default: *(uint4 *)to = *(const uint4 *)from;
    }
}

#endif
