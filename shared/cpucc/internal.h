/*
 * What the files of cpucc's runtime share. Who does what:
 *
 *   schedule.c    fibers, lockstep, the barriers of a block
 *   launch.c      launches, clusters, grids, endless waits
 *   collective.c  shuffles, votes, fences and other calls that device code makes
 *   access.c      what the compiler calls at each load and store
 *   ahead.c       accesses that a lane makes without waiting for its warp
 *   sealed.c      what code of strangers may do
 *   request.c     what a warp's request goes through, quick.h its short cut
 *   count.c       counts requests; shared/traffic says what they cost
 *   hot.c         these and others as one unit
 *   shadow.c      bounds, initialisation and races: the state kept beside each 4-byte word
 *   order.c       which accesses come before which; vector_clock.c beside it
 *   async.c       cp.async, bulk and tensor copies; mbarrier.c and tensor.c beside it
 *   heap.c        device memory; describe.c: an address in words
 *   host.c        what the host may touch, and when
 *   streams.c     what the device may still be doing
 *   device.c      the run-time API; runtime_*.c and runtime.h beside it
 *   report.c      totals and counts per source line; faults.c, source_lines.c and report_*.c beside it
 *   trace.c       what the page of a run shows beyond counts; advise.c puts a pattern in words
 *
 * Everything runs on one operating-system thread. One CUDA thread is one fiber (struct lane).
 */
#ifndef CPUCC_INTERNAL_H
#define CPUCC_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cpucc.h"
#include "doubts.h"
#include "kinds.h"
#include "vector_clock.h"
#include "include/driver_types.h"
#include "../traffic/traffic.h"

#define WARP 32
#define SLOTS (1 << 12)           /* blocks that may be alive at a time */
#define SLOT_BYTES (1u << 19)     /* address space of one block's shared memory */
#define CPUCC_RANK_SHIFT 24       /* where a shared address has the rank of another block */
#define SHARED_START 1024u        /* where a block's shared memory begins in its slot */
#define SHARED_LINE 1024u         /* most that anything there is aligned to */
#define SHARED_GAP 256u           /* unused bytes between static variables, to catch overruns */
#define STACK_GUARD (64u << 10)   /* below a thread's stack: nobody may come here */
#define STACK_RESERVE (16u << 10) /* of its stack, for the run time's own calls */
#define GRID_CONSTANTS 4          /* parameters that are noted */
#define DEPTH 32                  /* calls and loops that the scheduler tells apart */
#define CLOCK_BITS 21        /* of stamp.when; the rest is the thread in its block, or an agent */
#define PLAIN_READS 4        /* of a thread that are remembered, and */
#define PROXY_FENCES 8       /* its fences to the async proxy */
#define ROWS_AHEAD 24        /* accesses that a lane may be ahead of its warp */
#define READER_CLOCK_BITS 20 /* of readers.when; so no clock has more */
#define CLOCK_MASK ((1u << READER_CLOCK_BITS) - 1)

typedef struct {
    unsigned x, y, z;
} index3;

/* As in cpucc_host.h. */
typedef struct {
    const char *name;
    index3 grid, block, cluster;
    size_t shared;
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
    const char *cluster;  /* its __cluster_dims__, "x,y,z"; a variable's "managed"; else NULL */
    void *address;        /* of the variable, or of a function that takes void **arguments */
    const uint64_t *parameters; /* bytes of each, 0 behind the last; NULL for a variable */
    const char *source; /* a variable: its name there, "" is a gap; a kernel: its parameters */
    const char *type;   /* a variable: its LLVM type */
    uint64_t bytes;
};

/* ---- shadow.c: who touched a word last ---- */

typedef struct {
    uint32_t block; /* serial number of the block, over all launches; 0 is the host */
    uint32_t when;  /* thread << CLOCK_BITS | the thread's clock */
} stamp;

/* Threads that have read a word: see readers.c. */
typedef struct {
    uint32_t block;
    uint32_t when;  /* how << 29 | bytes << 25 | number << READER_CLOCK_BITS | clock */
    uint32_t lanes; /* a mask, 0: nobody */
} readers;

