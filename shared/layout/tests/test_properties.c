/*
 * Properties of the algebra over generated layouts.
 *
 * usage: test_properties [CASES [SEED]]      (100000 and 1 by default)
 *
 * Each case draws three layouts a, b, c and a tiler and checks what must hold for them, with an
 * evaluator of its own (`at`, below), so that the library does not vouch for itself. Where the
 * library refuses, the case counts as refused; families that must never be refused are drawn too.
 */
#include "traffic/tests/check.h"
#include "layout/layout.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 288 }; /* largest size of a layout drawn */

/* ---- random numbers and layouts ---------------------------------------------------------- */

static uint64_t state;

static unsigned draw(unsigned below) /* xorshift64* */
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)((state * UINT64_C(2685821657736338717)) >> 33) % below;
}

/* A nested shape of size at most `limit`. */
static int64_t draw_shape(struct int_tuple *shape, int depth, int64_t limit)
{
    static const int sizes[] = {1, 2, 2, 2, 3, 4, 4, 5, 6, 8, 8, 9, 12, 16};
    int node = shape->nodes++, rank;
    int64_t size = 1;

    shape->rank[node] = 0;
    shape->value[node] = 0;
    if (depth == 0 || draw(3) == 0) {
        do
            size = sizes[draw(sizeof sizes / sizeof sizes[0])];
        while (size > limit);
        shape->value[node] = size;
        return size;
    }
    rank = 1 + (int)draw(3);
    shape->rank[node] = rank;
    for (int i = 0; i < rank; ++i)
        size *= draw_shape(shape, depth - 1, limit / size);
    return size;
}

/* Strides: compact in a random order of the modes (a permutation), or that with gaps, or with
 * some strides 0, or anything. */
enum style { PERMUTATION, GAPS, ZEROS, ANYTHING, STYLES };

static void draw_layout(struct layout *layout, enum style style, int64_t limit)
{
    struct int_tuple shape, stride;
    int order[LAYOUT_MAX_NODES], count = 0;
    int64_t next = 1;

    memset(&shape, 0, sizeof shape);
    draw_shape(&shape, (int)(draw(5) ? 1 + draw(3) : 0), limit);
    stride = shape;
    for (int i = 0; i < shape.nodes; ++i)
        if (!shape.rank[i]) {
            int at = (int)draw((unsigned)++count);
            order[count - 1] = order[at];
            order[at] = i;
        }
    if (draw(3) == 0) /* in order: column-major */
        for (int i = 0, at = 0; i < shape.nodes; ++i)
            if (!shape.rank[i])
                order[at++] = i;
    for (int i = 0; i < count; ++i) {
        int node = order[i];
        if (style == GAPS && draw(2))
            next = draw(3) ? next * (1 + draw(3)) : next + draw(4);
        stride.value[node] = style == ANYTHING ? draw(20) : next;
        if (style == ZEROS && draw(3) == 0)
            stride.value[node] = 0;
        else
            next *= shape.value[node];
    }
    if (!layout_make(&shape, &stride, layout, NULL)) {
        puts("the generator made an illegal layout");
        exit(1);
    }
}

/* ---- reference --------------------------------------------------------------------------- */

/* The offset at a 1-D index, straight from the definition: the index, written in the mixed radix
 * of the shape's integers from the left, times the strides. The last integer has no limit. */
static int64_t at(const struct layout *layout, int64_t index)
{
    int64_t offset = layout->offset, leaf = 0, leaves = 0;

    for (int i = 0; i < layout->shape.nodes; ++i)
        leaves += layout->shape.rank[i] == 0;
    for (int i = 0; i < layout->shape.nodes; ++i) {
        int64_t digit;
        if (layout->shape.rank[i])
            continue;
        digit = ++leaf == leaves ? index : index % layout->shape.value[i];
        index = (index - digit) / layout->shape.value[i];
        offset += digit * layout->stride.value[i];
    }
    for (int bit = 0; bit < layout->swizzle.bits; ++bit) {
        int low = layout->swizzle.base + bit;
        int distance = layout->swizzle.shift;
        int from = distance >= 0 ? low + distance : low;
        int to = distance >= 0 ? low : low - distance;
        if (offset >> from & 1)
            offset ^= INT64_C(1) << to;
    }
    return offset;
}

