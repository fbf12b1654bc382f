/* Implements the commands of the algebra, and reports bad input. */
#include "layout_commands.h"
#include "layout_banks.h"

#include <string.h>

/* ---- errors ------------------------------------------------------------------------------ */

int bad_input(const char *message, const char *argument, size_t at)
{
    fprintf(stderr, "layout: %s\n", message);
    if (argument) {
        fputs("  ", stderr);
        for (const char *c = argument; *c; ++c)
            fputc(*c >= ' ' && *c <= '~' ? *c : '?', stderr);
        fprintf(stderr, "\n  %*s^\n", (int)at, "");
    }
    return 2;
}

/* Returns the position in the text of a node of a layout, tiler or coordinate. Nodes correspond, in
 * order, to opening parentheses and integers outside strides. */
static size_t node_position(const char *text, int node)
{
    const char *at = strrchr(text, 'o'); /* after the prefix of a swizzle */

    at = at ? at + 1 : text;
    for (;;) {
        at += strcspn(at, "(<_0123456789:");
        if (*at == '\0')
            return 0;
        if (*at == ':') {
            int depth = 0;
            ++at;
            do {
                at += strspn(at, " \t");
                depth += (*at == '(') - (*at == ')');
                if (*at)
                    ++at;
            } while (*at && (depth > 0 || (*at != ',' && *at != '>' && *at != ')')));
            continue;
        }
        if (node-- <= 0)
            return (size_t)(at - text);
        at += *at == '(' || *at == '<' ? 1 : strspn(at, "_0123456789");
    }
}

int layout_refused(const struct layout_error *error, char **arguments, int count)
{
    const char *argument =
        error->operand >= 0 && error->operand < count ? arguments[error->operand] : NULL;

    return bad_input(error->message, argument, argument ? node_position(argument, error->node) : 0);
}

bool parse_layout(const char *text, struct layout *layout)
{
    struct layout_error error;

    if (layout_parse(text, layout, &error))
        return true;
    bad_input(error.message, text, (size_t)error.offset);
    return false;
}

static bool parse_tiler(const char *text, struct tiler *tiler)
{
    struct layout_error error;

    if (layout_parse_tiler(text, tiler, &error))
        return true;
    bad_input(error.message, text, (size_t)error.offset);
    return false;
}

static bool parse_coordinate(const char *text, struct int_tuple *coordinate)
{
    struct layout_error error;

    if (layout_parse_coordinate(text, coordinate, &error))
        return true;
    bad_input(error.message, text, (size_t)error.offset);
    return false;
}

static bool parse_index(const char *text, int64_t *index)
{
    struct int_tuple coordinate;

    if (!parse_coordinate(text, &coordinate))
        return false;
    if (coordinate.rank[0] || coordinate.value[0] == LAYOUT_ALL) {
        bad_input("expected an integer", text, 0);
        return false;
    }
    *index = coordinate.value[0];
    return true;
}

/* ---- results ----------------------------------------------------------------------------- */

int print_result(const struct layout *layout)
{
    char text[LAYOUT_TEXT];

    layout_print(layout, text, sizeof text);
    puts(text);
    return 0;
}

static int print_at_offset(const struct layout *layout, int64_t offset)
{
    printf("offset %lld\n", (long long)offset);
    return print_result(layout);
}

int draw_grid(const struct grid *grid, const struct options *options, const char *argument)
{
    if (layout_size(grid->layout) > GRID_MAX_CELLS)
        return bad_input("the layout is too large to draw: 1048576 elements at most", argument, 0);
    if ((options->png || options->svg) && (tile_rows(grid->layout) > PICTURE_MAX_SIDE ||
                                           tile_columns(grid->layout) > PICTURE_MAX_SIDE))
        return bad_input("the layout is too large for a picture: 128 cells wide and high at most",
                         argument, 0);
    if ((options->png && !grid_picture(grid, options->png, false)) ||
        (options->svg && !grid_picture(grid, options->svg, true)))
        return 1;
    if (options->tsv)
        grid_tsv(grid, stdout);
    else if (!options->png && !options->svg)
        grid_print(grid, stdout);
    return 0;
}

/* ---- commands: argv[0], argv[1], ... are the operands ------------------------------------- */

int command_show(int argc, char **argv, const struct options *options)
{
    struct layout layout;
    struct grid grid = {&layout, GRID_OFFSET, 0, 1};
    int status;

    (void)argc;
    if (!parse_layout(argv[0], &layout))
        return 2;
    status = draw_grid(&grid, options, argv[0]);
    return status || options->tsv ? status : print_result(&layout);
}

static bool has_all(const struct int_tuple *coordinate)
{
    for (int i = 0; i < coordinate->nodes; ++i)
        if (!coordinate->rank[i] && coordinate->value[i] == LAYOUT_ALL)
            return true;
    return false;
}

int command_map(int argc, char **argv, const struct options *options)
{
    struct layout layout, slice;
    struct int_tuple coordinate;
    struct layout_error error;
    int64_t offset;

    (void)options;
    if (!parse_layout(argv[0], &layout))
        return 2;
    for (int i = 1; i < argc; ++i) {
        char *operands[] = {argv[0], argv[i]};
        if (!parse_coordinate(argv[i], &coordinate))
            return 2;
        if (has_all(&coordinate)) {
            if (!layout_slice(&layout, &coordinate, &slice, &offset, &error))
                return layout_refused(&error, operands, 2);
            print_at_offset(&slice, offset);
        } else {
            if (!layout_map(&layout, &coordinate, &offset, &error))
                return layout_refused(&error, operands, 2);
            printf("%lld\n", (long long)offset);
        }
    }
    return 0;
}

