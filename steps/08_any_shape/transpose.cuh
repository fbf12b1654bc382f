/*
 * transpose.cuh: transposes matrices of any shape, element size, pitch and alignment on a GPU, at
 * close to the speed of a copy. One header; it needs the CUDA runtime, C++14 or newer, and compute
 * capability 7.5 or newer.
 *
 *     #include "transpose.cuh"
 *     ...
 *     transpose(out, in, 1, rows, cols, 0, 0, sizeof(float), stream);
 *
 * MIT License
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
 * associated documentation files (the "Software"), to deal in the Software without restriction,
 * including without limitation the rights to use, copy, modify, merge, publish, distribute,
 * sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
 * DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
#ifndef TRANSPOSE_CUH
#define TRANSPOSE_CUH

#include <cuda_runtime.h>
#include <limits.h>
#include <stdint.h>

/* ---- interface ---- */

/*
 * Transposes `batches` matrices of rows x cols elements, each of element_bytes bytes (1, 2, 4, 8 or
 * 16), stored by rows: out[b][c][r] = in[b][r][c]. Bits are moved as they are.
 *
 * in_pitch is the distance from one row of the input to the next, in elements, at least cols;
 * out_pitch that of the output, at least rows; 0 stands for the least. With pitches, a part of a
 * larger matrix can be read and written. Matrix b begins b * rows * in_pitch elements after `in`
 * and b * cols * out_pitch after `out`. Both pointers are device memory of the current device,
 * aligned to one element. What lies between the rows of the output stays as it is. What lies
 * between the rows of the input, from its first to its last element, may be read, and is not used.
 *
 * The kernel is launched on `stream` and this function returns at once; it can be captured in a
 * graph, allocates nothing, and may be called from any number of host threads. The stream must be
 * one of the current device.
 *
 * Returns cudaSuccess, also where there is nothing to do because batches, rows or cols is 0;
 * cudaErrorInvalidValue, with nothing launched, where an argument breaks a rule above, or input
 * and output overlap (two disjoint rectangles of one larger matrix do not); or what the launch
 * returned.
 */
static inline cudaError_t transpose(void *out, const void *in, int batches, int rows, int cols,
                                    long out_pitch, long in_pitch, int element_bytes,
                                    cudaStream_t stream);

/*
 * How long what was read is wanted in the L2 cache. Reads that L2 keeps longer than what is written
 * (evict_last) make a large transposition 1 to 2 % faster, of a narrow matrix 2 to 6 %, but they
 * also stay there when it has ended: until other kept reads take their place, a following kernel
 * that lives in L2 can be slower.
 */
enum TransposeReads {
    TRANSPOSE_READS_BY_SIZE,  /* kept where input and output are many times as large as L2, so that
                              * what is gained outweighs what a following kernel loses */
    TRANSPOSE_READS_ORDINARY, /* never kept: what follows finds L2 as a copy would leave it */
    TRANSPOSE_READS_KEPT      /* kept whatever the size */
};

/* The same with a choice of that; transpose() takes TRANSPOSE_READS_BY_SIZE. */
static inline cudaError_t transpose_with(void *out, const void *in, int batches, int rows, int cols,
                                         long out_pitch, long in_pitch, int element_bytes,
                                         enum TransposeReads reads, cudaStream_t stream);

/* ---- what the kernels have in common ---- */

/* To divide n, 0 <= n < 2^31, by a number d that is not known before the launch: the quotient is
 * n * multiplier >> shift, exactly, with a shift of 31 and the bits of d - 1. A division takes some
 * 100 cycles, and the first loads of a block wait for it. */
typedef struct {
    unsigned multiplier;
    int shift;
} TransposeDivisor;

static inline TransposeDivisor transpose_divisor(int d)
{
    TransposeDivisor by = {0, 31};
    unsigned rest = (unsigned)d - 1;
    for (int bits = 16; bits > 0; bits /= 2)
        if (rest >> bits != 0) {
            rest >>= bits;
            by.shift += bits;
        }
    by.shift += rest != 0;
    by.multiplier = (unsigned)((1ULL << by.shift) / (unsigned)d + 1);
    return by;
}

static __device__ __forceinline__ int transpose_divide(int n, TransposeDivisor by)
{
    return (int)((unsigned long long)(unsigned)n * by.multiplier >> by.shift);
}

/* Everything a kernel is told. Pitches and strides in bytes. */
typedef struct {
    const char *in;
    char *out;
    const char *in_end;            /* just past the last element of the last matrix */
    long long in_pitch, out_pitch; /* from row to row */
    long long in_batch, out_batch; /* from matrix to matrix */
    int batches, rows, cols;
    int tiles_down, tiles_across; /* in one matrix; narrow ones: tiles along it, and 1 */
    int in_matrix;                /* tiles in one matrix; small ones: elements in a group */
    int band;       /* tile rows that blocks walk down before the next column of tiles */
    int two_fronts; /* walk down two columns of tiles at a time */
    TransposeDivisor by_matrix; /* to divide by in_matrix */
    TransposeDivisor by_band;   /* by the tiles of a band */
    TransposeDivisor by_column; /* by the tiles of one column in a band */
    TransposeDivisor by_last;   /* by those in the last band, which may have fewer */
    int along;  /* narrow matrices: elements along it in a tile; small ones: how many in a block */
    int before; /* narrow matrices: elements read before the tile's own, for the windows' sake */
    int group;  /* few columns: vectors loaded for a group of rows; turned rows: threads across */
    int pitch;  /* narrow matrices: vectors from group to group, or from row to row, of a tile */
    int keep;   /* narrow matrices: L2 keeps what is read */
    int high;   /* narrow matrices of small elements: squares that a thread turns at a time */
    int turned; /* few columns of such: words from column to column of a turned tile */
    TransposeDivisor by_element, by_run; /* the same: to divide by what a run is made of */
} TransposeJob;

/* A sector is what L2 and DRAM move at the least, a line what L2 keeps a tag for; both in bytes
 * (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"). All global accesses that
 * matter are vectors of 16 bytes, the most that one thread's instruction moves. */
enum { TRANSPOSE_SECTOR = 32, TRANSPOSE_LINE = 128, TRANSPOSE_VECTOR = 16 };

/* Bits of the OPTIONS below. */
enum {
    TRANSPOSE_KEEP = 1,        /* L2 keeps what is read longer than what is written */
    TRANSPOSE_WHOLE_LINES = 2, /* L2 fetches whole lines, whatever the part that is read */
    TRANSPOSE_DIRECT = 4,      /* the grid's dimensions say which tile a block has, and offsets in a
                                * matrix are of 32 bits: sooner at the first load */
    TRANSPOSE_LEAVE = 8        /* what is written leaves L2 before all else */
};

template <bool DIRECT>
struct TransposeOffset {
    typedef long long Type;
};
template <>
struct TransposeOffset<true> {
    typedef int Type;
};

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

/* How many threads an SM of this architecture holds (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"), and how many blocks of so many threads a kernel asks for
 * room for, at most `wanted`. */
#if !defined(__CUDA_ARCH__)
#define TRANSPOSE_SM_THREADS 2048
#elif __CUDA_ARCH__ == 750
#define TRANSPOSE_SM_THREADS 1024
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
#define TRANSPOSE_SM_THREADS 1536
#else
#define TRANSPOSE_SM_THREADS 2048
#endif
#define TRANSPOSE_BLOCKS(threads, wanted)                                                          \
    (TRANSPOSE_SM_THREADS / (threads) < (wanted) ? TRANSPOSE_SM_THREADS / (threads) : (wanted))

/* Loads a vector with the OPTIONS above. Whole lines: a pair of them for elements of 8 and 16
 * bytes, whose matrices have few rows, so that L2 has room for them until the next column of tiles
 * asks for the rest. The instructions are PTX ISA's "ld" and "createpolicy", the latter from
 * compute capability 8.0 on. */
template <int BYTES, int OPTIONS>
static __device__ __forceinline__ uint4 transpose_load(const char *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint4 v;
    uint64_t keep = 0;
    if (OPTIONS & TRANSPOSE_KEEP)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(keep));
#define TRANSPOSE_LD(how, ...)                                                                     \
    asm volatile("ld.global" how                                                                   \
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                                      \
                 : "l"(from)__VA_ARGS__)
    if (OPTIONS == TRANSPOSE_KEEP)
        TRANSPOSE_LD(".L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;", , "l"(keep));

    else if (OPTIONS == (TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES) && BYTES < 8)
        TRANSPOSE_LD(".L2::cache_hint.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4], %5;", , "l"(keep));
    else if (OPTIONS == (TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES))
        TRANSPOSE_LD(".L2::cache_hint.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4], %5;", , "l"(keep));
    else
        v = *(const uint4 *)from;
#undef TRANSPOSE_LD
    return v;
#else
    return *(const uint4 *)from;
#endif
}

/* The same where a kernel is told at run time whether L2 is to keep what is read. (A policy that is
 * ordinary is no ordinary load: in L2 it was 6 % slower, experiment 34.) */
#define TRANSPOSE_LD(type, to, from)                                                               \
    asm volatile("{ .reg .pred keep; .reg .b64 policy; setp.ne.s32 keep, %" to ", 0;"              \
                 "createpolicy.fractional.L2::evict_last.b64 policy, 1.0;"                         \
                 "@keep ld.global.L2::cache_hint." type ", [%" from "], policy;"                   \
                 "@!keep ld.global." type ", [%" from "]; }"
static __device__ __forceinline__ uint4 transpose_load_by(const char *from, int keep)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint4 v;
    TRANSPOSE_LD("v4.u32 {%0, %1, %2, %3}", "5", "4")
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from), "r"(keep));
    return v;
#else
    return *(const uint4 *)from;
#endif
}

/* An element of 4 bytes or more. */
template <int BYTES>
static __device__ __forceinline__ typename TransposeElement<BYTES>::Type
transpose_load_element(const char *from, int keep)
{
    union {
        typename TransposeElement<BYTES>::Type element;
        uint32_t words[4];
    } v;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (BYTES == 4)
        TRANSPOSE_LD("u32 %0", "2", "1") : "=r"(v.words[0]) : "l"(from), "r"(keep));
    else if (BYTES == 8)
        TRANSPOSE_LD("v2.u32 {%0, %1}", "3", "2")
                     : "=r"(v.words[0]), "=r"(v.words[1])
                     : "l"(from), "r"(keep));
    else
        TRANSPOSE_LD("v4.u32 {%0, %1, %2, %3}", "5", "4")
                     : "=r"(v.words[0]), "=r"(v.words[1]), "=r"(v.words[2]), "=r"(v.words[3])
                     : "l"(from), "r"(keep));
#else
    v.element = *(const typename TransposeElement<BYTES>::Type *)from;
#endif
    return v.element;
}
#undef TRANSPOSE_LD

/* Stores a vector, under TRANSPOSE_LEAVE or not. */
template <int OPTIONS>
static __device__ __forceinline__ void transpose_store(char *to, uint4 v)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (OPTIONS & TRANSPOSE_LEAVE) {
        uint64_t leave;
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(leave));
        asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to),
                     "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(leave)
                     : "memory");
        return;
    }
#endif
    *(uint4 *)to = v;
}

/* Stores those elements of a vector whose numbers lie in [begin, end). */
template <int BYTES>
static __device__ __forceinline__ void transpose_store_part(char *to, uint4 v, int begin, int end)
{
    typedef typename TransposeElement<BYTES>::Type Element;
#pragma unroll
    for (int j = 0; j < TRANSPOSE_VECTOR / BYTES; j++)
        if (j >= begin && j < end)
            ((Element *)to)[j] = ((const Element *)&v)[j];
}

/* Copies a vector to shared memory past the registers, and waits for all copies of this thread (PTX
 * ISA, "cp.async", from compute capability 8.0 on). */
static __device__ __forceinline__ void transpose_copy(uint4 *to, const char *from, int keep)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("{ .reg .pred keep; .reg .b64 policy; setp.ne.s32 keep, %2, 0;"
                 "createpolicy.fractional.L2::evict_last.b64 policy, 1.0;"
                 "@keep cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, policy;"
                 "@!keep cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(keep)
                 : "memory");
#else
    *to = *(const uint4 *)from;
#endif
}

