/*
 * The state of a running launch: lanes, warps, blocks, the launch itself, and the record of each
 * word of memory. One CUDA thread is one fiber (struct lane); all run on one operating-system
 * thread.
 */
#ifndef CPUCC_LAUNCH_STATE_H
#define CPUCC_LAUNCH_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "vector_clock.h"
#include "include/driver_types.h"

#define WARP 32
#define MAX_LIVE_BLOCKS (1 << 12)
#define SLOT_BYTES (1u << 19)   /* address space of one block's shared memory */
#define CPUCC_RANK_SHIFT 24     /* a cluster shared address has the block's rank from this bit on */
#define SHARED_START 1024u      /* offset in its slot at which a block's shared memory begins */
#define SHARED_LINE 1024u       /* largest alignment in shared memory, in bytes */
#define SHARED_GAP 256u         /* unused bytes between static variables, to catch overruns */
#define STACK_GUARD (64u << 10) /* bytes below a thread's stack that no access may reach */
#define STACK_RESERVE (16u << 10) /* bytes of a stack for the run time's own calls */
#define MAX_GRID_CONSTANTS 4      /* __grid_constant__ parameters that are noted per thread */
#define MAX_PATH_DEPTH 32         /* nested calls and loops that the scheduler tells apart */
#define CLOCK_BITS 21             /* of stamp.when; the bits above hold the thread or the agent */
#define KEPT_PLAIN_READS 4        /* latest plain reads remembered per thread */
#define KEPT_PROXY_FENCES 8       /* latest fences to the async proxy remembered per thread */
#define MAX_DEFERRED 24           /* accesses that a lane may defer */
#define READER_CLOCK_BITS 20      /* of readers.when; no clock exceeds them */
#define CLOCK_MASK ((1u << READER_CLOCK_BITS) - 1)

typedef struct {
    unsigned x, y, z;
} index3;

/* The same as in cpucc_host.h. */
typedef struct {
    const char *name;
    index3 grid, block, cluster;
    size_t shared; /* bytes of dynamic shared memory */
    cudaStream_t stream;
    int cooperative;
    const void *function;
    uintptr_t pc; /* of the host's launch */
} cpucc_config;

/* A __shared__ variable, as frontend/shared.c writes it. */
typedef struct shared_site {
    const char *name;
    int launch;
    int offset;
    const char *type; /* LLVM's, "[32 x [33 x float]]" */
    struct shared_site *next;
    size_t bytes;
} shared_site;

/* A kernel or a variable of the device's half of a program, as frontend/kernels.c writes it. */
struct device_part {
    const char *unit, *name;
    const char *readable; /* a kernel as the source writes it; NULL for a variable */
    const char *cluster; /* a kernel's __cluster_dims__, "x,y,z"; a variable's "managed"; or NULL */
    void *address;       /* of the variable, or of a function that takes void **arguments */
    const uint64_t *parameters; /* bytes of each, 0 behind the last; NULL for a variable */
    const char *source; /* a variable's name in the source, "" for a gap; a kernel's parameters */
    const char *type;   /* a variable's LLVM type */
    uint64_t bytes;
};

/* ---- the record of a word: shadow.c ---- */

/* Which thread made an access, and when by its own clock. */
typedef struct {
    uint32_t block; /* serial number of the block over all launches; 0 is the host */
    uint32_t when;  /* thread << CLOCK_BITS | the thread's clock */
} stamp;

/* Lanes of one warp that have read a word: see readers.c. */
typedef struct {
    uint32_t block;
    uint32_t when;  /* how << 29 | bytes << 25 | warp << READER_CLOCK_BITS | clock */
    uint32_t lanes; /* a mask; 0: none */
} readers;

typedef struct {
    stamp write; /* the last write */
    readers read;
    uint32_t more_readers; /* index in the pool of readers.c; 0: none */
    uint32_t write_pc;     /* of the last write, relative to __executable_start */
    uint8_t allocated : 4; /* a mask of the word's bytes, as are the next two */
    uint8_t written : 4;
    uint8_t write_mask : 4;         /* bytes that the last write wrote */
    uint8_t write_strong : 1;       /* it was atomic or volatile */
    uint8_t write_beyond_block : 1; /* its scope exceeds the block */
    uint8_t copying_in : 1;         /* an asynchronous copy into the word has not been waited for */
    uint8_t copying_out : 1;        /* an asynchronous copy may still read the word */
    uint8_t async_write : 1;        /* the last write came through the async proxy */
    uint8_t has_location : 1;       /* order.c may keep a struct location for the word */
    uint8_t mbarrier : 1;           /* the word is part of a live mbarrier */
    uint8_t write_volatile : 1;
    uint8_t not_a_flag : 1;  /* one volatile request wrote several words: data, not a flag */
    uint8_t first_write : 1; /* the word was unwritten before the last write */
} shadow;

