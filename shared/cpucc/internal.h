/*
 * What the files of cpucc's run time call of each other. Who does what:
 *
 *   schedule.c         fibers and lockstep; blocks.c: a block's start, barriers and end
 *   launch.c           launches, clusters, grids, endless waits
 *   schedule_search.c  other legal orders, for CPUCC_SCHEDULE
 *   collective.c       shuffles, votes, fences and other calls that device code makes
 *   access.c           what the compiler calls at each load and store
 *   deferred_access.c  accesses that a lane makes without waiting for its warp
 *   sealed.c           limits for untrusted code
 *   request.c          checks and counts a warp's request; race_fast_path.h is its short cut
 *   count.c            counts requests; shared/traffic says what they cost
 *   shadow.c           the record kept beside each 4-byte word
 *   races.c            bounds, initialisation and races; readers.c: who has read a word
 *   order.c            which accesses come before which; order_barriers.c, vector_clock.c beside it
 *   async.c            cp.async, bulk and tensor copies; async_*.c, mbarrier.c, tensor.c beside it
 *   heap.c             device memory; describe.c: an address in words; memory_limits.c
 *   host_access.c      what the host may touch, and when
 *   streams.c          device operations that may be unfinished
 *   device.c           the run-time API; runtime_*.c and runtime.h beside it
 *   report.c           totals and counts per source line; faults.c, source_lines.c, report_*.c
 *   trace.c            what the page of a run shows beyond counts; advise.c puts a pattern in words
 *   access_unity.c     compiles the files that every access passes through as one unit
 *
 * The types that they share are in launch_state.h.
 */
#ifndef CPUCC_INTERNAL_H
#define CPUCC_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cpucc.h"
#include "kinds.h"
#include "launch_state.h"
#include "may_differ.h"
#include "../traffic/traffic.h"

/* ---- schedule.c, launch.c ---- */

extern struct lane *cpucc_current; /* the running CUDA thread, NULL on the host */
extern struct launch *cpucc_the_launch;
extern char *cpucc_slots, *cpucc_slots_end; /* of all blocks */
extern size_t cpucc_stack_bytes;

extern struct block *cpucc_live_blocks[MAX_LIVE_BLOCKS]; /* by slot */
extern int cpucc_live_end;                               /* slots ever used in this launch */
extern uint32_t cpucc_next_serial;
extern uint64_t cpucc_revisits;      /* requests within address ranges met before */
extern uint64_t cpucc_state_changes; /* requests that met a new address */

/* FINISHED: all threads have returned. STUCK: all wait for other blocks, or for ever. SPINNING:
 * some run but only repeat addresses. PAUSED: some run. */
enum outcome { FINISHED, STUCK, SPINNING, PAUSED };
/* Makes a block live, in a free slot. Runs a block until it ends or cannot go on. Frees its
 * slot. */
void cpucc_start_block(struct launch *launch, uint32_t number);
enum outcome cpucc_run_block(struct launch *launch, struct block *block);
/* Chooses the clusters to run (blocks, without clusters) when running all takes too long; returns
 * how many it chose, 0 for all. NULL: run all. */
extern uint32_t (*cpucc_sample)(uint32_t clusters, uint32_t chosen[SAMPLE]);
void cpucc_end_block(struct block *block);

void cpucc_await_turn(struct lane *lane); /* returns when the lane may make its access */
void cpucc_wait(struct lane *lane, enum waiting what); /* sleeps until cpucc_wake */
void cpucc_wake(struct lane *lane);
void cpucc_abort(cudaError_t error); /* ends the launch; does not return on a fiber */
struct block *cpucc_block_of(uintptr_t shared_address); /* NULL if no live block owns the address */
struct block *cpucc_live_block(uint32_t number);
void cpucc_collective_done(struct warp *warp, uint32_t group, const struct lane *first);
bool cpucc_mbarrier_ready(struct lane *lane);

/* A task that all 32 lanes of a warp perform together. Each lane brings a record that begins with
 * this struct. When all have arrived, `run` gets the records by lane. */
struct warp_work {
    void (*run)(struct warp_work *of[WARP]);
    struct lane *lane; /* set by cpucc_warp_work */
    uintptr_t pc;      /* of the call; 0: the caller of cpucc_warp_work */
};
void cpucc_warp_work(struct warp_work *work);

/* Returns the pc to report for a run-time function: the asm statement that runs, else its call. */
static inline uintptr_t cpucc_call_pc(uintptr_t return_address)
{
    return cpucc_current && cpucc_current->asm_pc ? cpucc_current->asm_pc : return_address;
}

