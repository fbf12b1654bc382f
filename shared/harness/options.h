/*
 * Reads and checks the command line of a step program, before the program opens a device. An error ends
 * the program with one line on standard error and EXIT_USAGE.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "cuda_check.h"
#include "variant.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_VARIANTS = 32, DEFAULT_ROUNDS = 15 };
enum { MAX_GRID_Y = 65535 }; /* CUDA C++ Programming Guide, technical specifications */

typedef struct {
    int rows, cols; /* 0 until chosen: by the user, or by the harness from the free memory */
    int element_bytes, batches;
    int in_pitch, out_pitch; /* elements from row to row; 0: packed */
    int offset; /* elements from an aligned address to the start of `in`, and of `out` */
    int rounds;
    int device;
    int verify_only;
    const char *tsv;          /* NULL: no file */
    int named;                /* number of --variant options; 0 means all variants */
    int chosen[MAX_VARIANTS]; /* 1 for each variant to run */
    char command[1024];       /* the command line, for the provenance of the results */
} Options;

static inline void usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_USAGE);
}

/* Ends the program if the step's table of variants is not valid. */
static inline void check_step(const Step *step)
{
    if (step->variant_count > MAX_VARIANTS)
        usage_error("%s: %d variants; the harness takes at most %d (MAX_VARIANTS in options.h)",
                    step->name, step->variant_count, MAX_VARIANTS);
    int found = !step->headline;
    for (int v = 0; v < step->variant_count && !found; v++)
        found = strcmp(step->variants[v].name, step->headline) == 0;
    if (!found)
        usage_error("%s: the headline %s is none of its variants", step->name, step->headline);
}

/* The options that describe a Problem (variant.h), their smallest values and help texts. */
static const struct {
    const char *name;
    int least;
    const char *help;
} problem_options[] = {
    {"--element-bytes", 1, "B  elements of 1, 2, 4, 8 or 16 bytes (default 4)"},
    {"--batches", 1, "K        number of matrices (default 1)"},
    {"--in-pitch", 1, "P       elements from a row of the input to the next (default: cols)"},
    {"--out-pitch", 1, "P      the same of the output (default: rows)"},
    {"--offset", 0, "N         both begin N elements after an aligned address (default 0)"},
};

/* Returns 1 if this step has a variant with launch_any, which takes any Problem; else 0. */
static inline int takes_problems(const Step *step)
{
    for (int v = 0; v < step->variant_count; v++)
        if (step->variants[v].launch_any)
            return 1;
    return 0;
}

static inline int is_packed_float_matrix(const Options *options)
{
    return options->element_bytes == sizeof(float) && options->batches == 1 && !options->in_pitch &&
           !options->out_pitch && !options->offset;
}

/* Returns the problem that the options describe; `in` and `out` are aligned addresses. */
static inline Problem problem_of(const Options *options, void *in, void *out)
{
    size_t offset = (size_t)options->offset * options->element_bytes;
    return Problem{(void *)((uintptr_t)in + offset),
                   (void *)((uintptr_t)out + offset),
                   options->batches,
                   options->rows,
                   options->cols,
                   options->in_pitch ? options->in_pitch : options->cols,
                   options->out_pitch ? options->out_pitch : options->rows,
                   options->element_bytes};
}

/* Returns the bytes that the operation reads, which equal the bytes that it writes. A double,
 * because the largest sizes overflow 64 bits. */
static inline double matrix_bytes(const Options *options)
{
    return (double)options->batches * options->rows * options->cols * options->element_bytes;
}

