/*
 * Records for the HTML report: the first and the worst request of each line, and one block's
 * accesses, barriers and copies in the order of the run. trace.c is an entry of the table of checkers
 * (core/hooks.h) if CPUCC_REPORT=html.
 */
#ifndef CPUCC_TRACE_H
#define CPUCC_TRACE_H

#include "../execution/async.h"

void cpucc_trace_start(void); /* adds the entry */

enum trace_kind {
    TRACE_REQUEST, /* a counted load or store */
    TRACE_COPY,    /* cp.async */
    TRACE_ATOMIC,
    TRACE_TMA,      /* a bulk or tensor copy is issued */
    TRACE_ARRIVED,  /* a TRACE_TMA completes; value: its event, 1 if a store has only read */
    TRACE_COMMIT,   /* cp.async.commit_group */
    TRACE_WAIT,     /* cp.async.wait_group; value[0]: groups that may be pending */
    TRACE_BARRIER,  /* value[0]: enum trace_barrier */
    TRACE_WARP,     /* a warp-wide call; value[0]: collective.c's mode */
    TRACE_MBARRIER, /* value[0]: enum mbarrier_event, then phase, pending arrivals, bytes */
    TRACE_FAULT     /* value[0]: index into cpucc_kept_faults */
};
enum trace_barrier { TRACE_BLOCK_BARRIER, TRACE_CLUSTER_BARRIER, TRACE_GRID_BARRIER };

/*
 * The pattern of a request: its lanes' offsets from the lowest address, rounded down to a multiple
 * of 128 bytes. Requests with one pattern cost the same. A cp.async has two sides: side 0 is in
 * global memory, side 1 in shared memory.
 */
struct trace_pattern {
    int8_t counter; /* CPUCC_GLOBAL_LOAD...; CPUCC_ASYNC_COPY_GLOBAL for both sides; -1: atomic */
    bool zeros, through_l1;
    int bytes;
    uint32_t lanes;
    int work[2], ideal[2];
    int64_t offset[2][WARP];
};

/* The box of a bulk or tensor copy. A bulk copy has rank 0. */
struct trace_box {
    uint8_t rank, element_bytes, swizzle; /* as in tensor.h */
    uint16_t box[5];
    uint64_t dim[5];
    uint32_t bytes, inside; /* bytes of the box; bytes of it inside the tensor */
    int count;              /* of pieces */
    struct trace_piece {
        int32_t shared; /* in bytes, from the start of the box in shared memory */
        uint16_t bytes;
        bool inside;
    } * pieces;
};

/*
 * A place in memory is a uint64_t: a global address, or for shared memory the sum of TRACE_SHARED,
 * the offset in the block's shared memory, and for another block (rank + 1) << TRACE_RANK_SHIFT.
 */
#define TRACE_SHARED ((uint64_t)1 << 63)
#define TRACE_RANK_SHIFT 32

struct trace_event {
    enum trace_kind kind;
    uint16_t warp;
    uint32_t lanes;
    uintptr_t pc;
    int pattern;        /* number of the pattern or box; -1: there were too many */
    uint64_t at, other; /* places; `other`: the shared side of a copy */
    int value[5];       /* TRACE_TMA: coordinates of the box in the tensor */
    bool load;          /* TRACE_TMA: a load, not a store */
};

/* The recorded block. */
struct trace_block {
    uint32_t number;
    index3 index;
    int launch;          /* number in its kernel */
    int count, left_out; /* events: recorded, not recorded */
    bool faulty;         /* a fault occurred in the block */
    int patterns;        /* number of patterns when the block began */
    struct trace_event *events;
    struct trace_variable {
        const char *name, *type;
        uint32_t offset, bytes;
    } * variables;
    int variable_count;
    uint32_t dynamic_bytes;
};

/* A request of a source line. */
struct trace_sample {
    struct trace_pattern pattern;
    int box;            /* number of a bulk or tensor copy's box */
    uint64_t at, other; /* as in struct trace_event */
    uint32_t block;
    uint16_t warp;
    uint64_t order; /* increases in the order of the run */
};
struct trace_site {
    uintptr_t key, pc; /* key: of both */
    int counter;       /* one of CPUCC_COUNTERS; a cp.async has a site for each of its two */
    uint64_t work, ideal;
    struct trace_sample first, worst;
};

/* What the requests of a shared array would cost if it were declared otherwise; see tried.c. */
enum { TRIALS = 5 };
struct trace_trial {
    const shared_site *variable;
    unsigned rows, cols, element; /* of the last two subscripts; bytes of an element */
    bool fixed;                   /* it cannot be declared otherwise, or has no two subscripts */
    bool illegal[TRIALS];
    uint64_t requests, work, ideal, would[TRIALS];
};

struct trace_kernel {
    const struct kernel_record *record;
    index3 cluster;
    struct table sites;                 /* of struct trace_site */
    struct trace_block *block, *faulty; /* the recorded block; the first with a fault; or NULL */
    struct launch_arguments arguments;  /* of the first launch */
    struct trace_trial *trials;
    int trial_count;
};

/* ---- trace_patterns.c, for trace.c ---- */

int cpucc_trace_patterns(void); /* returns the number of known patterns */
/* Drops all patterns but the first `keep`. The caller passes those known before its block began. */
void cpucc_forget_patterns(int keep);
int cpucc_event_pattern(const struct trace_pattern *p); /* cpucc_trace_number for an event */
/* Sets the offsets of one side of a pattern. Returns the base address that they count from. */
uintptr_t cpucc_pattern_offsets(struct trace_pattern *p, int side, const uint64_t *address,
                                uint32_t lanes);
/* Returns the number of the copy's box, added if it is new; -1 if there are too many. */
int cpucc_box_number(const struct async_copy *copy, const struct tensor_map *map);

extern const struct cpucc_checker cpucc_trials; /* tried.c */

/* ---- for the page ---- */

/* Returns the records of a kernel, NULL if there are none. */
struct trace_kernel *cpucc_traced(const struct kernel_record *record);
const struct trace_pattern *cpucc_trace_pattern(int number); /* the pattern of a number */
int cpucc_trace_number(const struct trace_pattern *pattern); /* the number of a pattern */
const struct trace_box *cpucc_trace_box(int number);         /* the box of a number */

/* Describes one side of a request's pattern in `to`, and says what to try next. */
void cpucc_advise(int counter, const struct trace_pattern *pattern, int side, char *to,
                  size_t capacity);

#endif
