/*
 * run_many() runs a step program whose matrix is spread over several GPUs, as run_step() runs one on a
 * single GPU. Such a program also takes --gpus, --nccl, --rank, --ranks and --meet.
 */
#ifndef MANY_H
#define MANY_H

#include "links.h"
#include "nccl.h"

enum { MANY_SAMPLE_MS = 10, MANY_SIZE = 65536 };

typedef struct {
    int gpus;        /* --gpus; 0: all devices */
    int rank, ranks; /* ranks is 0 if one process drives all devices */
} ManyOptions;

static inline void print_many_help(void)
{
    printf(
        "\nwith several devices, for which the default size is up to %d:\n"
        "  --gpus G         use G devices (default: all, at most %d)\n"
        "  --nccl PATH      the NCCL library (default: libnccl.so.2 of the system or of Python)\n"
        "  --rank R --ranks N --meet FILE\n"
        "                   this is process R of N, each with one device; they find each other\n"
        "                   through FILE, which must not exist yet. R and N may come from the\n"
        "                   variables of torchrun or mpirun\n",
        MANY_SIZE, MAX_GPUS);
}

/* Removes the options for several devices from the command line and returns them. */
static inline ManyOptions parse_many(const Step *step, int *argc, char **argv)
{
    static const char *const names[] = {"--gpus", "--nccl", "--rank", "--ranks", "--meet"};
    ManyOptions many = {0, -1, 0};
    int kept = 1;
    for (int a = 1; a < *argc; a++) {
        if (strcmp(argv[a], "--help") == 0) {
            print_help(step, argv[0]);
            print_many_help();
            exit(EXIT_OK);
        }
        int option = 0;
        while (option < COUNT_OF(names) && strcmp(argv[a], names[option]) != 0)
            option++;
        if (option == COUNT_OF(names)) {
            argv[kept++] = argv[a];
            continue;
        }
        if (a + 1 == *argc)
            usage_error("%s: a value is needed after it", argv[a]);
        const char *value = argv[++a];
        if (option == 0)
            many.gpus = parse_int("--gpus", value, 1);
        else if (option == 1)
            nccl.path = value;
        else if (option == 2)
            many.rank = parse_int("--rank", value, 0);
        else if (option == 3)
            many.ranks = parse_int("--ranks", value, 1);
        else
            nccl.meet = value;
    }
    argv[ *argc = kept] = NULL;
    const char *rank = first_of("RANK", "OMPI_COMM_WORLD_RANK");
    const char *ranks = first_of("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE");
    if (ranks && atoi(ranks) > 1 && !nccl.meet)
        usage_error("one of %s processes: --meet FILE lets them find each other", ranks);
    if (nccl.meet && rank && many.rank < 0)
        many.rank = parse_int("RANK", rank, 0);
    if (nccl.meet && ranks && !many.ranks)
        many.ranks = parse_int("WORLD_SIZE", ranks, 1);
    if ((many.rank >= 0 || many.ranks || nccl.meet) &&
        (many.rank < 0 || !many.ranks || !nccl.meet || many.gpus))
        usage_error("--rank, --ranks and --meet come together, without --gpus");
    if (many.ranks && many.rank >= many.ranks)
        usage_error("--rank %d: a number below --ranks %d is needed", many.rank, many.ranks);
    if (many.gpus > MAX_GPUS || many.ranks > MAX_GPUS)
        usage_error("%s %d: at most %d devices", many.ranks ? "--ranks" : "--gpus",
                    many.ranks ? many.ranks : many.gpus, MAX_GPUS);
    return many;
}

/* ---- timing ---- */

static inline double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

/* Returns the milliseconds per launch by the host's clock. All devices are idle when the clock starts and
 * when it stops; between them are `launches` launches, after an untimed one. */
static inline double sample_many(const ManyVariant *variant, int launches, const Spread *s)
{
    variant->launch(s);
    join_devices(s);
    wait_for_devices(s);
    meet_ranks(s);
    double start = now_ms();
    for (int i = 0; i < launches; i++) {
        variant->launch(s);
        join_devices(s);
    }
    CUDA_CHECK(cudaGetLastError());
    wait_for_devices(s);
    meet_ranks(s);
    return (now_ms() - start) / launches;
}

/* Measures the variants in turns, one sample each per round. All processes take the same number of
 * launches per sample. */
