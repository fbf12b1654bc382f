/*
 * core.cuh: the kernels for matrices that are wide both ways, and what all kernels share.
 *
 *   transpose_elements    a padded tile, one element at a time: touches nothing but the elements
 *   transpose_windows     any alignment: whole aligned vectors in, whole sectors out
 *   transpose_registers   aligned matrices: vectors both ways, the last step in registers
 *
 * A job says what to transpose and in which tiles; launch.cuh fills it in from a plan.
 */
#ifndef TRANSPOSE_CORE_CUH
#define TRANSPOSE_CORE_CUH

#include <cuda_runtime.h>

#include "transpose/rule.h"

/* Divides n, 0 <= n < 2^31, exactly by a number d that is known before the launch:
 * n * multiplier >> shift. A division instruction sequence takes some 100 cycles. */
typedef struct {
    unsigned multiplier;
    int shift;
} TransposeDivisor;

static inline TransposeDivisor transpose_divisor(int d)
{
    TransposeDivisor by = {0, 31};
    for (unsigned rest = (unsigned)d - 1; rest != 0; rest /= 2)
        by.shift++;
    by.multiplier = (unsigned)((1ULL << by.shift) / (unsigned)d + 1);
    return by;
}

static __device__ __forceinline__ int transpose_divide(int n, TransposeDivisor by)
{
    return (int)((unsigned long long)(unsigned)n * by.multiplier >> by.shift);
}

/* Everything a kernel is told. Pitches, strides and steps are in bytes unless a comment says
 * vectors (16 bytes). A *line* is a piece of the input that lies together in memory: a row's piece
 * of a tile, or, of a matrix of few columns, as many rows as a vector has elements. */
typedef struct {
    const char *in;
    char *out;
    long long in_pitch, out_pitch; /* from row to row */
    int rows, cols;
    int hints;                   /* how the input is read: TRANSPOSE_KEEP ... */
    int plain;                   /* a block's tile is (blockIdx.x, blockIdx.y) of one matrix */
    const char *in_end;          /* just past the last element of the whole input */
    int tile_rows;               /* elements of a narrow tile along the matrix; small: matrices */
    int before;                  /* rows, or columns, read before the tile's own */
    int lines, width;            /* lines of a tile, vectors per line */
    long long line_step;         /* from line to line in memory */
    int line_shift;              /* a group has 2^line_shift lines */
    int line_pitch, group_pitch; /* in shared memory, in vectors */
    int turned, high, count, each, padded; /* see the kernels that use them */
    TransposeDivisor by_width, by_cols, by_count;
    int band, bands, fronts;   /* the order of tiles: see transpose_tile() */
    int first_across, first_z; /* the launch's first blockIdx.y and .z */
    int batch[3], batches;     /* lengths of the batch dimensions, and their product */
    TransposeDivisor by_bands, by_batch[3];
    long long in_stride[3], out_stride[3]; /* from matrix to matrix, per batch dimension */
} TransposeJob;

/* How many threads an SM of this architecture holds (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"), and for how many blocks of so many threads a kernel asks
 * the compiler to leave registers, at most `wanted`. */
#if !defined(__CUDA_ARCH__)
#define TRANSPOSE_SM_THREADS 2048
#elif __CUDA_ARCH__ == 750
#define TRANSPOSE_SM_THREADS 1024
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 ||                      \
    __CUDA_ARCH__ == 1010 || __CUDA_ARCH__ >= 1100
#define TRANSPOSE_SM_THREADS 1536
#else
#define TRANSPOSE_SM_THREADS 2048
#endif
#define TRANSPOSE_LEAST(a, b) ((a) < (b) ? (a) : (b))
#define TRANSPOSE_BLOCKS(threads, wanted)                                                          \
    TRANSPOSE_LEAST(TRANSPOSE_LEAST(TRANSPOSE_SM_THREADS / (threads), wanted),                     \
                    TRANSPOSE_SM_THREADS == 2048 ? 32 : 16)

/* Keeps a value in its register: the compiler cannot compute it again instead. */
#ifdef __CUDA_ARCH__
#define TRANSPOSE_PIN(value) asm volatile("" : "+r"(value))
#else
#define TRANSPOSE_PIN(value)
#endif

