/*
 * The state of a running launch: lanes, warps, blocks, the launch itself, and the record of
 * each word of memory. A lane is a CUDA thread and runs as a fiber; all fibers run on one thread of
 * the operating system.
 */
#ifndef CPUCC_LAUNCH_STATE_H
#define CPUCC_LAUNCH_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../include/cpucc_api.h"

#define WARP 32
#define MAX_LIVE_BLOCKS (1 << 12)
#define SLOT_BYTES (1u << 19)   /* address space of a slot: one live block's shared memory */
#define CPUCC_RANK_SHIFT 24     /* 32-bit shared addresses have the block's rank + 1 from here on */
#define SHARED_START 1024u      /* offset in the slot at which a block's variables begin */
#define SHARED_LINE 1024u       /* largest alignment in shared memory, in bytes */
#define SHARED_GAP 256u         /* unused bytes between static variables, to catch overruns */
#define STACK_GUARD (64u << 10) /* lowest bytes of a thread's stack, which no access may reach */
#define STACK_RESERVE (16u << 10) /* bytes of a stack for the run time's own calls */
#define MAX_GRID_CONSTANTS 4      /* __grid_constant__ parameters that are noted per thread */
#define MAX_PATH_DEPTH 32         /* nested calls and loops that the scheduler tells apart */
#define CLOCK_BITS 21        /* of stamp.when; higher bits hold the thread, or VC_AGENT + agent */
#define VC_AGENT 1024        /* first of a block's agents, which make asynchronous copies */
#define VC_AGENTS 128        /* agents of a block */
#define KEPT_PLAIN_READS 4   /* latest plain reads remembered per thread */
#define KEPT_PROXY_FENCES 8  /* latest fences to the async proxy remembered per thread */
#define MAX_DEFERRED 24      /* accesses that a lane may defer */
#define READER_CLOCK_BITS 20 /* of readers.when; no clock exceeds CLOCK_MASK */
#define CLOCK_MASK ((1u << READER_CLOCK_BITS) - 1)

typedef dim3 index3;

/* The arguments of a launch. include/cpucc_host.h declares the same type. */
typedef struct {
    const char *name;
    index3 grid, block, cluster;
    size_t shared; /* bytes of dynamic shared memory */
    cudaStream_t stream;
    int cooperative;
    const void *function;
    uintptr_t pc; /* of the launch in the host's code */
} cpucc_config;

/* A __shared__ variable. frontend/shared.c writes the name and the type into the program. */
typedef struct shared_site {
    const char *name;
    int launch;       /* number of the last launch that used it */
    int offset;       /* in the slot, during that launch */
    const char *type; /* LLVM's, "[32 x [33 x float]]" */
    struct shared_site *next;
    size_t bytes;
} shared_site;

/* A kernel or a device variable. frontend/kernels.c writes these structs into the program. */
struct device_part {
    const char *unit, *name;
    const char *readable; /* a kernel's name as in the source; NULL for a variable */
    const char *cluster; /* a kernel's __cluster_dims__, "x,y,z"; a variable's "managed"; or NULL */
    void *address;       /* of the variable, or of a function that takes void **arguments */
    const uint64_t *parameters; /* bytes per parameter, then 0; NULL for a variable */
    const char *source;         /* a variable's name, "" for a gap; a kernel's parameters */
    const char *type;           /* a variable's LLVM type */
    uint64_t bytes; /* of a variable; of a kernel: the threads that __launch_bounds__ allow, or 0 */
};

/* ---- the record of a word: shadow.c ---- */

/* Tells which thread made an access, and the thread's clock (order.c) at that time. */
typedef struct {
    uint32_t block; /* serial number of the block over all launches; 0 is the host */
    uint32_t when;  /* thread << CLOCK_BITS | the thread's clock */
} stamp;

/* Which lanes have read a word. readers.c describes the ways to encode them. */
typedef struct {
    uint32_t block;
    uint32_t when;  /* how << 29 | bytes << 25 | warp << READER_CLOCK_BITS | clock */
    uint32_t lanes; /* a mask; 0: nobody */
} readers;

