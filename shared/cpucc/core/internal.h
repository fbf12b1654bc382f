/*
 * Declares the functions and variables that the files of cpucc's run time share. Who does what:
 *
 *   schedule.c         runs threads as fibers, warps in lockstep; blocks.c: starts and runs blocks
 *   launch.c           launches, clusters, grids, endless waits
 *   schedule_search.c  chooses other legal orders, for CPUCC_SCHEDULE
 *   collective.c       device code's calls: barriers, shuffles, votes, fences, shared variables
 *   matrix.c           matrix instructions; float_formats.c: 16-bit floats, directed rounding
 *   access.c           the functions that the compiler calls before each load and store
 *   deferred_access.c  accesses that a lane makes before its warp checks and counts them
 *   guards.c           reports what the checks find that frontend/guard.c inserts
 *   sealed.c           limits for sealed, i.e. untrusted, code
 *   request.c          checks and counts a warp's request; race_fast_path.h is its fast path
 *   count.c            counts requests; shared/traffic computes what a request costs
 *   shadow.c           keeps a record of each 4-byte word of memory
 *   races.c            checks bounds, initialisation and races; readers.c: who has read a word
 *   order.c            which accesses come before which; order_barriers.c: by barriers;
 *                      vector_clock.c: the clocks that both use
 *   async.c            cp.async, bulk and tensor copies; async_memory.c checks their memory,
 *                      async_completion.c completes them; tensor.c: tensor maps; reduce.c:
 *                      reductions by bulk copies
 *   mbarrier.c         mbarriers; named_barrier.c: barriers that have a number or join warps
 *   heap.c             device memory; memory_limits.c: how much fits; describe.c: addresses as text
 *   host_access.c      what the host may touch, and when
 *   streams.c          device operations that the host has not waited for
 *   device.c           the run-time API; device_memory.c, runtime_*.c, runtime.h; cublas.c: cuBLAS
 *   report.c           totals and counts per source line; source_lines.c: the line of a pc;
 *                      faults.c: faults; report_*.c: the formats of the report; html_kernel.c and
 *                      html_parts.c: parts of report_html.c; escape.c: escaped text
 *   trace.c            records what only the HTML report shows; advise.c: advice on a request
 *   mark_loops.c       not in the run time: a program that marks the loops of device code
 *
 * launch_state.h declares the types that these files share. In all of them a *request* is one
 * memory instruction of a warp, a *slot* holds the shared memory and the stacks of one live block,
 * and *serial* numbers count blocks over all launches.
 */
#ifndef CPUCC_INTERNAL_H
#define CPUCC_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../cpucc.h"
#include "kinds.h"
#include "launch_state.h"
#include "site.h"
#include "may_differ.h"
#include "../../traffic/traffic.h"

/* ---- schedule.c, blocks.c, launch.c ---- */

extern struct lane *cpucc_current;          /* the running CUDA thread, NULL on the host */
extern struct launch *cpucc_the_launch;     /* the running launch, or NULL */
extern char *cpucc_slots, *cpucc_slots_end; /* shared memory of all slots: first byte, end */
extern size_t cpucc_stack_bytes;            /* per CUDA thread */

extern struct block *cpucc_live_blocks[MAX_LIVE_BLOCKS]; /* by slot; NULL: free slot */
extern int cpucc_live_end;                               /* slots ever used in this launch */
extern uint32_t cpucc_next_serial; /* serial of the next launch's first block */
/* Progress, to tell an endless wait: requests whose addresses change but stay in a range that the
 * warp has accessed before; requests outside it, and mbarrier arrivals that may let a block go on. */
extern uint64_t cpucc_revisits, cpucc_state_changes;

/* FINISHED: all threads have returned, or the launch was aborted. STUCK: all wait for other blocks,
 * or for ever. SPINNING: some can run but only repeat addresses. PAUSED: some can run, but
 * CPUCC_SCHEDULE lets another block run first. */
enum outcome { FINISHED, STUCK, SPINNING, PAUSED };
/* Makes a block of the launch live, in a free slot. */
void cpucc_start_block(struct launch *launch, uint32_t number);
/* Runs a block until it has one of these outcomes. */
enum outcome cpucc_run_block(struct launch *launch, struct block *block);
/* If not NULL, chooses which clusters (without clusters: blocks) of a launch run. Returns how many
 * it chose, or 0 to run all. */
extern uint32_t (*cpucc_sample)(uint32_t clusters, uint32_t chosen[SAMPLE]);
void cpucc_end_block(struct block *block); /* frees the block's slot */