template <int BYTES>
struct TransposeElement;
template <>
struct TransposeElement<1> {
    typedef uint8_t Type;
};
template <>
struct TransposeElement<2> {
    typedef uint16_t Type;
};
template <>
struct TransposeElement<4> {
    typedef uint32_t Type;
};
template <>
struct TransposeElement<8> {
    typedef uint2 Type;
};
template <>
struct TransposeElement<16> {
    typedef uint4 Type;
};

/* Reads 16 bytes. HINTS are TRANSPOSE_KEEP: L2 keeps them longer than what is written; and
 * TRANSPOSE_LINES: L2 fetches the whole line (PTX ISA, "ld" and "createpolicy", from compute
 * capability 8.0 on). Without a hint it is a plain load: one under a neutral policy is 6 % slower. */
template <int HINTS>
static __device__ __forceinline__ uint4 transpose_load(const char *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint4 v;
    uint64_t policy;
    if (HINTS != 0)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    if (HINTS == TRANSPOSE_KEEP)
        asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(from), "l"(policy));
    else if (HINTS != 0)
        asm volatile("ld.global.L2::cache_hint.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(from), "l"(policy));
    else
        v = *(const uint4 *)from;
    return v;
#else
    return *(const uint4 *)from;
#endif
}

/* Copies 16 bytes to shared memory without registers (PTX ISA, "cp.async"). L1: through L1, which
 * holds what neighbours share. PAIRS: L2 fetches two lines if the hints ask for whole lines. */
template <int L1, int PAIRS>
static __device__ __forceinline__ void transpose_copy(uint4 *to, const char *from, int hints)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    uint64_t policy = 0;
    if (hints != 0)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
#define TRANSPOSE_COPY_BY(how)                                                                     \
    asm volatile("cp.async." how " [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "l"(policy)       \
                 : "memory")
    if (hints == 0 && L1)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from)
                     : "memory");
    else if (hints == 0)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from)
                     : "memory");
    else if (!L1)
        TRANSPOSE_COPY_BY("cg.shared.global.L2::cache_hint");
    else if (hints == TRANSPOSE_KEEP)
        TRANSPOSE_COPY_BY("ca.shared.global.L2::cache_hint");
    else if (PAIRS)
        TRANSPOSE_COPY_BY("ca.shared.global.L2::cache_hint.L2::256B");
    else
        TRANSPOSE_COPY_BY("ca.shared.global.L2::cache_hint.L2::128B");
#undef TRANSPOSE_COPY_BY
#else
    *to = *(const uint4 *)from;
#endif
}

/* Waits until this thread's copies have arrived, then for the block. */
static __device__ __forceinline__ void transpose_copied(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncthreads();
}

/* Waits until what the previous kernel of the stream wrote can be seen (PTX ISA,
 * "griddepcontrol"): kernels are launched when that kernel's blocks end. */
