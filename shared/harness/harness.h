/*
 * The one include of a step program.
 *
 * A step describes itself as a table of variants and calls run_step(), which reads the command
 * line, verifies every variant on a poisoned output, measures the verified ones against the copy
 * ceiling of the same process, prints a table and writes the TSV file.
 *
 * Include order, each header knowing only those before it:
 *   cuda_check.h  variant.h  options.h  device.h  results.h  hooks.h  verify.h  copy.h  timing.h
 *   report.h
 * beside them, for the kernels:
 *   swizzle.h (index formulas)  ptx.h (PTX instructions)  tensor_map.h (TMA descriptors)
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "ptx.h"
#include "report.h"
#include "swizzle.h"
#include "tensor_map.h"

/* How many tiles (or vectors) of `size` it takes to cover `length` elements. */
static __host__ __device__ __forceinline__ int tiles(int length, int size)
{
    return (length - 1) / size + 1;
}

/* The number of tile_rows x tile_cols tiles that cover a rows x cols matrix: the blocks of a launch
 * that numbers them in one dimension, which takes every shape (gridDim.y and gridDim.z end at
 * 65535). */
static inline unsigned blocks_for(int rows, int cols, int tile_rows, int tile_cols)
{
    return (unsigned)tiles(rows, tile_rows) * (unsigned)tiles(cols, tile_cols);
}

/* The grid of a persistent kernel: as many blocks as the whole device holds at once, but at most
 * `per_sm_limit` on one SM. Shared memory is the kernel's static plus `dynamic_bytes`, to which
 * this also raises the kernel's limit. */
static inline unsigned resident_blocks(const void *kernel, int threads, int dynamic_bytes,
                                       int per_sm_limit)
{
    int device, per_sm;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic_bytes));
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, threads, dynamic_bytes));
    return (per_sm < per_sm_limit ? per_sm : per_sm_limit) *
           device_attribute(cudaDevAttrMultiProcessorCount, device);
}

/* Bytes of dynamic shared memory with which at most `blocks` blocks of this kernel fit on one SM:
 * unused, they only take the room that one more block would need. 0 where fewer fit anyway. Also
 * asks for as much shared memory as the SM has: left to itself, the driver may choose a split with
 * L1 in which fewer blocks fit. */
static inline int padding_for_blocks_per_sm(const void *kernel, int blocks)
{
    int device;
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    int share = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device) / blocks -
                device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    int padding = (share - (int)attributes.sharedSizeBytes) / 1024 * 1024;
    if (padding <= 0)
        return 0;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, padding));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    return padding;
}

/* Verifies the chosen variants, in order; returns how many failed. Skipped ones say why. */
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

/* Measures the verified rows and the ceiling, which becomes one more row. */
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

/* The whole of a step program: returns its exit status. */
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
