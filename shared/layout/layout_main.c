/*
 * The program `layout`: the algebra from a command line. One function per command; all of them
 * print the resulting layout alone on their last line.
 *
 * Exit status: 0 done; 1 the answer is no (`equal`), or a file or gnuplot failed; 2 bad input,
 * which one line on standard error explains, with the input and a caret below it.
 */
#include "layout.h"
#include "layout_banks.h"
#include "layout_draw.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ACCESSES 8

static const char usage[] =
    "usage: layout COMMAND ...\n"
    "\n"
    "  show L                    the grid of offsets: mode 0 down, the other modes across\n"
    "  map L COORD...            the offset at each coordinate; with _ in it, a slice\n"
    "  coord L INDEX...          the coordinate with each 1-D index (first mode fastest)\n"
    "  compose A B               A after B; B may be a tiler, A a bare swizzle\n"
    "  coalesce A                the same function with the fewest modes\n"
    "  complement A [M]          the translates of A that tile 0 to M - 1 (M: A's cosize)\n"
    "  inverse [--left] A        right inverse, or left\n"
    "  divide [--zipped|--tiled|--flat] A B\n"
    "                            split A into tiles B and the rest; logical by default\n"
    "  product [--zipped|--tiled|--flat|--blocked|--raked] A B\n"
    "                            repeat A as B says; logical by default\n"
    "  tile A B COORD            the tile of A at COORD (CuTe's local_tile)\n"
    "  partition A THREADS INDEX the elements of A of one thread (CuTe's local_partition)\n"
    "  equal A B                 are they the same function of a 1-D coordinate?\n"
    "  threads THREADS VALUES    which thread:value owns each element of a tiled copy\n"
    "  banks L [--bytes 4] [--access row|column|THREADS]... [--vector 1]\n"
    "                            the bank of each element, the wavefronts of each request\n"
    "  search L [--bytes 4] [--access row|column|THREADS]... [--vector 1]\n"
    "                            the swizzles that make all the accesses free of conflicts\n"
    "\n"
    "options of show, threads and banks: --tsv for gnuplot, --png FILE, --svg FILE\n"
    "--access may be given several times; without it, row and column are both taken.\n"
    "THREADS of an access: a layout from lane to the 1-D coordinate in the tile.\n"
    "\n"
    "A layout L is written as CuTe prints it: (4,8):(8,1), ((2,4),3):((1,6),2),\n"
    "Sw<3,4,3> o 0 o (8,8):(8,1); without strides it is column-major: (4,8). A tiler B is a\n"
    "layout, or one for each mode: <3:1,(2,4):(1,8)>, (2,4) for <2:1,4:1>, _ to skip a mode.\n"
    "\n"
    "exit status: 0 done, 1 `equal` says no or a file or gnuplot failed, 2 bad input\n";

struct options {
    enum layout_form form;
    bool left, tsv;
    const char *png, *svg;
    int bytes, vector;
    const char *access[MAX_ACCESSES];
    int accesses;
};

/* ---- errors ------------------------------------------------------------------------------ */

/* The one line, then the argument with a caret under its byte `at`. */
static int bad_input(const char *message, const char *argument, size_t at)
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

/* Where node `node` of a layout, tiler or coordinate is written: nodes correspond, in order, to
 * opening parentheses and integers, those of strides left out. */
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

/* An operation failed: its arguments are operand 0, 1, 2 of the error. */
static int refused(const struct layout_error *error, char **arguments, int count)
{
    const char *argument =
        error->operand >= 0 && error->operand < count ? arguments[error->operand] : NULL;

    return bad_input(error->message, argument,
                     argument ? node_position(argument, error->node) : 0);
}

static bool parse(const char *text, struct layout *layout)
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

static int print_result(const struct layout *layout)
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