static __device__ __forceinline__ void transpose_copied(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* A kernel is launched as soon as the blocks of the one before it have ended, and waits here until
 * what that one wrote can be seen (PTX ISA, "griddepcontrol"). Nothing may touch global memory
 * before. */
static __device__ __forceinline__ void transpose_wait(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* How many bytes a pointer lies past a multiple of `size`, a power of two. */
static __device__ __forceinline__ int transpose_past(const char *pointer, int size)
{
    return (int)((uintptr_t)pointer & (size - 1));
}

typedef struct {
    int batch, row, col;
} TransposeTile;

/* Which tile a block has: matrix after matrix, in each down the columns of tiles, which writes
 * whole output rows in sequence. In bands, it goes down `band` tile rows of one column of tiles,
 * then of the next; on two fronts, even blocks walk from the first column on, odd ones from the
 * middle. */
template <int OPTIONS>
static __device__ __forceinline__ TransposeTile transpose_tile(const TransposeJob &job)
{
    if (OPTIONS & TRANSPOSE_DIRECT) {
        TransposeTile direct = {(int)blockIdx.z, (int)blockIdx.x, (int)blockIdx.y};
        return direct;
    }
    int number = blockIdx.x;
    TransposeTile tile = {0, 0, 0};
    if (job.batches > 1) {
        tile.batch = transpose_divide(number, job.by_matrix);
        number -= tile.batch * job.in_matrix;
    }
    if (job.two_fronts) {
        int half = job.tiles_across / 2 * job.tiles_down;
        number = number < 2 * half ? number % 2 * half + number / 2 : number;
    }
    int height = job.band;
    TransposeDivisor by_height = job.by_column;
    if (height < job.tiles_down) {
        int band = transpose_divide(number, job.by_band);
        number -= band * height * job.tiles_across;
        tile.row = band * height;
        if (tile.row + height > job.tiles_down) {
            height = job.tiles_down - tile.row;
            by_height = job.by_last;
        }
    }
    tile.col = transpose_divide(number, by_height);
    tile.row += number - tile.col * height;
    return tile;
}

/* ---- windows: any alignment ---- */

/* A vector that was put together from its word `turn` on. */
template <int BYTES>
static __device__ __forceinline__ uint4 transpose_turned(uint4 v, int turn)
{
    if (BYTES >= 4)
        return v;
    if (turn & 1)
        v = make_uint4(v.w, v.x, v.y, v.z);
    if (turn & 2)
        v = make_uint4(v.z, v.w, v.x, v.y);
    return v;
}

/* The vector whose elements lie at from[] in the tile, two places of 16 bits in each word; it
 * begins with its word `turn`. */
template <int BYTES>
static __device__ __forceinline__ uint4 transpose_gathered(
    const char *tile, const unsigned from[(TRANSPOSE_VECTOR / BYTES + 1) / 2], int turn)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    __align__(16) Element values[TRANSPOSE_VECTOR / BYTES];
#pragma unroll
    for (int j = 0; j < TRANSPOSE_VECTOR / BYTES; j++)
        values[j] = *(const Element *)(tile + (from[j / 2] >> j % 2 * 16 & 0xffff));
    return transpose_turned<BYTES>(*(const uint4 *)values, turn);
}

/*
 * An output row may begin anywhere. So a block does not write elements tile.row * ROWS and up of
 * each of its output rows, but the ROWS elements from the sector boundary before that on: its
 * *window*, which differs from row to row. Every sector is written whole, by 16-byte vectors. To
 * have all windows it reads up to a sector's worth of rows more than ROWS.
 *
 * An input row may begin anywhere too. The block loads the aligned vectors that cover its piece of
 * the row, one more than there would be if it were aligned, and puts them in shared memory as they
 * are. Who reads a row adds the row's shift, the bytes by which its piece begins later than the
 * vector.
 *
 * Steps from row to row are multiples of 16 bytes' worth of rows, and from column to column of 32
 * bytes' worth of columns: after such a step every alignment is the same again, whatever the pitch,
 * so that a thread works out its own once.
 */
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS, int OPTIONS>
static __global__ void __launch_bounds__(THREADS, TRANSPOSE_BLOCKS(THREADS, BLOCKS))
    transpose_windows(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES;     /* elements in a vector */
    constexpr int EXTRA = TRANSPOSE_SECTOR / BYTES; /* rows read for the windows' sake */
    constexpr int HEIGHT = ROWS + EXTRA;
    constexpr int WIDTH = COLS / V;                           /* vectors in an aligned piece */
    constexpr int PITCH = WIDTH + (BYTES < TRANSPOSE_VECTOR); /* and in a shifted one */
    constexpr int ROW_STEP = THREADS / WIDTH;
    constexpr int LOADS = (HEIGHT + ROW_STEP - 1) / ROW_STEP;
    constexpr int ALONG = ROWS / V < 8 ? ROWS / V : 8; /* lanes along a window: 8 meet all banks */
    constexpr int GROUPS = ROWS / V / ALONG;
    constexpr int COL_STEP = THREADS / 32 / GROUPS * (32 / ALONG);
    constexpr int UNROLL = BYTES == 1 ? 1 : 2; /* two vectors of 16 bytes need too many registers */
    constexpr int READ = OPTIONS & ~TRANSPOSE_LEAVE;
    static_assert(ROW_STEP % V == 0, "a step changes the shift of a row");
    static_assert(COL_STEP * BYTES % TRANSPOSE_SECTOR == 0, "a step changes the start of a window");
    static_assert(COLS % COL_STEP == 0 && HEIGHT <= THREADS, "some elements have no thread");
    static_assert((HEIGHT * PITCH + HEIGHT / V) * TRANSPOSE_VECTOR < 1 << 16, "16 bits are few");

    /* One vector of padding after V rows: lanes that read every V-th row meet different banks. */
    __shared__ uint4 tile[HEIGHT * PITCH + HEIGHT / V];
#define TRANSPOSE_PLACE(row, vector) ((row)*PITCH + (row) / V + (vector))

    transpose_wait();
    TransposeTile at = transpose_tile<OPTIONS>(job);
    const char *in = job.in + at.batch * job.in_batch;
    int first_row = at.row * ROWS - EXTRA; /* negative in the first tile row */
    int first_col = at.col * COLS;
    int bytes = min(COLS, job.cols - first_col) * BYTES; /* of a row's piece */
    const char *corner = in + first_row * job.in_pitch + (long long)first_col * BYTES;

    /* Vectors may reach past the pieces, but not past the whole input. */
    const char *lowest = corner + (first_row < 0 ? -first_row * job.in_pitch : 0);
    const char *highest = corner + (min(HEIGHT, job.rows - first_row) - 1) * job.in_pitch;
    highest += bytes + TRANSPOSE_VECTOR - 1;
    if (lowest - transpose_past(lowest, TRANSPOSE_VECTOR) >= job.in &&
        highest - transpose_past(highest, TRANSPOSE_VECTOR) <= job.in_end) {
        int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
        const char *from = corner + y * job.in_pitch;
        int shift = transpose_past(from, TRANSPOSE_VECTOR);
        from += x * TRANSPOSE_VECTOR - shift;
        bool wanted = x * TRANSPOSE_VECTOR - shift < bytes;
        uint4 values[LOADS]; /* all on their way before the first is stored */
#pragma unroll
        for (int k = 0; k < LOADS; k++, from += ROW_STEP * job.in_pitch) {
            int row = y + k * ROW_STEP;
            if (wanted && row < HEIGHT && (unsigned)(first_row + row) < (unsigned)job.rows)
                values[k] = transpose_load<BYTES, READ>(from);
        }
        /* The vector more, which alone asks for a whole pair of lines whatever the elements: DRAM
         * reads aligned pairs best, but what all vectors ask for L2 has to move, and it is full. */
        if (BYTES < TRANSPOSE_VECTOR && threadIdx.x < HEIGHT &&
            (unsigned)(first_row + (int)threadIdx.x) < (unsigned)job.rows) {
            from = corner + (int)threadIdx.x * job.in_pitch;
            shift = transpose_past(from, TRANSPOSE_VECTOR);
            if (WIDTH * TRANSPOSE_VECTOR - shift < bytes)
                tile[TRANSPOSE_PLACE((int)threadIdx.x, WIDTH)] =
                    transpose_load<8, READ>(from - shift + WIDTH * TRANSPOSE_VECTOR);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            int row = y + k * ROW_STEP;
            if (wanted && row < HEIGHT && (unsigned)(first_row + row) < (unsigned)job.rows)
                tile[TRANSPOSE_PLACE(y, x) + TRANSPOSE_PLACE(k * ROW_STEP, 0)] = values[k];
        }
    } else { /* the first and last tiles: element by element */
        constexpr int BATCH = BYTES == 1 ? 2 : BYTES <= 4 ? 8 : 2; /* on their way together */
#pragma unroll 1
        for (int i = threadIdx.x; i < HEIGHT * COLS; i += BATCH * THREADS) {
            Element values[BATCH];
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                int row = (i + k * THREADS) / COLS, col = (i + k * THREADS) % COLS;
                if (row < HEIGHT && (unsigned)(first_row + row) < (unsigned)job.rows &&
                    col * BYTES < bytes)
                    values[k] = ((const Element *)(corner + row * job.in_pitch))[col];
            }
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                int row = (i + k * THREADS) / COLS, col = (i + k * THREADS) % COLS;
                int place = TRANSPOSE_PLACE(row, 0) * TRANSPOSE_VECTOR +
                            transpose_past(corner + row * job.in_pitch, TRANSPOSE_VECTOR);
                if (row < HEIGHT && (unsigned)(first_row + row) < (unsigned)job.rows &&
                    col * BYTES < bytes)
                    ((Element *)tile)[place / BYTES + col] = values[k];
            }
        }
    }
    __syncthreads();

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int along = (warp % GROUPS * ALONG + lane % ALONG) * V; /* in the window, in elements */
    int col = warp / GROUPS * (32 / ALONG) + lane / ALONG;
    char *to = job.out + at.batch * job.out_batch + (first_col + col) * job.out_pitch +
               (long long)at.row * ROWS * BYTES;
    int back = transpose_past(to, TRANSPOSE_SECTOR) / BYTES; /* so much earlier the window begins */
    int row = EXTRA - back + along;                          /* of the tile */
    to += (along - back) * BYTES;
    int shift_step = (int)(job.in_pitch % TRANSPOSE_VECTOR);
    int shift = transpose_past(corner, TRANSPOSE_VECTOR) + row * shift_step;
#define TRANSPOSE_FROM(j)                                                                          \
    (TRANSPOSE_PLACE(row + (j), 0) * TRANSPOSE_VECTOR + col * BYTES +                              \
     ((shift + (j)*shift_step) & (TRANSPOSE_VECTOR - 1)))
    /* Lanes of neighbouring columns read different rows where their windows differ, and in a square
     * matrix with an odd side all four of them would want the same bank each time. So each begins
     * with another word of its vector: a word's rows further on, the shift has grown by as many
     * words as the input's pitch has elements. Mod 4 an odd pitch is its own inverse, so this many
     * words bring the lanes of column i to the i-th of four banks. */
    int turn = 0;
    if (BYTES < 4 && job.out_pitch % TRANSPOSE_SECTOR != 0)
        turn = (lane / ALONG - (TRANSPOSE_FROM(0)) / 4) * (shift_step / BYTES) & 3;
    /* Where the vector's elements are, in bytes; two to a register: bytes have too few. */
    unsigned from[(V + 1) / 2];
#pragma unroll
    for (int j = 0; j < V; j++) {
        unsigned place = TRANSPOSE_FROM((j + turn * (V / 4)) % V);
        from[j / 2] = j % 2 ? from[j / 2] | place << 16 : place;
    }

    const char *place = (const char *)tile;
    int start = first_row + row; /* the row of the matrix that the vector begins with */
    if (start >= 0 && start <= job.rows - V) {
#pragma unroll(UNROLL)
        for (int k = 0; k < COLS / COL_STEP; k++, to += COL_STEP * job.out_pitch)
            if ((col + k * COL_STEP) * BYTES < bytes)
                transpose_store<OPTIONS>(
                    to, transpose_gathered<BYTES>(place + k * COL_STEP * BYTES, from, turn));
    } else if (start > -V && start < job.rows) {
        /* The ends of output rows: what is outside is not stored, and nothing is read for it. */
        int first = max(-start, 0), last = min(job.rows - start, V) - 1;
#pragma unroll
        for (int j = 0; j < V; j++) {
            unsigned inside = TRANSPOSE_FROM(max(first, min(last, (j + turn * (V / 4)) % V)));
            from[j / 2] = j % 2 ? from[j / 2] | inside << 16 : inside;
        }
#pragma unroll 1
        for (int k = 0; k < COLS / COL_STEP; k++, to += COL_STEP * job.out_pitch)
            if ((col + k * COL_STEP) * BYTES < bytes)
                transpose_store_part<BYTES>(
                    to, transpose_gathered<BYTES>(place + k * COL_STEP * BYTES, from, turn), first,
                    last + 1);
    }
#undef TRANSPOSE_FROM
#undef TRANSPOSE_PLACE
}

/* ---- registers: pointers, pitches, rows and cols are whole vectors ---- */

/* How many bytes of a row a thread's block of the tile has: 4 columns of bytes and of 2-byte
 * elements, 2 of 4-byte ones, 1 of larger ones. It has a vector's worth of rows. */
template <int BYTES>
struct TransposePiece {
    enum { SIZE = BYTES == 1 ? 4 : BYTES == 16 ? 16 : 8, WORDS = SIZE / 4, COLS = SIZE / BYTES };
};

/* Transposes such a block: `in` has a row's piece in each entry, `out` gets a column in each. */
template <int BYTES>
static __device__ __forceinline__ void
transpose_block(const uint32_t in[16 / BYTES][TransposePiece<BYTES>::WORDS],
                uint32_t out[TransposePiece<BYTES>::COLS][4]);

/* Transposes a square: a word's elements of as many rows. */
template <int BYTES>
static __device__ __forceinline__ void transpose_square(uint32_t words[4 / BYTES]);

/* Bytes: first pairs of rows, then pairs of pairs. */
template <>
__device__ __forceinline__ void transpose_square<1>(uint32_t words[4])
{
    uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
    uint32_t ab01 = __byte_perm(a, b, 0x5140), ab23 = __byte_perm(a, b, 0x7362);
    uint32_t cd01 = __byte_perm(c, d, 0x5140), cd23 = __byte_perm(c, d, 0x7362);
    words[0] = __byte_perm(ab01, cd01, 0x5410);
    words[1] = __byte_perm(ab01, cd01, 0x7632);
    words[2] = __byte_perm(ab23, cd23, 0x5410);
    words[3] = __byte_perm(ab23, cd23, 0x7632);
}

template <>
__device__ __forceinline__ void transpose_square<2>(uint32_t words[2])
{
    uint32_t a = words[0], b = words[1];
    words[0] = __byte_perm(a, b, 0x5410);
    words[1] = __byte_perm(a, b, 0x7632);
}

template <>
__device__ __forceinline__ void transpose_block<1>(const uint32_t in[16][1], uint32_t out[4][4])
{
#pragma unroll
    for (int q = 0; q < 4; q++) {
        uint32_t square[4] = {in[4 * q][0], in[4 * q + 1][0], in[4 * q + 2][0], in[4 * q + 3][0]};
        transpose_square<1>(square);
#pragma unroll
        for (int c = 0; c < 4; c++)
            out[c][q] = square[c];
    }
}

template <>
__device__ __forceinline__ void transpose_block<2>(const uint32_t in[8][2], uint32_t out[4][4])
{
#pragma unroll
    for (int q = 0; q < 4; q++)
#pragma unroll
        for (int word = 0; word < 2; word++) {
            uint32_t square[2] = {in[2 * q][word], in[2 * q + 1][word]};
            transpose_square<2>(square);
            out[2 * word][q] = square[0];
            out[2 * word + 1][q] = square[1];
        }
}

template <>
__device__ __forceinline__ void transpose_block<4>(const uint32_t in[4][2], uint32_t out[2][4])
{
#pragma unroll
    for (int q = 0; q < 4; q++) {
        out[0][q] = in[q][0];
        out[1][q] = in[q][1];
    }
}

template <>
__device__ __forceinline__ void transpose_block<8>(const uint32_t in[2][2], uint32_t out[1][4])
{
#pragma unroll
    for (int q = 0; q < 4; q++)
        out[0][q] = in[q / 2][q % 2];
}

template <>
__device__ __forceinline__ void transpose_block<16>(const uint32_t in[1][4], uint32_t out[1][4])
{
#pragma unroll
    for (int q = 0; q < 4; q++)
        out[0][q] = in[0][q];
}

/* A row's piece from shared memory, by one instruction. */
template <int WORDS>
static __device__ __forceinline__ void transpose_piece(uint32_t piece[WORDS], const char *from)
{
    if (WORDS == 1) {
        piece[0] = *(const uint32_t *)from;
    } else if (WORDS == 2) {
        uint2 v = *(const uint2 *)from;
        piece[0] = v.x;
        piece[WORDS - 1] = v.y;
    } else {
        uint4 v = *(const uint4 *)from;
        piece[0] = v.x;
        piece[1 % WORDS] = v.y;
        piece[2 % WORDS] = v.z;
        piece[WORDS - 1] = v.w;
    }
}

/*
 * The tile goes into shared memory by whole vectors and comes out of it by pieces of 4 to 16 bytes;
 * the last step of the transposition, inside a piece, is done in registers. For bytes that makes
 * one read of shared memory out of four.
 *
 * Swizzle: the V rows of one block share a pattern and the next V rows have another, so that eight
 * lanes that read the same vector column in eight blocks meet all eight groups of four banks. The
 * other lanes of one such access take the other pieces of that vector.
 */
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS, int OPTIONS>
static __global__ void __launch_bounds__(THREADS, TRANSPOSE_BLOCKS(THREADS, BLOCKS))
    transpose_registers(const TransposeJob job)
{
    constexpr int V = TRANSPOSE_VECTOR / BYTES;
    constexpr int WIDTH = COLS / V; /* vectors in a row of the tile */
    constexpr int ROW_STEP = THREADS / WIDTH;
    constexpr int LOADS = ROWS / ROW_STEP;
    constexpr int BLOCK_COLS = TransposePiece<BYTES>::COLS;
    constexpr int IN_VECTOR = V / BLOCK_COLS; /* pieces in a vector */
    constexpr int HIGH = ROWS / V / 8;        /* eights of blocks, down the tile */
    constexpr int COL_STEP = THREADS / 8 / HIGH * BLOCK_COLS;
    static_assert(ROWS % ROW_STEP == 0 && ROWS % (8 * V) == 0 && COLS % COL_STEP == 0,
                  "some elements have no thread");

    __shared__ uint4 tile[ROWS * WIDTH];
#define TRANSPOSE_PLACE(row, vector) (((row)*WIDTH + (vector)) ^ ((row) / V & 7))

    transpose_wait();
    typedef typename TransposeOffset<(OPTIONS & TRANSPOSE_DIRECT) != 0>::Type Offset;
    TransposeTile at = transpose_tile<OPTIONS>(job);
    Offset in_pitch = (Offset)job.in_pitch, out_pitch = (Offset)job.out_pitch;
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    int in_row = at.row * ROWS + y, in_col = at.col * COLS + x * V;
    const char *from =
        job.in + at.batch * job.in_batch + (in_row * in_pitch + (Offset)in_col * BYTES);
    uint4 values[LOADS]; /* all on their way before the first is stored */
#pragma unroll
    for (int k = 0; k < LOADS; k++, from += ROW_STEP * in_pitch)
        if (in_row + k * ROW_STEP < job.rows && in_col < job.cols)
            values[k] = transpose_load<BYTES, OPTIONS & ~TRANSPOSE_LEAVE>(from);

    /* Where this thread writes is worked out while its loads are on their way. */
    int eight = threadIdx.x / 8;
    int block_row = threadIdx.x % 8 + eight / IN_VECTOR % HIGH * 8;
    int block_col = eight % IN_VECTOR + eight / IN_VECTOR / HIGH * IN_VECTOR;
    int row = block_row * V, col = block_col * BLOCK_COLS; /* in the tile */
    char *to = job.out + at.batch * job.out_batch +
               (((Offset)at.col * COLS + col) * out_pitch + ((Offset)at.row * ROWS + row) * BYTES);
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (in_row + k * ROW_STEP < job.rows && in_col < job.cols)
            tile[TRANSPOSE_PLACE(y + k * ROW_STEP, x)] = values[k];
    __syncthreads();

    if (at.row * ROWS + row >= job.rows)
        return;
#pragma unroll 1
    for (int k = 0; k < COLS / COL_STEP; k++, col += COL_STEP, to += COL_STEP * out_pitch) {
        if (at.col * COLS + col >= job.cols)
            return;
        uint32_t block[V][TransposePiece<BYTES>::WORDS], turned[BLOCK_COLS][4];
#pragma unroll
        for (int r = 0; r < V; r++)
            transpose_piece<TransposePiece<BYTES>::WORDS>(
                block[r], (const char *)&tile[TRANSPOSE_PLACE(row + r, col / V)] + col % V * BYTES);
        transpose_block<BYTES>(block, turned);
#pragma unroll
        for (int c = 0; c < BLOCK_COLS; c++)
            transpose_store<OPTIONS>(to + c * out_pitch, make_uint4(turned[c][0], turned[c][1],
                                                                    turned[c][2], turned[c][3]));
    }
#undef TRANSPOSE_PLACE
}