void cpucc_await_turn(struct lane *lane); /* returns when the lane may make its access */
void cpucc_wait(struct lane *lane, enum waiting what); /* sleeps until cpucc_wake */
void cpucc_wake(struct lane *lane);                    /* lets a waiting lane run again */
void cpucc_abort(cudaError_t error); /* ends the launch; does not return on a fiber */
struct block *cpucc_block_of(uintptr_t shared_address); /* NULL if no live block owns the address */
struct block *cpucc_live_block(uint32_t number); /* NULL if the block of this number is not live */
/* Gives the lanes `group`, which have all reached a warp-wide call, its results and wakes them. */
void cpucc_collective_done(struct warp *warp, uint32_t group, const struct lane *first);
bool cpucc_mbarrier_ready(struct lane *lane); /* true if the phase it waits for is complete */

/* A task that all 32 lanes of a warp perform together. Each lane brings a record that begins with
 * this struct. When all have arrived, `run` gets the records by lane. */
struct warp_work {
    void (*run)(struct warp_work *of[WARP]);
    struct lane *lane; /* set by cpucc_warp_work */
    uintptr_t pc;      /* of the call; 0: the caller of cpucc_warp_work */
};
void cpucc_warp_work(struct warp_work *work); /* returns when the task is done */

/* The pc in the program at which the function that contains this macro was called. */
#define CALLER_PC ((uintptr_t)__builtin_return_address(0))
/* The site at which device code called the run time. */
#define SITE ((uintptr_t)cpucc_at)
/* The same, but an asm statement's site if that runs. */
#define DEVICE_CALL_PC cpucc_call_pc()

/* Returns the site to report for a run-time function: the asm statement that runs, else its call. */
static inline uintptr_t cpucc_call_pc(void)
{
    return cpucc_current && cpucc_current->asm_pc ? cpucc_current->asm_pc : SITE;
}

/* ---- schedule_search.c ---- */

/* Returns one of n legal choices: 0, unless CPUCC_SCHEDULE asks for others. `what` names the
 * choice. */
uint32_t cpucc_choose(const char *what, uint32_t n);

/* ---- access.c ---- */

/* Waits for the lane's turn, then checks and counts its access, which the caller makes. `strength`:
 * bits of launch_state.h. `expected`: a compare-and-swap's old value, else NULL. */
void cpucc_access(uintptr_t address, uint32_t bytes, enum operation operation, unsigned strength,
                  const void *expected, uintptr_t pc);

/* One access of a group of lanes. */
struct group_access {
    uintptr_t pc;
    uint32_t bytes;
    enum operation operation;
    int row; /* the row of warp.deferred_row that has the addresses; -1: the lanes have them */
};
/* Checks each lane's part of a request, then counts the request. */
void cpucc_check_and_count(struct warp *w, uint32_t group, const struct group_access *at);

/* ---- deferred_access.c ---- */

extern bool cpucc_may_defer;                         /* lanes of this launch may defer accesses */
extern bool cpucc_records_accesses;                  /* a launch is running and recorded */
void cpucc_defer_start(const struct launch *launch); /* sets both variables for the launch */
/* Returns when all deferred accesses of the current lane are checked and counted. */
void cpucc_flush_deferred(void);
/* If the lane has deferred accesses: flushes them, waits at the block's barrier, then returns
 * true. Else returns false. */
bool cpucc_flush_at_barrier(struct lane *lane, uintptr_t pc);

/* Atomics, which no counter of the report includes: requests to allocated memory; bytes elsewhere. */
extern uint64_t cpucc_heap_atomics, cpucc_other_atomic_bytes;
/* IGNORED: local memory, parameters. FOREIGN: not memory of the device. */
enum space { SHARED, GLOBAL, CONSTANT, IGNORED, FOREIGN };
enum space cpucc_space(const struct lane *lane, uintptr_t address); /* of the address */
bool cpucc_is_constant(uintptr_t address); /* true for __constant__ and read-only data */

/* ---- sealed.c ---- */

/* Sealed (untrusted) code keeps its local variables in a thread's stack from byte STACK_GUARD up to
 * this byte. */