/* ---- lanes ---- */

/* Memory order and scope of a strong access. */
enum {
    ACQUIRES = 1,
    RELEASES = 2,
    BLOCK_SCOPE = 4,
    EXPLICIT_ORDER = 8, /* the source says relaxed */
    COMPARES = 16,      /* compare-and-swap, min or max */
    EXCHANGES = 32,     /* ignores the old value, which may be unwritten */
    COUNTING = 64,      /* an addition whose order the source does not give */
    SYSTEM_SCOPE = 128
};

enum operation { READ, WRITE, ATOMIC, VOLATILE_READ, VOLATILE_WRITE, ASYNC_COPY, MARK };

enum waiting {
    NOT_WAITING,
    WAIT_BLOCK, /* __syncthreads */
    WAIT_WARP,  /* shuffles, votes, __syncwarp */
    WAIT_CLUSTER,
    WAIT_GRID,
    WAIT_MBARRIER,
    WAIT_SLEEP
};

/* A call that the lane is in. */
struct call {
    uintptr_t pc;
    uint64_t path_hash, call_hash; /* the caller's, see struct lane */
    int loops;                     /* loops that the callers are in */
};

/* A loop that the lane is in. */
struct iteration {
    int loop;
    uint32_t count;
};

struct async_copy;
struct block;
struct warp;

/* Bytes that sealed code may touch without another look: sealed.c. */
struct allowed_range {
    uintptr_t start, end;
    bool often;
};

/* What every access needs comes first, so that it shares cache lines. */
struct lane {
    void *context; /* where the fiber continues */
    struct warp *warp;
    char *stack;        /* its lowest byte */
    uint64_t path_hash; /* of the calls and loop iterations that the lane is in */
    uint32_t clock;     /* see order.c */
    uint32_t thread;    /* number in the block */
    int index;          /* number in the warp */
    /* The access or call that the lane waits to make. */
    uint32_t bytes;
    uintptr_t pc, address;
    enum operation operation;
    unsigned strength; /* of a strong access: ACQUIRES and so on */

    uint64_t call_hash;     /* of the calls alone */
    int depth, loops;       /* entries of path and of loop */
    int caller_loops;       /* loops that the callers are in */
    uintptr_t race_address; /* of an unordered write: a race unless it keeps the value; 0: none */
    struct order {          /* see order.c */
        struct vclock *acquired, *released, *released_block, *observed, *observed_block,
            *atomic_observed, *tentative;
    } order;

    struct iteration loop[MAX_PATH_DEPTH];
    /* cpucc_start_block clears the members from here to path. */
    struct proxy_fence {
        uint32_t clock;
        struct vclock *all; /* what the fence made visible to the async proxy */
    } * proxy_fences;       /* a ring of KEPT_PROXY_FENCES, or NULL */
    unsigned proxy_fence_count;
    int grid_constant_count;
    struct allowed_range allowed[2]; /* reads, writes */
    uint32_t local_used;
    index3 tid;
    enum waiting waiting;
    bool done, timed_out;
    uintptr_t address2;
    bool through_l1;          /* ASYNC_COPY: cp.async.ca */
    uintptr_t passed_barrier; /* pc of the last barrier of the block that the lane passed */
    uintptr_t next_barrier;   /* pc of the barrier at which a flush ends: warp.flush_to_barrier */
    uintptr_t asm_pc;         /* of the asm statement that the lane runs; 0 outside of one */
    uint32_t mask;            /* lanes that a warp-wide call involves */
    int mode;
    uint64_t value; /* in: the operand of a warp-wide call; out: its result */
    int source, width, valid;
    bool result_unused;          /* the program may ignore the shuffle's result */
    uint32_t cluster_arrival;    /* clock at the arrival at the cluster's barrier */
    uintptr_t polled, polled_pc; /* address and pc of the last volatile read */
    bool repeats_poll;           /* the present volatile read is the same again */
    /* The unordered write at race_address. */
    uintptr_t race_pc;
    uint32_t race_words; /* its words that another write is unordered with, a mask */
    uint32_t race_bytes, race_other_pc;
    stamp race_other;
    unsigned char race_old[16], race_new[16]; /* the bytes before and after */
    bool race_written;                        /* race_new is valid */
    /* async.c */
    struct async_copy *first, *last; /* copies not yet waited for, oldest first */
    int open_group, bulk_group;      /* of cp.async and of bulk stores */
    struct mbarrier *barrier;
    uint32_t parity;
    struct call path[MAX_PATH_DEPTH];
    struct {
        uintptr_t start;
        uint64_t bytes;
    } grid_constant[MAX_GRID_CONSTANTS];
} __attribute__((aligned(64)));