/* ---- schedule_search.c ---- */

/* Returns one of n legal choices: 0, unless CPUCC_SCHEDULE asks for others. `what` names the
 * choice. */
uint32_t cpucc_choose(const char *what, uint32_t n);

/* ---- access.c ---- */

/* Waits for the lane's turn, then checks and counts its access; the caller makes it. */
void cpucc_access(uintptr_t address, uint32_t bytes, enum operation operation, unsigned strength,
                  const void *expected, uintptr_t pc);

/* One access of a group of lanes. `row`: the row of warp.deferred_row that has their addresses, or
 * -1. */
struct group_access {
    uintptr_t pc;
    uint32_t bytes;
    enum operation operation;
    int row;
};
void cpucc_check_and_count(struct warp *w, uint32_t group, const struct group_access *at);

/* ---- deferred_access.c ---- */

extern bool cpucc_may_defer;        /* in this launch */
extern bool cpucc_records_accesses; /* a launch is running and recorded */
void cpucc_defer_start(const struct launch *launch);
/* Returns when all deferred accesses of the current lane are checked and counted. */
void cpucc_flush_deferred(void);
/* If the lane has deferred accesses: flushes them, waits at the block's barrier and returns true
 * behind it. Else returns false. */
bool cpucc_flush_at_barrier(struct lane *lane, uintptr_t pc);

/* Not in any counter: atomic requests to allocated memory, bytes of atomics to variables. */
extern uint64_t cpucc_heap_atomics, cpucc_other_atomic_bytes;
/* FOREIGN: no memory of the device. */
enum space { SHARED, GLOBAL, CONSTANT, IGNORED, FOREIGN };
enum space cpucc_space(const struct lane *lane, uintptr_t address);
bool cpucc_is_constant(uintptr_t address);

/* ---- sealed.c ---- */

/* Sealed code keeps its local variables in a thread's stack from STACK_GUARD up to here, in
 * bytes. */
enum { SEALED_LOCAL = STACK_GUARD + (64 << 10) };
extern bool cpucc_sealed;
/* From now on kernels are sealed code. cpucc_seal_parameters tells where a launch's arguments
 * lie. */
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
/* Counts a cp.async of copy->lanes, of which `zeros` only write zeros. Changes *copy. */
void cpucc_count_copy(const struct warp *warp, uintptr_t pc, struct traffic_copy *copy,
                      uint32_t zeros);

/* ---- shadow.c ---- */

/* Returns the record of the word at an address. */
shadow *cpucc_shadow(uintptr_t address); /* NULL where there is none */
/* Checks an access before it is made, and records it; false if the launch ends. */
bool cpucc_check_access(struct lane *lane, uintptr_t address, uint32_t bytes,
                        enum operation operation, enum space space);
extern char __executable_start[];
/* Reports the lane's unordered write at race_address as a race if it has changed the value. */
void cpucc_finish_race(struct lane *lane);
/* The next functions set the state of the words in a range; addresses need not be aligned. */
void cpucc_mark_allocated(uintptr_t address, size_t bytes, bool allocated, bool written);
void cpucc_mark_written(uintptr_t address, size_t bytes);
void cpucc_words_written(uintptr_t address, size_t bytes);
void cpucc_mark_unwritten(uintptr_t address, unsigned bytes_of_word);
void cpucc_drop_shadow(uintptr_t address, size_t bytes);
bool cpucc_all_allocated(uintptr_t address, size_t bytes);
void cpucc_shared_clear(struct block *block);
void cpucc_shared_allocate(int slot, uint32_t offset, size_t bytes);
void cpucc_shadow_start(void);
/* An asynchronous copy, an agent of the lane's block, reads or overwrites the word. */
void cpucc_note_agent_read(struct lane *lane, shadow *word, uint32_t block, uint32_t agent,
                           uint32_t clock);
void cpucc_note_thread_read(const struct lane *lane, shadow *word);
/* Whether a reader of the word is not ordered before the async proxy's accesses (no proxy
 * fence), or before the lane's next access; *by is that reader. */
bool cpucc_unfenced_reader(const struct lane *lane, const shadow *word, stamp *by);
bool cpucc_still_read(const struct lane *lane, const shadow *word, stamp *by);
void cpucc_clear_readers(shadow *word);
/* Reports the plain reads that raced with atomics, as faults or remarks. */
void cpucc_report_suspicions(void);

/* ---- order.c ---- */