static inline void print_help(const Step *step, const char *program)
{
    printf(
        "usage: %s [--rows R --cols C | --size N] [--variant NAME]... [--rounds K]\n"
        "       [--device D] [--tsv FILE] [--list] [--verify-only] [--help]%s\n\n"
        "Verifies every variant of step %s, then measures them against the fastest copy;\n"
        "run on the CPU, prints their memory traffic instead.\n\n"
        "  --size N         an N x N matrix of floats (default: the largest power of two up to\n"
        "                   32768 for which two matrices fit in 70 %% of the free memory; on the\n"
        "                   CPU 256)\n"
        "  --rows R --cols C  an R x C matrix instead\n"
        "  --variant NAME   only this variant; may be given several times\n"
        "  --rounds K       samples of each variant, taken in turns (default %d)\n"
        "  --device D       CUDA device number (default 0)\n"
        "  --tsv FILE       also write the results to FILE, whole or not at all\n"
        "  --list           print the names of the variants, one per line\n"
        "  --verify-only    verify, do not measure\n%s",
        program, step->guide ? " [--guide]" : "", step->name, DEFAULT_ROUNDS,
        step->guide ? "  --guide          run the CUDA guide's 8x8 example instead\n" : "");
    for (int o = 0; o < COUNT_OF(problem_options) && takes_problems(step); o++)
        printf("  %s %s\n", problem_options[o].name, problem_options[o].help);
    printf("\nvariants:");
    for (int v = 0; v < step->variant_count; v++)
        printf(" %s", step->variants[v].name);
    printf("\nexit status: 0 verified, 1 a failure, 2 wrong usage, 3 no usable device or memory\n");
}

/* Reads a whole number from `least` to INT_MAX, or ends the program. */
static inline int parse_int(const char *option, const char *text, int least)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE || value < least || value > INT_MAX)
        usage_error("%s %s: a whole number from %d to %d is needed", option, text, least, INT_MAX);
    return (int)value;
}

/* Ends the program unless the path can be written: a new file in its folder, or a special file such as
 * /dev/null. Changes no file. */
static inline void check_tsv_path(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            usage_error("--tsv %s: is a folder; the name of a file is needed", path);
        if (access(path, W_OK) != 0)
            usage_error("--tsv %s: %s", path, strerror(errno));
        if (!S_ISREG(status.st_mode))
            return;
    }
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash == path ? 1 : slash ? (int)(slash - path) : 1;
    snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".");
    if (*path == '\0' || strlen(path) > PATH_MAX - 32 || access(folder, W_OK | X_OK) != 0)
        usage_error("--tsv %s: cannot write there: %s", path,
                    *path == '\0' ? "the name is empty" : strerror(errno));
}

static inline void choose_variant(const Step *step, Options *options, const char *name)
{
    for (int v = 0; v < step->variant_count; v++)
        if (strcmp(step->variants[v].name, name) == 0) {
            options->chosen[v] = 1;
            options->named++;
            return;
        }
    fprintf(stderr, "--variant %s: no such variant; there are:", name);
    for (int v = 0; v < step->variant_count; v++)
        fprintf(stderr, " %s", step->variants[v].name);
    usage_error("");
}

/* Returns why this variant cannot run on this problem, or NULL if it can. The text is valid until
 * the next call. */
static inline const char *size_refusal(const Variant *variant, const Options *options)
{
    static char reason[96];
    int rows = options->rows, cols = options->cols;
    if (variant->launch_any) {
        Problem problem = problem_of(options, NULL, NULL);
        return rows && variant->refusal ? variant->refusal(&problem) : NULL;
    }
    if (!is_packed_float_matrix(options))
        return "it takes one packed matrix of floats at an aligned address";
    int multiple = variant->multiple, per_block = variant->rows_per_grid_y;
    if (multiple > 1 && (rows % multiple || cols % multiple))
        snprintf(reason, sizeof reason, "rows and cols must be multiples of %d", multiple);
    else if (per_block > 0 && rows > (long long)per_block * MAX_GRID_Y)
        snprintf(reason, sizeof reason, "at most %lld rows, because gridDim.y ends at %d",
                 (long long)per_block * MAX_GRID_Y, MAX_GRID_Y);
    else
        return NULL;
    return reason;
}

/* Reads an option of problem_options and its value; returns 0 if `option` is none of them. */
static inline int parse_problem_option(const Step *step, Options *options, const char *option,
                                       const char *text)
{
    int *const values[] = {&options->element_bytes, &options->batches, &options->in_pitch,
                           &options->out_pitch, &options->offset};
    for (int o = 0; o < COUNT_OF(problem_options); o++) {
        if (strcmp(option, problem_options[o].name) != 0)
            continue;
        if (!takes_problems(step))
            usage_error("%s: step %s takes one packed matrix of floats", option, step->name);
        if (!text)
            usage_error("%s: a value is needed after it", option);
        int value = parse_int(option, text, problem_options[o].least);
        if (o == 0 && (value > 16 || (value & (value - 1))))
            usage_error("%s %s: 1, 2, 4, 8 or 16 is needed", option, text);
        *values[o] = value;
        return 1;
    }
    return 0;
}