/* ---- narrow and small matrices: runs of memory ---- */

/* A matrix of a few rows, packed, has an output that is one run of memory: its tile is a run of it.
 * So is the input of a matrix of a few columns, and of a batch of small matrices both are.
 *
 * An SM wants some 100 KB under way, and DRAM whole pieces of 256 bytes (experiments 21, 28 and 33
 * in plots/results/h200/any_shape.md of the workbook). With two vectors a thread in registers, or
 * three and more past them, the 2048 threads of an SM make most of that or all. */
enum {
    TRANSPOSE_RUN = 16384, /* bytes of small matrices in a block */
    TRANSPOSE_RUN_THREADS = 256,
    TRANSPOSE_RUN_LOADS = 5,  /* vectors a thread: a tile's, and what shifts add */
    TRANSPOSE_RUN_MOST = 512, /* threads of a narrow matrix's block, at most */
    TRANSPOSE_COLS_LOADS = 2, /* vectors a thread, of a few columns */
    TRANSPOSE_PIECE = 256,
    TRANSPOSE_NARROW_THREADS = 128
};

/* Where vector n of a run lies in shared memory, in vectors: with padding after every 8 and every
 * 64 of them, eight lanes that read every K-th meet different banks, whatever K up to 64. */
static __host__ __device__ __forceinline__ constexpr int transpose_padded(int n)
{
    return n + n / 8 + n / 64;
}

/* Threads of a block of a few rows, at most. Elements of 1 and 2 bytes come this way word by word,
 * or two rows of them; others are turned. */
static constexpr int transpose_rows_threads(int bytes, int cols)
{
    return bytes > 2 ? TRANSPOSE_RUN_MOST : cols > 1 ? 384 : 256;
}

/* Copies those elements of the vector at `from` that lie in [begin, end) to `to`. */
template <int BYTES>
static __device__ __forceinline__ void transpose_part(uint4 *to, const char *from,
                                                      const char *begin, const char *end)
{
    typedef typename TransposeElement<BYTES>::Type Element;
#pragma unroll 1
    for (int j = 0; j < TRANSPOSE_VECTOR / BYTES; j++)
        if (from + j * BYTES >= begin && from + j * BYTES < end)
            ((Element *)to)[j] = ((const Element *)from)[j];
}

/* How many columns of a narrow tile are read at a time, by words. */
template <int BYTES>
struct TransposeWord {
    enum { COLS = BYTES == 1 ? 4 : BYTES <= 4 ? 2 : 1 };
};

/* V rows of COLS elements each, `step` bytes apart in shared memory, become vectors. */
template <int BYTES, int COLS>
static __device__ __forceinline__ void transpose_words(uint4 out[COLS], const char *from, int step)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES;
#pragma unroll
    for (int j = 0; j < V; j++, from += step) {
        __align__(8) Element word[COLS];
        if (COLS == 1)
            word[0] = *(const Element *)from;
        else if (COLS * BYTES == 4)
            *(uint32_t *)word = *(const uint32_t *)from;
        else
            *(uint2 *)word = *(const uint2 *)from;
#pragma unroll
        for (int c = 0; c < COLS; c++)
            ((Element *)&out[c])[j] = word[c];
    }
}

/*
 * A few columns, the input packed: a block reads the run of `along` rows and, for the sake of the
 * windows, `before` more, and writes one window of each output row.
 *
 * The rows lie in groups of as many as a vector has elements: such a group is `cols` vectors,
 * whatever the columns are (and one more where the input begins inside a vector). An odd number of
 * vectors from group to group lets eight lanes that read the same place of eight groups meet
 * different banks, and within a group an element is `cols` further on: an addition, where padding
 * anywhere else is a division. COLS: words of several columns at a time, where all are aligned.
 */
template <int BYTES, int COLS>
static __global__ void __launch_bounds__(TRANSPOSE_RUN_MOST,
                                         TRANSPOSE_BLOCKS(TRANSPOSE_RUN_MOST, 4))
    transpose_few_cols(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES, LOADS = TRANSPOSE_COLS_LOADS;
    extern __shared__ uint4 transpose_shared[];

    transpose_wait();
    int batch = job.batches > 1 ? transpose_divide(blockIdx.x, job.by_matrix) : 0;
    int first = ((int)blockIdx.x - batch * job.in_matrix) * job.along;
    const char *in = job.in + batch * job.in_batch;
    const char *begin = in + (first - job.before) * job.in_pitch;
    const int shift = transpose_past(begin, TRANSPOSE_VECTOR), threads = blockDim.x;
    const int all = (job.along + job.before) / V * job.group; /* vectors */
    const int again = job.group - job.cols; /* 1: a group's last vector is the next one's first */
    begin -= shift;
    /* For all but the first tiles and the last, no vector has to be looked at. */
    bool inside = begin >= job.in && begin + all * TRANSPOSE_VECTOR <= job.in_end;
    uint4 values[LOADS]; /* all on their way before the first is stored */
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        int n = (int)threadIdx.x + k * threads;
        int at = (n - transpose_divide(n, job.by_run) * again) * TRANSPOSE_VECTOR;
        if (inside && n < all)
            values[k] = transpose_load_by(begin + at, job.keep);
    }
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        int n = (int)threadIdx.x + k * threads, group = transpose_divide(n, job.by_run);
        uint4 *to = &transpose_shared[n + group * (job.pitch - job.group)];
        const char *from = begin + (n - group * again) * TRANSPOSE_VECTOR;
        if (inside && n < all)
            *to = values[k];
        else if (n < all)
            transpose_part<BYTES>(to, from, in, in + job.rows * job.in_pitch);
    }
    __syncthreads();

    /* Eight lanes along an output row; the next eight have the next columns, or vectors further on.
     */
    const int step = (int)job.in_pitch, group_step = job.pitch * TRANSPOSE_VECTOR;
    const unsigned words = job.cols / COLS, vectors = job.along / V * words;
    const char *shared = (const char *)transpose_shared + shift;
    char *out = job.out + batch * job.out_batch + (long long)first * BYTES;
    for (unsigned i = threadIdx.x; i < vectors; i += threads) {
        unsigned eight = transpose_divide(i / 8, job.by_element), group = eight * 8 + i % 8;
        int col = (i / 8 - eight * words) * COLS, in_tile = group * V;
        char *to = out + col * job.out_pitch;
        const char *from = shared + col * BYTES;
        if (COLS == 1 && job.before > 0) {
            int back = transpose_past(to, TRANSPOSE_SECTOR) / BYTES;
            unsigned begins = job.before + in_tile - back, inside_group = begins % V;
            in_tile -= back;
            to += in_tile * BYTES;
            from += begins / V * group_step + inside_group * step;
            if (first + in_tile >= 0 && first + in_tile <= job.rows - V) {
                __align__(16) Element vector[V];
                int jump = group_step - V * step, left = V - inside_group;
#pragma unroll
                for (int j = 0; j < V; j++)
                    vector[j] = *(const Element *)(from + j * step + (j < left ? 0 : jump));
                *(uint4 *)to = *(const uint4 *)vector;
                continue;
            }
        } else {
            to += in_tile * BYTES;
            from += group * group_step;
            if (first + in_tile <= job.rows - V) {
                uint4 turned[COLS];
                transpose_words<BYTES, COLS>(turned, from, step);
#pragma unroll
                for (int c = 0; c < COLS; c++)
                    *(uint4 *)(to + c * job.out_pitch) = turned[c];
                continue;
            }
        }
        /* the ends of output rows */
        unsigned begins = job.before + in_tile;
#pragma unroll 1
        for (int j = 0; j < V; j++) {
            if ((unsigned)(first + in_tile + j) < (unsigned)job.rows)
#pragma unroll 1
                for (int c = 0; c < COLS; c++)
                    ((Element *)(to + c * job.out_pitch))[j] = ((const Element *)from)[c];
            from += (begins + j) % V == V - 1 ? group_step - (V - 1) * step : step;
        }
    }
}

/* On to the next element of an output run: a row further down, or the next column's first. */
#define TRANSPOSE_NEXT_ROW                                                                         \
    {                                                                                              \
        past += shift_step;                                                                        \
        at += (pitch + ((row + 1) % V == 0)) * TRANSPOSE_VECTOR;                                   \
        if (++row == rows) {                                                                       \
            row = 0;                                                                               \
            at = ++col * BYTES;                                                                    \
            past = shift;                                                                          \
        }                                                                                          \
    }

/* A few rows, the output packed: a block reads a piece of `along` columns of each row, and `before`
 * more, past the registers, and writes one window of the output, which is a run. One vector of
 * padding after V rows lets lanes that read every V-th row meet different banks. COLS: words of
 * several columns at a time, where all are aligned and rows are whole vectors. */
template <int BYTES, int COLS>
static __global__ void __launch_bounds__(transpose_rows_threads(BYTES, COLS),
                                         TRANSPOSE_BLOCKS(transpose_rows_threads(BYTES, COLS),
                                                          BYTES <= 2 && COLS == 1 ? 5 : 4))
    transpose_few_rows(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES;
    extern __shared__ uint4 transpose_shared[];

    transpose_wait();
    int batch = job.batches > 1 ? transpose_divide(blockIdx.x, job.by_matrix) : 0;
    int first = ((int)blockIdx.x - batch * job.in_matrix) * job.along;
    const char *in = job.in + batch * job.in_batch;
    const char *corner = in + (long long)(first - job.before) * BYTES;
    const int pitch = job.pitch, rows = job.rows, threads = blockDim.x;
    int bytes = min(job.along + job.before, job.cols - first + job.before) * BYTES; /* of a piece */
    /* For all but the first tiles and the last, no vector has to be looked at. */
    bool inside = corner - TRANSPOSE_VECTOR >= job.in &&
                  corner + (rows - 1) * job.in_pitch + bytes + TRANSPOSE_VECTOR <= job.in_end;
    for (int i = threadIdx.x; i < rows * pitch; i += threads) {
        int row = transpose_divide(i, job.by_run);
        const char *piece = corner + row * job.in_pitch;
        int past = (i - row * pitch) * TRANSPOSE_VECTOR - transpose_past(piece, TRANSPOSE_VECTOR);
        uint4 *to = &transpose_shared[i + row / V];
        if (past < bytes) {
            if (inside || (piece + past >= job.in && piece + past + TRANSPOSE_VECTOR <= job.in_end))
                transpose_copy(to, piece + past, job.keep);
            else
                transpose_part<BYTES>(to, piece + past, in + row * job.in_pitch, piece + bytes);
        }
    }
    transpose_copied();
    __syncthreads();

    char *to = job.out + batch * job.out_batch + (long long)first * rows * BYTES;
    const char *shared = (const char *)transpose_shared;
    if (COLS > 1) {
        for (int i = threadIdx.x; i < bytes / (COLS * BYTES) * (rows / V); i += threads) {
            int word = transpose_divide(i, job.by_element), row = (i - word * (rows / V)) * V;
            uint4 values[COLS];
            transpose_words<BYTES, COLS>(
                values, shared + (row * pitch + row / V) * TRANSPOSE_VECTOR + word * COLS * BYTES,
                pitch * TRANSPOSE_VECTOR);
#pragma unroll
            for (int c = 0; c < COLS; c++)
                *(uint4 *)(to + ((word * COLS + c) * rows + row) * BYTES) = values[c];
        }
    }
    int vectors = COLS > 1 ? 0 : job.along / V * rows; /* that are still to be written */
    int back = transpose_past(to, TRANSPOSE_SECTOR) / BYTES;
    long long length = (long long)rows * job.cols; /* of the whole output, in elements */
    int shift = transpose_past(corner, TRANSPOSE_VECTOR);
    int shift_step = (int)(job.in_pitch % TRANSPOSE_VECTOR);
    for (int i = threadIdx.x; i < vectors; i += threads) {
        int along = i * V - back;
        long long start = (long long)first * rows + along;
        int n = job.before * rows + along; /* counted from the first column that was read */
        int col = transpose_divide(n, job.by_element);
        int row = n - col * rows;
        int at = (row * pitch + row / V) * TRANSPOSE_VECTOR + col * BYTES;
        int past = shift + row * shift_step;
        /* Asked once a vector: inside the loop it would be a branch for every element. */
        if (start >= 0 && start + V <= length) {
            __align__(16) Element values[V];
#pragma unroll
            for (int j = 0; j < V; j++) {
                values[j] = *(const Element *)(shared + at + (past & (TRANSPOSE_VECTOR - 1)));
                TRANSPOSE_NEXT_ROW
            }
            *(uint4 *)(to + along * BYTES) = *(const uint4 *)values;
        } else {
#pragma unroll 1
            for (int j = 0; j < V; j++) {
                if (start + j >= 0 && start + j < length)
                    *(Element *)(to + (along + j) * BYTES) =
                        *(const Element *)(shared + at + (past & (TRANSPOSE_VECTOR - 1)));
                TRANSPOSE_NEXT_ROW
            }
        }
    }
}

/*
 * Elements of 1 and 2 bytes are too many to be moved one at a time: an SM has some 150
 * instructions for what a warp's 32 vectors of output take from beginning to end, if it is to keep
 * up with memory. So narrow tiles are turned in shared memory, by squares of a word's elements
 * each way, SIDE of them: then what lies side by side in the output is in words. A row of the tile
 * may begin inside a word; what is read of it is two words, shifted.
 */
template <int BYTES>
struct TransposeSquare {
    enum { SIDE = 4 / BYTES };
};

enum {
    TRANSPOSE_TURN_RUN = 20480, /* bytes in a block, before they are turned and after */
    TRANSPOSE_TURN_THREADS = 256,
    TRANSPOSE_TURN_BLOCKS = 5,  /* on an SM */
    TRANSPOSE_TURN_SQUARES = 4, /* times an element's bytes: of few columns, a thread at a time */
    TRANSPOSE_TURN_LEAD = 8     /* vectors of shared memory before the tile of few rows */
};

/* Words from column to column of a turned tile of few columns, `height` words high: one more at
 * least, which is read and not used. Eight lanes read every fourth word, those of the next column
 * from as many words earlier as out_pitch has, and a piece of a word: the last two bits of the
 * pitch bring four columns to other banks, or nearly if that piece is one byte. */
static inline int transpose_turned_pitch(int height, long long out_pitch)
{
    const int apart[] = {1, 1, 3, 2};
    int wanted = (int)(out_pitch / 4 + apart[out_pitch % 4]);
    return height + 1 + ((wanted - height - 1) & 3);
}

/* Vectors of shared memory up to the turned tile. Of few columns: the tile and one vector more,
 * which squares reach into. Of few rows: one more before it too, then places of `squares` squares'
 * rows and one square more; and the turned tile begins where a swizzle does. */
static __host__ __device__ __forceinline__ constexpr int transpose_cols_turned(int groups,
                                                                               int pitch)
{
    return groups * pitch + 1;
}
static __host__ __device__ __forceinline__ constexpr int transpose_rows_turned(int rows, int pitch,
                                                                               int squares)
{
    return (TRANSPOSE_TURN_LEAD + rows * pitch + 1 + squares + 1 + 7) / 8 * 8;
}

/* Copies a tile to shared memory, past the registers: `lines` lines of `width` vectors, job.pitch
 * apart there, `step` bytes apart in the input. What is past `end`, which is `end_step` later from
 * line to line, is zero. `inside`: no vector has to be looked at. */
template <int BYTES>
static __device__ __forceinline__ void
transpose_copy_tile(uint4 *tile, const TransposeJob &job, const char *begin, long long step,
                    int lines, int width, const char *end, long long end_step, bool inside)
{
    constexpr uintptr_t WHOLE = ~(uintptr_t)(TRANSPOSE_VECTOR - 1);
    int n = threadIdx.x, line = transpose_divide(n, job.by_run), x = n - line * width;
    const char *from = begin + line * step + x * TRANSPOSE_VECTOR;
    uint4 *to = tile + line * job.pitch + x;
    if (inside) {
        /* From vector to vector of a thread it is as many lines further down each time, and as many
         * vectors across, or a line more and a width less. */
        const int down = transpose_divide(blockDim.x, job.by_run);
        const int across = (int)blockDim.x - down * width, place = down * job.pitch + across;
        const long long next = down * step + across * TRANSPOSE_VECTOR;
        const long long back = step - width * TRANSPOSE_VECTOR;
        const int keep = job.keep, pad = job.pitch - width, all = lines * width;
#pragma unroll 1
        for (; n < all; n += blockDim.x) {
            transpose_copy(to, (const char *)((uintptr_t)from & WHOLE), keep);
            from += next;
            to += place;
            x += across;
            if (x >= width) {
                x -= width;
                from += back;
                to += pad;
            }
        }
        return;
    }
#pragma unroll 1
    while (n < lines * width) {
        const char *vector = (const char *)((uintptr_t)from & WHOLE);
        const char *line_end = end + line * end_step;
        if (vector >= job.in && vector < line_end && vector + TRANSPOSE_VECTOR <= job.in_end) {
            transpose_copy(to, vector, job.keep);
        } else {
            *to = make_uint4(0, 0, 0, 0);
            transpose_part<BYTES>(to, vector, job.in, line_end);
        }
        n += blockDim.x;
        line = transpose_divide(n, job.by_run);
        x = n - line * width;
        from = begin + line * step + x * TRANSPOSE_VECTOR;
        to = tile + line * job.pitch + x;
    }
}

