/*
 * The results of a run: one row per variant and one for the copy ceiling of this process.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include "device.h"
#include <math.h>

typedef enum { OK, FAILED, SKIPPED } Status;

static const char *const status_names[] = {"ok", "failed", "skipped"};

typedef struct {
    double median, iqr; /* milliseconds per launch, over all rounds; NAN if nothing was measured */
} Time;

typedef struct {
    const char *variant;
    Status status;
    Time time;
} Row;

typedef struct {
    const Step *step;
    const Options *options;
    const Device *device;
    double ceiling_ms; /* the fastest copy; below, cudaMemcpyAsync. NAN if nothing was measured */
    double memcpy_ms;
    double bytes; /* that one launch moves: read plus written, or sent by one of several devices */
    int gpus;
    Row rows[MAX_VARIANTS + 1];
    int count;
} Results;

/* Writes the line of a TSV file that names the step's headline, if it has one. */
static inline void write_headline(FILE *file, const Step *step)
{
    if (step->headline && step->compared_with)
        fprintf(file, "# headline %s: %s compared with %s\n", step->name, step->headline,
                step->compared_with);
}

#endif
