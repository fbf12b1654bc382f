/*
 * Declares the commands of the program `layout`. A command takes its operands, in a number that main()
 * has checked, and the options. It prints to standard output, with the resulting layout alone on the
 * last line, and returns the exit status.
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
    int64_t request; /* number of the request to print, -1 for all */
    const char *access[MAX_ACCESSES];
    int accesses;
};

/* Prints an error in one line; below it the argument, if not NULL, with a caret under its byte `at`.
 * Returns 2, the exit status for bad input. */
int bad_input(const char *message, const char *argument, size_t at);

/* Prints the error of an operation whose operands 0, 1, ... are these arguments. Returns 2. */
int layout_refused(const struct layout_error *error, char **arguments, int count);

/* Reads an operand; false after printing an error. */
bool parse_layout(const char *text, struct layout *layout);

/* Prints the resulting layout, a command's last line. Returns 0. */
int print_result(const struct layout *layout);

/* Draws or prints a grid as the options say; `argument` is the operand that it shows. Returns the exit
 * status. */
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