static bool same_tree(const struct layout *a, const struct layout *b)
{
    if (a->shape.nodes != b->shape.nodes)
        return false;
    for (int i = 0; i < a->shape.nodes; ++i)
        if (a->shape.rank[i] != b->shape.rank[i] ||
            (!a->shape.rank[i] &&
             (a->shape.value[i] != b->shape.value[i] || a->stride.value[i] != b->stride.value[i])))
            return false;
    return a->offset == b->offset && a->swizzle.bits == b->swizzle.bits &&
           a->swizzle.base == b->swizzle.base && a->swizzle.shift == b->swizzle.shift;
}

static const char *text(const struct layout *layout)
{
    static char room[4][LAYOUT_TEXT];
    static int next;

    next = (next + 1) % 4;
    layout_print(layout, room[next], LAYOUT_TEXT);
    return room[next];
}

static void concatenate(const struct layout *a, const struct layout *b, struct layout *result)
{
    const struct layout *part[] = {a, b};

    memset(result, 0, sizeof *result);
    result->shape.rank[0] = result->stride.rank[0] = 2;
    result->shape.nodes = 1;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < part[i]->shape.nodes; ++j, ++result->shape.nodes) {
            int node = result->shape.nodes;
            result->shape.rank[node] = result->stride.rank[node] = part[i]->shape.rank[j];
            result->shape.value[node] = part[i]->shape.value[j];
            result->stride.value[node] = part[i]->stride.value[j];
        }
    result->stride.nodes = result->shape.nodes;
}

/* ---- tallies ----------------------------------------------------------------------------- */

enum operation {
    COMPOSE,
    ASSOCIATE,
    COMPLEMENT,
    RIGHT,
    LEFT,
    DIVIDE,
    BY_MODE,
    PRODUCT,
    BLOCKED,
    RAKED,
    PARTITION,
    OPERATIONS
};
static const char *const operation_name[] = {
    "composition",    "associativity", "complement",      "right inverse", "left inverse", "divide",
    "divide by mode", "product",       "blocked product", "raked product", "partition"};
static long legal[OPERATIONS], refused[OPERATIONS];

static bool tally(enum operation operation, bool ok)
{
    ++(ok ? legal : refused)[operation];
    return ok;
}

/* ---- properties -------------------------------------------------------------------------- */

static bool same_values(const struct layout *a, const struct layout *b)
{
    for (int64_t i = 0; i < layout_size(b); ++i)
        if (at(a, i) != at(b, i))
            return false;
    return true;
}

static void check_function(const struct layout *a)
{
    struct layout again, simple;
    struct int_tuple coordinate;
    char printed[LAYOUT_TEXT];
    int64_t offset, largest = 0;
    bool ok = true, equal = false;

    layout_print(a, printed, sizeof printed);
    CHECK(layout_parse(printed, &again, NULL) && same_tree(a, &again), "%s", printed);
    for (int64_t i = 0; i < layout_size(a); ++i) {
        ok = ok && layout_at(a, i) == at(a, i);
        ok = ok && layout_coordinate(a, i, &coordinate, NULL) &&
             layout_map(a, &coordinate, &offset, NULL) && offset == at(a, i);
        largest = at(a, i) > largest ? at(a, i) : largest;
    }
    CHECK(ok, "%s", printed);
    CHECK(a->swizzle.bits || layout_cosize(a) == largest + 1, "%s", printed);

    CHECK(layout_coalesce(a, &simple, NULL), "%s", printed);
    CHECK(layout_depth(&simple) <= 1 && layout_size(&simple) == layout_size(a), "%s", printed);
    CHECK(same_values(&simple, a), "%s", printed);
    CHECK(layout_equal(a, &simple, &equal, &offset, NULL) && equal, "%s", printed);
    CHECK(layout_coalesce_modes(a, &simple, NULL) && layout_rank(&simple) == layout_rank(a), "%s",
          printed);
    CHECK(same_values(&simple, a), "%s", printed);
}