/* ---- warps, blocks, launches ---- */

struct warp {
    struct block *block;
    int number, lanes;
    uint32_t ready, stopped, waiting, done; /* masks of lanes */
    uint32_t barrier_clock;                 /* see order.c */
    bool scattered;                         /* the request being checked has several addresses */
    int budget;                             /* requests until the scheduler looks at other warps */
    int unchanged;                          /* successive requests that repeated an address */
    uintptr_t recent_address[256];          /* of the latest requests, hashed by pc */
    int revisits;                           /* successive requests within addresses met before */
    /* Deferred accesses: deferred_access.c. */
    uint32_t deferred;         /* lanes that have any */
    uint32_t flushing;         /* lanes that wait until theirs are checked and counted, */
    uint32_t flush_to_barrier; /* and are then at the block's barrier, */
    uint32_t flush_to_end;     /* or done */
    uint32_t race_pending;     /* lanes whose race_address may be set */
    bool same_path;            /* all stopped lanes are known to share their path_hash */
    int overwritten_count;
    uint64_t loaded_regions, stored_regions; /* since the warp last met others; a hash bit each */
    uint8_t first_row[WARP], end_row[WARP];  /* each lane's rows of deferred_row */
    uint32_t run_number[WARP], runs;         /* the order in which the lanes ran */
    uint32_t clock[WARP];                    /* lane.clock of lanes with deferred accesses */
    struct deferred_row {
        uintptr_t address[WARP];
        uint32_t pc[WARP]; /* relative to __executable_start */
        uint8_t bytes[WARP];
        bool write[WARP];
        uint32_t old[WARP][4]; /* the bytes before a write */
    } deferred_row[MAX_DEFERRED];
    struct overwritten_word {
        uintptr_t word;
        uint32_t value; /* that the last write in execution order left */
    } overwritten[256];
    struct plain_reads { /* each lane's latest, in a ring */
        uintptr_t address[WARP], pc[WARP];
    } plain_read[KEPT_PLAIN_READS];
    uint8_t plain_reads[WARP];
    struct {
        uintptr_t pc, low, high; /* addresses that the instruction has met */
        uint64_t writes;         /* since this count of writes in all warps */
    } range[64];
    struct lane lane[WARP];
};

struct mbarrier;

struct block {
    uint32_t serial; /* over all launches */
    uint32_t number; /* in the grid */
    index3 index;
    int slot, warps;
    uint32_t threads, done, at_barrier, at_cluster, at_grid;
    uint32_t barrier_clock, grid_barrier_clock, cluster_barrier_clock; /* see order.c */
    struct vclock *exit_order; /* what its threads had acquired when they returned, in a cluster */
    struct remote_access {     /* a block's last access to this block's shared memory */
        stamp when;            /* block 0: none */
        uintptr_t pc;
        struct lane *lane;
    } remote_access[16];         /* by the other block's rank in the cluster */
    uint64_t changes_at_give_up; /* cpucc_state_changes when an mbarrier's try last gave up */
    uint32_t failed_waits;       /* tries since then */
    struct mbarrier *mbarriers;
    int mbarrier_count;
    struct warp *warp;
};

enum { SAMPLE = 32 };
struct launch {
    cpucc_config config;
    int number; /* over all launches of the process */
    void (*body)(void *);
    void *arguments;
    size_t argument_bytes;
    uint32_t first_serial;
    uint32_t ordered_serial; /* all blocks below it come before the launch: see streams.c */
    uint32_t blocks, cluster_size, threads;
    uint32_t sampled, sample[SAMPLE];  /* clusters that run; sampled 0: all of them */
    uint32_t static_bytes, static_end; /* shared memory: declared, and laid out with gaps */
    uint32_t dynamic_start;            /* offset in the slot; 0: not allocated */
    uint32_t shared_used;              /* end of what is laid out */
    shared_site *sites;                /* that are laid out */
    bool recorded, aborted;
    cudaError_t error;
    struct kernel_record *record;
};

#endif
