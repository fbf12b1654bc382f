/*
 * Worked examples and claims of what the workbook grows from, each under the name of its source:
 *   [transpose]  "Tutorial: Matrix Transpose in CUTLASS", Colfax Research
 *   [guide]      CUDA C++ Programming Guide, "Example: Matrix Transpose" (TMA swizzle)
 *   [layouts]    "Demystifying CuTe: Understanding Layout Algebra" and its copy kernels
 *   [cute]       NVIDIA CUTLASS documentation, "CuTe Layout Algebra", and its tests
 * and the limits and refusals of this library.
 */
#include "traffic/tests/check.h"
#include "layout/layout.h"
#include "layout/layout_banks.h"
#include "harness/swizzle.h"

#include <stdlib.h>
#include <string.h>

/* ---- text in, text out ------------------------------------------------------------------- */

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

static struct tiler parse_tiler(const char *text)
{
    struct tiler tiler;
    struct layout_error error;

    if (!layout_parse_tiler(text, &tiler, &error)) {
        printf("%s: %s at %d\n", text, error.message, error.offset);
        exit(1);
    }
    return tiler;
}

/* The offset of a at a coordinate, -1 if refused. */
static int64_t map(const char *a, const char *coordinate)
{
    struct layout layout = parse(a);
    struct int_tuple where;
    int64_t offset;

    if (!layout_parse_coordinate(coordinate, &where, NULL) ||
        !layout_map(&layout, &where, &offset, NULL))
        return -1;
    return offset;
}

static const char *last; /* what an operation gave: the layout, or the reason of the refusal */

#define GIVES(condition) CHECK(condition, "%s", last)