static void check_equality(const struct layout *a, const struct layout *b)
{
    bool equal = false;
    int64_t index = -1, first = 0;

    while (first < layout_size(a) && first < layout_size(b) && at(a, first) == at(b, first))
        ++first;
    if (first == layout_size(a) && first == layout_size(b))
        first = -1;
    CHECK(layout_equal(a, b, &equal, &index, NULL) && equal == (first < 0) && index == first,
          "%s and %s", text(a), text(b));
}

/* result(i) == a(b(i)), and each mode of b keeps its size. */
static void check_composition(const struct layout *a, const struct layout *b,
                              const struct layout *result)
{
    bool ok = layout_size(result) == layout_size(b) && layout_rank(b) <= layout_rank(result);

    for (int64_t i = 0; ok && i < layout_size(b); ++i)
        ok = at(result, i) == at(a, at(b, i));
    CHECK(ok, "%s o %s = %s", text(a), text(b), text(result));
    for (int mode = 0; b->shape.rank[0] && mode < layout_rank(b); ++mode) {
        struct layout of_b, of_result;
        ok = ok && layout_mode(b, mode, &of_b, NULL) &&
             layout_mode(result, mode, &of_result, NULL) &&
             layout_size(&of_b) == layout_size(&of_result);
    }
    CHECK(ok, "%s o %s = %s", text(a), text(b), text(result));
}

static void check_compose(const struct layout *a, const struct layout *b, const struct layout *c)
{
    struct layout ab, bc, left, right, identity, parts[2], both, first, second;
    bool equal = false;
    int64_t index;
    char printed[32];

    if (tally(COMPOSE, layout_compose(a, b, &ab, NULL)))
        check_composition(a, b, &ab);

    /* The identities on either side, and the shape as a layout, are never refused. */
    snprintf(printed, sizeof printed, "%lld:1", (long long)layout_cosize(b));
    CHECK(layout_parse(printed, &identity, NULL) && layout_compose(&identity, b, &both, NULL) &&
              layout_equal(b, &both, &equal, &index, NULL) && equal,
          "I o %s", text(b));
    CHECK(layout_column_major(&a->shape, &identity, NULL) &&
              layout_compose(a, &identity, &both, NULL) &&
              layout_equal(a, &both, &equal, &index, NULL) && equal,
          "%s o I", text(a));

    if (tally(ASSOCIATE, layout_compose(a, b, &ab, NULL) && layout_compose(b, c, &bc, NULL) &&
                             layout_compose(&ab, c, &left, NULL) &&
                             layout_compose(a, &bc, &right, NULL))) {
        /* b o c meets the inside of b's domain only if c stays in it; beyond, b goes on along
         * its last mode, a o b along the last piece of its own, and these may differ. */
        bool inside = layout_cosize(c) <= layout_size(b);
        CHECK(!inside || (layout_equal(&left, &right, &equal, &index, NULL) && equal),
              "(%s o %s) o %s", text(a), text(b), text(c));
    }

    /* a o (b, c) = (a o b, a o c) whenever the left side exists. */
    concatenate(b, c, &parts[0]);
    if (layout_compose(a, &parts[0], &both, NULL)) {
        check_composition(a, &parts[0], &both);
        CHECK(layout_compose(a, b, &first, NULL) && layout_compose(a, c, &second, NULL), "%s o %s",
              text(a), text(&parts[0]));
        concatenate(&first, &second, &parts[1]);
        CHECK(same_tree(&both, &parts[1]), "%s o %s", text(a), text(&parts[0]));
    }
}

/* Sorted strides, each a multiple of what the smaller ones span? Then nothing stays uncovered. */
static bool leaves_no_holes(const struct layout *a)
{
    int64_t span = 1;

    for (;;) {
        int next = -1;
        for (int i = 0; i < a->shape.nodes; ++i)
            if (!a->shape.rank[i] && a->shape.value[i] > 1 && a->stride.value[i] >= span &&
                (next < 0 || a->stride.value[i] < a->stride.value[next]))
                next = i;
        if (next < 0)
            return true;
        if (a->stride.value[next] % span)
            return false;
        span = a->stride.value[next] * a->shape.value[next];
    }
}

