/*
 * Fuzzer of the parser and of every operation: libFuzzer's entry point. The input is text: up to
 * four lines, a layout, a layout or tiler, a coordinate, a bare swizzle. Whatever parses goes
 * through all the operations; results must hold what layout.h promises. A broken promise aborts.
 *
 * With -DSTANDALONE a main runs the files given as arguments, for places without libFuzzer.
 */
#include "layout/layout.h"
#include "layout/layout_banks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool promise)
{
    if (!promise)
        abort();
}

/* Indices to try: the first few, some in the middle, the last. */
static int64_t sample(const struct layout *layout, int n)
{
    int64_t size = layout_size(layout);

    return n < 24 ? n % size : n < 48 ? size / 48 * n + n % size % 7 : size - 1;
}
enum { SAMPLES = 49 };

/* Legal as layout_make sees it, prints to itself, evaluates within its cosize. */
static void check_layout(const struct layout *layout)
{
    char text[LAYOUT_TEXT];
    struct layout again;
    struct int_tuple coordinate;
    int64_t offset, plain;

    require(layout_make(&layout->shape, &layout->stride, &again, NULL));
    require(layout_print(layout, text, sizeof text) < (int)sizeof text);
    require(layout_parse(text, &again, NULL));
    require(again.shape.nodes == layout->shape.nodes && again.offset == layout->offset);
    for (int n = 0; n < SAMPLES; ++n) {
        int64_t index = sample(layout, n);
        if (index >= layout_size(layout))
            continue;
        plain = layout_at(layout, index);
        require(plain >= 0 && layout_at(&again, index) == plain);
        require(layout->swizzle.bits || plain < layout_cosize(layout));
        require(layout_coordinate(layout, index, &coordinate, NULL));
        require(layout_map(layout, &coordinate, &offset, NULL) && offset == plain);
    }
}

static void check_composition(const struct layout *a, const struct layout *b,
                              const struct layout *result)
{
    check_layout(result);
    require(layout_size(result) == layout_size(b));
    for (int n = 0; n < SAMPLES; ++n) {
        int64_t index = sample(b, n), inner, outer;
        if (index >= layout_size(b))
            continue;
        inner = layout_at(b, index);
        outer = layout_at(a, inner);
        require(outer < 0 || layout_at(result, index) == outer);
    }
}

static void check_inverses(const struct layout *a)
{
    struct layout inverse;

    if (layout_right_inverse(a, &inverse, NULL)) {
        check_layout(&inverse);
        for (int n = 0; n < SAMPLES; ++n) {
            int64_t index = sample(&inverse, n);
            if (index < layout_size(&inverse))
                require(layout_at(a, layout_at(&inverse, index)) == index);
        }
    }
    if (layout_left_inverse(a, &inverse, NULL)) {
        check_layout(&inverse);
        for (int n = 0; n < SAMPLES; ++n) {
            int64_t index = sample(a, n);
            if (index < layout_size(a))
                require(layout_at(&inverse, layout_at(a, index)) == index);
        }
    }
}

static void check_banks(const struct layout *tile)
{
    struct bank_access access;
    struct bank_request request;
    struct swizzle_score score;
    int requests;

    if (layout_size(tile) > 256)
        return;
    memset(&access, 0, sizeof access);
    for (int order = BANK_ROW; order <= BANK_COLUMN; ++order)
        for (access.bytes = 1; access.bytes <= 16; access.bytes *= 2)
            for (access.vector = 1; access.vector * access.bytes <= 16; access.vector *= 2) {
                access.order = (enum bank_order)order;
                if (!bank_requests(tile, &access, &requests, NULL))
                    continue;
                for (int i = 0; i < requests && i < 4; ++i) {
                    bank_request(tile, &access, i, &request);
                    require(request.wavefronts >= request.ideal && request.degree >= 1);
                    require(request.degree > 1 || request.sets == 0);
                }
            }
    access.order = BANK_COLUMN;
    access.bytes = 4;
    access.vector = 1;
    for (int number = 0; layout_size(tile) <= 64 && number < 8; ++number)
        if (!swizzle_candidate(tile, &access, 1, number, &score))
            break;
}

