/*
 * Implements the functions of harness/hooks.h without a GPU: times nothing, verifies every variant,
 * and prints and writes traffic counts. hooks.h includes this file because cpucc has this folder on
 * its include path.
 */
#ifndef HARNESS_HOOKS_H
#define HARNESS_HOOKS_H

#include "../cpucc.h"
extern "C" {
#include "../../traffic/traffic.h"
}

#define HOOK_UNWATCHED __attribute__((disable_sanitizer_instrumentation))
enum { HOOK_TIMES = 0, HOOK_FINDS_STRAY_ACCESSES = 1 };
/* Few threads: each walks along memory. Several: cpucc ends a thread that runs for too long. */
enum { HOOK_CHECK_BLOCKS = 4, HOOK_CHECK_THREADS = 1 };
enum { CPU_SIZE = 256 }; /* default rows and columns without a GPU */

static struct cpucc_totals cpu_counts[MAX_VARIANTS + 1];       /* by row of the results */
static struct cpucc_request cpu_requests[MAX_VARIANTS + 1][2]; /* the first shared load and store */

/* Turns timing, the report and recording off, and sets the small default size. */
static inline void hook_start(Options *options, Device *device)
{
    snprintf(device->description, sizeof device->description, "the CPU");
    if (!options->rows)
        options->rows = options->cols = CPU_SIZE;
    options->verify_only = 1;
    cpucc_default_report("off");
    cpucc_record(0);
}

/* Turns recording on for a variant's kernels. */
static inline void hook_before_launch(const char *variant)
{
    cpucc_name_launches(variant);
    cpucc_record(1);
}
/* Turns recording off for the harness's own kernels. */
static inline void hook_after_launch(void) { cpucc_record(0); }

static inline void hook_after_fill(const void *memory, size_t bytes)
{
    cpucc_count_as_written(memory, bytes);
}

/* Ends an exercise's report after the counted size. */
static inline void hook_end_of_report(void) { cpucc_end_of_report(); }

/* Keeps the counts of the variant just verified in the given row. Returns 1 if it had a fault. */
static inline int hook_after_variant(int row)
{
    static uint64_t faults_before;
    cpucc_read(&cpu_counts[row]);
    cpucc_first_request(CPUCC_SHARED_LOAD, &cpu_requests[row][0]);
    cpucc_first_request(CPUCC_SHARED_STORE, &cpu_requests[row][1]);
    cpucc_reset();
    cpu_counts[row].faults -= faults_before;
    faults_before += cpu_counts[row].faults;
    return cpu_counts[row].faults != 0;
}

/* Prints one line per variant: per counter, work per request and work per ideal work. Returns 1. */
static inline int hook_print(const Results *results)
{
    int used[CPUCC_COUNTERS] = {0};
    for (int r = 0; r < results->count; r++)
        for (int c = 0; c < CPUCC_COUNTERS; c++)
            used[c] |= cpu_counts[r].counter[c].requests > 0;
    printf("%-28s %-8s", "variant", "verified");
    for (int c = 0; c < CPUCC_COUNTERS; c++)
        if (used[c])
            printf(" %*s", c < CPUCC_PEER_LOAD ? 17 : 18, cpucc_counter_name(c));
    putchar('\n');
    for (int r = 0; r < results->count; r++) {
        const Row *row = &results->rows[r];
        printf("%-28s %-8s", row->variant,
               row->status == OK       ? "yes"
               : row->status == FAILED ? "FAILED"
                                       : "skipped");
        for (int c = 0; c < CPUCC_COUNTERS; c++) {
            const struct cpucc_count *count = &cpu_counts[r].counter[c];
            char text[32] = "-";
            if (count->requests)
                snprintf(text, sizeof text, "%.1f (x%.2f)", (double)count->work / count->requests,
                         count->ideal_work ? (double)count->work / count->ideal_work : 1.0);
            if (used[c])
                printf(" %*s", c < CPUCC_PEER_LOAD ? 17 : 18, text);
        }
        putchar('\n');
    }
    printf("\nwork per request (xN: N times the least that would do). Work is 32-byte sectors for "
           "global memory,\nwavefronts for shared memory, bytes for TMA. CPUCC_REPORT=table shows "
           "source lines.\n");
    return 1;
}