enum { SEALED_LOCAL = STACK_GUARD + (64 << 10) };
extern bool cpucc_sealed;                                    /* kernels are sealed code */
void cpucc_seal(void);                                       /* sets cpucc_sealed */
void cpucc_seal_parameters(const void *start, size_t bytes); /* notes a launch's arguments */
/* Permits the lane one access at this address; an atomic's loads and stores may repeat. */
void cpucc_seal_allow(struct lane *l, uintptr_t address, uint32_t bytes, enum operation op);
/* Ends the launch if sealed code runs and the range is not within the thread's local variables. */
void cpucc_seal_local_range(const void *p, size_t bytes, uintptr_t pc);
bool cpucc_seal_readable(const void *p, size_t bytes); /* true if printf may read the range */

/* Whether an address is in a thread's local memory. */
static inline bool cpucc_is_local(const struct lane *l, uintptr_t a)
{
    return a - (uintptr_t)l->stack < (cpucc_sealed ? SEALED_LOCAL : cpucc_stack_bytes);
}

/* ---- count.c ---- */

/* Counts a request of the warp at the pc. */
void cpucc_count_request(const struct warp *warp, uintptr_t pc, int counter,
                         const struct traffic_request *request);
/* Counts a cp.async of copy->lanes, of which `zeros` only write zeros. Changes *copy. */
void cpucc_count_copy(const struct warp *warp, uintptr_t pc, struct traffic_copy *copy,
                      uint32_t zeros);

/* ---- shadow.c, races.c, readers.c ---- */

shadow *cpucc_shadow(uintptr_t address); /* returns the word's record, or NULL */
/* Checks an access before it is made, and records it; false if the launch ends. */
bool cpucc_check_access(struct lane *lane, uintptr_t address, uint32_t bytes,
                        enum operation operation, enum space space);
extern char __executable_start[]; /* set by the linker */
/* Reports the lane's unordered write at race_address as a race if it has changed the value. */
void cpucc_finish_race(struct lane *lane);
/* Sets which bytes are allocated. `written`: they count as written. Need not be aligned. */
void cpucc_mark_allocated(uintptr_t address, size_t bytes, bool allocated, bool written);
void cpucc_mark_written(uintptr_t address, size_t bytes);  /* any device memory */
void cpucc_words_written(uintptr_t address, size_t bytes); /* the same, without the fast path */
void cpucc_mark_unwritten(uintptr_t address, unsigned bytes_of_word); /* a mask */
void cpucc_drop_shadow(uintptr_t address, size_t bytes);   /* clears records of whole heap pages */
bool cpucc_all_allocated(uintptr_t address, size_t bytes); /* in the heap: by one allocation */
void cpucc_shared_clear(struct block *block); /* clears a new block's slot: bytes to 0xcd */
void cpucc_shared_allocate(int slot, uint32_t offset, size_t bytes); /* as unwritten */
void cpucc_shadow_start(void); /* reserves the records and the slots */
/* Records that an asynchronous copy, an agent (vector_clock.h) of the block, reads the word. */
void cpucc_note_agent_read(struct lane *lane, shadow *word, uint32_t block, uint32_t agent,
                           uint32_t clock);
void cpucc_note_thread_read(const struct lane *lane, shadow *word); /* records a plain read */
/* True if a thread of the lane's block has read the word and no fence.proxy.async orders that read
 * before later accesses of the async proxy; sets *by to the read. */
bool cpucc_unfenced_reader(const struct lane *lane, const shadow *word, stamp *by);
/* Whether a reader of the word (*by) is not ordered before the lane's next access. */
bool cpucc_still_read(const struct lane *lane, const shadow *word, stamp *by);
void cpucc_clear_readers(shadow *word); /* forgets all readers */
/* Reports the plain reads that raced with atomics, as faults or remarks. */
void cpucc_report_suspicions(void);

/* ---- order.c, order_barriers.c ---- */

stamp cpucc_stamp(const struct lane *lane); /* returns the stamp of the lane's next access */
void cpucc_tick(struct lane *lane);         /* advances the lane's clock */
/* Whether the access with this stamp comes before the lane's next access. */
bool cpucc_ordered(const struct lane *lane, stamp s);
/* Returns those of a warp's lanes whose access at `clock` does not come before the lane's next. */
uint32_t cpucc_unordered(const struct lane *lane, uint32_t block, uint32_t warp, uint32_t lanes,
                         uint32_t clock);
/* Whether the lane has read a value released after this write, without acquiring it. */
bool cpucc_observed(const struct lane *lane, stamp write);
/* True if one more fence would order the access: the one that code which finds the last block by a
 * counter often omits (see the top of order.c). */