static __device__ __forceinline__ void transpose_wait(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Returns how many bytes a pointer lies past a multiple of `size`, a power of two. */
static __device__ __forceinline__ int transpose_past(const char *pointer, int size)
{
    return (int)((uintptr_t)pointer & (size - 1));
}

/* A block's matrix, and its tile there, counted in tiles. */
typedef struct {
    const char *in;
    char *out;
    int row, col;
} TransposeTile;

/* Returns the tile of this block. Blocks walk down the columns of tiles, which writes whole output
 * rows in sequence; in bands, down `band` tile rows of each column before the next band; on two
 * fronts, odd blocks walk columns from the middle on. */
static __device__ __forceinline__ TransposeTile transpose_tile(const TransposeJob &job)
{
    TransposeTile tile = {job.in, job.out, (int)blockIdx.x, (int)blockIdx.y};
    if (job.plain)
        return tile;
    int matrix = (int)blockIdx.z + job.first_z;
    tile.col += job.first_across;
    if (job.fronts) {
        tile.col += tile.row % 2 * (int)gridDim.y;
        tile.row /= 2;
    }
    if (job.bands > 1) {
        int band = matrix;
        matrix = transpose_divide(matrix, job.by_bands);
        tile.row += (band - matrix * job.bands) * job.band;
    }
#pragma unroll
    for (int d = 0; d < 3; d++)
        if (job.batch[d] > 1) {
            int outer = transpose_divide(matrix, job.by_batch[d]);
            tile.in += (matrix - outer * job.batch[d]) * job.in_stride[d];
            tile.out += (matrix - outer * job.batch[d]) * job.out_stride[d];
            matrix = outer;
        }
    return tile;
}

/* ---- element by element ---- */

template <int BYTES>
struct TransposeElements {
    enum { TILE = BYTES == 1 ? 64 : BYTES == 16 ? 16 : 32, THREADS = 256 };
};

/* Reads and writes only the matrix's own elements: for input and output that lie between each
 * other's rows, and for small matrices, which L2 holds, so that torn sectors cost little. */
template <int BYTES>
static __global__ void __launch_bounds__(256) transpose_elements(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int TILE = TransposeElements<BYTES>::TILE, STEP = 256 / TILE, LOADS = TILE / STEP;
    __shared__ Element tile[TILE][TILE + 1];

    transpose_wait();
    TransposeTile at = transpose_tile(job);
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE, row = at.row * TILE, col = at.col * TILE;
    const char *from = at.in + (row + y) * job.in_pitch + (long long)(col + x) * BYTES;
    Element values[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++, from += STEP * job.in_pitch)
        if (row + y + k * STEP < job.rows && col + x < job.cols)
            values[k] = *(const Element *)from;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (row + y + k * STEP < job.rows && col + x < job.cols)
            tile[y + k * STEP][x] = values[k];
    __syncthreads();
    char *to = at.out + (col + y) * job.out_pitch + (long long)(row + x) * BYTES;
#pragma unroll
    for (int k = 0; k < LOADS; k++, to += STEP * job.out_pitch)
        if (col + y + k * STEP < job.cols && row + x < job.rows)
            *(Element *)to = tile[x][y + k * STEP];
}

/* ---- windows: any alignment ---- */

/* Copies those elements of the vector at `from` that lie in [begin, end); the others become 0. */
template <int BYTES>
static __device__ __noinline__ void transpose_part(uint4 *to, const char *from, const char *begin,
                                                   const char *end)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    *to = make_uint4(0, 0, 0, 0);
#pragma unroll 1
    for (int j = 0; j < 16 / BYTES; j++)
        if (from + j * BYTES >= begin && from + j * BYTES < end)
            ((Element *)to)[j] = ((const Element *)from)[j];
}

/* Fills the tile in shared memory with its lines, as whole aligned vectors: element 0 of a line
 * lies as many bytes after the line's first vector as it does in memory after a multiple of 16.
 * `bytes` of each line are needed, of `whole` in most tiles; the rest is 0 or what follows. */
template <int BYTES>
static __device__ __forceinline__ void transpose_fetch(uint4 *tile, const TransposeJob &job,
                                                       const char *begin, int bytes, int whole)
{
    const int mask = (1 << job.line_shift) - 1, all = job.lines * job.width, width = job.width;
    const long long step = job.line_step;
    int n = threadIdx.x, line = transpose_divide(n, job.by_width), x = n - line * width;
    if (job.line_shift + job.padded == 0 && (whole - bytes) * 8 <= whole && begin - 16 >= job.in &&
        begin + (job.lines - 1) * step + width * 16 + 16 <= job.in_end) {
        /* No vector has to be looked at. From vector to vector of a thread it is as many lines
         * further down each time, and as many vectors across, or a line more and a width less. */
        const int down = transpose_divide(blockDim.x, job.by_width);
        const int across = (int)blockDim.x - down * width, pad = job.group_pitch - width;
        const char *from = begin + line * step + x * 16;
        uint4 *to = tile + line * job.group_pitch + x;
#pragma unroll 2
        for (; n < all; n += blockDim.x) {
            transpose_copy<0, 0>(to, (const char *)((uintptr_t)from & ~(uintptr_t)15), job.hints);
            from += down * step + across * 16;
            to += down * job.group_pitch + across;
            x += across;
            if (x >= width) {
                x -= width;
                from += step - width * 16;
                to += pad;
            }
        }
    } else {
#pragma unroll 1
        while (n < all) {
            const char *from = begin + line * step;
            int past = x * 16 - transpose_past(from, 16);
            uint4 *to = tile + (line >> job.line_shift) * job.group_pitch +
                        (line & mask) * job.line_pitch + x + (x >> 3) * job.padded;
            from += past;
            if (past < bytes && from >= job.in && from + 16 <= job.in_end)
                transpose_copy<0, 0>(to, from, job.hints);
            else
                transpose_part<BYTES>(to, from, job.in, past < bytes ? job.in_end : job.in);
            n += blockDim.x;
            line = transpose_divide(n, job.by_width);
            x = n - line * width;
        }
    }
    transpose_copied();
}