static inline void measure_many(const ManyVariant *const *chosen, Time *times, int count,
                                int rounds, const Spread *s)
{
    double *samples[MAX_VARIANTS];
    int launches[MAX_VARIANTS];
    for (int c = 0; c < count; c++) {
        samples[c] = (double *)calloc(rounds, sizeof(double));
        double ms = most_of_ranks(s, sample_many(chosen[c], 1, s));
        launches[c] = ms < MANY_SAMPLE_MS ? (int)(MANY_SAMPLE_MS / ms) + 1 : 1;
    }
    for (int round = 0; round < rounds; round++)
        for (int c = 0; c < count; c++)
            samples[c][round] = sample_many(chosen[c], launches[c], s);
    for (int c = 0; c < count; c++) {
        times[c] = summarise(samples[c], rounds);
        free(samples[c]);
    }
}

/* ---- the run ---- */

/* Chooses the default size if the user gave none: the largest power of two up to MANY_SIZE for which four
 * blocks of rows (input, output, staging) fit in 70 % of each device's free memory. Ends the program with
 * EXIT_NO_DEVICE if input and output do not fit. `devices`: those that this process looks at. */
static inline void choose_many_size(Options *options, int devices, int gpus)
{
    size_t least = SIZE_MAX;
    for (int d = 0; d < devices; d++) {
        size_t free_bytes, total;
        CUDA_CHECK(cudaSetDevice(d));
        CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
        least = free_bytes < least ? free_bytes : least;
    }
    if (!options->rows) {
        options->rows = options->cols = MANY_SIZE;
        while (options->rows > 1 && 4 * matrix_bytes(options) / gpus > 0.7 * least)
            options->rows = options->cols = options->rows / 2;
    }
    double needed = 2 * matrix_bytes(options) / gpus + 3.0 * GUARD * sizeof(float);
    if (needed > least) {
        fprintf(stderr, "%d x %d needs %.1f GB on each of %d device%s, and %.1f GB are free\n",
                options->rows, options->cols, needed / 1e9, gpus, gpus == 1 ? "" : "s",
                least / 1e9);
        exit(EXIT_NO_DEVICE);
    }
}

/* Returns why a variant cannot run here; or prepares it and returns NULL. */
static inline const char *many_refusal(const ManyVariant *variant, const Device *device,
                                       const Spread *s, const char *no_peers)
{
    static char reason[80];
    Variant one = {variant->name, NULL, 1, variant->capability};
    if (s->end - s->begin < s->gpus && !variant->one_device_a_process)
        return "it needs all devices in one process";
    if (variant->needs_peers && no_peers)
        return no_peers;
    for (int g = 1; g <= s->gpus && variant->multiple > 1; g++)
        if (s->first_row[g] % variant->multiple || s->first_col[g] % variant->multiple) {
            snprintf(reason, sizeof reason, "rows and cols of each block must be multiples of %d",
                     variant->multiple);
            return reason;
        }
    const char *refusal = device_refusal(&one, device);
    return !refusal && variant->prepare ? variant->prepare(s) : refusal;
}

/* Verifies the chosen variants in order; prints the reason for each skipped one. Returns how many
 * failed. */
static inline int verify_chosen_many(Results *results, const ManyVariant *variants, const Spread *s,
                                     const char *no_peers)
{
    int failures = 0;
    for (int v = 0; v < results->step->variant_count; v++) {
        const ManyVariant *variant = &variants[v];
        if (!results->options->chosen[v])
            continue;
        Row row = {variant->name, OK, {NAN, NAN}};
        const char *refusal = many_refusal(variant, results->device, s, no_peers);
        if (refusal) {
            row.status = SKIPPED;
            printf("%s skipped: %s\n", variant->name, refusal);
        } else if (most_of_ranks(s, !verify_many(variant, s))) {
            row.status = FAILED;
        }
        if (hook_after_variant(results->count) && row.status == OK)
            row.status = FAILED;
        failures += row.status == FAILED;
        results->rows[results->count++] = row;
    }
    return failures;
}

/* Measures the verified variants and every copy that can run here, and adds a row for the fastest copy,
 * the ceiling. The first variant, the copy engines, stands for cudaMemcpy. */
static inline void measure_verified_many(Results *results, const ManyVariant *variants,
                                         const Spread *s, const char *no_peers)
{
    const ManyVariant *chosen[MAX_VARIANTS];
    Row *rows[MAX_VARIANTS];
    Time times[MAX_VARIANTS], ceiling = {NAN, NAN};
    int count = 0, r = 0;
    for (int v = 0; v < results->step->variant_count; v++) {
        Row *row = results->options->chosen[v] ? &results->rows[r++] : NULL;
        if (row ? row->status != OK
                : variants[v].operation != COPY ||
                      many_refusal(&variants[v], results->device, s, no_peers))
            continue;
        rows[count] = row;
        chosen[count++] = &variants[v];
    }
    measure_many(chosen, times, count, results->options->rounds, s);
    for (int c = 0; c < count; c++) {
        if (rows[c])
            rows[c]->time = times[c];
        if (chosen[c] == &variants[0])
            results->memcpy_ms = times[c].median;
        if (chosen[c]->operation == COPY && !(times[c].median >= ceiling.median))
            ceiling = times[c];
    }
    results->ceiling_ms = ceiling.median;
    if (!isnan(ceiling.median))
        results->rows[results->count++] = Row{"ceiling", OK, ceiling};
}

