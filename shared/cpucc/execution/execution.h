/*
 * Declares how launches run: accesses, fibers, warps in lockstep, blocks, launches, barriers, and limits
 * for untrusted code. async.h declares asynchronous copies and mbarriers.
 */
#ifndef CPUCC_EXECUTION_H
#define CPUCC_EXECUTION_H

#include "../counting/counting.h"
#include "../memory/memory.h"

#pragma GCC visibility push(hidden) /* direct access to variables of other files */

/* ---- launch.c ---- */

/* Returns the error with which a launch of this configuration is refused, or cudaSuccess. */
cudaError_t cpucc_check_launch(const cpucc_config *config);
/* Runs a checked launch; returns the error that ended it, or cudaSuccess. */
cudaError_t cpucc_execute(const cpucc_config *config, void (*body)(void *), void *arguments,
                          size_t bytes);
extern bool cpucc_was_launched;          /* the last launch was not refused */
extern volatile uint64_t cpucc_progress; /* threads ended and barriers passed */
/* Progress, to tell an endless wait: requests whose addresses change but stay in a range that the
 * warp has accessed before; requests outside it, and mbarrier arrivals that may let a block go on. */
extern uint64_t cpucc_revisits, cpucc_state_changes;
bool cpucc_is_launching_thread(void);           /* true on the host thread of the launch */
uintptr_t cpucc_signal_pc(const void *context); /* returns a signal's interrupted pc + 1 */
/* If not NULL, chooses which clusters (without clusters: blocks) of a launch run. Returns how many
 * it chose, or 0 to run all. */
extern uint32_t (*cpucc_sample)(uint32_t clusters, uint32_t chosen[SAMPLE]);
void cpucc_allow_large_clusters(const void *function, bool allowed); /* of more than 8 blocks */
size_t cpucc_dynamic_limit(const void *function); /* bytes of dynamic shared memory, at most */
size_t cpucc_shared_limit(const void *function);  /* the same of static and dynamic together */
void cpucc_set_dynamic_limit(const void *function, int bytes);

/* Begins a function that device code calls: l is the calling thread, whose place it notes. In host code the
 * function returns at once. */
#define CALLED_BY(l, ...)                                                                          \
    struct lane *l = cpucc_current;                                                                \
    if (!l)                                                                                        \
        return __VA_ARGS__;                                                                        \
    l->pc = DEVICE_CALL_PC

/* Runs the next statement for each lane l of the warp that is in the mask; `break` only ends the statement. */
#define EACH_LANE_IN(l, warp, mask)                                                                \
    for (uint32_t m_ = (mask); m_; m_ &= m_ - 1)                                                   \
        for (struct lane *l = &(warp)->lane[__builtin_ctz(m_)], *once_ = l; once_; once_ = NULL)
/* The same for each lane of the block that waits for `what`. */
#define EACH_WAITING(l, block, what)                                                               \
    for (struct warp *w_ = (block)->warp; w_ < (block)->warp + (block)->warps; w_++)               \
        EACH_LANE_IN(l, w_, w_->waiting)                                                           \
            if (l->waiting == (what))

/* ---- schedule.c, blocks.c ---- */

/* FINISHED: all threads have returned, or the launch was aborted. STUCK: all wait for other blocks,
 * or for ever. SPINNING: some can run but only repeat addresses. PAUSED: some can run, but
 * CPUCC_SCHEDULE lets another block run first. */
enum outcome { FINISHED, STUCK, SPINNING, PAUSED };
/* Makes a block of the launch live, in a free slot. */
void cpucc_start_block(struct launch *launch, uint32_t number);
/* Runs a block until it has one of these outcomes. */
enum outcome cpucc_run_block(struct launch *launch, struct block *block);
void cpucc_end_block(struct block *block); /* frees the block's slot */

void cpucc_await_turn(struct lane *lane); /* returns when the lane may make its access */
void cpucc_wait(struct lane *lane, enum waiting what); /* sleeps until cpucc_wake */
void cpucc_wake(struct lane *lane);                    /* lets a waiting lane run again */
void cpucc_exit(void);                                 /* ends the running lane; does not return */
void cpucc_abort(cudaError_t error); /* ends the launch; does not return on a fiber */
/* Reports a fault (arguments as of cpucc_fault) and ends the launch with the error. */
#define END_LAUNCH(error, ...) (cpucc_fault(__VA_ARGS__), cpucc_abort(error))
struct block *cpucc_live_block(uint32_t number); /* NULL if the block of this number is not live */
/* Whether the address lies in the guard below the lane's stack. */
bool cpucc_on_stack_guard(const struct lane *lane, uintptr_t address);

/* ---- schedule_search.c ---- */

/* Returns one of n legal choices: 0, unless CPUCC_SCHEDULE asks for others. `what` names the
 * choice. */
uint32_t cpucc_choose(const char *what, uint32_t n);
/* Chooses as CPUCC_SCHEDULE=seed:S does from now on; S = 0: as without it. `apart`: lanes of a warp, too, that nothing
 * orders may run one before the other. Then they make more requests than in lockstep. */
void cpucc_set_schedule(uint64_t s, bool apart);
extern bool cpucc_lanes_apart;
uint32_t cpucc_draw_lanes(void); /* a random mask, if cpucc_lanes_apart */

/* ---- collective.c ---- */