/* Transposes a square of words in place: 4 x 4 bytes, or 2 x 2 elements of 2 bytes. */
template <int BYTES>
static __device__ __forceinline__ void transpose_square(uint32_t words[4 / BYTES])
{
    constexpr int LAST = 4 / BYTES - 1;
    uint32_t a = words[0], b = words[1 % (LAST + 1)], c = words[2 % (LAST + 1)], d = words[LAST];
    if (BYTES == 2) {
        words[0] = __byte_perm(a, b, 0x5410);
        words[LAST] = __byte_perm(a, b, 0x7632);
    } else if (BYTES == 1) {
        uint32_t ab01 = __byte_perm(a, b, 0x5140), ab23 = __byte_perm(a, b, 0x7362);
        uint32_t cd01 = __byte_perm(c, d, 0x5140), cd23 = __byte_perm(c, d, 0x7362);
        words[0] = __byte_perm(ab01, cd01, 0x5410);
        words[1 % (LAST + 1)] = __byte_perm(ab01, cd01, 0x7632);
        words[2 % (LAST + 1)] = __byte_perm(ab23, cd23, 0x5410);
        words[LAST] = __byte_perm(ab23, cd23, 0x7632);
    }
}

/* Returns a vector whose first word was put together as its word number `turn`. */
static __device__ __forceinline__ uint4 transpose_rotated(uint4 v, int turn)
{
    if (turn & 1)
        v = make_uint4(v.w, v.x, v.y, v.z);
    if (turn & 2)
        v = make_uint4(v.z, v.w, v.x, v.y);
    return v;
}