/* The picture, TSV or text of a grid. Text is followed by the caller's own lines. */
static int draw(const struct grid *grid, const struct options *options, const char *argument)
{
    if (layout_size(grid->layout) > GRID_MAX_CELLS)
        return bad_input("the layout is too large to draw: 1048576 elements at most", argument, 0);
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

static int show(int argc, char **argv, const struct options *options)
{
    struct layout layout;
    struct grid grid = {&layout, GRID_OFFSET, 0, 1};
    int status;

    (void)argc;
    if (!parse(argv[0], &layout))
        return 2;
    status = draw(&grid, options, argv[0]);
    return status || options->tsv ? status : print_result(&layout);
}

static bool has_all(const struct int_tuple *coordinate)
{
    for (int i = 0; i < coordinate->nodes; ++i)
        if (!coordinate->rank[i] && coordinate->value[i] == LAYOUT_ALL)
            return true;
    return false;
}

static int map(int argc, char **argv, const struct options *options)
{
    struct layout layout, slice;
    struct int_tuple coordinate;
    struct layout_error error;
    int64_t offset;

    (void)options;
    if (!parse(argv[0], &layout))
        return 2;
    for (int i = 1; i < argc; ++i) {
        char *operands[] = {argv[0], argv[i]};
        if (!parse_coordinate(argv[i], &coordinate))
            return 2;
        if (has_all(&coordinate)) {
            if (!layout_slice(&layout, &coordinate, &slice, &offset, &error))
                return refused(&error, operands, 2);
            print_at_offset(&slice, offset);
        } else {
            if (!layout_map(&layout, &coordinate, &offset, &error))
                return refused(&error, operands, 2);
            printf("%lld\n", (long long)offset);
        }
    }
    return 0;
}

static int coord(int argc, char **argv, const struct options *options)
{
    struct layout layout;
    struct int_tuple coordinate;
    struct layout_error error;
    char text[LAYOUT_TEXT];
    int64_t index;

    (void)options;
    if (!parse(argv[0], &layout))
        return 2;
    for (int i = 1; i < argc; ++i) {
        char *operands[] = {argv[0], argv[i]};
        if (!parse_index(argv[i], &index))
            return 2;
        if (!layout_coordinate(&layout, index, &coordinate, &error))
            return refused(&error, operands, 2);
        int_tuple_print(&coordinate, text, sizeof text);
        puts(text);
    }
    return 0;
}

static int compose(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct swizzle swizzle;
    struct layout_error error;

    (void)options;
    if (argv[0][strspn(argv[0], " ")] == 'S' && !strchr(argv[0], 'o')) {
        if (!layout_parse_swizzle(argv[0], &swizzle, &error))
            return bad_input(error.message, argv[0], (size_t)error.offset);
        if (!parse(argv[1], &a))
            return 2;
        if (!layout_swizzle(swizzle, &a, &result, &error))
            return refused(&error, argv, argc);
        return print_result(&result);
    }
    if (!parse(argv[0], &a))
        return 2;
    if (argv[1][strspn(argv[1], " ")] == 'S') { /* a swizzled layout is no tiler */
        struct layout inner;
        if (!parse(argv[1], &inner))
            return 2;
        if (!layout_compose(&a, &inner, &result, &error))
            return refused(&error, argv, argc);
        return print_result(&result);
    }
    if (!parse_tiler(argv[1], &b))
        return 2;
    if (!layout_compose_tiler(&a, &b, &result, &error))
        return refused(&error, argv, argc);
    return print_result(&result);
}

static int coalesce(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct layout_error error;

    (void)options;
    if (!parse(argv[0], &a))
        return 2;
    if (!layout_coalesce(&a, &result, &error))
        return refused(&error, argv, argc);
    return print_result(&result);
}

static int complement(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct layout_error error;
    int64_t extent = 0;

    (void)options;
    if (!parse(argv[0], &a) || (argc == 2 && !parse_index(argv[1], &extent)))
        return 2;
    if (argc == 2 && extent == 0)
        return bad_input("an extent must be at least 1", argv[1], 0);
    if (!layout_complement(&a, extent, &result, &error))
        return refused(&error, argv, argc);
    return print_result(&result);
}

static int inverse(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct layout_error error;

    if (!parse(argv[0], &a))
        return 2;
    if (!(options->left ? layout_left_inverse : layout_right_inverse)(&a, &result, &error))
        return refused(&error, argv, argc);
    return print_result(&result);
}

static int divide(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct layout_error error;

    if (!parse(argv[0], &a) || !parse_tiler(argv[1], &b))
        return 2;
    if (!layout_divide(&a, &b, options->form, &result, &error))
        return refused(&error, argv, argc);
    return print_result(&result);
}

static int product(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct layout_error error;

    if (!parse(argv[0], &a) || !parse_tiler(argv[1], &b))
        return 2;
    if (!layout_product(&a, &b, options->form, &result, &error))
        return refused(&error, argv, argc);
    return print_result(&result);
}

static int tile(int argc, char **argv, const struct options *options)
{
    struct layout a, result;
    struct tiler b;
    struct int_tuple coordinate;
    struct layout_error error;
    int64_t offset;

    (void)options;
    if (!parse(argv[0], &a) || !parse_tiler(argv[1], &b) ||
        !parse_coordinate(argv[2], &coordinate))
        return 2;
    if (!layout_local_tile(&a, &b, &coordinate, &result, &offset, &error))
        return refused(&error, argv, argc);
    return print_at_offset(&result, offset);
}

static int partition(int argc, char **argv, const struct options *options)
{
    struct layout a, threads, result;
    struct layout_error error;
    int64_t index, offset;

    (void)options;
    if (!parse(argv[0], &a) || !parse(argv[1], &threads) || !parse_index(argv[2], &index))
        return 2;
    if (!layout_local_partition(&a, &threads, index, &result, &offset, &error))
        return refused(&error, argv, argc);
    return print_at_offset(&result, offset);
}

static int equal(int argc, char **argv, const struct options *options)
{
    struct layout a, b;
    struct layout_error error;
    int64_t index;
    bool same;

    (void)options;
    if (!parse(argv[0], &a) || !parse(argv[1], &b))
        return 2;
    if (!layout_equal(&a, &b, &same, &index, &error))
        return refused(&error, argv, argc);
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

static int threads(int argc, char **argv, const struct options *options)
{
    struct layout lanes, values, owner, table;
    struct layout_error error;
    struct grid grid = {&owner, GRID_THREAD, 0, 1};
    int status;

    if (!parse(argv[0], &lanes) || !parse(argv[1], &values))
        return 2;
    if (!layout_tiled_copy(&lanes, &values, &owner, &table, &error))
        return refused(&error, argv, argc);
    grid.threads = layout_size(&lanes);
    status = draw(&grid, options, argv[0]);
    if (status || options->tsv)
        return status;
    if (!options->png && !options->svg)
        printf("thread:value of each element; (thread,value) -> 1-D coordinate:\n");
    return print_result(&table);
}

/* ---- banks and search -------------------------------------------------------------------- */

/* The accesses of the command line, row and column if there are none, checked against `tile`.
 * Returns how many, 0 on errors, already reported. */
static int accesses(const struct layout *tile, const char *tile_text,
                    const struct options *options, struct bank_access *access,
                    const char **name, bool check)
{
    static const char *const both[] = {"row", "column"};
    int count = options->accesses ? options->accesses : 2;

    for (int i = 0; i < count; ++i) {
        struct layout_error error;
        int requests;
        name[i] = options->accesses ? options->access[i] : both[i];
        memset(&access[i], 0, sizeof access[i]);
        access[i].bytes = options->bytes;
        access[i].vector = options->vector;
        access[i].order = strcmp(name[i], "row") == 0    ? BANK_ROW :
                          strcmp(name[i], "column") == 0 ? BANK_COLUMN :
                                                           BANK_THREADS;
        if (access[i].order == BANK_THREADS && !parse(name[i], &access[i].threads))
            return 0;
        if (!bank_requests(tile, &access[i], &requests, &error) &&
            (check || error.operand != 0 || layout_size(tile) > BANK_MAX_ELEMENTS)) {
            char *operands[2];
            operands[0] = (char *)tile_text;
            operands[1] = (char *)name[i];
            refused(&error, operands, 2);
            return 0;
        }
    }
    return count;
}

/* Lanes of a mask, as 0+4+8. */
static void print_lanes(uint32_t mask)
{
    const char *between = " ";

    for (int lane = 0; lane < BANK_LANES; ++lane)
        if (mask >> lane & 1) {
            printf("%s%d", between, lane);
            between = "+";
        }
}

static bool same_request(const struct bank_request *a, const struct bank_request *b)
{
    return a->lanes == b->lanes && a->wavefronts == b->wavefronts && a->ideal == b->ideal &&
           a->sets == b->sets && memcmp(a->set, b->set, sizeof a->set[0] * (size_t)a->sets) == 0;
}

/* What one access costs: a line of totals, a line for each run of requests with conflicts. */
static void print_access(const struct layout *tile, const struct bank_access *access,
                         const char *name)
{
    struct bank_request run, next;
    int64_t wavefronts = 0, ideal = 0;
    int requests = 0, conflicts = 0;

    bank_requests(tile, access, &requests, NULL);
    for (int i = 0; i < requests; ++i) {
        bank_request(tile, access, i, &next);
        wavefronts += next.wavefronts;
        ideal += next.ideal;
        conflicts += next.degree > 1;
    }
    printf("access %s, %d bytes a lane: requests %d, wavefronts %lld, ideal %lld, with conflicts "
           "%d\n", name, access->bytes * access->vector, requests, (long long)wavefronts,
           (long long)ideal, conflicts);
    for (int i = 0, first = 0; i < requests; ++i) {
        bank_request(tile, access, i, &run);
        if (i + 1 < requests) {
            bank_request(tile, access, i + 1, &next);
            if (same_request(&run, &next))
                continue;
        }
        if (first == i)
            printf("  request %d:", i);
        else
            printf("  requests %d to %d, each:", first, i);
        printf(" %d wavefront%s", run.wavefronts, run.wavefronts == 1 ? "" : "s");
        printf(run.sets ? ", %d-way; lanes that collide:" : ", no conflict", run.degree);
        for (int set = 0; set < run.sets; ++set)
            print_lanes(run.set[set]);
        putchar('\n');
        first = i + 1;
    }
}

static int banks(int argc, char **argv, const struct options *options)
{
    struct layout tile;
    struct bank_access access[MAX_ACCESSES];
    const char *name[MAX_ACCESSES];
    struct grid grid = {&tile, GRID_BANK, options->bytes, 1};
    int count, status;

    (void)argc;
    if (!parse(argv[0], &tile))
        return 2;
    count = accesses(&tile, argv[0], options, access, name, true);
    if (count == 0)
        return 2;
    status = draw(&grid, options, argv[0]);
    if (status || options->tsv)
        return status;
    for (int i = 0; i < count; ++i)
        print_access(&tile, &access[i], name[i]);
    return print_result(&tile);
}

static int search(int argc, char **argv, const struct options *options)
{
    struct layout tile, result;
    struct bank_access access[MAX_ACCESSES];
    const char *name[MAX_ACCESSES];
    struct swizzle_score score, best = {{0, 0, 0}, false, false, 0};
    int count, tried = 0, legal = 0, free = 0;

    (void)argc;
    if (!parse(argv[0], &tile))
        return 2;
    if (tile.swizzle.bits || tile.offset)
        return bad_input("the search wants the layout without a swizzle", argv[0], 0);
    if (layout_size(&tile) > 1 << 16)
        return bad_input("the tile is too large to search: 65536 elements at most", argv[0], 0);
    count = accesses(&tile, argv[0], options, access, name, false);
    if (count == 0)
        return 2;
    for (; swizzle_candidate(&tile, access, count, tried, &score); ++tried) {
        if (!score.legal)
            continue;
        ++legal;
        if (score.free) {
            ++free;
            printf("Sw<%d,%d,%d>\n", score.swizzle.bits, score.swizzle.base, score.swizzle.shift);
        }
        if (!best.legal || (score.free && !best.free) ||
            (score.free == best.free && score.wavefronts < best.wavefronts))
            best = score;
    }
    printf("%d of %d swizzles within the tile are free of conflicts (%d more tried would leave "
           "it or break a vector)\n", free, legal, tried - legal);
    if (!best.legal)
        return bad_input("no swizzle keeps the vectors of this access whole", argv[0], 0);
    if (free == 0)
        printf("none is, all were tried; the best takes %lld wavefronts in all:\n",
               (long long)best.wavefronts);
    layout_swizzle(best.swizzle, &tile, &result, NULL);
    return print_result(&result);
}

/* ---- the command line -------------------------------------------------------------------- */

enum { TAKES_FORM = 1, TAKES_BLOCKED = 2, TAKES_LEFT = 4, TAKES_GRID = 8, TAKES_ACCESS = 16 };

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv, const struct options *options);
    int least, most; /* operands */
    int takes;
} commands[] = {
    {"show", show, 1, 1, TAKES_GRID},
    {"map", map, 2, INT_MAX, 0},
    {"coord", coord, 2, INT_MAX, 0},
    {"compose", compose, 2, 2, 0},
    {"coalesce", coalesce, 1, 1, 0},
    {"complement", complement, 1, 2, 0},
    {"inverse", inverse, 1, 1, TAKES_LEFT},
    {"divide", divide, 2, 2, TAKES_FORM},
    {"product", product, 2, 2, TAKES_FORM | TAKES_BLOCKED},
    {"tile", tile, 3, 3, 0},
    {"partition", partition, 3, 3, 0},
    {"equal", equal, 2, 2, 0},
    {"threads", threads, 2, 2, TAKES_GRID},
    {"banks", banks, 1, 1, TAKES_GRID | TAKES_ACCESS},
    {"search", search, 1, 1, TAKES_ACCESS},
};