static bool gives(bool ok, const struct layout *result, const struct layout_error *error,
                  const char *expected)
{
    static char text[LAYOUT_TEXT];

    if (ok)
        layout_print(result, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", error->message);
    last = text;
    /* An expected refusal is written as "refused: WORDS of the message". */
    if (strncmp(expected, "refused: ", 9) == 0)
        return !ok && strstr(text, expected + 9);
    return ok && strcmp(text, expected) == 0;
}

static bool compose(const char *a, const char *b, const char *expected)
{
    struct layout left = parse(a), result;
    struct layout_error error;

    if (*b == 'S') {
        struct layout right = parse(b);
        return gives(layout_compose(&left, &right, &result, &error), &result, &error, expected);
    }
    struct tiler right = parse_tiler(b);
    return gives(layout_compose_tiler(&left, &right, &result, &error), &result, &error, expected);
}

/* `operation` of a by b in this form gives `expected`. */
static bool by_tiler(bool (*operation)(const struct layout *, const struct tiler *,
                                       enum layout_form, struct layout *, struct layout_error *),
                     enum layout_form form, const char *a, const char *b, const char *expected)
{
    struct layout left = parse(a), result;
    struct tiler right = parse_tiler(b);
    struct layout_error error;

    return gives(operation(&left, &right, form, &result, &error), &result, &error, expected);
}

static bool divide(enum layout_form form, const char *a, const char *b, const char *expected)
{
    return by_tiler(layout_divide, form, a, b, expected);
}

static bool product(enum layout_form form, const char *a, const char *b, const char *expected)
{
    return by_tiler(layout_product, form, a, b, expected);
}

static bool complement(const char *a, int64_t extent, const char *expected)
{
    struct layout layout = parse(a), result;
    struct layout_error error;

    return gives(layout_complement(&layout, extent, &result, &error), &result, &error, expected);
}

/* `operation` of a gives `expected`. */
static bool unary(bool (*operation)(const struct layout *, struct layout *, struct layout_error *),
                  const char *a, const char *expected)
{
    struct layout layout = parse(a), result;
    struct layout_error error;

    return gives(operation(&layout, &result, &error), &result, &error, expected);
}

static bool coalesce(const char *a, const char *b) { return unary(layout_coalesce, a, b); }
static bool right_inverse(const char *a, const char *b)
{
    return unary(layout_right_inverse, a, b);
}
static bool left_inverse(const char *a, const char *b) { return unary(layout_left_inverse, a, b); }

static bool tile(const char *a, const char *b, const char *where, int64_t expected_offset,
                 const char *expected)
{
    struct layout layout = parse(a), result;
    struct tiler tiler = parse_tiler(b);
    struct int_tuple coordinate;
    struct layout_error error;
    int64_t offset = -1;
    bool ok = layout_parse_coordinate(where, &coordinate, &error) &&
              layout_local_tile(&layout, &tiler, &coordinate, &result, &offset, &error);

    return gives(ok, &result, &error, expected) && (!ok || offset == expected_offset);
}

static bool partition(const char *a, const char *threads, int64_t index, int64_t expected_offset,
                      const char *expected)
{
    struct layout layout = parse(a), lanes = parse(threads), result;
    struct layout_error error;
    int64_t offset = -1;
    bool ok = layout_local_partition(&layout, &lanes, index, &result, &offset, &error);

    return gives(ok, &result, &error, expected) && (!ok || offset == expected_offset);
}

static bool equal(const char *a, const char *b)
{
    struct layout left = parse(a), right = parse(b);
    bool same = false;
    int64_t index;

    return layout_equal(&left, &right, &same, &index, NULL) && same;
}

/* The message of a parse error and the byte it points at. */
static bool misparse(const char *text, int offset, const char *words)
{
    struct layout layout;
    static struct layout_error error; /* static: `last` points into it */

    error = (struct layout_error){"parsed", -1, -1, -1};
    layout_parse(text, &layout, &error);
    last = error.message;
    return error.offset == offset && strstr(error.message, words);
}

/* The wavefronts of all requests of an access, and the largest conflict degree; -1 if it is refused. */
static int64_t wavefronts(const char *a, enum bank_order order, int bytes, int vector, int *degree)
{
    struct layout layout = parse(a);
    struct bank_access access = {.order = order, .bytes = bytes, .vector = vector};
    struct bank_request request;
    static struct layout_error error; /* static: `last` points into it */
    int requests;
    int64_t sum = 0;

    *degree = 0;
    if (!bank_requests(&layout, &access, &requests, &error)) {
        last = error.message;
        return -1;
    }
    for (int i = 0; i < requests; ++i) {
        bank_request(&layout, &access, i, &request);
        sum += request.wavefronts;
        *degree = request.degree > *degree ? request.degree : *degree;
    }
    return sum;
}

/* An access takes `expected` wavefronts with conflicts of at most `way` words. */
#define COSTS(a, order, bytes, vector, expected, way)                                              \
    do {                                                                                           \
        int degree;                                                                                \
        int64_t sum = wavefronts(a, order, bytes, vector, &degree);                                \
        CHECK(sum == (expected) && degree == (way), "%s: %d wavefronts, %d-way", a, (int)sum,      \
              degree);                                                                             \
    } while (0)

/* ---- [transpose] ------------------------------------------------------------------------- */

static void transpose_article(void)
{
    char a[64], b[64], expected[64];

    /* (4,5) of a column-major M x N is 5M + 4; a row-major matrix is (M,N):(N,1). */
    for (int rows = 5; rows < 40; rows += 7) {
        snprintf(a, sizeof a, "(%d,9)", rows);
        CHECK(map(a, "(4,5)") == 5 * rows + 4, "%s", a);
        snprintf(expected, sizeof expected, "(%d,9):(9,1)", rows);
        struct layout shape = parse(a), made;
        GIVES(layout_row_major(&shape.shape, &made, NULL) && gives(true, &made, NULL, expected));
    }

    /* tiled_divide by (b,b) has shape ((b,b),M/b,N/b), the transposed view likewise. */
    GIVES(divide(LAYOUT_TILED, "(2048,1024):(1024,1)", "(32,32)",
                 "((32,32),64,32):((1024,1),32768,32)"));
    GIVES(divide(LAYOUT_TILED, "(2048,1024):(1,2048)", "(32,32)",
                 "((32,32),64,32):((1,2048),32,65536)"));
    /* A block's tile by ((_,_),x,y) of that is the local tile at (x,y). */
    struct layout tiled = parse("((32,32),64,32):((1024,1),32768,32)"), slice;
    struct int_tuple where;
    int64_t offset;
    GIVES(layout_parse_coordinate("((_,_),5,7)", &where, NULL) &&
          layout_slice(&tiled, &where, &slice, &offset, NULL) && offset == 5 * 32768 + 7 * 32 &&
          gives(true, &slice, NULL, "(32,32):(1024,1)"));
    GIVES(tile("(2048,1024):(1024,1)", "(32,32)", "(5,7)", 5 * 32768 + 7 * 32, "(32,32):(1024,1)"));

    /* 256 row-major threads (8,32) on a tile: neighbours read neighbours, each has 4 rows. */
    for (int thread = 0; thread < 256; ++thread) {
        CHECK(partition("(32,32):(1024,1)", "(8,32):(32,1)", thread,
                        thread / 32 * 1024 + thread % 32, "(4,1):(8192,0)"),
              "%d: %s", thread, last);
        /* ... and the same threads on the column-major view write with a stride. */
        CHECK(partition("(32,32):(1,1024)", "(8,32):(32,1)", thread,
                        thread / 32 + thread % 32 * 1024, "(4,1):(8,0)"),
              "%d: %s", thread, last);
    }

    /* Row-major 32x32 floats: a column lies in one bank, 32-way; a row in all of them. */
    COSTS("(32,32):(32,1)", BANK_COLUMN, 4, 1, 32 * 32, 32);
    COSTS("(32,32):(32,1)", BANK_ROW, 4, 1, 32, 1);
    /* One column of padding: both ways free. As that article writes it, (32,33) row-major. */
    COSTS("(32,32):(33,1)", BANK_COLUMN, 4, 1, 32, 1);
    COSTS("(32,32):(33,1)", BANK_ROW, 4, 1, 32, 1);
    CHECK(map("(32,33):(33,1)", "(31,31)") == map("(32,32):(33,1)", "(31,31)"), "padding");
    /* Swizzle<5,0,5>: 32 banks down every column; element (i,j) lies in bank i ^ j. */
    COSTS("Sw<5,0,5> o 0 o (32,32):(32,1)", BANK_COLUMN, 4, 1, 32, 1);
    COSTS("Sw<5,0,5> o 0 o (32,32):(32,1)", BANK_ROW, 4, 1, 32, 1);
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) {
            snprintf(a, sizeof a, "(%d,%d)", i, j);
            CHECK(map("Sw<5,0,5> o 0 o (32,32):(32,1)", a) == 32 * i + (i ^ j), "%s", a);
        }
    /* On a 64-wide tile it leaves two-way conflicts, and Swizzle<5,0,6> does not. */
    COSTS("Sw<5,0,5> o 0 o (64,64):(64,1)", BANK_COLUMN, 4, 1, 256, 2);
    COSTS("Sw<5,0,6> o 0 o (64,64):(64,1)", BANK_COLUMN, 4, 1, 128, 1);

    /* composition(tileLayoutS, tileLayoutD) is the column-major layout, whatever the block. */
    static const int block[][2] = {{32, 32}, {64, 16}, {8, 4}, {3, 5}, {1, 7}, {12, 30}};
    for (size_t i = 0; i < sizeof block / sizeof block[0]; ++i) {
        int m = block[i][0], n = block[i][1];
        struct layout s, d, both, column_major;
        bool same = false;
        int64_t index;
        snprintf(a, sizeof a, "(%d,%d):(%d,1)", m, n, n);
        snprintf(b, sizeof b, "(%d,%d):(%d,1)", n, m, m);
        snprintf(expected, sizeof expected, "(%d,%d):(1,%d)", n, m, n);
        s = parse(a), d = parse(b), column_major = parse(expected);
        CHECK(layout_compose(&s, &d, &both, NULL) &&
                  layout_equal(&both, &column_major, &same, &index, NULL) && same,
              "%s o %s", a, b);
    }
    GIVES(compose("(32,32):(32,1)", "(32,32):(32,1)", "(32,32):(1,32)"));
    GIVES(compose("Sw<5,0,5> o 0 o (32,32):(32,1)", "(32,32):(32,1)",
                  "Sw<5,0,5> o 0 o (32,32):(1,32)"));
}