/*
 * An output row may begin anywhere. So a block does not write the same rows of every column, but of
 * each output row the ROWS elements from the sector boundary before its tile on: its *window*,
 * which differs from row to row. Every sector is written whole, by vectors. To have all windows,
 * the block reads a sector's worth of rows more than ROWS.
 *
 * An input row may begin anywhere too. The block loads the aligned vectors that cover its piece of
 * the row, one more than if it were aligned, and stores them in shared memory as they are. A row's
 * *shift* says how many bytes later than its first vector the piece begins.
 *
 * Steps from row to row are multiples of 16 bytes' worth of rows, and from column to column of 32
 * bytes' worth of columns: after such a step every alignment is the same again, whatever the pitch.
 */
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, TRANSPOSE_BLOCKS(THREADS, BLOCKS))
    transpose_windows(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = 16 / BYTES, EXTRA = 32 / BYTES, HEIGHT = ROWS + EXTRA;
    constexpr int WIDTH = COLS / V, PITCH = WIDTH + (BYTES < 16), ROW_STEP = THREADS / WIDTH;
    constexpr int EIGHTS = ROWS / V / 8;             /* eights of vectors along a window */
    constexpr int COL_STEP = THREADS / 8 / EIGHTS;   /* columns written at a time */
    constexpr int APART = BYTES < 4 ? 4 / BYTES : 1; /* columns of a word */
    static_assert(ROW_STEP % V == 0 && COL_STEP * BYTES % 32 == 0, "a step changes alignments");
    static_assert(COLS % COL_STEP == 0 && COL_STEP % (4 * APART) == 0 && HEIGHT <= THREADS,
                  "some elements have no thread");
    static_assert((HEIGHT * PITCH + HEIGHT / V) * 16 < 1 << 16, "16 bits are too few for a place");

    /* One vector of padding per V rows: lanes that read every V-th row meet different banks. */
    __shared__ uint4 tile[HEIGHT * PITCH + HEIGHT / V];
#define TRANSPOSE_PLACE(row, vector) ((row)*PITCH + (row) / V + (vector))

    transpose_wait();
    TransposeTile at = transpose_tile(job);
    const int first_row = at.row * ROWS - EXTRA, first_col = at.col * COLS; /* row: may be < 0 */
    const int bytes = min(COLS, job.cols - first_col) * BYTES;
    if (first_row >= job.rows || bytes <= 0)
        return;
    const char *corner = at.in + first_row * job.in_pitch + (long long)first_col * BYTES;
    /* In most tiles no vector reaches past the input. */
    const char *lowest = corner + (first_row < 0 ? -first_row * job.in_pitch : 0);
    const int height = min(HEIGHT, job.rows - first_row); /* rows that there are */
    const bool inside =
        lowest - 15 >= job.in && corner + (height - 1) * job.in_pitch + bytes + 15 <= job.in_end;
#define TRANSPOSE_TAKE(row, from, past, vector, PAIRS)                                             \
    if ((past) < bytes && (row) < height && first_row + (row) >= 0) {                              \
        if (inside || ((from) >= job.in && (from) + 16 <= job.in_end))                             \
            transpose_copy<1, PAIRS>(&tile[TRANSPOSE_PLACE(row, vector)], from, job.hints);        \
        else                                                                                       \
            transpose_part<BYTES>(&tile[TRANSPOSE_PLACE(row, vector)], from, job.in, job.in_end);  \
    }
    {
        const int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
        const char *from = corner + y * job.in_pitch;
        const int past = x * 16 - transpose_past(from, 16);
        from += past;
#pragma unroll
        for (int k = 0; k < HEIGHT; k += ROW_STEP, from += ROW_STEP * job.in_pitch)
            TRANSPOSE_TAKE(y + k, from, past, x, (BYTES >= 8))
    }
    if (PITCH > WIDTH &&
        threadIdx.x < HEIGHT) { /* one more; DRAM reads aligned pairs of lines best */
        const char *from = corner + (int)threadIdx.x * job.in_pitch;
        const int past = WIDTH * 16 - transpose_past(from, 16);
        from += past;
        TRANSPOSE_TAKE((int)threadIdx.x, from, past, WIDTH, 1)
    }
#undef TRANSPOSE_TAKE
    transpose_copied();

    /* Eight lanes along a window; the next eight have the next column, or, if no row has another
     * shift than its neighbour, the column one word further: words side by side in shared memory
     * are in different banks, whichever rows the windows begin with. */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32,
              shift_step = (int)(job.in_pitch & 15);
    int col = warp / EIGHTS * 4 + lane / 8;
    if (shift_step == 0 && APART > 1)
        col = col / (4 * APART) * (4 * APART) + col % 4 * APART + col / 4 % APART;
    char *to = at.out + (first_col + col) * job.out_pitch + (long long)at.row * ROWS * BYTES;
    int row = (warp % EIGHTS * 8 + lane % 8) * V - transpose_past(to, 32) / BYTES;
    const int start = at.row * ROWS + row; /* the row of the matrix that the vector begins with */
    if (start <= -V || start >= job.rows)
        return;
    to += row * BYTES;
    row += EXTRA; /* of the tile */
    const int shift = transpose_past(corner, 16);
#define TRANSPOSE_FROM(j)                                                                          \
    (TRANSPOSE_PLACE(row + (j), 0) * 16 + col * BYTES + ((shift + (row + (j)) * shift_step) & 15))
    /* Lanes of neighbouring columns read different rows if their windows differ, and in a square
     * matrix with an odd side all four would want the same bank each time. So each begins with
     * another word of its vector: a word's rows further on, the shift has grown by as many words as
     * the input's pitch has elements. Mod 4 an odd pitch is its own inverse, so this many words
     * bring the lanes of column i to the i-th of four banks. */
    int turn = 0;
    if (BYTES < 4 && job.out_pitch % 32 != 0)
        turn = (lane / 8 - TRANSPOSE_FROM(0) / 4) * (shift_step / BYTES) & 3;
    unsigned place[(V + 1) / 2]; /* where the vector's elements are, in bytes; two to a register */
#pragma unroll
    for (int j = 0; j < V; j++) {
        unsigned from = TRANSPOSE_FROM((j + turn * (V / 4)) % V);
        place[j / 2] = j % 2 ? place[j / 2] | from << 16 : from;
    }
    const char *shared = (const char *)tile;
    const int left = bytes - col * BYTES; /* a step has a column as long as this is above 0 */
    if (start >= 0 && start <= job.rows - V) {
#pragma unroll(BYTES == 1 ? 1 : 2)
        for (int k = 0; k < COLS * BYTES; k += COL_STEP * BYTES, to += COL_STEP * job.out_pitch)
            if (k < left) {
                __align__(16) Element vector[V];
#pragma unroll
                for (int j = 0; j < V; j++)
                    vector[j] =
                        *(const Element *)(shared + (place[j / 2] >> j % 2 * 16 & 0xffff) + k);
                *(uint4 *)to = BYTES < 4 ? transpose_rotated(*(const uint4 *)vector, turn)
                                         : *(const uint4 *)vector;
            }
    } else { /* the ends of output rows */
#pragma unroll 1
        for (int k = 0; k < COLS * BYTES && k < left;
             k += COL_STEP * BYTES, to += COL_STEP * job.out_pitch) {
            __align__(16) Element vector[V] = {};
#pragma unroll
            for (int j = 0; j < V; j++)
                if ((unsigned)(start + (j + turn * (V / 4)) % V) < (unsigned)job.rows)
                    vector[j] =
                        *(const Element *)(shared + (place[j / 2] >> j % 2 * 16 & 0xffff) + k);
            if (BYTES < 4)
                *(uint4 *)vector = transpose_rotated(*(const uint4 *)vector, turn);
#pragma unroll
            for (int j = 0; j < V; j++)
                if (start + j >= 0 && start + j < job.rows)
                    ((Element *)to)[j] = vector[j];
        }
    }
#undef TRANSPOSE_FROM
#undef TRANSPOSE_PLACE
}