/* Gives the lanes `group`, which have all reached a warp-wide call, its results and wakes them. */
void cpucc_collective_done(struct warp *warp, uint32_t group, const struct lane *first);

/* Returns when all lanes of the warp that run are here. Until one of them waits for other warps, no other warp runs. */
void cpucc_gather_warp(struct lane *lane);

/* A task that all 32 lanes of a warp perform together. Each lane brings a record that begins with
 * this struct. When all have arrived, `run` gets the records by lane. */
struct warp_work {
    void (*run)(struct warp_work *of[WARP]);
    struct lane *lane; /* set by cpucc_warp_work */
    uintptr_t pc;      /* of the call; 0: the caller of cpucc_warp_work */
};
void cpucc_warp_work(struct warp_work *work); /* returns when the task is done */

/* ---- access.c, request.c ---- */

/* Waits for the lane's turn, then checks and counts its access, which the caller makes. `strength`:
 * bits of launch_state.h. `expected`: a compare-and-swap's old value, else NULL. */
void cpucc_access(uintptr_t address, uint32_t bytes, enum operation operation, unsigned strength,
                  const void *expected, uintptr_t pc);
/* Checks an access before it is made, and records it; false if the launch ends. */
bool cpucc_check_access(struct lane *lane, uintptr_t address, uint32_t bytes,
                        enum operation operation, enum space space);

/* One access of a group of lanes. */
struct group_access {
    uintptr_t pc;
    uint32_t bytes;
    enum operation operation;
    int row; /* the row of warp.deferred_row that has the addresses; -1: the lanes have them */
};
/* Checks each lane's part of a request, then counts the request. */
void cpucc_check_and_count(struct warp *w, uint32_t group, const struct group_access *at);

/* A request of plain or strong accesses that is being checked. */
struct request {
    struct warp *warp;
    const struct group_access *at;
    uint32_t todo;                           /* lanes that have not been checked */
    uint32_t checked_fast;                   /* lanes that cpucc_check_lanes has checked */
    struct traffic_request *global, *shared; /* the checked lanes, by space */
};

/* Lets the checkers look at an unsettled write of the lane, which the lane has made. */
static inline void cpucc_settle(struct lane *l)
{
    if (l->warp->unsettled >> l->index & 1)
        CPUCC_TELL(settle, l);
}

/* ---- deferred_access.c ---- */

extern bool cpucc_may_defer;        /* lanes of this launch may defer accesses */
extern bool cpucc_records_accesses; /* a launch is running and recorded */
/* Returns when all deferred accesses of the current lane are checked and counted. */
void cpucc_flush_deferred(void);

/* ---- sealed.c ---- */

void cpucc_seal(void); /* sets cpucc_sealed */
extern uint64_t
    cpucc_local_bytes; /* of local arrays that sealed lanes access at different places */
/* What cpucc_alter_shared alters: words of shared memory that other lanes have stored; also the lane's
 * own; also words of __device__ variables that other lanes have stored; those of other warps alone; the lane's own
 * too, at every second load. */
enum altered_words { OF_OTHERS, OWN_TOO, OF_OTHER_BLOCKS, OF_OTHER_WARPS, IN_TURN };
/* From now on, sealed code that loads from shared memory gets values that `how` has changed: aligned units
 * of so many bytes. `how` changes a unit, or `back` again, and returns true; or leaves it and returns
 * false. Lanes get only small numbers from each other in any other way. */
void cpucc_alter_shared(size_t bytes, enum altered_words, bool (*how)(void *unit, bool back));
/* Changes what device code is about to load, or changes back what it is about to store over. `by`: the
 * lane whose registers the access reads or writes; NULL if it is none or another one. `request`: as
 * cpucc_request_of(); 0: of no warp. */
void cpucc_alter(const struct lane *by, uint32_t request, uintptr_t address, size_t bytes,
                 bool load);
/* While shared memory is altered: requests for loads that take from so many requests for stores, or more, what other
 * lanes have stored, load half of all such units. */
uint64_t cpucc_stores_per_load(void);
/* A number of the request to which the lane's access at this pc belongs: equal for all lanes of it, and not 0. */
uint32_t cpucc_request_of(const struct lane *l, uintptr_t pc);
/* What a lane gets of another lane's value; all of it if every lane gets it. */
uint64_t cpucc_exchanged(uint64_t value, uint32_t broadcast);
extern bool *cpucc_altered;       /* by unit: it is changed; NULL: loads change nothing */
extern bool cpucc_exchanges_free; /* lanes get any number from each other, and none is counted */
void cpucc_seal_parameters(const void *start, size_t bytes); /* notes a launch's arguments */
/* Permits the lane one access at this address; an atomic's loads and stores may repeat. */
void cpucc_seal_atomic(uint32_t bytes, const void *expected);
void cpucc_seal_allow(struct lane *l, uintptr_t address, uint32_t bytes, enum operation op,
                      uintptr_t pc);
/* Ends the launch if sealed code runs and the range is not within the thread's local variables. */
void cpucc_seal_local_range(const void *p, size_t bytes, uintptr_t pc);
void cpucc_seal_note(uintptr_t address, size_t bytes); /* notes an access of a local array */
bool cpucc_seal_readable(const void *p, size_t bytes); /* true if printf may read the range */

#pragma GCC visibility pop
#endif