/* Returns the stamp of the lane's next access. */
stamp cpucc_stamp(const struct lane *lane);
/* Advances the lane's clock. */
void cpucc_tick(struct lane *lane);
/* Whether the access with this stamp comes before the lane's next access. */
bool cpucc_ordered(const struct lane *lane, stamp s);
/* Returns the lanes of a warp whose access at `clock` does not. */
uint32_t cpucc_unordered(const struct lane *lane, uint32_t block, uint32_t warp, uint32_t lanes,
                         uint32_t clock);
/* Whether the lane has read a value released after this write, without acquiring it; whether
 * only the fence of the counting idiom is missing; whether the async proxy sees the access. */
bool cpucc_observed(const struct lane *lane, stamp write);
bool cpucc_tentative(const struct lane *lane, stamp s);
bool cpucc_shown_to_proxy(const struct lane *lane, stamp s);
struct vclock *cpucc_release_order(struct lane *lane); /* the caller drops it */
void cpucc_arrive_order(struct lane *lane, struct vclock **acquired, struct vclock **released);
void cpucc_depart_order(struct lane *lane, struct vclock *acquired, struct vclock *released);
void cpucc_free_order(struct lane *lane);
/* A fence (`wide`: beyond the block), a fence.proxy.async, and a strong access. */
void cpucc_fence_order(struct lane *lane, bool wide);
void cpucc_proxy_fence_order(struct lane *lane);
void cpucc_synchronise(struct lane *lane, bool wrote);
/* Drops what was released through a word. */
void cpucc_forget_location(uintptr_t address);
/* The order of a barrier: of a block, of the lanes `group` of a warp, of n blocks of a cluster
 * or grid. */
void cpucc_order_block(struct block *block);
void cpucc_order_warp(struct warp *warp, uint32_t group, uint32_t mask);
void cpucc_order_blocks(struct block **group, int n, bool grid);
void cpucc_note_remote_access(struct lane *lane, uintptr_t address);
/* A thread ends. */
void cpucc_order_exit(struct lane *lane);
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
extern unsigned char *cpucc_page_state;           /* per 4096 bytes of the heap */
extern unsigned char *cpucc_page_written;         /* nonzero: the whole page is written */
extern struct allocation *cpucc_allocations;
extern uint32_t *cpucc_allocation_of_chunk; /* per 65536 bytes of the heap: index + 1, or 0 */
void cpucc_heap_start(void);
cudaError_t cpucc_allocate(void **p, size_t bytes, enum memory kind, uintptr_t pc);
/* Reserves address space that may exceed the machine's memory; the caller maintains its pages. */
cudaError_t cpucc_allocate_space(void **p, size_t bytes, bool written);
/* Frees memory; reports a fault if it was not allocated, or by the other side. */
cudaError_t cpucc_release_memory(void *p, bool by_device, uintptr_t pc);
/* Makes a freed allocation live again. */
void cpucc_reallocate(void *p);
size_t cpucc_free_memory(void);
const struct allocation *cpucc_allocation_near(uintptr_t address);
bool cpucc_heap_holds(uintptr_t address, size_t bytes);
void cpucc_heap_written(uintptr_t address, size_t bytes);
void cpucc_fill_page(size_t page);

/* ---- memory_limits.c ---- */

size_t cpucc_memory_available(size_t device);
size_t cpucc_address_space(size_t wanted);
/* Reserves zeroed address space that takes memory only where it is touched. If that fails, returns
 * NULL, or ends the program if it is `required`. */
void *cpucc_reserve(size_t bytes, bool required);
void *cpucc_must(void *p); /* returns p; ends the program if p is NULL or MAP_FAILED */

/* ---- host_access.c ---- */

/* The run time's lock. While memory is open, the host's code may touch device memory. */
void cpucc_lock(void);
void cpucc_unlock(void);
void cpucc_open_memory(void); /* these lock: one host thread at a time */
void cpucc_close_memory(void);
uintptr_t cpucc_user_pc(uintptr_t pc); /* returns the program's call that led into the run time */
void cpucc_signals_start(void);
uintptr_t cpucc_signal_pc(const void *context);
bool cpucc_is_launching_thread(void); /* the launch is this host thread's */
void cpucc_uninitialised_read(struct lane *lane, uintptr_t address); /* guards.c */
bool cpucc_map_in_place(const struct lane *lane, const void *map);   /* guards.c */
bool cpucc_on_stack_guard(const struct lane *lane, uintptr_t address);

/* ---- streams.c ---- */