/* A few columns, as above. */
template <int BYTES>
static __global__ void __launch_bounds__(TRANSPOSE_TURN_THREADS,
                                         TRANSPOSE_BLOCKS(TRANSPOSE_TURN_THREADS,
                                                          TRANSPOSE_TURN_BLOCKS))
    transpose_turn_cols(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES, LINE = 8 * V;
    constexpr int SIDE = TransposeSquare<BYTES>::SIDE, MOST = TRANSPOSE_TURN_SQUARES * BYTES;
    extern __shared__ uint4 transpose_shared[];

    transpose_wait();
    int batch = job.batches > 1 ? transpose_divide(blockIdx.x, job.by_matrix) : 0;
    int first = ((int)blockIdx.x - batch * job.in_matrix) * job.along;
    const char *in = job.in + batch * job.in_batch;
    const char *begin = in + (first - job.before) * job.in_pitch;
    const unsigned height = (unsigned)(job.along + job.before) / SIDE; /* squares, or words */
    const int groups = height / 4, step = groups * job.cols * TRANSPOSE_VECTOR;
    bool inside =
        begin - TRANSPOSE_VECTOR >= job.in && begin + step + TRANSPOSE_VECTOR <= job.in_end;
    transpose_copy_tile<BYTES>(transpose_shared, job, begin, job.cols * TRANSPOSE_VECTOR, groups,
                               job.group, in + job.rows * job.in_pitch, 0, inside);

    /* Zero, because it is read, though not used. */
    const int pitch = job.turned, padded = job.pitch > job.group;
    uint32_t *turned = (uint32_t *)(transpose_shared + transpose_cols_turned(groups, job.pitch));
#pragma unroll 1
    for (int n = threadIdx.x; n < job.cols; n += blockDim.x)
        turned[n * pitch + height] = 0;
#pragma unroll 1
    for (int n = threadIdx.x + 1; n <= groups; n += blockDim.x)
        if (padded || n == groups)
            transpose_shared[n * job.pitch - padded] = make_uint4(0, 0, 0, 0);
    transpose_copied();
    __syncthreads();

    const unsigned row_step = (int)job.in_pitch, shift = transpose_past(begin, TRANSPOSE_VECTOR);
    const unsigned across = (unsigned)(job.cols + SIDE - 1) / SIDE;
#pragma unroll 1
    for (unsigned i = threadIdx.x;; i += blockDim.x) {
        unsigned part = transpose_divide(i, job.by_band), down = i - part * height;
        unsigned x = part * job.high, end = min(x + job.high, across);
        if (x >= across)
            break;
        unsigned at = down / 4 * job.pitch * TRANSPOSE_VECTOR + down % 4 * SIDE * row_step + shift;
        const uint32_t *from[SIDE];
        uint32_t low[SIDE], bits[SIDE];
#pragma unroll
        for (int k = 0; k < SIDE; k++) {
            unsigned place = at + k * row_step;
            from[k] = (const uint32_t *)((const char *)transpose_shared + (place & ~3u)) + x;
            bits[k] = place * 8; /* mod 32 */
            low[k] = *from[k];
        }
        uint32_t *to = turned + x * SIDE * pitch + down;
#pragma unroll
        for (int s = 0; s < MOST; s++) {
            if (x + s >= end)
                break;
            uint32_t square[SIDE];
#pragma unroll
            for (int k = 0; k < SIDE; k++) {
                uint32_t high = from[k][s + 1];
                square[k] = __funnelshift_r(low[k], high, bits[k]);
                low[k] = high;
            }
            transpose_square<BYTES>(square);
#pragma unroll
            for (int k = 0; k < SIDE; k++, to += pitch)
                *to = square[k];
        }
    }
    __syncthreads();

    /* Eight lanes along an output row, and up to four lines. */
    char *out = job.out + batch * job.out_batch + (long long)first * BYTES;
    const unsigned lines = (unsigned)job.along / LINE, each = lines % 4 == 0   ? 4
                                                              : lines % 2 == 0 ? 2
                                                                               : 1;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < lines / each * 8 * job.cols; i += blockDim.x) {
        unsigned part = transpose_divide(i / 8, job.by_element), col = i / 8 - part * job.cols;
        char *to = out + col * job.out_pitch;
        int row = (part * each * 8 + i % 8) * V - transpose_past(to, TRANSPOSE_SECTOR) / BYTES;
        unsigned at = (job.before + row) * BYTES;
        const uint32_t *from = turned + col * pitch + at / 4;
        to += row * BYTES;
        row += first;
        const bool whole = row >= 0 && row + (int)(each - 1) * LINE <= job.rows - V;
#pragma unroll
        for (unsigned k = 0; k < 4; k++, from += LINE * BYTES / 4, to += LINE * BYTES, row += LINE)
            if (k < each && (whole || (row >= 0 && row <= job.rows - V)))
                *(uint4 *)to = make_uint4(__funnelshift_r(from[0], from[1], at * 8),
                                          __funnelshift_r(from[1], from[2], at * 8),
                                          __funnelshift_r(from[2], from[3], at * 8),
                                          __funnelshift_r(from[3], from[4], at * 8));
            else if (k < each && row > -V && row < job.rows) /* the ends of output rows */
#pragma unroll 1
                for (int j = 0; j < V; j++)
                    if ((unsigned)(row + j) < (unsigned)job.rows)
                        ((Element *)to)[j] = ((const Element *)from)[at % 4 / BYTES + j];
    }
}

/* The square of the rows at these places after `at`, turned. */
template <int BYTES>
static __device__ __forceinline__ void transpose_load_square(uint32_t *square, const char *at,
                                                             const uint32_t *places)
{
    constexpr int SIDE = TransposeSquare<BYTES>::SIDE;
    uint32_t place[SIDE];
    transpose_piece<SIDE>(place, (const char *)places);
#pragma unroll
    for (int k = 0; k < SIDE; k++) {
        const uint32_t *from = (const uint32_t *)(at + (place[k] >> 5));
        square[k] = __funnelshift_r(from[0], from[1], place[k]);
    }
    transpose_square<BYTES>(square);
}

/* Where byte n of few rows' turned tile lies, or vector n if UNIT is 1: lanes write words that are
 * `rows` words apart, and if that is a multiple of 8, a swizzle brings them to other banks. */
template <int UNIT, int SWIZZLE>
static __device__ __forceinline__ unsigned transpose_swizzled(unsigned n)
{
    return SWIZZLE ? n ^ (n >> 3 & 7 * UNIT) : n;
}

/*
 * A few rows, as above. The turned tile is the window, and what is before it up to the first column
 * of a square. A square's columns become words that each have what is above in the same column, or
 * at the end of the column before, in their first bytes: so they end up at multiples of a word,
 * whatever the rows are.
 */
template <int BYTES, int SWIZZLE>
static __global__ void __launch_bounds__(TRANSPOSE_TURN_THREADS,
                                         TRANSPOSE_BLOCKS(TRANSPOSE_TURN_THREADS,
                                                          TRANSPOSE_TURN_BLOCKS))
    transpose_turn_rows(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES, SIDE = TransposeSquare<BYTES>::SIDE;
    extern __shared__ uint4 transpose_shared[];

    transpose_wait();
    int batch = job.batches > 1 ? transpose_divide(blockIdx.x, job.by_matrix) : 0;
    int first = ((int)blockIdx.x - batch * job.in_matrix) * job.along;
    const int rows = job.rows, whole = (job.along + job.before) * BYTES, column = rows * BYTES;
    const int shift_step = (int)(job.in_pitch % TRANSPOSE_VECTOR);
    const unsigned squares = (unsigned)(rows + SIDE - 1) / SIDE; /* one below the other */
    const char *corner = job.in + batch * job.in_batch + (long long)(first - job.before) * BYTES;
    int bytes = min(whole, (job.cols - first + job.before) * BYTES); /* of a piece */
    bool inside = bytes == whole && corner - TRANSPOSE_VECTOR >= job.in &&
                  corner + (rows - 1) * job.in_pitch + whole + TRANSPOSE_VECTOR <= job.in_end;
    transpose_copy_tile<BYTES>(transpose_shared + TRANSPOSE_TURN_LEAD, job, corner, job.in_pitch,
                               rows, job.pitch, corner + bytes, job.in_pitch, inside);
    const int tile_end = TRANSPOSE_TURN_LEAD + rows * job.pitch;
    if (threadIdx.x < 2) /* zero, because it is read, though not used */
        transpose_shared[threadIdx.x == 0 ? TRANSPOSE_TURN_LEAD - 1 : tile_end] =
            make_uint4(0, 0, 0, 0);

    /* Where each row begins in shared memory: the word, in bytes, above five bits that say how far
     * to shift. Rows above the first and below the last are those of the columns before and after,
     * as in the output. */
    uint32_t *places = (uint32_t *)(transpose_shared + tile_end + 1);
#pragma unroll 1
    for (int n = threadIdx.x; n < (int)(squares + 1) * SIDE; n += blockDim.x) {
        int row = n - SIDE, col = 0;
        for (; row < 0; row += rows)
            col--;
        for (; row >= rows; row -= rows)
            col++;
        unsigned place = (TRANSPOSE_TURN_LEAD + row * job.pitch) * TRANSPOSE_VECTOR + col * BYTES +
                         transpose_past(corner + row * shift_step, TRANSPOSE_VECTOR);
        places[n] = place / 4 << 7 | place % 4 << 3;
    }
    transpose_copied();
    __syncthreads();

    /* The window begins `back` elements before the block's first column, and `begin` bytes, then
     * vectors, after the turned tile's first column; its first byte is one of a vector. */
    char *to = job.out + batch * job.out_batch + (long long)first * column;
    const int back = transpose_past(to, TRANSPOSE_SECTOR) / BYTES;
    const int left_out = transpose_divide(job.before * rows - back, job.by_element) / SIDE;
    int begin = (job.before - left_out * SIDE) * column - back * BYTES;
    const int lead = -begin & (TRANSPOSE_VECTOR - 1);
    const unsigned turned = transpose_rows_turned(rows, job.pitch, squares) * TRANSPOSE_VECTOR;
    begin = (turned + begin + lead) / TRANSPOSE_VECTOR;
    /* One square more where the matrix ends: columns end in the words of the next one's. */
    const int last = min(bytes / 4 + 2, whole / 4);
    const unsigned across = job.group, part = transpose_divide(threadIdx.x, job.by_band);
    const unsigned high = job.high;
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
                *(uint32_t *)((char *)transpose_shared + transpose_swizzled<16, SWIZZLE>(word[k])) =
                    __funnelshift_l(above[k], square[k], (lead + k * column) * 8);
                above[k] = square[k];
                word[k] += 4;
            }
        }
    }
    __syncthreads();

    long long length = (long long)rows * (job.cols - first); /* of the output from `first` on */
    const bool within = first > 0 && length > job.along * rows;
    int at = (int)threadIdx.x * V - back, end = job.along * rows - back;
    to += at * BYTES;
#pragma unroll 1
    for (begin += threadIdx.x; at < end; begin += blockDim.x) {
        const uint4 *from = transpose_shared + transpose_swizzled<1, SWIZZLE>(begin);
        if (within || ((at >= 0 || first > 0) && at + V <= length))
            *(uint4 *)to = *from;
        else
#pragma unroll 1
            for (int j = 0; j < V; j++)
                if ((at + j >= 0 || first > 0) && at + j < length)
                    ((Element *)to)[j] = ((const Element *)from)[j];
        at += blockDim.x * V;
        to += blockDim.x * TRANSPOSE_VECTOR;
    }
}

/* Few rows without shared memory, so few that L1 holds what lanes leave of a sector until
 * the next element asks for it: a thread puts one vector of the output together. For elements of 4
 * bytes or more; smaller ones are too many loads. */
template <int BYTES>
static __global__ void __launch_bounds__(TRANSPOSE_NARROW_THREADS)
    transpose_gather(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES, THREADS = TRANSPOSE_NARROW_THREADS;

    transpose_wait();
    int batch = job.batches > 1 ? transpose_divide(blockIdx.x, job.by_matrix) : 0;
    const char *in = job.in + batch * job.in_batch;
    char *out = job.out + batch * job.out_batch;
    int start = (((int)blockIdx.x - batch * job.in_matrix) * THREADS + (int)threadIdx.x) * V -
                transpose_past(out, TRANSPOSE_VECTOR) / BYTES;
    int n = max(start, 0); /* the first vector may begin before the output, the last end after it */
    int count = min(start + V, job.rows * job.cols) - n;
    int col = transpose_divide(n, job.by_element), row = n - col * job.rows;
    const char *from = in + row * job.in_pitch + (long long)col * BYTES;
    __align__(16) Element values[V];
#pragma unroll
    for (int j = 0; j < V; j++) {
        if (j < count)
            values[j] = transpose_load_element<BYTES>(from, job.keep);
        from += job.in_pitch;
        if (++row == job.rows) {
            row = 0;
            from -= job.rows * job.in_pitch - BYTES;
        }
    }
    char *to = out + (long long)n * BYTES;
    if (count == V) {
        *(uint4 *)to = *(const uint4 *)values;
    } else {
#pragma unroll
        for (int j = 0; j < V; j++)
            if (j < count)
                ((Element *)to)[j] = values[j];
    }
}

/* The same for a few columns whose output rows begin anywhere: each is written from a vector's
 * boundary of memory on, eight lanes along it. */
template <int BYTES>
static __global__ void __launch_bounds__(TRANSPOSE_NARROW_THREADS)
    transpose_gather_cols(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES, THREADS = TRANSPOSE_NARROW_THREADS;

    transpose_wait();
    int batch = job.batches > 1 ? transpose_divide(blockIdx.x, job.by_matrix) : 0;
    unsigned i = (blockIdx.x - batch * job.in_matrix) * THREADS + threadIdx.x;
    unsigned eight = transpose_divide(i / 8, job.by_element), col = i / 8 - eight * job.cols;
    char *to = job.out + batch * job.out_batch + col * job.out_pitch;
    int row = (eight * 8 + i % 8) * V - transpose_past(to, TRANSPOSE_VECTOR) / BYTES;
    const char *from = job.in + batch * job.in_batch + row * job.in_pitch + col * BYTES;
    to += (long long)row * BYTES;
    __align__(16) Element values[V];
    if (row >= 0 && row <= job.rows - V) {
#pragma unroll
        for (int j = 0; j < V; j++)
            values[j] = transpose_load_element<BYTES>(from + j * job.in_pitch, job.keep);
        *(uint4 *)to = *(const uint4 *)values;
    } else {
#pragma unroll 1
        for (int j = 0; j < V; j++)
            if ((unsigned)(row + j) < (unsigned)job.rows)
                ((Element *)to)[j] = *(const Element *)(from + j * job.in_pitch);
    }
}

/* A few columns or rows, whose number N the compiler knows, with the side that is a run packed and
 * the others whole vectors: N vectors of the input are N of the output, and one thread's. What
 * lanes cannot load or store side by side they exchange through their warp's own shared memory; no
 * warp waits for another. */
