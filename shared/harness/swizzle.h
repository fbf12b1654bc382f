/*
 * Index formulas that kernels, the layout tests and a debugger share.
 *
 * Compiles as C11 and as CUDA C. Every function here is pure arithmetic on small non-negative
 * integers (an index within one tile), needs no device and cannot fail.
 */
#ifndef SWIZZLE_H
#define SWIZZLE_H

#ifdef __CUDACC__
#define SWIZZLE_FN static __host__ __device__ __forceinline__
#else
#define SWIZZLE_FN static inline
#endif

/* Offset of element (row, col) in a row-major tile whose rows start `pitch` elements apart.
 * In CuTe's notation the layout (rows,cols):(pitch,1). */
SWIZZLE_FN int row_major(int pitch, int row, int col)
{
    return row * pitch + col;
}

/* CuTe's Swizzle<bits, base, shift>: XOR `bits` bits of the index with the `bits` bits that lie
 * `shift` places higher, leaving the lowest `base` bits alone. A negative shift takes them from
 * |shift| places lower. 0 <= bits, 0 <= base, |shift| >= bits. It is its own inverse for
 * |shift| >= bits, so it permutes any range of indices aligned to its bits. */
SWIZZLE_FN int swizzle(int bits, int base, int shift, int index)
{
    int mask = (1 << bits) - 1;
    if (shift >= 0)
        return index ^ ((index >> shift) & (mask << base));
    return index ^ ((index & (mask << base)) << -shift);
}

/* The shared-memory bank, 0 to 31, of an element `index` of `bytes` bytes: 32 banks of 4 bytes,
 * in turn (CUDA C++ Programming Guide, compute capability 5.0 and later). An element wider than
 * a bank lies in bytes / 4 banks, of which this is the first. */
SWIZZLE_FN int bank_of(int bytes, int index)
{
    return index * bytes / 4 % 32;
}

/* A 64x64 float tile seen as 16-byte chunks, 16 a row: where chunk (row, chunk) lies, in chunks.
 * Four rows that one thread owns share a pattern and the next four rows get another, so that
 * eight lanes reading the same chunk column at every fourth row meet eight different groups of
 * four banks: Swizzle<3,0,6> on (64,16):(16,1). */
SWIZZLE_FN int chunk_offset_64x64(int row, int chunk)
{
    return swizzle(3, 0, 6, row_major(16, row, chunk));
}

/* Which 4x2 block (4 rows, 2 columns) of a 64x64 tile each of 512 threads owns: 16 block rows, 32
 * block columns. Sixteen consecutive lanes take eight block rows of two neighbouring block columns,
 * so that their 8-byte reads of one row in four under chunk_offset_64x64() meet all 32 banks. */
SWIZZLE_FN int block4x2_row(int thread)
{
    return (thread & 7) | (thread >> 4 & 1) << 3;
}

SWIZZLE_FN int block4x2_col(int thread)
{
    return (thread >> 3 & 1) | (thread >> 5) << 1;
}

/* Column order on two fronts: even blocks walk down the columns of tiles from the first one on, odd
 * blocks from the middle one on. Returns the number in plain column order of a block's tile; a last
 * column without a partner comes at the end. */
SWIZZLE_FN int two_fronts(int block, int tiles_down, int tiles_across)
{
    int half = tiles_across / 2 * tiles_down;
    return block < 2 * half ? block % 2 * half + block / 2 : block;
}

/* What TMA's 128-byte swizzle does to a box whose rows are 128 bytes, eight 16-byte chunks: where
 * chunk (row, chunk) lies, in chunks from the box's start (aligned to 1024 bytes):
 * Swizzle<3,0,3> on (rows,8):(8,1). Source: CUDA C++ Programming Guide, TMA swizzle modes. */
SWIZZLE_FN int tma_swizzle_128(int row, int chunk)
{
    return swizzle(3, 0, 3, row_major(8, row, chunk));
}

/* Which 4x4 block of a 64x64 tile each of 256 threads owns under the 128-byte swizzle. Eight
 * consecutive lanes must meet eight different chunks of a 128-byte row both when they read rows
 * 4 * block_row + k and when they write rows 4 * block_col + c. So those eight lanes vary the
 * lowest bit of the block row and the two lowest bits of the block column. */
SWIZZLE_FN int swizzled_block_row(int thread)
{
    return (thread >> 2 & 1) | (thread >> 5) << 1;
}

SWIZZLE_FN int swizzled_block_col(int thread)
{
    return (thread & 3) | (thread >> 3 & 3) << 2;
}

/* The order in which the thread that owns block column `block_col` writes its four output rows:
 * step c writes row 4 * block_col + swizzled_store_row(block_col, c). Lanes whose block column
 * has bit 1 set go two rows ahead of the others; without that they would meet the same chunks. */
SWIZZLE_FN int swizzled_store_row(int block_col, int c)
{
    return c ^ (block_col & 2);
}

#endif