/* ---- [guide] ----------------------------------------------------------------------------- */

static void guide_figures(void)
{
    char where[32];

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            snprintf(where, sizeof where, "(%d,%d)", i, j);
            /* Figure 27: shared index = global index. Figure 28: chunk j of row i at j ^ i. */
            CHECK(map("(8,8):(8,1)", where) == 8 * i + j, "%s", where);
            CHECK(map("Sw<3,0,3> o 0 o (8,8):(8,1)", where) == 8 * i + (i % 8 ^ j), "%s", where);
        }
    /* Without swizzle a column of int4 is one group of four banks, 8-way; with it, all eight. */
    COSTS("(8,8):(8,1)", BANK_COLUMN, 16, 1, 8 * 8, 8);
    COSTS("(8,8):(8,1)", BANK_ROW, 16, 1, 8, 1);
    COSTS("Sw<3,0,3> o 0 o (8,8):(8,1)", BANK_COLUMN, 16, 1, 8, 1);
    COSTS("Sw<3,0,3> o 0 o (8,8):(8,1)", BANK_ROW, 16, 1, 8, 1);
}

/* ---- [layouts] --------------------------------------------------------------------------- */

static void layouts_article(void)
{
    struct int_tuple tuple;
    struct layout made, threads, values, owner, table;

    /* Ranks, depths and sizes of 2, (2,3), (42,(1,3),17). */
    CHECK(layout_parse_coordinate("2", &tuple, NULL) && int_tuple_rank(&tuple) == 1 &&
              int_tuple_depth(&tuple) == 0,
          "2");
    CHECK(layout_parse_coordinate("(2,3)", &tuple, NULL) && int_tuple_rank(&tuple) == 2 &&
              int_tuple_depth(&tuple) == 1,
          "(2,3)");
    CHECK(layout_parse_coordinate("(42,(1,3),17)", &tuple, NULL) && int_tuple_rank(&tuple) == 3 &&
              int_tuple_depth(&tuple) == 2,
          "(42,(1,3),17)");
    made = parse("(42,(1,3),17)");
    CHECK(layout_size(&made) == 42 * 3 * 17, "size");

    /* (i,j,k) -> i + jM + kMN; the figure's (4,3):(3,1) and its transpose. */
    CHECK(map("(4,3,2)", "(3,2,1)") == 3 + 2 * 4 + 1 * 12, "colex");
    CHECK(map("(4,3):(3,1)", "(2,1)") == 7 && map("(3,4):(1,3)", "(1,2)") == 7, "transpose");
    CHECK(map("(4,3):(1,4)", "(2,1)") == 6 && map("(3,4):(4,1)", "(1,2)") == 6, "transpose");

    /* LayoutLeft and LayoutRight of (a,b,c,d). */
    CHECK(layout_parse_coordinate("(2,3,5,7)", &tuple, NULL), "shape");
    GIVES(layout_column_major(&tuple, &made, NULL) &&
          gives(true, &made, NULL, "(2,3,5,7):(1,2,6,30)"));
    GIVES(layout_row_major(&tuple, &made, NULL) &&
          gives(true, &made, NULL, "(2,3,5,7):(105,35,7,1)"));

    /* M x N column-major in m x n tiles: ((m,M/m),(n,N/n)):((1,m),(M,Mn)). 6 x 20 by 2 x 4 has 3
     * tiles down and 5 across. */
    GIVES(divide(LAYOUT_LOGICAL, "(6,20):(1,6)", "(2,4)", "((2,3),(4,5)):((1,2),(6,24))"));
    GIVES(divide(LAYOUT_LOGICAL, "(6,20):(20,1)", "(2,4)", "((2,3),(4,5)):((20,40),(1,4))"));
    GIVES(divide(LAYOUT_ZIPPED, "(6,20):(20,1)", "(2,4)", "((2,4),(3,5)):((20,1),(40,4))"));
    GIVES(tile("(6,20):(20,1)", "(2,4)", "(1,2)", 48, "(2,4):(20,1)"));
    /* The nesting does not change the pattern: ((m,n),(j,k)) as (m,n,j,k). */
    CHECK(equal("((2,4),(3,5)):((20,1),(40,4))", "(2,4,3,5):(20,1,40,4)"), "nesting");

    /* The divide rules; what that article writes as division is CuTe's zipped divide. */
    GIVES(divide(LAYOUT_ZIPPED, "(8,9,10)", "(2,3,5)", "((2,3,5),(4,3,2)):((1,8,72),(2,24,360))"));
    GIVES(divide(LAYOUT_ZIPPED, "(8,9,10)", "(2,3)", "((2,3),(4,3,10)):((1,8),(2,24,72))"));
    GIVES(divide(LAYOUT_ZIPPED, "(8,9,10)", "<2,_,5>", "((2,1,5),(4,9,2)):((1,0,72),(2,8,360))"));
    GIVES(divide(LAYOUT_LOGICAL, "(8,9,10)", "<2,_,5>", "((2,4),9,(5,2)):((1,2),8,(72,360))"));

    /* Identities, associativity, distributivity; test_properties has the rest. */
    GIVES(compose("24:1", "(4,6):(6,1)", "(4,6):(6,1)"));
    GIVES(compose("(4,6):(7,1)", "(4,6):(1,4)", "(4,6):(7,1)"));

    /* Swizzle<2,3,3> on 128x64 bf16: eight rows of one 16-byte chunk, as ldmatrix reads them, meet
     * four groups of banks only; Swizzle<3,3,3> gives them eight. */
    COSTS("(128,64):(64,1)", BANK_COLUMN, 2, 8, 1024, 8);
    COSTS("Sw<2,3,3> o 0 o (128,64):(64,1)", BANK_COLUMN, 2, 8, 256, 2);
    COSTS("Sw<3,3,3> o 0 o (128,64):(64,1)", BANK_COLUMN, 2, 8, 128, 1);
    COSTS("Sw<3,3,3> o 0 o (128,64):(64,1)", BANK_ROW, 2, 8, 128, 1);
    /* The base keeps runs of eight elements whole, and in order. */
    CHECK(equal("Sw<3,3,3> o 0 o (8,64)", "Sw<3,0,3> o 0 o (8,64)") == false, "base");
    for (int i = 0; i < 512; ++i)
        CHECK(swizzle_apply((struct swizzle){3, 3, 3}, i) % 8 == i % 8, "%d", i);

    /* Tiled copies. 16x2 row-major threads: 0 and 1 at (0,0) and (0,1), 2 at (1,0). */
    threads = parse("(16,2):(2,1)"), values = parse("(1,1)");
    CHECK(layout_tiled_copy(&threads, &values, &owner, &table, NULL) && layout_size(&owner) == 32,
          "16x2");
    CHECK(layout_at(&owner, 0) == 0 && layout_at(&owner, 16) == 1 && layout_at(&owner, 1) == 2,
          "16x2");
    /* With 1x8 values, 16x16: thread 0 has (0,0:8), 1 has (0,8:16), 2 has (1,0:8). */
    values = parse("(1,8)");
    CHECK(layout_tiled_copy(&threads, &values, &owner, &table, NULL) && layout_size(&owner) == 256,
          "16x16");
    for (int col = 0; col < 16; ++col) {
        CHECK(layout_at(&owner, 16 * col) == col / 8 + 32 * (col % 8), "(0,%d)", col);
        CHECK(layout_at(&owner, 16 * col + 1) == 2 + col / 8 + 32 * (col % 8), "(1,%d)", col);
    }
    /* The four copies of 128x64 bf16 tiles: basic 1x64; vector, async and swizzled 4x64. */
    static const char *const copies[][3] = {{"(1,64):(64,1)", "(1,1)", "1x64"},
                                            {"(4,8):(8,1)", "(1,8)", "4x64"},
                                            {"(4,8):(8,1)", "(1,8)", "4x64, async"},
                                            {"(4,8):(8,1)", "(1,8)", "4x64, swizzled"}};
    for (int i = 0; i < 4; ++i) {
        threads = parse(copies[i][0]), values = parse(copies[i][1]);
        CHECK(layout_tiled_copy(&threads, &values, &owner, &table, NULL), "%s", copies[i][2]);
        int64_t rows = tile_rows(&owner), per_row = 64 / layout_size(&values);
        CHECK(rows == (i ? 4 : 1) && tile_columns(&owner) == 64, "%s", copies[i][2]);
        for (int64_t row = 0; row < rows; ++row)
            for (int64_t col = 0; col < 64; ++col) {
                int64_t thread = row * per_row + col / layout_size(&values);
                int64_t value = col % layout_size(&values);
                CHECK(layout_at(&owner, row + rows * col) == thread + layout_size(&threads) * value,
                      "%s", copies[i][2]);
                CHECK(layout_at(&table, thread + layout_size(&threads) * value) == row + rows * col,
                      "%s", copies[i][2]);
            }
    }
    /* Broadcast: a layout that always points at 0. */
    GIVES(map("(4,8):(0,0)", "(3,7)") == 0 && coalesce("(4,8):(0,0)", "32:0"));
}

