/*
 * Prints the table and writes the TSV file of a run.
 */
#ifndef REPORT_H
#define REPORT_H

#include "timing.h"

/* Returns the bandwidth in GB/s (1 GB = 1e9 bytes): the bytes that a launch moves, per time. */
static inline double bandwidth(const Results *results, double ms)
{
    return results->bytes / (ms * 1e6);
}

static inline void print_results(const Results *results)
{
    printf("%-28s %-8s %10s %9s %8s %7s %9s %7s\n", "variant", "status", "ms", "IQR ms", "GB/s",
           "% copy", "% memcpy", "% peak");
    for (int r = 0; r < results->count; r++) {
        const Row *row = &results->rows[r];
        double ms = row->time.median, gb = bandwidth(results, ms);
        printf("%-28s %-8s", row->variant, status_names[row->status]);
        if (!isnan(ms))
            printf(" %10.4f %9.4f %8.1f %7.1f %9.1f %7.1f", ms, row->time.iqr, gb,
                   100 * results->ceiling_ms / ms, 100 * results->memcpy_ms / ms,
                   100 * gb / results->device->peak);
        putchar('\n');
    }
}

static inline void write_number(FILE *file, double value, int digits, char end)
{
    if (isnan(value))
        fprintf(file, "nan%c", end);
    else
        fprintf(file, "%.*f%c", digits, value, end);
}

static inline void write_rows(FILE *file, const Results *results)
{
    const Options *options = results->options;
    const Device *device = results->device;
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    fprintf(file,
            "# gpu: %s\n# compute capability: %d.%d\n# driver: %s\n# CUDA runtime: %s\n"
            "# theoretical peak GB/s: %.1f\n# SMs: %d\n# l2 bytes: %zu\n# date: %s\n"
            "# command: %s\n",
            device->name, device->capability / 10, device->capability % 10, device->driver,
            device->runtime, device->peak, device->sms, device->l2_bytes, date, options->command);
    write_headline(file, results->step);
    fprintf(file, "step\tvariant\trows\tcols\tstatus\ttime_ms\tiqr_ms\tgb_per_s\t"
                  "percent_of_copy\tpercent_of_peak\telement_bytes\tbatches\t"
                  "percent_of_memcpy\tgpus\n");
    for (int r = 0; r < results->count; r++) {
        const Row *row = &results->rows[r];
        double ms = row->time.median, gb = bandwidth(results, ms);
        fprintf(file, "%s\t%s\t%d\t%d\t%s\t", results->step->name, row->variant, options->rows,
                options->cols, status_names[row->status]);
        write_number(file, ms, 6, '\t');
        write_number(file, row->time.iqr, 6, '\t');
        write_number(file, gb, 2, '\t');
        write_number(file, 100 * results->ceiling_ms / ms, 2, '\t');
        write_number(file, 100 * gb / device->peak, 2, '\t');
        fprintf(file, "%d\t%d\t", options->element_bytes, options->batches);
        write_number(file, 100 * results->memcpy_ms / ms, 2, '\t');
        fprintf(file, "%d\n", results->gpus);
    }
}

/* Writes the file of --tsv atomically: writes a temporary file in its folder, then renames it.
 * Returns 0, or -1 after a message; then an older file is unchanged. */
static inline int write_tsv(const Results *results)
{
    const char *path = results->options->tsv;
    char beside[PATH_MAX + 32];
    struct stat status;
    int special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    snprintf(beside, sizeof beside, special ? "%s" : "%s.%d.part", path, (int)getpid());
    FILE *file = fopen(beside, "w");
    if (file) {
        if (!hook_write(file, results))
            write_rows(file, results);
        int bad = ferror(file);
        if (fclose(file) == 0 && !bad && (special || rename(beside, path) == 0))
            return 0;
        if (!special)
            unlink(beside);
    }
    fprintf(stderr, "--tsv %s: could not be written: %s\n", path, strerror(errno));
    return -1;
}

#endif