static void check_complement(const struct layout *a, bool must)
{
    static unsigned char met[1 << 20];
    struct layout filtered = *a, rest;
    int64_t extent = 1 + draw(600), reach = 0, covered = 0;
    bool ordered = true, disjoint = true;

    if (!tally(COMPLEMENT, layout_complement(a, extent, &rest, NULL))) {
        CHECK(!must, "complement of %s refused", text(a));
        return;
    }
    for (int i = 0; i < a->shape.nodes; ++i) /* a mode of stride 0 adds nothing */
        if (!a->shape.rank[i] && a->stride.value[i] == 0)
            filtered.shape.value[i] = 1;
    if (layout_size(&rest) > 5000 || layout_cosize(&rest) + layout_cosize(a) > (1 << 20))
        return;
    reach = layout_cosize(&rest) + layout_cosize(a);
    memset(met, 0, (size_t)reach);
    for (int64_t i = 0; i < layout_size(&rest); ++i) {
        ordered = ordered && (i == 0 || at(&rest, i) > at(&rest, i - 1));
        for (int64_t j = 0; j < layout_size(&filtered); ++j) {
            unsigned char *place = &met[at(&rest, i) + at(&filtered, j)];
            disjoint = disjoint && !*place;
            *place = 1;
        }
    }
    while (covered < reach && met[covered])
        ++covered;
    CHECK(ordered, "complement of %s in %lld", text(a), (long long)extent);
    CHECK(disjoint, "complement of %s in %lld: %s", text(a), (long long)extent, text(&rest));
    CHECK(!leaves_no_holes(a) || covered >= extent, "complement of %s in %lld: %s", text(a),
          (long long)extent, text(&rest));
}

