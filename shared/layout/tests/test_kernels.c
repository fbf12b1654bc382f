/*
 * The index formulas of shared/harness/swizzle.h against the library, over whole tiles, and the bank
 * conflicts that they avoid.
 */
#include "check.h"
#include "layout/layout.h"
#include "layout/layout_banks.h"
#include "harness/swizzle.h"

#include <stdlib.h>
#include <string.h>

static struct layout parse(const char *text)
{
    struct layout layout;
    struct layout_error error;

    if (!layout_parse(text, &layout, &error)) {
        printf("%s: %s at %d\n", text, error.message, error.offset);
        exit(1);
    }
    return layout;
}

/* The offset at (row, column) of a tile with that many rows. */
static int offset_at(const struct layout *tile, int row, int column)
{
    return (int)layout_at(tile, row + tile_rows(tile) * column);
}

/* Worst number of distinct words in one bank at a time, of all requests of 4 bytes a lane. */
static int degree(const struct layout *tile, enum bank_order order)
{
    struct bank_access access;
    struct bank_request request;
    struct layout_error error;
    int requests, worst = 0;

    memset(&access, 0, sizeof access);
    access.order = order;
    access.bytes = 4;
    access.vector = 1;
    if (!bank_requests(tile, &access, &requests, &error)) {
        puts(error.message);
        return -1;
    }
    for (int i = 0; i < requests; ++i) {
        bank_request(tile, &access, i, &request);
        worst = request.degree > worst ? request.degree : worst;
    }
    return worst;
}

/* swizzle() itself, against the library's, wherever both are defined. */
static void formulas(void)
{
    for (int bits = 0; bits <= 5; ++bits)
        for (int base = 0; base <= 7; ++base)
            for (int shift = -8; shift <= 8; ++shift) {
                struct layout identity = parse("4096:1"), swizzled;
                bool same = true;
                if (abs(shift) < bits)
                    continue;
                CHECK(
                    layout_swizzle((struct swizzle){bits, base, shift}, &identity, &swizzled, NULL),
                    "Sw<%d,%d,%d>", bits, base, shift);
                for (int i = 0; i < 4096; ++i)
                    same = same && layout_at(&swizzled, i) == swizzle(bits, base, shift, i);
                CHECK(same, "Sw<%d,%d,%d>", bits, base, shift);
            }
}

/* Rows of a 32x32 tile 33 apart. */
static void padding(void)
{
    struct layout tile = parse("(32,32):(33,1)");

    for (int row = 0; row < 32; ++row)
        for (int col = 0; col < 32; ++col) {
            CHECK(row_major(33, row, col) == offset_at(&tile, row, col), "(%d,%d)", row, col);
            CHECK(bank_of(4, row_major(33, row, col)) == (row + col) % 32, "(%d,%d)", row, col);
        }
    CHECK(degree(&tile, BANK_ROW) == 1 && degree(&tile, BANK_COLUMN) == 1, "pitch 33");
    tile = parse("(32,32):(32,1)");
    CHECK(degree(&tile, BANK_ROW) == 1 && degree(&tile, BANK_COLUMN) == 32, "pitch 32");
}

/* A swizzle after a row-major tile of n x n floats; the worst column access. */
static void swizzled_tile(int n, int bits, int base, int shift, int column_degree)
{
    char text[64];
    struct layout tile;

    snprintf(text, sizeof text, "Sw<%d,%d,%d> o 0 o (%d,%d):(%d,1)", bits, base, shift, n, n, n);
    tile = parse(text);
    for (int row = 0; row < n; ++row)
        for (int col = 0; col < n; ++col)
            CHECK(swizzle(bits, base, shift, row_major(n, row, col)) == offset_at(&tile, row, col),
                  "%s at (%d,%d)", text, row, col);
    CHECK(degree(&tile, BANK_ROW) == 1, "%s", text);
    CHECK(degree(&tile, BANK_COLUMN) == column_degree, "%s", text);
}

int main(void)
{
    formulas();
    padding();
    swizzled_tile(32, 5, 0, 5, 1);
    swizzled_tile(64, 5, 0, 5, 2);
    swizzled_tile(64, 5, 0, 6, 1);
    return check_summary("kernels");
}
