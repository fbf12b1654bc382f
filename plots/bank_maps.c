/*
 * Writes the bank maps that bank_map.gp draws: for each element of a shared-memory tile, where it
 * lies and in which bank; and the requests to global memory that sectors.gp draws. They follow from
 * the formulas alone; nothing is measured.
 *
 *     cc -std=c11 -Wall -Wextra -I../shared bank_maps.c -o /tmp/bank_maps
 *     /tmp/bank_maps results/bank_maps
 *
 * One file per map, with columns `row col index bank`: index counts elements from the tile's start,
 * bank is the element's first bank. The guide_ maps have 16-byte elements, four banks each. The file
 * sectors.tsv has the columns `pattern lane line word`: which words of which 128-byte lines the lanes
 * of a warp touch, in several patterns.
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

enum { LANES = 32, LINE_BYTES = 128, PITCH_BYTES = 4096 };

/* A pattern of lanes: bytes of each lane, and the distance from lane to lane. */
static const struct {
    const char *name;
    int bytes, first, step;
} patterns[] = {
    {"row", 4, 0, 4},
    {"wide", 16, 0, 16},
    {"shifted", 4, 4, 4},
    {"column", 4, 0, PITCH_BYTES},
};

static void write_map(FILE *f, size_t m)
{
    fprintf(f, "# layout: %s\n# made by: plots/bank_maps.c\nrow\tcol\tindex\tbank\n",
            maps[m].layout);
    for (int row = 0; row < maps[m].side; row++)
        for (int col = 0; col < maps[m].side; col++) {
            int index = maps[m].index_of(row, col);
            fprintf(f, "%d\t%d\t%d\t%d\n", row, col, index, bank_of(maps[m].bytes, index));
        }
}

static void write_sectors(FILE *f)
{
    fprintf(f, "# made by: plots/bank_maps.c\npattern\tlane\tline\tword\n");
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (int lane = 0; lane < LANES; lane++)
            for (int byte = 0; byte < patterns[p].bytes; byte += 4) {
                int address = patterns[p].first + lane * patterns[p].step + byte;
                fprintf(f, "%s\t%d\t%d\t%d\n", patterns[p].name, lane, address / LINE_BYTES,
                        address % LINE_BYTES / 4);
            }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bank_maps DIRECTORY\n");
        return 2;
    }
    size_t count = sizeof maps / sizeof *maps;
    for (size_t m = 0; m <= count; m++) { /* the last file is that of the sectors */
        char path[4096], part[4100];
        snprintf(path, sizeof path, "%s/%s.tsv", argv[1], m < count ? maps[m].name : "sectors");
        snprintf(part, sizeof part, "%s.new", path);
        FILE *f = fopen(part, "w");
        if (!f) {
            perror(part);
            return 1;
        }
        if (m < count)
            write_map(f, m);
        else
            write_sectors(f);
        int bad = ferror(f);
        if (fclose(f) || bad || rename(part, path)) {
            perror(path);
            remove(part);
            return 1;
        }
    }
    return 0;
}