typedef struct {
    stamp write;
    readers read;
    uint32_t more;         /* further readers: index in shadow.c's pool, 0 for none */
    uint32_t write_pc;     /* offset of the last write from the program's start */
    uint8_t allocated : 4; /* one bit per byte, as in all these masks */
    uint8_t written : 4;
    uint8_t write_mask : 4;   /* bytes that `write` speaks of */
    uint8_t write_strong : 1; /* by an atomic or a volatile access */
    uint8_t write_wide : 1;   /* of more than the block's scope */
    uint8_t arriving : 1;     /* an asynchronous copy into it has not been waited for */
    uint8_t leaving : 1;      /* an asynchronous copy out of it may still have to read it */
    uint8_t async_write : 1;  /* the last write came through the async proxy */
    uint8_t location : 1;     /* order.c may have something on it */
    uint8_t mbarrier : 1;     /* part of a live mbarrier */
    uint8_t write_volatile : 1;
    uint8_t data : 1;  /* volatile, and written by several lanes at once: no flag */
    uint8_t first : 1; /* nothing was there before the last write */
} shadow;

/* ---- schedule.c ---- */

/* Of a strong access: what its order is, and its scope. EXPLICIT: relaxed by its own word. */
enum {
    ACQUIRES = 1,
    RELEASES = 2,
    BLOCK_SCOPE = 4,
    EXPLICIT = 8,
    COMPARES = 16,
    EXCHANGES = 32, /* need not have been written before */
    COUNTS = 64,    /* adds something, and says nothing of its order */
    SYSTEM = 128    /* its scope */
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

struct call {
    uintptr_t pc;
    uint64_t hash, call_hash; /* the caller's, see struct lane */
    int loops;                /* that the callers are in */
};

struct iteration {
    int loop;
    uint32_t count;
};

struct async_copy;
struct block;
struct warp;

struct allowed { /* sealed.c: bytes that may be touched next */
    uintptr_t start, end;
    bool often;
};

/* What every access needs comes first, so that the lanes of a warp share the cache. */
struct lane {
    void *context; /* where the fiber continues */
    struct warp *warp;
    char *stack;     /* its lowest byte */
    uint64_t hash;   /* of the calls and loop iterations the lane is in */
    uint32_t clock;  /* see order.c */
    uint32_t thread; /* in the block */
    int index;       /* in the warp */
    /* the access or call at which the lane stands */
    uint32_t bytes;
    uintptr_t pc, address;
    enum operation operation;
    unsigned strength; /* of a strong access */

    uint64_t call_hash; /* of the calls alone */
    int depth, loops;   /* how many of both; see path and loop */
    int base;           /* loops that the callers are in */
    uintptr_t racing;   /* a write to be compared, when it is done, with what was there */
    struct order {
        struct vclock *known, *fenced, *fenced_block, *seen, *seen_block, *counted, *hoped;
    } order;