template <int BYTES, int N, int COLS>
static __global__ void __launch_bounds__(TRANSPOSE_NARROW_THREADS)
    transpose_vectors(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES, THREADS = TRANSPOSE_NARROW_THREADS;
    constexpr int RUN = transpose_padded(32 * N);
    __shared__ uint4 shared[THREADS / 32 * RUN];

    transpose_wait();
    int batch = job.batches > 1 ? transpose_divide(blockIdx.x, job.by_matrix) : 0;
    int lane = threadIdx.x % 32, all = (COLS ? job.rows : job.cols) / V; /* N vectors each */
    int first = ((int)blockIdx.x - batch * job.in_matrix) * THREADS + (int)threadIdx.x - lane;
    int vectors = min(all - first, 32) * N; /* of this warp */
    bool mine = first + lane < all;
    const char *in = job.in + batch * job.in_batch;
    char *out = job.out + batch * job.out_batch;
    long long at = (long long)first * TRANSPOSE_VECTOR;
    uint4 *run = shared + threadIdx.x / 32 * RUN;
    uint4 values[N], turned[N];
#pragma unroll
    for (int k = 0; k < N; k++) {
        const char *from =
            COLS ? in + at * N + k * 32 * TRANSPOSE_VECTOR : in + k * job.in_pitch + at;
        if (COLS ? lane + k * 32 < vectors : mine)
            values[k] = transpose_load_by(from + lane * TRANSPOSE_VECTOR, job.keep);
    }
    if (COLS) {
#pragma unroll
        for (int k = 0; k < N; k++)
            if (lane + k * 32 < vectors)
                run[transpose_padded(lane + k * 32)] = values[k];
        __syncwarp();
        if (mine) {
#pragma unroll
            for (int k = 0; k < N; k++)
                values[k] = run[transpose_padded(lane * N + k)];
        }
    }
#pragma unroll
    for (int k = 0; k < N * V; k++) {
        int from = COLS ? k % V * N + k / V : k % N * V + k / N;
        ((Element *)turned)[k] = ((const Element *)values)[from];
    }
    if (COLS) {
        if (mine) {
#pragma unroll
            for (int k = 0; k < N; k++)
                *(uint4 *)(out + k * job.out_pitch + at + lane * TRANSPOSE_VECTOR) = turned[k];
        }
    } else {
        if (mine) {
#pragma unroll
            for (int k = 0; k < N; k++)
                run[transpose_padded(lane * N + k)] = turned[k];
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < N; k++)
            if (lane + k * 32 < vectors)
                *(uint4 *)(out + at * N + (lane + k * 32) * TRANSPOSE_VECTOR) =
                    run[transpose_padded(lane + k * 32)];
    }
}

/* What one store of a group writes. */
template <int BYTES>
struct TransposeUnit {
    typedef uint32_t Type;
};
template <>
struct TransposeUnit<TRANSPOSE_VECTOR> {
    typedef uint4 Type;
};

/* Small packed matrices: a block reads a run of `along` of them and writes one. As many matrices as
 * are a whole number of UNIT bytes make a group, and what a thread moves lies at the same place of
 * every group, so that it works that place out once. Elements of 1 and 2 bytes are stored four
 * bytes at a time: lanes then read words that are a column apart, in different banks unless the
 * columns are a multiple of 8 (PADDED, and groups a multiple of 16 bytes). */
template <int BYTES, int UNIT, int PADDED>
static __global__ void __launch_bounds__(TRANSPOSE_RUN_THREADS)
    transpose_groups(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    typedef typename TransposeUnit<UNIT>::Type Unit;
    constexpr int IN_UNIT = UNIT / BYTES, THREADS = TRANSPOSE_RUN_THREADS;
    extern __shared__ uint4 transpose_shared[];

    transpose_wait();
    int first = blockIdx.x * job.along, size = job.rows * job.cols, group = job.in_matrix;
    int length = min(job.along, job.batches - first) * size;
    const char *begin = job.in + first * job.in_batch, *end = begin + length * BYTES;
    int shift = transpose_past(begin, TRANSPOSE_VECTOR);
    const char *from = begin - shift + threadIdx.x * TRANSPOSE_VECTOR;
    int vectors = group * BYTES / TRANSPOSE_VECTOR; /* in a group, if PADDED */
    int pitch = PADDED ? transpose_padded(vectors) * TRANSPOSE_VECTOR : group * BYTES;
    uint4 values[TRANSPOSE_RUN_LOADS];
#pragma unroll
    for (int k = 0; k < TRANSPOSE_RUN_LOADS; k++) {
        const char *vector = from + k * THREADS * TRANSPOSE_VECTOR;
        if (vector < end && vector >= job.in && vector + TRANSPOSE_VECTOR <= job.in_end)
            values[k] = *(const uint4 *)vector;
    }
#pragma unroll
    for (int k = 0; k < TRANSPOSE_RUN_LOADS; k++) {
        const char *vector = from + k * THREADS * TRANSPOSE_VECTOR;
        int n = threadIdx.x + k * THREADS;
        if (PADDED) {
            int before = transpose_divide(n, job.by_band);
            n = before * transpose_padded(vectors) + transpose_padded(n - before * vectors);
        }
        if (vector < end && vector >= job.in && vector + TRANSPOSE_VECTOR <= job.in_end)
            transpose_shared[n] = values[k];
        else if (vector < end)
            transpose_part<BYTES>(&transpose_shared[n], vector, begin, end);
    }
    __syncthreads();

    /* Units begin at a multiple of UNIT bytes of memory: the first may begin before the run. */
    char *to = job.out + first * job.out_batch;
    int back = transpose_past(to, UNIT) / BYTES;
    int units = group / IN_UNIT, across = min(units, THREADS), at_a_time = THREADS / across;
    int mine = threadIdx.x / across;
    if (mine >= at_a_time)
        return;
    for (int unit = threadIdx.x - mine * across; unit < units; unit += across) {
        int places[IN_UNIT];
#pragma unroll
        for (int j = 0; j < IN_UNIT; j++) {
            int n = unit * IN_UNIT - back + j, earlier = n < 0 ? 1 : 0;
            n += earlier * group;
            int matrix = transpose_divide(n, job.by_run), in_matrix = n - matrix * size;
            int col = transpose_divide(in_matrix, job.by_element);
            int row = in_matrix - col * job.rows;
            int at = shift + (matrix * size + row * job.cols + col) * BYTES;
            if (PADDED)
                at = transpose_padded(at / TRANSPOSE_VECTOR) * TRANSPOSE_VECTOR +
                     at % TRANSPOSE_VECTOR;
            places[j] = at - earlier * pitch;
        }
        const char *run = (const char *)transpose_shared + mine * pitch;
        for (int start = mine * group + unit * IN_UNIT - back; start < length;
             start += at_a_time * group, run += at_a_time * pitch) {
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
                        *(Element *)(to + (start + j) * BYTES) =
                            *(const Element *)(run + places[j]);
            }
        }
    }
}

/* ---- element by element ---- */

/* The padded tile, which touches nothing but the elements: for input and output that lie between
 * each other's rows, and for small matrices, where L2 holds all, torn sectors cost little and what
 * windows have to work out costs more. */
template <int BYTES, int TILE, int THREADS, int OPTIONS>
static __global__ void __launch_bounds__(THREADS) transpose_elements(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    typedef typename TransposeOffset<(OPTIONS & TRANSPOSE_DIRECT) != 0>::Type Offset;
    constexpr int STEP = THREADS / TILE, LOADS = TILE / STEP;
    __shared__ Element tile[TILE][TILE + 1];
    transpose_wait();
    TransposeTile at = transpose_tile<OPTIONS>(job);
    Offset in_pitch = (Offset)job.in_pitch, out_pitch = (Offset)job.out_pitch;
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    int row = at.row * TILE, col = at.col * TILE;
    const char *from =
        job.in + at.batch * job.in_batch + ((row + y) * in_pitch + (Offset)(col + x) * BYTES);
    Element values[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++, from += STEP * in_pitch)
        if (row + y + k * STEP < job.rows && col + x < job.cols)
            values[k] = *(const Element *)from;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (row + y + k * STEP < job.rows && col + x < job.cols)
            tile[y + k * STEP][x] = values[k];
    __syncthreads();
    char *to =
        job.out + at.batch * job.out_batch + ((col + y) * out_pitch + (Offset)(row + x) * BYTES);
#pragma unroll
    for (int k = 0; k < LOADS; k++, to += STEP * out_pitch)
        if (col + y + k * STEP < job.cols && row + x < job.rows)
            *(Element *)to = tile[x][y + k * STEP];
}

/* ---- which kernel, and how it is launched ---- */

enum TransposeKernel {
    TRANSPOSE_COPY, /* no kernel: a row or a column, packed, is its own transpose */
    TRANSPOSE_ELEMENTS,
    TRANSPOSE_WINDOWS,
    TRANSPOSE_REGISTERS,
    TRANSPOSE_FEW_COLS,
    TRANSPOSE_FEW_ROWS,
    TRANSPOSE_GATHER, /* few rows */
    TRANSPOSE_GATHER_COLS,
    TRANSPOSE_VECTORS, /* few columns, or few rows of small elements */
    TRANSPOSE_SMALL
};

/* Tiles of windows and registers. In large ones the pieces of rows have 256 bytes or more, for
 * DRAM's sake; small ones, mostly of 128 bytes, fill more SMs. Wide ones (windows of 4-byte
 * elements only) have half as many lines that two tiles share. The others, of registers alone, are
 * as narrow as the matrix: flat ones for up to 32 rows, flatter ones for 16 (4-byte elements),
 * tall ones for few columns (up to 4 bytes). */
enum TransposeTiles {
    TRANSPOSE_TILES_LARGE,
    TRANSPOSE_TILES_SMALL,
    TRANSPOSE_TILES_WIDE,
    TRANSPOSE_TILES_FLAT,
    TRANSPOSE_TILES_FLATTER,
    TRANSPOSE_TILES_TALL
};

/* A job and the way to do it. What chooses the way is transpose_choose(); a program that measures
 * ways of its own may change the fields after `bytes`, and the job's two_fronts. */
typedef struct {
    TransposeJob job;
    int bytes; /* of an element */
    enum TransposeKernel kernel;
    enum TransposeTiles tiles;
    int options;
    int band_rows;    /* rows that blocks walk down before they turn back; 0: all */
    int spare_shared; /* bytes of shared memory that a block of tiles asks for and leaves unused */
} TransposePlan;

/* What the rule asks of a device. */
typedef struct {
    int device; /* -1: nothing is known yet */
    int sms, sm_threads, sm_shared;
    double l2_bytes, sm_gb_per_s; /* the latter of memory, for each SM; 0 if it is not said */
} TransposeDevice;

/* Rows, columns (in elements) and threads of tiles. */
static constexpr int transpose_tile_rows(int bytes, int tiles)
{
    return tiles == TRANSPOSE_TILES_TALL ? (bytes == 1 ? 256 : 128)
           : tiles == TRANSPOSE_TILES_FLAT || tiles == TRANSPOSE_TILES_FLATTER ? 32
           : bytes == 1                                                        ? 128
           : tiles == TRANSPOSE_TILES_SMALL                                    ? (bytes == 2   ? 64
                                                                                  : bytes == 4 ? 32
                                                                                               : 16)
           : bytes == 2                                                        ? 128
           : bytes == 16                                                       ? 32
                                                                               : 64;
}

static constexpr int transpose_tile_cols(int bytes, int tiles)
{
    return tiles == TRANSPOSE_TILES_TALL    ? (bytes == 4 ? 32 : 64)
           : tiles == TRANSPOSE_TILES_SMALL ? 128 / bytes
           : tiles == TRANSPOSE_TILES_WIDE || tiles == TRANSPOSE_TILES_FLATTER ? 512 / bytes
                                                                               : 256 / bytes;
}

/* Columns of small tiles of registers. */
static constexpr int transpose_small_cols(int bytes)
{
    return bytes <= 2 ? 64 : bytes <= 8 ? 32 : 16;
}

static constexpr int transpose_threads(int bytes, int tiles)
{
    return tiles == TRANSPOSE_TILES_SMALL                                      ? (bytes == 1   ? 256
                                                                                  : bytes <= 4 ? 128
                                                                                               : 64)
           : tiles == TRANSPOSE_TILES_FLAT || tiles == TRANSPOSE_TILES_FLATTER ? 256
           : bytes == 16 || tiles == TRANSPOSE_TILES_TALL                      ? 256
                                                                               : 512;
}

/* Rows and columns of the tiles that come in element by element. */
static constexpr int transpose_element_tile(int bytes)
{
    return bytes == 1 ? 64 : bytes == 16 ? 16 : 32;
}

/* For how many blocks on an SM the compiler is asked to leave registers. The windows of small
 * elements need more of them for addresses. */
static constexpr int transpose_sm_blocks(int bytes, int tiles, int windows)
{
    return ((windows && (bytes <= 2 || tiles == TRANSPOSE_TILES_WIDE)) ||
                    tiles == TRANSPOSE_TILES_TALL
                ? 1536
            : tiles == TRANSPOSE_TILES_SMALL ? 1024
                                             : 2048) /
           transpose_threads(bytes, tiles);
}

/* How many pieces of `size` cover `length`. */
static inline int transpose_tiles(long long length, int size)
{
    return (int)((length + size - 1) / size);
}

/* 1 if all device code here is for compute capability 9.0 or above, so that every kernel waits in
 * transpose_wait() and may be launched early. A program that is also built for older devices could
 * meet a newer one with code that does not wait. */
static constexpr int transpose_kernels_wait(void)
{
#if defined(__CUDA_ARCH_LIST__) && CUDART_VERSION >= 12030 /* so it can also be captured */
    const int architectures[] = {__CUDA_ARCH_LIST__};
    for (int architecture : architectures)
        if (architecture < 900)
            return 0;
    return 1;
#else
    return 0;
#endif
}

/* Launches a kernel, early if it waits. Early, a call takes the host a fifth less time, and a small
 * kernel behind another one a third of a microsecond to a half. */
static inline cudaError_t transpose_start(void (*kernel)(TransposeJob), const TransposeJob *job,
                                          dim3 blocks, int threads, int shared, cudaStream_t stream)
{
#if CUDART_VERSION >= 12030
    if (transpose_kernels_wait()) {
        cudaLaunchAttribute early = {};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t how = {};
        how.gridDim = blocks;
        how.blockDim = dim3(threads);
        how.dynamicSmemBytes = shared;
        how.stream = stream;
        how.attrs = &early;
        how.numAttrs = 1;
        void *arguments[] = {(void *)job};
        cudaError_t error = cudaLaunchKernelExC(&how, (const void *)kernel, arguments);
        if (error != cudaSuccess)
            cudaGetLastError(); /* it is returned, and no later call shall find it */
        return error;
    }
#endif
    kernel<<<blocks, threads, shared, stream>>>(*job);
    return cudaGetLastError();
}

/* Launches tiles of one kernel; the job is used up. A grid ends at 2^31 - 1 blocks: as many
 * matrices at a time as have no more tiles than that. */
static inline cudaError_t transpose_blocks(void (*kernel)(TransposeJob), TransposeJob *job,
                                           int threads, int shared, cudaStream_t stream)
{
    long long each = (long long)job->tiles_down * job->tiles_across;
    if (each > INT_MAX)
        return cudaErrorInvalidValue;
    job->in_matrix = (int)each;
    if (job->batches > 1)
        job->by_matrix = transpose_divisor(job->in_matrix);
    job->by_column = transpose_divisor(job->band);
    if (job->band < job->tiles_down) {
        int last = job->tiles_down % job->band;
        job->by_band = transpose_divisor(job->band * job->tiles_across);
        job->by_last = transpose_divisor(last > 0 ? last : job->band);
    }
    int left = job->batches, at_a_time = (int)(INT_MAX / each);
    while (left > 0) {
        job->batches = left < at_a_time ? left : at_a_time;
        cudaError_t error = transpose_start(kernel, job, dim3((unsigned)(each * job->batches)),
                                            threads, shared, stream);
        if (error != cudaSuccess)
            return error;
        job->in += job->batches * job->in_batch;
        job->out += job->batches * job->out_batch;
        left -= job->batches;
    }
    return cudaSuccess;
}

/* The kernel of a tile: only the one that is asked for is compiled. */
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS, int OPTIONS, int WINDOWS>
struct TransposeTileKernel {
    static void (*of(void))(TransposeJob)
    {
        return transpose_windows<BYTES, ROWS, COLS, THREADS, BLOCKS, OPTIONS>;
    }
};
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS, int OPTIONS>
struct TransposeTileKernel<BYTES, ROWS, COLS, THREADS, BLOCKS, OPTIONS, 0> {
    static void (*of(void))(TransposeJob)
    {
        return transpose_registers<BYTES, ROWS, COLS, THREADS, BLOCKS, OPTIONS>;
    }
};

