/*
 * The only header that a step program includes.
 *
 * A step has a table of variants and calls run_step(), which reads the command line, verifies every
 * variant, measures the verified ones beside the copy ceiling, prints a table and writes the TSV file.
 *
 * Each header uses only headers before it:
 *   cuda_check.h  variant.h  options.h  device.h  results.h  hooks.h  verify.h  copy.h  timing.h
 *   report.h
 * For kernels:
 *   swizzle.h (index formulas)  ptx.h (PTX instructions)  tensor_map.h (TMA descriptors)
 *   grid.h (how many blocks)
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "grid.h"
#include "ptx.h"
#include "report.h"
#include "swizzle.h"
#include "tensor_map.h"

/* Verifies the chosen variants in order; prints the reason for each skipped one. Returns how many
 * failed. */
static inline int verify_chosen(Results *results, const Buffers *buffers)
{
    int failures = 0;
    for (int v = 0; v < results->step->variant_count; v++) {
        const Variant *variant = &results->step->variants[v];
        if (!results->options->chosen[v])
            continue;
        const char *refusal = device_refusal(variant, results->device);
        if (!refusal)
            refusal = size_refusal(variant, results->options);
        Row row = {variant->name, OK, {NAN, NAN}};
        if (refusal) {
            row.status = SKIPPED;
            printf("%s skipped: %s\n", variant->name, refusal);
        } else if (!verify(variant, results->step->operation, buffers)) {
            row.status = FAILED;
        }
        if (hook_after_variant(results->count) && row.status == OK)
            row.status = FAILED;
        failures += row.status == FAILED;
        results->rows[results->count++] = row;
    }
    return failures;
}

/* Measures the verified variants and the copy ceiling, and adds a row for the ceiling. */
static inline void measure_verified(Results *results, const Buffers *buffers)
{
    Contender contenders[COPIES + MAX_VARIANTS];
    int count = 0;
    for (int c = 0; c < COPIES; c++)
        contenders[count++] = Contender{&copies[c], 0, NULL, {NAN, NAN}};
    int chosen_row = 0;
    for (int v = 0; v < results->step->variant_count; v++)
        if (results->options->chosen[v] && results->rows[chosen_row++].status == OK)
            contenders[count++] = Contender{&results->step->variants[v], 0, NULL, {NAN, NAN}};

    measure(contenders, count, results->options->rounds, buffers);

    int next = COPIES;
    for (int r = 0; r < results->count; r++)
        if (results->rows[r].status == OK)
            results->rows[r].time = contenders[next++].time;
    Time ceiling = contenders[fastest(contenders, COPIES)].time;
    results->ceiling_ms = ceiling.median;
    results->memcpy_ms = contenders[MEMCPY].time.median;
    results->rows[results->count++] = Row{"ceiling", OK, ceiling};
}

/* Runs a step program; returns its exit status. */
static inline int run_step(const Step *step, int argc, char **argv)
{
    Options options = parse_options(step, argc, argv);
    Device device = open_device(options.device);
    for (int v = 0; v < step->variant_count && options.named; v++) {
        const char *refusal = device_refusal(&step->variants[v], &device);
        if (options.chosen[v] && refusal) {
            fprintf(stderr, "--variant %s: %s\n", step->variants[v].name, refusal);
            return EXIT_NO_DEVICE;
        }
    }
    hook_start(&options, &device);
    choose_size(&options, (2 * GUARD + (1 << 18)) * sizeof(float));

    printf("%s: ", step->name);
    if (options.batches > 1)
        printf("%d times ", options.batches);
    printf("%d x %d ", options.rows, options.cols);
    if (options.element_bytes == sizeof(float))
        printf("floats");
    else
        printf("elements of %d byte%s", options.element_bytes,
               options.element_bytes > 1 ? "s" : "");
    printf(" on %s\n", device.description);
    Buffers buffers = allocate_problem(&options);
    static Results results;
    results.step = step;
    results.options = &options;
    results.device = &device;
    results.ceiling_ms = results.memcpy_ms = NAN;
    results.bytes = 2 * matrix_bytes(&options);
    results.gpus = 1;
    int failures = verify_chosen(&results, &buffers);
    int verified = 0;
    for (int r = 0; r < results.count; r++)
        verified += results.rows[r].status == OK;
    if (!verified && !failures)
        printf("every variant was skipped: nothing was verified or measured\n");
    if (verified && !options.verify_only)
        measure_verified(&results, &buffers);
    if (!hook_print(&results))
        print_results(&results);
    if (hook_finish(&results) != 0)
        return EXIT_FAULT;
    free_buffers(&buffers);
    if (options.tsv && write_tsv(&results) != 0)
        return EXIT_FAULT;
    return failures ? EXIT_FAULT : EXIT_OK;
}

#endif