static const struct option {
    const char *name;
    int takes; /* the kind of command that has it */
    bool value;
    int form;
} option_list[] = {
    {"--logical", TAKES_FORM, false, LAYOUT_LOGICAL},
    {"--zipped", TAKES_FORM, false, LAYOUT_ZIPPED},
    {"--tiled", TAKES_FORM, false, LAYOUT_TILED},
    {"--flat", TAKES_FORM, false, LAYOUT_FLAT},
    {"--blocked", TAKES_BLOCKED, false, LAYOUT_BLOCKED},
    {"--raked", TAKES_BLOCKED, false, LAYOUT_RAKED},
    {"--left", TAKES_LEFT, false, 0},
    {"--tsv", TAKES_GRID, false, 0},
    {"--png", TAKES_GRID, true, 0},
    {"--svg", TAKES_GRID, true, 0},
    {"--bytes", TAKES_ACCESS, true, 0},
    {"--vector", TAKES_ACCESS, true, 0},
    {"--access", TAKES_ACCESS, true, 0},
};

/* 1, 2, 4, 8 or 16. */
static bool parse_power(const char *text, int *value)
{
    static const char *const powers[] = {"1", "2", "4", "8", "16"};

    for (int i = 0; i < 5; ++i)
        if (strcmp(text, powers[i]) == 0) {
            *value = 1 << i;
            return true;
        }
    bad_input("expected 1, 2, 4, 8 or 16", text, 0);
    return false;
}

