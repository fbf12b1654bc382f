/*
 * swizzle8_view: every third column, transposed: a composition.
 *
 * No kernel: the answer is a layout. A tile of 20 rows and 50 columns lies in memory with a pad, S
 * = (20,50):(51,1). One would like to read every third column of it as a row: a view V of 17 rows
 * and 20 columns, whose row x is column 3 * x of the tile. V is S after a layout D, which says
 * which element of the tile (x, y) is: numbered as CuTe numbers them, first coordinate fastest, so
 * that element (row, col) of the tile has the number row + 20 * col. Write D over the blank below.
 *
 * Look first at the numbers of the elements (0,0), (1,0), (0,3), (1,3) of the tile. What are they
 * in V? Then `shared/layout/layout compose '(20,50):(51,1)' YOURS` shows V.
 *
 * Done when S after D is the view.
 */
// operation: layout
// answer: ___
// goal: layout shape (17,20)
// goal: layout after (20,50):(51,1) same (17,20):(3,51)