/* The record of a word. "Word" means 4 aligned bytes; each mask has a bit per byte. */
typedef struct {
    stamp write;           /* the last write */
    readers read;          /* readers since then */
    uint32_t more_readers; /* further readers: index in the pool of readers.c; 0: none */
    uint32_t write_pc;     /* of the last write, relative to __executable_start */
    union {
        struct {
            uint8_t allocated : 4; /* mask: bytes that are allocated */
            uint8_t written : 4;   /* mask: bytes that have been written */
            uint8_t
                write_mask : 4; /* mask: bytes of the last write; 0: no kernel has written the word */
            uint8_t write_strong : 1;       /* the last write was atomic or volatile */
            uint8_t write_beyond_block : 1; /* the last write's scope exceeds the block */
            uint8_t copying_in : 1; /* an asynchronous copy into the word has not been waited for */
            uint8_t copying_out : 1;    /* an asynchronous copy may still read the word */
            uint8_t async_write : 1;    /* the last write came through the async proxy */
            uint8_t has_location : 1;   /* order.c may keep a struct location for the word */
            uint8_t mbarrier : 1;       /* the word is part of a live mbarrier */
            uint8_t write_volatile : 1; /* the last write was volatile */
            uint8_t not_a_flag : 1; /* one volatile request wrote several words: data, not a flag */
            uint8_t write_system : 1; /* the last write was strong and of system scope */
            uint8_t first_write : 1;  /* the word was unwritten before the last write */
            uint8_t flag : 1;         /* a branch has depended on a strong read of the word */
            uint8_t data_read : 1; /* read since by a volatile access on which no branch depends */
            /* Of a line's record alone (shadow.c): */
            uint8_t whole : 1; /* it stands for the records of its words, which differ in lanes */
            uint8_t write_shift : 2,
                read_shift : 2; /* lane of word k: the first's + (k >> shift) */
        };
        uint32_t flags; /* all of these at once */
    };
} shadow;
/* The flags of a record with these members, as one number. */
#define WORD_FLAGS(...) (((shadow){__VA_ARGS__}).flags)

/* ---- lanes ---- */

/* Of an address. IGNORED: local memory, parameters. FOREIGN: not memory of the device. */
enum space { SHARED, GLOBAL, CONSTANT, IGNORED, FOREIGN };

/* SPECULATED_READ: of the compiler, counted as READ. MARK is no access: cpucc_activemask stops there. */
enum operation {
    READ,
    WRITE,
    ATOMIC,
    VOLATILE_READ,
    VOLATILE_WRITE,
    SPECULATED_READ,
    ASYNC_COPY,
    MARK
};

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
    uint64_t path_hash, call_hash; /* the caller's values of these members of struct lane */
    int loops;                     /* loops that the callers are in */
};

/* A loop that the lane is in. */
struct iteration {
    int loop;
    uint32_t count;
};

struct async_copy;
struct block;
struct vclock;
struct warp;

/* Bytes that sealed (untrusted) code may touch next, because access.c has checked them. */
struct allowed_range {
    uintptr_t start, end;
};

/* A thread's vector clocks, which order.c describes. */
enum order {
    ACQUIRED,
    RELEASED,
    RELEASED_BLOCK,
    OBSERVED,
    OBSERVED_BLOCK,
    ATOMIC_OBSERVED,
    TENTATIVE,
    ORDER_CLOCKS
};

/* A CUDA thread. Members that every access needs come first, to share cache lines. */
struct lane {
    void *context; /* where the fiber continues; NULL: it has not run yet */
    struct warp *warp;
    char *stack;        /* its lowest byte */
    uint64_t path_hash; /* of the calls and loop iterations that the lane is in */
    uint32_t clock;     /* advances when the thread releases: order.c */
    uint32_t thread;    /* number in the block */
    int index;          /* number in the warp */
    /* The access or call that the lane waits to make. */
    uint32_t bytes;
    uintptr_t pc, address;
    enum operation operation;
    unsigned strength; /* of a strong access: ACQUIRES and so on */

    uint64_t call_hash;     /* like path_hash, of the calls alone */
    int depth, loops;       /* used entries of path and of loop */
    int caller_loops;       /* loops that the callers are in */
    uintptr_t race_address; /* of an unordered write, a race if it changes the value; 0: none */
    struct vclock *order[ORDER_CLOCKS];

