/*
 * What a step program hands to the harness: a table of variants, each a named way to do the
 * step's one operation on a rows x cols matrix of 4-byte floats.
 */
#ifndef VARIANT_H
#define VARIANT_H

/* Starts the operation on the default stream. `in` is rows x cols, row-major; `out` is cols x rows
 * for a transpose and rows x cols for a copy. Both pointers are device memory aligned to 256
 * bytes. Launch errors are the harness's to find (cudaGetLastError). */
typedef void (*Launch)(const float *in, float *out, int rows, int cols);

/* Host work that a launch needs and that must not be timed (tensor maps, occupancy queries): called
 * once for each matrix, before its first launch, with the arguments of the launches that follow.
 * All variants are prepared before the first is timed, so what one prepares must lie where no other
 * variant's prepare puts its own. */
typedef void (*Prepare)(const float *in, float *out, int rows, int cols);

typedef struct {
    const char *name;
    Launch launch;
    int multiple;            /* rows and cols must be multiples of this; 1 takes any size */
    int capability;          /* least compute capability, 10 * major + minor; 0 runs anywhere */
    int rows_per_grid_y = 0; /* rows of the input that one step of blockIdx.y covers; gridDim.y ends
                              * at 65535, so taller matrices are skipped. 0: no such limit */
    Prepare prepare = NULL;  /* NULL if there is nothing to prepare */
} Variant;

typedef enum { COPY, TRANSPOSE } Operation;

typedef struct {
    const char *name; /* the step's folder, the `step` column of the results */
    Operation operation;
    const Variant *variants;
    int variant_count;
    const char *headline;      /* the variant that the charts show as this step's bar, or NULL */
    const char *compared_with; /* the variant, of this step or another, that it is compared with */
    int (*guide)(void);        /* what --guide runs instead, returning the exit status, or NULL */
} Step;

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