/* Ends the program if a pitch is shorter than a row, or given without a size. */
static inline void check_pitches(const Options *options)
{
    if ((options->in_pitch || options->out_pitch) && !options->rows)
        usage_error("%s: comes with --size, or --rows and --cols",
                    options->in_pitch ? "--in-pitch" : "--out-pitch");
    if (options->in_pitch && options->in_pitch < options->cols)
        usage_error("--in-pitch %d: a row of the input has %d elements", options->in_pitch,
                    options->cols);
    if (options->out_pitch && options->out_pitch < options->rows)
        usage_error("--out-pitch %d: a row of the output has %d elements", options->out_pitch,
                    options->rows);
}

/* Writes the command line to options->command, as one line. */
static inline void keep_command(Options *options, int argc, char **argv)
{
    size_t used = 0;
    for (int a = 0; a < argc && used < sizeof options->command; a++)
        used += snprintf(options->command + used, sizeof options->command - used, "%s%s",
                         a ? " " : "", argv[a]);
    for (char *c = options->command; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
}

/* Reads the command line; ends the program for --help, --list, --guide and every usage error. */
static inline Options parse_options(const Step *step, int argc, char **argv)
{
    Options options = {};
    options.rounds = DEFAULT_ROUNDS;
    options.element_bytes = sizeof(float);
    options.batches = 1;
    int size = 0, guide = 0;

    check_step(step);
    keep_command(&options, argc, argv);

    for (int a = 1; a < argc; a++) {
        const char *option = argv[a];
        if (strcmp(option, "--help") == 0) {
            print_help(step, argv[0]);
            exit(EXIT_OK);
        } else if (strcmp(option, "--list") == 0) {
            for (int v = 0; v < step->variant_count; v++)
                puts(step->variants[v].name);
            exit(EXIT_OK);
        } else if (strcmp(option, "--guide") == 0 && step->guide) {
            guide = 1;
            continue;
        } else if (strcmp(option, "--verify-only") == 0) {
            options.verify_only = 1;
            continue;
        }
        if (parse_problem_option(step, &options, option, a + 1 < argc ? argv[a + 1] : NULL)) {
            a++;
            continue;
        }
        static const char *const with_value[] = {"--size",   "--rows",   "--cols", "--variant",
                                                 "--rounds", "--device", "--tsv"};
        int known = 0;
        for (int k = 0; k < COUNT_OF(with_value); k++)
            known |= strcmp(option, with_value[k]) == 0;
        if (!known)
            usage_error("%s: unknown option; --help lists the options", option);
        if (++a == argc)
            usage_error("%s: a value is needed after it", option);
        if (strcmp(option, "--size") == 0)
            size = parse_int(option, argv[a], 1);
        else if (strcmp(option, "--rows") == 0)
            options.rows = parse_int(option, argv[a], 1);
        else if (strcmp(option, "--cols") == 0)
            options.cols = parse_int(option, argv[a], 1);
        else if (strcmp(option, "--rounds") == 0)
            options.rounds = parse_int(option, argv[a], 1);
        else if (strcmp(option, "--device") == 0)
            options.device = parse_int(option, argv[a], 0);
        else if (strcmp(option, "--tsv") == 0)
            options.tsv = argv[a];
        else
            choose_variant(step, &options, argv[a]);
    }

    if (size && (options.rows || options.cols))
        usage_error("--size excludes --rows and --cols");
    if (!options.rows != !options.cols)
        usage_error("--rows and --cols come together");
    if (size)
        options.rows = options.cols = size;
    check_pitches(&options);
    for (int v = 0; v < step->variant_count; v++) {
        const Variant *variant = &step->variants[v];
        const char *refusal = size_refusal(variant, &options);
        if (options.named && options.chosen[v] && refusal)
            usage_error("--variant %s: cannot run at %d x %d: %s", variant->name, options.rows,
                        options.cols, refusal);
        if (!options.named)
            options.chosen[v] = 1;
    }
    if (options.tsv)
        check_tsv_path(options.tsv);
    if (guide)
        exit(step->guide());
    return options;
}

#endif
