/*
 * The index formulas of the step kernels (shared/harness/swizzle.h) against the library, over whole
 * tiles, and the bank conflicts that the formulas promise to avoid.
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

/* Worst number of distinct words in one bank at a time, of all requests. */
static int degree(const struct layout *tile, enum bank_order order, const char *threads, int bytes)
{
    struct bank_access access;
    struct bank_request request;
    struct layout_error error;
    int requests, worst = 0;

    memset(&access, 0, sizeof access);
    access.order = order;
    access.bytes = bytes;
    access.vector = 1;
    if (threads)
        access.threads = parse(threads);
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

/* Do lanes 0 to 7 of offset(lane), in 16-byte chunks, meet eight groups of four banks? */
static bool eight_groups(const int *chunk)
{
    int met = 0;

    for (int lane = 0; lane < 8; ++lane)
        met |= 1 << bank_of(16, chunk[lane]) / 4;
    return met == 0xff;
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
                CHECK(layout_swizzle((struct swizzle){bits, base, shift}, &identity, &swizzled,
                                     NULL), "Sw<%d,%d,%d>", bits, base, shift);
                for (int i = 0; i < 4096; ++i)
                    same = same && layout_at(&swizzled, i) == swizzle(bits, base, shift, i);
                CHECK(same, "Sw<%d,%d,%d>", bits, base, shift);
            }
}

/* 03: rows of a 32x32 tile 33 apart. */
static void padding(void)
{
    struct layout tile = parse("(32,32):(33,1)");

    for (int row = 0; row < 32; ++row)
        for (int col = 0; col < 32; ++col) {
            CHECK(row_major(33, row, col) == offset_at(&tile, row, col), "(%d,%d)", row, col);
            CHECK(bank_of(4, row_major(33, row, col)) == (row + col) % 32, "(%d,%d)", row, col);
        }
    CHECK(degree(&tile, BANK_ROW, NULL, 4) == 1 && degree(&tile, BANK_COLUMN, NULL, 4) == 1,
          "pitch 33");
    tile = parse("(32,32):(32,1)");
    CHECK(degree(&tile, BANK_ROW, NULL, 4) == 1 && degree(&tile, BANK_COLUMN, NULL, 4) == 32,
          "pitch 32");
}

/* 04: a swizzle after a row-major tile of n x n floats; the worst column access. */
static void swizzled_tile(int n, int bits, int base, int shift, int column_degree)
{
    char text[64];
    struct layout tile;

    snprintf(text, sizeof text, "Sw<%d,%d,%d> o 0 o (%d,%d):(%d,1)", bits, base, shift, n, n, n);
    tile = parse(text);
    for (int row = 0; row < n; ++row)
        for (int col = 0; col < n; ++col)
            CHECK(swizzle(bits, base, shift, row_major(n, row, col)) ==
                      offset_at(&tile, row, col), "%s at (%d,%d)", text, row, col);
    CHECK(degree(&tile, BANK_ROW, NULL, 4) == 1, "%s", text);
    CHECK(degree(&tile, BANK_COLUMN, NULL, 4) == column_degree, "%s", text);
}

/* 06: 64x64 floats as 64 rows of 16 chunks, each thread owning a 4x4 block. */
static void vectorized(void)
{
    struct layout tile = parse("Sw<3,0,6> o 0 o (64,16):(16,1)");
    unsigned char met[1024] = {0};

    for (int row = 0; row < 64; ++row)
        for (int chunk = 0; chunk < 16; ++chunk) {
            int offset = chunk_offset_64x64(row, chunk);
            CHECK(offset == offset_at(&tile, row, chunk), "(%d,%d)", row, chunk);
            CHECK(offset >= 0 && offset < 1024 && !met[offset]++, "(%d,%d)", row, chunk);
        }
    /* Eight lanes in turn with consecutive block rows, or consecutive chunks. */
    for (int k = 0; k < 4; ++k)
        for (int other = 0; other < 16; ++other)
            for (int first = 0; first < 16; first += 8) {
                int down[8], along[8];
                for (int lane = 0; lane < 8; ++lane) {
                    down[lane] = chunk_offset_64x64(4 * (first + lane) + k, other);
                    along[lane] = chunk_offset_64x64(4 * other + k, first + lane);
                }
                CHECK(eight_groups(down), "rows 4 * %d + %d on, chunk %d", first, k, other);
                CHECK(eight_groups(along), "row %d, chunks %d on", 4 * other + k, first);
            }
    /* The same by the library: lanes over block rows first, then over chunks first. */
    CHECK(degree(&tile, BANK_THREADS, "(16,16):(4,64)", 16) == 1, "down");
    CHECK(degree(&tile, BANK_THREADS, "(16,16):(64,4)", 16) == 1, "along");
    /* Without the swizzle the lanes that go down all meet one group. */
    tile = parse("(64,16):(16,1)");
    CHECK(degree(&tile, BANK_THREADS, "(16,16):(4,64)", 16) == 8, "plain");
}

/* 06: the same tile as 8-byte halves of chunks, each of 512 threads owning a 4x2 block, and the
 * order on two fronts. */
