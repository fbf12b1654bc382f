/*
 * small.cuh: the kernels for few rows or columns of small elements.
 *
 *   transpose_turned        few rows, 1 and 2 bytes
 *   transpose_few_columns   2 to 4 columns, up to 4 bytes, in each thread's registers
 *   transpose_few_rows      2 to 4 rows, 1 and 2 bytes, in each thread's registers
 */
#ifndef TRANSPOSE_SMALL_CUH
#define TRANSPOSE_SMALL_CUH

#include "transpose/core.cuh"

enum { TRANSPOSE_LEAD = 8 }; /* vectors of shared memory before the tile of transpose_turned() */

/* Returns how many vectors of shared memory lie before the turned tile: the lead, the tile between
 * two vectors of zeros, and where `squares` squares' rows and those of one more square begin. The
 * turned tile begins at a multiple of the swizzle's size. */
static __host__ __device__ __forceinline__ int transpose_turned_at(int rows, int pitch, int squares)
{
    return (TRANSPOSE_LEAD + rows * pitch + 1 + squares + 1 + 7) / 8 * 8;
}

/* Returns where byte n of the turned tile lies, or vector n if UNIT is 1. Lanes write words that
 * are `rows` words apart. If that is a multiple of 8, a swizzle brings them to other banks. */
template <int UNIT>
static __device__ __forceinline__ unsigned transpose_swizzled(unsigned n, unsigned swizzle)
{
    return n ^ (n >> 3 & swizzle * UNIT);
}

/* Loads the square of the rows at `places`, `at` further on, and transposes it. A place is the
 * address of a word above five bits that say how far to shift. */
template <int BYTES>
static __device__ __forceinline__ void transpose_load_square(uint32_t *square, const char *at,
                                                             const uint32_t *places)
{
    typedef TransposeElement<16 / BYTES> Places;
    __align__(16) uint32_t place[4 / BYTES];
    *(Places *)place = *(const Places *)places;
#pragma unroll
    for (int k = 0; k < 4 / BYTES; k++) {
        const uint32_t *from = (const uint32_t *)(at + (place[k] >> 5));
        square[k] = __funnelshift_r(from[0], from[1], place[k]);
    }
    transpose_square<BYTES>(square);
}

/*
 * A few rows of elements of 1 and 2 bytes. The tile is turned in shared memory. The turned tile is
 * the block's window of the output, and what lies before it up to the first column of a square. A
 * square's columns become words; each word takes in its first bytes what is above it in the same
 * column, or at the end of the previous column. So all words lie at multiples of a word, whatever
 * the number of rows is.
 */