bool cpucc_tentative(const struct lane *lane, stamp s);
/* True if a fence.proxy.async before the lane's next access makes access s visible to the async
 * proxy. */
bool cpucc_shown_to_proxy(const struct lane *lane, stamp s);
/* Returns the order that a release by the lane passes on; the caller drops it. */
struct vclock *cpucc_release_order(struct lane *lane);
/* Adds the order that an arriving lane brings to *acquired and *released. */
void cpucc_arrive_order(struct lane *lane, struct vclock **acquired, struct vclock **released);
/* Adds the order collected at a barrier to the lane's own. */
void cpucc_depart_order(struct lane *lane, struct vclock *acquired, struct vclock *released);
void cpucc_free_order(struct lane *lane);              /* drops the lane's clocks */
void cpucc_fence_order(struct lane *lane, bool wide);  /* makes a fence; `wide`: beyond the block */
void cpucc_proxy_fence_order(struct lane *lane);       /* makes a fence.proxy.async */
void cpucc_synchronise(struct lane *lane, bool wrote); /* passes order on through a strong access */
void cpucc_forget_location(uintptr_t address);         /* drops what was released through a word */
/* Orders the accesses of the block's threads before its barrier before those after it. */
void cpucc_order_block(struct block *block);
/* Does so for the lanes `group`, which passed a __syncwarp with this mask. */
void cpucc_order_warp(struct warp *warp, uint32_t group, uint32_t mask);
/* Does so for the n blocks of a cluster, or of the grid. */
void cpucc_order_blocks(struct block **group, int n, bool grid);
/* Notes that the lane uses another block's shared memory; a fault if that block has returned. */
void cpucc_note_remote_access(struct lane *lane, uintptr_t address);
void cpucc_order_exit(struct lane *lane); /* passes a returning thread's order on to its block */
void cpucc_order_start(const struct launch *launch); /* prepares for a launch */
void cpucc_order_end(void);                          /* frees what the launch released */

/* ---- heap.c ---- */

enum memory { DEVICE, DEVICE_HEAP, PINNED, MANAGED }; /* DEVICE_HEAP: malloc in device code */
struct allocation {
    char *start;
    size_t bytes;
    enum memory kind;
    bool freed;
    uintptr_t pc, free_pc; /* of the calls */
};
extern char *cpucc_heap, *cpucc_heap_end, *cpucc_heap_host; /* host memory begins at _host */
extern char *cpucc_device_next, *cpucc_host_next;           /* ends of the allocated parts */
extern unsigned char *cpucc_page_state;   /* per 4096 bytes; nonzero: call cpucc_fill_page first */
extern unsigned char *cpucc_page_written; /* nonzero: the whole page is written */
extern struct allocation *cpucc_allocations; /* in the order of the calls, freed ones included */
extern uint32_t *cpucc_allocation_of_chunk;  /* per 65536 bytes of the heap: index + 1, or 0 */
void cpucc_heap_start(void); /* reserves the heap's address space, or ends the program */
cudaError_t cpucc_allocate(void **p, size_t bytes, enum memory kind, uintptr_t pc);
/* Reserves address space that may exceed the machine's memory; the caller maintains its pages. */
cudaError_t cpucc_allocate_space(void **p, size_t bytes, bool written);
/* Frees memory; reports a fault if it was not allocated, or by the other side. */
cudaError_t cpucc_release_memory(void *p, bool by_device, uintptr_t pc);
void cpucc_reallocate(void *p); /* makes a freed allocation live again */
size_t cpucc_free_memory(void); /* returns the bytes that can still be allocated */
/* Returns the allocation, freed or not, that contains the address or is near it, else NULL. */
const struct allocation *cpucc_allocation_near(uintptr_t address);
bool cpucc_heap_holds(uintptr_t address, size_t bytes);   /* in one live allocation */
void cpucc_heap_written(uintptr_t address, size_t bytes); /* marks heap bytes as written */
void cpucc_fill_page(size_t page); /* fills in the records of a page whose state is not 0 */

/* ---- memory_limits.c ---- */

/* Returns the bytes of device memory, at most `device`, that fit into the machine's free memory. */
size_t cpucc_memory_available(size_t device);
/* Returns the bytes of the heap, at most `wanted`, that can be reserved together with records. */
size_t cpucc_address_space(size_t wanted);
/* Reserves zeroed address space that takes memory only where it is touched. If that fails, returns
 * NULL, or ends the program if it is `required`. */
