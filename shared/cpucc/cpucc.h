/*
 * What a host program can ask cpucc's runtime: counts of its launches and the number of faults.
 * The harness uses it; other programs need not (CPUCC_REPORT shows the same figures).
 *
 * Counters are those of the project: requests are warp-level instructions; work is 32-byte sectors
 * for global memory, wavefronts for shared memory, bytes for TMA; ideal_work is the sum over
 * requests of the least that as many lanes and distinct bytes cost (shared/traffic/README.md), and
 * for TMA the bytes.
 */
#ifndef CPUCC_H
#define CPUCC_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cpucc_counter {
    CPUCC_GLOBAL_LOAD,
    CPUCC_GLOBAL_STORE,
    CPUCC_SHARED_LOAD,
    CPUCC_SHARED_STORE,
    CPUCC_ASYNC_COPY_GLOBAL,
    CPUCC_ASYNC_COPY_SHARED,
    CPUCC_TMA_LOAD,
    CPUCC_TMA_STORE,
    CPUCC_COUNTERS
};

struct cpucc_count {
    uint64_t requests, work, ideal_work;
};

struct cpucc_totals {
    struct cpucc_count counter[CPUCC_COUNTERS];
    uint64_t shared_bytes; /* static and dynamic shared memory per block, the largest launch's */
    uint64_t launches;     /* recorded launches */
    uint64_t faults;       /* faults found, in recorded and unrecorded launches */
};

/* The counter's name in every file of the project: "global_load" and so on. */
const char *cpucc_counter_name(int counter);

/* Record (1, as at the start) or do not record (0) the launches that follow. A launch that is not
 * recorded runs without lockstep, counts and race checks, about twenty times faster; what it
 * writes counts as written. Returns the former setting. */
int cpucc_record(int on);

/* Forget the totals so far. */
void cpucc_reset(void);

/* Of launches that follow, reports say nothing but their faults. */
void cpucc_end_of_report(void);

/* Totals of all recorded launches since cpucc_reset(), or since the start. */
void cpucc_read(struct cpucc_totals *totals);

/* Faults so far. The process exits with status 1 if there were any and it would exit with 0. */
uint64_t cpucc_faults(void);

/* A request for shared memory: which lanes (a mask), bytes per lane, and each one's byte offset in
 * the block's shared memory; offset / 4 % 32 is its bank. */
struct cpucc_request {
    uint32_t lanes, bytes, offset[32];
};

/* The first request of this shared-memory counter that the first warp of the first block has made
 * since cpucc_reset(). Returns 0 if there was none. */
int cpucc_first_request(int counter, struct cpucc_request *request);

/* Report per launch and per source line at exit, unless CPUCC_REPORT says otherwise: "table",
 * "tsv", "lines" or "off". */
void cpucc_default_report(const char *kind);

#ifdef __cplusplus
}
#endif
#endif
