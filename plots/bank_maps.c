/*
 * Writes the bank maps that bank_map.gp draws: for each element of a shared-memory tile, where it
 * lies and in which bank. They follow from the formulas alone; nothing is measured.
 *
 *     cc -std=c11 -Wall -Wextra -I../shared bank_maps.c -o /tmp/bank_maps
 *     /tmp/bank_maps results/bank_maps
 *
 * One file per map, with columns `row col index bank`: index counts elements from the tile's start,
 * bank is the element's first bank. The guide_ maps have 16-byte elements, four banks each.
 * Exit status: 0, or 1 (a file could not be written; it is then as it was before), or 2 (usage).
 */
#include <stdio.h>
#include "harness/swizzle.h"

static int plain(int row, int col) { return row_major(32, row, col); }
static int padded(int row, int col) { return row_major(33, row, col); }
static int swizzle_5_0_5(int row, int col) { return swizzle(5, 0, 5, row_major(32, row, col)); }
static int guide_plain(int row, int col) { return row_major(8, row, col); }
static int guide_swizzle_128(int row, int col) { return swizzle(3, 0, 3, row_major(8, row, col)); }

static const struct {
    const char *name, *layout;
    int side, bytes;
    int (*index_of)(int row, int col);
} maps[] = {
    {"plain", "32x32 floats, row-major", 32, 4, plain},
    {"padded", "32x32 floats, rows 33 floats apart", 32, 4, padded},
    {"swizzle_5_0_5", "32x32 floats, Swizzle<5,0,5>", 32, 4, swizzle_5_0_5},
    {"guide_plain", "8x8 elements of 16 bytes, row-major", 8, 16, guide_plain},
    {"guide_swizzle_128", "8x8 elements of 16 bytes, TMA 128-byte swizzle", 8, 16,
     guide_swizzle_128},
};

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bank_maps DIRECTORY\n");
        return 2;
    }
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        char path[4096], part[4100];
        snprintf(path, sizeof path, "%s/%s.tsv", argv[1], maps[m].name);
        snprintf(part, sizeof part, "%s.new", path);
        FILE *f = fopen(part, "w");
        if (!f) {
            perror(part);
            return 1;
        }
        fprintf(f, "# layout: %s\n# made by: plots/bank_maps.c\nrow\tcol\tindex\tbank\n",
                maps[m].layout);
        for (int row = 0; row < maps[m].side; row++)
            for (int col = 0; col < maps[m].side; col++) {
                int index = maps[m].index_of(row, col);
                fprintf(f, "%d\t%d\t%d\t%d\n", row, col, index, bank_of(maps[m].bytes, index));
            }
        int bad = ferror(f);
        if (fclose(f) || bad || rename(part, path)) {
            perror(path);
            remove(part);
            return 1;
        }
    }
    return 0;
}
