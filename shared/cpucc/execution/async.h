/* Asynchronous copies and mbarriers: the types and functions that async.c and mbarrier.c share. */
#ifndef CPUCC_ASYNC_INTERNAL_H
#define CPUCC_ASYNC_INTERNAL_H

#include "execution.h"
#include "tensor.h"

/* LOAD, STORE: bulk or tensor copies; ARRIVAL: no copy, but an arrival after the cp.asyncs before it. */
enum copy_kind { CP_ASYNC, LOAD, STORE, ARRIVAL };

struct async_copy {
    struct async_copy *next;
    enum copy_kind kind;
    bool read;        /* a store that has read its shared memory */
    uint64_t number;  /* in the order of issue */
    uint32_t request; /* while shared memory is altered: as cpucc_request_of() */
    int group;        /* of cp.async or of bulk stores, per thread */
    int count;        /* of pieces */
    uint32_t bytes;   /* of a load, which its mbarrier counts */
    struct lane *issuer;
    uintptr_t pc;
    struct piece *pieces;
    struct mbarrier *barrier; /* that it completes on, or NULL */
    unsigned char *data;      /* that a store has read */
    struct reduction {
        bool wanted;
        int operation;
        char type;
        int bytes;   /* per element */
    } reduction;     /* of a store that combines its values with those in memory */
    uint32_t traced; /* the copy's number in trace.c */
};

struct mbarrier {
    struct mbarrier *next;
    uintptr_t address;
    int expected, pending; /* arrivals per phase; arrivals missing in this phase */
    int64_t bytes;         /* missing in this phase */
    uint64_t loads,
        loaded; /* bytes of loads by TMA: of this phase; of past ones that no thread has waited for */
    uint64_t phase;
    struct lane *owner;
    struct warp *warp; /* the last to arrive */
    uint32_t block;    /* the owner's block, by serial number */
    stamp made;        /* when it was initialised */
    bool fenced;       /* a fence has followed the initialisation */
    bool
        counted; /* the last phase counts no more: a lane has passed its end, or it was of copies */
    bool copied; /* a copy belongs to this phase */
    bool filled; /* a phase of loads by TMA has completed */
    uint16_t failing_tests,
        *tests; /* of this phase: how many per thread fail at once; each thread's, or NULL */
    uint32_t agent, clock; /* the agent (vector_clock.h) of this phase's copies, and its clock */
    struct vclock *arriving, *completed; /* order from arrivals: in this phase, in past ones */
    struct vclock *visible;              /* order that arriving threads had released */
    struct async_copy *first, *last;     /* copies under way */
};

/* The range of struct mbarrier.address for barriers without memory: see named_barrier.c. */
#define CPUCC_NAMED_BARRIERS ((uintptr_t)0x1000)
#define CPUCC_NAMED_BARRIERS_END ((uintptr_t)0x2000)

/* ---- async.c ---- */

extern uint64_t cpucc_live_copies;                       /* made and not freed */
void cpucc_read_shared(struct async_copy *copy);         /* reads a store's source */
void cpucc_complete_copy(const struct async_copy *copy); /* lets the copy take effect */
void cpucc_free_copy(struct async_copy *copy);

/* If a byte of the range is not allocated, ends the launch with a fault and returns true. */
bool cpucc_bad_range(struct lane *lane, uintptr_t address, uint32_t bytes, const char *what);

/* ---- async_completion.c ---- */

/* Completes the lane's copies of a kind: those in groups below up_to, or those before `arrival`, for whose
 * mbarrier they complete. `read_only`: only reads the sources of stores, which remain pending. Returns
 * whether there were any. */
bool cpucc_finish_copies(struct lane *lane, enum copy_kind kind, int up_to,
                         const struct async_copy *arrival, bool read_only);

/* For a block in which nothing else can run: completes copies that a thread waits for, or ends an
 * mbarrier.try_wait without success. Returns false if there is neither. */
bool cpucc_async_progress(struct block *block);
/* Completes the copies of an mbarrier that a thread waits for; false if there are none. */
bool cpucc_async_completes(struct block *block);
void cpucc_async_thread_end(struct lane *lane);    /* completes the thread's cp.async copies */
void cpucc_async_block_end(struct block *block);   /* reports and frees copies not waited for */
void cpucc_async_block_start(struct block *block); /* starts the block without mbarriers */

/* ---- mbarrier.c, shared_memory.c ---- */

/* Wakes the warp's lanes whose awaited phase has completed, so that the warp goes on together, as on the
 * hardware. */
void cpucc_wake_warp(struct warp *warp);
bool cpucc_mbarrier_ready(struct lane *lane);       /* true if the phase it waits for is complete */
const char *cpucc_describe_wait(struct lane *lane); /* returns what it waits for as text */

/* Returns the initialised mbarrier at this address; ends the launch with a fault if there is
 * none. */
struct mbarrier *cpucc_find_mbarrier(struct lane *lane, const void *address, bool for_copy);

/* Starts the next phase if no arrivals and bytes of this phase are missing. */
void cpucc_complete_mbarrier(struct mbarrier *barrier);

void cpucc_fence_mbarrier_init(void); /* notes the fence for all mbarriers of the thread */
bool cpucc_map_in_place(const struct lane *lane, const void *map); /* true if TMA can read it */
/* Returns the address of a shared variable in the cluster's block of this rank. */
void *cpucc_map_shared(const void *pointer, unsigned rank);

/* Combines n bytes of values with as many bytes of memory, element by element. */
void cpucc_reduce(const struct reduction *how, void *memory, const void *values, size_t n);

#endif
