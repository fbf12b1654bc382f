/*
 * job.cuh: what all kernels share: the job that a kernel is given, the order of tiles, loads, and
 * lines of the input in shared memory.
 */
#ifndef TRANSPOSE_JOB_CUH
#define TRANSPOSE_JOB_CUH

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
    int hints;           /* how the input is read: TRANSPOSE_KEEP ... */
    int plain;           /* a block's tile is (blockIdx.x, blockIdx.y) of one matrix */
    const char *in_end;  /* just past the last element of the whole input */
    int tile_rows;       /* elements of a narrow tile along the matrix, or slices: transpose_runs */
    int before;          /* rows, or vectors, read before the tile's own */
    int lines, width;    /* lines of a tile, vectors per line */
    long long line_step; /* from line to line in memory */
    int line_pitch, line_shift; /* in shared memory, in vectors; one more per 2^line_shift lines */
    int slices, slice_step, size, count, row_step, shift_step, group_step; /* see transpose_runs */
    long long stack_step; /* of stacked matrices: out_stride less an output row */
    TransposeDivisor by_width, by_rows, by_cols, by_size;
    int band, bands, fronts;   /* the order of tiles: see transpose_tile() */
    int first_across, first_z; /* the launch's first blockIdx.y and .z */
    int batch[3], batches;     /* lengths of the batch dimensions, and their product */
    TransposeDivisor by_bands, by_batch[3];
    long long in_stride[3], out_stride[3]; /* from matrix to matrix, per batch dimension */
} TransposeJob;

/* How many threads an SM of this architecture holds (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"), and for how many blocks of so many threads a kernel asks
 * the compiler to leave registers, at most `wanted`. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define TRANSPOSE_SM_THREADS 1024
#elif defined(__CUDA_ARCH__) &&                                                                    \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 ||                       \
     __CUDA_ARCH__ == 1010 || __CUDA_ARCH__ >= 1100)
#define TRANSPOSE_SM_THREADS 1536
#else
#define TRANSPOSE_SM_THREADS 2048
#endif
#define TRANSPOSE_BLOCKS(threads, wanted)                                                          \
    ((wanted) * (threads) < TRANSPOSE_SM_THREADS ? (wanted) : TRANSPOSE_SM_THREADS / (threads))

/* A block's dynamic shared memory. */
extern __shared__ uint4 transpose_shared[];

/* The type of an element of BYTES: what the overload for an array of so many chars returns. */
__host__ __device__ uint8_t transpose_element(char (*)[1]);
__host__ __device__ uint16_t transpose_element(char (*)[2]);
__host__ __device__ uint32_t transpose_element(char (*)[4]);
__host__ __device__ uint2 transpose_element(char (*)[8]);
__host__ __device__ uint4 transpose_element(char (*)[16]);
template <int BYTES>
using TransposeElement = decltype(transpose_element((char (*)[BYTES])NULL));

/* Returns the policy of loads for lines that L2 shall keep longer than what is written (PTX ISA,
 * "createpolicy", from compute capability 8.0 on). */
static __device__ __forceinline__ uint64_t transpose_policy(void)
{
    uint64_t policy = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
#endif
    return policy;
}

/* Reads an element. HINTS, used from 4 bytes on, are TRANSPOSE_KEEP: L2 keeps it; and, of 16 bytes,
 * TRANSPOSE_LINES: L2 fetches the whole line (PTX ISA, "ld"). Without a hint it is a plain load:
 * one under a neutral policy is 6 % slower. */
