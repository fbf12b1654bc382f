/* Asynchronous copies and mbarriers: what async.c and mbarrier.c share. */
#ifndef CPUCC_ASYNC_INTERNAL_H
#define CPUCC_ASYNC_INTERNAL_H

#include "internal.h"
#include "tensor.h"

enum copy_kind { CP_ASYNC, LOAD, STORE };

struct async_copy {
    struct async_copy *next;
    enum copy_kind kind;
    bool read; /* a store that has read its shared memory */
    int group;
    int count;
    uint32_t bytes; /* that arrive at the mbarrier */
    struct lane *issuer;
    uintptr_t pc;
    struct piece *pieces;
    struct mbarrier *barrier;
    unsigned char *data;
    struct reduction {
        bool wanted;
        int operation;
        char type;
        int bytes;   /* per element */
    } reduction;     /* a store that combines with what is there */
    uint32_t traced; /* its number in trace.c */
};

struct mbarrier {
    struct mbarrier *next;
    uintptr_t address;
    int expected, pending;
    int64_t bytes; /* still expected in this phase */
    uint64_t phase;
    struct lane *owner;
    uint32_t block; /* serial number */
    stamp made;
    bool fenced;
    uint32_t agent, clock; /* the agent of the present phase's copies, see vector_clock.h */
    struct vclock *arriving, *completed; /* joined from arrivals in this phase; from past phases */
    struct vclock *visible;              /* released by arrivals */
    struct async_copy *first, *last;
};

/* Keys of barriers without memory: see named_barrier.c. */
#define CPUCC_NAMED_BARRIERS ((uintptr_t)0x1000)
#define CPUCC_NAMED_BARRIERS_END ((uintptr_t)0x2000)

static inline bool cpucc_recorded(void) { return cpucc_the_launch->recorded; }

/* ---- async.c ---- */

void cpucc_read_shared(struct async_copy *copy);         /* a store's source */
void cpucc_complete_copy(const struct async_copy *copy); /* it takes effect */
void cpucc_free_copy(struct async_copy *copy);
void cpucc_finish_cp_async(struct lane *lane, int up_to); /* groups below up_to */

/* ---- async_memory.c ---- */

/* Whether a byte of the range is unallocated; then ends the launch with a fault. */
bool cpucc_bad_range(struct lane *lane, uintptr_t address, uint32_t bytes, const char *what);
/* Checks and records that a load reads these words of global memory (or of shared memory, for
 * another block), or that a store (into = NULL) reads shared memory. */
void cpucc_copy_reads(struct lane *lane, uintptr_t address, uint32_t bytes,
                      const struct mbarrier *into);
/* Checks and records that a load writes these words of shared memory, or a store global memory.
 * `reduces`: it combines with what is there, as an atomic does. */
void cpucc_copy_writes(struct lane *lane, uintptr_t address, uint32_t bytes, bool reduces);

/* ---- mbarrier.c, collective.c ---- */

/* Returns the initialised mbarrier at this address; ends the launch with a fault if there is
 * none. */
struct mbarrier *cpucc_find_mbarrier(struct lane *lane, const void *address, bool for_copy);

/* Starts the next phase if all arrivals and bytes of this one have come. */
void cpucc_complete_mbarrier(struct mbarrier *barrier);

void cpucc_fence_mbarrier_init(void);
void *cpucc_map_shared(const void *pointer, unsigned rank);

/* Combines n bytes of values with memory. */
void cpucc_reduce(const struct reduction *how, void *memory, const void *values, size_t n);

#endif