    struct proxy_fence {
        uint32_t clock;
        struct vclock *all; /* what the fence made visible to the async proxy */
    } * proxy_fences;       /* a ring of KEPT_PROXY_FENCES, or NULL */
    unsigned proxy_fence_count;
    int grid_constant_count;
    struct allowed_range allowed[2]; /* for reads, for writes */
    uint32_t local_used;             /* sealed.c: end of the local variables in the stack */
    index3 tid;                      /* threadIdx */
    enum waiting waiting;
    bool done;
    uintptr_t address2;       /* ASYNC_COPY: the global address */
    bool through_l1;          /* ASYNC_COPY: cp.async.ca */
    uintptr_t passed_barrier; /* pc of the last barrier of the block that the lane passed */
    uintptr_t next_barrier;   /* pc of the barrier at which a flush ends: warp.flush_to_barrier */
    uintptr_t asm_pc;         /* of the asm statement that the lane runs; 0 outside of one */
    uint32_t mask;            /* lanes that a warp-wide call involves */
    int mode;                 /* which warp-wide call: collective.c */
    uint64_t value;           /* in: the operand of a warp-wide call; out: its result */
    int source, width, valid;
    bool result_unused;          /* the program may ignore a shuffle's result */
    uint32_t cluster_arrival;    /* clock at the arrival at the cluster's barrier */
    uintptr_t polled, polled_pc; /* address and pc of the last volatile read */
    uintptr_t atomic_address;    /* of the last atomic outside the heap; 0: it shared its request */
    uint64_t atomic_value;       /* there, before it */
    bool repeats_poll;           /* the current volatile read repeats that read */
    /* The unordered write at race_address, and the earlier write that it is unordered with. */
    uintptr_t race_pc;
    uint32_t race_words; /* mask of the words that are unordered */
    uint32_t race_bytes, race_other_pc;
    stamp race_other;
    unsigned char race_old[16], race_new[16]; /* the bytes before and after the write */
    bool race_written;                        /* race_new is valid */
    bool race_volatile;                       /* both writes are strong, one of them is volatile */
    /* async.c */
    struct async_copy *first, *last; /* copies not yet waited for, oldest first */
    int open_group, bulk_group;      /* group of the next cp.async, of the next bulk store */
    uint64_t arrival;                /* number of its last arrival at an mbarrier after copies */
    struct mbarrier *barrier;        /* that the lane waits for */
    uint32_t parity;                 /* of the phase that it waits for */
    /* cpucc_start_block clears the members up to here. */
    struct iteration loop[MAX_PATH_DEPTH];
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
    /* Masks of lanes: may run, stopped before an access, wait for others, have returned. */
    uint32_t ready, stopped, waiting, done;
    uint32_t working, requests;    /* mask of lanes that took part in one; of global memory */
    uint32_t barrier_clock;        /* of the last __syncwarp of all lanes: order.c */
    uint32_t ballot;               /* the result of its last vote */
    bool scattered;                /* the request being checked has several addresses */
    int budget;                    /* requests until the scheduler looks at other warps */
    uint32_t ahead;                /* with cpucc_lanes_apart: the lanes that go first */
    int ahead_requests;            /* for so many requests */
    int unchanged;                 /* successive requests that repeated an address */
    uintptr_t recent_address[256]; /* of the latest requests, hashed by pc */
    int revisits;                  /* successive requests within a range met before */
    /* Deferred accesses: deferred_access.c. */
    uint32_t deferred;         /* mask of lanes that have deferred accesses */
    uint32_t flushing;         /* mask of lanes that wait until these are checked and counted */
    uint32_t flush_to_barrier; /* flushing lanes that then wait at the block's barrier */
    uint32_t flush_to_end;     /* flushing lanes that then return */
    uint32_t unsettled;        /* mask of lanes whose last write a checker looks at again */
    bool has_apart;            /* a row has lanes that are apart */
    bool same_path;            /* all stopped lanes are known to share their path_hash */
    int overwritten_count;
    uint64_t loaded_regions, stored_regions; /* since a lane last woke; a hash bit per region */
    uint8_t first_row[WARP], end_row[WARP];  /* rows of deferred_row that a lane uses */
    uint32_t run_number[WARP], runs;         /* the order in which the lanes ran; the next one */
    uint32_t clock[WARP];                    /* lane.clock of lanes with deferred accesses */
    /* Row n has the lanes' accesses number n, as a rule of one instruction. */
    struct deferred_row {
        uint64_t access;     /* the instruction: access_key; 0 in the last row, which stays empty */
        struct row_range {   /* where it may access without further checks */
            uintptr_t start; /* of an allocation, or of the block's shared memory */
            size_t places;   /* for accesses, one behind the other */
            shadow *words;   /* the records of its words */
            uint64_t region; /* its hash bit */
            bool shared;
        } range;
        uint32_t apart; /* mask: lanes whose access here is another instruction's, or elsewhere */
        uintptr_t address[WARP];
        uint32_t old[4][WARP]; /* by word and lane: what a write has replaced */
        uint64_t other[WARP];  /* the instruction of a lane that is apart */
    } __attribute__((aligned(64))) deferred_row[MAX_DEFERRED + 1];
    struct overwritten_word {
        uintptr_t word;
        uint32_t value; /* left by the last write in execution order */
    } overwritten[256];
    struct plain_reads { /* each lane's latest plain reads, in a ring */
        uintptr_t address[WARP], pc[WARP];
    } plain_read[KEPT_PLAIN_READS];
    uint8_t plain_reads[WARP];
    struct {
        uintptr_t pc, low, high; /* lowest and highest address of the instruction's requests */
        uint64_t writes;         /* count of writes by all warps when the range began */
    } range[64];                 /* hashed by pc */
    struct lane lane[WARP];
};

