/*
 * swizzle5_layout: write a tile for doubles in CuTe's notation.
 *
 * No kernel this time, and nothing to compile: the answer is a layout. A tile of 64 rows and 32
 * columns holds elements of 8 bytes. Plainly it is (64,32):(32,1), and reading a column of it
 * takes 16 times the wavefronts it should. Write a layout of the same shape, without a pad, of which
 * rows and columns can both be read without conflict, over the blank below: as the layout program
 * prints it, such as
 *
 *     Sw<5,0,5> o 0 o (32,32):(32,1)
 *
 * Look first at what the program has to say (build it once with: make -C shared/layout):
 *
 *     shared/layout/layout banks '(64,32):(32,1)' --bytes 8
 *
 * A wavefront holds 16 elements of 8 bytes, and an element takes one of 16 pairs of banks: offset
 * % 16.
 *
 * Done when no access to a row or a column conflicts, and every element has a place of its own.
 */
// operation: layout
// answer: ___
// goal: layout shape (64,32)
// goal: layout places 2048
// goal: layout free --bytes 8 --access row --access column