/* ---- [cute] ------------------------------------------------------------------------------ */

static void cute_documentation(void)
{
    GIVES(coalesce("(2,(1,6)):(1,(6,2))", "12:1"));
    GIVES(coalesce("(1,1):(7,9)", "1:0"));
    GIVES(coalesce("((4,3),5):((15,1),3)", "(4,15):(15,1)"));
    GIVES(compose("(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)"));
    GIVES(compose("20:2", "(5,4):(4,1)", "(5,4):(8,2)"));
    GIVES(compose("(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))"));
    GIVES(compose("(3,6,2,8):(5,20,300,7)", "16:9", "(2,2,4):(60,300,7)"));
    GIVES(compose("(4,6,8,10):(2,3,5,7)", "6:12", "(2,3):(9,5)"));
    GIVES(compose("(12,(4,8)):(59,(13,1))", "<3:4,8:2>", "(3,(2,4)):(236,(26,1))"));
    GIVES(compose("(12,(4,8)):(59,(13,1))", "(3,8)", "(3,(4,2)):(59,(13,1))"));
    GIVES(compose("(4,8,2)", "<2,_>", "(2,8):(1,4)"));
    GIVES(compose("(8,8):(8,1)", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))",
                  "((2,2,2),(2,2,2)):((8,2,32),(1,16,4))"));

    GIVES(complement("4:1", 24, "6:4"));
    GIVES(complement("6:4", 24, "4:1"));
    GIVES(complement("(4,6)", 24, "1:0"));
    GIVES(complement("4:2", 24, "(2,3):(1,8)"));
    GIVES(complement("(2,4):(1,6)", 24, "3:2"));
    GIVES(complement("(2,2):(1,6)", 24, "(3,2):(2,12)"));
    GIVES(complement("1:0", 5, "5:1"));
    GIVES(complement("(32,32):(33,1)", 2112, "2:1056"));

    GIVES(right_inverse("(4,8):(8,1)", "(8,4):(4,1)"));
    GIVES(right_inverse("4:2", "1:0"));
    GIVES(right_inverse("(2,4):(1,4)", "2:1"));
    GIVES(left_inverse("4:2", "(2,4):(4,1)"));
    GIVES(left_inverse("(4,8):(8,1)", "(8,4):(4,1)"));

    GIVES(divide(LAYOUT_LOGICAL, "(4,2,3):(2,1,8)", "4:2", "((2,2),(2,3)):((4,1),(2,8))"));
    GIVES(divide(LAYOUT_LOGICAL, "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>",
                 "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"));
    GIVES(divide(LAYOUT_ZIPPED, "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>",
                 "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"));
    GIVES(divide(LAYOUT_TILED, "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>",
                 "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"));
    GIVES(divide(LAYOUT_FLAT, "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>",
                 "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"));
    /* A tile that does not divide: the rest rounds up, as CuTe's. */
    GIVES(divide(LAYOUT_LOGICAL, "10:1", "4:1", "(4,3):(1,4)"));

    GIVES(product(LAYOUT_LOGICAL, "(2,2):(4,1)", "6:1", "((2,2),(2,3)):((4,1),(2,8))"));
    GIVES(product(LAYOUT_LOGICAL, "(2,2):(4,1)", "(4,2):(2,1)", "((2,2),(4,2)):((4,1),(8,2))"));
    GIVES(product(LAYOUT_LOGICAL, "(2,5):(5,1)", "<3:5,4:6>", "((2,3),(5,4)):((5,10),(1,30))"));
    GIVES(product(LAYOUT_BLOCKED, "(2,5):(5,1)", "(3,4):(1,3)", "(6,(5,4)):(5,(1,30))"));
    GIVES(product(LAYOUT_RAKED, "(2,5):(5,1)", "(3,4):(1,3)", "((3,2),(4,5)):((10,5),(30,1))"));
    GIVES(product(LAYOUT_BLOCKED, "(2,5):(5,1)", "(3,4):(4,1)", "((2,3),(5,4)):((5,40),(1,10))"));
    GIVES(product(LAYOUT_ZIPPED, "(2,5):(5,1)", "<3,4>", "((2,5),(3,4)):((5,1),(1,5))"));
    GIVES(product(LAYOUT_BLOCKED, "8:1", "4:1", "32:1"));
    GIVES(product(LAYOUT_BLOCKED, "Sw<3,0,3> o 0 o (8,8):(8,1)", "(2,2):(1,2)",
                  "Sw<3,0,3> o 0 o (16,(8,2)):(8,(1,128))"));

    /* A block with holes, 0 2 4 9 11 13: CuTe lets the copies of this one overlap. */
    GIVES(product(LAYOUT_LOGICAL, "(3,2):(2,9)", "3:1", "refused: shape divisibility"));
    GIVES(product(LAYOUT_LOGICAL, "(3,2):(2,9)", "4:1", "((3,2),(2,2)):((2,9),(1,18))"));

    /* Past its size a layout goes on along its last mode. */
    struct layout endless = parse("(4,8):(8,1)");
    CHECK(layout_at(&endless, 32) == 8 && layout_at(&endless, 35) == 32, "past the size");
    endless = parse("1:7");
    CHECK(layout_at(&endless, 3) == 21 && layout_at(&endless, -1) == -1, "past the size");
    CHECK(layout_at(&endless, LAYOUT_MAX_INT) == -1, "past the largest offset");

    /* Slices keep the modes with `_` side by side; an integer serves for a nested mode. */
    struct layout a = parse("((2,4),(3,5)):((1,2),(8,24))"), slice;
    struct int_tuple where;
    int64_t offset = 0;
    GIVES(layout_parse_coordinate("((_,2),(_,3))", &where, NULL) &&
          layout_slice(&a, &where, &slice, &offset, NULL) && offset == 4 + 72 &&
          gives(true, &slice, NULL, "(2,3):(1,8)"));
    GIVES(layout_parse_coordinate("(_,11)", &where, NULL) &&
          layout_slice(&a, &where, &slice, &offset, NULL) && offset == 2 * 8 + 3 * 24 &&
          gives(true, &slice, NULL, "((2,4)):((1,2))"));
    a = parse("Sw<5,0,5> o 0 o (32,32):(32,1)");
    GIVES(layout_parse_coordinate("(3,_)", &where, NULL) &&
          layout_slice(&a, &where, &slice, &offset, NULL) && offset == 0 &&
          gives(true, &slice, NULL, "Sw<5,0,5> o 96 o (32):(1)"));
    GIVES(partition("64:1", "32:1", 5, 5, "(2):(32)"));
    /* Nested threads: 9 is (1,1) of the first mode, place 3, and 0 of the second. */
    GIVES(partition("(4,4)", "((2,2),4):((1,8),2)", 9, 3, "(1,1):(0,0)"));
    GIVES(tile("(8,8)", "(4,4)", "(1,_)", 4, "(4,4,2):(1,8,32)"));
}

