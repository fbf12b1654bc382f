/*
 * Reads the command line of the program `layout`; layout_commands.c and layout_requests.c have the
 * commands.
 *
 * Exit status: 0 done; 1 the answer is no (`equal`), or a file or gnuplot failed; 2 bad input,
 * reported on standard error in one line, with the input and a caret below it.
 */
#include "layout_commands.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: layout COMMAND ...\n"
    "\n"
    "  show L                    the grid of offsets: mode 0 down, the other modes across\n"
    "  map L COORD...            the offset at each coordinate; with _ in it, a slice\n"
    "  coord L INDEX...          the coordinate with each 1-D index (first mode fastest)\n"
    "  compose A B               A after B; B may be a tiler, A a bare swizzle\n"
    "  coalesce A                the same function with the fewest modes\n"
    "  complement A [M]          disjoint translates of A, for an extent of M (A's cosize)\n"
    "  inverse [--left] A        right inverse, or left\n"
    "  divide [--zipped|--tiled|--flat] A B\n"
    "                            split A into tiles B and the rest; logical by default\n"
    "  product [--zipped|--tiled|--flat|--blocked|--raked] A B\n"
    "                            repeat A as B says; logical by default\n"
    "  tile A B COORD            the tile of A at COORD (CuTe's local_tile)\n"
    "  partition A THREADS INDEX the elements of A of one thread (CuTe's local_partition)\n"
    "  equal A B                 are they the same function of a 1-D coordinate?\n"
    "  threads THREADS VALUES    which thread:value owns each element of a tiled copy\n"
    "  banks L [--bytes 4] [--access row|column|THREADS]... [--vector 1] [--store]\n"
    "                            the bank of each element, the wavefronts of each request\n"
    "  search L [--bytes 4] [--access row|column|THREADS]... [--vector 1] [--store]\n"
    "                            the swizzles that make all the accesses free of conflicts\n"
    "  sectors L [--bytes 4] [--access row|column|THREADS]... [--vector 1] [--store]\n"
    "                            in global memory: the 32-byte sectors of each request\n"
    "  requests L [--global] [--request N] [--bytes 4] [--access row|column|THREADS]...\n"
    "        [--vector 1] [--store]\n"
    "                            TSV, a line per lane and word: wavefront, group of lanes served\n"
    "                            together, bank and word; with --global, line and sector\n"
    "\n"
    "options of show, threads and banks: --tsv for gnuplot, --png FILE, --svg FILE\n"
    "--access may be given several times; the default is both row and column.\n"
    "THREADS of an access: a layout from lane to the 1-D coordinate in the tile. Accesses are\n"
    "loads, or stores with --store: a load may serve more lanes together than a store.\n"
    "\n"
    "A layout L is written as CuTe prints it: (4,8):(8,1), ((2,4),3):((1,6),2),\n"
    "Sw<3,4,3> o 0 o (8,8):(8,1); without strides it is column-major: (4,8). A tiler B is a\n"
    "layout, or one for each mode: <3:1,(2,4):(1,8)>, (2,4) for <2:1,4:1>, _ to skip a mode.\n"
    "\n"
    "exit status: 0 done, 1 `equal` says no or a file or gnuplot failed, 2 bad input\n";

/* ---- the command line -------------------------------------------------------------------- */

enum {
    TAKES_FORM = 1,
    TAKES_BLOCKED = 2,
    TAKES_LEFT = 4,
    TAKES_GRID = 8,
    TAKES_ACCESS = 16,
    TAKES_REQUEST = 32
};

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv, const struct options *options);
    int least, most; /* operands */
    int takes;
} commands[] = {
    {"show", command_show, 1, 1, TAKES_GRID},
    {"map", command_map, 2, INT_MAX, 0},
    {"coord", command_coord, 2, INT_MAX, 0},
    {"compose", command_compose, 2, 2, 0},
    {"coalesce", command_coalesce, 1, 1, 0},
    {"complement", command_complement, 1, 2, 0},
    {"inverse", command_inverse, 1, 1, TAKES_LEFT},
    {"divide", command_divide, 2, 2, TAKES_FORM},
    {"product", command_product, 2, 2, TAKES_FORM | TAKES_BLOCKED},
    {"tile", command_tile, 3, 3, 0},
    {"partition", command_partition, 3, 3, 0},
    {"equal", command_equal, 2, 2, 0},
    {"threads", command_threads, 2, 2, TAKES_GRID},
    {"banks", command_banks, 1, 1, TAKES_GRID | TAKES_ACCESS},
    {"search", command_search, 1, 1, TAKES_ACCESS},
    {"sectors", command_sectors, 1, 1, TAKES_ACCESS},
    {"requests", command_requests, 1, 1, TAKES_ACCESS | TAKES_REQUEST},
};

static const struct option {
    const char *name;
    int takes; /* the TAKES_ flags of the commands that have the option */
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
    {"--store", TAKES_ACCESS, false, 0},
    {"--global", TAKES_REQUEST, false, 0},
    {"--request", TAKES_REQUEST, true, 0},
};

/* Reads 1, 2, 4, 8 or 16. */
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

/* Reads the number of a request. */
static bool parse_number(const char *text, int64_t *value)
{
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > 9 || text[digits])
        return bad_input("expected a number from 0 to 999999999", text, 0), false;
    *value = 0;
    while (*text)
        *value = *value * 10 + (*text++ - '0');
    return true;
}

static bool set_option(const struct option *option, const char *value, struct options *options)
{
    if (option->takes & (TAKES_FORM | TAKES_BLOCKED))
        options->form = (enum layout_form)option->form;
    else if (strcmp(option->name, "--left") == 0)
        options->left = true;
    else if (strcmp(option->name, "--tsv") == 0)
        options->tsv = true;
    else if (strcmp(option->name, "--store") == 0)
        options->store = true;
    else if (strcmp(option->name, "--png") == 0)
        options->png = value;
    else if (strcmp(option->name, "--svg") == 0)
        options->svg = value;
    else if (strcmp(option->name, "--bytes") == 0)
        return parse_power(value, &options->bytes);
    else if (strcmp(option->name, "--vector") == 0)
        return parse_power(value, &options->vector);
    else if (strcmp(option->name, "--global") == 0)
        options->global = true;
    else if (strcmp(option->name, "--request") == 0)
        return parse_number(value, &options->request);
    else if (options->accesses == MAX_ACCESSES)
        return bad_input("too many accesses: 8 at most", value, 0), false;
    else
        options->access[options->accesses++] = value;
    return true;
}

/* Reads the options and removes them from argv; *argc operands stay. */
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
            return bad_input("not an option of this command; see layout --help", argv[i], 0), false;
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
    struct options options = {.form = LAYOUT_LOGICAL, .bytes = 4, .vector = 1, .request = -1};
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
                 command->name, command->most > command->least ? "at least " : "", command->least,
                 command->least == 1 ? "" : "s", argc);
        return bad_input(message, NULL, 0);
    }
    status = command->run(argc, argv, &options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "layout: cannot write to standard output: %s\n", strerror(errno));
        return 1;
    }
    return status;
}
