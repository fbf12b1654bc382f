/*
 * The table of variants that a step program gives to the harness. A variant is a named way to do the
 * step's operation on a rows x cols matrix of 4-byte floats, or on a Problem.
 */
#ifndef VARIANT_H
#define VARIANT_H

/* Starts the operation on the default stream. `in` is rows x cols, row-major; `out` is cols x rows
 * for a transpose and rows x cols for a copy. Both pointers are device memory aligned to 256
 * bytes. The harness checks for launch errors (cudaGetLastError). */
typedef void (*Launch)(const float *in, float *out, int rows, int cols);

/* Host work of a launch that must not be timed (tensor maps, occupancy queries). The harness calls
 * it once per matrix, before the first launch, with the arguments of the launches. All variants are
 * prepared before the first is timed, so each needs its own storage. */
typedef void (*Prepare)(const float *in, float *out, int rows, int cols);

/* The operands of a general transpose: matrices with elements of any size, batches and pitches, in
 * device memory aligned to one element. Matrix b begins b * rows * in_pitch elements after `in`, and
 * its transpose b * cols * out_pitch elements after `out`. */
typedef struct {
    const void *in;
    void *out;
    int batches, rows, cols;
    long in_pitch, out_pitch; /* from row to row, in elements */
    int element_bytes;        /* 1, 2, 4, 8 or 16 */
} Problem;

/* Starts the operation on a Problem, as a Launch does on one matrix of floats. */
typedef void (*LaunchAny)(const Problem *problem);
/* Returns why a variant cannot run on a Problem, or NULL if it can. It is called before memory is
 * allocated, so only the pointers' alignment is valid. */
typedef const char *(*Refusal)(const Problem *problem);

typedef struct {
    const char *name;
    Launch launch;           /* NULL if there is launch_any */
    int multiple;            /* rows and cols must be multiples of this; 1 takes any size */
    int capability;          /* least compute capability, 10 * major + minor; 0 runs anywhere */
    int rows_per_grid_y = 0; /* rows of the input that one step of blockIdx.y covers; gridDim.y ends
                              * at 65535, so taller matrices are skipped. 0: no such limit */
    Prepare prepare = NULL;  /* NULL if there is nothing to prepare */
    LaunchAny launch_any = NULL; /* a step that has one takes the options of a Problem */
    Refusal refusal = NULL;      /* for launch_any; NULL if it takes every Problem */
} Variant;

typedef enum { COPY, TRANSPOSE } Operation;

typedef struct {
    const char *name; /* the step's folder, the `step` column of the results */
    Operation operation;
    const Variant *variants;
    int variant_count;
    const char *headline;      /* the variant that the charts show as this step's bar, or NULL */
    const char *compared_with; /* the variant, of this step or another, that it is compared with */
    int (*guide)(void);        /* runs the example of --guide, returns the exit status; or NULL */
} Step;

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
