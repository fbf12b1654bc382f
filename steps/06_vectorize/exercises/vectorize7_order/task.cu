/*
 * vectorize7_order: the order of tiles, as a layout.
 *
 * No kernel: the answer is a layout (step 04; shared/layout). A matrix of 1024 x 1024 floats is
 * cut into 16 x 16 tiles of 64 x 64. Tile (row, col) has the number row + 16 * col, and its first
 * element lies 65536 * row + 64 * col floats from the matrix's beginning. Write the order of the
 * tiles as a layout from block number to tile number. This one is wanted:
 *
 *     small squares: 4 tiles down and 2 across are taken first, down before across, then the next
 *     such square below it, and when a column of squares is done the next to the right
 *
 * so that eight blocks in flight together read pieces of 512 bytes and write pieces of 1 KB. Its
 * shape is ((4,2),(4,8)): within a square down and across, the squares down and across.
 *
 * Look first at the tiles of blocks 0, 4, 8 and 32. What are their numbers?
 *
 * Done when every block has its tile.
 */
// operation: layout
// answer: ___
// goal: layout shape ((4,2),(4,8))
// goal: layout places 256
// goal: layout after (16,16):(65536,64) same ((4,2),(4,8)):((65536,64),(262144,128))