    struct iteration loop[DEPTH];
    /* From here to path all is 0 when a block starts. */
    struct shown {
        uint32_t clock;
        struct vclock *all;
    } * shown; /* PROXY_FENCES of them or NULL: what the latest fences have shown to the async proxy */
    unsigned shows;
    int grid_constants;        /* parameters that are, see guards.c */
    struct allowed allowed[2]; /* reads, writes */
    uint32_t local_used;
    index3 tid;
    enum waiting waiting;
    bool done, timed_out;
    uintptr_t address2;
    bool through_l1;  /* ASYNC_COPY: cp.async.ca */
    uintptr_t passed; /* the barrier of the block that the lane was at last */
    uintptr_t meets;  /* the one that it is to be at, see warp.meeting */
    uintptr_t asm_pc; /* of the asm statement that the lane is in, 0 outside of one */
    uint32_t mask;    /* lanes that a warp-wide call involves */
    int mode;
    uint64_t value; /* in: its operand; out: its result */
    int source, width, valid;
    bool unused;                 /* what the shuffle gives may be of no use */
    uint32_t arrived;            /* at the cluster's barrier, see order.c */
    uintptr_t polled, polled_pc; /* the last volatile read: its address and place */
    bool polls;                  /* the present one is the same again */
    uintptr_t racing_at;         /* pc of */
    uint32_t racing_words;       /* those of `racing` that race, a mask */
    uint32_t racing_bytes, racing_pc;
    stamp racing_stamp;
    unsigned char racing_old[16], racing_new[16];
    bool racing_known; /* the write has been made, see ahead.c: racing_new */
    /* async.c */
    struct async_copy *first, *last; /* copies not yet waited for, oldest first */
    int open_group, bulk_group;      /* of cp.async and of bulk stores */
    struct mbarrier *barrier;
    uint32_t parity;
    struct call path[DEPTH];
    struct {
        uintptr_t start;
        uint64_t bytes;
    } grid_constant[GRID_CONSTANTS];
} __attribute__((aligned(64)));

struct warp {
    struct block *block;
    int number, lanes;
    uint32_t ready, stopped, waiting, done; /* masks of lanes */
    uint32_t base;                          /* see order.c */
    bool scattered;        /* the request that is being checked goes to more than one address */
    int budget;            /* requests until the scheduler looks at other warps */
    int stale;             /* requests in a row that brought nothing new */
    uintptr_t recent[256]; /* addresses of the latest requests, by their pc */
    int circling;          /* requests in a row that stayed where others have been */
    /* What lanes have done ahead, see ahead.c. */
    uint32_t ahead, settling; /* lanes that have, and that wait until that is accounted for */
    uint32_t meeting, ending; /* of these, who then are at the block's barrier, or done */
    uint32_t racing;          /* lanes of which `racing` may be set */
    bool same_path;           /* all lanes that stand somewhere are known to be in the same one */
    int overtaken;
    uint64_t loads, stores; /* regions */
    uint8_t head[WARP], tail[WARP];
    uint32_t turn[WARP], turns; /* in which order the lanes ran */
    uint32_t clock[WARP];       /* lane.clock of those that are ahead */
    struct row {
        uintptr_t address[WARP];
        uint32_t pc[WARP]; /* as in shadow.write_pc */
        uint8_t bytes[WARP];
        bool write[WARP];
        uint32_t old[WARP][4]; /* what was there before a write */
    } row[ROWS_AHEAD];
    struct overtaken {
        uintptr_t word;
        uint32_t value; /* of the write that was made last */
    } overtaken_words[256];
    struct plain_reads { /* the latest of each lane, in a ring */
        uintptr_t address[WARP], pc[WARP];
    } plain_read[PLAIN_READS];
    uint8_t plain_reads[WARP];
    struct {
        uintptr_t pc, low, high; /* addresses that the instruction has met */
        uint64_t writes;         /* since this write of anybody's */
    } range[64];
    struct lane lane[WARP];
};

struct mbarrier;

struct block {
    uint32_t serial;
    uint32_t number; /* in the grid */
    index3 index;
    int slot, warps;
    uint32_t threads, done, at_barrier, at_cluster, at_grid;
    uint32_t base, grid_base, cluster_base; /* see order.c */
    struct vclock *left; /* what its threads knew when they returned, in a cluster */
    struct touch {
        stamp when; /* of a block's last access to this one's shared memory; block 0: none */
        uintptr_t pc;
        struct lane *lane;
    } touched[16];      /* by the other's rank in the cluster */
    uint64_t news_then; /* cpucc_news when a try for an mbarrier last gave up */
    uint32_t given_up;  /* tries since then */
    struct mbarrier *barriers;
    int barrier_count;
    struct warp *warp;
};

enum { SAMPLE = 32 };
struct launch {
    cpucc_config config;
    int number; /* counts all launches of the process */
    void (*body)(void *);
    void *arguments;
    size_t argument_bytes;
    uint32_t first_serial;
    uint32_t ordered_serial; /* all blocks before this one come before the launch: see streams.c */
    uint32_t blocks, cluster_size, threads;
    uint32_t sampled, sample[SAMPLE];  /* clusters that run, where not all do; 0: all */
    uint32_t static_bytes, static_end; /* shared memory: declared, and laid out with gaps */
    uint32_t dynamic_start;            /* in the slot; 0: nobody has asked yet */
    uint32_t shared_used;              /* end of what has been laid out */
    shared_site *sites;                /* laid out */
    bool recorded, aborted;
    cudaError_t error;
    struct kernel_record *record;
};

extern struct lane *cpucc_current; /* the running CUDA thread, NULL on the host */
extern struct launch *cpucc_the_launch;
extern char *cpucc_slots, *cpucc_slots_end; /* shared memory of all blocks */
extern size_t cpucc_stack_bytes;

extern struct block *cpucc_live[SLOTS]; /* the blocks that are alive, by slot */
extern int cpucc_live_end;              /* slots ever used in this launch */
extern uint32_t cpucc_next_serial;
extern uint64_t cpucc_circled; /* requests of warps that go round in circles */
extern uint64_t cpucc_news;    /* requests that brought something new */

/* FINISHED: all threads have returned. STUCK: everybody waits for other blocks, or for ever.
 * SPINNING: some run, but bring nothing new. PAUSED: some run. */
enum outcome { FINISHED, STUCK, SPINNING, PAUSED };
void cpucc_start_block(struct launch *launch, uint32_t number);
enum outcome cpucc_run_block(struct launch *launch, struct block *block);
/* For who cannot wait for all blocks: chooses, of so many clusters (blocks, where there are none), those
 * that run; returns how many, 0 for all. NULL: all. */
extern uint32_t (*cpucc_sample)(uint32_t clusters, uint32_t chosen[SAMPLE]);
void cpucc_end_block(struct block *block);

void cpucc_stop(struct lane *lane);                    /* wait for one's turn in the warp */
void cpucc_wait(struct lane *lane, enum waiting what); /* sleep until released */
void cpucc_release(struct lane *lane);
void cpucc_abort(cudaError_t error); /* end the launch; does not return on a fiber */
struct block *cpucc_block_of(uintptr_t shared_address); /* by slot; NULL if no live block's */
struct block *cpucc_live_block(uint32_t number);
void cpucc_collective_done(struct warp *warp, uint32_t group, const struct lane *first);
bool cpucc_mbarrier_ready(struct lane *lane);

/* Something that all 32 lanes of a warp do together: each brings a record that begins with this, and
 * when all have come, `run` gets the records by lane. */
struct warp_work {
    void (*run)(struct warp_work *of[WARP]);
    struct lane *lane; /* set by cpucc_warp_work */
    uintptr_t pc;      /* of the call; 0: whoever calls cpucc_warp_work */
};
void cpucc_warp_work(struct warp_work *work);

/* Where the caller of a run-time function stands: at its call, or at the asm statement it runs. */
static inline uintptr_t cpucc_here(uintptr_t return_address)
{
    return cpucc_current && cpucc_current->asm_pc ? cpucc_current->asm_pc : return_address;
}

/* ---- choices.c ---- */

/* One of n legal ways to go on, named by `what`: 0, unless CPUCC_SCHEDULE asks for others. */
uint32_t cpucc_choose(const char *what, uint32_t n);

/* ---- access.c ---- */

/* A lane's access, before it is made: wait for one's turn, check, count. */
void cpucc_access(uintptr_t address, uint32_t bytes, enum operation operation, unsigned strength,
                  const void *expected, uintptr_t pc);

/* A group of lanes that stand at one access: check it and count it. `row`: the address of each is in
 * that row of the warp's accesses, or -1. */
struct standing {
    uintptr_t pc;
    uint32_t bytes;
    enum operation operation;
    int row;
};
void cpucc_account(struct warp *w, uint32_t group, const struct standing *at);

/* ---- ahead.c ---- */

extern bool cpucc_may_be_ahead;     /* in this launch */
extern bool cpucc_records_accesses; /* a launch runs, and is recorded */
void cpucc_ahead_start(const struct launch *launch);
/* The lane goes on only when what it has done ahead is accounted for. */
void cpucc_settle(void);
/* If it has done something ahead, it sleeps at the block's barrier as soon as that is accounted for;
 * returns when it has passed the barrier. Else false. */
bool cpucc_settle_at_barrier(struct lane *lane, uintptr_t pc);

/* What no counter has: atomic requests to allocated memory, bytes of atomics to variables. */
extern uint64_t cpucc_heap_atomics, cpucc_other_atomic_bytes;
enum space { SHARED, GLOBAL, CONSTANT, IGNORED, FOREIGN };
enum space cpucc_space(const struct lane *lane, uintptr_t address);
bool cpucc_is_constant(uintptr_t address);

/* ---- sealed.c ---- */

/* The lower end of a thread's stack up to here is for the local variables of sealed code. */
enum { SEALED_LOCAL = STACK_GUARD + (64 << 10) };
extern bool cpucc_sealed;
/* From now on kernels are sealed code; where the launch's arguments lie. */
void cpucc_seal(void);
void cpucc_seal_parameters(const void *start, size_t bytes);
void cpucc_seal_allow(struct lane *l, uintptr_t address, uint32_t bytes, enum operation op);
void cpucc_seal_local_range(const void *p, size_t bytes, uintptr_t pc);
bool cpucc_seal_readable(const void *p, size_t bytes);

/* Whether an address is in a thread's local memory. */
static inline bool cpucc_is_local(const struct lane *l, uintptr_t a)
{
    return a - (uintptr_t)l->stack < (cpucc_sealed ? SEALED_LOCAL : cpucc_stack_bytes);
}

/* ---- count.c ---- */

void cpucc_count_request(const struct warp *warp, uintptr_t pc, int counter,
                         const struct traffic_request *request);
/* A cp.async of copy->lanes, of which `zeros` write zeros. Changes *copy. */
void cpucc_count_copy(const struct warp *warp, uintptr_t pc, struct traffic_copy *copy,
                      uint32_t zeros);

/* ---- shadow.c ---- */

shadow *cpucc_shadow(uintptr_t address); /* NULL where there is none */
bool cpucc_check(struct lane *lane, uintptr_t address, uint32_t bytes, enum operation operation,
                 enum space space);
extern char __executable_start[];
void cpucc_finish_race(struct lane *lane);
void cpucc_mark_allocated(uintptr_t address, size_t bytes, bool allocated, bool written);
void cpucc_mark_written(uintptr_t address, size_t bytes);
void cpucc_words_written(uintptr_t address, size_t bytes);
void cpucc_mark_unwritten(uintptr_t address, unsigned bytes_of_word);
void cpucc_drop_records(uintptr_t address, size_t bytes);
bool cpucc_all_allocated(uintptr_t address, size_t bytes);
void cpucc_shared_clear(struct block *block);
void cpucc_shared_allocate(int slot, uint32_t offset, size_t bytes);
void cpucc_shadow_start(void);
/* A copy on its own, an agent of the lane's block, reads or overwrites the word. */
void cpucc_agent_reads(struct lane *lane, shadow *word, uint32_t block, uint32_t agent,
                       uint32_t clock);
void cpucc_thread_reads(const struct lane *lane, shadow *word);
bool cpucc_unfenced_reader(const struct lane *lane, const shadow *word, stamp *by);
bool cpucc_still_read(const struct lane *lane, const shadow *word, stamp *by);
void cpucc_no_readers(shadow *word);
void cpucc_judge_suspicions(void);

/* ---- order.c ---- */

stamp cpucc_stamp(const struct lane *lane);
void cpucc_tick(struct lane *lane);
bool cpucc_ordered(const struct lane *lane, stamp s);
uint32_t cpucc_unordered(const struct lane *lane, uint32_t block, uint32_t warp, uint32_t lanes,
                         uint32_t clock);
bool cpucc_told(const struct lane *lane, stamp write);
bool cpucc_hoped(const struct lane *lane, stamp s);
bool cpucc_proxied(const struct lane *lane, stamp s);
struct vclock *cpucc_release_order(struct lane *lane); /* the caller drops it */
void cpucc_come_to_barrier(struct lane *lane, struct vclock **known, struct vclock **fenced);
void cpucc_leave_barrier(struct lane *lane, struct vclock *known, struct vclock *fenced);
void cpucc_forget_order(struct lane *lane);
void cpucc_fence_order(struct lane *lane, bool wide);
void cpucc_proxy_fence_order(struct lane *lane);
void cpucc_synchronise(struct lane *lane, bool wrote);
void cpucc_forget_location(uintptr_t address);
void cpucc_order_block(struct block *block);
void cpucc_order_warp(struct warp *warp, uint32_t group, uint32_t mask);
void cpucc_order_blocks(struct block **group, int n, bool grid);
void cpucc_touch(struct lane *lane, uintptr_t address);
void cpucc_leave(struct lane *lane);
void cpucc_order_start(const struct launch *launch);
void cpucc_order_end(void);

/* ---- heap.c ---- */

enum memory { DEVICE, DEVICE_HEAP, PINNED, MANAGED };
struct allocation {
    char *start;
    size_t bytes;
    enum memory kind;
    bool freed;
    uintptr_t pc, free_pc; /* of the calls */
};
extern char *cpucc_heap, *cpucc_heap_end, *cpucc_heap_host;
extern char *cpucc_device_next, *cpucc_host_next; /* ends of what was ever allocated */
extern unsigned char *cpucc_page_state;           /* of each 4096 bytes of the heap */
extern unsigned char *cpucc_page_written;         /* all of these hold something */
extern struct allocation *cpucc_allocations;
extern uint32_t *cpucc_by_chunk; /* index + 1 of the allocation in each 65536 bytes of the heap */
void cpucc_heap_start(void);
cudaError_t cpucc_allocate(void **p, size_t bytes, enum memory kind, uintptr_t pc);
/* Address space that may be larger than this machine's memory, for who sees to its pages. */
cudaError_t cpucc_allocate_space(void **p, size_t bytes, bool written);
cudaError_t cpucc_release_memory(void *p, bool by_device, uintptr_t pc);
void cpucc_allocate_again(void *p);
size_t cpucc_free_memory(void);
const struct allocation *cpucc_allocation_near(uintptr_t address);
bool cpucc_heap_holds(uintptr_t address, size_t bytes);
void cpucc_heap_written(uintptr_t address, size_t bytes);
void cpucc_fill_page(size_t page);

/* ---- host.c ---- */

void cpucc_lock(void);
void cpucc_unlock(void);
void cpucc_open_memory(void); /* locks too: one host thread at a time */
void cpucc_close_memory(void);
uintptr_t cpucc_user_pc(uintptr_t pc); /* of the program's call that led into the run time */
void cpucc_signals_start(void);
uintptr_t cpucc_signal_pc(const void *context);
bool cpucc_runs_here(void); /* the launch is this host thread's */
void cpucc_read_of_nothing(struct lane *lane, uintptr_t address);  /* guards.c */
bool cpucc_map_in_place(const struct lane *lane, const void *map); /* guards.c */
bool cpucc_on_stack_guard(const struct lane *lane, uintptr_t address);

/* ---- streams.c ---- */

struct operation_of_device {
    uint64_t number;
    uint64_t after; /* streams, a bit each, whose end means that this has ended */
    uint32_t first_serial, last_serial; /* a kernel's blocks */
    uintptr_t pc;                       /* of the host's call */
    const char *name;                   /* a kernel's, or NULL */
    bool tells_host;                    /* it has fences or atomics of the system's scope */
    struct range {
        uintptr_t from, to; /* 0: none */
        bool written;
    } range[2]; /* a copy's or fill's memory, as far as kernels may use it */
};
struct point { /* in a stream, as an event marks it */
    uint64_t number, streams;
};
extern bool cpucc_tells_host; /* the kernel that runs, so far */
const struct operation_of_device *cpucc_pending(int *count);
void cpucc_pending_kernel(const void *stream, uint32_t first, uint32_t last, const char *name,
                          uintptr_t pc);
void cpucc_pending_copy(const void *stream, const void *to, const void *from, size_t bytes,
                        bool asynchronous, uintptr_t pc);
void cpucc_given_back(const void *stream, uintptr_t from, uintptr_t to, uintptr_t pc);
uint32_t cpucc_look_beside(const void *stream, uint32_t first_serial);
const struct operation_of_device *
cpucc_beside(uint32_t serial); /* the kernel of a block, or NULL */
void cpucc_not_beside(uint32_t serial);
extern bool cpucc_copies_beside; /* there are some to ask for: */
const struct operation_of_device *cpucc_copy_beside(uintptr_t address, uint32_t bytes, bool write);
void cpucc_synchronised(void);
void cpucc_synchronised_stream(const void *stream);
struct point cpucc_point(const void *stream);
void cpucc_synchronised_point(struct point p);
void cpucc_stream_waits(const void *stream, struct point p);
unsigned cpucc_stream_flags(const void *stream); /* runtime_stream.c */

/* ---- device.c ---- */

cudaError_t cpucc_copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, uintptr_t pc);
cudaError_t cpucc_set(void *to, int value, size_t bytes, uintptr_t pc);
cudaError_t cpucc_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, cudaMemcpyKind kind, uintptr_t pc);
extern struct device_figures {
    int sms, threads_per_sm, blocks_per_sm, l2_bytes, clock_khz, memory_clock_khz, bus_bits;
    size_t memory, shared_per_block, shared_per_block_optin, shared_per_sm, reserved_shared;
    char name[64];
    int major, minor;
} cpucc_device;
void cpucc_device_start(void);
size_t cpucc_room(size_t device);
size_t cpucc_address_space(size_t wanted);
const char *cpucc_describe_address(uintptr_t address);
size_t cpucc_dynamic_limit(const void *function);
cudaError_t cpucc_error(cudaError_t error);
cudaError_t cpucc_lasting_error(void); /* of a kernel; cudaSuccess if none went wrong */

