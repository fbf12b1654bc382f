/*
 * narrow.cuh: the kernels for matrices of few rows or columns, for small ones in batches, and for
 * copies.
 *
 *   transpose_columns       few columns: the input is one run of memory
 *   transpose_runs          few rows, or small packed matrices: the output is one run of memory
 *   transpose_gather        2 to 8 rows or columns of larger elements, straight from L1
 *   transpose_few_columns   2 to 4 columns, 1 and 2 bytes, in each thread's registers
 *   transpose_few_rows      2 to 4 rows, 1 and 2 bytes, in each thread's registers
 *   transpose_copies        matrices of one row: rows of a strided copy
 */
#ifndef TRANSPOSE_NARROW_CUH
#define TRANSPOSE_NARROW_CUH

#include "transpose/core.cuh"

/*
 * A few columns, the input packed: a block reads the run of tile_rows rows, and of `before` more
 * for the sake of the windows, and writes one window of each output row. A line is a group of as
 * many rows as a vector has elements: cols vectors (and one more if the input begins inside a
 * vector), an odd number from group to group, so that eight lanes meet different banks.
 */
template <int BYTES>
static __global__ void __launch_bounds__(256) transpose_columns(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES;

    TransposeTile at = transpose_tile(job);
    const int first = at.row * job.tile_rows, cols = job.cols, step = (int)job.in_pitch;
    const char *begin = at.in + (first - job.before) * job.in_pitch;
    transpose_fetch<BYTES>(job, begin, cols * 16, cols * 16);

    const int group_step = job.line_pitch * 16, jump = group_step - V * step;
    const char *shared = (const char *)transpose_shared + transpose_past(begin, 16);
#pragma unroll 2
    for (int i = threadIdx.x; i < job.tile_rows / V * cols; i += blockDim.x) {
        int part = transpose_divide(i / 8, job.by_cols), col = i / 8 - part * cols;
        char *to = at.out + col * job.out_pitch + (long long)first * BYTES;
        /* Eight lanes along a window. */
        int row = (part * 8 + i % 8) * V - transpose_past(to, 32) / BYTES;
        unsigned r = job.before + row; /* of the tile */
        const char *from = shared + r / V * group_step + r % V * step + col * BYTES;
        __align__(16) Element vector[V];
#pragma unroll
        for (int j = 0; j < V; j++)
            vector[j] = *(const Element *)(from + j * step + (r % V + j < V ? 0 : jump));
        transpose_put<BYTES>(to + row * BYTES, vector, first + row, job.rows);
    }
}

/*
 * The output is one run of memory, made of *slices* of `size` elements: the columns of a matrix of
 * few rows, or small packed matrices. A block reads tile_rows slices and writes their run. In the
 * input, slices lie slice_step bytes apart, the rows of a slice row_step bytes.
 *
 * As many slices as are a whole number of stores make a group of `count` elements. What a thread
 * moves lies at the same place of every group, so the thread computes that place once. Elements of
 * 1 and 2 bytes are stored four bytes at a time.
 */