struct device_operation {
    uint64_t number;
    uint64_t after; /* a bit per stream whose end implies that this operation has ended */
    uint32_t first_serial, last_serial; /* blocks of a kernel */
    uintptr_t pc;                       /* of the host's call */
    const char *name;                   /* a kernel's, or NULL */
    bool signals_host;                  /* it has fences or atomics of system scope */
    struct range {
        uintptr_t from, to; /* 0: none */
        bool written;
    } range[2]; /* memory of a copy or fill that kernels may use */
};
struct stream_point { /* a position in a stream, as an event records it */
    uint64_t number, streams;
};
extern bool cpucc_signals_host; /* of the running kernel, so far */
/* Returns the *count operations that the host has not waited for. */
const struct device_operation *cpucc_pending(int *count);
void cpucc_pending_kernel(const void *stream, uint32_t first, uint32_t last, const char *name,
                          uintptr_t pc);
void cpucc_pending_copy(const void *stream, const void *to, const void *from, size_t bytes,
                        bool asynchronous, uintptr_t pc);
void cpucc_pending_free(const void *stream, uintptr_t from, uintptr_t to, uintptr_t pc);
/* Finds the operations concurrent with a new launch in the stream; returns the serial number
 * below which all blocks come before it. */
uint32_t cpucc_find_concurrent(const void *stream, uint32_t first_serial);
const struct device_operation *
cpucc_concurrent_kernel(uint32_t serial); /* of a block; NULL if none */
void cpucc_forget_concurrent(uint32_t serial);
extern bool cpucc_copies_may_race; /* concurrent copies may race: ask */
const struct device_operation *cpucc_concurrent_copy(uintptr_t address, uint32_t bytes, bool write);
/* The host, or a stream, has waited: for everything, a stream, a point. */
void cpucc_synchronised(void);
void cpucc_synchronised_stream(const void *stream);
struct stream_point cpucc_point(const void *stream);
void cpucc_synchronised_point(struct stream_point p);
void cpucc_stream_waits(const void *stream, struct stream_point p);
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
/* Returns the address in words, in a static buffer. */
const char *cpucc_describe_address(uintptr_t address);
size_t cpucc_dynamic_limit(const void *function);
cudaError_t cpucc_error(cudaError_t error);
cudaError_t cpucc_lasting_error(void); /* of a kernel; cudaSuccess if none failed */

/* The record of registered host memory; NULL elsewhere. */
shadow *cpucc_registered_shadow(uintptr_t address);
bool cpucc_register(const void *p, size_t bytes); /* false: part of it is registered already */

static inline bool cpucc_is_shared_pointer(const void *p)
{
    return (uintptr_t)p - (uintptr_t)cpucc_slots < (uintptr_t)(cpucc_slots_end - cpucc_slots);
}

/* ---- async.c ---- */

/* Complete copies: if nothing else in the block can run; at any time. False if there are none. */
bool cpucc_async_progress(struct block *block);
bool cpucc_async_completes(struct block *block);
void cpucc_async_thread_end(struct lane *lane);
void cpucc_async_block_end(struct block *block);
void cpucc_async_block_start(struct block *block);
/* Returns what the thread waits for, in words. */
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

void cpucc_report_start(void);
struct kernel_record *cpucc_begin_record(struct launch *launch);
void cpucc_end_record(struct launch *launch);
struct site_count *cpucc_site(struct kernel_record *record, uintptr_t pc);
void cpucc_count(uintptr_t pc, int counter, uint64_t work, uint64_t ideal);
/* Records a fault at the pc, attributed to the lane. Keeps the first of each kind at each place. */
void cpucc_fault(struct lane *lane, uintptr_t pc, enum cpucc_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void cpucc_print_faults(void);
void cpucc_note_request(struct warp *warp, uint32_t group, int counter, uint32_t bytes,
                        const uint64_t *address);
const char *cpucc_line(uintptr_t pc);                 /* returns "file:line" */
void cpucc_find_lines(const uintptr_t *pc, size_t n); /* looks up many lines at once */
unsigned cpucc_line_may_differ(uintptr_t pc);         /* bits of enum may_differ */
extern bool cpucc_ran;                                /* the last launch was not refused */
extern volatile uint64_t cpucc_progress;              /* threads ended and barriers passed */
void cpucc_write_fault_summary(void);

/* ---- frontend/launches.c ---- */

/* Returns the variable at or just before an address, and the offset in it; NULL if there is
 * none. */
const struct device_part *cpucc_variable_near(uintptr_t address, long *offset);
void cpucc_mark_gaps(void);
bool cpucc_in_gap(uintptr_t address, uint32_t bytes);
void cpucc_launch_checked(void);
void cpucc_say_unchecked_launch(void);
extern uint64_t cpucc_requests; /* a heartbeat for the watchdog */

#endif