/* ---- registers: pointers, pitches, rows and cols are whole vectors ---- */

/* Loads WORDS words from shared memory with one instruction. */
template <int WORDS>
static __device__ __forceinline__ void transpose_piece(uint32_t piece[WORDS], const char *from)
{
    if (WORDS == 1)
        piece[0] = *(const uint32_t *)from;
    else if (WORDS == 2)
        *(uint2 *)piece = *(const uint2 *)from;
    else
        *(uint4 *)piece = *(const uint4 *)from;
}

/* Transposes a thread's block: in[r] is a piece of row r, out[c] becomes a vector of column c. */
template <int BYTES, int WORDS>
static __device__ __forceinline__ void transpose_block(const uint32_t in[16 / BYTES][WORDS],
                                                       uint32_t out[WORDS * 4 / BYTES][4])
{
    constexpr int WIDE = BYTES < 4 ? 1 : BYTES / 4, SIDE = BYTES < 4 ? 4 / BYTES : 1;
#pragma unroll
    for (int q = 0; q < 4; q++)
#pragma unroll
        for (int w = 0; w < WORDS / WIDE; w++)
            if (BYTES >= 4) {
                out[w][q] = in[q / WIDE][w * WIDE + q % WIDE];
            } else {
                uint32_t square[SIDE];
#pragma unroll
                for (int k = 0; k < SIDE; k++)
                    square[k] = in[q * SIDE + k][w];
                transpose_square<(BYTES < 4 ? BYTES : 2)>(square);
#pragma unroll
                for (int k = 0; k < SIDE; k++)
                    out[w * SIDE + k][q] = square[k];
            }
}

