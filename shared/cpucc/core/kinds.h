/*
 * Lists the kinds of faults and remarks. Reports, exercises and tests identify a kind by its word,
 * never by the text of a message.
 *
 * CPUCC_KIND(name, level, word, text): `word` appears in machine-readable reports and does not
 * change; `text` begins the message for readers. A FAULT makes the program end with status 1. A
 * REMARK is legal but worth a look; it does not change the status.
 */
#ifndef CPUCC_KINDS_H
#define CPUCC_KINDS_H

#define CPUCC_KINDS(KIND)                                                                          \
    KIND(OUT_OF_BOUNDS, FAULT, "out_of_bounds", "out of bounds")                                   \
    KIND(MISALIGNED, FAULT, "misaligned", "misaligned access")                                     \
    KIND(CONSTANT_WRITE, FAULT, "constant_write", "write to constant memory")                      \
    KIND(UNINITIALISED, FAULT, "uninitialised", "read of memory never written")                    \
    KIND(RACE_READ_WRITE, FAULT, "race_read_after_write", "race (read after write)")               \
    KIND(RACE_WRITE_READ, FAULT, "race_write_after_read", "race (write after read)")               \
    KIND(RACE_WRITE_WRITE, FAULT, "race_write_after_write", "race (write after write)")            \
    KIND(PLAIN_FIRST_READ, REMARK, "plain_first_read", "plain read before a compare-and-swap")     \
    KIND(NO_ACQUIRE, REMARK, "no_acquire_fence", "no fence after the counting atomic")             \
    KIND(BARRIER_DIVERGENCE, FAULT, "barrier_divergence", "barrier divergence")                    \
    KIND(EARLY_RETURN, REMARK, "early_return", "return before a barrier")                          \
    KIND(BLOCK_LEFT, FAULT, "block_left", "shared memory of a block that may have returned")       \
    KIND(LANE_MASK, FAULT, "lane_mask", "wrong lane mask")                                         \
    KIND(COPY_NOT_WAITED, FAULT, "copy_not_waited", "asynchronous copy not waited for")            \
    KIND(COPY_REFUSED, FAULT, "copy_refused", "copy the hardware refuses")                         \
    KIND(PROXY_FENCE, FAULT, "proxy_fence", "missing proxy fence")                                 \
    KIND(PROXY_FENCE_LOAD, REMARK, "proxy_fence_before_load", "no proxy fence before a load")      \
    KIND(MBARRIER_MISUSE, FAULT, "mbarrier_misuse", "mbarrier misuse")                             \
    KIND(GRID_BARRIER, FAULT, "grid_barrier", "grid barrier")                                      \
    KIND(SHARED_SIZE, FAULT, "shared_size", "too much shared memory")                              \
    KIND(LOCAL_SIZE, FAULT, "local_size", "too much local memory")                                 \
    KIND(ENDLESS_WAIT, FAULT, "endless_wait", "endless wait")                                      \
    KIND(STACK_OVERFLOW, FAULT, "stack_overflow", "out of stack")                                  \
    KIND(DOUBLE_FREE, FAULT, "double_free", "freed twice")                                         \
    KIND(BAD_FREE, FAULT, "bad_free", "free of memory that was not allocated")                     \
    KIND(HOST_ACCESS, FAULT, "host_access", "device memory touched by the host")                   \
    KIND(HOST_RACE, FAULT, "host_race", "not synchronised with the host")                          \
    KIND(COPY_DIRECTION, FAULT, "copy_direction", "copy in the wrong direction")                   \
    KIND(LAUNCH_REFUSED, REMARK, "launch_refused", "launch refused and never checked")             \
    KIND(ASSERTION, FAULT, "assertion", "assertion failed")                                        \
    KIND(TRAP, FAULT, "trap", "trap")

enum cpucc_level { FAULT, REMARK };

#define CPUCC_KIND_NAME(name, level, word, text) name,
enum cpucc_kind { CPUCC_KINDS(CPUCC_KIND_NAME) CPUCC_KIND_COUNT };
#undef CPUCC_KIND_NAME

#endif