int command_coord(int argc, char **argv, const struct options *options)
{
    struct layout layout;
    struct int_tuple coordinate;
    struct layout_error error;
    char text[LAYOUT_TEXT];
    int64_t index;

    (void)options;
    if (!parse_layout(argv[0], &layout))
        return 2;
    for (int i = 1; i < argc; ++i) {
        char *operands[] = {argv[0], argv[i]};
        if (!parse_index(argv[i], &index))
            return 2;
        if (!layout_coordinate(&layout, index, &coordinate, &error))
            return layout_refused(&error, operands, 2);
        int_tuple_print(&coordinate, text, sizeof text);
        puts(text);
    }
    return 0;
}

int command_compose(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct swizzle swizzle;
    struct layout_error error;

    (void)options;
    if (argv[0][strspn(argv[0], " ")] == 'S' && !strchr(argv[0], 'o')) {
        if (!layout_parse_swizzle(argv[0], &swizzle, &error))
            return bad_input(error.message, argv[0], (size_t)error.offset);
        if (!parse_layout(argv[1], &a))
            return 2;
        if (!layout_swizzle(swizzle, &a, &result, &error))
            return layout_refused(&error, argv, argc);
        return print_result(&result);
    }
    if (!parse_layout(argv[0], &a))
        return 2;
    if (argv[1][strspn(argv[1], " ")] == 'S') { /* a swizzled layout is no tiler */
        struct layout inner;
        if (!parse_layout(argv[1], &inner))
            return 2;
        if (!layout_compose(&a, &inner, &result, &error))
            return layout_refused(&error, argv, argc);
        return print_result(&result);
    }
    if (!parse_tiler(argv[1], &b))
        return 2;
    if (!layout_compose_tiler(&a, &b, &result, &error))
        return layout_refused(&error, argv, argc);
    return print_result(&result);
}

int command_coalesce(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct layout_error error;

    (void)options;
    if (!parse_layout(argv[0], &a))
        return 2;
    if (!layout_coalesce(&a, &result, &error))
        return layout_refused(&error, argv, argc);
    return print_result(&result);
}

int command_complement(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct layout_error error;
    int64_t extent = 0;

    (void)options;
    if (!parse_layout(argv[0], &a) || (argc == 2 && !parse_index(argv[1], &extent)))
        return 2;
    if (argc == 2 && extent == 0)
        return bad_input("an extent must be at least 1", argv[1], 0);
    if (!layout_complement(&a, extent, &result, &error))
        return layout_refused(&error, argv, argc);
    return print_result(&result);
}

int command_inverse(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct layout_error error;

    if (!parse_layout(argv[0], &a))
        return 2;
    if (!(options->left ? layout_left_inverse : layout_right_inverse)(&a, &result, &error))
        return layout_refused(&error, argv, argc);
    return print_result(&result);
}

int command_divide(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct layout_error error;

    if (!parse_layout(argv[0], &a) || !parse_tiler(argv[1], &b))
        return 2;
    if (!layout_divide(&a, &b, options->form, &result, &error))
        return layout_refused(&error, argv, argc);
    return print_result(&result);
}

int command_product(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct layout_error error;

    if (!parse_layout(argv[0], &a) || !parse_tiler(argv[1], &b))
        return 2;
    if (!layout_product(&a, &b, options->form, &result, &error))
        return layout_refused(&error, argv, argc);
    return print_result(&result);
}

int command_tile(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct int_tuple coordinate;
    struct layout_error error;
    int64_t offset;

    (void)options;
    if (!parse_layout(argv[0], &a) || !parse_tiler(argv[1], &b) ||
        !parse_coordinate(argv[2], &coordinate))
        return 2;
    if (!layout_local_tile(&a, &b, &coordinate, &result, &offset, &error))
        return layout_refused(&error, argv, argc);
    return print_at_offset(&result, offset);
}

int command_partition(int argc, char **argv, const struct options *options)
{
    struct layout a, threads, result;
    struct layout_error error;
    int64_t index, offset;

    (void)options;
    if (!parse_layout(argv[0], &a) || !parse_layout(argv[1], &threads) ||
        !parse_index(argv[2], &index))
        return 2;
    if (!layout_local_partition(&a, &threads, index, &result, &offset, &error))
        return layout_refused(&error, argv, argc);
    return print_at_offset(&result, offset);
}

int command_equal(int argc, char **argv, const struct options *options)
{
    struct layout a, b;
    struct layout_error error;
    int64_t index;
    bool same;

    (void)options;
    if (!parse_layout(argv[0], &a) || !parse_layout(argv[1], &b))
        return 2;
    if (!layout_equal(&a, &b, &same, &index, &error))
        return layout_refused(&error, argv, argc);
    if (same) {
        puts("equal");
        return 0;
    }
    if (index < layout_size(&a) && index < layout_size(&b))
        printf("at index %lld the first gives %lld, the second %lld\n", (long long)index,
               (long long)layout_at(&a, index), (long long)layout_at(&b, index));
    else
        printf("the first has size %lld, the second %lld\n", (long long)layout_size(&a),
               (long long)layout_size(&b));
    puts("different");
    return 1;
}

int command_threads(int argc, char **argv, const struct options *options)
{
    struct layout lanes, values, owner, table;
    struct layout_error error;
    struct grid grid = {&owner, GRID_THREAD, 0, 1};
    int status;

    if (!parse_layout(argv[0], &lanes) || !parse_layout(argv[1], &values))
        return 2;
    if (!layout_tiled_copy(&lanes, &values, &owner, &table, &error))
        return layout_refused(&error, argv, argc);
    grid.threads = layout_size(&lanes);
    status = draw_grid(&grid, options, argv[0]);
    if (status || options->tsv)
        return status;
    if (!options->png && !options->svg)
        printf("thread:value of each element; (thread,value) -> 1-D coordinate:\n");
    return print_result(&table);
}