static void check_inverses(const struct layout *a, bool is_permutation)
{
    struct layout inverse;
    bool ok = true;

    if (tally(RIGHT, layout_right_inverse(a, &inverse, NULL))) {
        for (int64_t i = 0; i < layout_size(&inverse); ++i)
            ok = ok && at(&inverse, i) < layout_size(a) && at(a, at(&inverse, i)) == i;
        CHECK(ok, "right inverse of %s: %s", text(a), text(&inverse));
        /* As long as it can be: no element of a lies at the next offset, if a is a permutation. */
        CHECK(!is_permutation || layout_size(&inverse) == layout_size(a), "%s: %s", text(a),
              text(&inverse));
    } else {
        CHECK(false, "right inverse of %s refused", text(a));
    }
    ok = true;
    if (tally(LEFT, layout_left_inverse(a, &inverse, NULL))) {
        for (int64_t i = 0; i < layout_size(a); ++i)
            ok = ok && at(&inverse, at(a, i)) == i;
        CHECK(ok, "left inverse of %s: %s", text(a), text(&inverse));
    } else {
        CHECK(!is_permutation, "left inverse of %s refused", text(a));
    }
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Do the two take the same offsets, each as often? */
static bool same_offsets(const struct layout *a, const struct layout *b)
{
    static int64_t of_a[LIMIT * 64], of_b[LIMIT * 64];
    int64_t size = layout_size(a);

    if (size != layout_size(b) || size > LIMIT * 64)
        return false;
    for (int64_t i = 0; i < size; ++i) {
        of_a[i] = at(a, i);
        of_b[i] = at(b, i);
    }
    qsort(of_a, (size_t)size, sizeof of_a[0], compare);
    qsort(of_b, (size_t)size, sizeof of_b[0], compare);
    return memcmp(of_a, of_b, (size_t)size * sizeof of_a[0]) == 0;
}

static void check_divide(const struct layout *a, const struct layout *b)
{
    struct layout logical, zipped, rest, both, again, tile;
    struct tiler tiler;

    layout_as_tiler(b, &tiler);
    if (!tally(DIVIDE, layout_divide(a, &tiler, LAYOUT_LOGICAL, &logical, NULL)))
        return;
    /* By definition: a after (b, complement of b in size(a)); the tile is a after b. */
    CHECK(layout_complement(b, layout_size(a), &rest, NULL), "%s / %s", text(a), text(b));
    concatenate(b, &rest, &both);
    CHECK(layout_compose(a, &both, &again, NULL) && same_tree(&logical, &again), "%s / %s", text(a),
          text(b));
    check_composition(a, &both, &logical);
    CHECK(layout_mode(&logical, 0, &tile, NULL) && layout_compose(a, b, &again, NULL) &&
              same_tree(&tile, &again),
          "%s / %s", text(a), text(b));
    /* Nothing lost, nothing twice. */
    if (layout_size(&logical) == layout_size(a) && leaves_no_holes(b))
        CHECK(same_offsets(&logical, a), "%s / %s = %s", text(a), text(b), text(&logical));
    CHECK(layout_divide(a, &tiler, LAYOUT_ZIPPED, &zipped, NULL) && same_tree(&logical, &zipped),
          "%s / %s", text(a), text(b));
}

/* Divide a rank-2 layout by a tile height and width, and check all four forms element by
 * element, the tile, and that the threads of a partition share out the elements. */
static void check_by_mode(const struct layout *a, const struct layout *b)
{
    struct layout grid, logical, zipped, tiled, flat, tile, mode[2];
    struct tiler tiler;
    char printed[64];
    int height = 1 + (int)draw(4), width = 1 + (int)draw(4);
    bool ok = true;

    concatenate(a, b, &grid);
    if (layout_size(&grid) > 8 * LIMIT)
        return;
    snprintf(printed, sizeof printed, draw(2) ? "(%d,%d)" : "<%d:1, %d:1>", height, width);
    CHECK(layout_parse_tiler(printed, &tiler, NULL), "%s", printed);
    if (!tally(BY_MODE, layout_divide(&grid, &tiler, LAYOUT_LOGICAL, &logical, NULL)))
        return;
    CHECK(layout_divide(&grid, &tiler, LAYOUT_ZIPPED, &zipped, NULL) &&
              layout_divide(&grid, &tiler, LAYOUT_TILED, &tiled, NULL) &&
              layout_divide(&grid, &tiler, LAYOUT_FLAT, &flat, NULL),
          "%s / %s", text(&grid), printed);
    for (int i = 0; i < 2; ++i)
        layout_mode(&logical, i, &mode[i], NULL);
    for (int64_t n = layout_size(&logical) - 1; n >= 0; --n) {
        int64_t rows = layout_size(&mode[0]), row = n % rows, col = n / rows;
        struct int_tuple zip = {7, {2, 2, 0, 0, 2, 0, 0}, {0}};
        struct int_tuple four = {5, {4}, {0}};
        int64_t expected = at(&mode[0], row) + at(&mode[1], col), offset;
        zip.value[2] = four.value[1] = row % height;
        zip.value[5] = four.value[3] = row / height;
        zip.value[3] = four.value[2] = col % width;
        zip.value[6] = four.value[4] = col / width;
        ok = ok && at(&logical, n) == expected;
        ok = ok && layout_map(&zipped, &zip, &offset, NULL) && offset == expected;
        ok = ok && layout_map(&flat, &four, &offset, NULL) && offset == expected;
        struct int_tuple three = {
            6, {3, 2, 0, 0, 0, 0}, {0, 0, zip.value[2], zip.value[3], zip.value[5], zip.value[6]}};
        ok = ok && layout_map(&tiled, &three, &offset, NULL) && offset == expected;
    }
    CHECK(ok, "%s / %s: %s, %s, %s", text(&grid), printed, text(&zipped), text(&tiled),
          text(&flat));

    /* One tile, and that tile element by element. */
    struct int_tuple which = {3, {2, 0, 0}, {0, 0, 0}};
    int64_t start, offset;
    which.value[1] = draw((unsigned)(layout_size(&mode[0]) / height));
    which.value[2] = draw((unsigned)(layout_size(&mode[1]) / width));
    CHECK(layout_local_tile(&grid, &tiler, &which, &tile, &start, NULL), "%s / %s", text(&grid),
          printed);
    ok = layout_size(&tile) == height * width;
    for (int row = 0; row < height; ++row)
        for (int col = 0; col < width; ++col) {
            struct int_tuple zip = {
                7, {2, 2, 0, 0, 2, 0, 0}, {0, 0, row, col, 0, which.value[1], which.value[2]}};
            ok = ok && layout_map(&zipped, &zip, &offset, NULL) &&
                 offset == start + at(&tile, row + height * col);
        }
    CHECK(ok, "tile of %s / %s: %lld + %s", text(&grid), printed, (long long)start, text(&tile));

    /* The same shape as row-major threads: together they own every element once. */
    struct layout threads, part;
    snprintf(printed, sizeof printed, "(%d,%d):(%d,1)", height, width, width);
    CHECK(layout_parse(printed, &threads, NULL), "%s", printed);
    ok = true;
    int64_t owned = 0, sum = 0, expected = 0;
    for (int thread = 0; ok && thread < height * width; ++thread) {
        ok = layout_local_partition(&grid, &threads, thread, &part, &start, NULL);
        for (int64_t i = 0; ok && i < layout_size(&part); ++i) {
            sum += start + at(&part, i);
            ++owned;
        }
    }
    for (int64_t i = 0; i < layout_size(&zipped); ++i)
        expected += at(&zipped, i);
    tally(PARTITION, ok);
    CHECK(ok && owned == layout_size(&zipped) && sum == expected, "partition of %s by %s",
          text(&grid), printed);
}

static bool is_injective(const struct layout *a)
{
    for (int64_t i = 0; i < layout_size(a); ++i)
        for (int64_t j = 0; j < i; ++j)
            if (at(a, i) == at(a, j))
                return false;
    return true;
}

static void check_product(const struct layout *a, const struct layout *b)
{
    struct layout logical, other, block, grid;
    struct tiler tiler;
    bool ok = true;

    layout_as_tiler(b, &tiler);
    if (!tally(PRODUCT, layout_product(a, &tiler, LAYOUT_LOGICAL, &logical, NULL)))
        return;
    CHECK(layout_mode(&logical, 0, &block, NULL) && same_tree(&block, a), "%s x %s", text(a),
          text(b));
    CHECK(layout_mode(&logical, 1, &grid, NULL) && layout_size(&grid) == layout_size(b), "%s x %s",
          text(a), text(b));
    if (layout_size(&logical) <= 300 && is_injective(a) && is_injective(b))
        CHECK(is_injective(&logical), "%s x %s = %s", text(a), text(b), text(&logical));
    for (int form = LAYOUT_BLOCKED; form <= LAYOUT_RAKED; ++form) {
        enum operation operation = form == LAYOUT_BLOCKED ? BLOCKED : RAKED;
        if (!tally(operation, layout_product(a, &tiler, (enum layout_form)form, &other, NULL)))
            continue;
        CHECK(same_offsets(&other, &logical), "%s x %s = %s, logical %s", text(a), text(b),
              text(&other), text(&logical));
        if (a->shape.rank[0] != 2 || b->shape.rank[0] != 2)
            continue;
        /* Blocked: coordinate block + size * tile in each mode; raked: tile + size * block. */
        struct layout of[4];
        for (int i = 0; i < 2; ++i) {
            layout_mode(a, i, &of[i], NULL);
            layout_mode(&grid, i, &of[2 + i], NULL);
        }
        int64_t h = layout_size(&of[0]), w = layout_size(&of[1]);
        int64_t down = layout_size(&of[2]), across = layout_size(&of[3]);
        for (int64_t n = 0; n < h * w * down * across; ++n) {
            int64_t i = n % h, j = n / h % w, k = n / (h * w) % down, l = n / (h * w * down);
            struct int_tuple place = {3, {2, 0, 0}, {0, 0, 0}};
            int64_t offset;
            place.value[1] = form == LAYOUT_BLOCKED ? i + h * k : k + down * i;
            place.value[2] = form == LAYOUT_BLOCKED ? j + w * l : l + across * j;
            ok = ok && layout_map(&other, &place, &offset, NULL) &&
                 offset == at(&of[0], i) + at(&of[1], j) + at(&of[2], k) + at(&of[3], l);
        }
        CHECK(ok, "%s x %s = %s", text(a), text(b), text(&other));
    }
}

/* Fix or keep each top-level mode at random: the slice holds what the whole holds there. */
static void check_slice(const struct layout *a)
{
    struct int_tuple coordinate, sub;
    struct layout slice;
    int64_t start, offset, expected;
    int rank = a->shape.rank[0], kept = 0;

    if (!rank)
        return;
    memset(&coordinate, 0, sizeof coordinate);
    memset(&sub, 0, sizeof sub);
    coordinate.rank[coordinate.nodes++] = rank;
    for (int mode = 0; mode < rank; ++mode) {
        struct layout one;
        layout_mode(a, mode, &one, NULL);
        bool keep = draw(2) || (mode == rank - 1 && kept == 0);
        coordinate.value[coordinate.nodes++] =
            keep ? LAYOUT_ALL : (int64_t)draw((unsigned)layout_size(&one));
        kept += keep;
    }
    CHECK(layout_slice(a, &coordinate, &slice, &start, NULL) && layout_rank(&slice) == kept, "%s",
          text(a));
    /* A random element of the slice, put back into the whole. */
    sub = coordinate;
    int64_t n = draw((unsigned)layout_size(&slice)), rest = n;
    for (int mode = 0; mode < rank; ++mode)
        if (sub.value[1 + mode] == LAYOUT_ALL) {
            struct layout one;
            layout_mode(a, mode, &one, NULL);
            sub.value[1 + mode] = rest % layout_size(&one);
            rest /= layout_size(&one);
        }
    expected = start + at(&slice, n);
    CHECK(layout_map(a, &sub, &offset, NULL) && offset == expected, "%s", text(a));
}

static void check_swizzled(const struct layout *a, const struct layout *b)
{
    struct swizzle swizzle;
    struct layout swizzled, composed;
    struct layout_error error;

    swizzle.bits = (int)draw(5);
    swizzle.base = (int)draw(4);
    swizzle.shift = (int)(draw(5) + (unsigned)swizzle.bits) * (draw(2) ? 1 : -1);
    CHECK(layout_swizzle(swizzle, a, &swizzled, &error), "Sw<%d,%d,%d>: %s", swizzle.bits,
          swizzle.base, swizzle.shift, error.message);
    check_function(&swizzled);
    check_slice(&swizzled);
    check_equality(&swizzled, a);
    /* A swizzle stays in front of a composition: (Sw o a) o b = Sw o (a o b). */
    if (layout_compose(&swizzled, b, &composed, NULL))
        check_composition(&swizzled, b, &composed);
    for (int64_t i = 0; i < 64; ++i)
        CHECK(swizzle_apply(swizzled.swizzle, swizzle_apply(swizzled.swizzle, i)) == i,
              "Sw<%d,%d,%d> is its own inverse", swizzle.bits, swizzle.base, swizzle.shift);
}

/* ---- main -------------------------------------------------------------------------------- */

static bool is_hard(const struct layout *a)
{
    if (layout_depth(a) >= 2 || layout_rank(a) >= 3)
        return true;
    for (int i = 0; i < a->shape.nodes; ++i) {
        int64_t stride = a->stride.value[i];
        if (!a->shape.rank[i] && (stride == 0 || (stride & (stride - 1))))
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    long cases = argc > 1 ? atol(argv[1]) : 100000, layouts = 0, hard = 0;

    state = 0x9e3779b97f4a7c15u ^ (argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    for (long i = 0; i < cases; ++i) {
        /* Mostly like with like: permutations and gaps are where much is legal. */
        enum style style = (enum style)draw(STYLES);
        struct layout a, b, c;
        draw_layout(&a, style, LIMIT);
        draw_layout(&b, draw(2) ? PERMUTATION : (enum style)draw(STYLES), LIMIT / 4);
        draw_layout(&c, draw(2) ? PERMUTATION : (enum style)draw(STYLES), LIMIT / 8);
        layouts += 3;
        hard += is_hard(&a) + is_hard(&b) + is_hard(&c);
        check_function(&a);
        check_equality(&a, &b);
        check_compose(&a, &b, &c);
        check_complement(&a, style == PERMUTATION);
        check_inverses(&a, style == PERMUTATION);
        check_divide(&a, &b);
        check_by_mode(&b, &c);
        check_product(&b, &c);
        check_slice(&a);
        check_swizzled(&a, &b);
    }
    printf("%ld cases, %ld layouts, %ld of them (%ld %%) nested two deep or more, of rank three or "
           "more,\nor with a stride that is zero or no power of two\n",
           cases, layouts, hard, hard * 100 / layouts);
    for (int i = 0; i < OPERATIONS; ++i)
        printf("  %-16s %8ld legal %8ld refused\n", operation_name[i], legal[i], refused[i]);
    return check_summary("properties");
}