/* runtime_memory.c: the host's memory that kernels use where it lies; NULL for any other. */
shadow *cpucc_registered_shadow(uintptr_t address);
bool cpucc_register(const void *p, size_t bytes); /* false: part of it is registered already */

static inline bool cpucc_is_shared_pointer(const void *p)
{
    return (uintptr_t)p - (uintptr_t)cpucc_slots < (uintptr_t)(cpucc_slots_end - cpucc_slots);
}

/* ---- async.c ---- */

bool cpucc_async_progress(struct block *block);
bool cpucc_async_completes(struct block *block);
void cpucc_async_thread_end(struct lane *lane);
void cpucc_async_block_end(struct block *block);
void cpucc_async_block_start(struct block *block);
const char *cpucc_describe_wait(struct lane *lane);

/* ---- report.c ---- */

struct site_count {
    uintptr_t pc;
    struct cpucc_count counter[CPUCC_COUNTERS];
    uint64_t worst_work, worst_ideal;
    int worst_counter;
    uint32_t worst_block;
    uint16_t worst_warp;
    struct traffic_request worst;
};

struct launch_record {
    int number;
    index3 grid, block;
    struct cpucc_count counter[CPUCC_COUNTERS];
    unsigned doubts[CPUCC_COUNTERS]; /* those that no line has; bits of enum cpucc_doubt */
    uint64_t shared_bytes;
};

