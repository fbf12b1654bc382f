/*
 * Index formulas that several steps share.
 *
 * Compiles as C11 and as CUDA C. The functions compute with small non-negative integers (an index
 * within one tile) and cannot fail.
 */
#ifndef SWIZZLE_H
#define SWIZZLE_H

#ifdef __CUDACC__
#define SWIZZLE_FN static __host__ __device__ __forceinline__
#else
#define SWIZZLE_FN static inline
#endif

/* Returns the offset of element (row, col) in a row-major tile whose rows start `pitch` elements
 * apart: in CuTe's notation, the layout (rows,cols):(pitch,1). */
SWIZZLE_FN int row_major(int pitch, int row, int col) { return row * pitch + col; }

/* CuTe's Swizzle<bits, base, shift>: XORs bits base to base + bits - 1 of the index with the bits
 * `shift` places higher. A negative shift XORs |shift| places higher with the bits from `base` up.
 * Requires 0 <= bits, 0 <= base, |shift| >= bits. The function is its own inverse, so it permutes
 * any range of indices aligned to its bits. */
SWIZZLE_FN int swizzle(int bits, int base, int shift, int index)
{
    int mask = (1 << bits) - 1;
    if (shift >= 0)
        return index ^ ((index >> shift) & (mask << base));
    return index ^ ((index & (mask << base)) << -shift);
}

/* Returns the shared-memory bank, 0 to 31, of element `index` of `bytes` bytes. Consecutive words of
 * 4 bytes lie in consecutive banks (CUDA C++ Programming Guide, compute capability 5.0 and later).
 * An element wider than a bank lies in bytes / 4 banks; this is the first of them. */
SWIZZLE_FN int bank_of(int bytes, int index) { return index * bytes / 4 % 32; }

#endif