struct mbarrier;

struct block {
    uint32_t serial; /* over all launches */
    uint32_t number; /* in the grid */
    index3 index;
    int slot, warps;
    /* Numbers of threads: all, returned, waiting at a barrier of the block, cluster or grid. */
    uint32_t threads, done, at_barrier, at_cluster, at_grid;
    uint32_t barrier_clock, grid_barrier_clock, cluster_barrier_clock; /* see order.c */
    bool has_met_others;       /* at a barrier of the cluster or grid: those blocks have begun */
    struct vclock *exit_order; /* in a cluster: order that returned threads had acquired */
    struct remote_access {     /* another block's last access to this block's shared memory */
        stamp when;            /* block 0: none */
        uintptr_t pc;
        struct lane *lane;
    } remote_access[16];         /* by the other block's rank in the cluster */
    uint64_t changes_at_give_up; /* cpucc_state_changes when a wait for an mbarrier last gave up */
    uint32_t failed_waits;       /* waits that gave up since then */
    struct mbarrier *mbarriers;
    int mbarrier_count;
    uint64_t requests;           /* of global memory */
    uint64_t in_flight;          /* now, as cpucc_bytes_in_flight() counts */
    uint64_t most_in_flight;     /* 1 + the most; 0 without loads */
    uint32_t first_row, end_row; /* of the matrix of cpucc_set_matrix that it loads from */
    unsigned flags;              /* words that its threads have made flags: volatile_data.c */
    uint32_t repeats;            /* requests that have repeated addresses */
    struct warp *warp;
};

enum { SAMPLE = 32 }; /* most clusters that cpucc_sample may choose */
struct launch {
    cpucc_config config;
    int number; /* over all launches of the process */
    void (*body)(void *);
    void *arguments;
    size_t argument_bytes;
    uint32_t first_serial;
    uint32_t ordered_serial; /* all blocks with lower serials come before the launch: streams.c */
    uint32_t blocks, cluster_size, threads;
    uint32_t sampled, sample[SAMPLE]; /* how many and which clusters run; sampled 0: all */
    uint32_t static_bytes;            /* declared shared memory */
    uint32_t dynamic_start;           /* offset in the slot; 0: not allocated */
    uint32_t shared_used;             /* end of the shared variables in the slot */
    shared_site *sites;               /* static variables that the launch has used */
    bool recorded, aborted;
    bool spins;           /* a block has polled until others ran */
    bool copies_may_race; /* a copy or fill is concurrent with it: streams.c */
    bool in_order;        /* lanes stop at each access: a checker needs the accesses in order */
    cudaError_t error;
    struct kernel_record *record;
};

#endif