static bool set_option(const struct option *option, const char *value, struct options *options)
{
    if (option->takes & (TAKES_FORM | TAKES_BLOCKED))
        options->form = (enum layout_form)option->form;
    else if (strcmp(option->name, "--left") == 0)
        options->left = true;
    else if (strcmp(option->name, "--tsv") == 0)
        options->tsv = true;
    else if (strcmp(option->name, "--png") == 0)
        options->png = value;
    else if (strcmp(option->name, "--svg") == 0)
        options->svg = value;
    else if (strcmp(option->name, "--bytes") == 0)
        return parse_power(value, &options->bytes);
    else if (strcmp(option->name, "--vector") == 0)
        return parse_power(value, &options->vector);
    else if (options->accesses == MAX_ACCESSES)
        return bad_input("too many accesses: 8 at most", value, 0), false;
    else
        options->access[options->accesses++] = value;
    return true;
}

/* Take the options out of argv; *argc operands stay. */
static bool take_options(const struct command *command, int *argc, char **argv,
                         struct options *options)
{
    int operands = 0;

    for (int i = 0; i < *argc; ++i) {
        const struct option *option = NULL;
        if (strncmp(argv[i], "--", 2) != 0) {
            argv[operands++] = argv[i];
            continue;
        }
        for (size_t j = 0; j < sizeof option_list / sizeof option_list[0]; ++j)
            if (strcmp(argv[i], option_list[j].name) == 0 &&
                (option_list[j].takes & command->takes))
                option = &option_list[j];
        if (!option)
            return bad_input("not an option of this command; see layout --help", argv[i], 0),
                   false;
        if (option->value && i + 1 == *argc)
            return bad_input("this option needs a value", argv[i], 0), false;
        if (!set_option(option, option->value ? argv[i + 1] : NULL, options))
            return false;
        i += option->value;
    }
    *argc = operands;
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.form = LAYOUT_LOGICAL, .bytes = 4, .vector = 1};
    const struct command *command = NULL;
    int status;

    for (int i = 1; i < argc; ++i)
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return fflush(stdout) ? 1 : 0;
        }
    if (argc < 2)
        return bad_input("which command? see layout --help", NULL, 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i)
        if (strcmp(argv[1], commands[i].name) == 0)
            command = &commands[i];
    if (!command)
        return bad_input("no such command; see layout --help", argv[1], 0);
    argc -= 2;
    argv += 2;
    if (!take_options(command, &argc, argv, &options))
        return 2;
    if (argc < command->least || argc > command->most) {
        char message[96];
        snprintf(message, sizeof message, "%s takes %s%d operand%s, not %d; see layout --help",
                 command->name, command->most > command->least ? "at least " : "",
                 command->least, command->least == 1 ? "" : "s", argc);
        return bad_input(message, NULL, 0);
    }
    status = command->run(argc, argv, &options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "layout: cannot write to standard output: %s\n", strerror(errno));
        return 1;
    }
    return status;
}
