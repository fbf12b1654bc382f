/*
 * vectorize8_fronts: three fronts, as a layout.
 *
 * No kernel: the answer is a layout. In column order the blocks in flight walk down one column of
 * tiles: one front. Now blocks are dealt out to three fronts in turn, block 0 to the first, 1 to
 * the second, 2 to the third, 3 to the first again. A matrix of 2048 x 1536 floats has 32 x 24
 * tiles of 64 x 64; tile (row, col) has the number row + 32 * col. Each front walks down its
 * columns, one after the other: the first has columns 0 to 7, the second 8 to 15, the third 16 to
 * 23.
 *
 * Write the layout from block number to tile number over the blank below. Its shape is (3,(32,8)):
 * the front, then down and across within it.
 *
 * Look first at the tiles of blocks 0, 1, 2, 3 and 96.
 *
 * Done when every block has its tile.
 */
// operation: layout
// answer: ___
// goal: layout shape (3,(32,8))
// goal: layout places 768
// goal: layout after (32,24):(98304,64) same (3,(32,8)):(512,(98304,64))
