/*
 * swizzle5_vectors: one layout for two ways of reading.
 *
 * No kernel this time: the answer is a layout, in CuTe's notation. A tile of 64 x 64 elements of 2
 * bytes lies row-major, (64,64):(64,1). Threads write it along rows, 16 bytes a lane: eight
 * neighbours at once. Then a warp reads it as the tensor cores' ldmatrix does: lane l takes the 16
 * bytes at row l % 8, column 8 * (l / 8). Eight lanes share a wavefront, and all eight hit the same
 * group of four banks. Write a layout of the same shape over the blank below, without a pad, under
 * which both accesses are free of conflicts and 16-byte pieces stay whole:
 *
 *     Sw<BITS,BASE,SHIFT> o 0 o (64,64):(64,1)
 *
 * Look first at what the program has to say (build it once with: make -C shared/layout):
 *
 *     shared/layout/layout banks '(64,64):(64,1)' --bytes 2 --vector 8 --access '(8,4):(1,512)'
 *
 * Which bits of an offset are the place within a piece, which the group of four banks, which the
 * row?
 *
 * Done when no access conflicts, and every element has a place of its own.
 */
// operation: layout
// answer: ___
// goal: layout shape (64,64)
// goal: layout places 4096
// goal: layout free --bytes 2 --vector 8 --access row
// goal: layout free --bytes 2 --vector 8 --access (8,4):(1,512)
