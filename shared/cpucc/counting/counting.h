/* Declares the counts: per launch, and per pc of a kernel. shared/traffic computes what a request costs. */
#ifndef CPUCC_COUNTING_H
#define CPUCC_COUNTING_H

#include "../memory/memory.h"

#pragma GCC visibility push(hidden) /* direct access to variables of other files */

static inline void add_count(struct cpucc_count *to, struct cpucc_count more)
{
    to->requests += more.requests, to->work += more.work, to->ideal_work += more.ideal_work;
}

/* ---- count.c ---- */

/* Counts a request of the warp at the pc. */
void cpucc_count_request(const struct warp *warp, uintptr_t pc, int counter,
                         const struct traffic_request *request);
/* Counts the request's lanes in a peer's memory, and takes them out of the request. */
void cpucc_count_peers(const struct warp *warp, uintptr_t pc, struct traffic_request *request);
/* Counts a cp.async of copy->lanes; `zeros` of these lanes only write zeros. Changes *copy. */
void cpucc_count_copy(const struct warp *warp, uintptr_t pc, struct traffic_copy *copy,
                      uint32_t zeros);
/* Counts a bulk or tensor copy of so many bytes; `inside` of them lie inside the tensor. */
void cpucc_count_tma(uintptr_t pc, int counter, uint64_t bytes, uint64_t inside);
/* Counts a bulk or tensor copy from or to a peer's memory, which costs so much. */
void cpucc_count_peer_copy(uintptr_t pc, bool load, struct traffic_cost sectors,
                           struct traffic_cost packets);
/* What no counter of the report includes: atomics of allocated memory; bytes of other atomics
 * and of bulk copies within shared memory; values that lanes get of shuffles, votes and matrix operations;
 * completed phases of mbarriers that a warp other than the last to arrive waits for. */
extern uint64_t cpucc_heap_atomics, cpucc_other_atomic_bytes, cpucc_exchanges,
    cpucc_mbarrier_phases;
/* Bytes of loads by TMA from global memory whose mbarrier has completed a phase of such loads before. */
extern uint64_t cpucc_later_bytes;
/* The most bytes of such loads, in half of the blocks with loads at least, that the block has started and no thread
 * has waited for when one has just waited for others. */
uint64_t cpucc_bytes_in_flight(void);
void cpucc_note_in_flight(struct block *block, int64_t more_bytes);
void cpucc_note_end(const struct block *block);
/* Blocks with a request of global memory; fewer if one block makes more than 1.5 times its share of all requests. */
uint64_t cpucc_working_blocks(void);
/* So many threads, in half of these blocks, took part in one; fewer if one warp makes more than 1.5 times its share. */
uint64_t cpucc_working_threads(void);
/* From the first to the last byte of device variables that kernels have accessed. */
uint64_t cpucc_variable_bytes(void);
/* Half of the blocks load from as many rows of this matrix, or from more. */
void cpucc_set_matrix(uint64_t start, uint64_t bytes, uint64_t row_bytes);
uint64_t cpucc_rows_loaded(void);
void cpucc_note_work(const struct warp *warp, uint32_t lanes); /* notes that the lanes did */
/* Counts a request of ldmatrix ([0]) or stmatrix ([1]), which no counter of the report includes. */
void cpucc_count_matrices(const struct traffic_request *request);
extern struct cpucc_count cpucc_matrix_count[2];

/* ---- records.c ---- */

struct site_count { /* counts of one pc, and its worst request by work / ideal */
    uintptr_t pc;
    struct cpucc_count counter[CPUCC_COUNTERS];
    uint64_t worst_work, worst_ideal;
    int worst_counter;
    uint32_t worst_block;
    uint16_t worst_warp;
    struct traffic_request worst;
    const char *array; /* that it accesses (line_arrays.c), or NULL */
    uint64_t array_start, array_bytes;
};

struct launch_record {
    int number;
    index3 grid, block;
    struct cpucc_count counter[CPUCC_COUNTERS];
    unsigned may_differ[CPUCC_COUNTERS]; /* of the launch as a whole; bits of enum may_differ */
    uint64_t shared_bytes;
};

enum { CALLED = 8 }; /* most names of a kernel's launches that are kept */

struct kernel_record {
    char *name;
    const char *called[CALLED]; /* the names that the program gave its launches */
    bool first;                 /* the report begins with it */
    struct launch_record *launches;
    int launch_count;
    struct table sites; /* of struct site_count */
};

struct kernel_record *cpucc_begin_record(struct launch *launch); /* adds a record of the launch */
void cpucc_end_record(struct launch *launch);                    /* completes that record */
struct site_count *cpucc_site(struct kernel_record *record, uintptr_t pc); /* made if new */
void cpucc_count(int counter, uint64_t work, uint64_t ideal);              /* adds to totals */
/* Keeps the request if it is the first of its counter; cpucc_first_request (cpucc.h) returns it. */
void cpucc_note_request(struct warp *warp, uint32_t group, int counter, uint32_t bytes,
                        const uint64_t *address);
/* Returns the *count recorded kernels in the order of their first launches. */
struct kernel_record *const *cpucc_kernels(int *count);

/* ---- line_arrays.c ---- */

struct launch_arguments { /* of a launch */
    const char *names;    /* with types, as frontend/kernels.c writes them */
    int count;
    struct argument {
        uint64_t value;
        uint32_t bytes; /* 0: not kept */
    } argument[16];
};
extern struct launch_arguments cpucc_arguments; /* of the latest launch */
void cpucc_note_arguments(const struct device_part *kernel, void **values);
/* Sets the site's array to that at the address; to "several arrays" if it had another. */
void cpucc_note_array(struct site_count *site, uint64_t address);

/* ---- lines.c ---- */

enum { LINE_ARRAYS = 8 /* of a line; the last one holds all further ones */ };

/* The sum over all pcs of one source line. */
struct line_count {
    const char *place;                   /* file:line */
    const char *shown;                   /* file:line without folders */
    unsigned may_differ[CPUCC_COUNTERS]; /* bits of enum may_differ */
    struct site_count sum;
    int array_count;
    struct array_count {
        const char *name;
        struct cpucc_count counter[CPUCC_COUNTERS];
    } array[LINE_ARRAYS];
    int merged[CPUCC_COUNTERS]; /* bytes of the widest access that stands for several; 0: none */
};
const char *cpucc_array_name(const struct line_count *line, int array);
/* Returns how many of the line's arrays have requests of the counter. */
int cpucc_arrays_with(const struct line_count *line, int counter);
/* Returns the kernel's *count lines with accesses; the caller frees the array. */
struct line_count *cpucc_lines(const struct kernel_record *kernel, int *count);

/* Returns " at FILE:LINE or FILE:LINE" with the kernel's lines, at most three, that have read the variable or
 * allocation at the address; "" if none or more have. */
const char *cpucc_reading_lines(const struct kernel_record *kernel, uintptr_t address);

/* Sets sum[counter] to the sum over the kernel's launches, and adds their reasons to may_differ[counter], which
 * becomes 0 if there are no requests. */
void cpucc_sum_launches(const struct kernel_record *kernel, struct cpucc_count *sum,
                        unsigned *may_differ);
/* Sets may_differ[counter] to the reasons (bits) of the kernel's lines; launches may have more. */
void cpucc_kernel_may_differ(const struct kernel_record *kernel, unsigned *may_differ);
const char *cpucc_may_differ_word(int reason), *cpucc_may_differ_text(int reason);
/* Prints the words of the reasons with commas between them; "-" if there are none. */
void cpucc_print_may_differ(FILE *to, unsigned may_differ);

#pragma GCC visibility pop
#endif
