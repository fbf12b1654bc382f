/*
 * The host's interface to cpucc's run time: counts of launches and the number of faults. The
 * harness uses it. Other programs need not: CPUCC_REPORT shows the same counts.
 *
 * A request is one memory instruction of a warp. Its work is 32-byte sectors in global memory,
 * wavefronts in shared memory, bytes for TMA, and for packets pieces of at most 128 bytes. Its ideal work is the least work that as many
 * lanes and distinct bytes could cost (shared/traffic/README.md); for TMA the bytes.
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
    CPUCC_PEER_LOAD,
    CPUCC_PEER_STORE,
    CPUCC_PEER_LOAD_PACKETS,
    CPUCC_PEER_STORE_PACKETS,
    CPUCC_COUNTERS
};

struct cpucc_count {
    uint64_t requests, work, ideal_work;
};

struct cpucc_totals {
    struct cpucc_count counter[CPUCC_COUNTERS];
    uint64_t shared_bytes; /* static and dynamic, per block: the most of any launch */
    uint64_t launches;     /* recorded launches */
    uint64_t faults;       /* faults found, in recorded and unrecorded launches */
};

/* Returns the counter's name, "global_load" and so on. All files of the project use these names. */
const char *cpucc_counter_name(int counter);

/* Returns how many counters are in use: those of peers' memory only with several devices. */
int cpucc_counters(void);

/* Turns recording of later launches on (1, the default) or off (0) and returns the former setting.
 * An unrecorded launch runs without lockstep, counts and race checks, about twenty times
 * faster; all memory that it writes counts as written. */
int cpucc_record(int on);

/* Lets device memory count as written by a kernel that is compiled without checks. */
void cpucc_count_as_written(const void *memory, size_t bytes);

/* Names later launches: the HTML report shows the names beside that of their kernel. */
void cpucc_name_launches(const char *name);

/* Chooses by such a name the kernel with which the HTML report begins; NULL: the first. */
void cpucc_show_first(const char *name);

/* Clears the totals. */
void cpucc_reset(void);

/* Ends the report: of later launches, reports show only the faults. */
void cpucc_end_of_report(void);

/* Returns in *totals the sums over recorded launches since the start or the last cpucc_reset(). */
void cpucc_read(struct cpucc_totals *totals);

/* Returns the number of faults so far. After a fault, exit status 0 becomes 1. */
uint64_t cpucc_faults(void);

/* A shared-memory request: a mask of lanes, bytes per lane, and each lane's byte offset in the
 * block's shared memory. An offset lies in bank offset / 4 % 32. */
struct cpucc_request {
    uint32_t lanes, bytes, offset[32];
};

/* Returns in *request the first request of this shared-memory counter by the first warp of the
 * first block since cpucc_reset(). Returns 0 if there was none. */
int cpucc_first_request(int counter, struct cpucc_request *request);

/* Chooses the report at exit if CPUCC_REPORT is not set: "table", "tsv", "lines" or "off". */
void cpucc_default_report(const char *kind);

#ifdef __cplusplus
}
#endif
#endif
