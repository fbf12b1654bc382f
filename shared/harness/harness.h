/*
 * The one include of a step program.
 *
 * A step describes itself as a table of variants and calls run_step(), which reads the command
 * line, verifies every variant on a poisoned output, measures the verified ones against the copy
 * ceiling of the same process, prints a table and writes the TSV file.
 *
 * Include order, each header knowing only those before it:
 *   cuda_check.h  variant.h  options.h  device.h  verify.h  timing.h  results.h
 * beside them, for the kernels:
 *   swizzle.h (index formulas)  ptx.h (PTX instructions)  tensor_map.h (TMA descriptors)
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "ptx.h"
#include "results.h"
#include "swizzle.h"
#include "tensor_map.h"
#ifdef __CPUCC__
#include "cpucc/harness/harness_hooks.h"
#define TSV_ROWS write_counts
#else
#define TSV_ROWS write_rows
#endif

/* How many tiles (or vectors) of `size` it takes to cover `length` elements. */
static __host__ __device__ __forceinline__ int tiles(int length, int size)
{
    return (length - 1) / size + 1;
}

/* Launches number blocks in one dimension, because gridDim.y and gridDim.z stop at 65535: enough
 * blocks for all tile_rows x tile_cols tiles of a rows x cols matrix. */
static inline unsigned blocks_for(int rows, int cols, int tile_rows, int tile_cols)
{
    return (unsigned)tiles(rows, tile_rows) * (unsigned)tiles(cols, tile_cols);
}

/* The grid of a persistent kernel: as many blocks as the whole device holds at once, but at most
 * `per_sm_limit` on one SM. Shared memory is the kernel's static plus `dynamic_bytes`, for which
 * this also asks leave. */
static inline unsigned resident_blocks(const void *kernel, int threads, int dynamic_bytes,
                                       int per_sm_limit)
{
    int device, per_sm;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    dynamic_bytes));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, threads,
                                                             dynamic_bytes));
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

static inline const char *device_refusal(const Variant *variant, const Device *device)
{
    static char reason[96];
    if (variant->capability > device->capability)
        snprintf(reason, sizeof reason, "needs compute capability %d.%d, this device has %d.%d",
                 variant->capability / 10, variant->capability % 10, device->capability / 10,
                 device->capability % 10);
    else if (variant->capability >= 90 && !HAS_TENSOR_MAPS)
        snprintf(reason, sizeof reason, "needs CUDA 12.0 or newer; this was built with %d.%d",
                 CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    else
        return NULL;
    return reason;
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
        int multiple = illegal_size(variant, buffers->rows, buffers->cols);
        Row row = {variant->name, OK, {NAN, NAN}};
        if (refusal || multiple) {
            row.status = SKIPPED;
            if (refusal)
                printf("%s skipped: %s\n", variant->name, refusal);
            else
                printf("%s skipped: rows and cols must be multiples of %d\n", variant->name,
                       multiple);
        } else if (!verify(variant, results->step->operation, buffers)) {
            row.status = FAILED;
            failures++;
        }
#ifdef __CPUCC__
        if (take_counts(results->count) && row.status == OK) {
            row.status = FAILED;
            failures++;
        }
#endif
        results->rows[results->count++] = row;
    }
    return failures;
}

/* Measures the verified rows and the ceiling, which becomes one more row. */
static inline void measure_verified(Results *results, const Buffers *buffers)
{
    Contender contenders[MAX_VARIANTS + COUNT_OF(ceilings)];
    int count = 0;
    for (int c = 0; c < COUNT_OF(ceilings); c++)
        contenders[count++] = Contender{&ceilings[c], 0, NULL, {NAN, NAN}};
    int chosen_row = 0;
    for (int v = 0; v < results->step->variant_count; v++)
        if (results->options->chosen[v] && results->rows[chosen_row++].status == OK)
            contenders[count++] = Contender{&results->step->variants[v], 0, NULL, {NAN, NAN}};

    measure(contenders, count, results->options->rounds, buffers);

    int next = COUNT_OF(ceilings);
    for (int r = 0; r < results->count; r++)
        if (results->rows[r].status == OK)
            results->rows[r].time = contenders[next++].time;
    Time ceiling = contenders[contenders[1].time.median < contenders[0].time.median].time;
    results->ceiling_ms = ceiling.median;
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
#ifdef __CPUCC__
    start_cpu_run(&options);
#endif
    choose_size(&options, (2 * GUARD + (1 << 18)) * sizeof(float));

#ifdef __CPUCC__
    printf("%s: %d x %d floats on the CPU\n", step->name, options.rows, options.cols);
#else
    printf("%s: %d x %d floats on %s (compute capability %d.%d, peak %.0f GB/s)\n", step->name,
           options.rows, options.cols, device.name, device.capability / 10, device.capability % 10,
           device.peak);
#endif
    Buffers buffers = allocate_buffers(options.rows, options.cols);
    static Results results;
    results.step = step;
    results.options = &options;
    results.device = &device;
    results.ceiling_ms = NAN;
    int failures = verify_chosen(&results, &buffers);
    int verified = 0;
    for (int r = 0; r < results.count; r++)
        verified += results.rows[r].status == OK;
    if (!verified && !failures)
        printf("every variant was skipped: nothing was verified or measured\n");
    if (verified && !options.verify_only)
        measure_verified(&results, &buffers);
#ifdef __CPUCC__
    print_counts(&results);
    if (add_lanes(&results) != 0)
        return EXIT_FAULT;
#else
    print_results(&results);
#endif
    free_buffers(&buffers);
    if (options.tsv && write_tsv(&results, TSV_ROWS) != 0)
        return EXIT_FAULT;
    return failures ? EXIT_FAULT : EXIT_OK;
}

#endif
