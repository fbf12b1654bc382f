/* What the parts of the lab share while a source runs. */
#ifndef LAB_INTERNAL_H
#define LAB_INTERNAL_H

#include "lab.h"
#include "traffic/traffic.h"

enum {
    SLOTS = 320,         /* numbers per thread */
    DEPTH = 160,         /* of temporary results */
    ELEMENTS = 1 << 20,  /* of a matrix */
    SHARED_MOST = 49152, /* of a block */
    OBJECTS = 64,
    SITES = 64,
    PATIENCE = 4000000 /* expressions of a block that are evaluated */
};
/* Marks of an element's value: it is one of the matrix; it came out of shared memory. */
#define ELEMENT (INT64_C(1) << 60)
#define THROUGH (INT64_C(1) << 61)
#define MIDDLE (INT64_C(1) << 39) /* a pointer is its object << 40, plus MIDDLE, plus its index */

typedef int64_t lanes[LAB_THREADS];
typedef uint8_t mask[LAB_THREADS];

/* An array that kernels access. */
struct object {
    const char *name;
    bool shared;
    uint64_t address;
    int bytes;
    int64_t count, *data;
};

/* The requests of one access in the source. */
struct site {
    const struct lab_node *node;
    enum traffic_kind kind;
    uint64_t requests, work, ideal;
    struct traffic_request worst;
    int most;
};

struct lab {
    int64_t in[ELEMENTS], out[ELEMENTS], shared[SHARED_MOST];
    lanes slot[SLOTS];
    struct object object[OBJECTS];
    struct site site[SITES];
    int slots, objects, sites, shared_bytes, patience;
    int width;             /* threads that execute together: those of a block, or 1 */
    int64_t dimension[12]; /* threadIdx (unused), blockIdx, blockDim, gridDim */
    int launches;
    bool own;                    /* what a thread itself stored counts as out of shared memory */
    uint16_t owner[SHARED_MOST]; /* 1 + the thread that stored the element */
    mask worked;                 /* threads of the block that made a request */
    uint32_t blocks_with[LAB_THREADS + 1];    /* so many such threads */
    int64_t row_elements;                     /* of the input */
    int64_t first_row, end_row;               /* that this block loads from */
    uint32_t blocks_loading[LAB_THREADS + 1]; /* so many rows */
    uint32_t accesses;                        /* so far */
    uint32_t stored_in[SHARED_MOST];          /* the request that stored the element */
    uint32_t
        elements_from[TRAFFIC_LANES + 1]; /* that requests load which take from so many stores */
    uint64_t requests[3]; /* of global memory: of all blocks, the busiest, this one */
    uint64_t of_warp[LAB_THREADS / TRAFFIC_LANES]; /* this block's, by warp */
    mask returned;                                 /* threads that left the function */
    int64_t *returns;                              /* what they return */
};
extern struct lab lab;

/* Returns room for the result of an expression; the caller gives it back with pop. */
int64_t *push(int line);
void pop(int count);

/* Evaluates an expression for the threads that are on. */
void evaluate(const struct lab_node *node, const mask on, lanes result);

/* Evaluates an expression for one thread. */
int64_t constant(const struct lab_node *node);

/* Executes a statement for the threads that are on. */
void execute(const struct lab_node *node, const mask on);

/* Adds an array. Returns its number. */
int add_object(const char *name, bool shared, uint64_t address, int bytes, int64_t count,
               int64_t *data);

/* Gives a declared name its slots, or its place in shared memory. */
void place(struct lab_symbol *symbol, int line);

/* Writes to a local variable or an array element. */
void assign(const struct lab_node *target, const mask on, lanes value);

/* True if a thread is on. */
bool any(const mask on);

#endif
