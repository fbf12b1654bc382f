/*
 * The table of checkers. Memory, counting and execution tell the table what happens; each checker
 * (in checks, and reports/trace.c for the page) has an entry and reacts to the events that concern it.
 * A checker whose kinds of faults are all off (CPUCC_CHECKS) has no entry and costs nothing.
 *
 * Checkers react in the order of checks/checks.c. A member that is NULL: the checker ignores the event.
 */
#ifndef CPUCC_HOOKS_H
#define CPUCC_HOOKS_H

#include "../../traffic/traffic.h"
#include "launch_state.h"

struct async_copy;
struct group_access;
struct mbarrier;
struct request;
struct tensor_map;

/* An access of a lane, before the program makes it. */
struct access {
    uintptr_t address;
    uint32_t bytes;
    enum operation operation;
    enum space space;
    bool write;
    shadow *words; /* their records; NULL in FOREIGN and CONSTANT space */
    unsigned mask; /* of the bytes in each word */
};

/* A word of an access that the checkers have permitted. */
struct word {
    shadow *s;
    unsigned mask;
    uintptr_t address;
    enum operation operation;
    bool strong, shared;
    bool was_written; /* some of the bytes, before this access */
};

enum mbarrier_event { /* the page knows the numbers up to MB_PHASE */
                      MB_INIT,
                      MB_ARRIVED,
                      MB_EXPECT,
                      MB_WAIT,     /* lanes begin to wait */
                      MB_PASS,     /* a lane passes */
                      MB_PHASE,    /* a phase completes */
                      MB_USE,      /* any use; before it takes effect */
                      MB_COPY,     /* the same for a copy that completes on the mbarrier */
                      MB_ARRIVING, /* before an arrival counts */
                      MB_COPIED,   /* a copy has delivered its bytes */
                      MB_FREED     /* with its block */
};

struct cpucc_checker {
    const char *name; /* as in kinds.h */

    /* Launches, blocks, threads. thread_ends: after the thread has returned. */
    void (*launch_starts)(struct launch *), (*launch_ends)(struct launch *);
    void (*block_starts)(struct block *), (*block_ends)(struct block *);
    void (*thread_ends)(struct lane *);

    /* Accesses. permits: false if the launch ends. access, word_read, word_write: before the program
     * makes a permitted access, in the order of its words. plain_reads: instead of word_read for lanes
     * that cpucc_check_lanes has checked. makes, made: around an access of a lane in
     * warp.unsettled. settle: such a lane has made its access. synchronises: after a strong access;
     * `wrote` is false for a compare-and-swap that fails. */
    bool (*permits)(struct lane *, const struct access *);
    void (*access)(struct lane *, const struct access *);
    void (*read_only)(struct lane *, uintptr_t,
                      uint32_t bytes); /* before a load of the read-only cache */
    void (*word_read)(struct lane *, const struct word *);
    void (*word_write)(struct lane *, const struct word *);
    void (*plain_reads)(struct warp *, uint32_t lanes, const struct group_access *);
    void (*makes)(struct lane *), (*made)(struct lane *), (*settle)(struct lane *);
    void (*synchronises)(struct lane *, bool wrote);
    void (*word_cleared)(shadow *); /* before its record is cleared */

    /* Fences and barriers, before they release anybody. scope: 0 block, 1 device, 2 system. pc: a waiting
     * thread's. warp_call: any call that lanes make together; warp_barrier: __syncwarp. */
    void (*fence)(struct lane *, int scope), (*proxy_fence)(struct lane *);
    void (*cluster_arrives)(struct lane *);
    void (*block_barrier)(struct block *, uintptr_t pc);
    void (*blocks_barrier)(struct block **, int blocks, bool grid);
    void (*warp_call)(struct warp *, uint32_t group, const struct lane *first);
    void (*warp_barrier)(struct warp *, uint32_t group, uint32_t mask);
    void (*mbarrier)(struct lane *, struct mbarrier *, enum mbarrier_event); /* lane may be NULL */

    /* Asynchronous copies. copy_reads: into the block of `into`, or from shared memory if that is NULL.
     * copy_writes: `reduces`: combines its values with memory. */
    void (*copy_pending)(uintptr_t shared, uint32_t bytes); /* a cp.async */
    void (*copy_reads)(struct lane *, uintptr_t, uint32_t bytes, const struct mbarrier *into);
    void (*copy_writes)(struct lane *, uintptr_t, uint32_t bytes, bool reduces);
    void (*copy_source_read)(const struct async_copy *);
    void (*copy_completes)(const struct async_copy *);
    void (*copies_committed)(struct lane *), (*copies_awaited)(struct lane *, int pending);

    /* Counts. */
    void (*counted)(const struct warp *, uintptr_t pc, int counter, const struct traffic_request *,
                    struct traffic_cost);
    void (*copy_counted)(const struct warp *, uintptr_t pc, const struct traffic_copy *,
                         struct traffic_copy_cost);
    void (*tma_counted)(struct lane *, int counter, struct async_copy *, const struct tensor_map *,
                        const int *at);
    void (*atomic)(const struct warp *, uint32_t group);

    /* The host enters or leaves the run time. fault: number `number` was found. */
    void (*host_enters)(void), (*host_leaves)(void);
    void (*fault)(const struct lane *, uintptr_t pc, int number);
};

void cpucc_add_checker(const struct cpucc_checker *checker); /* adds an entry at the end */

/* The table by event: the members of all entries that are not NULL, then NULL. An event is the number
 * of its member in struct cpucc_checker. */
enum { CPUCC_EVENTS = sizeof(struct cpucc_checker) / sizeof(void (*)(void)), CPUCC_CHECKERS = 8 };
extern void (*cpucc_listeners[CPUCC_EVENTS][CPUCC_CHECKERS + 1])(void);
#define CPUCC_LISTENERS(event)                                                                     \
    cpucc_listeners[offsetof(struct cpucc_checker, event) / sizeof(void (*)(void))]
#define CPUCC_MEMBER(event) __typeof__(((struct cpucc_checker *)0)->event)

/* Tells all checkers of an event. */
#define CPUCC_TELL(event, ...)                                                                     \
    do                                                                                             \
        for (void (**l_)(void) = CPUCC_LISTENERS(event); *l_; l_++)                                \
            ((CPUCC_MEMBER(event)) * l_)(__VA_ARGS__);                                             \
    while (0)

/* Asks all checkers whether they permit the access. */
static inline bool cpucc_permitted(struct lane *lane, const struct access *access)
{
    for (void (**l)(void) = CPUCC_LISTENERS(permits); *l; l++)
        if (!((CPUCC_MEMBER(permits)) * l)(lane, access))
            return false;
    return true;
}

/* Checks and records lanes of a request, from the lowest of request.todo up to the first whose access
 * one of the checkers must look at, and removes them from todo. checks.c sets it: it does what the
 * events `permits` to `word_write` of all entries would do. */
extern void (*cpucc_check_lanes)(struct request *);

#endif