void *cpucc_reserve(size_t bytes, bool required);
void *cpucc_must(void *p); /* returns p; ends the program if p is NULL or MAP_FAILED */

/* ---- host_access.c, guards.c ---- */

void cpucc_lock(void); /* the run time's lock: one host thread at a time */
void cpucc_unlock(void);
void cpucc_open_memory(void);  /* locks, and lets the host touch device memory; may be nested */
void cpucc_close_memory(void); /* protects device memory from the host again, and unlocks */
uintptr_t cpucc_user_pc(uintptr_t pc); /* returns the program's call that led into the run time */
void cpucc_signals_start(void);        /* installs the handlers of SIGSEGV and SIGBUS */
uintptr_t cpucc_signal_pc(const void *context); /* returns the interrupted pc + 1 */
bool cpucc_is_launching_thread(void);           /* true on the host thread of the launch */
void cpucc_uninitialised_read(struct lane *lane, uintptr_t address); /* reports it as a fault */
bool cpucc_map_in_place(const struct lane *lane, const void *map);   /* true if TMA can read it */
/* Whether the address lies in the guard below the lane's stack. */
bool cpucc_on_stack_guard(const struct lane *lane, uintptr_t address);

/* ---- streams.c ---- */

struct device_operation {
    uint64_t number;
    uint64_t after; /* bit mask of streams: once one of them is idle, this operation has ended */
    uint32_t first_serial, last_serial; /* blocks of a kernel */
    uintptr_t pc;                       /* of the host's call */
    const char *name;                   /* a kernel's; NULL: a copy or a fill */
    bool signals_host;                  /* it executed fences or atomics of system scope */
    struct range {
        uintptr_t from, to; /* 0: none */
        bool written;
    } range[2]; /* memory of a copy or fill that kernels may use */
};
struct stream_point { /* a position in a stream, as an event records it */
    uint64_t number, streams;
};
extern bool cpucc_signals_host; /* the running kernel has used a system-scope fence or atomic */
/* Returns the *count pending operations, those that the host has not waited for. */
const struct device_operation *cpucc_pending(int *count);
/* Adds a kernel that has run to the pending operations; its blocks are serials first to last. */
void cpucc_pending_kernel(const void *stream, uint32_t first, uint32_t last, const char *name,
                          uintptr_t pc);
/* Checks a copy, or a fill (from NULL), against pending operations; adds an asynchronous one. */
void cpucc_pending_copy(const void *stream, const void *to, const void *from, size_t bytes,
                        bool asynchronous, uintptr_t pc);
/* Checks the free of a range against pending operations, which then forget the range. */
void cpucc_pending_free(const void *stream, uintptr_t from, uintptr_t to, uintptr_t pc);
/* Finds the operations concurrent with a new launch in the stream; returns the serial below which
 * all blocks come before the launch. */
uint32_t cpucc_find_concurrent(const void *stream, uint32_t first_serial);
const struct device_operation *
cpucc_concurrent_kernel(uint32_t serial); /* the one with that block; NULL if none */
/* From now on the kernel with that block counts as ordered before the running one. */
void cpucc_forget_concurrent(uint32_t serial);
extern bool cpucc_copies_may_race; /* a copy or fill is concurrent with the running kernel */
/* Returns a concurrent copy or fill that conflicts with the access, or NULL. */
const struct device_operation *cpucc_concurrent_copy(uintptr_t address, uint32_t bytes, bool write);
void cpucc_synchronised(void);                        /* the host has waited for all streams */
void cpucc_synchronised_stream(const void *stream);   /* the host has waited for the stream */
struct stream_point cpucc_point(const void *stream);  /* returns the end of a stream */
void cpucc_synchronised_point(struct stream_point p); /* the host has waited for the point */
void cpucc_stream_waits(const void *stream, struct stream_point p); /* the stream waits for p */
unsigned cpucc_stream_flags(const void *stream); /* the flags that it was made with */

/* ---- device.c, device_memory.c, runtime_memory.c ---- */