struct kernel_record {
    char *name;
    struct launch_record *launches;
    int launch_count, launch_room;
    struct site_count *sites; /* a hash table by pc */
    int site_count, site_room;
};

void cpucc_report_start(void);
struct kernel_record *cpucc_begin_record(struct launch *launch);
void cpucc_end_record(struct launch *launch);
struct site_count *cpucc_site(struct kernel_record *record, uintptr_t pc);
void cpucc_count(uintptr_t pc, int counter, uint64_t work, uint64_t ideal);
/* Record a fault at the lane's pc. The first of each kind at each place is kept for printing. */
void cpucc_fault(struct lane *lane, uintptr_t pc, enum cpucc_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void cpucc_print_faults(void);
void cpucc_note_request(struct warp *warp, uint32_t group, int counter, uint32_t bytes,
                        const uint64_t *address);
const char *cpucc_line(uintptr_t pc);                 /* "file:line" */
void cpucc_find_lines(const uintptr_t *pc, size_t n); /* looks up many lines at once */
unsigned cpucc_line_doubts(uintptr_t pc);             /* bits of enum cpucc_doubt */
extern bool cpucc_ran;                                /* the last launch was not refused */
extern volatile uint64_t cpucc_progress;              /* threads that have ended, barriers passed */
void cpucc_say_faults(void);

/* ---- frontend/launches.c ---- */

const struct device_part *cpucc_variable_near(uintptr_t address, long *offset);
void cpucc_mark_gaps(void);
bool cpucc_in_gap(uintptr_t address, uint32_t bytes);
void cpucc_launch_checked(void);
void cpucc_say_unchecked_launch(void);
extern uint64_t cpucc_requests; /* a heartbeat for the watchdog */

#endif