template <int BYTES>
static __global__ void __launch_bounds__(256, TRANSPOSE_BLOCKS(256, 5))
    transpose_turned(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES, SIDE = 4 / BYTES;

    TransposeTile at = transpose_tile(job);
    const int first = at.row * job.tile_rows, rows = job.rows, column = rows * BYTES;
    const int whole = (job.tile_rows + job.before) * BYTES;
    const unsigned swizzle = rows % 8 == 0 ? 7 : 0;
    const int squares = (rows + SIDE - 1) / SIDE; /* one below the other */
    const char *corner = at.in + (long long)(first - job.before) * BYTES;
    const int bytes = min(whole, (job.cols - first + job.before) * BYTES);
    const int tile_end = TRANSPOSE_LEAD + rows * job.line_pitch;
    if (threadIdx.x < 2) /* read, though not used */
        transpose_shared[threadIdx.x == 0 ? TRANSPOSE_LEAD - 1 : tile_end] = make_uint4(0, 0, 0, 0);
    /* Rows above the first and below the last are those of the columns before and after. */
    uint32_t *places = (uint32_t *)(transpose_shared + tile_end + 1);
#pragma unroll 1
    for (int n = threadIdx.x; n < (squares + 1) * SIDE; n += blockDim.x) {
        int row = n - SIDE, col = 0;
        for (; row < 0; row += rows)
            col--;
        for (; row >= rows; row -= rows)
            col++;
        unsigned place = (TRANSPOSE_LEAD + row * job.line_pitch) * 16 + col * BYTES +
                         transpose_past(corner + row * job.in_pitch, 16);
        places[n] = place / 4 << 7 | place % 4 << 3;
    }
    transpose_fetch<BYTES>(transpose_shared + TRANSPOSE_LEAD, job, corner, bytes, whole);

    /* The window begins `back` elements before the block's first column, and `begin` bytes, then
     * vectors, after the turned tile's first column; its first byte is one of a vector. */
    char *to = at.out + (long long)first * column;
    const int back = transpose_past(to, 32) / BYTES;
    const int left_out = transpose_divide(job.before * rows - back, job.by_count) / SIDE;
    int begin = (job.before - left_out * SIDE) * column - back * BYTES;
    const int lead = -begin & 15;
    const unsigned turned = transpose_turned_at(rows, job.line_pitch, squares) * 16;
    begin = (turned + begin + lead) / 16;
    /* One square more where the matrix ends: columns end in the words of the next one's. */
    const int last = min(bytes / 4 + 2, whole / 4), high = job.high;
    const int across = job.count, part = threadIdx.x / across;
    const int count = min(high, squares - part * high); /* one below the other */
    int x = left_out + threadIdx.x - part * across;
    unsigned start = turned + lead + (x - left_out) * SIDE * column;
#pragma unroll 1
    for (; x < last; x += across, start += across * SIDE * column) {
        const char *from = (const char *)transpose_shared + x * 4;
        const uint32_t *place = places + part * high * SIDE;
        uint32_t above[SIDE], square[SIDE];
        unsigned word[SIDE];
#pragma unroll
        for (int k = 0; k < SIDE; k++)
            word[k] = ((start + k * column) & ~3u) + part * high * 4;
        transpose_load_square<BYTES>(above, from, place);
#pragma unroll 2
        for (int n = 0; n < count; n++) {
            transpose_load_square<BYTES>(square, from, place += SIDE);
#pragma unroll
            for (int k = 0; k < SIDE; k++) {
                *(uint32_t *)((char *)transpose_shared + transpose_swizzled<16>(word[k], swizzle)) =
                    __funnelshift_l(above[k], square[k], (lead + k * column) * 8);
                above[k] = square[k];
                word[k] += 4;
            }
        }
    }
    __syncthreads();

    const long long before = (long long)first * rows, after = (long long)rows * job.cols - before;
#pragma unroll 1
    for (int i = threadIdx.x; i < job.tile_rows / V * rows; i += blockDim.x) {
        int n = i * V - back;
        const uint4 *from = transpose_shared + transpose_swizzled<1>(begin + i, swizzle);
        if (n >= -before && n + V <= after)
            *(uint4 *)(to + n * BYTES) = *from;
        else
#pragma unroll 1
            for (int j = 0; j < V; j++)
                if (n + j >= -before && n + j < after)
                    ((Element *)(to + n * BYTES))[j] = ((const Element *)from)[j];
    }
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
static __global__ void __launch_bounds__(128, TRANSPOSE_BLOCKS(128, N < 4 ? 16 : 12))
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
    const int all = (left - mine + lane) * N + (past > 0);
    const char *from = at.in - past + ((long long)(first + mine - lane) * N + lane) * 16;
    uint4 *run = shared + mine / 32 * transpose_padded(32 * N + 1), values[N + 1];
    const bool inside = from - lane * 16 >= job.in && from + 33 * N * 16 <= job.in_end;
#pragma unroll
    for (int k = 0; k <= N; k++)
        if (lane + k * 32 < min(all, 32 * N + (past > 0))) {
            if (inside)
                values[k] = job.hints ? transpose_load<TRANSPOSE_KEEP>(from + k * 512)
                                      : transpose_load<0>(from + k * 512);
            else
                transpose_part<BYTES>(&run[transpose_padded(lane + k * 32)], from + k * 512, job.in,
                                      job.in_end);
        }
#pragma unroll
    for (int k = 0; k <= N; k++)
        if (inside && lane + k * 32 < min(all, 32 * N + (past > 0)))
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
            transpose_put<BYTES>(at.out + col * job.out_pitch + along, vector, row, 0, job.rows);
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
        transpose_put<BYTES>(to + along - back, *(const Element(*)[V])pair, row - back / BYTES, 0,
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
            values[k] = job.hints ? transpose_load<TRANSPOSE_KEEP>(from) : transpose_load<0>(from);
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

#endif