/* Writes a row per lane and word of one request: the bank, and the wavefront that serves it. */
static inline void write_lanes(FILE *file, const char *step, const char *variant, int counter,
                               const struct cpucc_request *request)
{
    struct traffic_request cost = {counter == CPUCC_SHARED_LOAD ? TRAFFIC_SHARED_LOAD
                                                                : TRAFFIC_SHARED_STORE,
                                   (int)request->bytes,
                                   request->lanes,
                                   {0}};
    struct traffic_wavefront wave[TRAFFIC_MAX_WAVEFRONTS];
    for (int lane = 0; lane < TRAFFIC_LANES; lane++)
        cost.address[lane] = request->offset[lane];
    int waves = traffic_wavefronts(&cost, wave), ideal = traffic_cost(&cost).ideal;
    for (int lane = 0; lane < TRAFFIC_LANES; lane++)
        for (uint32_t b = 0; request->lanes >> lane & 1 && b < request->bytes; b += 4) {
            uint32_t word = (request->offset[lane] + b) / 4, bank = word % TRAFFIC_BANKS;
            int w = 0;
            while (w < waves - 1 &&
                   !(wave[w].lanes[bank] >> lane & 1 && wave[w].word[bank] == word))
                w++;
            fprintf(file, "%s\t%s\t%s\t%d\t%u\t%u\t%d\t%d\t%d\n", step, variant,
                    cpucc_counter_name(counter), lane, bank, word, w, wave[w].group, ideal);
        }
}

/* If CPUCC_LANES_FILE is set, appends to it the banks of each variant's first shared load and store
 * by the first warp. A new file gets headers. Returns 0, or -1 after printing an error. */
static inline int hook_finish(const Results *results)
{
    cpucc_show_first(results->step->headline);
    const char *path = getenv("CPUCC_LANES_FILE");
    FILE *file = path && *path ? fopen(path, "a") : NULL;
    if (!path || !*path)
        return 0;
    if (!file) {
        fprintf(stderr, "CPUCC_LANES_FILE=%s: could not be written: %s\n", path, strerror(errno));
        return -1;
    }
    if (ftell(file) == 0) {
        char date[32];
        time_t now = time(NULL);
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
        fprintf(file,
                "# gpu: no GPU, counted on the CPU\n# date: %s\n"
                "step\tvariant\tcounter\tlane\tbank\tword\twavefront\tpart\tideal_work\n",
                date);
    }
    for (int r = 0; r < results->count; r++)
        for (int k = 0; k < 2; k++)
            write_lanes(file, results->step->name, results->rows[r].variant,
                        k ? CPUCC_SHARED_STORE : CPUCC_SHARED_LOAD, &cpu_requests[r][k]);
    return fclose(file) == 0 ? 0 : -1;
}

/* Writes the counts file: one row per variant and counter, zeros included. If the problem is not
 * one matrix of floats, adds the columns element_bytes and batches. Returns 1. */
static inline int hook_write(FILE *file, const Results *results)
{
    const Options *options = results->options;
    char problem[40] = "";
    if (options->element_bytes != sizeof(float) || options->batches != 1)
        snprintf(problem, sizeof problem, "\t%d\t%d", options->element_bytes, options->batches);
    fprintf(file, "# gpu: no GPU, counted on the CPU\n# command: %s\n", options->command);
    write_headline(file, results->step);
    fprintf(file, "step\tvariant\trows\tcols\tcounter\trequests\twork\tideal_work%s\n",
            *problem ? "\telement_bytes\tbatches" : "");
    for (int r = 0; r < results->count; r++)
        for (int c = 0; c < cpucc_counters() && results->rows[r].status == OK; c++) {
            const struct cpucc_count *count = &cpu_counts[r].counter[c];
            fprintf(file, "%s\t%s\t%d\t%d\t%s\t%llu\t%llu\t%llu%s\n", results->step->name,
                    results->rows[r].variant, options->rows, options->cols, cpucc_counter_name(c),
                    (unsigned long long)count->requests, (unsigned long long)count->work,
                    (unsigned long long)count->ideal_work, problem);
        }
    return 1;
}

#endif
