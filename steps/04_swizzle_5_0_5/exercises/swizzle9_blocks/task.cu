/*
 * swizzle9_blocks: who takes what: 4x2 blocks as a layout.
 *
 * No kernel: the answer is a layout, the last one. A tile of 32 rows and 16 columns is shared out
 * among 64 threads: each owns a block of 4 rows and 2 columns. Threads are numbered down the tile
 * first: 8 of them below each other, 8 side by side. A thread's 8 values are numbered down its
 * block first.
 *
 * CuTe writes that as a layout from (thread, value) to the element's number in the tile, which is
 * row + 32 * col: of shape ((8,8),(4,2)), the threads down and across, the values down and across.
 * Write it over the blank below.
 *
 * Look first at the numbers of the first thread's 8 values, and of the first values of threads 0,
 * 1 and 8. With a memory layout in front, `layout compose`, one sees where a thread's values lie.
 *
 * Done when, in a row-major tile, (32,16):(16,1), every thread has its block.
 */
// operation: layout
// answer: ___
// goal: layout shape ((8,8),(4,2))
// goal: layout after (32,16):(16,1) same ((8,8),(4,2)):((64,2),(16,1))