/* ---- refusals and limits ----------------------------------------------------------------- */

static void refusals(void)
{
    int degree;
    char text[400];
    struct layout layout;
    struct layout_error error;

    /* Stride and shape divisibility; and what CuTe compiles although no layout is a(b(c)). */
    GIVES(compose("(6,2):(8,2)", "5:2", "refused: shape divisibility"));
    GIVES(compose("(4,3):(3,1)", "2:6", "refused: stride divisibility"));
    GIVES(compose("(4,6,8):(2,3,5)", "6:3", "refused: stride divisibility"));
    GIVES(compose("(6,2):(1,7)", "(3,2):(2,3)", "refused: carry"));
    GIVES(compose("(8,8):(8,1)", "Sw<3,0,3> o 0 o (8,8)", "refused: follow a swizzle"));
    GIVES(compose("64:1", "Sw<3,0,3> o 0 o (8,8)", "Sw<3,0,3> o 0 o (8,8):(1,8)"));
    GIVES(compose("(4,4)", "<2,2,2>", "refused: 3 tilers for a layout of rank 2"));
    GIVES(complement("(4,2):(1,2)", 8, "refused: not injective"));
    GIVES(complement("(4,2):(2,3)", 8, "refused: interleaved"));
    GIVES(complement("Sw<3,0,3> o 0 o (8,8)", 8, "refused: swizzled"));
    GIVES(left_inverse("(4,2):(1,0)", "refused: not injective"));
    GIVES(left_inverse("(4,2):(1,6)", "refused: hole"));
    GIVES(right_inverse("Sw<3,0,3> o 0 o (8,8):(8,1)", "refused: swizzle"));
    GIVES(right_inverse("Sw<3,0,3> o 0 o (8,8)", "Sw<3,0,3> o 0 o 64:1"));
    GIVES(divide(LAYOUT_LOGICAL, "(4,4)", "(4,2):(1,2)", "refused: not injective"));
    GIVES(divide(LAYOUT_BLOCKED, "(4,4)", "(2,2)", "refused: logical, zipped"));
    GIVES(product(LAYOUT_RAKED, "(4,4)", "(2,2)", "refused: raked"));
    struct layout swizzled = parse("Sw<1,0,1> o 0 o (2,2)"), grid8 = parse("(8,8)");
    struct tiler by;
    layout_as_tiler(&swizzled, &by);
    for (int form = LAYOUT_LOGICAL; form <= LAYOUT_RAKED; ++form) {
        CHECK(!layout_product(&grid8, &by, (enum layout_form)form, &layout, &error) &&
                  strstr(error.message, "swizzled"),
              "%s", error.message);
        CHECK(form > LAYOUT_FLAT ||
                  (!layout_divide(&grid8, &by, (enum layout_form)form, &layout, &error) &&
                   strstr(error.message, "swizzled")),
              "%s", error.message);
    }
    GIVES(partition("(8,8)", "(4,4)", 16, 0, "refused: no thread 16"));
    GIVES(tile("(8,8)", "(4,4)", "(2,0)", 0, "refused: coordinate 2"));
    CHECK(map("(4,8)", "(4,0)") == -1 && map("(4,8)", "32") == -1 && map("(4,8)", "(1,2,3)") == -1,
          "outside");
    CHECK(map("(4,8)", "31") == 31 && map("(4,8)", "(_,1)") == -1, "inside");

    GIVES(misparse("", 0, "ends"));
    GIVES(misparse("(4,8", 4, "before a ')'"));
    GIVES(misparse("(4,8):(8,1)x", 11, "after the end"));
    GIVES(misparse("(4,8):(8)", 6, "nested like the shape"));
    GIVES(misparse("(4,(8,2)):(8,1)", 13, "nested like the shape"));
    GIVES(misparse("(4,0)", 3, "at least 1"));
    GIVES(misparse("(4,-2)", 3, "negative"));
    GIVES(misparse("()", 1, "empty"));
    GIVES(misparse("(4,_):(1,2)", 3, "expected an integer"));
    GIVES(misparse("99999999999999999999", 0, "overflow"));
    GIVES(misparse("(4294967296,4294967296)", 12, "overflow"));
    GIVES(misparse("(4,4):(1,4611686018427387904)", 9, "overflow"));
    GIVES(misparse("Sw<3,4> o 0 o 8", 6, "expected ','"));
    GIVES(misparse("Sw<5,0,4> o 0 o 8", 0, "|shift| 4 is less than bits 5"));
    GIVES(misparse("Sw<5,60,5> o 0 o 8", 0, "beyond bit 61"));
    GIVES(misparse("Sw<3,4,3> (8,8)", 10, "o OFFSET o LAYOUT"));

    /* Notation: blanks, CuTe's compile-time integers, both names of a swizzle. */
    CHECK(equal(" ( _4 , _8 ) : ( _8 , _1 ) ", "(4,8):(8,1)"), "blanks");
    CHECK(equal("Swizzle<3,4,3> o 0 o (_8,_8):(_8,_1)", "Sw<3,4,3> o 0 o (8,8):(8,1)"), "Swizzle");
    CHECK(equal("Sw<0,4,3> o 0 o (8,8)", "(8,8)"), "no bits");
    GIVES(coalesce("Sw<2,0,-3> o 5 o (8,8):(1,8)", "Sw<2,0,-3> o 5 o 64:1"));

    /* Depth 16 and 64 nodes are the limits; one more is refused, not a crash. */
    memset(text, 0, sizeof text);
    memset(text, '(', 16);
    text[16] = '7';
    memset(text + 17, ')', 16);
    CHECK(layout_parse(text, &layout, &error) && layout_depth(&layout) == 16, "%s", error.message);
    memmove(text + 1, text, sizeof text - 2);
    strcat(text, ")");
    GIVES(misparse(text, 16, "too deep"));
    strcpy(text, "(1");
    for (int i = 0; i < 62; ++i)
        strcat(text, ",1");
    strcat(text, ")");
    CHECK(layout_parse(text, &layout, &error) && layout_rank(&layout) == 63, "%s", error.message);
    text[strlen(text) - 1] = '\0';
    strcat(text, ",1)");
    GIVES(misparse(text, (int)strlen(text) - 2, "too many"));
    struct layout nested = parse("((((((((((((((((7))))))))))))))))");
    struct tiler tiler = parse_tiler("2:1");
    CHECK(!layout_divide(&nested, &tiler, LAYOUT_LOGICAL, &layout, &error) ||
              layout_depth(&layout) <= 16,
          "depth");
    layout_as_tiler(&nested, &tiler);
    struct layout small = parse("2:1");
    CHECK(!layout_product(&small, &tiler, LAYOUT_LOGICAL, &layout, &error) &&
              strstr(error.message, "nest"),
          "%s", error.message);

    /* Printing is cut to the room it has. */
    struct layout grid = parse("(4,8):(8,1)");
    memset(text, 'x', sizeof text);
    CHECK(layout_print(&grid, text, 6) == 11 && strcmp(text, "(4,8)") == 0 && text[6] == 'x',
          "cut");
    CHECK(layout_print(&grid, NULL, 0) == 11, "measured");

    /* Accesses that cannot be. */
    GIVES(wavefronts("(32,32)", BANK_ROW, 4, 8, &degree) == -1 && strstr(last, "at most 16"));
    GIVES(wavefronts("(32,30):(30,1)", BANK_ROW, 4, 4, &degree) == -1 && strstr(last, "divide"));
    GIVES(wavefronts("(32,32):(33,1)", BANK_ROW, 4, 4, &degree) == -1 && strstr(last, "aligned"));
    GIVES(wavefronts("(32,32):(32,2)", BANK_ROW, 4, 4, &degree) == -1 && strstr(last, "adjacent"));
    GIVES(wavefronts("Sw<3,0,3> o 0 o (8,8):(8,1)", BANK_ROW, 4, 2, &degree) == -1);
}

