/*
 * What a host program can ask cpucc's run time: counts of its launches and the number of faults.
 * The harness uses it; other programs need not (CPUCC_REPORT shows the same figures).
 *
 * requests: warp-level instructions. work: 32-byte sectors for global memory, wavefronts for shared
 * memory, bytes for TMA. ideal_work: the sum over requests of the least cost of as many lanes and
 * distinct bytes (shared/traffic/README.md); for TMA the bytes.
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
    uint64_t shared_bytes; /* static and dynamic, per block, the largest launch's */
    uint64_t launches;     /* recorded launches */
    uint64_t faults;       /* faults found, in recorded and unrecorded launches */
};

/* Returns the counter's name in every file of the project: "global_load" and so on. */
const char *cpucc_counter_name(int counter);

/* Turns recording of the following launches on (1, the default) or off (0) and returns the former
 * setting. An unrecorded launch runs without lockstep, counts and race checks, about twenty times
 * faster; everything that it writes counts as written. */
int cpucc_record(int on);

/* Clears the totals. */
void cpucc_reset(void);

/* Later launches appear in reports only with their faults. */
void cpucc_end_of_report(void);

/* Reads the totals of all recorded launches since cpucc_reset(), or since the start. */
void cpucc_read(struct cpucc_totals *totals);

/* Returns the number of faults so far. If there were any, a process that would exit with 0 exits
 * with 1. */
uint64_t cpucc_faults(void);

/* A shared-memory request: a mask of lanes, bytes per lane, and each lane's byte offset in the
 * block's shared memory; offset / 4 % 32 is its bank. */
struct cpucc_request {
    uint32_t lanes, bytes, offset[32];
};

/* Returns in *request the first request of this shared-memory counter by the first warp of the
 * first block since cpucc_reset(). Returns 0 if there was none. */
int cpucc_first_request(int counter, struct cpucc_request *request);

/* Sets the report per launch and source line at exit, unless CPUCC_REPORT is set: "table", "tsv",
 * "lines" or "off". */
void cpucc_default_report(const char *kind);

#ifdef __cplusplus
}
#endif
#endif
