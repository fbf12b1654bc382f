/*
 * Random accesses to random tiles, for agree.sh: one a line, tab-separated. The layout of the tile;
 * that of the lanes; bytes of an element; load or store; then the element that each lane accesses,
 * separated by blanks.
 *
 *   agree [CASES [SEED]]
 */
#include "layout/layout.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 40000 }; /* of a tile */

static uint32_t state;

static unsigned below(unsigned n)
{
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (unsigned)((uint64_t)(state >> 4) * n >> 28);
}

/* A flat layout of one to four modes with `size` elements at most; strides from a list. */
static void draw(char *text, size_t room, int size)
{
    static const int strides[] = {0, 0, 1, 1, 2, 3, 4, 8, 16, 17, 32, 33, 64};
    static const int modes[] = {1, 2, 2, 3, 4, 4, 8, 8, 16, 16, 32};
    char shape[64], stride[64];
    int count = 1 + (int)below(4), at = 0, end = 0, left = size;

    for (int i = 0; i < count; ++i) {
        int mode = modes[below(sizeof modes / sizeof modes[0])];
        mode = mode > left ? left : mode;
        left /= mode;
        at += snprintf(shape + at, sizeof shape - (size_t)at, "%s%d", i ? "," : "", mode);
        end += snprintf(stride + end, sizeof stride - (size_t)end, "%s%d", i ? "," : "",
                        strides[below(sizeof strides / sizeof strides[0])]);
    }
    snprintf(text, room, "(%s):(%s)", shape, stride);
}

int main(int argc, char **argv)
{
    int cases = argc > 1 ? atoi(argv[1]) : 300;

    state = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    while (cases > 0) {
        char tile_text[160], lanes_text[160];
        struct layout tile, lanes;
        int bytes = 1 << below(5);

        draw(tile_text, sizeof tile_text, 512);
        draw(lanes_text, sizeof lanes_text, 32);
        if (!layout_parse(tile_text, &tile, NULL) || !layout_parse(lanes_text, &lanes, NULL))
            return 1;
        if (layout_cosize(&lanes) > layout_size(&tile) || layout_cosize(&tile) * bytes > MOST_BYTES)
            continue;
        printf("%s\t%s\t%d\t%s\t", tile_text, lanes_text, bytes, below(3) ? "load" : "store");
        for (int64_t lane = 0; lane < layout_size(&lanes); ++lane)
            printf("%s%d", lane ? " " : "", (int)layout_at(&tile, layout_at(&lanes, lane)));
        putchar('\n');
        --cases;
    }
    return 0;
}
