/* Declares what the files of the race checker share: order between accesses, and a word's readers. */
#ifndef CPUCC_ORDER_H
#define CPUCC_ORDER_H

#include "../execution/async.h"
#include "checks.h"
#include "vector_clock.h"

/* ---- order.c, order_barriers.c ---- */

void cpucc_tick(struct lane *lane); /* advances the lane's clock */
/* Reports a fault in untrusted code if the clock is full: accesses after it could not be told apart. */
void cpucc_check_clock(struct lane *lane, uint32_t clock);
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
void cpucc_forget_location(uintptr_t address); /* drops what was released through a word */
void cpucc_free_locations(void);               /* drops what the launch released */
/* Returns the bounds of all accesses before the lane's next; `clock` bounds the lane's own. */
struct vclock *cpucc_order_until(const struct lane *lane, uint32_t clock);
void cpucc_join(struct vclock **to, struct vclock *what);  /* joins `what`, or NULL, into *to */
void cpucc_replace(struct vclock **to, struct vclock *by); /* drops *to; takes over `by` */
uint32_t cpucc_index_of(const struct block *b);            /* the block's number in the launch */

/* The events of core/hooks.h that order accesses. */
void cpucc_synchronise(struct lane *lane, bool wrote);
void cpucc_fence_order(struct lane *lane, int scope);
void cpucc_proxy_fence_order(struct lane *lane);
void cpucc_order_cluster_arrival(struct lane *lane);
void cpucc_order_block(struct block *block, uintptr_t pc);
void cpucc_order_warp(struct warp *warp, uint32_t group, uint32_t mask);
void cpucc_order_blocks(struct block **group, int n, bool grid);
void cpucc_order_mbarrier(struct lane *lane, struct mbarrier *m, enum mbarrier_event what);
void cpucc_order_exit(struct lane *lane);
void cpucc_order_block_end(struct block *block);
/* Notes that the lane uses another block's shared memory; a fault if that block has returned. */
void cpucc_note_remote_access(struct lane *lane, uintptr_t address);

/* ---- readers.c ---- */

/*
 * How a record (type readers) describes its readers, which have one block, clock and mask of bytes.
 * Most words are read by lanes of one warp, many by one lane or all lanes of several warps.
 */
enum how {
    PLAIN,           /* `lanes` of warp `number` */
    STRONG,          /* `lanes` of warp `number`, by strong accesses beyond block scope */
    STRONG_IN_BLOCK, /* `lanes` of warp `number`, by strong accesses of block scope */
    BY_STORE,        /* `lanes` of warp `number` by an asynchronous store, which they waited for */
    BY_AGENT,        /* an asynchronous copy; `lanes` is its agent's number + 1 (vector_clock.h) */
    COLUMN,          /* plain, lane `number` of the warps in `lanes` */
    ROWS,            /* plain, all lanes of the warps in `lanes` */
    WRITTEN /* not a reader: a plain write that plain-equivalent atomics have replaced since */
};

/* Returns the value of readers.when. */
static inline uint32_t readers_when(uint32_t how, unsigned bytes, uint32_t number, uint32_t clock)
{
    return how << 29 | bytes << 25 | number << READER_CLOCK_BITS | clock;
}
static inline enum how how_of(readers r) { return r.when >> 29; }

/* Records that the lane reads these bytes of the word. */
void cpucc_note_reader(const struct lane *lane, shadow *word, unsigned bytes, enum how how,
                       bool shared);
/* Records that an asynchronous copy, an agent (vector_clock.h) of the block, reads the word. */
void cpucc_note_agent_read(struct lane *lane, shadow *word, uint32_t block, uint32_t agent,
                           uint32_t clock);
/* Whether a reader of these bytes is not ordered before the lane's next access; sets *by and *how to
 * it. If that access is strong, ignores strong readers if each is in the other's scope. */
bool cpucc_unordered_reader(const struct lane *lane, const shadow *word, unsigned bytes,
                            bool strong, bool wide, stamp *by, enum how *how);
/* True if a thread of the lane's block has read the word and no fence.proxy.async orders that read
 * before later accesses of the async proxy. */
bool cpucc_unfenced_reader(const struct lane *lane, const shadow *word);
/* Whether a reader of the word (*by) is not ordered before the lane's next access. */
bool cpucc_still_read(const struct lane *lane, const shadow *word, stamp *by);
void cpucc_clear_readers(shadow *word); /* forgets all readers */

/* ---- volatile_data.c ---- */

bool cpucc_is_volatile(const struct lane *lane); /* whether its present access is volatile */
/* The same, but untrusted code must not have any strong loads and stores of data, whatever their order. */
bool cpucc_is_doubtful(const struct lane *lane);
/* False if the word holds, in untrusted code, an element of a matrix. */
bool cpucc_may_be_flag(const struct lane *lane, uintptr_t address);
/* Marks the word as a flag if a branch depends on what the lane reads there: then its unordered volatile
 * accesses are no doubt, neither those to come nor those noted. */
void cpucc_note_flag(struct lane *lane, const struct word *w);

/* ---- suspicions.c: faults that are reported when the launch ends, plain reads before a compare-and-swap ---- */

/* Notes that the lane's strong access at pc, and the one that `text` describes, are not ordered, and that one of
 * them is volatile. It is no fault if the word proves a flag. */
void cpucc_doubt_volatile(struct lane *lane, uintptr_t pc, enum cpucc_kind kind, uintptr_t address,
                          const char *text);
void cpucc_is_flag(uintptr_t address); /* the word has proved a flag */

void cpucc_note_plain_read(const struct lane *lane, uintptr_t address, uintptr_t pc);
void cpucc_note_plain_reads(struct warp *w, uint32_t lanes, const struct group_access *at);
void cpucc_note_swap(struct lane *lane);
uintptr_t cpucc_first_read_before(uintptr_t swap_pc); /* returns its pc, or 0 */
/* Notes that the plain read of the word races with an atomic write. */
void cpucc_note_suspicion(struct lane *lane, const shadow *word, uintptr_t address);
void cpucc_report_late(void); /* reports what was noted */
/* Writes to `to` which thread, kernel or copy made the access with this stamp. Returns `to`. */
const char *cpucc_describe_access(const struct lane *l, stamp s, char *to, size_t capacity);
/* Returns a hint what would order the lane after the other thread's access, or "". */
const char *cpucc_barrier_hint(const struct lane *l, stamp other);

/* ---- fast_path.c ---- */

/* Values of cpucc_check_lanes: with and without the race checker; with bounds alone. */
void cpucc_check_lanes_order(struct request *r);
void cpucc_check_lanes_written(struct request *r);
void cpucc_check_lanes_bounds(struct request *r);

#endif