/* ---- the bank model ---------------------------------------------------------------------- */

static void bank_model(void)
{

    /* Broadcast: one word for all lanes; two bf16 of one word; two words of one bank. */
    COSTS("(32,1):(0,0)", BANK_COLUMN, 4, 1, 1, 1);
    COSTS("(32,1):(1,0)", BANK_COLUMN, 2, 1, 1, 1);
    COSTS("(32,1):(2,0)", BANK_COLUMN, 4, 1, 2, 2);
    COSTS("(32,1):(3,0)", BANK_COLUMN, 4, 1, 1, 1);
    /* 8 bytes by halves, 16 by quarters: full rate is 128 bytes a wavefront. */
    COSTS("(1,64):(0,1)", BANK_ROW, 4, 2, 2, 1);
    COSTS("(1,128):(0,1)", BANK_ROW, 4, 4, 4, 1);
    COSTS("(1,256):(0,1)", BANK_ROW, 2, 8, 4, 1);
    COSTS("(32,1):(16,0)", BANK_COLUMN, 8, 1, 32, 16);
    /* Sixteen lanes with 16 bytes each are two quarters. */
    COSTS("(16,4):(4,1)", BANK_COLUMN, 4, 4, 2, 1);

    /* Searches: what makes both ways free of 32x32 and 64x64 float tiles. */
    static const struct {
        const char *tile, *first;
        int bytes, vector, free;
    } searches[] = {
        {"(32,32):(32,1)", "Sw<5,0,5>", 4, 1, 1}, {"(64,64):(64,1)", "Sw<5,0,6>", 4, 1, 1},
        {"(64,64):(64,1)", "Sw<3,2,4>", 4, 4, 2}, {"(64,16):(16,1)", "Sw<3,0,4>", 16, 1, 2},
        {"(64,8):(8,1)", "Sw<3,0,3>", 16, 1, 1},  {"(128,64):(64,1)", "Sw<3,3,3>", 2, 8, 1}};
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; ++i) {
        struct layout tile = parse(searches[i].tile);
        struct bank_access access[2];
        struct swizzle_score score;
        char first[32] = "none";
        int found = 0;
        memset(access, 0, sizeof access);
        for (int j = 0; j < 2; ++j) {
            access[j].order = j ? BANK_COLUMN : BANK_ROW;
            access[j].bytes = searches[i].bytes;
            access[j].vector = searches[i].vector;
        }
        for (int n = 0; swizzle_candidate(&tile, access, 2, n, &score); ++n)
            if (score.free && found++ == 0)
                snprintf(first, sizeof first, "Sw<%d,%d,%d>", score.swizzle.bits,
                         score.swizzle.base, score.swizzle.shift);
        CHECK(strcmp(first, searches[i].first) == 0, "%s: %s", searches[i].tile, first);
        CHECK(found >= 1 && (searches[i].free == 0 || found == searches[i].free), "%s: %d",
              searches[i].tile, found);
    }
}

