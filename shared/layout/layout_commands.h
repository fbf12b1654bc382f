/*
 * The commands of the program `layout`. Each takes its operands, without the command's name, and
 * the options; it prints to standard output, the resulting layout alone on the last line, and
 * returns the exit status. The number of operands has been checked.
 */
#ifndef LAYOUT_COMMANDS_H
#define LAYOUT_COMMANDS_H

#include "layout_draw.h"

#define MAX_ACCESSES 8

struct options {
    enum layout_form form;
    bool left, tsv, store, global;
    const char *png, *svg;
    int bytes, vector;
    int64_t request; /* the one to print, -1 for all */
    const char *access[MAX_ACCESSES];
    int accesses;
};

/* Say what is wrong in one line, then show the argument (if not NULL) with a caret under its byte
 * `at`. Returns 2, the exit status for bad input. */
int bad_input(const char *message, const char *argument, size_t at);

/* An operation failed: its arguments are operand 0, 1, 2 of the error. Returns 2. */
int layout_refused(const struct layout_error *error, char **arguments, int count);

/* Read an operand; say what is wrong with it. */
bool parse_layout(const char *text, struct layout *layout);

/* The last line of a command. Returns 0. */
int print_result(const struct layout *layout);

/* The picture, TSV or text of a grid, called `argument`. Text is followed by the caller's own lines. */
int draw_grid(const struct grid *grid, const struct options *options, const char *argument);

int command_show(int argc, char **argv, const struct options *options);
int command_map(int argc, char **argv, const struct options *options);
int command_coord(int argc, char **argv, const struct options *options);
int command_compose(int argc, char **argv, const struct options *options);
int command_coalesce(int argc, char **argv, const struct options *options);
int command_complement(int argc, char **argv, const struct options *options);
int command_inverse(int argc, char **argv, const struct options *options);
int command_divide(int argc, char **argv, const struct options *options);
int command_product(int argc, char **argv, const struct options *options);
int command_tile(int argc, char **argv, const struct options *options);
int command_partition(int argc, char **argv, const struct options *options);
int command_equal(int argc, char **argv, const struct options *options);
int command_threads(int argc, char **argv, const struct options *options);
int command_banks(int argc, char **argv, const struct options *options);
int command_sectors(int argc, char **argv, const struct options *options);
int command_requests(int argc, char **argv, const struct options *options);
int command_search(int argc, char **argv, const struct options *options);

#endif
