/*
 * Lists the kinds of faults and remarks. Reports, exercises and tests identify a kind by its word,
 * never by the text of a message.
 *
 * CPUCC_KIND(name, level, word, text, checker): `word` appears in machine-readable reports and does not
 * change; `text` begins the message for readers. A FAULT makes the program end with status 1. A
 * REMARK is legal but worth a look; it does not change the status. ENDS is a FAULT after which the
 * launch cannot go on. A DOUBT is a REMARK, and with CPUCC_STRICT=1 a FAULT. CPUCC_CHECKS changes the level
 * of a kind, or of all kinds of a checker; a kind that ENDS cannot be off. `launch` is no checker: running
 * the launch itself finds these kinds.
 */
#ifndef CPUCC_KINDS_H
#define CPUCC_KINDS_H

#define CPUCC_KINDS(KIND)                                                                          \
    KIND(OUT_OF_BOUNDS, ENDS, "out_of_bounds", "out of bounds", bounds)                            \
    KIND(MISALIGNED, ENDS, "misaligned", "misaligned access", bounds)                              \
    KIND(CONSTANT_WRITE, ENDS, "constant_write", "write to constant memory", bounds)               \
    KIND(PEER_ACCESS, ENDS, "peer_access", "memory of another device without peer access", bounds) \
    KIND(UNINITIALISED, FAULT, "uninitialised", "read of memory never written", initialised)       \
    KIND(COPIED_UNWRITTEN, REMARK, "unwritten_copied", "copy of memory never written",             \
         initialised)                                                                              \
    KIND(RACE_READ_WRITE, FAULT, "race_read_after_write", "race (read after write)", races)        \
    KIND(RACE_WRITE_READ, FAULT, "race_write_after_read", "race (write after read)", races)        \
    KIND(RACE_WRITE_WRITE, FAULT, "race_write_after_write", "race (write after write)", races)     \
    KIND(PLAIN_FIRST_READ, DOUBT, "plain_first_read", "plain read before a compare-and-swap",      \
         races)                                                                                    \
    KIND(VOLATILE_DATA, DOUBT, "volatile_data", "unordered volatile accesses", races)              \
    KIND(NO_ACQUIRE, DOUBT, "no_acquire_fence", "no fence after the counting atomic", races)       \
    KIND(BLOCK_ABSENT, FAULT, "block_absent", "shared memory of a block that may not run", races)  \
    KIND(READ_ONLY, FAULT, "read_only_load", "read-only load of memory that the kernel writes",    \
         races)                                                                                    \
    KIND(DEVICE_SCOPE, FAULT, "device_scope", "device scope between devices", races)               \
    KIND(FREED_IN_USE, FAULT, "freed_in_use", "memory freed while a device uses it", races)        \
    KIND(COPY_NOT_WAITED, FAULT, "copy_not_waited", "asynchronous copy not waited for", async)     \
    KIND(PROXY_FENCE, FAULT, "proxy_fence", "missing proxy fence", async)                          \
    KIND(PROXY_FENCE_LOAD, REMARK, "proxy_fence_before_load", "no proxy fence before a load",      \
         async)                                                                                    \
    KIND(HOST_ACCESS, FAULT, "host_access", "device memory touched by the host", host)             \
    KIND(HOST_RACE, FAULT, "host_race", "not synchronised with the host", host)                    \
    KIND(BARRIER_DIVERGENCE, FAULT, "barrier_divergence", "barrier divergence", launch)            \
    KIND(EARLY_RETURN, REMARK, "early_return", "return before a barrier", launch)                  \
    KIND(LANE_MASK, FAULT, "lane_mask", "wrong lane mask", launch)                                 \
    KIND(COPY_REFUSED, ENDS, "copy_refused", "copy the hardware refuses", launch)                  \
    KIND(MBARRIER_MISUSE, ENDS, "mbarrier_misuse", "mbarrier misuse", launch)                      \
    KIND(GRID_BARRIER, ENDS, "grid_barrier", "grid barrier", launch)                               \
    KIND(SHARED_SIZE, ENDS, "shared_size", "too much shared memory", launch)                       \
    KIND(LOCAL_SIZE, ENDS, "local_size", "too much local memory", launch)                          \
    KIND(ENDLESS_WAIT, ENDS, "endless_wait", "endless wait", launch)                               \
    KIND(STACK_OVERFLOW, ENDS, "stack_overflow", "out of stack", launch)                           \
    KIND(DOUBLE_FREE, FAULT, "double_free", "freed twice", launch)                                 \
    KIND(BAD_FREE, FAULT, "bad_free", "free of memory that was not allocated", launch)             \
    KIND(COPY_DIRECTION, FAULT, "copy_direction", "copy in the wrong direction", launch)           \
    KIND(LAUNCH_REFUSED, DOUBT, "launch_refused", "launch refused and never checked", launch)      \
    KIND(ASSERTION, ENDS, "assertion", "assertion failed", launch)                                 \
    KIND(TRAP, ENDS, "trap", "trap", launch)

enum cpucc_level { FAULT, REMARK, OFF, ENDS, DOUBT };

#define CPUCC_KIND_NAME(name, level, word, text, checker) name,
enum cpucc_kind { CPUCC_KINDS(CPUCC_KIND_NAME) CPUCC_KIND_COUNT };
#undef CPUCC_KIND_NAME

#endif
