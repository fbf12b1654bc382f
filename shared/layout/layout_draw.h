/*
 * Grids of numbers: as text in CuTe's form, as TSV, and as pictures that gnuplot draws with
 * plots/layout.gp.
 */
#ifndef LAYOUT_DRAW_H
#define LAYOUT_DRAW_H

#include "layout.h"

#include <stdio.h>

#define GRID_MAX_CELLS (1 << 20)
#define PICTURE_MAX_SIDE 128 /* cells */

enum grid_what { GRID_OFFSET, GRID_BANK, GRID_THREAD };

/* What to draw of a layout: its offsets; the bank of each element of `bytes` bytes; or thread and value
 * of the owners of a tiled copy (offset = thread + threads * value). */
struct grid {
    const struct layout *layout;
    enum grid_what what;
    int bytes;
    int64_t threads;
};

void grid_print(const struct grid *grid, FILE *out);

/* `# layout:` and `# what:` lines, then columns row, col and offset; row, col, offset and bank;
 * or row, col, thread and value. */
void grid_tsv(const struct grid *grid, FILE *out);

/* Draws a grid of at most PICTURE_MAX_SIDE cells per side into a PNG (or, if svg, SVG) file. On failure
 * leaves no file, prints one line on standard error and returns false. */
bool grid_picture(const struct grid *grid, const char *file, bool svg);

#endif