/* ---- the harness's index formulas --------------------------------------------------------- */

/* swizzle() of the harness equals the library's wherever both are defined. */
static void harness_formulas(void)
{
    struct layout identity = parse("4096:1"), swizzled, padded = parse("(32,32):(33,1)");

    for (int bits = 0; bits <= 5; ++bits)
        for (int base = 0; base <= 7; ++base)
            for (int shift = -8; shift <= 8; ++shift) {
                bool same = true;
                if (abs(shift) < bits)
                    continue;
                same =
                    layout_swizzle((struct swizzle){bits, base, shift}, &identity, &swizzled, NULL);
                for (int i = 0; i < 4096; ++i)
                    same = same && layout_at(&swizzled, i) == swizzle(bits, base, shift, i);
                CHECK(same, "Sw<%d,%d,%d>", bits, base, shift);
            }
    for (int row = 0; row < 32; ++row)
        for (int col = 0; col < 32; ++col) {
            CHECK(row_major(33, row, col) == layout_at(&padded, row + 32 * col), "(%d,%d)", row,
                  col);
            CHECK(bank_of(4, row_major(33, row, col)) == (row + col) % 32, "(%d,%d)", row, col);
        }
}

int main(void)
{
    transpose_article();
    guide_figures();
    layouts_article();
    cute_documentation();
    refusals();
    bank_model();
    harness_formulas();
    return check_summary("examples");
}