template <int BYTES, int HINTS>
static __device__ __forceinline__ TransposeElement<BYTES> transpose_load(const char *from)
{
    TransposeElement<BYTES> v;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint32_t *w = (uint32_t *)&v;
#define TRANSPOSE_LOAD(how, ...)                                                                   \
    asm volatile("ld.global.L2::cache_hint." how ";"                                               \
                 : __VA_ARGS__                                                                     \
                 : "l"(from), "l"(transpose_policy()))
    if constexpr (HINTS != 0 && BYTES == 4)
        TRANSPOSE_LOAD("u32 %0, [%1], %2", "=r"(w[0]));
    else if constexpr (HINTS != 0 && BYTES == 8)
        TRANSPOSE_LOAD("v2.u32 {%0, %1}, [%2], %3", "=r"(w[0]), "=r"(w[1]));
    else if constexpr (HINTS == TRANSPOSE_KEEP && BYTES == 16)
        TRANSPOSE_LOAD("v4.u32 {%0, %1, %2, %3}, [%4], %5", "=r"(w[0]), "=r"(w[1]), "=r"(w[2]),
                       "=r"(w[3]));
    else if constexpr (HINTS != 0 && BYTES == 16)
        TRANSPOSE_LOAD("L2::128B.v4.u32 {%0, %1, %2, %3}, [%4], %5", "=r"(w[0]), "=r"(w[1]),
                       "=r"(w[2]), "=r"(w[3]));
    else
#undef TRANSPOSE_LOAD
#endif
        v = *(const TransposeElement<BYTES> *)from;
    return v;
}

/* Copies 16 bytes to shared memory without registers (PTX ISA, "cp.async"). WHOLE: so many bytes
 * L2 fetches together if the hints ask for whole lines, and the copy goes through L1, which holds
 * what neighbours share; 0: neither. */
template <int WHOLE>
static __device__ __forceinline__ void transpose_copy(uint4 *to, const char *from, int hints)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    const uint64_t policy = hints != 0 ? transpose_policy() : 0;
#define TRANSPOSE_COPY_BY(how, under)                                                              \
    asm volatile("cp.async." how " [%0], [%1], 16" under ";" ::"r"(place), "l"(from), "l"(policy)  \
                 : "memory")
    if (hints == 0 && WHOLE)
        TRANSPOSE_COPY_BY("ca.shared.global", "");
    else if (hints == 0)
        TRANSPOSE_COPY_BY("cg.shared.global", "");
    else if (!WHOLE)
        TRANSPOSE_COPY_BY("cg.shared.global.L2::cache_hint", ", %2");
    else if (hints == TRANSPOSE_KEEP)
        TRANSPOSE_COPY_BY("ca.shared.global.L2::cache_hint", ", %2");
    else if (WHOLE == 256)
        TRANSPOSE_COPY_BY("ca.shared.global.L2::cache_hint.L2::256B", ", %2");
    else
        TRANSPOSE_COPY_BY("ca.shared.global.L2::cache_hint.L2::128B", ", %2");
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

/* Moves a tile from the first matrix of all to another. */
static __device__ __forceinline__ void transpose_go_to(TransposeTile *tile, const TransposeJob &job,
                                                       int matrix)
{
#pragma unroll
    for (int d = 0; d < 3; d++)
        if (job.batch[d] > 1) {
            int outer = transpose_divide(matrix, job.by_batch[d]);
            tile->in += (matrix - outer * job.batch[d]) * job.in_stride[d];
            tile->out += (matrix - outer * job.batch[d]) * job.out_stride[d];
            matrix = outer;
        }
}

/* Waits for the previous kernel, and returns the tile of this block. Blocks walk down the columns of
 * tiles, which writes whole output rows in sequence; in bands, down `band` tile rows of each column
 * before the next band; on two fronts, odd blocks walk columns from the middle on. */
static __device__ __forceinline__ TransposeTile transpose_tile(const TransposeJob &job)
{
    transpose_wait();
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
    transpose_go_to(&tile, job, matrix);
    return tile;
}

/* Copies those elements of the vector at `from` that lie in [begin, end); the others become 0. */
template <int BYTES>
static __device__ __noinline__ void transpose_part(uint4 *to, const char *from, const char *begin,
                                                   const char *end)
{
    typedef TransposeElement<BYTES> Element;
    *to = make_uint4(0, 0, 0, 0);
#pragma unroll 1
    for (int j = 0; j < 16 / BYTES; j++)
        if (from + j * BYTES >= begin && from + j * BYTES < end)
            ((Element *)to)[j] = ((const Element *)from)[j];
}