/*
 * The tile enters shared memory by whole vectors and leaves it by pieces of 4 to 16 bytes of as
 * many rows as a vector has elements; the last step of the transposition is done in registers.
 *
 * Swizzle: the V rows of one block share a pattern and the next V rows have another. Eight lanes
 * that read the same vector column in eight blocks meet all eight groups of four banks. The other
 * lanes of an access take the other pieces of that vector.
 */
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, TRANSPOSE_BLOCKS(THREADS, BLOCKS))
    transpose_registers(const TransposeJob job)
{
    constexpr int V = 16 / BYTES, WIDTH = COLS / V; /* vectors in a row of the tile */
    constexpr int ROW_STEP = THREADS / WIDTH, LOADS = ROWS / ROW_STEP;
    constexpr int WORDS = BYTES == 1 ? 1 : BYTES == 16 ? 4 : 2; /* of a piece of a row */
    constexpr int PIECE = WORDS * 4 / BYTES;                    /* columns of a piece */
    constexpr int IN_VECTOR = V / PIECE, HIGH = ROWS / V / 8; /* eights of blocks, down the tile */
    constexpr int COL_STEP = THREADS / 8 / HIGH * PIECE;
    static_assert(ROWS % ROW_STEP == 0 && ROWS % (8 * V) == 0 && COLS % COL_STEP == 0,
                  "some elements have no thread");
    __shared__ uint4 tile[ROWS * WIDTH];
#define TRANSPOSE_PLACE(row, vector) (((row)*WIDTH + (vector)) ^ ((row) / V & 7))

    transpose_wait();
    TransposeTile at = transpose_tile(job);
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    int in_row = at.row * ROWS + y, in_col = at.col * COLS + x * V;
    const char *from = at.in + (in_row * job.in_pitch + (long long)in_col * BYTES);
    uint4 values[LOADS]; /* all are in flight before the first is stored */
#define TRANSPOSE_LOADS(HINTS)                                                                     \
    _Pragma("unroll") for (int k = 0; k < LOADS; k++)                                              \
    {                                                                                              \
        if (in_row + k * ROW_STEP < job.rows && in_col < job.cols)                                 \
            values[k] = transpose_load<HINTS>(from + k * ROW_STEP * job.in_pitch);                 \
    }
    if (job.hints == 0) {
        TRANSPOSE_LOADS(0)
    } else if (job.hints == TRANSPOSE_KEEP) {
        TRANSPOSE_LOADS(TRANSPOSE_KEEP)
    } else {
        TRANSPOSE_LOADS((TRANSPOSE_KEEP | TRANSPOSE_LINES))
    }
#undef TRANSPOSE_LOADS

    /* The thread computes where it writes while its loads are in flight. */
    int eight = threadIdx.x / 8;
    int row = (threadIdx.x % 8 + eight / IN_VECTOR % HIGH * 8) * V; /* in the tile */
    int col = (eight % IN_VECTOR + eight / IN_VECTOR / HIGH * IN_VECTOR) * PIECE;
    char *to =
        at.out + ((at.col * COLS + col) * job.out_pitch + ((long long)at.row * ROWS + row) * BYTES);
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (in_row + k * ROW_STEP < job.rows && in_col < job.cols)
            tile[TRANSPOSE_PLACE(y + k * ROW_STEP, x)] = values[k];
    __syncthreads();

    if (at.row * ROWS + row >= job.rows)
        return;
#pragma unroll 1
    for (; col < COLS && at.col * COLS + col < job.cols;
         col += COL_STEP, to += COL_STEP * job.out_pitch) {
        uint32_t block[V][WORDS], turned[PIECE][4];
#pragma unroll
        for (int r = 0; r < V; r++)
            transpose_piece<WORDS>(
                block[r], (const char *)&tile[TRANSPOSE_PLACE(row + r, col / V)] + col % V * BYTES);
        transpose_block<BYTES, WORDS>(block, turned);
#pragma unroll
        for (int c = 0; c < PIECE; c++)
            *(uint4 *)(to + c * job.out_pitch) =
                make_uint4(turned[c][0], turned[c][1], turned[c][2], turned[c][3]);
    }
#undef TRANSPOSE_PLACE
}

#endif