static void halves_and_fronts(void)
{
    unsigned char met[16 * 32] = {0};

    for (int thread = 0; thread < 512; ++thread) {
        int row = block4x2_row(thread), col = block4x2_col(thread);
        CHECK(row >= 0 && row < 16 && col >= 0 && col < 32 && !met[row * 32 + col]++,
              "thread %d", thread);
    }
    /* Sixteen lanes that read row 4 * block row + k meet sixteen pairs of banks. */
    for (int k = 0; k < 4; ++k)
        for (int first = 0; first < 512; first += 16) {
            unsigned pairs = 0;
            for (int lane = first; lane < first + 16; ++lane) {
                int col = block4x2_col(lane);
                int chunk = chunk_offset_64x64(4 * block4x2_row(lane) + k, col / 2);
                pairs |= 1u << bank_of(8, 2 * chunk + col % 2) / 2;
            }
            CHECK(pairs == 0xffff, "row %d, lanes %d on", k, first);
        }
    /* Every tile once, for even and odd numbers of columns of tiles. */
    for (int down = 1; down <= 7; ++down)
        for (int across = 1; across <= 6; ++across) {
            unsigned char seen[42] = {0};
            for (int block = 0; block < down * across; ++block) {
                int tile = two_fronts(block, down, across);
                CHECK(tile >= 0 && tile < down * across && !seen[tile]++, "%d of %dx%d", block,
                      down, across);
            }
        }
}

/* A warp of the 128-byte swizzled tile: do quarters of its lanes meet eight groups? step says in
 * which order a block's output rows are stored. */
static bool stores_are_free(int (*step)(int block_col, int c))
{
    bool free = true;

    for (int c = 0; c < 4; ++c)
        for (int first = 0; first < 256; first += 8) {
            int chunk[8];
            for (int lane = 0; lane < 8; ++lane) {
                int bi = swizzled_block_row(first + lane), bj = swizzled_block_col(first + lane);
                chunk[lane] = tma_swizzle_128(4 * bj + step(bj, c), bi % 8);
            }
            free = free && eight_groups(chunk);
        }
    return free;
}

static int swizzled_order(int block_col, int c)
{
    return swizzled_store_row(block_col, c);
}

static int plain_order(int block_col, int c)
{
    (void)block_col;
    return c;
}

/* 07: boxes of 64 rows of 128 bytes, eight chunks, as TMA's 128-byte swizzle leaves them. */
static void tma(void)
{
    struct layout box = parse("Sw<3,0,3> o 0 o (64,8):(8,1)");
    /* The tile of 64x64 floats is two such boxes side by side. */
    struct layout tile = parse("Sw<3,0,3> o 0 o (64,(8,2)):(8,(1,512))");
    /* thread -> block row + 16 * block column: bits 0, 1, 3, 4 of the thread are the column. */
    struct layout blocks = parse("(4,2,4,8):(16,1,64,2)");
    unsigned char owned[256] = {0};
    char threads[80];

    for (int row = 0; row < 64; ++row)
        for (int chunk = 0; chunk < 16; ++chunk) {
            int offset = tma_swizzle_128(row, chunk % 8);
            CHECK(offset == offset_at(&box, row, chunk % 8), "(%d,%d)", row, chunk);
            CHECK(512 * (chunk / 8) + offset == offset_at(&tile, row, chunk), "(%d,%d)", row,
                  chunk);
        }
    for (int thread = 0; thread < 256; ++thread) {
        int bi = swizzled_block_row(thread), bj = swizzled_block_col(thread), rows = 0;
        CHECK(layout_at(&blocks, thread) == bi + 16 * bj, "thread %d", thread);
        CHECK(bi >= 0 && bi < 16 && bj >= 0 && bj < 16 && !owned[bi + 16 * bj]++, "thread %d",
              thread);
        for (int c = 0; c < 4; ++c)
            rows |= 1 << swizzled_store_row(bj, c);
        CHECK(rows == 0xf, "thread %d", thread);
    }
    for (int k = 0; k < 4; ++k)
        for (int first = 0; first < 256; first += 8) {
            int chunk[8];
            for (int lane = 0; lane < 8; ++lane)
                chunk[lane] = tma_swizzle_128(4 * swizzled_block_row(first + lane) + k,
                                              swizzled_block_col(first + lane) % 8);
            CHECK(eight_groups(chunk), "row %d of the blocks of threads %d on", k, first);
        }
    CHECK(stores_are_free(swizzled_order), "in swizzled order");
    CHECK(!stores_are_free(plain_order), "in plain order");

    /* The same by the library. Thread -> row + 64 * chunk, for loads of row 4 * bi + k ... */
    for (int k = 0; k < 4; ++k) {
        snprintf(threads, sizeof threads, "Sw<0,0,0> o %d o (4,2,4,8):(64,4,256,8)", k);
        CHECK(degree(&tile, BANK_THREADS, threads, 16) == 1, "load %d", k);
    }
    /* ... and for stores of row 4 * bj + (c ^ (bj & 2)), chunk bi: bit 1 of the thread adds 8 + 2
     * to the row for c < 2, and 8 - 2 from row c on for the others. */
    for (int c = 0; c < 4; ++c) {
        snprintf(threads, sizeof threads, "Sw<0,0,0> o %d o (2,2,2,4,8):(4,%d,64,16,128)", c,
                 c < 2 ? 10 : 6);
        struct layout lanes = parse(threads);
        for (int thread = 0; thread < 256; ++thread) {
            int bi = swizzled_block_row(thread), bj = swizzled_block_col(thread);
            CHECK(layout_at(&lanes, thread) == 4 * bj + swizzled_store_row(bj, c) + 64 * bi,
                  "store %d, thread %d", c, thread);
        }
        CHECK(degree(&tile, BANK_THREADS, threads, 16) == 1, "store %d", c);
    }
    /* In plain order pairs of lanes collide. */
    CHECK(degree(&tile, BANK_THREADS, "(4,2,4,8):(4,64,16,128)", 16) == 2, "plain order");
}

int main(void)
{
    formulas();
    padding();
    swizzled_tile(32, 5, 0, 5, 1);
    swizzled_tile(64, 5, 0, 5, 2);
    swizzled_tile(64, 5, 0, 6, 1);
    vectorized();
    halves_and_fronts();
    tma();
    return check_summary("kernels");
}