/* Stores what transpose_put() does of a vector that is not whole. */
template <int BYTES>
static __device__ __noinline__ void transpose_put_part(char *to, uint4 vector, int n, int most)
{
    typedef TransposeElement<BYTES> Element;
#pragma unroll 1
    for (int j = max(-n, 0); j < min(most - n, 16 / BYTES); j++)
        ((Element *)to)[j] = ((const Element *)&vector)[j];
}

/* Stores those elements of a vector whose numbers, from n on, lie in [0, most). CALL: calls a
 * function for vectors that are not whole, so that its code is there once. */
template <int BYTES, int CALL = 0>
static __device__ __forceinline__ void
transpose_put(char *to, const TransposeElement<BYTES> *vector, int n, int most)
{
    constexpr int V = 16 / BYTES;
    const uint4 whole = *(const uint4 *)vector;
    if (n >= 0 && n <= most - V)
        *(uint4 *)to = whole;
    else if constexpr (CALL)
        transpose_put_part<BYTES>(to, whole, n, most);
    else
#pragma unroll
        for (int j = 0; j < V; j++)
            if (n + j >= 0 && n + j < most)
                *(TransposeElement<BYTES> *)(to + j * BYTES) = vector[j];
}

/* Fills the tile in shared memory with its lines, as whole aligned vectors: element 0 of a line
 * lies as many bytes after the line's first vector as it does in memory after a multiple of 16.
 * `bytes` of each line are needed, of `whole` in most tiles; the rest is 0 or what follows. */
template <int BYTES>
static __device__ __forceinline__ void transpose_fetch(const TransposeJob &job, const char *begin,
                                                       int bytes, int whole)
{
    const int all = job.lines * job.width, width = job.width, pitch = job.line_pitch;
    const long long step = job.line_step;
    int n = threadIdx.x, line = transpose_divide(n, job.by_width), x = n - line * width;
    if ((whole - bytes) * 8 <= whole && begin - 16 >= job.in &&
        begin + (job.lines - 1) * step + width * 16 + 16 <= job.in_end) {
        /* No vector has to be looked at. From vector to vector of a thread it is as many lines
         * further down each time, and as many vectors across, or a line more and a width less. */
        const int down = transpose_divide(blockDim.x, job.by_width);
        const int across = (int)blockDim.x - down * width;
        const char *from = begin + line * step + x * 16;
        uint4 *to = transpose_shared + line * pitch + x;
#pragma unroll 2
        for (; n < all; n += blockDim.x) {
            transpose_copy<0>(to + (line >> job.line_shift),
                              (const char *)((uintptr_t)from & ~(uintptr_t)15), job.hints);
            from += down * step + across * 16;
            to += down * pitch + across;
            line += down;
            x += across;
            if (x >= width) {
                from += step - width * 16;
                to += pitch - width;
                line++;
                x -= width;
            }
        }
    } else {
#pragma unroll 1
        while (n < all) {
            const char *from = begin + line * step;
            const int past = x * 16 - transpose_past(from, 16);
            uint4 *to = transpose_shared + line * pitch + (line >> job.line_shift) + x;
            from += past;
            if (past < bytes && from >= job.in && from + 16 <= job.in_end)
                transpose_copy<0>(to, from, job.hints);
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
    if constexpr (BYTES == 2) {
        const uint32_t a = words[0], b = words[1];
        words[0] = __byte_perm(a, b, 0x5410);
        words[1] = __byte_perm(a, b, 0x7632);
    } else {
        const uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
        uint32_t ab01 = __byte_perm(a, b, 0x5140), ab23 = __byte_perm(a, b, 0x7362);
        uint32_t cd01 = __byte_perm(c, d, 0x5140), cd23 = __byte_perm(c, d, 0x7362);
        words[0] = __byte_perm(ab01, cd01, 0x5410);
        words[1] = __byte_perm(ab01, cd01, 0x7632);
        words[2] = __byte_perm(ab23, cd23, 0x5410);
        words[3] = __byte_perm(ab23, cd23, 0x7632);
    }
}

#endif