/* Copies at once, whatever the stream, after checking both ranges. */
cudaError_t cpucc_copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, uintptr_t pc);
cudaError_t cpucc_set(void *to, int value, size_t bytes, uintptr_t pc); /* fills at once */
/* Copies `height` rows of `width` bytes; pitches are in bytes. */
cudaError_t cpucc_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, cudaMemcpyKind kind, uintptr_t pc);
extern struct device_figures {
    int sms, threads_per_sm, blocks_per_sm, l2_bytes, clock_khz, memory_clock_khz, bus_bits;
    size_t memory, shared_per_block, shared_per_block_optin, shared_per_sm, reserved_shared;
    char name[64];
    int major, minor;
} cpucc_device;                /* properties of the device; all sizes in bytes */
void cpucc_device_start(void); /* starts the run time, unless it has started */
/* Returns the address as text (variable or allocation, and element), in a static buffer. */
const char *cpucc_describe_address(uintptr_t address);
size_t cpucc_dynamic_limit(const void *function); /* bytes of dynamic shared memory, at most */
cudaError_t cpucc_error(cudaError_t error); /* keeps the error for cudaGetLastError; returns it */
cudaError_t cpucc_lasting_error(void);      /* a failed kernel's error, or cudaSuccess */

shadow *cpucc_registered_shadow(uintptr_t address); /* of registered host memory, or NULL */
bool cpucc_register(const void *p, size_t bytes);   /* false if part of it is registered */

static inline bool cpucc_is_shared_pointer(const void *p)
{
    return (uintptr_t)p - (uintptr_t)cpucc_slots < (uintptr_t)(cpucc_slots_end - cpucc_slots);
}

/* ---- async_completion.c, mbarrier.c ---- */

/* For a block in which nothing else can run: completes copies that a thread waits for, or ends an
 * mbarrier.try_wait without success. Returns false if there is neither. */
bool cpucc_async_progress(struct block *block);
/* Completes the copies of an mbarrier that a thread waits for; false if there are none. */
bool cpucc_async_completes(struct block *block);
void cpucc_async_thread_end(struct lane *lane);     /* completes the thread's cp.async copies */
void cpucc_async_block_end(struct block *block);    /* reports and frees copies not waited for */
void cpucc_async_block_start(struct block *block);  /* starts the block without mbarriers */
const char *cpucc_describe_wait(struct lane *lane); /* returns what it waits for as text */

/* ---- report.c, faults.c, source_lines.c ---- */

struct site_count { /* counts of one pc, and its worst request by work / ideal */
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
    unsigned may_differ[CPUCC_COUNTERS]; /* of the launch as a whole; bits of enum may_differ */
    uint64_t shared_bytes;
};

struct kernel_record {
    char *name;
    struct launch_record *launches;
    int launch_count, launch_capacity;
    struct site_count *sites; /* a hash table by pc */
    int site_count, site_capacity;
};

void cpucc_report_start(void); /* arranges for the report at exit */
struct kernel_record *cpucc_begin_record(struct launch *launch); /* adds a record of the launch */
void cpucc_end_record(struct launch *launch);                    /* completes that record */
struct site_count *cpucc_site(struct kernel_record *record, uintptr_t pc);  /* made if new */
void cpucc_count(uintptr_t pc, int counter, uint64_t work, uint64_t ideal); /* adds to totals */
/* Records a fault at the pc, attributed to the lane. Keeps the first of each kind at each place. */
void cpucc_fault(struct lane *lane, uintptr_t pc, enum cpucc_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void cpucc_print_faults(void); /* prints the faults found since the last call */
/* Keeps the request if it is the first of its counter; cpucc_first_request (cpucc.h) returns it. */
void cpucc_note_request(struct warp *warp, uint32_t group, int counter, uint32_t bytes,
                        const uint64_t *address);
const char *cpucc_line(uintptr_t pc);                 /* returns "file:line" */
void cpucc_find_lines(const uintptr_t *pc, size_t n); /* looks up many lines at once */
unsigned cpucc_line_may_differ(uintptr_t pc);         /* returns bits of enum may_differ */
extern bool cpucc_ran;                                /* the last launch was not refused */
extern volatile uint64_t cpucc_progress;              /* threads ended and barriers passed */
void cpucc_write_fault_summary(void);                 /* prints the number of faults */

/* ---- launches.c ---- */

/* Returns the variable that contains the address or is near it, and the offset in it, else NULL. */
const struct device_part *cpucc_variable_near(uintptr_t address, long *offset);
void cpucc_mark_gaps(void); /* marks the gaps behind variables as not allocated */
bool cpucc_in_gap(uintptr_t address, uint32_t bytes); /* true if the access meets such a gap */
void cpucc_launch_checked(void);       /* the program asks for errors: forgets a refused launch */
void cpucc_say_unchecked_launch(void); /* reports a refused launch that nobody checked */
extern uint64_t cpucc_requests; /* requests so far; shows the watchdog that device code runs */

#endif
