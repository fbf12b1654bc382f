/*
 * The frame of a step whose matrix is spread over several GPUs: run_many(), the counterpart of
 * run_step(). Its options are those of the other steps and --gpus, --nccl, --rank, --ranks, --meet.
 */
#ifndef MANY_H
#define MANY_H

#include "harness.h"
#include "nccl.h"

enum { MANY_SAMPLE_MS = 10, MANY_SIZE = 65536 };

typedef struct {
    int gpus;        /* --gpus; 0: all that there are */
    int rank, ranks; /* --rank and --ranks; ranks is 0 where one process drives all devices */
} ManyOptions;

static inline const char *first_of(const char *a, const char *b)
{
    return getenv(a) ? getenv(a) : getenv(b);
}

/* Takes the options of several devices out of the command line and leaves the others. */
static inline ManyOptions parse_many(int *argc, char **argv)
{
    static const char *const names[] = {"--gpus", "--nccl", "--rank", "--ranks", "--meet"};
    ManyOptions many = {0, -1, 0};
    int kept = 1;
    for (int a = 1; a < *argc; a++) {
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
        usage_error("at most %d devices", MAX_GPUS);
    return many;
}

static inline void print_many_help(void)
{
    printf("\n  --gpus G         use G devices (default: all that there are, at most %d)\n"
           "  --nccl PATH      the NCCL library (default: libnccl.so.2 where the loader finds it)\n"
           "  --rank R --ranks N --meet FILE\n"
           "                   this is process R of N, each with one device; they meet through\n"
           "                   FILE, which must not exist yet (RANK and WORLD_SIZE serve too)\n",
           MAX_GPUS);
}

/* ---- timing ---- */

static inline double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

/* Milliseconds per launch by the host's clock, from one moment at which all devices are idle to the
 * next, over `launches` launches that follow an untimed one. */
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

/* Measures the chosen[0..count) variants in turns, as measure() does on one device. The number of
 * launches in a sample is the same in every process, since all measure the same variants. */
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

/* The default size: the largest power of two up to MANY_SIZE for which four blocks of rows (input,
 * output, staging) fit in 70 % of each device's free memory. Ends the program with EXIT_NO_DEVICE
 * if input and output do not fit. */
static inline void choose_many_size(Options *options, int gpus)
{
    size_t least = SIZE_MAX;
    int count;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    for (int d = 0; d < count && d < gpus; d++) {
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
        fprintf(stderr, "%d x %d needs %.1f GB on each of %d devices, and %.1f GB are free\n",
                options->rows, options->cols, needed / 1e9, gpus, least / 1e9);
        exit(EXIT_NO_DEVICE);
    }
}

/* Why a variant cannot run here, or NULL. Prepares it if it can. */
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

/* Verifies the chosen variants, in order; returns how many failed. */
static inline int verify_chosen_many(Results *results, const ManyVariant *variants, const Spread *s)
{
    const char *no_peers = s->gpus > 1 && s->end - s->begin == s->gpus ? enable_peers(s) : NULL;
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

/* Measures the verified rows. The ceiling, one more row, is the fastest that only copies; cudaMemcpy's
 * place is taken by the first variant, the copy engines. */
static inline void measure_verified_many(Results *results, const ManyVariant *variants,
                                         const Spread *s)
{
    const ManyVariant *chosen[MAX_VARIANTS];
    Row *rows[MAX_VARIANTS];
    Time times[MAX_VARIANTS], ceiling = {NAN, NAN};
    int count = 0, r = 0;
    for (int v = 0; v < results->step->variant_count; v++)
        if (results->options->chosen[v] && results->rows[r++].status == OK) {
            rows[count] = &results->rows[r - 1];
            chosen[count++] = &variants[v];
        }
    measure_many(chosen, times, count, results->options->rounds, s);
    for (int c = 0; c < count; c++) {
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

/* The whole of a step program on several devices: returns its exit status. variants[0] is the copy
 * engines' exchange. */
static inline int run_many(const char *name, const ManyVariant *variants, int count,
                           const char *headline, const char *compared_with, int argc, char **argv)
{
    Variant listed[MAX_VARIANTS] = {};
    for (int v = 0; v < count && v < MAX_VARIANTS; v++)
        listed[v] = Variant{variants[v].name, NULL, 1, 0};
    Step step = {name, TRANSPOSE, listed, count, headline, compared_with, NULL};
    ManyOptions many = parse_many(&argc, argv);
    for (int a = 1; a < argc; a++)
        if (strcmp(argv[a], "--help") == 0)
            atexit(print_many_help);
    Options options = parse_options(&step, argc, argv);
    Device device = open_device(0);
    int devices;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    if (many.gpus > devices) {
        fprintf(stderr, "--gpus %d: there %s %d CUDA device%s\n", many.gpus,
                devices == 1 ? "is" : "are", devices, devices == 1 ? "" : "s");
        return EXIT_NO_DEVICE;
    }
    int gpus = many.ranks           ? many.ranks
               : many.gpus          ? many.gpus
               : devices < MAX_GPUS ? devices
                                    : MAX_GPUS;
    hook_start(&options, &device);
    choose_many_size(&options, gpus);
    Spread s = spread_matrix(gpus, many.ranks ? many.rank : 0, many.ranks ? many.rank + 1 : gpus,
                             options.rows, options.cols);
    if (many.ranks) {
        const char *why = connect_nccl(&s);
        if (why) {
            fprintf(stderr, "%s\n", why);
            return EXIT_NO_DEVICE;
        }
    }
    int speaks = s.begin == 0; /* one of several processes does */
    if (speaks)
        printf("%s: %d x %d floats on %d x %s\n", name, options.rows, options.cols, gpus,
               device.description);
    if (speaks && gpus == 1)
        printf("with one device nothing leaves it: no GB/s, no ceiling of the links\n");
    static Results results;
    results.step = &step;
    results.options = &options;
    results.device = &device;
    results.ceiling_ms = results.memcpy_ms = NAN;
    results.bytes = gpus > 1 ? bytes_leaving(&s) : NAN;
    results.gpus = gpus;
    int failures = verify_chosen_many(&results, variants, &s), verified = 0;
    for (int r = 0; r < results.count; r++)
        verified += results.rows[r].status == OK;
    if (!verified && !failures)
        printf("every variant was skipped: nothing was verified or measured\n");
    if (verified && !options.verify_only)
        measure_verified_many(&results, variants, &s);
    if (!hook_print(&results) && speaks)
        print_results(&results);
    if (hook_finish(&results) != 0)
        return EXIT_FAULT;
    free_spread(&s);
    if (options.tsv && speaks && write_tsv(&results) != 0)
        return EXIT_FAULT;
    return failures ? EXIT_FAULT : EXIT_OK;
}

#endif