/* Returns how many devices the run uses. Ends the program with EXIT_NO_DEVICE if there are too few. */
static inline int count_devices(const ManyOptions *many)
{
    int devices = 0;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    if (many->gpus > devices) {
        fprintf(stderr, "--gpus %d: there %s %d CUDA device%s\n", many->gpus,
                devices == 1 ? "is" : "are", devices, devices == 1 ? "" : "s");
        exit(EXIT_NO_DEVICE);
    }
    if (many->ranks || many->gpus)
        return many->ranks ? many->ranks : many->gpus;
    return devices < MAX_GPUS ? devices : MAX_GPUS;
}

/* Verifies, measures and reports; returns the exit status. */
static inline int run_spread(Results *results, const ManyVariant *variants, const Spread *s)
{
    int speaks = s->begin == 0; /* rank 0 alone prints and writes results */
    const char *no_peers = s->gpus > 1 && s->end - s->begin == s->gpus ? enable_peers(s) : NULL;
    int failures = verify_chosen_many(results, variants, s, no_peers), verified = 0;
    for (int r = 0; r < results->count; r++)
        verified += results->rows[r].status == OK;
    if (!verified && !failures)
        printf("every variant was skipped: nothing was verified or measured\n");
    if (verified && s->gpus > 1 && !results->options->verify_only)
        measure_verified_many(results, variants, s, no_peers);
    if (!hook_print(results) && speaks)
        print_results(results);
    if (hook_finish(results) != 0)
        return EXIT_FAULT;
    if (results->options->tsv && speaks && write_tsv(results) != 0)
        return EXIT_FAULT;
    return failures ? EXIT_FAULT : EXIT_OK;
}

/* Runs a step program on several devices; returns its exit status. variants[0] is the exchange by copy
 * engines. */
static inline int run_many(const char *name, const ManyVariant *variants, int count,
                           const char *headline, const char *compared_with, int argc, char **argv)
{
    Variant listed[MAX_VARIANTS] = {};
    for (int v = 0; v < count && v < MAX_VARIANTS; v++)
        listed[v] = Variant{variants[v].name, NULL, 1, 0};
    Step step = {name, TRANSPOSE, listed, count, headline, compared_with, NULL};
    Options whole = {};
    keep_command(&whole, argc, argv);
    ManyOptions many = parse_many(&step, &argc, argv);
    Options options = parse_options(&step, argc, argv);
    memcpy(options.command, whole.command, sizeof options.command);
    if (options.device)
        usage_error("--device %d: this step uses several devices; --gpus G says how many",
                    options.device);
    Device device = open_device(0);
    int gpus = count_devices(&many);
    hook_start(&options, &device);
    choose_many_size(&options, many.ranks ? 1 : gpus, gpus);
    device.peak = HOOK_TIMES ? link_rate(0) : NAN;

    Spread s = spread_matrix(gpus, many.ranks ? many.rank : 0, many.ranks ? many.rank + 1 : gpus,
                             options.rows, options.cols);
    const char *why = many.ranks ? connect_nccl(&s) : NULL;
    if (why) {
        fprintf(stderr, "%s\n", why);
        return EXIT_NO_DEVICE;
    }
    if (s.begin == 0) {
        printf("%s: %d x %d floats on %d device%s: %s\n", name, options.rows, options.cols, gpus,
               gpus == 1 ? "" : "s", device.description);
        if (!isnan(device.peak))
            printf("the links of a device carry %.0f GB/s each way\n", device.peak);
        if (gpus == 1)
            printf("with one device no byte crosses a link: the variants are verified, not "
                   "measured\n");
    }
    static Results results;
    results.step = &step;
    results.options = &options;
    results.device = &device;
    results.ceiling_ms = results.memcpy_ms = NAN;
    results.bytes = gpus > 1 ? bytes_leaving(&s) : NAN;
    results.gpus = gpus;
    int status = run_spread(&results, variants, &s);
    free_spread(&s);
    return status;
}

#endif