template <int BYTES>
static __global__ void __launch_bounds__(512) transpose_runs(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int UNIT = BYTES <= 2 ? 4 : 16, IN_UNIT = UNIT / BYTES;
    typedef TransposeElement<UNIT> Unit;

    TransposeTile at = transpose_tile(job);
    const int first = at.row * job.tile_rows, slices = min(job.tile_rows, job.slices - first);
    const int length = slices * job.size, group = job.count, group_step = job.group_step;
    const char *begin = at.in + (long long)first * job.slice_step;
    char *to = at.out + (long long)first * job.size * BYTES;
    transpose_fetch<BYTES>(job, begin, slices * job.slice_step, job.tile_rows * job.slice_step);

    /* Units begin at a multiple of UNIT bytes of memory: the first may begin before the run. */
    const int shift = transpose_past(begin, 16), back = transpose_past(to, UNIT) / BYTES;
    const int units = group / IN_UNIT, across = min(units, (int)blockDim.x);
    /* Eight groups are whole sectors, and whole lines of 16-byte units, so no turn begins inside one. */
    const int fit = blockDim.x / across, at_a_time = fit >= 32 ? fit & ~7 : fit;
    const int mine = threadIdx.x / across;
    if (mine >= at_a_time)
        return;
    for (int unit = threadIdx.x - mine * across; unit < units; unit += across) {
        int places[IN_UNIT];
#pragma unroll
        for (int j = 0; j < IN_UNIT; j++) {
            int n = unit * IN_UNIT - back + j, earlier = n < 0 ? group : 0;
            int slice = transpose_divide(n + earlier, job.by_size);
            int in_slice = n + earlier - slice * job.size;
            int col = transpose_divide(in_slice, job.by_rows), row = in_slice - col * job.rows;
            places[j] = slice * job.slice_step + row * job.row_step + col * BYTES +
                        (row >> job.line_shift) * 16 + ((shift + row * job.shift_step) & 15) -
                        (earlier ? group_step : 0);
            asm volatile("" : "+r"(places[j])); /* else it is computed again for each group */
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
    unsigned eight = COLS ? transpose_divide(i / 8, job.by_cols) : 0;
    int col = COLS ? i / 8 - eight * job.cols : 0, all = COLS ? job.rows : job.rows * job.cols;
    char *to = at.out + col * job.out_pitch; /* of the output row, or of the whole output */
    int start = (COLS ? eight * 8 + i % 8 : i) * V - transpose_past(to, 16) / BYTES;
    int row = max(start, 0);
    if (row >= all)
        return;
    if (!COLS) {
        col = transpose_divide(row, job.by_rows);
        row -= col * job.rows;
    }
    const char *from = at.in + row * job.in_pitch + (long long)col * BYTES;
    to += (long long)start * BYTES;
    __align__(16) Element vector[V];
#define TRANSPOSE_TAKE(HINTS, CONDITION)                                                           \
    _Pragma("unroll") for (int j = 0; j < V; j++) if (CONDITION)                                   \
    {                                                                                              \
        vector[j] = transpose_load<BYTES, HINTS>(from);                                            \
        from += job.in_pitch;                                                                      \
        if (!COLS && ++row == job.rows) {                                                          \
            row = 0;                                                                               \
            from -= job.rows * job.in_pitch - BYTES;                                               \
        }                                                                                          \
    }
    if (start >= 0 && start + V <= all) { /* a condition per load costs 2 to 10 points (H200) */
        if (job.hints) {
            TRANSPOSE_TAKE(TRANSPOSE_KEEP, true)
        } else {
            TRANSPOSE_TAKE(0, true)
        }
    } else {
        TRANSPOSE_TAKE(0, start + j >= 0 && start + j < all)
    }
#undef TRANSPOSE_TAKE
    transpose_put<BYTES>(to, vector, start, all);
}

/* Returns where vector n of a run lies in shared memory, in vectors: with padding after every 8 and
 * every 64 vectors, eight lanes that read every K-th meet different banks, whatever K up to 64. */
static __host__ __device__ __forceinline__ constexpr int transpose_padded(int n)
{
    return n + n / 8 + n / 64;
}

/* Moves the vectors[0 .. N] down by `bytes`, 0 to 15: the first N are then whole. */
template <int N>
static __device__ __forceinline__ void transpose_shift(uint4 vectors[N + 1], int bytes)
{
    uint32_t *words = (uint32_t *)vectors;
#pragma unroll
    for (int step = 2; step >= 1; step--)
        if (bytes & 4 * step) {
#pragma unroll
            for (int j = 0; j + step < 4 * N + 4; j++)
                words[j] = words[j + step];
        }
#pragma unroll
    for (int j = 0; j < 4 * N; j++)
        words[j] = __funnelshift_r(words[j], words[j + 1], bytes * 8);
}

/* N columns, the input packed: N vectors of the input are one vector of each output row, and one
 * thread's work. If output rows begin inside sectors, a block reads the rows of `before` vectors more
 * and writes a window of each: each thread a vector that it puts together from its neighbours'. */
template <int BYTES, int N>
static __global__ void __launch_bounds__(128, TRANSPOSE_BLOCKS(128, 20 - 2 * N))
    transpose_few_columns(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES;
    __shared__ uint4 shared[4 * transpose_padded(32 * N + 1)];
    uint4 *turned = transpose_shared; /* only with `before` */

    TransposeTile at = transpose_tile(job);
    const int mine = threadIdx.x, lane = mine % 32;
    const int first = at.row * (128 - job.before) - job.before;
    const int past = transpose_past(at.in, 16), left = min((job.rows + V - 1) / V - first, 128);
    /* No warp waits for another: each loads what it needs. */
    const int all = min((left - mine + lane) * N + (past > 0), 32 * N + (past > 0));
    const char *from = at.in - past + ((long long)(first + mine - lane) * N + lane) * 16;
    uint4 *run = shared + mine / 32 * transpose_padded(32 * N + 1), values[N + 1];
    const bool inside = from - lane * 16 >= job.in && from + 33 * N * 16 <= job.in_end;
#pragma unroll
    for (int k = 0; k <= N; k++)
        if (lane + k * 32 < all) {
            if (inside)
                values[k] = job.hints ? transpose_load<16, TRANSPOSE_KEEP>(from + k * 512)
                                      : transpose_load<16, 0>(from + k * 512);
            else
                transpose_part<BYTES>(&run[transpose_padded(lane + k * 32)], from + k * 512, job.in,
                                      job.in_end);
        }
#pragma unroll
    for (int k = 0; k <= N; k++)
        if (inside && lane + k * 32 < all)
            run[transpose_padded(lane + k * 32)] = values[k];
    __syncwarp();
#pragma unroll
    for (int k = 0; k <= N; k++)
        if (mine < left && (k < N || past > 0))
            values[k] = run[transpose_padded(lane * N + k)];
    if (past > 0)
        transpose_shift<N>(values, past);
    const int row = (first + mine) * V;
    const long long along = (long long)row * BYTES; /* bytes from an output row's beginning */
#pragma unroll
    for (int col = 0; col < N; col++) {
        __align__(16) Element vector[V];
#pragma unroll
        for (int j = 0; j < V; j++)
            vector[j] = ((const Element *)values)[j * N + col];
        if (job.before == 0)
            transpose_put<BYTES, 1>(at.out + col * job.out_pitch + along, vector, row, job.rows);
        else if (mine < left)
            turned[col * 128 + mine] = *(const uint4 *)vector;
    }
    if (job.before == 0)
        return;
    __syncthreads();
    if (mine < job.before)
        return;
#pragma unroll
    for (int col = 0; col < N; col++) {
        char *to = at.out + col * job.out_pitch;
        const int back = transpose_past(to, 32), vector = mine - (back + 15) / 16;
        uint4 pair[2];
        if (vector < left)
            pair[0] = turned[col * 128 + vector];
        if (vector + 1 < left && back % 16 != 0)
            pair[1] = turned[col * 128 + vector + 1];
        transpose_shift<1>(pair, -back & 15);
        transpose_put<BYTES, 1>(to + along - back, (const Element *)pair, row - back / BYTES,
                                job.rows);
    }
}

/* N rows of small elements, the output packed, all rows and the output whole vectors: N vectors of
 * the input are N of the output, and one thread's work. Lanes exchange vectors through their warp's
 * own shared memory, to store them side by side. */
template <int BYTES, int N>
static __global__ void __launch_bounds__(128) transpose_few_rows(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES, RUN = transpose_padded(32 * N);
    __shared__ uint4 shared[4 * RUN];

    TransposeTile at = transpose_tile(job);
    const int lane = threadIdx.x % 32, first = at.row * 128 + (int)threadIdx.x - lane;
    const int left = min(job.cols / V - first, 32); /* vectors of a row */
    uint4 *run = shared + threadIdx.x / 32 * RUN, values[N];
#pragma unroll
    for (int k = 0; k < N; k++) {
        const char *from = at.in + k * job.in_pitch + (long long)(first + lane) * 16;
        if (lane < left)
            values[k] =
                job.hints ? transpose_load<16, TRANSPOSE_KEEP>(from) : transpose_load<16, 0>(from);
    }
#pragma unroll
    for (int k = 0; k < N; k++) {
        __align__(16) Element vector[V];
#pragma unroll
        for (int j = 0; j < V; j++)
            vector[j] = ((const Element *)values)[(k * V + j) % N * V + (k * V + j) / N];
        if (lane < left)
            run[transpose_padded(lane * N + k)] = *(const uint4 *)vector;
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < N; k++)
        if (lane + k * 32 < left * N)
            *(uint4 *)(at.out + ((long long)first * N + lane + k * 32) * 16) =
                run[transpose_padded(lane + k * 32)];
}

/* Matrices of one row, or one column next to each other in memory: `size` threads copy a row,
 * rows of 256 threads and more take several blocks. An element has 2^line_shift bytes. */
template <int WORD>
static __global__ void __launch_bounds__(256) transpose_copies(const TransposeJob job)
{
    transpose_wait();
    int in_block = transpose_divide(threadIdx.x, job.by_size);
    int n = threadIdx.x - in_block * job.size + ((int)blockIdx.y + job.first_across) * 256;
    long long matrix = (long long)blockIdx.x * job.tile_rows + in_block;
    if (in_block >= job.tile_rows || matrix >= job.batches || n >= job.cols)
        return;
    TransposeTile at = {job.in, job.out, 0, 0};
    transpose_go_to(&at, job, (int)matrix);
    const char *from = at.in + ((long long)n << job.line_shift);
    char *to = at.out + ((long long)n << job.line_shift);
    switch (job.line_shift) {
    case 0: *to = *from; break;
    case 1: *(uint16_t *)to = *(const uint16_t *)from; break;
    case 2: *(uint32_t *)to = *(const uint32_t *)from; break;
    case 3: *(uint2 *)to = *(const uint2 *)from; break;
    default: *(uint4 *)to = *(const uint4 *)from;
    }
}

#endif