static void check_pair(const struct layout *a, const struct tiler *tiler,
                       const struct int_tuple *coordinate)
{
    struct layout result, again;
    int64_t offset;
    bool equal;

    if (layout_compose_tiler(a, tiler, &result, NULL)) {
        if (tiler->kind[0] == TILER_LAYOUT)
            check_composition(a, &tiler->layout, &result);
        check_layout(&result);
    }
    for (int form = LAYOUT_LOGICAL; form <= LAYOUT_RAKED; ++form) {
        if (layout_divide(a, tiler, (enum layout_form)form, &result, NULL))
            check_layout(&result);
        if (layout_product(a, tiler, (enum layout_form)form, &result, NULL))
            check_layout(&result);
    }
    if (coordinate && layout_local_tile(a, tiler, coordinate, &result, &offset, NULL))
        check_layout(&result);
    if (tiler->kind[0] != TILER_LAYOUT)
        return;
    if (layout_local_partition(a, &tiler->layout, 5, &result, &offset, NULL))
        check_layout(&result);
    if (layout_tiled_copy(a, &tiler->layout, &result, &again, NULL)) {
        check_layout(&result);
        check_layout(&again);
    }
    require(a->swizzle.bits || layout_equal(a, &tiler->layout, &equal, &offset, NULL));
}

static void check_one(const struct layout *a, const struct int_tuple *coordinate)
{
    struct layout result;
    int64_t offset, index;
    bool equal = false;

    check_layout(a);
    require(layout_coalesce(a, &result, NULL) && layout_depth(&result) <= 1);
    check_layout(&result);
    require(layout_equal(a, &result, &equal, &index, NULL) && equal);
    require(layout_coalesce_modes(a, &result, NULL));
    require(layout_equal(a, &result, &equal, &index, NULL) && equal);
    for (int64_t extent = 0; extent < LAYOUT_MAX_INT / 1024; extent = extent * 1000 + 7)
        if (layout_complement(a, extent, &result, NULL)) {
            check_layout(&result);
            for (int n = 1; n < SAMPLES; ++n) {
                int64_t at = sample(&result, n);
                if (at > 0 && at < layout_size(&result))
                    require(layout_at(&result, at) > layout_at(&result, at - 1));
            }
        }
    check_inverses(a);
    check_banks(a);
    if (coordinate) {
        (void)layout_map(a, coordinate, &offset, NULL);
        if (layout_slice(a, coordinate, &result, &offset, NULL))
            check_layout(&result);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[4][512], printed[LAYOUT_TEXT];
    struct layout a, b;
    struct tiler tiler;
    struct int_tuple coordinate;
    struct swizzle swizzle;
    struct layout_error error;
    size_t length = 0;
    int line = 0;
    bool has_a, has_coordinate;

    memset(text, 0, sizeof text);
    for (size_t i = 0; i < size && line < 4; ++i) {
        if (data[i] == '\n')
            ++line, length = 0;
        else if (length + 1 < sizeof text[0])
            text[line][length++] = (char)data[i];
    }
    has_coordinate = layout_parse_coordinate(text[2], &coordinate, &error);
    if (has_coordinate)
        require(int_tuple_print(&coordinate, printed, sizeof printed) < (int)sizeof printed);
    else
        require(error.offset >= 0 && error.offset <= (int)strlen(text[2]));
    has_a = layout_parse(text[0], &a, &error);
    if (!has_a) {
        require(error.offset >= 0 && error.offset <= (int)strlen(text[0]));
        return 0;
    }
    check_one(&a, has_coordinate ? &coordinate : NULL);
    if (layout_parse_swizzle(text[3], &swizzle, &error) && layout_swizzle(swizzle, &a, &b, NULL))
        check_one(&b, NULL);
    if (layout_parse(text[1], &b, &error)) {
        struct layout result;
        if (layout_compose(&a, &b, &result, NULL))
            check_composition(&a, &b, &result);
    }
    if (layout_parse_tiler(text[1], &tiler, &error))
        check_pair(&a, &tiler, has_coordinate ? &coordinate : NULL);
    else
        require(error.offset >= 0 && error.offset <= (int)strlen(text[1]));
    return 0;
}

#ifdef STANDALONE
int main(int argc, char **argv)
{
    static uint8_t data[1 << 16];

    for (int i = 1; i < argc; ++i) {
        FILE *file = fopen(argv[i], "rb");
        if (!file)
            return perror(argv[i]), 1;
        LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
        fclose(file);
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}
#endif