template <int BYTES, int TILES, int OPTIONS, int WINDOWS>
static inline cudaError_t transpose_launch_tiles(TransposePlan *plan, cudaStream_t stream)
{
    constexpr int ROWS = transpose_tile_rows(BYTES, TILES);
    constexpr int COLS = transpose_tile_cols(BYTES, TILES);
    constexpr int THREADS = transpose_threads(BYTES, TILES);
    constexpr int BLOCKS = transpose_sm_blocks(BYTES, TILES, WINDOWS);
    TransposeJob *job = &plan->job;
    long long reach = job->rows;
    if (WINDOWS && ((uintptr_t)job->out | job->out_pitch | job->out_batch) % TRANSPOSE_SECTOR != 0)
        reach += TRANSPOSE_SECTOR / BYTES - 1; /* windows end that much earlier */
    job->tiles_down = transpose_tiles(reach, ROWS);
    job->tiles_across = transpose_tiles(job->cols, COLS);
    job->band = job->tiles_down;
    if (plan->band_rows > 0 && transpose_tiles(plan->band_rows, ROWS) < job->band)
        job->band = transpose_tiles(plan->band_rows, ROWS);
    void (*kernel)(TransposeJob) =
        TransposeTileKernel<BYTES, ROWS, COLS, THREADS, BLOCKS, OPTIONS, WINDOWS>::of();
    if (plan->spare_shared > 0) {
        cudaError_t error = cudaFuncSetAttribute(
            (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan->spare_shared);
        if (error != cudaSuccess)
            return error;
    }
    return transpose_blocks(kernel, job, THREADS, plan->spare_shared, stream);
}

/* 1 if the tiles of a job can be launched as TRANSPOSE_DIRECT: 2^30 leaves room for what tiles
 * reach past the end of a matrix, and the grid's second side has at most 2^16 - 1. */
static inline int transpose_fits_direct(const TransposeJob *job, int tile_cols)
{
    return job->in_batch < 1 << 30 && job->out_batch < 1 << 30 &&
           transpose_tiles(job->cols, tile_cols) < 1 << 16;
}

/* Launches ROWS x COLS tiles as TRANSPOSE_DIRECT, as many matrices at a time as a grid's third side
 * has room for; the job is used up. */
template <int ROWS, int COLS, int THREADS>
static inline cudaError_t transpose_launch_direct(void (*kernel)(TransposeJob), TransposeJob *job,
                                                  cudaStream_t stream)
{
    dim3 blocks(transpose_tiles(job->rows, ROWS), transpose_tiles(job->cols, COLS));
    for (int left = job->batches; left > 0; left -= (int)blocks.z) {
        blocks.z = left < 65535 ? left : 65535;
        cudaError_t error = transpose_start(kernel, job, blocks, THREADS, 0, stream);
        if (error != cudaSuccess)
            return error;
        job->in += (int)blocks.z * job->in_batch;
        job->out += (int)blocks.z * job->out_batch;
    }
    return cudaSuccess;
}

template <int BYTES>
static inline cudaError_t transpose_launch_small_registers(TransposePlan *plan, cudaStream_t stream)
{
    constexpr int ROWS = transpose_tile_rows(BYTES, TRANSPOSE_TILES_SMALL);
    constexpr int COLS = transpose_small_cols(BYTES), THREADS = 128;
    if (!transpose_fits_direct(&plan->job, COLS))
        return transpose_launch_tiles<BYTES, TRANSPOSE_TILES_SMALL, 0, 0>(plan, stream);
    return transpose_launch_direct<ROWS, COLS, THREADS>(
        transpose_registers<BYTES, ROWS, COLS, THREADS, 1, TRANSPOSE_DIRECT>, &plan->job, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_elements(TransposeJob *job, cudaStream_t stream)
{
    constexpr int TILE = transpose_element_tile(BYTES), THREADS = 256;
    if (transpose_fits_direct(job, TILE))
        return transpose_launch_direct<TILE, TILE, THREADS>(
            transpose_elements<BYTES, TILE, THREADS, TRANSPOSE_DIRECT>, job, stream);
    job->tiles_down = transpose_tiles(job->rows, TILE);
    job->tiles_across = transpose_tiles(job->cols, TILE);
    job->band = job->tiles_down;
    return transpose_blocks(transpose_elements<BYTES, TILE, THREADS, 0>, job, THREADS, 0, stream);
}

/* Batches of matrices of at most transpose_small_most() bytes: a run has room for a group. */
template <int BYTES>
static inline cudaError_t transpose_launch_small(TransposeJob *job, cudaStream_t stream)
{
    constexpr int EXTRA = TRANSPOSE_SECTOR / BYTES;
    constexpr int UNIT = BYTES <= 2 ? 4 : TRANSPOSE_VECTOR, THREADS = TRANSPOSE_RUN_THREADS;
    int size = job->rows * job->cols, padded = BYTES <= 2 && job->cols % 8 == 0, in_group = 1;
    while (in_group * size * BYTES % (padded ? TRANSPOSE_VECTOR : UNIT) != 0)
        in_group *= 2;
    job->by_run = transpose_divisor(size);
    job->by_element = transpose_divisor(job->rows);
    job->along = TRANSPOSE_RUN / (size * BYTES);
    job->along -= job->along % (job->along > EXTRA ? EXTRA : in_group);
    job->in_matrix = in_group * size;
    int vectors = job->in_matrix * BYTES / TRANSPOSE_VECTOR;
    int shared = job->along * size * BYTES + 2 * TRANSPOSE_VECTOR;
    dim3 blocks(transpose_tiles(job->batches, job->along));
    if (!padded)
        return transpose_start(transpose_groups<BYTES, UNIT, 0>, job, blocks, THREADS, shared,
                               stream);
    job->by_band = transpose_divisor(vectors);
    shared = (job->along / in_group + 1) * transpose_padded(vectors) * TRANSPOSE_VECTOR;
    return transpose_start(transpose_groups<BYTES, UNIT, BYTES <= 2>, job, blocks, THREADS, shared,
                           stream);
}

/* Launches a narrow matrix's tiles of `along` elements; the job is used up. */
static inline cudaError_t transpose_launch_narrow(void (*kernel)(TransposeJob), TransposeJob *job,
                                                  long long length, int along, int threads,
                                                  int shared, cudaStream_t stream)
{
    job->along = along;
    job->tiles_down = job->band = transpose_tiles(length, along);
    job->tiles_across = 1;
    return transpose_blocks(kernel, job, threads, shared, stream);
}

template <int BYTES, int COLS>
static inline cudaError_t transpose_launch_vectors(TransposeJob *job, cudaStream_t stream)
{
    void (*const kernels[])(TransposeJob) = {
        transpose_vectors<BYTES, 2, COLS>, transpose_vectors<BYTES, 3, COLS>,
        transpose_vectors<BYTES, 4, COLS>, transpose_vectors<BYTES, 5, COLS>,
        transpose_vectors<BYTES, 6, COLS>, transpose_vectors<BYTES, 7, COLS>,
        transpose_vectors<BYTES, 8, COLS>};
    constexpr int V = TRANSPOSE_VECTOR / BYTES, THREADS = TRANSPOSE_NARROW_THREADS;
    return transpose_launch_narrow(kernels[(COLS ? job->cols : job->rows) - 2], job,
                                   COLS ? job->rows : job->cols, THREADS * V, THREADS, 0, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_gather(TransposeJob *job, cudaStream_t stream)
{
    constexpr int V = TRANSPOSE_VECTOR / BYTES, THREADS = TRANSPOSE_NARROW_THREADS;
    job->by_element = transpose_divisor(job->rows);
    return transpose_launch_narrow(transpose_gather<BYTES>, job,
                                   (long long)job->rows * job->cols + V - 1, THREADS * V, THREADS,
                                   0, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_gather_cols(TransposeJob *job, cudaStream_t stream)
{
    constexpr int V = TRANSPOSE_VECTOR / BYTES, THREADS = TRANSPOSE_NARROW_THREADS;
    long long vectors = ((long long)job->rows + 2 * V - 2) / V; /* of an output row, at most */
    job->by_element = transpose_divisor(job->cols);
    return transpose_launch_narrow(transpose_gather_cols<BYTES>, job,
                                   (vectors + 7) / 8 * 8 * job->cols, THREADS, THREADS, 0, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_turn_cols(TransposeJob *job, cudaStream_t stream)
{
    constexpr int V = TRANSPOSE_VECTOR / BYTES, SIDE = TransposeSquare<BYTES>::SIDE;
    int columns = transpose_tiles(job->cols, SIDE) * SIDE;
    int lines = 2 * TRANSPOSE_TURN_RUN / (8 * TRANSPOSE_VECTOR * (job->pitch + columns));
    lines -= lines > 4 ? lines % 4 : lines > 1 ? lines % 2 : 0;
    long long length = (long long)job->rows + (job->before > 0 ? job->before - 1 : 0);
    int all = transpose_tiles(length, 8 * V), tiles = transpose_tiles(all, lines);
    if (tiles < 8)
        lines = transpose_tiles(all, tiles); /* as many in each */
    int groups = 8 * lines + job->before / V;
    int threads = transpose_tiles(groups * job->group, 4 * 32) * 32; /* four vectors each */
    job->turned = transpose_turned_pitch(4 * groups, job->out_pitch);
    int shared =
        transpose_cols_turned(groups, job->pitch) * TRANSPOSE_VECTOR + columns * job->turned * 4;
    job->by_band = transpose_divisor(4 * groups);
    int across = columns / SIDE, parts = transpose_tiles(across, TRANSPOSE_TURN_SQUARES * BYTES);
    job->high = transpose_tiles(across, parts);
    return transpose_launch_narrow(
        transpose_turn_cols<BYTES>, job, length, 8 * V * lines,
        threads < TRANSPOSE_TURN_THREADS ? threads : TRANSPOSE_TURN_THREADS, shared, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_few_cols(TransposeJob *job, cudaStream_t stream)
{
    constexpr int V = TRANSPOSE_VECTOR / BYTES, EXTRA = TRANSPOSE_SECTOR / BYTES;
    constexpr int LOADS = TRANSPOSE_COLS_LOADS, WORD = TransposeWord<BYTES>::COLS;
    /* Where tiles begin. If output rows begin at sectors, no window is earlier than its tile. */
    long long in = (uintptr_t)job->in | (job->batches > 1 ? job->in_batch : 0);
    long long out = (uintptr_t)job->out | job->out_pitch | job->out_batch;
    int sectors = out % TRANSPOSE_SECTOR == 0;
    int words = sectors && job->cols % WORD == 0 && in % (WORD * BYTES) == 0;
    job->before = sectors ? 0 : EXTRA;
    job->group = job->cols + (in % TRANSPOSE_VECTOR != 0);
    job->pitch = job->group | 1;
    job->by_run = transpose_divisor(job->group);
    job->by_element = transpose_divisor(words ? job->cols / WORD : job->cols);
    /* Two columns are not worth turning, nor are short ones [40]. */
    if (BYTES <= 2 && !words && job->cols > 2 && job->rows >= 8 * 8 * V)
        return transpose_launch_turn_cols<(BYTES <= 2 ? BYTES : 2)>(job, stream);
    /* How many lines of each output row: as many as 256 threads load, pairs of them. If those are
     * fewer than four, four of up to 512 threads where windows are sectors; or as many as 256 or
     * 384 threads load (experiments 33 and 37). */
    int line = 8 * job->group, extra = job->before / V * job->group; /* in vectors loaded */
    int threads_most = sectors ? TRANSPOSE_RUN_MOST : job->group <= 32 ? 256 : 384;
    int few = (LOADS * TRANSPOSE_RUN_MOST / 2 - extra) / line;
    int lines = (LOADS * threads_most - extra) / line;
    int four = !sectors ? lines : words || job->group <= 24 ? 4 : 2;
    lines = few > 4 ? few : lines < four ? lines : four;
    lines -= lines > (sectors ? 1 : 4) ? lines % 2 : 0;
    long long length = (long long)job->rows + (sectors ? 0 : EXTRA - 1);
    int all = transpose_tiles(length, 8 * V), tiles = transpose_tiles(all, lines);
    if (tiles < 8)
        lines = transpose_tiles(all, tiles); /* as many in each */
    int groups = 8 * lines + job->before / V;
    int threads = (groups * job->group + LOADS * 32 - 1) / (LOADS * 32) * 32;
    return transpose_launch_narrow(
        words ? transpose_few_cols<BYTES, WORD> : transpose_few_cols<BYTES, 1>, job, length,
        8 * V * lines, threads, groups * job->pitch * TRANSPOSE_VECTOR, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_turn_rows(TransposeJob *job, cudaStream_t stream)
{
    constexpr int V = TRANSPOSE_VECTOR / BYTES, EXTRA = TRANSPOSE_SECTOR / BYTES;
    constexpr int MOST = TRANSPOSE_TURN_THREADS;
    long long in = (uintptr_t)job->in | job->in_pitch | job->in_batch;
    int rows = job->rows;
    int along = TRANSPOSE_TURN_RUN / rows / TRANSPOSE_LINE * TRANSPOSE_LINE / BYTES;
    long long length = (long long)job->cols + (job->before > 0 ? job->before - 1 : 0);
    int tiles = transpose_tiles(length, along);
    if (tiles < 8)
        along = transpose_tiles(length, tiles * EXTRA) * EXTRA; /* as many in each */
    job->pitch = (along + job->before) / V + (in % TRANSPOSE_VECTOR != 0);
    job->by_run = transpose_divisor(job->pitch);
    job->by_element = transpose_divisor(rows);
    /* Threads across the tile, by squares, and as often one below the other as there is room. */
    int squares = (along + job->before) * BYTES / 4, down = transpose_tiles(rows * BYTES, 4);
    int across = transpose_tiles(transpose_tiles(squares, transpose_tiles(squares, MOST)), 32) * 32;
    int often = MOST / across < down ? MOST / across : down;
    job->group = across;
    job->high = transpose_tiles(down, often);
    job->by_band = transpose_divisor(across);
    int threads = across * transpose_tiles(down, job->high);
    int shared = transpose_rows_turned(rows, job->pitch, down) * TRANSPOSE_VECTOR +
                 rows * (along * BYTES + 4) + 2 * TRANSPOSE_SECTOR;
    shared = transpose_tiles(shared, TRANSPOSE_LINE) * TRANSPOSE_LINE; /* of the swizzle */
    return transpose_launch_narrow(rows % 8 == 0 ? transpose_turn_rows<BYTES, 1>
                                                 : transpose_turn_rows<BYTES, 0>,
                                   job, length, along, threads, shared, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_few_rows(TransposeJob *job, cudaStream_t stream)
{
    constexpr int V = TRANSPOSE_VECTOR / BYTES, EXTRA = TRANSPOSE_SECTOR / BYTES;
    constexpr int WORD = BYTES == 1 ? 4 : 1; /* more columns at a time gain nothing elsewhere */
    constexpr int EACH = BYTES <= 4 ? 4 : 3; /* vectors a thread, at least */
    long long in = (uintptr_t)job->in | job->in_pitch | job->in_batch;
    long long out = (uintptr_t)job->out | (job->batches > 1 ? job->out_batch : 0);
    int words = WORD > 1 && job->rows % V == 0 && job->cols % WORD == 0 &&
                (in | out) % TRANSPOSE_VECTOR == 0;
    /* Tiles are whole sectors of the output: all begin at sectors if the first does. */
    job->before = words || out % TRANSPOSE_SECTOR == 0 ? 0 : EXTRA;
    long long length = (long long)job->cols + (job->before > 0 ? EXTRA - 1 : 0);
    if (BYTES <= 2 && !words && job->rows > 2)
        return transpose_launch_turn_rows<(BYTES <= 2 ? BYTES : 2)>(job, stream);
    /* Rows that begin anywhere share a vector or more with the next tile: so longer pieces of them
     * (experiment 37). */
    int whole = in % TRANSPOSE_VECTOR == 0;
    int run = words || (BYTES == 4 && whole) ? 24576 : !whole ? 40960 : BYTES <= 2 ? 32768 : 16384;
    int piece = (1 + whole) * TRANSPOSE_LINE;
    int along = run / job->rows / piece * piece;
    along = (along > piece ? along : piece) / BYTES;
    int tiles = transpose_tiles(length, along);
    if (tiles < 8)
        along = transpose_tiles(length, tiles * EXTRA) * EXTRA; /* as many in each */
    job->pitch = (along + job->before) / V + (in % TRANSPOSE_VECTOR != 0);
    job->by_run = transpose_divisor(job->pitch);
    job->by_element = transpose_divisor(words ? job->rows / V : job->rows);
    int vectors = job->rows * job->pitch, threads = (vectors / EACH + 31) / 32 * 32;
    int most = transpose_rows_threads(BYTES, words ? WORD : 1);
    return transpose_launch_narrow(
        words ? transpose_few_rows<BYTES, WORD> : transpose_few_rows<BYTES, 1>, job, length, along,
        threads < most ? threads : most, (vectors + job->rows / V + 1) * TRANSPOSE_VECTOR, stream);
}

template <int BYTES, int WINDOWS>
static inline cudaError_t transpose_launch_large(TransposePlan *plan, cudaStream_t stream)
{
    constexpr int LARGE = TRANSPOSE_TILES_LARGE, BOTH = TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES;
    switch (plan->options) {
    case 0: return transpose_launch_tiles<BYTES, LARGE, 0, WINDOWS>(plan, stream);
    case TRANSPOSE_KEEP:
        return transpose_launch_tiles<BYTES, LARGE, TRANSPOSE_KEEP, WINDOWS>(plan, stream);
    case BOTH: return transpose_launch_tiles<BYTES, LARGE, BOTH, WINDOWS>(plan, stream);
    default:
        return transpose_launch_tiles<BYTES, LARGE, BOTH | TRANSPOSE_LEAVE, WINDOWS>(plan, stream);
    }
}

template <int BYTES>
static inline cudaError_t transpose_launch(TransposePlan *plan, cudaStream_t stream)
{
    TransposeJob *job = &plan->job;
    job->keep = plan->options & TRANSPOSE_KEEP;
    switch (plan->kernel) {
    case TRANSPOSE_COPY:
        return cudaMemcpyAsync(job->out, job->in, (size_t)(job->in_end - job->in),
                               cudaMemcpyDeviceToDevice, stream);
    case TRANSPOSE_ELEMENTS: return transpose_launch_elements<BYTES>(job, stream);
    case TRANSPOSE_FEW_COLS: return transpose_launch_few_cols<BYTES>(job, stream);
    case TRANSPOSE_FEW_ROWS: return transpose_launch_few_rows<BYTES>(job, stream);
    case TRANSPOSE_SMALL: return transpose_launch_small<BYTES>(job, stream);
    case TRANSPOSE_GATHER: /* of elements that it is not for, never */
        return transpose_launch_gather<(BYTES >= 4 ? BYTES : 4)>(job, stream);
    case TRANSPOSE_GATHER_COLS:
        return transpose_launch_gather_cols<(BYTES >= 4 ? BYTES : 4)>(job, stream);
    case TRANSPOSE_VECTORS:
        return job->cols < job->rows
                   ? transpose_launch_vectors<(BYTES <= 4 ? BYTES : 4), 1>(job, stream)
                   : transpose_launch_vectors<(BYTES <= 2 ? BYTES : 2), 0>(job, stream);
    default: break;
    }
    constexpr int LARGE = TRANSPOSE_TILES_LARGE, KEEP = TRANSPOSE_KEEP;
    constexpr int LINES = KEEP | TRANSPOSE_WHOLE_LINES;
    /* Tiles that elements of other sizes have not, never. */
    constexpr int FLAT = BYTES == 4 ? TRANSPOSE_TILES_FLAT : LARGE;
    constexpr int FLATTER = BYTES == 4 ? TRANSPOSE_TILES_FLATTER : LARGE;
    constexpr int TALL = BYTES <= 4 ? TRANSPOSE_TILES_TALL : LARGE;
    constexpr int WIDE = BYTES == 4 ? TRANSPOSE_TILES_WIDE : LARGE;
    int keep = job->keep;
    if (plan->kernel == TRANSPOSE_REGISTERS) {
        switch (plan->tiles) {
        case TRANSPOSE_TILES_SMALL: return transpose_launch_small_registers<BYTES>(plan, stream);
        case TRANSPOSE_TILES_FLAT:
            return keep ? transpose_launch_tiles<BYTES, FLAT, KEEP, 0>(plan, stream)
                        : transpose_launch_tiles<BYTES, FLAT, 0, 0>(plan, stream);
        case TRANSPOSE_TILES_FLATTER:
            return keep ? transpose_launch_tiles<BYTES, FLATTER, KEEP, 0>(plan, stream)
                        : transpose_launch_tiles<BYTES, FLATTER, 0, 0>(plan, stream);
        case TRANSPOSE_TILES_TALL:
            return keep ? transpose_launch_tiles<BYTES, TALL, KEEP, 0>(plan, stream)
                        : transpose_launch_tiles<BYTES, TALL, 0, 0>(plan, stream);
        default: return transpose_launch_large<BYTES, 0>(plan, stream);
        }
    }
    if (plan->tiles == TRANSPOSE_TILES_SMALL)
        return transpose_launch_tiles<BYTES, TRANSPOSE_TILES_SMALL, 0, 1>(plan, stream);
    if (plan->tiles == TRANSPOSE_TILES_WIDE)
        return transpose_launch_tiles<BYTES, WIDE, LINES, 1>(plan, stream);
    return transpose_launch_large<BYTES, 1>(plan, stream);
}

/* Launches what was planned; the plan is used up. */
static inline cudaError_t transpose_run(TransposePlan *plan, cudaStream_t stream)
{
    switch (plan->bytes) {
    case 1: return transpose_launch<1>(plan, stream);
    case 2: return transpose_launch<2>(plan, stream);
    case 4: return transpose_launch<4>(plan, stream);
    case 8: return transpose_launch<8>(plan, stream);
    default: return transpose_launch<16>(plan, stream);
    }
}

/* Asks the current device; what it said last is kept for each host thread. */
static inline cudaError_t transpose_device(TransposeDevice *device)
{
    static thread_local TransposeDevice known = {-1, 0, 0, 0, 0, 0};
    int number, l2_bytes = 0, khz = 0, bits = 0;
    cudaError_t error = cudaGetDevice(&number);
    if (error == cudaSuccess && number != known.device) {
        known.device = -1;
        error = cudaDeviceGetAttribute(&known.sms, cudaDevAttrMultiProcessorCount, number);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&known.sm_threads,
                                           cudaDevAttrMaxThreadsPerMultiProcessor, number);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&known.sm_shared,
                                           cudaDevAttrMaxSharedMemoryPerMultiprocessor, number);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, number);
        known.l2_bytes = l2_bytes;
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, number);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, number);
        if (error == cudaSuccess)
            known.sm_gb_per_s = 2.0 * khz * (bits / 8) / 1e6 / known.sms; /* two a clock */
        if (error == cudaSuccess)
            known.device = number;
    }
    *device = known;
    return error;
}

/* 1 if all pointers and pitches are whole vectors, and rows and cols too. */
static inline int transpose_is_aligned(const TransposePlan *plan)
{
    const TransposeJob *job = &plan->job;
    return ((uintptr_t)job->in | (uintptr_t)job->out | job->in_pitch | job->out_pitch |
            (long long)job->rows * plan->bytes | (long long)job->cols * plan->bytes) %
               TRANSPOSE_VECTOR ==
           0;
}

/* 1 if the input lies without gaps, and the output. */
static inline int transpose_in_is_packed(const TransposePlan *plan)
{
    return plan->job.in_pitch == (long long)plan->job.cols * plan->bytes;
}

static inline int transpose_out_is_packed(const TransposePlan *plan)
{
    return plan->job.out_pitch == (long long)plan->job.rows * plan->bytes;
}

/* Up to so many rows or columns a matrix is narrow. */
enum { TRANSPOSE_NARROW = 64 };

/* The bytes of a matrix that counts as small, and of one that is too small for windows. */
enum { TRANSPOSE_SMALL_BYTES = 4096, TRANSPOSE_BETWEEN_BYTES = 24576 };

/* The bytes of the largest matrices that are transposed in groups. */
static constexpr int transpose_small_most(int bytes)
{
    return bytes <= 4 ? TRANSPOSE_SMALL_BYTES : 2 * TRANSPOSE_SMALL_BYTES;
}

/* Up to so many vectors a thread; of matrices whose elements an int can count, with what the last
 * block of a gather reaches past them. */
enum { TRANSPOSE_VECTORS_MOST = 8, TRANSPOSE_GATHER_LENGTH = INT_MAX - 65536 };

/* 1 if transpose_vectors() can do it: 2 to 8 columns of up to 4 bytes, or rows of up to 2. The
 * caller has checked that they are packed. */
static inline int transpose_fits_vectors(const TransposePlan *plan)
{
    const TransposeJob *job = &plan->job;
    int cols = job->cols < job->rows, few = cols ? job->cols : job->rows;
    long long along = cols ? job->rows : job->cols, pitch = cols ? job->out_pitch : job->in_pitch;
    return few > 1 && few <= TRANSPOSE_VECTORS_MOST && plan->bytes <= (cols ? 4 : 2) &&
           ((uintptr_t)job->in | (uintptr_t)job->out | pitch | along * plan->bytes) %
                   TRANSPOSE_VECTOR ==
               0;
}

/* The same of matrices so long that few lanes are idle. */
static inline int transpose_fits_long_vectors(const TransposePlan *plan)
{
    long long along = plan->job.cols < plan->job.rows ? plan->job.rows : (long long)plan->job.cols;
    return transpose_fits_vectors(plan) && along * plan->bytes >= 24 * TRANSPOSE_VECTOR;
}

/* 1 if a few packed rows of bytes can go word by word, and are work enough for a block. */
static inline int transpose_fits_words(const TransposePlan *plan)
{
    int rows = plan->job.rows, cols = plan->job.cols;
    return plan->bytes == 1 && rows <= TRANSPOSE_NARROW && rows % TRANSPOSE_VECTOR == 0 &&
           cols >= rows && cols % TRANSPOSE_VECTOR == 0 &&
           (long long)rows * cols >= TRANSPOSE_SMALL_BYTES / 2 &&
           ((uintptr_t)plan->job.in | (uintptr_t)plan->job.out) % TRANSPOSE_VECTOR == 0;
}

/* 1 if packed matrices of a few rows can be gathered. */
static inline int transpose_fits_gather(const TransposePlan *plan)
{
    int rows = plan->job.rows;
    return rows > 1 && rows <= TRANSPOSE_NARROW && plan->bytes >= 4 &&
           (long long)rows * plan->job.cols <= TRANSPOSE_GATHER_LENGTH;
}

/* Beyond this, an int cannot count what windows reach past the end of a side. */
enum { TRANSPOSE_LONGEST = INT_MAX - 16384 };

/* Rows of up to so many bytes are walked along, if columns of tiles are too long for L2; a quarter
 * of it where they begin at lines. */
enum { TRANSPOSE_ALONG_ROWS = 16384 };
/* How many times the area of the matrix its tiles cover; small ones: those of registers. */
static inline double transpose_waste(const TransposePlan *plan, enum TransposeTiles tiles)
{
    int rows = transpose_tile_rows(plan->bytes, tiles);
    int cols = tiles == TRANSPOSE_TILES_SMALL ? transpose_small_cols(plan->bytes)
                                              : transpose_tile_cols(plan->bytes, tiles);
    return (double)transpose_tiles(plan->job.rows, rows) * rows / plan->job.rows *
           transpose_tiles(plan->job.cols, cols) * cols / plan->job.cols;
}

/* The same of large windows, which begin up to a sector earlier. */
static inline double transpose_windows_waste(const TransposePlan *plan)
{
    int rows = transpose_tile_rows(plan->bytes, TRANSPOSE_TILES_LARGE);
    int cols = transpose_tile_cols(plan->bytes, TRANSPOSE_TILES_LARGE);
    long long reach = (long long)plan->job.rows + TRANSPOSE_SECTOR / plan->bytes - 1;
    return (double)transpose_tiles(reach, rows) * rows / plan->job.rows *
           transpose_tiles(plan->job.cols, cols) * cols / plan->job.cols;
}

/* 1 if registers can serve a matrix in such tiles, which cover at most `most` times its area. Where
 * output rows begin inside sectors, two tiles would tear one between them [37]; large tiles of 16
 * bytes in batches lose less by that than others by their shape [40]. */
static inline int transpose_fits_tiles(const TransposePlan *plan, enum TransposeTiles tiles,
                                       double most)
{
    int sectors = ((uintptr_t)plan->job.out | plan->job.out_pitch) % TRANSPOSE_SECTOR == 0;
    return transpose_is_aligned(plan) && transpose_waste(plan, tiles) <= most &&
           (sectors ||
            (plan->bytes == 16 && plan->job.batches > 1 && tiles == TRANSPOSE_TILES_LARGE) ||
            plan->job.rows <= transpose_tile_rows(plan->bytes, tiles));
}

/* 1 if output rows begin at sectors and whole lines of them, the least that a block of few columns
 * writes, cover little more than the matrix, which is work enough for a block. */
static inline int transpose_fits_lines(const TransposePlan *plan)
{
    int line = 8 * TRANSPOSE_VECTOR / plan->bytes;
    return (long long)plan->job.rows * plan->job.cols * plan->bytes >= TRANSPOSE_SMALL_BYTES / 2 &&
           ((uintptr_t)plan->job.out | plan->job.out_pitch) % TRANSPOSE_SECTOR == 0 &&
           10LL * line * transpose_tiles(plan->job.rows, line) <= 11LL * plan->job.rows;
}

/* Chooses the largest tiles of registers that do not cover much more than the matrix; or returns 0.
 * What is empty costs less than what is full: its threads wait for no memory [37]. */
static inline int transpose_choose_tiles(TransposePlan *plan)
{
    plan->kernel = TRANSPOSE_REGISTERS;
    if (transpose_fits_tiles(plan, TRANSPOSE_TILES_LARGE,
                             plan->bytes <= 2   ? 2.2
                             : plan->bytes == 4 ? 1.3
                                                : 1.34))
        plan->tiles = TRANSPOSE_TILES_LARGE;
    else if (plan->bytes == 4 && transpose_fits_tiles(plan, TRANSPOSE_TILES_FLAT, 1.35))
        plan->tiles = TRANSPOSE_TILES_FLAT;
    else if (plan->bytes <= 4 &&
             transpose_fits_tiles(plan, TRANSPOSE_TILES_TALL, plan->bytes == 4 ? 2.1 : 2.4))
        plan->tiles = TRANSPOSE_TILES_TALL;
    else if (plan->bytes == 4 && transpose_fits_tiles(plan, TRANSPOSE_TILES_FLATTER, 2.1))
        plan->tiles = TRANSPOSE_TILES_FLATTER;
    else if (transpose_fits_tiles(plan, TRANSPOSE_TILES_SMALL, plan->bytes == 1 ? 3.3 : 2.4))
        plan->tiles = TRANSPOSE_TILES_SMALL;
    else
        return 0;
    return 1;
}

/* Chooses for matrices of a few columns or rows, those packed, and returns 1; or 0, where the rule
 * for all others is as good. `small`: L2 holds everything. What is best is from experiments 32, 33
 * and 37; registers are where their tiles are as narrow as the matrix, or nearly. */
static inline int transpose_choose_narrow(TransposePlan *plan, int aligned, int cols, int small)
{
    const int bytes = plan->bytes, few = cols ? plan->job.cols : plan->job.rows;
    int sectors = ((uintptr_t)plan->job.out | plan->job.out_pitch) % TRANSPOSE_SECTOR == 0;
    int vectors = ((uintptr_t)plan->job.in | plan->job.in_pitch) % TRANSPOSE_VECTOR == 0;
    int batched = plan->job.batches > 1;
    double waste = transpose_waste(plan, TRANSPOSE_TILES_LARGE);
    plan->kernel = TRANSPOSE_REGISTERS;
    if (batched && aligned) { /* a tile must not be longer than a matrix */
        int lines = cols && few < TRANSPOSE_NARROW && transpose_fits_lines(plan);
        if (lines && bytes == 1 && transpose_fits_tiles(plan, TRANSPOSE_TILES_TALL, 2.4)) {
            plan->tiles = TRANSPOSE_TILES_TALL;
            return 1;
        }
        if (!lines && !transpose_fits_words(plan) && transpose_choose_tiles(plan))
            return 1;
    } else if (aligned && few > 32 &&
               (small || (bytes >= 4 && waste <= 1.34 &&
                          (!cols || few <= transpose_tile_cols(bytes, TRANSPOSE_TILES_LARGE) ||
                           few * bytes % TRANSPOSE_PIECE == 0)))) {
        /* Large tiles, if two columns of them do not share pieces of DRAM. */
        if (!small && !cols && bytes == 4 && few < 64 && sectors)
            plan->tiles = TRANSPOSE_TILES_FLAT;
        return plan->tiles != TRANSPOSE_TILES_LARGE;
    } else if (aligned && cols && bytes <= 4) {
        int tall_cols = transpose_tile_cols(bytes, TRANSPOSE_TILES_TALL);
        plan->tiles = TRANSPOSE_TILES_TALL;
        if (few <= tall_cols && tall_cols <= 2 * few && (bytes == 2 || small == (bytes == 1)))
            return 1;
    } else if (aligned && cols && !small && few <= 32 && waste <= (bytes == 8 ? 1.34 : 1)) {
        return 1;
    } else if (aligned && !cols && bytes == 4 && few >= 16 && few <= 32) {
        plan->tiles = few <= 20 ? TRANSPOSE_TILES_FLATTER : TRANSPOSE_TILES_FLAT;
        return 1;
    } else if (aligned && !cols &&
               ((bytes == 2 && few >= 56) || /* most of a tile is empty */
                (bytes == 16 && few >= 20 && waste <= 1.34))) {
        return 1;
    }
    plan->tiles = TRANSPOSE_TILES_LARGE;
    /* Those that begin anywhere, where windows have hardly an empty place. */
    if (!small && (cols ? !sectors && waste <= 1.19 : !batched && !vectors && waste <= 1.01))
        return 0;
    if (!small && batched && bytes <= 2 && cols && !sectors && few >= (bytes == 1 ? 50 : 32)) {
        plan->kernel = TRANSPOSE_WINDOWS;
        plan->tiles = TRANSPOSE_TILES_SMALL;
        return 1;
    }
    if (!small && batched && bytes == 16 && waste <= (cols ? 1.4 : 1.8))
        return 0;
    plan->kernel = cols ? TRANSPOSE_FEW_COLS : TRANSPOSE_FEW_ROWS;
    if ((cols || plan->job.rows < plan->job.cols) && transpose_fits_vectors(plan) &&
        (bytes <= 2 || small || !sectors || few == 8) &&
        !(batched && cols && transpose_fits_lines(plan)))
        plan->kernel = TRANSPOSE_VECTORS;
    /* What lanes leave of a sector stays in L1 long enough for few rows alone. */
    else if (!cols && transpose_fits_gather(plan) &&
             (few <= (batched && bytes == 4 ? 7 : 8) || (small && few <= 32) ||
              (!vectors && few % 2 == 0 && few <= 16)))
        plan->kernel = TRANSPOSE_GATHER;
    else if (cols && few <= (bytes == 4 ? 7 : 5) && few != 4 && few != 6 && bytes >= 4 &&
             plan->job.rows <= TRANSPOSE_GATHER_LENGTH / 8 &&
             ((uintptr_t)plan->job.out | plan->job.out_pitch) % TRANSPOSE_VECTOR != 0)
        plan->kernel = TRANSPOSE_GATHER_COLS;
    return 1;
}

/* So much shared memory, with that of large tiles of registers and the 1 KB that a block takes
 * anyway, that an SM has room for three blocks and not for four; 0 if it has no room for four. */
static inline int transpose_spare_shared(const TransposePlan *plan, const TransposeDevice *device)
{
    int tile = 256 * transpose_tile_rows(plan->bytes, TRANSPOSE_TILES_LARGE);
    int fourth = device->sm_shared / 4, threads = 4 * transpose_threads(plan->bytes, 0);
    return device->sm_threads < threads || fourth < tile ? 0 : fourth - tile;
}

/* Chooses for batches of packed matrices that are smaller than tiles, and returns 1; or 0, where
 * there is a better way. Experiments 37 to 39. */
static inline int transpose_choose_batch(TransposePlan *plan, int few_cols)
{
    const TransposeJob *job = &plan->job;
    const int bytes = plan->bytes, aligned = transpose_is_aligned(plan);
    double matrix = (double)job->rows * job->cols * bytes;
    int most = !aligned && job->cols <= job->rows ? transpose_small_most(bytes)
                                                  : TRANSPOSE_SMALL_BYTES - (aligned && bytes >= 4);

    int fits = (few_cols && transpose_fits_lines(plan)) || transpose_fits_words(plan) ||
               transpose_fits_long_vectors(plan) || transpose_choose_tiles(plan);
    if (matrix <= most && !fits) {
        plan->kernel = TRANSPOSE_SMALL;
        plan->options = 0;
        return 1;
    }
    /* Torn sectors are completed in L2 before they are evicted. */
    most = bytes == 4 || bytes == 8 ? TRANSPOSE_BETWEEN_BYTES : 0;
    plan->kernel = TRANSPOSE_ELEMENTS;
    return !aligned && job->cols >= 16 && job->rows >= 16 && matrix <= most &&
           (bytes == 4 || job->cols <= job->rows);
}

/* Chooses in which order large tiles are walked, and what L2 fetches and leaves, for a plan whose
 * kernel is chosen. */
static inline void transpose_choose_order(TransposePlan *plan, const TransposeDevice *device,
                                          int batched)
{
    TransposeJob *job = &plan->job;
    const int bytes = plan->bytes;
    /* What L2 has to hold until a line is wanted again, in its sizes: of each row, what is read and
     * written for one column of tiles; and for one of wide tiles. */
    double column = job->rows * (2.0 * 256 + TRANSPOSE_LINE) / device->l2_bytes;
    double wide = job->rows * (2.0 * 512 + TRANSPOSE_LINE) / device->l2_bytes;
    long long in = (uintptr_t)job->in | job->in_pitch;
    if (column > 0.5 && in % TRANSPOSE_PIECE != 0 &&
        (long long)job->cols * bytes <=
            (in % TRANSPOSE_LINE != 0 ? 1 : 0.25) * TRANSPOSE_ALONG_ROWS) {
        plan->band_rows = 1;
        return;
    }
    if (!(plan->options & TRANSPOSE_KEEP))
        return;
    if (in % (bytes < 8 ? (int)TRANSPOSE_LINE : (int)TRANSPOSE_PIECE) == 0) {
        int blocks = device->sm_threads / transpose_threads(bytes, TRANSPOSE_TILES_LARGE);
        int in_flight = device->sms * (plan->spare_shared > 0 ? 3 : blocks);
        int tiles_down =
            transpose_tiles(job->rows, transpose_tile_rows(bytes, TRANSPOSE_TILES_LARGE));
        job->two_fronts = job->in_pitch % (128 << 10) == 0 && tiles_down <= in_flight &&
                          in_flight < 2 * tiles_down;
        return;
    }
    int slow = device->sm_gb_per_s > 0 && device->sm_gb_per_s < 30;
    double lasts = slow ? 0.25 : bytes < 4 ? 0.43 : bytes == 4 ? 0.5 : 0.36;
    if (bytes == 4 && plan->kernel == TRANSPOSE_WINDOWS && wide <= 0.3 &&
        transpose_waste(plan, TRANSPOSE_TILES_WIDE) <=
            1.3 * transpose_waste(plan, TRANSPOSE_TILES_LARGE))
        plan->tiles = TRANSPOSE_TILES_WIDE;
    if (plan->tiles == TRANSPOSE_TILES_WIDE || !(batched || (bytes == 8 && column < 0.05)))
        plan->options |= TRANSPOSE_WHOLE_LINES;
    if (column > lasts)
        plan->band_rows = (int)(job->rows / (1 + (int)(column / lasts))) + 1;
    else if (column > 0.25 && bytes > 1 && plan->options & TRANSPOSE_WHOLE_LINES)
        plan->options |= TRANSPOSE_LEAVE;
}

/*
 * The rule: fills in the plan's kernel, tiles, options and order. Where it has a number, that is
 * what was best on an H200, as a multiple of what the device says of itself.
 *
 * The numbers in brackets are the experiments that say so, in plots/results/h200/any_shape.md. 37
 * to 40 timed every plan at shapes drawn at random: this rule's was 0.3 to 0.6 points behind the
 * best on average, 1.2 at batches.
 *
 *  - Narrow matrices and batches: above.
 *  - Registers where all is aligned and output rows begin at sectors, or one tile has all rows;
 *    else windows. Where L2 holds all (70 % of it: the rest is not always free, [12, 23]), element
 *    by element, since torn sectors cost little there; small elements, which take as long as large
 *    ones, up to less. Small tiles there, and for what large tiles would cover 2.5 times, in
 *    batches less [14, 40]; bytes of up to 256 rows in batches one by one [40].
 *  - Reads are kept where input and output are 8 times as large as L2 or more: it takes about an
 *    L2's worth of traffic to settle, where L2 holds part of a matrix it displaces what is used
 *    again, and a following kernel loses 1.6 us [16]. Narrow matrices and batches use nothing
 *    again, and win 3 %: from 4 times on that is more [33].
 *  - Along rows of the input, not down columns of tiles, where rows of some tiles (16 KB) do not
 *    begin with DRAM's pieces and L2 does not hold a column of tiles: two tiles share a piece, and
 *    ask for it at one time [34, 37].
 *  - Two fronts where rows of the input are a multiple of 128 KB apart and the blocks in flight
 *    cover one column of tiles but not two: all reads in flight would have the same address bits 8
 *    to 16, and meet only some of DRAM's channels.
 *  - Whole lines (pairs of them for 8 and 16 bytes) where rows of the input begin inside one: two
 *    columns of tiles share it, and it waits in L2 from one to the other [7]. If there are few
 *    rows, wide tiles: they win 1 to 5 points up to columns of 0.3 of L2, and lose 3 to 4 at 0.55
 *    [14, 37]. If so many that lines would not last, as few bands as they last in: 65003 rows, two
 *    thirds of L2, win up to 10 points, 30001, 0.3, lose one [8, 15]; and sooner where memory
 *    gives an SM less than 30 GB/s, so that it hides what bands cost: an H100, with 25, wins 3
 *    points from 30001 rows on, an H200, with 36, loses 2 [26]. Where a column of tiles is more
 *    than a quarter of L2, what is written leaves first: 30001 rows (0.31) win half a point, 20011
 *    (0.20) lose 0.3 [26].
 */
static inline void transpose_choose(TransposePlan *plan, const TransposeDevice *device,
                                    enum TransposeReads reads)
{
    TransposeJob *job = &plan->job;
    int packed_in = transpose_in_is_packed(plan), packed_out = transpose_out_is_packed(plan);
    int aligned = transpose_is_aligned(plan), large = TRANSPOSE_TILES_LARGE;
    int few_cols =
        job->cols > 1 && job->cols < job->rows && packed_in && job->cols <= TRANSPOSE_NARROW;
    int few_rows = !few_cols && job->rows > 1 && packed_out && job->rows <= TRANSPOSE_NARROW;
    int batched = job->batches > 1 && job->rows > 1 && job->cols > 1 && packed_in && packed_out;
    double traffic = 2.0 * job->rows * job->cols * plan->bytes * job->batches / device->l2_bytes;
    int small = traffic < 0.7;
    int keep =
        reads == TRANSPOSE_READS_KEPT ||
        (reads == TRANSPOSE_READS_BY_SIZE && traffic >= (few_cols || few_rows || batched ? 4 : 8));

    plan->tiles = TRANSPOSE_TILES_LARGE;
    plan->options = keep ? TRANSPOSE_KEEP : 0;
    plan->band_rows = plan->spare_shared = job->two_fronts = 0;
    if (job->rows > TRANSPOSE_LONGEST || job->cols > TRANSPOSE_LONGEST) {
        plan->kernel = TRANSPOSE_ELEMENTS;
        return;
    }
    if ((job->rows == 1 || job->cols == 1) && packed_in && packed_out) {
        plan->kernel = TRANSPOSE_COPY;
        return;
    }
    if (batched && transpose_choose_batch(plan, few_cols))
        return;
    plan->tiles = TRANSPOSE_TILES_LARGE;
    if ((few_cols || few_rows) && transpose_choose_narrow(plan, aligned, few_cols, small))
        return;
    if (batched && !small && transpose_choose_tiles(plan) && plan->tiles != large)
        return;

    /* Small tiles, and which elements go one by one. */
    double elements = plan->bytes == 1 ? 0.5 : plan->bytes == 2 ? 0.35 : 0.7;
    int one_by_one =
        !aligned && (small ? traffic < elements : batched && plan->bytes == 1 && job->rows <= 256);
    double waste = transpose_waste(plan, TRANSPOSE_TILES_LARGE), most = 2.5;
    if (batched && !aligned) {
        waste = transpose_windows_waste(plan);
        most = plan->bytes <= 2 ? 1.5 : plan->bytes == 8 ? 1.3 : most;
    }
    if (one_by_one || (small ? aligned : waste > most)) {
        plan->tiles = TRANSPOSE_TILES_SMALL;
        plan->kernel = aligned      ? TRANSPOSE_REGISTERS
                       : one_by_one ? TRANSPOSE_ELEMENTS
                                    : TRANSPOSE_WINDOWS;
        return;
    }
    plan->tiles = TRANSPOSE_TILES_LARGE;
    plan->kernel = transpose_fits_tiles(plan, TRANSPOSE_TILES_LARGE, 2.5) ? TRANSPOSE_REGISTERS
                                                                          : TRANSPOSE_WINDOWS;
    /* Three blocks of small elements have under way what memory can bring; a fourth only delays
     * them, unless part of each is idle [38]. */
    if (plan->kernel == TRANSPOSE_REGISTERS && plan->bytes <= 2 && waste <= 1.2)
        plan->spare_shared = transpose_spare_shared(plan, device);
    transpose_choose_order(plan, device, batched);
}

/* a * b, or -1 where that, or one of them, is too large for an address. */
static inline long long transpose_product(long long a, long long b)
{
    return a < 0 || b < 0 || (b > 0 && a > LLONG_MAX / 4 / b) ? -1 : a * b;
}

/* Fills in the job, or says that there is none: *nothing is 1 where there is nothing to do. Input
 * and output whose rows lie between each other's get kernel TRANSPOSE_ELEMENTS, all others
 * TRANSPOSE_WINDOWS; of the other fields of the rule, spare_shared is set to 0. */
static inline cudaError_t transpose_check(TransposePlan *plan, void *out, const void *in,
                                          int batches, int rows, int cols, long out_pitch,
                                          long in_pitch, int element_bytes, int *nothing)
{
    const int e = element_bytes;
    if ((e != 1 && e != 2 && e != 4 && e != 8 && e != 16) || batches < 0 || rows < 0 || cols < 0 ||
        in_pitch < 0 || out_pitch < 0 || (in_pitch > 0 && in_pitch < cols) ||
        (out_pitch > 0 && out_pitch < rows))
        return cudaErrorInvalidValue;
    *nothing = batches == 0 || rows == 0 || cols == 0;
    if (*nothing)
        return cudaSuccess;
    if (!in || !out || (uintptr_t)in % e != 0 || (uintptr_t)out % e != 0)
        return cudaErrorInvalidValue;

    TransposeJob job = {};
    job.in = (const char *)in;
    job.out = (char *)out;
    job.batches = batches;
    job.rows = rows;
    job.cols = cols;
    job.in_pitch = transpose_product(in_pitch > 0 ? in_pitch : cols, e);
    job.out_pitch = transpose_product(out_pitch > 0 ? out_pitch : rows, e);
    job.in_batch = transpose_product(job.in_pitch, rows);
    job.out_batch = transpose_product(job.out_pitch, cols);
    long long in_all = transpose_product(job.in_batch, batches);
    long long out_all = transpose_product(job.out_batch, batches);
    if (in_all < 0 || out_all < 0)
        return cudaErrorInvalidValue;
    in_all -= job.in_pitch - (long long)cols * e; /* from the first element to the last */
    out_all -= job.out_pitch - (long long)rows * e;
    if ((uintptr_t)in + in_all < (uintptr_t)in || (uintptr_t)out + out_all < (uintptr_t)out)
        return cudaErrorInvalidValue;
    job.in_end = job.in + in_all;

    plan->kernel = TRANSPOSE_WINDOWS;
    plan->spare_shared = 0;
    if ((uintptr_t)in < (uintptr_t)out + out_all && (uintptr_t)out < (uintptr_t)in + in_all) {
        /* Two rectangles with the same pitch are disjoint if their columns are. */
        long long pitch = job.in_pitch;
        long long apart = (long long)((uintptr_t)out - (uintptr_t)in) % pitch;
        apart += apart < 0 ? pitch : 0;
        if (job.out_pitch != pitch || apart < (long long)cols * e ||
            apart + (long long)rows * e > pitch)
            return cudaErrorInvalidValue;
        plan->kernel = TRANSPOSE_ELEMENTS;
    }
    plan->job = job;
    plan->bytes = e;
    return cudaSuccess;
}

static inline cudaError_t transpose_with(void *out, const void *in, int batches, int rows, int cols,
                                         long out_pitch, long in_pitch, int element_bytes,
                                         enum TransposeReads reads, cudaStream_t stream)
{
    TransposePlan plan = {};
    TransposeDevice device;
    int nothing;
    cudaError_t error = transpose_check(&plan, out, in, batches, rows, cols, out_pitch, in_pitch,
                                        element_bytes, &nothing);
    if (error != cudaSuccess || nothing)
        return error;
    if (plan.kernel != TRANSPOSE_ELEMENTS) {
        error = transpose_device(&device);
        if (error != cudaSuccess)
            return error;
        transpose_choose(&plan, &device, reads);
    }
    return transpose_run(&plan, stream);
}

static inline cudaError_t transpose(void *out, const void *in, int batches, int rows, int cols,
                                    long out_pitch, long in_pitch, int element_bytes,
                                    cudaStream_t stream)
{
    return transpose_with(out, in, batches, rows, cols, out_pitch, in_pitch, element_bytes,
                          TRANSPOSE_READS_BY_SIZE, stream);
}

#endif
