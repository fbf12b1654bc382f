/* Asynchronous copies and mbarriers: what async.c and mbarrier.c share. */
#ifndef CPUCC_ASYNC_INTERNAL_H
#define CPUCC_ASYNC_INTERNAL_H

#include "internal.h"
#include "tensor.h"

enum copy_kind { CP_ASYNC, LOAD, STORE };

struct async_copy {
    struct async_copy *next;
    enum copy_kind kind;
    bool read; /* a store that has read shared memory */
    int group;
    int count;
    uint32_t bytes; /* that an mbarrier expects */
    struct lane *issuer;
    uintptr_t pc;
    struct piece *pieces;
    struct mbarrier *barrier;
    unsigned char *data;
    struct reduction {
        bool wanted;
        int operation;
        char type;
        int bytes;   /* of an element */
    } reduction;     /* a store that adds and so on to what is there */
    uint32_t traced; /* trace.c's number for it */
};

struct mbarrier {
    struct mbarrier *next;
    uintptr_t address;
    int expected, pending;
    int64_t bytes; /* still expected in this phase */
    uint64_t phase;
    struct lane *owner;
    uint32_t block; /* its serial number */
    stamp made;
    bool fenced;
    uint32_t agent, clock; /* who stands for the copies of the present phase: see vector_clock.h */
    struct vclock *arriving, *completed; /* what arrivals, and those of past phases, know */
    struct vclock *visible;              /* what they have made visible to the device */
    struct async_copy *first, *last;
};

/* "Addresses" of barriers that lie in no memory: see named_barrier.c. */
#define CPUCC_NAMED_BARRIERS ((uintptr_t)0x1000)
#define CPUCC_NAMED_BARRIERS_END ((uintptr_t)0x2000)

static inline bool cpucc_recorded(void) { return cpucc_the_launch->recorded; }

/* ---- async_memory.c ---- */

/* Whether a byte of the range is not allocated: then the launch ends with a fault. */
bool cpucc_bad_range(struct lane *lane, uintptr_t address, uint32_t bytes, const char *what);
/* A load reads these words of global memory, or of shared memory for another block; a store
 * (into = NULL) of shared memory. */
void cpucc_copy_reads(struct lane *lane, uintptr_t address, uint32_t bytes,
                      const struct mbarrier *into);
/* A load writes these words of shared memory, or a store of global memory. One that reduces changes
 * what is there, as atomics do. */
void cpucc_copy_writes(struct lane *lane, uintptr_t address, uint32_t bytes, bool reduces);

/* ---- the others ---- */

/* The initialised mbarrier at this address; without one the launch ends with a fault. */
struct mbarrier *cpucc_find_mbarrier(struct lane *lane, const void *address, bool for_copy);

/* Begin the next phase if nothing is missing in this one. */
void cpucc_complete_mbarrier(struct mbarrier *barrier);

void cpucc_fence_mbarrier_init(void);
void *cpucc_map_shared(const void *pointer, unsigned rank);

/* reduce.c: what a reduction makes of memory, n bytes. */
void cpucc_reduce(const struct reduction *how, void *memory, const void *values, size_t n);

#endif
