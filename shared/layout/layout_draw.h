/*
 * Prints grids of numbers as text in CuTe's form and as TSV, and draws them with gnuplot and
 * plots/layout.gp.
 */
#ifndef LAYOUT_DRAW_H
#define LAYOUT_DRAW_H

#include "layout.h"

#include <stdio.h>

#define GRID_MAX_CELLS (1 << 20)
#define PICTURE_MAX_SIDE 128 /* cells */

enum grid_what { GRID_OFFSET, GRID_BANK, GRID_THREAD };

/* A layout, and the number that each cell shows: the element's offset; the bank of an element of
 * `bytes` bytes; or thread and value of its owner in a tiled copy (offset = thread + threads *
 * value). */
struct grid {
    const struct layout *layout;
    enum grid_what what;
    int bytes;
    int64_t threads;
};

void grid_print(const struct grid *grid, FILE *out);

/* Prints lines `# layout:` and `# what:`, then a table with the columns row, col and offset; row, col,
 * offset and bank; or row, col, thread and value. */
void grid_tsv(const struct grid *grid, FILE *out);

/* Draws a grid of at most PICTURE_MAX_SIDE cells per side into a PNG (or, if svg, SVG) file. On failure
 * leaves no file, prints one line on standard error and returns false. */
bool grid_picture(const struct grid *grid, const char *file, bool svg);

#endif
